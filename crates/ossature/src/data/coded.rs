//! Tables that are already in memory: labels, and for each row the index of its label.
//!
//! This is the form of a data frame in another language. Missing values and levels follow the same
//! rules as for a file, except that no label stands for a missing value: a frame marks missing
//! values itself.

use rustc_hash::FxHashMap;

use super::coder::missing_label_among;
use super::discretise::{interval, interval_labels, number};
use super::joint::{self, Beside, BesideValues};
use super::{Column, Dataset, MAX_LEVELS, MAX_NUMBERS, Method, MissingPolicy, ReadReport, Table, Variable};
use crate::error::{Error, Place, Result};
use crate::text::count;

/// A column of labels in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct CodedColumn {
    name: String,
    labels: Vec<String>,
    declared: bool,
    /// A code without a label stands for a missing value.
    codes: Column,
    missing: u64,
    first_missing: Option<usize>,
}

/// Columns by name, with their cuts.
pub type ColumnCuts = Vec<(String, Vec<f64>)>;

/// The labels that occur, and the rows as indices into them. An index without a label stays one.
fn without_unused(labels: Vec<String>, rows: Vec<Option<usize>>) -> (Vec<String>, Vec<Option<usize>>) {
    let mut occurs = vec![false; labels.len()];
    for &place in rows.iter().flatten() {
        if let Some(seen) = occurs.get_mut(place) {
            *seen = true;
        }
    }
    let mut place = Vec::with_capacity(labels.len());
    let mut kept = 0;
    for &seen in &occurs {
        place.push(kept);
        kept += usize::from(seen);
    }
    let labels = labels.into_iter().zip(&occurs).filter(|(_, seen)| **seen).map(|(label, _)| label).collect();
    let moved = |at: usize| place.get(at).copied().unwrap_or(usize::MAX);
    (labels, rows.into_iter().map(|row| row.map(moved)).collect())
}

/// Refuses more labels than a variable, or a numeric column without cuts, may have.
fn check_levels(name: &str, labels: &[String], declared: bool, rows: usize) -> Result<()> {
    let numeric = !declared && labels.iter().all(|label| number(label).is_some());
    let limit = if numeric { MAX_NUMBERS } else { MAX_LEVELS - 1 };
    if labels.len() <= limit {
        return Ok(());
    }
    let identifier = labels.len() == rows && labels.iter().all(|label| label.parse::<i64>().is_ok());
    Err(Error::TooManyLevels { column: name.to_owned(), limit, numeric, identifier })
}

impl CodedColumn {
    /// A column whose rows are indices into `labels`, or `None` if the value is missing.
    ///
    /// If the labels are `declared`, they are the levels, in their order and whether they occur or
    /// not. Otherwise the levels are the labels that occur, in bytewise order, and a label may
    /// appear twice. An index without a label is an error.
    pub fn new(
        name: impl Into<String>,
        labels: Vec<String>,
        declared: bool,
        rows: impl IntoIterator<Item = Option<usize>>,
    ) -> Result<CodedColumn> {
        let name = name.into();
        if !declared && labels.len() > MAX_NUMBERS {
            // Only those that occur count.
            let rows: Vec<Option<usize>> = rows.into_iter().collect();
            let (labels, rows) = without_unused(labels, rows);
            check_levels(&name, &labels, declared, rows.len())?;
            return CodedColumn::of_rows(name, labels, declared, rows.into_iter());
        }
        check_levels(&name, &labels, declared, usize::MAX)?;
        CodedColumn::of_rows(name, labels, declared, rows.into_iter())
    }

    fn of_rows(
        name: String,
        labels: Vec<String>,
        declared: bool,
        rows: impl Iterator<Item = Option<usize>>,
    ) -> Result<CodedColumn> {
        let mut column = CodedColumn {
            name,
            labels,
            declared,
            codes: Column::Narrow(Vec::new()),
            missing: 0,
            first_missing: None,
        };
        // One code more than there are labels is needed for the missing values.
        column.codes = match column.labels.len() {
            0..256 => Column::Narrow(column.take(rows, |code| code as u8)?),
            _ => Column::Wide(column.take(rows, |code| code as u16)?),
        };
        Ok(column)
    }

