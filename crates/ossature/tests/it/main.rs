//! Integration tests of the library; each module has a sentence of its own.

/// Networks in BIF: the dialects, what is refused and how it is said, and writing.
mod bif;
/// Independence tests: golden values, symmetry to the last bit, tables at the edge.
mod ci;
/// Counting: every kernel against the obvious loop.
mod counts;
mod data; // tables: reading, writing, missing values, intervals, bad input
/// The embedded networks against the paper, sampling and fitting.
mod network;
