//! Builds a table from rows: the part that all file formats share.
//!
//! Rows arrive in chunks, whose size depends on the format, and the columns of a chunk are coded on all threads. The
//! rows of a column are coded in order, and of several faults the first in the file is reported, so nothing depends on
//! threads or on where a chunk ends.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::coder::{Coder, ColumnKind, MissingTokens, Plan, ReadColumn, make_room};
use super::intake::{Doing, Intake, Met};
use super::joint::{self, Beside};
use super::{Column, Continuous, Dataset, Method, MissingPolicy, ReadOptions, ReadReport, Table, Variable};
use crate::error::{Error, Place, Result};
use crate::parallel;
use crate::progress::{Event, Progress, go_on};
use crate::text::{count, thousands};

/// How many rows are read between two reports of progress.
const ROWS_BETWEEN_REPORTS: u64 = 10_000;

/// Takes the rows of a table.
pub(super) struct Builder<'a> {
    /// The current file, and the first one.
    file: String,
    first_file: String,
    files: usize,
    policy: MissingPolicy,
    progress: &'a dyn Progress,
    columns: Vec<Taken>,
    /// All columns of the first file, and which of them are continuous by type.
    header: Vec<(String, bool)>,
    types_matter: bool,
    rows_read: u64,
    rows_dropped: u64,
    first_missing: Option<Place>,
    levels_unused: Vec<String>,
    /// The column with the weights.
    weights: Option<String>,
    /// Whether columns without a name are left out.
    unnamed: bool,
}

/// A column that is being read.
struct Taken {
    coder: Coder,
    /// Its position among the fields of a row.
    field: usize,
    /// The number of missing values so far.
    missing: u64,
    /// What it found in the current rows.
    met: Met,
}

/// The position of a row in its file.
#[derive(Clone, Copy)]
pub(super) enum At {
    /// The line on which it begins.
    Line(u64),
    /// The number of the row in a file without lines.
    #[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "text has lines"))]
    Row(u64),
}

impl At {
    pub(super) fn place(self, file: &str, column: &str) -> Place {
        match self {
            At::Line(line) => Place::line(file, line).column(column),
            At::Row(row) => Place::file(file).column(format!("{column}, row {row}")),
        }
    }
}

impl<'a> Builder<'a> {
    /// A builder for a table with these columns. `by_type` says which of them are continuous by type, if
    /// the format has types.
    pub(super) fn new(
        file: &str,
        columns: Vec<String>,
        place: Place,
        by_type: &[bool],
        options: &ReadOptions,
        progress: &'a dyn Progress,
    ) -> Result<Builder<'a>> {
        let unnamed = options.leaves_out_unnamed();
        check_names(&columns, &place, unnamed)?;
        let mut declared = declared_levels(options)?;
        check_wishes(options, &columns)?;
        let continuous = |i: usize, name: &String| match &options.continuous {
            _ if options.weights.as_ref() == Some(name) => ColumnKind::Weights,
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
        let chosen = options.choose(&columns, Some(&place))?;
        let header =
            (0..).zip(&columns).map(|(i, name)| (name.clone(), by_type.get(i) == Some(&true))).collect();
        let wanted = |(i, name): &(usize, String)| {
            let declared = || declared.contains_key(name.as_str()) || options.weights.as_ref() == Some(name);
            chosen[*i] && (!options.only_declared || declared())
        };
        let (fields, columns): (Vec<usize>, Vec<String>) =
            columns.into_iter().enumerate().filter(wanted).unzip();
        if columns.is_empty() {
            let (found, expected) = ("none of the requested columns", "at least one of them");
            return Err(Error::syntax(place, found, expected));
        }
        let tokens: MissingTokens =
            Arc::new(options.missing_tokens.iter().map(|token| token.clone().into_bytes()).collect());
        let columns = columns
            .into_iter()
            .zip(&fields)
            .map(|(name, &field)| {
                let declared = declared.remove(name.as_str()).cloned();
                let declared = declared.filter(|_| options.weights.as_ref() != Some(&name));
                let kind = continuous(field, &name);
                let unknown_as_missing = options.unknown_as_missing && declared.is_some();
                // A column is not cut by what it tells of itself.
                let itself = |m: &Method| matches!(m, Method::Mdl { target } if *target == name);
                let (named, every) = (method(Some(&name)), method(None).filter(|m| !itself(m)));
                let missing = options.missing;
                let plan = Plan { declared, named, every, name, unknown_as_missing, kind, missing };
                let coder = Coder::new(plan, Arc::clone(&tokens));
                Taken { coder, field, missing: 0, met: Met::default() }
            })
            .collect();
        let mut levels_unused: Vec<String> = declared.into_keys().map(str::to_owned).collect();
        levels_unused.sort_unstable();
        Ok(Builder {
            file: file.to_owned(),
            first_file: file.to_owned(),
            files: 1,
            policy: options.missing,
            progress,
            columns,
            header,
            types_matter: options.continuous == Continuous::ByType,
            rows_read: 0,
            rows_dropped: 0,
            first_missing: None,
            levels_unused,
            weights: options.weights.clone(),
            unnamed,
        })
    }

