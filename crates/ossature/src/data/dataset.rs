//! The table itself.

use sha2::{Digest, Sha256};

use super::{Var, Variable};
use crate::error::{Error, Result};

/// The codes of one variable, a row each, in the narrowest type that holds them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// Codes of a variable of at most 256 levels.
    Narrow(Vec<u8>),
    /// Codes of a variable of more levels.
    Wide(Vec<u16>),
}

impl Column {
    /// The codes as a column for a variable of so many levels.
    pub fn from_codes(codes: impl IntoIterator<Item = u16>, cardinality: usize) -> Column {
        if cardinality <= 256 {
            Column::Narrow(codes.into_iter().map(|c| c as u8).collect())
        } else {
            Column::Wide(codes.into_iter().collect())
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Column::Narrow(codes) => codes.len(),
            Column::Wide(codes) => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code in a row.
    pub fn code(&self, row: usize) -> u16 {
        match self {
            Column::Narrow(codes) => u16::from(codes[row]),
            Column::Wide(codes) => codes[row],
        }
    }

    /// The largest code that occurs.
    fn max(&self) -> Option<u16> {
        match self {
            Column::Narrow(codes) => codes.iter().max().map(|&c| u16::from(c)),
            Column::Wide(codes) => codes.iter().max().copied(),
        }
    }

    /// The bytes its codes take.
    pub fn bytes(&self) -> usize {
        match self {
            Column::Narrow(codes) => codes.len(),
            Column::Wide(codes) => 2 * codes.len(),
        }
    }
}

/// A complete table of discrete data with at least one row and one variable.
///
/// The variables are in the canonical order (by name, bytewise). The levels are those that were
/// declared; where none were, the labels that occur, in bytewise order.
///
/// ```
/// use ossature::{Column, Dataset, Variable};
///
/// let data = Dataset::new(vec![
///     (Variable::new("wet", ["no", "yes"])?, Column::from_codes([0, 1, 1], 2)),
///     (Variable::new("rain", ["no", "yes"])?, Column::from_codes([0, 1, 0], 2)),
/// ])?;
/// let rain = data.var("rain").unwrap();
/// assert_eq!(rain.index(), 0); // by name, not by place
/// assert_eq!(data.label(1, rain), "yes");
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    variables: Vec<Variable>,
    columns: Vec<Column>,
    rows: usize,
}

impl Dataset {
    /// A table from its columns, which may come in any order.
    pub fn new(mut columns: Vec<(Variable, Column)>) -> Result<Dataset> {
        columns.sort_by(|(a, _), (b, _)| a.name().cmp(b.name()));
        if let Some(pair) = columns.windows(2).find(|p| p[0].0.name() == p[1].0.name()) {
            return Err(Error::Duplicate { what: "column", name: pair[0].0.name().to_owned(), place: None });
        }
        let rows = columns.first().map_or(0, |(_, c)| c.len());
        if rows == 0 {
            return Err(Error::Mismatch {
                what: "the table is empty".into(),
                accepted: "at least one column and one row are needed".into(),
            });
        }
        for (variable, column) in &columns {
            if column.len() != rows {
                return Err(Error::Mismatch {
                    what: format!(
                        "column {:?} has {} rows, others have {rows}",
                        variable.name(),
                        column.len()
                    ),
                    accepted: "all columns need the same number of rows".into(),
                });
            }
            if column.max().is_some_and(|m| usize::from(m) >= variable.cardinality()) {
                return Err(Error::Mismatch {
                    what: format!("column {:?} has a code that none of its levels has", variable.name()),
                    accepted: format!("codes below {} are accepted", variable.cardinality()),
                });
            }
            if matches!(column, Column::Wide(_)) != (variable.cardinality() > 256) {
                return Err(Error::Mismatch {
                    what: format!("column {:?} is coded in the wrong width for its levels", variable.name()),
                    accepted: "`Column::from_codes` chooses it".into(),
                });
            }
        }
        let (variables, columns) = columns.into_iter().unzip();
        Ok(Dataset { variables, columns, rows })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The variables in the canonical order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// All variables as numbers, in order.
    pub fn vars(&self) -> impl DoubleEndedIterator<Item = Var> + ExactSizeIterator + use<> {
        (0..self.variables.len()).map(Var::new)
    }

    /// The name and levels of a variable.
    pub fn variable(&self, v: Var) -> &Variable {
        &self.variables[v.index()]
    }

    /// The number of declared levels of a variable.
    pub fn cardinality(&self, v: Var) -> usize {
        self.variables[v.index()].cardinality()
    }

    /// The variable of a name.
    pub fn var(&self, name: &str) -> Option<Var> {
        self.variables.binary_search_by(|v| v.name().cmp(name)).ok().map(Var::new)
    }

    /// The variable of a name, or an error that names the nearest one.
    pub fn require(&self, name: &str) -> Result<Var> {
        self.var(name).ok_or_else(|| {
            Error::unknown_name("column", name, self.variables.iter().map(Variable::name), None)
        })
    }

    /// The codes of a variable.
    pub fn column(&self, v: Var) -> &Column {
        &self.columns[v.index()]
    }

    /// The label of a variable in a row.
    pub fn label(&self, row: usize, v: Var) -> &str {
        &self.variable(v).levels()[usize::from(self.column(v).code(row))]
    }

    /// The SHA-256 of the table in hexadecimal: the names, the levels and the rows in their order.
    /// The order of the columns in the file has no influence.
    pub fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        // Every list and every text after its length, so that no two tables have the same bytes.
        let number = |hash: &mut Sha256, n: usize| hash.update((n as u64).to_le_bytes());
        let text = |hash: &mut Sha256, s: &str| {
            number(hash, s.len());
            hash.update(s);
        };
        number(&mut hash, self.variables.len());
        number(&mut hash, self.rows);
        for variable in &self.variables {
            text(&mut hash, variable.name());
            number(&mut hash, variable.cardinality());
            variable.levels().iter().for_each(|level| text(&mut hash, level));
        }
        for column in &self.columns {
            match column {
                Column::Narrow(codes) => hash.update(codes),
                Column::Wide(codes) => codes.iter().for_each(|code| hash.update(code.to_le_bytes())),
            }
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The bytes of all codes together.
    pub fn coded_bytes(&self) -> usize {
        self.columns.iter().map(Column::bytes).sum()
    }
}
