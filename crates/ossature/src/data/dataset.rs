//! The table itself.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use super::{MissingPolicy, Var, Variable};
use crate::error::{Error, Result};

/// The values of one variable, one per row: codes of its levels in the narrowest type that holds them,
/// or numbers.
///
/// In a table with gaps ([`Dataset::with_gaps`]) the code after that of the last level, and the number
/// NaN, mean that the value is missing.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Codes that are all below 256.
    Narrow(Vec<u8>),
    /// Codes of a variable with more levels.
    Wide(Vec<u16>),
    /// The numbers of a continuous variable.
    Real(Vec<f64>),
}

impl Column {
    /// A column from codes, for a variable with `cardinality` levels.
    pub fn from_codes(codes: impl IntoIterator<Item = u16>, cardinality: usize) -> Column {
        if cardinality <= 256 {
            Column::Narrow(codes.into_iter().map(|c| c as u8).collect())
        } else {
            Column::Wide(codes.into_iter().collect())
        }
    }

    /// A column from codes, or `None` for a missing value, for a variable with `cardinality` levels.
    pub fn with_gaps(codes: impl IntoIterator<Item = Option<u16>>, cardinality: usize) -> Column {
        let codes: Vec<u16> = codes.into_iter().map(|code| code.unwrap_or(cardinality as u16)).collect();
        let gap = codes.iter().any(|&code| usize::from(code) == cardinality);
        Column::from_codes(codes, cardinality + usize::from(gap))
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Column::Narrow(codes) => codes.len(),
            Column::Wide(codes) => codes.len(),
            Column::Real(numbers) => numbers.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code in a row.
    ///
    /// # Panics
    /// If the column has numbers and not codes.
    pub fn code(&self, row: usize) -> u16 {
        match self {
            Column::Narrow(codes) => u16::from(codes[row]),
            Column::Wide(codes) => codes[row],
            Column::Real(_) => not_coded(),
        }
    }

    /// The numbers, if it is a column of numbers.
    pub fn numbers(&self) -> Option<&[f64]> {
        match self {
            Column::Real(numbers) => Some(numbers),
            Column::Narrow(_) | Column::Wide(_) => None,
        }
    }

    /// The values of these rows, in this order.
    pub(crate) fn select(&self, rows: &[u32]) -> Column {
        fn these<T: Copy>(values: &[T], rows: &[u32]) -> Vec<T> {
            rows.iter().map(|&row| values[row as usize]).collect()
        }
        match self {
            Column::Narrow(codes) => Column::Narrow(these(codes, rows)),
            Column::Wide(codes) => Column::Wide(these(codes, rows)),
            Column::Real(numbers) => Column::Real(these(numbers, rows)),
        }
    }

    /// The size of its values in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Column::Narrow(codes) => codes.len(),
            Column::Wide(codes) => 2 * codes.len(),
            Column::Real(numbers) => 8 * numbers.len(),
        }
    }

    /// The number of rows with a missing value, for a variable with `cardinality` levels.
    fn gaps(&self, cardinality: usize) -> usize {
        match self {
            Column::Narrow(codes) => codes.iter().filter(|&&c| usize::from(c) == cardinality).count(),
            Column::Wide(codes) => codes.iter().filter(|&&c| usize::from(c) == cardinality).count(),
            Column::Real(numbers) => numbers.iter().filter(|x| x.is_nan()).count(),
        }
    }

    /// Why it cannot be a column of this variable.
    fn refuse(&self, variable: &Variable) -> Option<(String, String)> {
        let (name, levels) = (variable.name(), variable.cardinality());
        let largest = match self {
            Column::Narrow(codes) => codes.iter().max().map_or(0, |&c| usize::from(c)),
            Column::Wide(codes) => codes.iter().max().map_or(0, |&c| usize::from(c)),
            Column::Real(numbers) => {
                if !variable.is_continuous() {
                    let what = format!("column {name:?} has numbers, and its variable has levels");
                    return Some((what, "numbers are accepted for continuous variables".into()));
                }
                let row = numbers.iter().position(|x| x.is_infinite())?;
                let what = format!("column {name:?} has an infinite number in row {}", row + 1);
                return Some((what, "finite numbers are accepted".into()));
            }
        };
        if variable.is_continuous() {
            let what = format!("column {name:?} has codes, and its variable is continuous");
            return Some((what, "numbers are accepted for continuous variables".into()));
        }
        if largest > levels {
            let what = format!("column {name:?} has a code without a level");
            return Some((what, format!("codes below {levels} are accepted")));
        }
        if matches!(self, Column::Wide(_)) != (levels.max(largest + 1) > 256) {
            let what = format!("column {name:?} is coded in the wrong width for its levels");
            return Some((what, "`Column::from_codes` chooses it".into()));
        }
        None
    }
}

