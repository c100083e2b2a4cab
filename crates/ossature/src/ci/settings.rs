//! Tests by name: what a user chooses, made into a test on data.

use std::sync::Arc;

use super::CiTest;
use super::g2::G2;
use super::permutation::Permutation;
use super::shrinkage::Shrinkage;
use super::table_test::{Statistic, TableTest, declared_levels};
use super::x2::X2;
use crate::counts::{NLogN, Tables};
use crate::data::Dataset;
use crate::error::Result;
use crate::sources::Sources;
use crate::word::Word;

/// The tests, by the names that users of bnlearn know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TestKind {
    /// `mi`
    Mi,
    /// `mi-adf`, the test of the paper
    #[default]
    MiAdf,
    /// `x2`
    X2,
    /// `x2-adf`
    X2Adf,
    /// `mi-sh`
    MiSh,
    /// `mc-mi`
    McMi,
    /// `sp-mi`
    SpMi,
}

impl TestKind {
    /// The power rule that goes with it: so many rows for each cell of the table.
    pub fn default_power_rule(self) -> u32 {
        if matches!(self, TestKind::MiAdf | TestKind::X2Adf) { 5 } else { 0 }
    }

    /// The number of random tables that goes with it.
    fn default_resamples(self) -> usize {
        if self == TestKind::SpMi { 100 } else { 5000 }
    }
}

impl Word for TestKind {
    const WHAT: &'static str = "test";
    const WORDS: &'static [(TestKind, &'static str, &'static str)] = &[
        (TestKind::Mi, "mi", "G², the mutual information times twice the rows"),
        (TestKind::MiAdf, "mi-adf", "G² with degrees of freedom adjusted to what occurs; the paper's test"),
        (TestKind::X2, "x2", "Pearson's X²"),
        (TestKind::X2Adf, "x2-adf", "Pearson's X² with adjusted degrees of freedom"),
        (TestKind::MiSh, "mi-sh", "G² of a shrunk table"),
        (TestKind::McMi, "mc-mi", "G², p from random tables (uses the seed)"),
        (TestKind::SpMi, "sp-mi", "G², degrees of freedom from random tables (uses the seed)"),
    ];
}

/// A test and its settings.
///
/// ```
/// use ossature::ci::{CiTest, TestKind, TestSettings};
/// use ossature::{Column, Dataset, Var, Variable};
///
/// let data = Dataset::new(vec![
///     (Variable::new("a", ["0", "1"])?, Column::from_codes([0, 0, 1, 1], 2)),
///     (Variable::new("b", ["0", "1"])?, Column::from_codes([0, 0, 1, 1], 2)),
/// ])?;
/// let test = TestSettings { kind: TestKind::Mi, ..TestSettings::default() }.build(&data)?;
/// let outcome = test.test(Var(0), Var(1), &[]);
/// assert!((outcome.statistic - 8.0 * 2f64.ln()).abs() < 1e-12);
/// assert_eq!(outcome.df, 1.0);
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TestSettings {
    /// Which test.
    pub kind: TestKind,
    /// Rows needed for each cell of the table, 0 for no rule; the test's own unless given.
    pub power_rule: Option<u32>,
    /// Random tables of the permutation tests: 5000 for `mc-mi`, 100 for `sp-mi` unless given.
    pub resamples: Option<usize>,
    /// The seed of the permutation tests.
    pub seed: u64,
    /// Whether a single test without power is counted all the same, to report its df.
    pub count_without_power: bool,
}

impl TestSettings {
    /// The test on a dataset. A test that is not for its kinds of columns is an error.
    pub fn build<'a>(&self, data: &'a Dataset) -> Result<Box<dyn CiTest + 'a>> {
        self.build_with(&Sources::new(data))
    }

    /// The test on a table that others use as well.
    pub fn build_with<'a>(&self, sources: &Sources<'a>) -> Result<Box<dyn CiTest + 'a>> {
        Ok(self.of_tables(sources.available_tables(&format!("the test {}", self.kind.word()))?))
    }

    fn of_tables<'a>(&self, tables: Arc<dyn Tables + 'a>) -> Box<dyn CiTest + 'a> {
        let (rows, variables) = (tables.rows(), tables.variables());
        let f = || NLogN::new(rows);
        let resamples = self.resamples.unwrap_or(self.kind.default_resamples()).max(1);
        let permutation =
            |semi_parametric| Permutation::new(variables, rows, resamples, self.seed, semi_parametric);
        let statistic: Box<dyn Statistic + Send> = match self.kind {
            TestKind::Mi => Box::new(G2 { f: f(), adjusted: false }),
            TestKind::MiAdf => Box::new(G2 { f: f(), adjusted: true }),
            TestKind::X2 => Box::new(X2 { adjusted: false }),
            TestKind::X2Adf => Box::new(X2 { adjusted: true }),
            TestKind::MiSh => Box::new(Shrinkage { levels: declared_levels(variables) }),
            TestKind::McMi => Box::new(permutation(false)),
            TestKind::SpMi => Box::new(permutation(true)),
        };
        let power_rule = self.power_rule.unwrap_or(self.kind.default_power_rule());
        Box::new(TableTest::new(tables, statistic, power_rule, self.count_without_power))
    }
}
