//! Integration tests of the library; each module has a sentence.

/// Pictures are well-formed, nothing overlaps, and every edge joins the borders of its boxes.
mod draw;