    /// A column of numbers cut into intervals; `None` is a missing value. All intervals are levels, in
    /// increasing order.
    ///
    /// ```
    /// use ossature::data::{CodedColumn, MissingPolicy, Table};
    ///
    /// let age = CodedColumn::cut("age", &[40.0, 60.0], [Some(40.0), Some(7.5)])?;
    /// let data = Table::from_columns(vec![age], MissingPolicy::Error, "the frame")?.data;
    /// assert_eq!(data.variables()[0].levels(), ["(-inf,40)", "[40,60)", "[60,inf)"]);
    /// assert_eq!(data.label(0, ossature::Var(0)), "[40,60)");
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn cut(
        name: impl Into<String>,
        cuts: &[f64],
        numbers: impl IntoIterator<Item = Option<f64>>,
    ) -> Result<CodedColumn> {
        let name = name.into();
        let numbers: Vec<Option<f64>> = numbers.into_iter().collect();
        if let Some(row) = numbers.iter().position(|x| x.is_some_and(|x| !x.is_finite())) {
            return Err(Error::Mismatch {
                what: format!("column {name:?} has a number that is not finite in row {}", row + 1),
                accepted: "finite numbers can be cut into intervals".into(),
            });
        }
        let rows = numbers.into_iter().map(|x| x.map(|x| interval(cuts, x)));
        CodedColumn::new(name, interval_labels(cuts), true, rows)
    }

