//! Integration tests of the library; each module has a sentence of its own.
#![allow(clippy::unwrap_used)]

/// How near the learners come to the truth, fixed as a table.
mod accuracy;
/// The rooms of the library keep to themselves: who uses whom, who opens files, who prints.
mod architecture;
/// Tables that shrink towards those of fewer parents: the naive formula, and new rows.
mod backoff;
/// The score `bdh` beside its formula.
mod bdh;
/// BOSS and `best`: the same answer however it is asked, stopping, and how they stand beside the others.
mod best;
/// Networks in BIF: the dialects, what is refused and how it is said, and writing.
mod bif;
/// The catalogue: settings are checked in one place, any halves go together, evidence and its reasons.
mod catalogue;
/// Independence tests: golden values, symmetry to the last bit, tables at the edge.
mod ci;
/// Continuous and mixed tables: golden values, equivalence, symmetry, columns at the edge.
mod continuous;
/// Counting: every kernel against the obvious loop.
mod counts;
/// Tables: reading, writing, missing values, intervals, bad input.
mod data;
/// The learners that prove an optimum: golden values, and no other learner above them.
mod exact;
/// Every reader of foreign bytes: the corpus, and valid files with faults put in at random, from fixed seeds.
#[cfg(feature = "arrow")]
mod fuzz;
/// Rows that are elsewhere: the same answers however they are divided, and rounds that fail.
mod gathered;
/// Networks with continuous variables: fitting, drawing, likelihoods, the model file, and what is refused.
mod gaussian;
/// What is written down of the catalogue: Python's classes, tables of the documentation.
mod generated;
/// Greedy equivalence search: large samples, constraints, stopping, the same answer however it is asked.
mod ges;
/// Graphs: golden values, and properties against naive definitions.
mod graph;
/// Asking a network: golden posteriors, the definition by enumeration, rows, interventions, sampling.
mod infer;
/// Learners: what is known beforehand, settings and presets, bootstrap, stopping, reports.
mod learn;
/// Local learning: each listing's contract, its lines and orders, and what must not change the result.
mod local;
mod missing;
/// The model file: what goes in comes out, rows are read for it, and what is no model is refused.
mod model;
/// The embedded networks against the paper, sampling and fitting.
mod network;
/// Learners that test: their contracts, orders, golden skeletons, constraints and ends.
mod orient;
/// First halves whose targets are looked at in several places: the answer of one place, and what does not fit together.
mod parts;
/// Scores: golden values, the naive formulas, and the last bit.
mod score;
/// The learners that score: constraints, limits, and the same answer however it is asked.
mod scorers;
/// Search: ties, the tabu list, constraints, stopping, and the same answer however it is asked.
mod search;
/// Rows that stand for many: the same answers as for the rows written out.
mod weights;