    /// Goes on with another file, which must have the same columns, in any order.
    pub(super) fn next_file(
        &mut self,
        file: &str,
        columns: &[String],
        place: Place,
        by_type: &[bool],
    ) -> Result<()> {
        check_names(columns, &place, self.unnamed)?;
        let places: FxHashMap<&str, usize> = columns.iter().map(String::as_str).zip(0..).collect();
        for (name, continuous) in &self.header {
            let Some(&at) = places.get(name.as_str()) else {
                let found = format!("no column {name:?}");
                return Err(Error::syntax(place, found, format!("the columns of {}", self.first_file)));
            };
            if self.types_matter && by_type.get(at).copied().unwrap_or(false) != *continuous {
                let kind = |continuous| if continuous { "floats" } else { "labels or whole numbers" };
                let expected = format!("{}, as in {}", kind(*continuous), self.first_file);
                return Err(Error::syntax(place.column(name), kind(!continuous), expected));
            }
        }
        if columns.len() > self.header.len() {
            let known: FxHashSet<&str> = self.header.iter().map(|(name, _)| name.as_str()).collect();
            let stranger = columns.iter().find(|name| !known.contains(name.as_str()));
            let found = format!("a column {:?}", stranger.map_or("", |name| name));
            return Err(Error::syntax(place, found, format!("the columns of {}", self.first_file)));
        }
        self.columns.iter_mut().for_each(|taken| taken.field = places[taken.coder.name()]);
        self.file = file.to_owned();
        self.files += 1;
        Ok(())
    }

