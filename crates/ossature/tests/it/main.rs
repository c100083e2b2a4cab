//! Integration tests of the library; each module has a sentence.
mod data; // tables: reading, writing, missing values, intervals, bad input
