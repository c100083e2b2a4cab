//! Integration tests of the library, one module for each subject.
#![allow(clippy::unwrap_used)]

/// The accuracy of the learners, fixed as a table.
mod accuracy;
/// The rooms of the library: which room uses which, opens files or prints.
mod architecture;
/// Tables that shrink towards those of fewer parents: the naive formula, and new rows.
mod backoff;
/// The score `bdh`, compared with its formula.
mod bdh;
/// BOSS and `best`: the same answer for any order and threads, stopping, and comparison with other learners.
mod best;
/// Networks in BIF: the dialects, what is refused and with which message, and writing.
mod bif;
/// The catalogue: settings are checked in one place, any two halves work together, evidence and reasons.
mod catalogue;
/// Independence tests: golden values, symmetry to the last bit, edge cases.
mod ci;
/// Continuous and mixed tables: golden values, equivalence, symmetry, edge cases.
mod continuous;
/// Counting: every kernel compared with the naive loop.
mod counts;
/// Tables: reading, writing, missing values, intervals, bad input.
mod data;
/// The learners that prove an optimum: golden values, and no other learner scores higher.
mod exact;
/// Every reader of untrusted bytes: the corpus, and valid files with random faults from fixed seeds.
#[cfg(feature = "arrow")]
mod fuzz;
/// Rows held elsewhere: the same answers for any division, and rounds that fail.
mod gathered;
/// Networks with continuous variables: fitting, sampling, likelihoods, the model file, and what is refused.
mod gaussian;
/// Files generated from the catalogue: Python classes, and tables of the documentation.
mod generated;
/// Greedy equivalence search: large samples, constraints, stopping, the same answer for any order and
/// threads.
mod ges;
/// Graphs: golden values, and properties compared with naive definitions.
mod graph;
/// Questions to a network: golden posteriors, the definition by enumeration, rows, interventions, sampling.
mod infer;
/// Learners: constraints, settings and presets, bootstrap, stopping, reports.
mod learn;
/// Local learning: the contract, lines and orders of each listing, and what must not change the result.
mod local;
mod missing;
/// The model file: a model survives writing and reading, rows are read for it, and anything else is refused.
mod model;
/// The embedded networks compared with the paper, sampling and fitting.
mod network;
/// Learners that test: their contracts, orders, golden skeletons, constraints and ends.
mod orient;
/// Writes Parquet files.
#[cfg(feature = "arrow")]
mod parquet_file;
/// First halves whose targets are processed in several places: the answer of one place, and parts that do not
/// fit together.
mod parts;
/// Scores: golden values, the naive formulas, and agreement to the last bit.
mod score;
/// The learners that score: constraints, limits, and the same answer for any order and threads.
mod scorers;
/// Search: ties, the tabu list, constraints, stopping, and the same answer for any order and threads.
mod search;
/// Weighted rows: the same answers as for repeated rows.
mod weights;
