//! Rows in, a table out: what all file formats have in common.

use rustc_hash::FxHashMap;

use super::coder::{Coder, ColumnKind, Plan, ReadColumn, Seen};
use super::joint::{self, Beside};
use super::{Column, Continuous, Dataset, Method, MissingPolicy, ReadOptions, ReadReport, Table, Variable};
use crate::error::{Error, Place, Result};
use crate::progress::{Event, Progress, go_on};

/// How many rows are read between two reports of progress.
const ROWS_BETWEEN_REPORTS: u64 = 10_000;

/// Takes the rows of a table one by one.
pub(super) struct Builder<'a> {
    file: String,
    policy: MissingPolicy,
    progress: &'a dyn Progress,
    coders: Vec<Coder>,
    /// The place of each of them among the fields of a row.
    fields: Vec<usize>,
    /// What the fields of the row at hand are.
    row: Vec<Seen>,
    rows_read: u64,
    rows_dropped: u64,
    /// Missing values in each column.
    missing: Vec<u64>,
    first_missing: Option<Place>,
    levels_unused: Vec<String>,
    /// The column of the weights.
    weights: Option<String>,
}

/// Where a row stands in its file.
#[derive(Clone, Copy)]
pub(super) enum At {
    /// It begins on this line.
    Line(u64),
    /// It is this row of a file that has no lines.
    #[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "text has lines"))]
    Row(u64),
}

impl At {
    fn place(self, file: &str, column: &str) -> Place {
        match self {
            At::Line(line) => Place::line(file, line).column(column),
            At::Row(row) => Place::file(file).column(format!("{column}, row {row}")),
        }
    }
}