    /// A column of numbers cut into intervals by a method, with its cuts.
    ///
    /// ```
    /// use ossature::data::CodedColumn;
    ///
    /// let (_, cuts) = CodedColumn::discretised("age", &"width:2".parse()?, [Some(10.0), None, Some(30.0)])?;
    /// assert_eq!(cuts, [20.0]);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn discretised(
        name: impl Into<String>,
        method: &Method,
        numbers: impl IntoIterator<Item = Option<f64>>,
    ) -> Result<(CodedColumn, Vec<f64>)> {
        method.check()?;
        let name = name.into();
        if method.looks_at_others() {
            return Err(Error::Mismatch {
                what: format!("column {name:?} is to be cut by its information about other columns"),
                accepted: "`CodedColumn::discretise` takes them all".into(),
            });
        }
        let numbers: Vec<Option<f64>> = numbers.into_iter().collect();
        let mut known: Vec<f64> =
            numbers.iter().flatten().filter(|x| x.is_finite()).map(|x| x + 0.0).collect();
        let cuts = if known.is_empty() { Vec::new() } else { method.cuts(&mut known) };
        Ok((CodedColumn::cut(name, &cuts, numbers)?, cuts))
    }

    /// Cuts some columns of numbers ([`continuous`](CodedColumn::continuous)) into intervals, each by a method that may
    /// look at the other columns. Returns all columns, and the cuts.
    ///
    /// ```
    /// use ossature::data::CodedColumn;
    ///
    /// let ages = (0..40).map(|i| Some(f64::from(i)));
    /// let ill = (0..40).map(|i| Some(usize::from(i >= 25)));
    /// let columns = vec![
    ///     CodedColumn::continuous("age", ages)?,
    ///     CodedColumn::new("ill", vec!["no".into(), "yes".into()], true, ill)?,
    /// ];
    /// let (_, cuts) = CodedColumn::discretise(columns, &[("age".into(), "mdl:ill".parse()?)])?;
    /// assert_eq!(cuts, [("age".to_owned(), vec![24.5])]);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn discretise(
        columns: Vec<CodedColumn>,
        how: &[(String, Method)],
    ) -> Result<(Vec<CodedColumn>, ColumnCuts)> {
        let rows = columns.first().map_or(0, |c| c.codes.len());
        if let Some(other) = columns.iter().find(|c| c.codes.len() != rows) {
            let what = format!("column {:?} has {} rows, others have {rows}", other.name, other.codes.len());
            return Err(Error::Mismatch {
                what,
                accepted: "all columns need the same number of rows".into(),
            });
        }
        for (name, method) in how {
            method.check()?;
            match columns.iter().find(|column| column.name == *name) {
                None => {
                    let known = columns.iter().map(|column| column.name.as_str());
                    return Err(Error::unknown_name("column", name, known, None));
                }
                Some(column) if !matches!(column.codes, Column::Real(_)) => {
                    return Err(Error::Mismatch {
                        what: format!("column {name:?} is to be cut into intervals, and has labels"),
                        accepted: "columns of numbers can be cut".into(),
                    });
                }
                Some(_) => {}
            }
        }
        let beside: Vec<Beside> = columns.iter().map(|column| column.beside(how)).collect();
        let chosen = joint::choose(&beside, &|| Ok(()))?;
        let mut cuts = Vec::new();
        let mut cut = |(column, at): (CodedColumn, Option<Vec<f64>>)| match (at, &column.codes) {
            (Some(at), Column::Real(numbers)) => {
                let numbers = numbers.iter().map(|&x| (!x.is_nan()).then_some(x));
                let made = CodedColumn::cut(column.name.clone(), &at, numbers);
                cuts.push((column.name, at));
                made
            }
            _ => Ok(column),
        };
        let columns = columns.into_iter().zip(chosen).map(&mut cut).collect::<Result<Vec<_>>>()?;
        Ok((columns, cuts))
    }

    /// Its form while cuts are chosen.
    fn beside(&self, how: &[(String, Method)]) -> Beside {
        let values = match &self.codes {
            Column::Real(numbers) => match how.iter().find(|(name, _)| *name == self.name) {
                Some((_, method)) => BesideValues::Numbers(numbers.clone(), method.clone()),
                None => BesideValues::Continuous,
            },
            codes => {
                let mut order: Vec<usize> = (0..self.labels.len()).collect();
                order.sort_unstable_by_key(|&label| &self.labels[label]);
                let mut ranks = vec![joint::MISSING; self.labels.len() + 1];
                for (rank, at) in (0..).zip(order.chunk_by(|&a, &b| self.labels[a] == self.labels[b])) {
                    at.iter().for_each(|&label| ranks[label] = rank);
                }
                BesideValues::Codes((0..codes.len()).map(|row| ranks[usize::from(codes.code(row))]).collect())
            }
        };
        Beside { name: self.name.clone(), values }
    }

    fn take<T>(
        &mut self,
        rows: impl Iterator<Item = Option<usize>>,
        narrow: impl Fn(usize) -> T,
    ) -> Result<Vec<T>> {
        let levels = self.labels.len();
        let mut codes = Vec::with_capacity(rows.size_hint().0);
        for (row, place) in rows.enumerate() {
            match place {
                Some(place) if place < levels => codes.push(narrow(place)),
                Some(place) => {
                    return Err(Error::Mismatch {
                        what: format!("column {:?} has the code {place} in row {}", self.name, row + 1),
                        accepted: format!("codes below {levels}, the number of its labels, are accepted"),
                    });
                }
                None => {
                    codes.push(narrow(levels));
                    self.missing += 1;
                    self.first_missing.get_or_insert(row);
                }
            }
        }
        Ok(codes)
    }

    /// A column of numbers that stay numbers; `None` is a missing value.
    ///
    /// ```
    /// use ossature::data::{CodedColumn, MissingPolicy, Table};
    ///
    /// let wind = CodedColumn::continuous("wind", [Some(3.5), None])?;
    /// let data = Table::from_columns(vec![wind], MissingPolicy::Drop, "the frame")?.data;
    /// assert_eq!(data.column(ossature::Var(0)).numbers(), Some(&[3.5][..]));
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn continuous(
        name: impl Into<String>,
        numbers: impl IntoIterator<Item = Option<f64>>,
    ) -> Result<CodedColumn> {
        let name = name.into();
        // Minus nothing is nothing.
        let numbers: Vec<f64> = numbers.into_iter().map(|x| x.map_or(f64::NAN, |x| x + 0.0)).collect();
        if let Some(row) = numbers.iter().position(|x| x.is_infinite()) {
            return Err(Error::Mismatch {
                what: format!("column {name:?} has an infinite number in row {}", row + 1),
                accepted: "finite numbers are accepted in a continuous column".into(),
            });
        }
        let missing = numbers.iter().filter(|x| x.is_nan()).count() as u64;
        let first_missing = numbers.iter().position(|x| x.is_nan());
        let codes = Column::Real(numbers);
        Ok(CodedColumn { name, labels: Vec::new(), declared: false, codes, missing, first_missing })
    }

    /// Whether the value in a row is missing.
    fn is_missing(&self, row: usize) -> bool {
        match &self.codes {
            Column::Real(numbers) => numbers[row].is_nan(),
            codes => usize::from(codes.code(row)) == self.labels.len(),
        }
    }

    fn retain(&mut self, keep: &[bool]) {
        match &mut self.codes {
            Column::Narrow(codes) => retain(codes, keep),
            Column::Wide(codes) => retain(codes, keep),
            Column::Real(numbers) => retain(numbers, keep),
        }
        (self.missing, self.first_missing) = (0, None);
    }

    /// The level that missing values become, if any are left.
    fn missing_level(&self) -> Option<(String, String)> {
        let (levels, codes) = match (self.missing, self.declared) {
            (0, _) => return None,
            (_, true) => self.declared_levels(Some(self.labels.len())),
            (_, false) => self.levels(Some(self.labels.len())),
        };
        Some((self.name.clone(), levels[usize::from(codes[self.labels.len()])].clone()))
    }

    /// The finished column; remaining missing values become a level, or stay gaps.
    fn finish(self, keeps_gaps: bool) -> Result<(Variable, Column)> {
        if matches!(self.codes, Column::Real(_)) {
            return Ok((Variable::continuous(self.name), self.codes));
        }
        let gaps = keeps_gaps && self.missing > 0;
        let missing = (self.missing > 0 && !gaps).then_some(self.labels.len());
        let (levels, mut new_code) =
            if self.declared { self.declared_levels(missing) } else { self.levels(missing) };
        if gaps {
            // The code of a gap is the one behind the last level.
            new_code.push(levels.len() as u16);
        }
        let codes = match self.codes {
            Column::Narrow(mut codes) => {
                codes.iter_mut().for_each(|c| *c = new_code[usize::from(*c)] as u8);
                Column::Narrow(codes)
            }
            Column::Wide(codes) => {
                let levels = levels.len() + usize::from(gaps);
                Column::from_codes(codes.into_iter().map(|c| new_code[usize::from(c)]), levels)
            }
            Column::Real(_) => unreachable!("handled above"),
        };
        Ok((Variable::new(self.name, levels)?, codes))
    }

    /// The levels as declared, with the level of missing values last.
    fn declared_levels(&self, missing: Option<usize>) -> (Vec<String>, Vec<u16>) {
        let mut levels = self.labels.clone();
        if missing.is_some() {
            levels.push(missing_label_among(|label| self.labels.iter().any(|l| l == label)));
        }
        let codes = (0..=u16::MAX).take(levels.len()).collect();
        (levels, codes)
    }

    /// The labels that occur in bytewise order, and the new code of each old one.
    fn levels(&self, missing: Option<usize>) -> (Vec<String>, Vec<u16>) {
        let mut occurs = vec![false; self.labels.len() + 1];
        match &self.codes {
            Column::Narrow(codes) => codes.iter().for_each(|&c| occurs[usize::from(c)] = true),
            Column::Wide(codes) => codes.iter().for_each(|&c| occurs[usize::from(c)] = true),
            Column::Real(_) => unreachable!("numbers have no levels"),
        }
        let mut levels: Vec<String> =
            self.labels.iter().zip(&occurs).filter(|(_, occurs)| **occurs).map(|(l, _)| l.clone()).collect();
        levels.sort_unstable();
        levels.dedup();
        let missing_label =
            missing.map(|_| missing_label_among(|l| levels.binary_search_by(|k| k.as_str().cmp(l)).is_ok()));
        if let Some(label) = &missing_label {
            let at = levels.partition_point(|l| l < label);
            levels.insert(at, label.clone());
        }
        let code: FxHashMap<&str, u16> = levels.iter().map(String::as_str).zip(0..=u16::MAX).collect();
        let labels = self.labels.iter().chain(&missing_label);
        let codes = labels.map(|label| code.get(label.as_str()).copied().unwrap_or_default()).collect();
        (levels, codes)
    }
}

