//! One column while it is read: labels become codes at once, numbers wait for their intervals.
//!
//! A label is coded by its first appearance, in one byte until the column has more than 256 levels;
//! when all rows are read the codes are renumbered in place, in bytewise order of the labels. The
//! text of a label is therefore kept once, however many rows bear it. A value is first looked up
//! and then stored, because a row may turn out to be one that is left out.

use rustc_hash::FxHashMap;

use super::discretise::number;
use super::joint::{Beside, BesideValues, MISSING as MISSING_BESIDE};
use super::numbers::cut;
use super::variable::excerpt;
use super::{Column, MAX_LEVELS, Method, MissingPolicy, Variable};
use crate::error::{Error, Place, Result};

/// More levels than this are refused if all of them are numbers.
pub(super) const MAX_NUMBERS: usize = 256;

/// A column with no more different numbers than this may as well have levels.
pub(super) const MAX_NUMERIC_LABELS: usize = 10;

/// Stands in for a code where a label means that the value is missing.
const MISSING: u32 = u32::MAX;

/// What a field turned out to be.
#[derive(Clone, Copy)]
pub(super) enum Seen {
    /// A level that is known.
    Level(u16),
    /// A number of a column that is cut into intervals.
    Number(f64),
    /// A missing value.
    Missing,
    /// None of the declared levels, where such a field counts as missing.
    Unknown,
    /// Something that this column has not met before.
    New,
}

impl Seen {
    pub(super) fn is_missing(&self) -> bool {
        matches!(self, Seen::Missing | Seen::Unknown)
    }
}

/// Reads one column.
pub(super) struct Coder {
    name: String,
    declared: Option<Variable>,
    /// How the column is cut because it was named, or if it turns out to be numeric.
    method: Option<Method>,
    /// Codes of the labels so far, and of the labels that mean a missing value.
    codes: FxHashMap<Box<[u8]>, u32>,
    /// The number of levels so far, with that of missing values.
    levels: usize,
    /// The code of missing values, once there is one.
    missing_code: Option<u16>,
    /// Whether every label so far is a number.
    numeric: bool,
    /// Whether a field that is not known counts as missing, and how many did.
    unknown_as_missing: bool,
    unknown: u64,
    kind: ColumnKind,
    missing: MissingPolicy,
    cells: Cells,
}

/// The rows so far, in the narrowest form that holds them.
enum Cells {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
    /// Numbers of a column that is cut into intervals; NaN is a missing value.
    Numbers(Vec<f64>),
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    /// Labels.
    Labels,
    /// Numbers.
    Continuous,
    /// Numbers by their type, unless something else is said of the column.
    Floats,
    /// Numbers if all of them are, and there are more than [`MAX_NUMERIC_LABELS`] different ones.
    Auto,
}

/// A column that is read.
pub(super) struct ReadColumn {
    pub(super) variable: Variable,
    pub(super) column: Column,
    /// Where it was cut into intervals, if it was.
    pub(super) cuts: Option<Vec<f64>>,
    /// The level of missing values, if there are any.
    pub(super) missing_level: Option<String>,
    /// The fields that counted as missing because they were not known.
    pub(super) unknown: u64,
}

/// How a column is to be read.
pub(super) struct Plan {
    pub(super) name: String,
    pub(super) declared: Option<Variable>,
    /// The method that was asked for this column by name.
    pub(super) named: Option<Method>,
    /// The method for every column that turns out to be numeric.
    pub(super) every: Option<Method>,
    /// Whether a field that is not known counts as missing.
    pub(super) unknown_as_missing: bool,
    /// What its values are.
    pub(super) kind: ColumnKind,
    /// What is done about missing values.
    pub(super) missing: MissingPolicy,
}