    /// Takes rows; `at` gives their positions. `fill` passes all fields of some columns, row by row; it is called
    /// for `together` columns at a time, on any thread, and once more for each if rows are left out.
    pub(super) fn take(
        &mut self,
        rows: usize,
        at: &(dyn Fn(usize) -> At + Sync),
        together: usize,
        fill: &(dyn Fn(&mut [Intake<'_>]) -> Result<()> + Sync),
    ) -> Result<()> {
        make_room(self.columns.iter_mut().map(|taken| &mut taken.coder), rows)?;
        match self.policy {
            MissingPolicy::Error if self.first_missing.is_none() => {
                self.pass(Doing::StoreUntilMissing, at, together, fill)?;
            }
            // Once the table is refused nothing is stored any more, only counted.
            MissingPolicy::Error => drop(self.pass(Doing::Count, at, together, fill)?),
            MissingPolicy::Drop => {
                let marks = self.pass(Doing::Mark, at, together, fill)?;
                self.pass(Doing::StoreUnmarked(&marks), at, together, fill)?;
                self.rows_dropped += marks.iter().filter(|&&mark| mark).count() as u64;
            }
            MissingPolicy::Level | MissingPolicy::Available | MissingPolicy::Em => {
                self.pass(Doing::Store, at, together, fill)?;
            }
        }
        let before = self.rows_read;
        self.rows_read += rows as u64;
        let multiples = before / ROWS_BETWEEN_REPORTS + 1..=self.rows_read / ROWS_BETWEEN_REPORTS;
        if multiples.is_empty() {
            return self.report(self.rows_read);
        }
        multiples.into_iter().try_for_each(|multiple| self.report(multiple * ROWS_BETWEEN_REPORTS))
    }

    /// Makes one pass over all fields of the current rows. Returns which rows were marked, up to the last marked
    /// one.
    fn pass(
        &mut self,
        doing: Doing<'_>,
        at: &(dyn Fn(usize) -> At + Sync),
        together: usize,
        fill: &(dyn Fn(&mut [Intake<'_>]) -> Result<()> + Sync),
    ) -> Result<Vec<bool>> {
        let file = self.file.as_str();
        let some = |columns: &mut [Taken]| {
            let marks = RefCell::default();
            let intakes = columns.iter_mut().map(|Taken { coder, field, met, .. }| Intake {
                field: *field,
                coder,
                met,
                doing,
                marks: &marks,
                file,
                at,
            });
            fill(&mut intakes.collect::<Vec<_>>())?;
            Ok(marks.into_inner())
        };
        let mut filled: Vec<_> =
            self.columns.chunks_mut(together.max(1)).map(|columns| (columns, Ok(Vec::new()))).collect();
        parallel::for_each_mut(&mut filled, |_, (columns, filled)| *filled = some(columns));
        let filled: Vec<Vec<bool>> = filled.into_iter().map(|part| part.1).collect::<Result<_>>()?;

        let met: Vec<Met> = self.columns.iter_mut().map(|taken| std::mem::take(&mut taken.met)).collect();
        let first = |row: fn(&Met) -> Option<usize>| {
            (0..).zip(&met).filter_map(|(column, met)| Some((row(met)?, column))).min()
        };
        let missing: Option<(usize, usize)> = first(|met| met.first_missing);
        let fault = first(|met| met.fault.as_ref().map(|fault| fault.0));
        let refused = missing.filter(|_| self.policy == MissingPolicy::Error);
        if let Some((_, column)) = fault.filter(|fault| refused.is_none_or(|(row, _)| fault.0 < row)) {
            let found = met.into_iter().nth(column).and_then(|met| met.fault);
            return Err(found.expect("it is the one that has a fault").1);
        }
        if let Some((row, column)) = missing {
            let place = || at(row).place(file, self.columns[column].coder.name());
            self.first_missing.get_or_insert_with(place);
        }
        self.columns.iter_mut().zip(&met).for_each(|(taken, met)| taken.missing += met.missing);
        let mut marks = vec![false; filled.iter().map(Vec::len).max().unwrap_or(0)];
        filled.iter().for_each(|some| marks.iter_mut().zip(some).for_each(|(mark, &more)| *mark |= more));
        Ok(marks)
    }

    fn report(&self, done: u64) -> Result<()> {
        go_on(self.progress, Event::RowsRead { done })
    }

    /// The table of all rows taken.
    pub(super) fn finish(self) -> Result<Table> {
        self.report(self.rows_read)?;
        let file = match self.files {
            1 => self.file.clone(),
            files => format!("{} and {}", self.first_file, count(files - 1, "more file")),
        };
        let place = || Place::file(&file);
        if self.rows_read == 0 {
            return Err(Error::syntax(place(), "a header without rows", "at least one row of data"));
        }
        let counted = self.columns.iter().filter(|taken| taken.missing > 0);
        let mut missing: Vec<(String, u64)> =
            counted.map(|taken| (taken.coder.name().to_owned(), taken.missing)).collect();
        missing.sort_unstable();
        if let (MissingPolicy::Error, Some(first)) = (self.policy, self.first_missing) {
            let total = missing.iter().map(|(_, n)| n).sum();
            return Err(Error::Missing { total, columns: missing, first });
        }
        if self.rows_dropped == self.rows_read {
            let found = format!("a missing value in every one of {} rows", thousands(self.rows_read));
            return Err(Error::syntax(place(), found, "at least one complete row"));
        }
        let mut coders: Vec<Coder> = self.columns.into_iter().map(|taken| taken.coder).collect();
        choose_cuts(&mut coders, self.rows_read, self.progress)?;
        let mut columns: Vec<(Variable, Column)> = Vec::with_capacity(coders.len());
        let (mut discretised, mut missing_levels, mut unknown) = (Vec::new(), Vec::new(), 0);
        let finished: Vec<Result<ReadColumn>> = parallel::map_owned(coders, |coder| coder.finish(&file));
        for column in finished {
            let ReadColumn { variable, column, cuts, missing_level, unknown: here } = column?;
            unknown += here;
            missing_levels.extend(missing_level.map(|level| (variable.name().to_owned(), level)));
            discretised.extend(cuts.map(|cuts| (variable.name().to_owned(), cuts)));
            columns.push((variable, column));
        }
        discretised.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
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

/// Every column needs a unique name; with `unnamed`, columns without a name are left out.
fn check_names(columns: &[String], header: &Place, unnamed: bool) -> Result<()> {
    if columns.is_empty() {
        return Err(Error::syntax(header.clone(), "a table without columns", "at least one column"));
    }
    if let Some(i) = columns.iter().position(String::is_empty).filter(|_| !unnamed) {
        return Err(Error::Unnamed { place: header.clone(), column: i + 1, columns: columns.len() });
    }
    let mut seen = FxHashSet::default();
    match columns.iter().find(|name| !name.is_empty() && !seen.insert(name.as_str())) {
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

/// Every column to be discretised must exist and be named once.
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
            what: format!("columns are to be cut into intervals, and {name:?} is the weights column"),
            accepted: "cut the columns first, then group the rows".into(),
        });
    }
    let mut seen = FxHashSet::default();
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