fn retain<T>(codes: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    codes.retain(|_| *keep.next().expect("as many rows as marks"));
}

impl Table {
    /// A table from columns in memory, in any order. `source` is its name in messages.
    ///
    /// ```
    /// use ossature::data::{CodedColumn, MissingPolicy, Table};
    ///
    /// let labels = || vec!["no".to_owned(), "yes".to_owned()];
    /// let columns = vec![
    ///     CodedColumn::new("wet", labels(), true, [Some(1), None, Some(1)])?,
    ///     CodedColumn::new("rain", labels(), false, [Some(1), Some(0), Some(1)])?,
    /// ];
    /// let table = Table::from_columns(columns, MissingPolicy::Drop, "the frame")?;
    /// assert_eq!((table.data.rows(), table.report.rows_dropped), (2, 1));
    /// assert_eq!(table.data.variables()[0].levels(), ["yes"]); // what occurs
    /// assert_eq!(table.data.variables()[1].levels(), ["no", "yes"]); // what was declared
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn from_columns(mut columns: Vec<CodedColumn>, policy: MissingPolicy, source: &str) -> Result<Table> {
        check(&columns, source)?;
        let rows = columns.first().map_or(0, |c| c.codes.len());
        let mut report = ReadReport { rows_read: rows as u64, ..ReadReport::default() };
        report.missing =
            columns.iter().filter(|c| c.missing > 0).map(|c| (c.name.clone(), c.missing)).collect();
        report.missing.sort_unstable();
        if !report.missing.is_empty() {
            match policy {
                MissingPolicy::Error => return Err(refusal(&columns, report.missing, source)),
                MissingPolicy::Drop => report.rows_dropped = drop_rows(&mut columns, rows, source)?,
                MissingPolicy::Level => refuse_levels_of_numbers(&columns, source)?,
                MissingPolicy::Available | MissingPolicy::Em => {}
            }
        }
        if !policy.keeps_gaps() {
            report.missing_levels = columns.iter().filter_map(CodedColumn::missing_level).collect();
            report.missing_levels.sort_unstable();
        }
        let finish = |column: CodedColumn| column.finish(policy.keeps_gaps());
        let columns = columns.into_iter().map(finish).collect::<Result<Vec<_>>>()?;
        Ok(Table { data: Dataset::with_gaps(columns)?.with_policy(policy), report })
    }
}

