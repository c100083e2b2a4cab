//! Tables that are in memory already: labels, and for each row the place of its label.
//!
//! This is what a data frame of another language has. What is done about missing values and which
//! levels a variable gets follow the same rules as for a file, but no label stands for a missing
//! value: a frame says itself what is missing.

use rustc_hash::FxHashMap;

use super::coder::missing_label_among;
use super::discretise::{interval, interval_labels, number};
use super::{Column, Dataset, MAX_LEVELS, MAX_NUMBERS, Method, MissingPolicy, ReadReport, Table, Variable};
use crate::error::{Error, Place, Result};

/// A column of labels in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodedColumn {
    name: String,
    labels: Vec<String>,
    declared: bool,
    /// The code that no label has stands for a missing value.
    codes: Column,
    missing: u64,
    first_missing: Option<usize>,
}

impl CodedColumn {
    /// A column whose rows are places in `labels`, or nothing where the value is missing.
    ///
    /// Labels that are `declared` are the levels, in their order and whether they occur or not.
    /// Otherwise the levels are the labels that occur, in bytewise order, and a label may be there
    /// twice. A place without a label is an error.
    pub fn new(
        name: impl Into<String>,
        labels: Vec<String>,
        declared: bool,
        rows: impl IntoIterator<Item = Option<usize>>,
    ) -> Result<CodedColumn> {
        let name = name.into();
        let numeric = !declared && labels.iter().all(|label| number(label).is_some());
        let limit = if numeric { MAX_NUMBERS } else { MAX_LEVELS - 1 };
        if labels.len() > limit {
            return Err(Error::TooManyLevels { column: name, limit, numeric });
        }
        let mut column = CodedColumn {
            name,
            labels,
            declared,
            codes: Column::Narrow(Vec::new()),
            missing: 0,
            first_missing: None,
        };
        let rows = rows.into_iter();
        // One code more than there are labels is needed for the missing values.
        column.codes = match column.labels.len() {
            0..256 => Column::Narrow(column.take(rows, |code| code as u8)?),
            _ => Column::Wide(column.take(rows, |code| code as u16)?),
        };
        Ok(column)
    }

    /// A column of numbers that is cut into intervals, with nothing where the value is missing. All intervals
    /// are levels, in increasing order.
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

    /// A column of numbers that is cut into intervals as a method says, and where it was cut.
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
        let numbers: Vec<Option<f64>> = numbers.into_iter().collect();
        let mut known: Vec<f64> =
            numbers.iter().flatten().filter(|x| x.is_finite()).map(|x| x + 0.0).collect();
        let cuts = if known.is_empty() { Vec::new() } else { method.cuts(&mut known) };
        Ok((CodedColumn::cut(name, &cuts, numbers)?, cuts))
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

    fn retain(&mut self, keep: &[bool]) {
        match &mut self.codes {
            Column::Narrow(codes) => retain(codes, keep),
            Column::Wide(codes) => retain(codes, keep),
        }
        (self.missing, self.first_missing) = (0, None);
    }

    /// The level that missing values become, if any are still there.
    fn missing_level(&self) -> Option<(String, String)> {
        let (levels, codes) = match (self.missing, self.declared) {
            (0, _) => return None,
            (_, true) => self.declared_levels(Some(self.labels.len())),
            (_, false) => self.levels(Some(self.labels.len())),
        };
        Some((self.name.clone(), levels[usize::from(codes[self.labels.len()])].clone()))
    }

    /// The finished column; missing values that are still there become a level.
    fn finish(self) -> Result<(Variable, Column)> {
        let missing = (self.missing > 0).then_some(self.labels.len());
        let (levels, new_code) =
            if self.declared { self.declared_levels(missing) } else { self.levels(missing) };
        let codes = match self.codes {
            Column::Narrow(mut codes) => {
                codes.iter_mut().for_each(|c| *c = new_code[usize::from(*c)] as u8);
                Column::Narrow(codes)
            }
            Column::Wide(codes) => {
                Column::from_codes(codes.into_iter().map(|c| new_code[usize::from(c)]), levels.len())
            }
        };
        Ok((Variable::new(self.name, levels)?, codes))
    }

    /// The levels as they were declared, with that of missing values last.
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
    /// A table from columns in memory, which may come in any order. `source` is what messages call it.
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
                MissingPolicy::Level => {}
            }
        }
        report.missing_levels = columns.iter().filter_map(CodedColumn::missing_level).collect();
        report.missing_levels.sort_unstable();
        let columns = columns.into_iter().map(CodedColumn::finish).collect::<Result<Vec<_>>>()?;
        Ok(Table { data: Dataset::new(columns)?, report })
    }
}

/// What [`Dataset::new`] would refuse as well, but only after work has been done.
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
    Ok(())
}

fn refusal(columns: &[CodedColumn], missing: Vec<(String, u64)>, source: &str) -> Error {
    let first = columns.iter().filter_map(|c| Some((c.first_missing?, c.name.as_str()))).min();
    let place = first.map_or(Place::file(source), |(row, name)| {
        Place::file(source).column(format!("{name}, row {}", row + 1))
    });
    Error::Missing { total: missing.iter().map(|(_, n)| n).sum(), columns: missing, first: place }
}