impl<'a> Builder<'a> {
    /// A builder of a table with these columns. `by_type` says which of them are continuous by their type,
    /// where the format has types.
    pub(super) fn new(
        file: &str,
        columns: Vec<String>,
        header: Place,
        by_type: &[bool],
        options: &ReadOptions,
        progress: &'a dyn Progress,
    ) -> Result<Builder<'a>> {
        check_names(&columns, &header)?;
        let mut declared = declared_levels(options)?;
        check_wishes(options, &columns)?;
        let continuous = |i: usize, name: &String| match &options.continuous {
            _ if options.weights.as_ref() == Some(name) => ColumnKind::Continuous,
            Continuous::ByType if by_type.get(i) == Some(&true) => ColumnKind::Floats,
            Continuous::ByType => ColumnKind::Labels,
            Continuous::Auto => ColumnKind::Auto,
            Continuous::Columns(names) if names.contains(name) => ColumnKind::Continuous,
            Continuous::Columns(_) => ColumnKind::Labels,
        };
        let method = |column: Option<&str>| {
            let wish = options.discretise.iter().find(|wish| wish.column.as_deref() == column);
            wish.map(|wish| wish.method.clone())
        };
        let chosen = options.choose(&columns, Some(&header))?;
        let wanted = |(i, name): &(usize, String)| {
            let declared = || declared.contains_key(name.as_str()) || options.weights.as_ref() == Some(name);
            chosen[*i] && (!options.only_declared || declared())
        };
        let (fields, columns): (Vec<usize>, Vec<String>) =
            columns.into_iter().enumerate().filter(wanted).unzip();
        if columns.is_empty() {
            let (found, expected) = ("none of the columns that are wanted", "at least one of them");
            return Err(Error::syntax(header, found, expected));
        }
        let width = columns.len();
        let coders = columns
            .into_iter()
            .zip(&fields)
            .map(|(name, &i)| {
                let declared = declared.remove(name.as_str()).cloned();
                let declared = declared.filter(|_| options.weights.as_ref() != Some(&name));
                let kind = continuous(i, &name);
                let unknown_as_missing = options.unknown_as_missing && declared.is_some();
                // A column is not cut by what it tells of itself.
                let itself = |m: &Method| matches!(m, Method::Mdl { target } if *target == name);
                let (named, every) = (method(Some(&name)), method(None).filter(|m| !itself(m)));
                let missing = options.missing;
                let plan = Plan { declared, named, every, name, unknown_as_missing, kind, missing };
                Coder::new(plan, &options.missing_tokens)
            })
            .collect();
        let mut levels_unused: Vec<String> = declared.into_keys().map(str::to_owned).collect();
        levels_unused.sort_unstable();
        Ok(Builder {
            file: file.to_owned(),
            policy: options.missing,
            progress,
            coders,
            fields,
            row: Vec::with_capacity(width),
            rows_read: 0,
            rows_dropped: 0,
            missing: vec![0; width],
            first_missing: None,
            levels_unused,
            weights: options.weights.clone(),
        })
    }

    /// Takes one row, whose fields are given by their place; none is a null.
    pub(super) fn push<'f>(&mut self, at: At, field: impl Fn(usize) -> Option<&'f [u8]>) -> Result<()> {
        self.row.clear();
        self.row.extend(self.coders.iter().zip(&self.fields).map(|(coder, &i)| coder.look(field(i))));
        let complete = !self.row.iter().any(Seen::is_missing);
        if !complete {
            self.count_missing(at);
        }
        let keep = match self.policy {
            // Once the table is refused nothing is stored any more, only counted.
            MissingPolicy::Error => self.first_missing.is_none(),
            MissingPolicy::Drop => complete,
            MissingPolicy::Level | MissingPolicy::Available | MissingPolicy::Em => true,
        };
        if keep {
            for ((coder, &seen), &i) in self.coders.iter_mut().zip(&self.row).zip(&self.fields) {
                coder.store(seen, field(i), |column| at.place(&self.file, column))?;
            }
        } else if !complete {
            self.rows_dropped += 1;
        }
        self.rows_read += 1;
        if self.rows_read.is_multiple_of(ROWS_BETWEEN_REPORTS) { self.report() } else { Ok(()) }
    }

    fn count_missing(&mut self, at: At) {
        for (i, _) in self.row.iter().enumerate().filter(|(_, seen)| seen.is_missing()) {
            self.missing[i] += 1;
            self.first_missing.get_or_insert_with(|| at.place(&self.file, self.coders[i].name()));
        }
    }

    fn report(&self) -> Result<()> {
        let going = self.progress.report(Event::RowsRead { done: self.rows_read });
        if going.is_break() { Err(Error::Stopped) } else { Ok(()) }
    }

    /// The table of all rows that were taken.
    pub(super) fn finish(self) -> Result<Table> {
        self.report()?;
        let place = || Place::file(&self.file);
        if self.rows_read == 0 {
            return Err(Error::syntax(place(), "a header without rows", "at least one row of data"));
        }
        let names = self.coders.iter().map(|c| c.name().to_owned());
        let mut missing: Vec<(String, u64)> = names.zip(self.missing).filter(|&(_, n)| n > 0).collect();
        missing.sort_unstable();
        if let (MissingPolicy::Error, Some(first)) = (self.policy, self.first_missing) {
            let total = missing.iter().map(|(_, n)| n).sum();
            return Err(Error::Missing { total, columns: missing, first });
        }
        if self.rows_dropped == self.rows_read {
            let found = format!("a missing value in every one of {} rows", self.rows_read);
            return Err(Error::syntax(place(), found, "at least one complete row"));
        }
        let mut coders = self.coders;
        choose_cuts(&mut coders, self.rows_read, self.progress)?;
        let mut columns: Vec<(Variable, Column)> = Vec::with_capacity(coders.len());
        let (mut discretised, mut missing_levels, mut unknown) = (Vec::new(), Vec::new(), 0);
        for coder in coders {
            let ReadColumn { variable, column, cuts, missing_level, unknown: here } =
                coder.finish(&self.file)?;
            unknown += here;
            missing_levels.extend(missing_level.map(|level| (variable.name().to_owned(), level)));
            discretised.extend(cuts.map(|cuts| (variable.name().to_owned(), cuts)));
            columns.push((variable, column));
        }
        discretised.sort_by(|(a, _), (b, _)| a.cmp(b));
        missing_levels.sort_unstable();
        let report = ReadReport {
            rows_read: self.rows_read,
            rows_dropped: self.rows_dropped,
            missing,
            discretised,
            levels_unused: self.levels_unused,
            missing_levels,
            unknown,
        };
        let data = Dataset::with_gaps(columns)?.with_policy(self.policy);
        let data = match &self.weights {
            Some(name) => data.weighted_by(name)?,
            None => data,
        };
        Ok(Table { data, report })
    }
}