/// Panics when codes are requested from a column of numbers: callers that count must check the kinds first.
#[cold]
pub(crate) fn not_coded() -> ! {
    panic!("a column of numbers has no codes")
}

/// Which kinds of variables a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableKind {
    /// All are discrete.
    Discrete,
    /// All are continuous.
    Continuous,
    /// There are both.
    Mixed,
}

impl TableKind {
    /// The kinds of these variables.
    pub(crate) fn of(variables: &[Variable]) -> TableKind {
        let continuous = variables.iter().filter(|v| v.is_continuous()).count();
        match continuous {
            0 => TableKind::Discrete,
            n if n == variables.len() => TableKind::Continuous,
            _ => TableKind::Mixed,
        }
    }
}

/// A table with at least one row and one variable; complete unless it was created with gaps.
///
/// The variables are in the canonical order (by name, bytewise). The levels are the declared ones,
/// or else the labels that occur, in bytewise order.
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
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    pub(super) variables: Vec<Variable>,
    pub(super) columns: Vec<Column>,
    rows: usize,
    /// The number of missing values in each column.
    pub(super) gaps: Vec<usize>,
    /// Whether missing values are replaced by their expectations.
    for_em: bool,
    /// The number of rows that each row stands for, if not one.
    pub(super) weights: Option<Vec<u32>>,
}

impl Dataset {
    /// A complete table from its columns, in any order.
    pub fn new(columns: Vec<(Variable, Column)>) -> Result<Dataset> {
        let data = Dataset::with_gaps(columns)?;
        match data.vars().find(|&v| data.gaps(v) > 0) {
            None => Ok(data),
            Some(v) => Err(Error::Mismatch {
                what: format!(
                    "column {:?} has a code without a level, or no number",
                    data.variable(v).name()
                ),
                accepted: format!(
                    "codes below {} or numbers are accepted in a complete table",
                    data.cardinality(v)
                ),
            }),
        }
    }

    /// A table in which values may be missing: the code after that of the last level, or NaN.
    ///
    /// ```
    /// use ossature::{Column, Dataset, Var, Variable};
    ///
    /// let data = Dataset::with_gaps(vec![
    ///     (Variable::new("rain", ["no", "yes"])?, Column::with_gaps([Some(0), None, Some(1)], 2)),
    ///     (Variable::continuous("wind"), Column::Real(vec![3.5, 1.0, f64::NAN])),
    /// ])?;
    /// assert_eq!((data.gaps(Var(0)), data.is_complete()), (1, false));
    /// assert_eq!((data.field(0, Var(1)), data.field(1, Var(0))), (Some("3.5".into()), None));
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn with_gaps(mut columns: Vec<(Variable, Column)>) -> Result<Dataset> {
        columns.sort_unstable_by(|(a, _), (b, _)| a.name().cmp(b.name()));
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
            if let Some((what, accepted)) = column.refuse(variable) {
                return Err(Error::Mismatch { what, accepted });
            }
        }
        let gaps = columns.iter().map(|(variable, column)| column.gaps(variable.cardinality())).collect();
        let (variables, columns) = columns.into_iter().unzip();
        Ok(Dataset { variables, columns, rows, gaps, for_em: false, weights: None })
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

    /// The variable with this name.
    pub fn var(&self, name: &str) -> Option<Var> {
        self.variables.binary_search_by(|v| v.name().cmp(name)).ok().map(Var::new)
    }

    /// The variable with this name, or an error that suggests the nearest one.
    pub fn require(&self, name: &str) -> Result<Var> {
        self.var(name).ok_or_else(|| {
            Error::unknown_name("column", name, self.variables.iter().map(Variable::name), None)
        })
    }

    /// Which kinds of variables there are.
    pub fn kind(&self) -> TableKind {
        TableKind::of(&self.variables)
    }

    /// The number of rows in which the value of a variable is missing.
    pub fn gaps(&self, v: Var) -> usize {
        self.gaps[v.index()]
    }

    /// Whether no value is missing.
    pub fn is_complete(&self) -> bool {
        self.gaps.iter().all(|&gaps| gaps == 0)
    }

