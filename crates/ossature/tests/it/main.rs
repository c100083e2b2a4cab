//! Integration tests of the library; each module has a sentence of its own.

mod ci;
mod counts;
