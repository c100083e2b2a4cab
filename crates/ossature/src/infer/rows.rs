//! Rows with possibly missing fields, in the codes of a network.

use std::str::FromStr;

use crate::data::{Dataset, Table, Var};
use crate::error::{Error, Place, Result};
use crate::network::{Model, Network};

/// How a label that the network does not know is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unseen {
    /// The rows are refused, with the place of the first such label.
    #[default]
    Error,
    /// The field counts as missing.
    Missing,
}

impl FromStr for Unseen {
    type Err = Error;

    fn from_str(text: &str) -> Result<Unseen> {
        match text {
            "error" => Ok(Unseen::Error),
            "missing" => Ok(Unseen::Missing),
            _ => Err(Error::Mismatch {
                what: format!("{text:?} is not a policy for levels that the network does not have"),
                accepted: "error and missing are".into(),
            }),
        }
    }
}

/// Rows in the codes of a network; a field may be missing.
///
/// ```
/// use ossature::infer::{PartialRows, Unseen};
/// use ossature::network::catalogue;
/// use ossature::{Column, Dataset, Variable};
///
/// let asia = catalogue::load("asia")?;
/// let data = Dataset::new(vec![
///     (Variable::new("smoke", ["NA", "yes"])?, Column::from_codes([1, 0], 2)),
///     (Variable::new("colour", ["red"])?, Column::from_codes([0, 0], 1)),
/// ])?;
/// let rows = PartialRows::new(&asia, &data, &["NA".into()], Unseen::Error)?;
/// let smoke = asia.require("smoke")?;
/// assert_eq!((rows.level(0, smoke), rows.level(1, smoke)), (Some(0), None));
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialRows {
    /// A field for each variable, row by row.
    fields: Vec<Option<u16>>,
    variables: usize,
    unseen: u64,
}

impl PartialRows {
    /// The rows of a table, whose columns and labels are matched by name.
    ///
    /// Columns that the network does not have are ignored; a variable without a column is missing in all
    /// rows. A label in `missing` is a missing field, unless it is a level of its variable.
    pub fn new(network: &Network, data: &Dataset, missing: &[String], unseen: Unseen) -> Result<PartialRows> {
        let variables = network.dag().nodes();
        let mut rows = PartialRows { fields: vec![None; data.rows() * variables], variables, unseen: 0 };
        for v in network.dag().vars() {
            let variable = network.variable(v);
            let Some(at) = data.var(variable.name()) else { continue };
            if variable.is_continuous() {
                return Err(Error::Mismatch {
                    what: format!(
                        "column {:?} is continuous in the network, and only discrete variables can be given",
                        variable.name()
                    ),
                    accepted: "leave it out, or discretise it before the network is learned".into(),
                });
            }
            let labels = data.variable(at).levels();
            let codes = variable.codes(labels.iter().map(String::as_str));
            let is_unseen: Vec<bool> =
                labels.iter().zip(&codes).map(|(l, code)| code.is_none() && !missing.contains(l)).collect();
            if data.variable(at).is_continuous() {
                return Err(Error::Mismatch {
                    what: format!(
                        "column {:?} is continuous, and the network has levels for it",
                        variable.name()
                    ),
                    accepted: format!("its levels are {}", variable.levels().join(", ")),
                });
            }
            for row in (0..data.rows()).filter(|&row| data.is_known(row, at)) {
                let label = usize::from(data.column(at).code(row));
                if is_unseen[label] && unseen == Unseen::Error {
                    let place =
                        Place::file("the data").column(format!("{}, row {}", variable.name(), row + 1));
                    return Err(variable.refuse(&labels[label], place));
                }
                rows.unseen += u64::from(is_unseen[label]);
                rows.fields[row * variables + v.index()] = codes[label];
            }
        }
        Ok(rows)
    }

    /// The rows of a table that was read for a model, with [`Model::read_options`] or from columns in memory.
    ///
    /// The table determines which fields are missing; if the model has a level for missing values, they
    /// get that level.
    pub fn of_table(model: &Model, table: &Table, unseen: Unseen) -> Result<PartialRows> {
        let mut rows = PartialRows::new(&model.network, &table.data, &[], Unseen::Missing)?;
        rows.unseen = table.report.unknown;
        for v in model.network.dag().vars() {
            let variable = model.network.variable(v);
            let Some(at) = table.data.var(variable.name()) else { continue };
            let missing = table.report.missing_levels.iter().find(|(name, _)| name == variable.name());
            let missing = missing.map(|(_, level)| level.as_str());
            let meant = model.missing_level(variable.name()).and_then(|level| variable.code(level));
            let is_missing: Vec<bool> =
                table.data.variable(at).levels().iter().map(|l| Some(l.as_str()) == missing).collect();
            for row in (0..table.data.rows()).filter(|&row| table.data.is_known(row, at)) {
                let field = &mut rows.fields[row * rows.variables + v.index()];
                if is_missing[usize::from(table.data.column(at).code(row))] {
                    *field = meant;
                } else if field.is_none() {
                    if unseen == Unseen::Error {
                        let place =
                            Place::file("the data").column(format!("{}, row {}", variable.name(), row + 1));
                        return Err(variable.refuse(table.data.label(row, at), place));
                    }
                    rows.unseen += 1;
                }
            }
        }
        Ok(rows)
    }

    /// An empty set of rows for a network.
    pub fn empty(network: &Network) -> PartialRows {
        PartialRows { fields: Vec::new(), variables: network.dag().nodes(), unseen: 0 }
    }

    /// Adds a row: the level of each variable in the canonical order, if known.
    ///
    /// # Panics
    /// If the number of fields differs from the number of variables.
    pub fn push(&mut self, row: &[Option<u16>]) {
        assert_eq!(row.len(), self.variables, "a field for each variable");
        self.fields.extend_from_slice(row);
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.fields.len() / self.variables.max(1)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The fields of a row.
    pub fn row(&self, row: usize) -> &[Option<u16>] {
        &self.fields[row * self.variables..][..self.variables]
    }

    /// The level of a variable in a row, if it is not missing.
    pub fn level(&self, row: usize, v: Var) -> Option<u16> {
        self.row(row)[v.index()]
    }

    /// The number of fields with unknown labels, which count as missing.
    pub fn unseen(&self) -> u64 {
        self.unseen
    }

    /// A level that a variable does not have is a caller's bug.
    pub(super) fn check(&self, network: &Network) {
        assert_eq!(self.variables, network.dag().nodes(), "rows of another network");
        for (i, field) in self.fields.iter().enumerate() {
            let levels = network.cardinality(Var::new(i % self.variables));
            assert!(field.is_none_or(|level| usize::from(level) < levels), "level {field:?} of {levels}");
        }
    }
}