/// Chooses the cuts of columns that are cut by looking at others.
fn choose_cuts(coders: &mut [Coder], rows: u64, progress: &dyn Progress) -> Result<()> {
    if !coders.iter().any(Coder::looks_at_others) {
        return Ok(());
    }
    let look = || go_on(progress, Event::RowsRead { done: rows });
    let columns: Vec<Beside> = coders.iter().map(Coder::beside).collect();
    for (coder, cuts) in coders.iter_mut().zip(joint::choose(&columns, &look)?) {
        cuts.into_iter().for_each(|cuts| coder.cut_at(cuts));
    }
    Ok(())
}

/// Every column needs a name of its own.
fn check_names(columns: &[String], header: &Place) -> Result<()> {
    if columns.is_empty() {
        return Err(Error::syntax(header.clone(), "a table without columns", "at least one column"));
    }
    if let Some(i) = columns.iter().position(String::is_empty) {
        let found = format!("no name for column {} of {}", i + 1, columns.len());
        let expected = "a name for every column; row names, as R and pandas write them, are to be left out";
        return Err(Error::syntax(header.clone(), found, expected));
    }
    let mut seen = rustc_hash::FxHashSet::default();
    match columns.iter().find(|name| !seen.insert(name.as_str())) {
        Some(twice) => {
            Err(Error::Duplicate { what: "column", name: twice.clone(), place: Some(header.clone()) })
        }
        None => Ok(()),
    }
}

fn declared_levels(options: &ReadOptions) -> Result<FxHashMap<&str, &Variable>> {
    let mut declared = FxHashMap::default();
    for variable in options.levels.iter().flatten() {
        if declared.insert(variable.name(), variable).is_some() {
            let name = variable.name().to_owned();
            return Err(Error::Duplicate { what: "variable", name, place: None });
        }
    }
    Ok(declared)
}

/// Every column that is to be discretised must be there, and be named once.
fn check_wishes(options: &ReadOptions, columns: &[String]) -> Result<()> {
    // What is declared need not be there.
    let declared = |name: &str| options.levels.iter().flatten().any(|v| v.name() == name);
    if let Continuous::Columns(names) = &options.continuous
        && let Some(name) = names.iter().find(|name| !columns.contains(name) && !declared(name))
    {
        return Err(Error::unknown_name("column", name, columns.iter().map(String::as_str), None));
    }
    if let (Some(name), false) = (&options.weights, options.discretise.is_empty()) {
        return Err(Error::Mismatch {
            what: format!("columns are to be cut into intervals, and {name:?} is the column of the weights"),
            accepted: "where intervals begin does not depend on weights: cut the columns before rows are put together"
                .into(),
        });
    }
    let mut seen = rustc_hash::FxHashSet::default();
    for wish in &options.discretise {
        wish.method.check()?;
        let column = wish.column.as_deref();
        let lacking = column.filter(|name| !columns.iter().any(|c| c == name));
        if let Some(name) = lacking.filter(|name| !declared(name)) {
            return Err(Error::unknown_name("column", name, columns.iter().map(String::as_str), None));
        }
        if !seen.insert(column) {
            let name = column.unwrap_or("*").to_owned();
            return Err(Error::Duplicate { what: "discretised column", name, place: None });
        }
    }
    Ok(())
}