    /// The same table with gaps treated by this policy: replaced by their expectations, or left out by
    /// using the rows that are complete in the variables at hand.
    #[must_use]
    pub fn with_policy(self, policy: MissingPolicy) -> Dataset {
        Dataset { for_em: policy == MissingPolicy::Em && !self.is_complete(), ..self }
    }

    /// Whether there are gaps that are replaced by their expectations (expectation-maximisation).
    ///
    /// ```
    /// use ossature::{Column, Dataset, MissingPolicy, Variable};
    ///
    /// let rain = (Variable::new("rain", ["no", "yes"])?, Column::with_gaps([Some(0), None, Some(1)], 2));
    /// let data = Dataset::with_gaps(vec![rain])?;
    /// assert!(!data.is_for_em() && data.with_policy(MissingPolicy::Em).is_for_em());
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn is_for_em(&self) -> bool {
        self.for_em
    }

    /// The policy for its gaps.
    pub(crate) fn policy(&self) -> MissingPolicy {
        if self.for_em { MissingPolicy::Em } else { MissingPolicy::Available }
    }

    /// Whether a variable has a value in a row.
    pub fn is_known(&self, row: usize, v: Var) -> bool {
        match &self.columns[v.index()] {
            Column::Real(numbers) => !numbers[row].is_nan(),
            column => usize::from(column.code(row)) < self.cardinality(v),
        }
    }

    /// Returns an error if the table has continuous variables or gaps, which this work cannot use.
    pub(crate) fn require_tables(&self, work: &str) -> Result<()> {
        self.require_discrete(work)?;
        self.require_complete(work)
    }

    /// Returns an error if the table has continuous variables, which this work cannot use; values may be
    /// missing.
    pub fn require_discrete(&self, work: &str) -> Result<()> {
        if let Some(variable) = self.variables.iter().find(|v| v.is_continuous()) {
            return Err(Error::Mismatch {
                what: format!("column {:?} is continuous, and {work} is for discrete ones", variable.name()),
                accepted: "discretise it, or leave it out".into(),
            });
        }
        Ok(())
    }

    /// Returns an error if the table has gaps to be replaced by expectations, which this work
    /// cannot use.
    pub(crate) fn require_available(&self, work: &str) -> Result<()> {
        match self.for_em {
            false => Ok(()),
            true => Err(Error::Mismatch {
                what: format!("{work} cannot use expected values (em)"),
                accepted: "available uses the rows that are complete in the variables at hand; em is for \
                           learners that only maximise a score, such as tabu, and for fitting tables"
                    .into(),
            }),
        }
    }

    /// Returns an error if the table has gaps, which this work cannot use.
    pub(crate) fn require_complete(&self, work: &str) -> Result<()> {
        match self.vars().find(|&v| self.gaps(v) > 0) {
            None => Ok(()),
            Some(v) => Err(Error::Mismatch {
                what: format!(
                    "column {:?} has {} missing values, and {work} needs complete rows",
                    self.variable(v).name(),
                    self.gaps(v)
                ),
                accepted: "drop these rows, or make the missing value a separate level".into(),
            }),
        }
    }

    /// The values of a variable.
    pub fn column(&self, v: Var) -> &Column {
        &self.columns[v.index()]
    }

    /// The value of a variable in a row as text, if it is not missing: a label, or the shortest decimal
    /// number that reads back as the same value.
    pub fn field(&self, row: usize, v: Var) -> Option<Cow<'_, str>> {
        if !self.is_known(row, v) {
            return None;
        }
        Some(match self.column(v) {
            Column::Real(numbers) => Cow::Owned(numbers[row].to_string()),
            _ => Cow::Borrowed(self.label(row, v)),
        })
    }

    /// The label of a discrete variable in a row.
    ///
    /// # Panics
    /// If the value is missing, or the variable is continuous.
    pub fn label(&self, row: usize, v: Var) -> &str {
        &self.variable(v).levels()[usize::from(self.column(v).code(row))]
    }

    /// The SHA-256 of the table in hexadecimal: the names, the levels and the rows in their order.
    /// It does not depend on the order of the columns in the file.
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
                Column::Real(numbers) => numbers.iter().for_each(|x| hash.update(x.to_bits().to_le_bytes())),
            }
        }
        self.weights.iter().flatten().for_each(|weight| hash.update(weight.to_le_bytes()));
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The total size of all values in bytes.
    pub fn coded_bytes(&self) -> usize {
        self.columns.iter().map(Column::bytes).sum()
    }
}
