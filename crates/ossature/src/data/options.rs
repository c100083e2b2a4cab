//! Options for reading a table.

use std::str::FromStr;

use rustc_hash::FxHashSet;

use super::{Dataset, Discretise, Variable};
use crate::error::{Error, Place, Result};

/// How a table is read; the default suits a plain CSV file of labels.
///
/// ```
/// use ossature::data::{MissingPolicy, ReadOptions, read_csv};
///
/// let text = "rain,wet\nyes,yes\nno,?\nno,no\n";
/// let options = ReadOptions { missing: MissingPolicy::Drop, ..ReadOptions::default() };
/// let table = read_csv(text.as_bytes(), "rain.csv", &options, &ossature::Silent)?;
/// assert_eq!(table.data.rows(), 2);
/// assert_eq!(table.report.rows_dropped, 1);
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ReadOptions {
    /// The byte between the fields of a text file. `None` is a tab if the name ends in `.tsv` (or
    /// `.tsv.gz`) and a comma otherwise.
    pub delimiter: Option<u8>,
    /// The labels that stand for a missing value: by default the empty one, `NA`, `NaN`, `null` and
    /// `?`. A label that is a declared level of its column is never missing. They also apply to
    /// strings in Parquet and Arrow files, in addition to nulls.
    pub missing_tokens: Vec<String>,
    /// How missing values are treated.
    pub missing: MissingPolicy,
    /// The numeric columns that are cut into intervals.
    pub discretise: Vec<Discretise>,
    /// The columns whose values are numbers, not labels.
    pub continuous: Continuous,
    /// The column with the number of rows that each row stands for; it is not a variable.
    pub weights: Option<String>,
    /// Declared levels. A column that is not among these variables has the labels that occur as its
    /// levels, in bytewise order. The fields of a column that is discretised by name are numbers or
    /// missing, and its declared levels are intervals.
    pub levels: Option<Vec<Variable>>,
    /// The columns to read; `None` reads all of them.
    pub columns: Option<Vec<String>>,
    /// The columns to leave out.
    pub drop: Vec<String>,
    /// Whether to skip columns without declared levels. If no column is left, there is no table.
    pub only_declared: bool,
    /// Whether a field that is not a declared level of its column counts as missing instead of being an
    /// error; the same for a field that is not a number in a discretised column.
    pub unknown_as_missing: bool,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            delimiter: None,
            missing_tokens: ["", "NA", "NaN", "null", "?"].map(str::to_owned).into(),
            missing: MissingPolicy::Error,
            discretise: Vec::new(),
            continuous: Continuous::default(),
            weights: None,
            levels: None,
            columns: None,
            drop: Vec::new(),
            only_declared: false,
            unknown_as_missing: false,
        }
    }
}

impl ReadOptions {
    /// Which of these columns to read. A name that is not among them is an error.
    pub(super) fn choose(&self, columns: &[String], place: Option<&Place>) -> Result<Vec<bool>> {
        let known: FxHashSet<&str> = columns.iter().map(String::as_str).collect();
        let named = self.columns.iter().flatten().chain(&self.drop).chain(&self.weights);
        if let Some(name) = named.into_iter().find(|name| !known.contains(name.as_str())) {
            let known = columns.iter().map(String::as_str);
            return Err(Error::unknown_name("column", name, known, place.cloned()));
        }
        let only: Option<FxHashSet<&String>> = self.columns.as_ref().map(|list| list.iter().collect());
        let without: FxHashSet<&String> = self.drop.iter().collect();
        if let Some(name) = self.weights.as_ref().filter(|name| without.contains(name)) {
            return Err(Error::Mismatch {
                what: format!("column {name:?} is to be the weights column, and to be left out"),
                accepted: "the weights column is not a variable, so it need not be left out".into(),
            });
        }
        let chosen = |name| {
            self.weights.as_ref() == Some(name)
                || only.as_ref().is_none_or(|only| only.contains(name)) && !without.contains(name)
        };
        let chosen: Vec<bool> = columns.iter().map(chosen).collect();
        let variables = columns.iter().zip(&chosen).filter(|(name, _)| self.weights.as_ref() != Some(name));
        if !self.drop.is_empty() && !variables.into_iter().any(|(_, chosen)| *chosen) {
            let file = place.map(|place| format!("{place}: ")).unwrap_or_default();
            return Err(Error::Mismatch {
                what: format!("{file}every column is left out"),
                accepted: "at least one column must stay".into(),
            });
        }
        Ok(chosen)
    }

    /// Whether columns without a name are left out.
    pub(super) fn leaves_out_unnamed(&self) -> bool {
        let named = |names: &[String]| names.iter().any(String::is_empty);
        named(&self.drop) || self.only_declared || self.columns.as_ref().is_some_and(|names| !named(names))
    }

