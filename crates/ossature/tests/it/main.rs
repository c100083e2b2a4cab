//! Integration tests of the library; each module has a sentence.

/// Networks in BIF: the dialects, what is refused and how it is said, and writing.
mod bif;
/// The embedded networks against the paper, sampling and fitting.
mod network;