/// Leaves out the rows in which a value is missing; returns how many there were.
fn drop_rows(columns: &mut [CodedColumn], rows: usize, source: &str) -> Result<u64> {
    let mut keep = vec![true; rows];
    for column in columns.iter().filter(|c| c.missing > 0) {
        let missing = column.labels.len();
        for (row, keep) in keep.iter_mut().enumerate() {
            *keep &= usize::from(column.codes.code(row)) != missing;
        }
    }
    let kept = keep.iter().filter(|keep| **keep).count();
    if kept == 0 {
        let found = format!("a missing value in every one of {rows} rows");
        return Err(Error::syntax(Place::file(source), found, "at least one complete row"));
    }
    columns.iter_mut().for_each(|column| column.retain(&keep));
    Ok((rows - kept) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(names: &[&str]) -> Vec<String> {
        names.iter().map(|&n| n.to_owned()).collect()
    }

    fn table(columns: Vec<CodedColumn>, policy: MissingPolicy) -> Result<Table> {
        Table::from_columns(columns, policy, "the frame")
    }

    fn text(column: &(Variable, Column)) -> Vec<&str> {
        (0..column.1.len()).map(|row| column.0.levels()[usize::from(column.1.code(row))].as_str()).collect()
    }

    #[test]
    fn labels_that_occur_are_sorted_and_joined() {
        let column =
            CodedColumn::new("a", labels(&["2", "10", "x", "2"]), false, [0, 1, 3, 0].map(Some)).unwrap();
        let column = column.finish().unwrap();
        assert_eq!(column.0.levels(), ["10", "2"]);
        assert_eq!(text(&column), ["2", "10", "2", "2"]);
    }

    #[test]
    fn declared_levels_stay_as_they_are() {
        let column = CodedColumn::new("a", labels(&["z", "None", "a"]), true, [Some(2), Some(0)]).unwrap();
        let column = column.finish().unwrap();
        assert_eq!(column.0.levels(), ["z", "None", "a"]);
        assert_eq!(text(&column), ["a", "z"]);
        let twice = CodedColumn::new("a", labels(&["z", "z"]), true, [Some(0)]).unwrap();
        assert!(twice.finish().unwrap_err().to_string().contains("twice"));
    }

    #[test]
    fn missing_values_are_refused_left_out_or_a_level() {
        let columns = || {
            vec![
                CodedColumn::new("b", labels(&["x", "NA", "y"]), false, [Some(0), None, Some(1), Some(2)])
                    .unwrap(),
                CodedColumn::new("a", labels(&["u", "v"]), true, [Some(0), Some(0), None, Some(0)]).unwrap(),
            ]
        };
        assert_eq!(
            table(columns(), MissingPolicy::Error).unwrap_err().to_string(),
            "the frame, column b, row 2: 2 missing values, in \"a\" (1), \"b\" (1); drop these rows or make the \
             missing value a level of its own"
        );
        let dropped = table(columns(), MissingPolicy::Drop).unwrap();
        assert_eq!((dropped.data.rows(), dropped.report.rows_dropped), (2, 2));
        assert_eq!(dropped.data.variables()[1].levels(), ["x", "y"], "of the rows that are left");
        let level = table(columns(), MissingPolicy::Level).unwrap().data;
        assert_eq!(level.variables()[0].levels(), ["u", "v", "NA"]);
        assert_eq!(level.variables()[1].levels(), ["NA", "NA_2", "x", "y"]);
        let row = |row| level.vars().map(|v| level.label(row, v)).collect::<Vec<_>>();
        assert_eq!([row(1), row(2)], [["u", "NA_2"], ["NA", "NA"]]);
    }

    #[test]
    fn a_column_of_256_levels_is_as_narrow_as_it_can_be() {
        for (n, missing) in [(255, true), (256, false), (256, true), (257, false)] {
            let names: Vec<String> = (0..n).map(|i| format!("l{i:03}")).collect();
            let rows = (0..n).map(Some).chain(missing.then_some(None));
            let column = CodedColumn::new("a", names, true, rows).unwrap();
            let data = table(vec![column], MissingPolicy::Level).unwrap().data;
            assert_eq!(data.label(n - 1, crate::Var(0)), format!("l{:03}", n - 1));
        }
    }

    #[test]
    fn what_is_no_table_is_refused() {
        assert!(CodedColumn::new("a", labels(&["x"]), true, [Some(1)]).is_err());
        assert!(table(vec![], MissingPolicy::Error).is_err());
        let column = |name, n| CodedColumn::new(name, labels(&["x"]), true, vec![Some(0); n]).unwrap();
        assert!(table(vec![column("a", 0)], MissingPolicy::Error).is_err());
        assert!(table(vec![column("a", 1), column("b", 2)], MissingPolicy::Error).is_err());
        assert!(table(vec![column("a", 1), column("a", 1)], MissingPolicy::Error).is_err());
        assert_eq!(
            table(vec![column("a", 1), column("", 1)], MissingPolicy::Error).unwrap_err().to_string(),
            "the frame: found no name for column 2 of 2, expected a name for every column"
        );
        let missing = CodedColumn::new("a", vec![], false, [None, None]).unwrap();
        assert!(table(vec![missing], MissingPolicy::Drop).is_err());
        let numbers = (0..300).map(|i| i.to_string()).collect();
        assert!(matches!(
            CodedColumn::new("a", numbers, false, []).unwrap_err(),
            Error::TooManyLevels { limit: 256, numeric: true, .. }
        ));
    }
}
