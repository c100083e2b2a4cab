//! Counts that are expected and not seen.

use crate::data::{Var, Variable};

/// Answers questions about sets of variables with counts that need not be whole numbers, from any number of
/// threads: how many rows are expected to have each configuration, where values are missing.
pub trait ExpectedTables: Sync {
    /// The variables, in their canonical order.
    fn variables(&self) -> &[Variable];

    /// The number of rows.
    fn rows(&self) -> usize;

    /// Lets `look` see the expected counts of the configurations of a set, in an order that depends on that of
    /// the set alone; zeros included or not. A set of more configurations than can be numbered has none.
    fn of_set(&self, set: &[Var], look: &mut dyn FnMut(&[f64]));
}