    /// Applies the choice of columns to an existing table.
    ///
    /// ```
    /// use ossature::{ReadOptions, Silent, network::catalogue};
    ///
    /// let data = catalogue::load("asia")?.sample(10, 1, &Silent)?;
    /// let options = ReadOptions { drop: vec!["xray".into(), "dysp".into()], ..ReadOptions::default() };
    /// assert_eq!(options.chosen(data)?.variables().len(), 6);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn chosen(&self, data: Dataset) -> Result<Dataset> {
        if self.columns.is_none() && self.drop.is_empty() {
            return Ok(data);
        }
        let names: Vec<String> = data.variables().iter().map(|v| v.name().to_owned()).collect();
        let kept = data.vars().zip(self.choose(&names, None)?).filter(|(_, chosen)| *chosen);
        let kept = kept.map(|(v, _)| (data.variable(v).clone(), data.column(v).clone()));
        Ok(Dataset::with_gaps(kept.collect())?.with_policy(data.policy()))
    }
}

/// Which columns are continuous: their values are numbers, not labels.
///
/// A discretised column is not continuous, whatever this says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Continuous {
    /// Columns whose type says so: floats in Parquet and Arrow files, none in a text file.
    #[default]
    ByType,
    /// Columns in which every value is a number, with more than ten distinct ones.
    Auto,
    /// These columns and no others.
    Columns(Vec<String>),
}

impl FromStr for Continuous {
    type Err = Error;

    /// `auto`, `none`, or the names of columns as [`names_in`] takes them.
    fn from_str(text: &str) -> Result<Continuous> {
        Ok(match text {
            "auto" => Continuous::Auto,
            "none" | "" => Continuous::Columns(Vec::new()),
            names => Continuous::Columns(names_in(names)?),
        })
    }
}

/// The names in a list with commas between them. A name with a comma or a quote is quoted, as in a CSV file; `""` is the
/// empty name.
///
/// ```
/// use ossature::data::{names_in, quoted_name};
///
/// assert_eq!(names_in("a,\"b, c\",\"\"")?, ["a", "b, c", ""]);
/// assert_eq!(quoted_name("b, c"), "\"b, c\"");
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn names_in(list: &str) -> Result<Vec<String>> {
    let refuse = || Error::Mismatch {
        what: format!("the list {list:?} has a quote that is not closed, or a text behind one that is"),
        accepted: "names with commas between them are accepted, each in quotes if it has a comma or a quote"
            .into(),
    };
    let (mut names, mut rest) = (Vec::new(), list);
    loop {
        let (name, behind) = match rest.strip_prefix('"') {
            Some(quoted) => in_quotes(quoted).ok_or_else(refuse)?,
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                (rest[..end].to_owned(), &rest[end..])
            }
        };
        names.push(name);
        match behind.strip_prefix(',') {
            Some(more) => rest = more,
            None if behind.is_empty() => return Ok(names),
            None => return Err(refuse()),
        }
    }
}

/// The text up to the quote that closes it, in which two quotes stand for one, and what is behind it.
fn in_quotes(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut rest = text;
    loop {
        let end = rest.find('"')?;
        name.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(more) => {
                name.push('"');
                rest = more;
            }
            None => return Some((name, rest)),
        }
    }
}

/// A name as [`names_in`] takes it, in quotes if it needs them.
pub fn quoted_name(name: &str) -> String {
    match name.is_empty() || name.contains([',', '"']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    }
}

/// How missing values are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingPolicy {
    /// The table is refused, with the number of missing values in each column.
    #[default]
    Error,
    /// Rows with a missing value in any column are left out and counted; their other fields are not
    /// read.
    Drop,
    /// Missing values become a separate level in the columns where they occur.
    ///
    /// The level is called `NA`, or `NA_2`, `NA_3`, … if the column already has a level of that
    /// name. It is in bytewise order among labels, and last among declared levels and intervals. A
    /// continuous column has no levels, and is refused.
    Level,
    /// They stay missing, and each test and each family uses the rows that are complete in its own variables.
    Available,
    /// They stay missing, and are replaced by their expectations (expectation-maximisation).
    Em,
}

impl MissingPolicy {
    /// Whether missing values stay gaps in the table.
    pub fn keeps_gaps(self) -> bool {
        matches!(self, MissingPolicy::Available | MissingPolicy::Em)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            MissingPolicy::Error => "error",
            MissingPolicy::Drop => "drop",
            MissingPolicy::Level => "level",
            MissingPolicy::Available => "available",
            MissingPolicy::Em => "em",
        }
    }
}

impl FromStr for MissingPolicy {
    type Err = Error;

    fn from_str(text: &str) -> Result<MissingPolicy> {
        match text {
            "error" => Ok(MissingPolicy::Error),
            "drop" => Ok(MissingPolicy::Drop),
            "level" => Ok(MissingPolicy::Level),
            "available" => Ok(MissingPolicy::Available),
            "em" => Ok(MissingPolicy::Em),
            _ => Err(Error::Mismatch {
                what: format!("{text:?} is not a policy for missing values"),
                accepted: "error, drop, level, available and em are".into(),
            }),
        }
    }
}
