//! Integration tests of the library; each module has a sentence.

/// The rooms of the library keep to themselves: who uses whom, who opens files, who prints.
mod architecture;
/// Graphs: golden values, and properties against naive definitions.
mod graph;
/// Networks in BIF: the dialects, what is refused and how it is said, and writing.
mod bif;
/// The embedded networks against the paper, sampling and fitting.
mod network;