impl Coder {
    pub(super) fn new(plan: Plan, missing_tokens: &[String]) -> Coder {
        let Plan { name, declared, named, every, unknown_as_missing, kind, missing } = plan;
        // Who says how to cut the column or which levels it has does not want its numbers.
        let said = named.is_some() || every.is_some() || declared.is_some();
        let kind = match kind {
            ColumnKind::Continuous if named.is_some() => ColumnKind::Labels,
            ColumnKind::Auto | ColumnKind::Floats if said => ColumnKind::Labels,
            ColumnKind::Floats => ColumnKind::Continuous,
            kind => kind,
        };
        let declared = declared.filter(|_| kind != ColumnKind::Continuous);
        let mut codes = FxHashMap::default();
        let mut levels = 0;
        let mut cells = Cells::Narrow(Vec::new());
        if named.is_some() || kind == ColumnKind::Continuous {
            // Declared levels, if any, are then names of intervals and not labels in the file.
            cells = Cells::Numbers(Vec::new());
        } else if let Some(variable) = &declared {
            levels = variable.cardinality();
            codes.extend((0..).zip(variable.levels()).map(|(code, label)| (label.as_bytes().into(), code)));
            if levels > 256 {
                cells = Cells::Wide(Vec::new());
            }
        }
        for token in missing_tokens {
            codes.entry(token.as_bytes().into()).or_insert(MISSING);
        }
        let method = named.or(every.filter(|_| declared.is_none()));
        Coder {
            name,
            declared,
            method,
            codes,
            levels,
            missing_code: None,
            numeric: true,
            unknown_as_missing,
            unknown: 0,
            kind,
            missing,
            cells,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What a field is; none is a null of a file format that has them.
    pub(super) fn look(&self, field: Option<&[u8]>) -> Seen {
        let Some(field) = field else { return Seen::Missing };
        match self.codes.get(field) {
            Some(&MISSING) => Seen::Missing,
            Some(&code) => Seen::Level(code as u16),
            None if self.is_numbers() => {
                let number = std::str::from_utf8(field).ok().and_then(number);
                number.map_or(self.new_field(), Seen::Number)
            }
            None => self.new_field(),
        }
    }

    fn new_field(&self) -> Seen {
        if self.unknown_as_missing { Seen::Unknown } else { Seen::New }
    }

    /// Stores what a field was seen to be as the value of the next row.
    ///
    /// `place` gives the place of a column of this name in the row, should it be needed.
    pub(super) fn store(
        &mut self,
        seen: Seen,
        field: Option<&[u8]>,
        place: impl Fn(&str) -> Place,
    ) -> Result<()> {
        match seen {
            Seen::Level(code) => self.push(code),
            Seen::Number(x) => self.push_number(x),
            Seen::Missing => self.push_missing()?,
            Seen::Unknown => {
                self.unknown += 1;
                self.push_missing()?;
            }
            Seen::New => self.push_new(field.unwrap_or_default(), place)?,
        }
        Ok(())
    }

    fn push(&mut self, code: u16) {
        match &mut self.cells {
            Cells::Narrow(codes) => match u8::try_from(code) {
                Ok(code) => append(codes, code),
                Err(_) => {
                    let mut wide = Vec::with_capacity(codes.capacity());
                    wide.extend(codes.iter().map(|&c| u16::from(c)));
                    append(&mut wide, code);
                    self.cells = Cells::Wide(wide);
                }
            },
            Cells::Wide(codes) => append(codes, code),
            Cells::Numbers(_) => unreachable!("a column of numbers knows no levels"),
        }
    }

    fn push_number(&mut self, x: f64) {
        match &mut self.cells {
            Cells::Numbers(numbers) => append(numbers, x),
            _ => unreachable!("only a column of numbers sees numbers"),
        }
    }

    fn push_missing(&mut self) -> Result<()> {
        if self.is_numbers() {
            self.push_number(f64::NAN);
            return Ok(());
        }
        let code = match self.missing_code {
            Some(code) => code,
            None if self.levels == MAX_LEVELS => return self.overflow().map(|()| self.push_number(f64::NAN)),
            None => self.next_code(),
        };
        self.missing_code = Some(code);
        self.push(code);
        Ok(())
    }

    /// Stores a label that was not met before, or says why it cannot be one.
    fn push_new(&mut self, label: &[u8], place: impl Fn(&str) -> Place) -> Result<()> {
        let Ok(text) = std::str::from_utf8(label) else {
            return Err(Error::syntax(place(&self.name), "bytes that are not UTF-8", "text in UTF-8"));
        };
        if self.is_numbers() {
            return Err(self.not_a_number(text, place(&self.name)));
        }
        if let Some(variable) = &self.declared {
            return Err(variable.refuse(text, place(&self.name)));
        }
        let number = number(text);
        self.numeric &= number.is_some();
        if self.levels == MAX_LEVELS {
            self.overflow()?;
            self.push_number(number.expect("overflow accepts nothing but numbers"));
            return Ok(());
        }
        let code = self.next_code();
        self.codes.insert(label.into(), u32::from(code));
        self.push(code);
        Ok(())
    }

    fn next_code(&mut self) -> u16 {
        self.levels += 1;
        u16::try_from(self.levels - 1).expect("at most 65,536 levels")
    }

    /// Makes room when there are more labels than codes: numbers that are to be cut into intervals
    /// do not need codes, everything else is refused.
    fn overflow(&mut self) -> Result<()> {
        if !self.numeric || self.declared.is_some() {
            return Err(self.too_many_levels(MAX_LEVELS, false));
        }
        if self.method.is_none() && self.kind != ColumnKind::Auto {
            return Err(self.too_many_levels(MAX_NUMBERS, true));
        }
        self.cells = Cells::Numbers(self.numbers());
        self.codes.retain(|_, code| *code == MISSING);
        Ok(())
    }

    /// The numbers that the codes so far stand for.
    fn numbers(&self) -> Vec<f64> {
        let mut values = vec![f64::NAN; self.levels];
        for (label, &code) in &self.codes {
            if code != MISSING {
                let text = std::str::from_utf8(label).expect("checked when it was met");
                values[code as usize] = number(text).expect("a numeric column");
            }
        }
        match &self.cells {
            Cells::Narrow(codes) => codes.iter().map(|&c| values[usize::from(c)]).collect(),
            Cells::Wide(codes) => codes.iter().map(|&c| values[usize::from(c)]).collect(),
            Cells::Numbers(numbers) => numbers.clone(),
        }
    }

    /// Whether it is cut by looking at other columns.
    pub(super) fn looks_at_others(&self) -> bool {
        self.method.as_ref().is_some_and(Method::looks_at_others)
            && (self.is_numbers() || self.is_to_be_cut())
    }

    /// What it is while cuts are chosen by looking at other columns.
    pub(super) fn beside(&self) -> Beside {
        let cut = self.is_numbers() || self.is_to_be_cut();
        let values = match &self.method {
            Some(method) if cut => BesideValues::Numbers(self.numbers(), method.clone()),
            None if cut => BesideValues::Continuous,
            _ => BesideValues::Codes(self.ranks()),
        };
        Beside { name: self.name.clone(), values }
    }

    /// For each row the place of its label in bytewise order.
    fn ranks(&self) -> Vec<u32> {
        let mut labels: Vec<(&[u8], u32)> = self
            .codes
            .iter()
            .filter(|(_, code)| **code != MISSING)
            .map(|(label, &c)| (&**label, c))
            .collect();
        labels.sort_unstable();
        let mut ranks = vec![MISSING_BESIDE; self.levels];
        (0..).zip(labels).for_each(|(rank, (_, code))| ranks[code as usize] = rank);
        match &self.cells {
            Cells::Narrow(codes) => codes.iter().map(|&c| ranks[usize::from(c)]).collect(),
            Cells::Wide(codes) => codes.iter().map(|&c| ranks[usize::from(c)]).collect(),
            Cells::Numbers(_) => Vec::new(),
        }
    }

    /// Says where it is cut.
    pub(super) fn cut_at(&mut self, cuts: Vec<f64>) {
        self.cells = Cells::Numbers(self.numbers());
        self.method = Some(Method::Cuts(cuts));
    }

    fn too_many_levels(&self, limit: usize, numeric: bool) -> Error {
        let identifier = numeric && self.is_identifier();
        Error::TooManyLevels { column: self.name.clone(), limit, numeric, identifier }
    }

    /// Whether every row so far has a whole number of its own.
    fn is_identifier(&self) -> bool {
        let whole = |label: &[u8]| std::str::from_utf8(label).is_ok_and(|text| text.parse::<i64>().is_ok());
        let rows = match &self.cells {
            Cells::Narrow(codes) => codes.len(),
            Cells::Wide(codes) => codes.len(),
            Cells::Numbers(_) => return false,
        };
        let mut labels = self.codes.iter().filter(|&(_, &code)| code != MISSING);
        self.levels == rows && labels.all(|(label, _)| whole(label))
    }

    fn not_a_number(&self, text: &str, place: Place) -> Error {
        // Without codes for its levels the column was taken for numeric, as all that came before is.
        if self.levels == MAX_LEVELS {
            return self.too_many_levels(MAX_LEVELS, false);
        }
        let done = if self.kind == ColumnKind::Continuous { "continuous" } else { "discretised" };
        let expected = format!("a finite number, as the column is {done}");
        Error::syntax(place, format!("{:?}", excerpt(text)), expected)
    }

    /// The finished column.
    pub(super) fn finish(mut self, file: &str) -> Result<ReadColumn> {
        self.refuse_infinite(file)?;
        if self.is_to_be_cut() {
            if self.method.is_none() && self.kind != ColumnKind::Auto {
                return Err(self.too_many_levels(MAX_NUMBERS, true));
            }
            self.cells = Cells::Numbers(self.numbers());
        }
        match self.cells {
            Cells::Numbers(numbers) => {
                let Some(method) = self.method else {
                    return continuous(self.name, numbers, self.missing, self.unknown, file);
                };
                let column = cut(self.name, &numbers, &method, self.declared, self.missing, file)?;
                Ok(ReadColumn { unknown: self.unknown, ..column })
            }
            _ => self.finish_labels(file),
        }
    }

    /// Whether the column has been read as labels, but is one of numbers with more of them than there may be, or
    /// than there are to be intervals.
    fn is_to_be_cut(&self) -> bool {
        let labels = self.levels - usize::from(self.missing_code.is_some());
        let without = if self.kind == ColumnKind::Auto { MAX_NUMERIC_LABELS } else { MAX_NUMBERS };
        let most = self.method.as_ref().map_or(without, Method::intervals);
        self.declared.is_none() && self.numeric && labels > most && !self.is_numbers()
    }

    /// Refuses an infinite number where the others are to be numbers.
    fn refuse_infinite(&self, file: &str) -> Result<()> {
        if self.kind != ColumnKind::Auto || self.numeric || self.declared.is_some() || self.is_numbers() {
            return Ok(());
        }
        let labels = || self.codes.iter().filter(|&(_, &code)| code != MISSING).map(|(label, _)| label);
        let text = |label: &[u8]| std::str::from_utf8(label).ok().map(str::to_owned);
        let parsed = |label: &[u8]| text(label).and_then(|text| text.parse::<f64>().ok());
        let infinite = labels().filter(|l| parsed(l).is_some_and(f64::is_infinite)).min();
        match infinite.and_then(|label| text(label)) {
            Some(label) if labels().all(|l| parsed(l).is_some()) => {
                let place = Place::file(file).column(&self.name);
                Err(Error::syntax(place, format!("{label:?}"), "finite numbers in a column of numbers"))
            }
            _ => Ok(()),
        }
    }

    fn is_numbers(&self) -> bool {
        matches!(self.cells, Cells::Numbers(_))
    }

    fn finish_labels(self, file: &str) -> Result<ReadColumn> {
        if let Some(declared) = self.declared {
            let missing_code = self.missing_code.filter(|_| !self.missing.keeps_gaps());
            let missing_level = missing_code.map(|_| missing_label(declared.levels()));
            let variable = match &missing_level {
                None => declared,
                Some(extra) => {
                    Variable::new(self.name, declared.levels().iter().cloned().chain([extra.clone()]))?
                }
            };
            let (column, unknown) = (self.cells.into_column(), self.unknown);
            return Ok(ReadColumn { variable, column, cuts: None, missing_level, unknown });
        }
        let mut labels: Vec<(String, u16)> = self
            .codes
            .into_iter()
            .filter(|&(_, code)| code != MISSING)
            .map(|(label, code)| {
                (String::from_utf8(label.into()).expect("checked when it was met"), code as u16)
            })
            .collect();
        labels.sort_unstable();
        let mut missing_level = None;
        let gap = self.missing_code.filter(|_| self.missing.keeps_gaps());
        if let Some(code) = self.missing_code.filter(|_| gap.is_none()) {
            let label = missing_label_among(|l| labels.binary_search_by(|(k, _)| k.as_str().cmp(l)).is_ok());
            let at = labels.partition_point(|(k, _)| *k < label);
            labels.insert(at, (label.clone(), code));
            missing_level = Some(label);
        }
        if labels.is_empty() {
            let place = Place::file(file).column(&self.name);
            return Err(Error::syntax(place, "a column without any value", "at least one value"));
        }
        // The code of a gap is the one behind the last level.
        let mut renumbered = vec![labels.len() as u16; labels.len() + usize::from(gap.is_some())];
        for (new, (_, old)) in (0..=u16::MAX).zip(&labels) {
            renumbered[usize::from(*old)] = new;
        }
        let mut column = self.cells.into_column();
        match &mut column {
            Column::Narrow(codes) => codes.iter_mut().for_each(|c| *c = renumbered[usize::from(*c)] as u8),
            Column::Wide(codes) => codes.iter_mut().for_each(|c| *c = renumbered[usize::from(*c)]),
            Column::Real(_) => unreachable!("labels have codes"),
        }
        let variable = Variable::new(self.name, labels.into_iter().map(|(label, _)| label))?;
        Ok(ReadColumn { variable, column, cuts: None, missing_level, unknown: self.unknown })
    }
}

/// The column of a continuous variable; NaN is a missing value.
fn continuous(
    name: String,
    mut numbers: Vec<f64>,
    missing: MissingPolicy,
    unknown: u64,
    file: &str,
) -> Result<ReadColumn> {
    if missing == MissingPolicy::Level && numbers.iter().any(|x| x.is_nan()) {
        let found = "a missing value in a continuous column, which has no levels";
        let expected = "a number; or these rows are dropped, or what is available is used";
        return Err(Error::syntax(Place::file(file).column(name), found, expected));
    }
    if numbers.iter().all(|x| x.is_nan()) {
        let place = Place::file(file).column(name);
        return Err(Error::syntax(place, "a column without any value", "at least one value"));
    }
    numbers.shrink_to_fit();
    // Minus nothing is nothing.
    numbers.iter_mut().for_each(|x| *x += 0.0);
    let (variable, column) = (Variable::continuous(name), Column::Real(numbers));
    Ok(ReadColumn { variable, column, cuts: None, missing_level: None, unknown })
}

impl Cells {
    fn into_column(self) -> Column {
        match self {
            Cells::Narrow(mut codes) => {
                codes.shrink_to_fit();
                Column::Narrow(codes)
            }
            Cells::Wide(mut codes) => {
                codes.shrink_to_fit();
                Column::Wide(codes)
            }
            Cells::Numbers(_) => unreachable!("numbers are cut into intervals first"),
        }
    }
}

/// Appends to a column. It grows by an eighth and not to its double, because all columns grow
/// together: the table would take twice its size.
fn append<T>(cells: &mut Vec<T>, cell: T) {
    if cells.len() == cells.capacity() {
        cells.reserve_exact(cells.len() / 8 + 1024);
    }
    cells.push(cell);
}

/// The name of the level of missing values: one that no other level has.
fn missing_label(levels: &[String]) -> String {
    missing_label_among(|l| levels.iter().any(|k| k == l))
}

pub(super) fn missing_label_among(taken: impl Fn(&str) -> bool) -> String {
    let mut label = "NA".to_owned();
    let mut number = 1;
    while taken(&label) {
        number += 1;
        label = format!("NA_{number}");
    }
    label
}
