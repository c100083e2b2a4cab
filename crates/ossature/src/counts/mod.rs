//! Counting: `n_ijk` and its margins. The only loops over rows.

mod family;

pub use family::family;
