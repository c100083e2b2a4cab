//! Integration tests of the library; each module has a sentence.

/// The rooms of the library keep to themselves: who uses whom, who opens files, who prints.
mod architecture;
/// Graphs: golden values, and properties against naive definitions.
mod graph;
