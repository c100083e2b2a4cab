//! Tests by name: turns a user's choice into a test on data.

use std::sync::Arc;

use super::CiTest;
use super::g2::G2;
use super::gaussian::{GaussianStatistic, GaussianTest};
use super::permutation::Permutation;
use super::shrinkage::Shrinkage;
use super::table_test::{Statistic, TableTest, declared_levels};
use super::x2::X2;
use crate::counts::{NLogN, Tables};
use crate::data::{Dataset, TableKind};
use crate::error::Result;
use crate::sources::Sources;
use crate::word::Word;

/// The tests, by the names that bnlearn uses.
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
    /// `zf`
    Zf,
    /// `cor`
    Cor,
    /// `mi-g`
    MiG,
    /// `dg`
    Dg,
    /// `cg`
    Cg,
}

impl TestKind {
    /// The default power rule of this test: the number of rows needed for each cell of the table.
    pub fn default_power_rule(self) -> u32 {
        if matches!(self, TestKind::MiAdf | TestKind::X2Adf) { 5 } else { 0 }
    }

    /// Whether this test can be used on a table with these kinds of columns.
    pub fn is_for(self, table: TableKind) -> bool {
        match self {
            TestKind::Zf | TestKind::Cor | TestKind::MiG => table == TableKind::Continuous,
            TestKind::Dg | TestKind::Cg => true,
            _ => table == TableKind::Discrete,
        }
    }

    /// The default test for a table with these kinds of columns.
    pub fn usual(table: TableKind) -> TestKind {
        match table {
            TableKind::Discrete => TestKind::default(),
            TableKind::Continuous => TestKind::Zf,
            TableKind::Mixed => TestKind::Dg,
        }
    }

    /// The default number of random tables of this test.
    fn default_resamples(self) -> usize {
        if self == TestKind::SpMi { 100 } else { 5000 }
    }
}

impl Word for TestKind {
    const WHAT: &'static str = "test";
    const WORDS: &'static [(TestKind, &'static str, &'static str)] = &[
        (TestKind::Mi, "mi", "G², the mutual information times twice the rows"),
        (
            TestKind::MiAdf,
            "mi-adf",
            "G² with degrees of freedom adjusted to the levels that occur; the paper's test",
        ),
        (TestKind::X2, "x2", "Pearson's X²"),
        (TestKind::X2Adf, "x2-adf", "Pearson's X² with adjusted degrees of freedom"),
        (TestKind::MiSh, "mi-sh", "G² of a shrunk table"),
        (TestKind::McMi, "mc-mi", "G², p from random tables (uses the seed)"),
        (TestKind::SpMi, "sp-mi", "G², degrees of freedom from random tables (uses the seed)"),
        (TestKind::Zf, "zf", "Fisher's z of a partial correlation, for continuous columns"),
        (TestKind::Cor, "cor", "Student's t of a partial correlation, for continuous columns"),
        (TestKind::MiG, "mi-g", "Gaussian mutual information, for continuous columns"),
        (
            TestKind::Dg,
            "dg",
            "Degenerate Gaussian: levels become indicator columns, for columns of both kinds",
        ),
        (TestKind::Cg, "cg", "Conditional Gaussian likelihood ratio, for columns of both kinds"),
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
    /// The test.
    pub kind: TestKind,
    /// The number of rows needed for each cell of the table, 0 for no rule. By default that of the test.
    pub power_rule: Option<u32>,
    /// The number of random tables of a permutation test. By default 5000 for `mc-mi` and 100 for `sp-mi`.
    pub resamples: Option<usize>,
    /// The seed of the permutation tests.
    pub seed: u64,
    /// Whether a single test without power is counted anyway, to report its df.
    pub count_without_power: bool,
}

impl TestSettings {
    /// The test on a dataset. It is an error if the test does not accept its kinds of columns.
    pub fn build<'a>(&self, data: &'a Dataset) -> Result<Box<dyn CiTest + 'a>> {
        self.build_with(&Sources::new(data))
    }

    /// The test on a table, from sources that others share.
    pub fn build_with<'a>(&self, sources: &Sources<'a>) -> Result<Box<dyn CiTest + 'a>> {
        let work = format!("the test {}", self.kind.word());
        let gaussian = match self.kind {
            TestKind::Zf => GaussianStatistic::FisherZ,
            TestKind::Cor => GaussianStatistic::Correlation,
            TestKind::MiG => GaussianStatistic::Information,
            TestKind::Dg => GaussianStatistic::Degenerate,
            TestKind::Cg => GaussianStatistic::Conditional,
            _ => return Ok(self.of_tables(sources.available_tables(&work)?)),
        };
        let moments = sources.moments(&work, self.kind.is_for(TableKind::Mixed))?;
        Ok(Box::new(GaussianTest::new(moments, gaussian)))
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
            TestKind::Zf | TestKind::Cor | TestKind::MiG | TestKind::Dg | TestKind::Cg => {
                unreachable!("these are not made of counts")
            }
        };
        let power_rule = self.power_rule.unwrap_or(self.kind.default_power_rule());
        Box::new(TableTest::new(tables, statistic, power_rule, self.count_without_power))
    }
}