/// Checks what [`Dataset::new`] would refuse too, but only after more work.
fn check(columns: &[CodedColumn], source: &str) -> Result<()> {
    if columns.is_empty() {
        return Err(Error::syntax(Place::file(source), "a table without columns", "at least one column"));
    }
    if let Some(i) = columns.iter().position(|c| c.name.is_empty()) {
        let found = format!("no name for column {} of {}", i + 1, columns.len());
        return Err(Error::syntax(Place::file(source), found, "a name for every column"));
    }
    let rows = columns[0].codes.len();
    if let Some(other) = columns.iter().find(|c| c.codes.len() != rows) {
        let what = format!("column {:?} has {} rows, others have {rows}", other.name, other.codes.len());
        return Err(Error::Mismatch { what, accepted: "all columns need the same number of rows".into() });
    }
    if rows == 0 {
        return Err(Error::syntax(Place::file(source), "a table without rows", "at least one row of data"));
    }
    let none = |c: &&CodedColumn| c.missing == rows as u64 && matches!(c.codes, Column::Real(_));
    if let Some(empty) = columns.iter().find(none) {
        let place = Place::file(source).column(&empty.name);
        return Err(Error::syntax(place, "a column without any value", "at least one value"));
    }
    Ok(())
}

/// Refuses missing values as a level in a column without levels, and columns without any value.
fn refuse_levels_of_numbers(columns: &[CodedColumn], source: &str) -> Result<()> {
    let numbers = |c: &&CodedColumn| c.missing > 0 && matches!(c.codes, Column::Real(_));
    match columns.iter().find(numbers) {
        None => Ok(()),
        Some(column) => {
            let found = "a missing value in a continuous column, which has no levels";
            let expected = "a number; or drop these rows, or use the available values";
            Err(Error::syntax(Place::file(source).column(&column.name), found, expected))
        }
    }
}

fn refusal(columns: &[CodedColumn], missing: Vec<(String, u64)>, source: &str) -> Error {
    let first = columns.iter().filter_map(|c| Some((c.first_missing?, c.name.as_str()))).min();
    let place = first.map_or(Place::file(source), |(row, name)| {
        Place::file(source).column(format!("{name}, row {}", row + 1))
    });
    Error::Missing { total: missing.iter().map(|(_, n)| n).sum(), columns: missing, first: place }
}

/// Leaves out the rows with a missing value; returns their number.
fn drop_rows(columns: &mut [CodedColumn], rows: usize, source: &str) -> Result<u64> {
    let mut keep = vec![true; rows];
    for column in columns.iter().filter(|c| c.missing > 0) {
        for (row, keep) in keep.iter_mut().enumerate() {
            *keep &= !column.is_missing(row);
        }
    }
    let kept = keep.iter().filter(|keep| **keep).count();
    if kept == 0 {
        let found = format!("a missing value in every one of {}", count(rows, "row"));
        return Err(Error::syntax(Place::file(source), found, "at least one complete row"));
    }
    columns.iter_mut().for_each(|column| column.retain(&keep));
    Ok((rows - kept) as u64)
}

#[cfg(test)]
mod tests;
