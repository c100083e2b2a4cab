//! Tests by name: what a user chooses, made into a test on data.

use std::fmt;
use std::str::FromStr;

use super::g2::G2;
use super::permutation::Permutation;
use super::shrinkage::Shrinkage;
use super::table_test::{Statistic, TableTest};
use super::x2::X2;
use crate::counts::{Counter, NLogN};
use crate::data::Dataset;
use crate::error::{Error, Result};

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
    /// All tests.
    pub const ALL: [TestKind; 7] = [
        TestKind::Mi,
        TestKind::MiAdf,
        TestKind::X2,
        TestKind::X2Adf,
        TestKind::MiSh,
        TestKind::McMi,
        TestKind::SpMi,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            TestKind::Mi => "mi",
            TestKind::MiAdf => "mi-adf",
            TestKind::X2 => "x2",
            TestKind::X2Adf => "x2-adf",
            TestKind::MiSh => "mi-sh",
            TestKind::McMi => "mc-mi",
            TestKind::SpMi => "sp-mi",
        }
    }

    /// The power rule that goes with it: so many rows for each cell of the table.
    pub fn default_power_rule(self) -> u32 {
        if matches!(self, TestKind::MiAdf | TestKind::X2Adf) { 5 } else { 0 }
    }

    /// The number of random tables that goes with it.
    fn default_resamples(self) -> usize {
        if self == TestKind::SpMi { 100 } else { 5000 }
    }
}

impl fmt::Display for TestKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TestKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<TestKind> {
        let known = || TestKind::ALL.into_iter().map(TestKind::name);
        let found = TestKind::ALL.into_iter().find(|k| k.name() == text);
        found.ok_or_else(|| Error::unknown_name("test", text, known(), None))
    }
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
/// let test = TestSettings { kind: TestKind::Mi, ..TestSettings::default() }.build(&data);
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
    /// The test on a dataset.
    pub fn build<'a>(&self, data: &'a Dataset) -> TableTest<'a> {
        self.build_with(Counter::new(data))
    }

    /// The test by a counter of one's own.
    pub fn build_with<'a>(&self, counter: Counter<'a>) -> TableTest<'a> {
        let data = counter.data();
        let f = || NLogN::new(data.rows());
        let resamples = self.resamples.unwrap_or(self.kind.default_resamples()).max(1);
        let permutation = |semi_parametric| Permutation::new(data, resamples, self.seed, semi_parametric);
        let statistic: Box<dyn Statistic + Send + 'a> = match self.kind {
            TestKind::Mi => Box::new(G2 { f: f(), adjusted: false }),
            TestKind::MiAdf => Box::new(G2 { f: f(), adjusted: true }),
            TestKind::X2 => Box::new(X2 { adjusted: false }),
            TestKind::X2Adf => Box::new(X2 { adjusted: true }),
            TestKind::MiSh => Box::new(Shrinkage { data }),
            TestKind::McMi => Box::new(permutation(false)),
            TestKind::SpMi => Box::new(permutation(true)),
        };
        let power_rule = self.power_rule.unwrap_or(self.kind.default_power_rule());
        TableTest::new(counter, statistic, power_rule, self.count_without_power)
    }
}
