//! The sources of tests and scores: a table, prepared once for all of them.

use std::sync::{Arc, OnceLock};

use crate::counts::{Counter, Sweep, Tables, family_sweep};
use crate::data::{Dataset, TableKind, Var, VarSet};
use crate::error::{Error, Result};
use crate::moments::Moments;

/// A table prepared for tests and scores. Clones share the prepared data.
///
/// ```
/// use ossature::network::catalogue;
/// use ossature::{ScoreSettings, Silent, Sources, ci::TestSettings};
///
/// let data = catalogue::load("asia")?.sample(100, 1, &Silent)?;
/// let sources = Sources::new(&data);
/// let test = TestSettings::default().build_with(&sources)?;
/// let score = ScoreSettings::default().build_with(&sources)?; // counts in the same columns
/// # _ = (test, score);
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Clone)]
pub struct Sources<'a> {
    /// The table, or its outline without rows.
    data: &'a Dataset,
    rows_are_here: bool,
    tables: Arc<dyn Tables + 'a>,
    moments: Arc<OnceLock<Arc<Moments<'a>>>>,
}

impl<'a> Sources<'a> {
    /// A table in memory.
    pub fn new(data: &'a Dataset) -> Sources<'a> {
        Sources { data, rows_are_here: true, tables: Arc::new(Counter::new(data)), moments: Arc::default() }
    }

    /// Tables of counts of rows on other machines, and an outline of the table.
    pub fn elsewhere(outline: &'a Dataset, tables: Arc<dyn Tables + 'a>) -> Sources<'a> {
        Sources { data: outline, rows_are_here: false, tables, moments: Arc::default() }
    }

    /// The table; without its rows if they are on other machines.
    pub(crate) fn data(&self) -> &'a Dataset {
        self.data
    }

    /// Whether the rows are on this machine.
    pub(crate) fn rows_are_here(&self) -> bool {
        self.rows_are_here
    }

    /// Announces that counts of these families, with any of their parents, will probably be needed.
    pub(crate) fn foresee_families<'v>(&self, families: impl Iterator<Item = (Var, &'v VarSet)>) {
        if self.rows_are_here {
            return;
        }
        let families: Vec<(Var, &[Var])> = families.map(|(v, near)| (v, near.as_slice())).collect();
        let sweeps: Vec<Sweep<'_>> = families.iter().filter_map(family_sweep).collect();
        self.tables.foresee(&sweeps);
    }

    /// Counts, for work that needs discrete columns. Other columns or missing values are an error.
    pub fn tables(&self, work: &str) -> Result<Arc<dyn Tables + 'a>> {
        self.data.require_tables(work)?;
        Ok(self.tables.clone())
    }

    /// Counts, each table from the rows that are complete in its own variables, for work that needs discrete
    /// columns. Other columns, or missing values to be replaced by their expectations, are an error.
    pub fn available_tables(&self, work: &str) -> Result<Arc<dyn Tables + 'a>> {
        self.data.require_discrete(work)?;
        self.data.require_available(work)?;
        Ok(self.tables.clone())
    }

    /// Whether a value is missing.
    pub fn has_gaps(&self) -> bool {
        !self.tables.is_complete()
    }

    /// The same for work that needs every value of the table.
    pub fn complete_moments(&self, work: &str, mixed: bool) -> Result<Arc<Moments<'a>>> {
        self.data.require_complete(work)?;
        self.moments(work, mixed)
    }

    /// Correlations, for work that needs columns of numbers, or with `mixed` any columns.
    pub fn moments(&self, work: &str, mixed: bool) -> Result<Arc<Moments<'a>>> {
        if !self.rows_are_here {
            return Err(Error::Mismatch {
                what: format!("{work} needs the rows of the table, which are on other machines"),
                accepted: "tests and scores of discrete columns are accepted".into(),
            });
        }
        if let Some(variable) = self.data.variables().iter().find(|v| !mixed && !v.is_continuous()) {
            return Err(Error::Mismatch {
                what: format!("column {:?} is discrete, and {work} is for continuous ones", variable.name()),
                accepted: match self.data.kind() {
                    TableKind::Discrete => "tests and scores for discrete columns are accepted".into(),
                    _ => "dg, cg, bic-dg and bic-cg are for tables of both kinds".into(),
                },
            });
        }
        if let Some(moments) = self.moments.get() {
            return Ok(moments.clone());
        }
        let made = Arc::new(Moments::new(self.data)?);
        Ok(self.moments.get_or_init(|| made).clone())
    }
}
