//! Expected counts.

use crate::data::{Var, Variable};

/// Answers questions about sets of variables with expected counts, from any number of threads: where values
/// are missing, the expected number of rows of each configuration, which need not be a whole number.
pub trait ExpectedTables: Sync {
    /// The variables, in their canonical order.
    fn variables(&self) -> &[Variable];

    /// The number of rows.
    fn rows(&self) -> usize;

    /// Passes `look` the expected counts of the configurations of a set. Their order depends only on the
    /// order of the set, and zeros may be left out. A set with more configurations than can be numbered has
    /// no counts.
    fn of_set(&self, set: &[Var], look: &mut dyn FnMut(&[f64]));
}
