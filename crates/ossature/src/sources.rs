//! What tests and scores are made from: a table, made ready for those who ask, once for all of them.

use std::sync::{Arc, OnceLock};

use crate::counts::{Counter, Tables};
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::moments::Moments;

/// A table made ready for tests and scores. A clone shares what was made ready.
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
    /// The table, where it is here.
    data: Option<&'a Dataset>,
    tables: Arc<dyn Tables + 'a>,
    moments: Arc<OnceLock<Arc<Moments<'a>>>>,
}

impl<'a> Sources<'a> {
    /// A table in memory.
    pub fn new(data: &'a Dataset) -> Sources<'a> {
        Sources { data: Some(data), tables: Arc::new(Counter::new(data)), moments: Arc::default() }
    }

    /// Tables of counts, wherever they come from.
    pub fn of_tables(tables: Arc<dyn Tables + 'a>) -> Sources<'a> {
        Sources { data: None, tables, moments: Arc::default() }
    }

    /// Counts, for work that needs discrete columns. If there are others, or values are missing, that is an
    /// error.
    pub fn tables(&self, work: &str) -> Result<Arc<dyn Tables + 'a>> {
        self.data.map_or(Ok(()), |data| data.require_tables(work))?;
        Ok(self.tables.clone())
    }

    /// Counts, each table of the rows that are complete in its own variables, for work that needs discrete
    /// columns. If there are others, or missing values are to be replaced by what is expected of them, that is
    /// an error.
    pub fn available_tables(&self, work: &str) -> Result<Arc<dyn Tables + 'a>> {
        self.data.map_or(Ok(()), |data| {
            data.require_discrete(work)?;
            data.require_available(work)
        })?;
        Ok(self.tables.clone())
    }

    /// Whether a value is missing.
    pub fn has_gaps(&self) -> bool {
        !self.tables.is_complete()
    }

    /// The same for work that needs every value of the table.
    pub fn complete_moments(&self, work: &str, mixed: bool) -> Result<Arc<Moments<'a>>> {
        self.data.map_or(Ok(()), |data| data.require_complete(work))?;
        self.moments(work, mixed)
    }

    /// Correlations, for work that needs columns of numbers, or with `mixed` any columns.
    pub fn moments(&self, work: &str, mixed: bool) -> Result<Arc<Moments<'a>>> {
        let Some(data) = self.data else {
            return Err(Error::Mismatch {
                what: format!("{work} needs the rows of a table, and there are only counts"),
                accepted: "tests and scores of discrete columns are accepted".into(),
            });
        };
        if let Some(variable) = data.variables().iter().find(|v| !mixed && !v.is_continuous()) {
            return Err(Error::Mismatch {
                what: format!("column {:?} is discrete, and {work} is for continuous ones", variable.name()),
                accepted: "dg, cg, bic-dg and bic-cg are for tables of both kinds".into(),
            });
        }
        if let Some(moments) = self.moments.get() {
            return Ok(moments.clone());
        }
        let made = Arc::new(Moments::new(data)?);
        Ok(self.moments.get_or_init(|| made).clone())
    }
}
