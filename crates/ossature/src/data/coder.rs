//! One column while it is being read: labels become codes at once, numbers wait for their
//! intervals.
//!
//! A label is coded by its first appearance, in one byte until the column has more than 256 levels;
//! when all rows are read, the codes are renumbered in place, in bytewise order of the labels. So
//! the text of a label is kept once, however many rows have it. A value is looked up first and
//! stored later, because its row may turn out to be left out.

mod beside;
mod finish;
mod labels;
mod room;

use std::sync::Arc;

use rustc_hash::FxHashSet;

pub(super) use self::finish::missing_label_among;
pub(super) use self::labels::Field;
use self::labels::LabelCodes;
pub(super) use self::room::make_room;
use self::room::{append, widened};
use super::discretise::number;
use super::variable::excerpt;
use super::{Column, MAX_LEVELS, Method, MissingPolicy, Variable};
use crate::error::{Error, Place, Result};

/// More levels than this are refused if all of them are numbers.
pub(super) const MAX_NUMBERS: usize = 256;

/// A column with at most this many distinct numbers may just as well have levels.
pub(super) const MAX_NUMERIC_LABELS: usize = 10;

/// Replaces the code of a label that means a missing value.
const MISSING: u32 = u32::MAX;

/// The labels that stand for a missing value, unless they are declared levels of their column.
pub(super) type MissingTokens = Arc<FxHashSet<Vec<u8>>>;

/// What a field turned out to be.
#[derive(Clone, Copy)]
pub(super) enum Seen {
    /// A known level.
    Level(u16),
    /// A number of a column that is cut into intervals.
    Number(f64),
    /// A missing value.
    Missing,
    /// None of the declared levels, if such a field counts as missing.
    Unknown,
    /// A label that is new to this column.
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
    /// How to cut the column, because it was named or if it turns out to be numeric.
    method: Option<Method>,
    /// Codes of the labels so far, and of those labels so far that mean a missing value.
    codes: LabelCodes,
    tokens: MissingTokens,
    /// The number of levels so far, including that of missing values.
    levels: usize,
    /// The code of missing values, once there is one.
    missing_code: Option<u16>,
    /// Whether every label so far is a number.
    numeric: bool,
    /// Whether an unknown field counts as missing, and how many did.
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

/// The kind of values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    /// Labels.
    Labels,
    /// Numbers.
    Continuous,
    /// Numbers of rows.
    Weights,
    /// Numbers by their type, unless the options say otherwise.
    Floats,
    /// Numbers if all values are numbers, with more than [`MAX_NUMERIC_LABELS`] distinct ones.
    Auto,
}

/// A column that has been read.
pub(super) struct ReadColumn {
    pub(super) variable: Variable,
    pub(super) column: Column,
    /// The cuts, if it was cut into intervals.
    pub(super) cuts: Option<Vec<f64>>,
    /// The level of missing values, if there are any.
    pub(super) missing_level: Option<String>,
    /// The number of fields that counted as missing because they were unknown.
    pub(super) unknown: u64,
}

/// How to read a column.
pub(super) struct Plan {
    pub(super) name: String,
    pub(super) declared: Option<Variable>,
    /// The method requested for this column by name.
    pub(super) named: Option<Method>,
    /// The method for every column that turns out to be numeric.
    pub(super) every: Option<Method>,
    /// Whether an unknown field counts as missing.
    pub(super) unknown_as_missing: bool,
    /// The kind of its values.
    pub(super) kind: ColumnKind,
    /// How missing values are treated.
    pub(super) missing: MissingPolicy,
}

impl Coder {
    pub(super) fn new(plan: Plan, tokens: MissingTokens) -> Coder {
        let Plan { name, declared, named, every, unknown_as_missing, kind, missing } = plan;
        // Who says how to cut the column or which levels it has does not want its numbers.
        let said = named.is_some() || every.is_some() || declared.is_some();
        let kind = match kind {
            ColumnKind::Continuous if named.is_some() => ColumnKind::Labels,
            ColumnKind::Auto | ColumnKind::Floats if said => ColumnKind::Labels,
            ColumnKind::Floats => ColumnKind::Continuous,
            kind => kind,
        };
        let numbers = matches!(kind, ColumnKind::Continuous | ColumnKind::Weights);
        let declared = declared.filter(|_| !numbers);
        let mut codes = LabelCodes::default();
        let mut levels = 0;
        let mut cells = Cells::Narrow(Vec::new());
        if named.is_some() || numbers {
            // Declared levels, if any, are then names of intervals and not labels in the file.
            cells = Cells::Numbers(Vec::new());
        } else if let Some(variable) = &declared {
            levels = variable.cardinality();
            (0..).zip(variable.levels()).for_each(|(code, label)| codes.add(label.as_bytes(), code));
            if levels > 256 {
                cells = Cells::Wide(Vec::new());
            }
        }
        let method = named.or(every.filter(|_| declared.is_none()));
        Coder {
            name,
            declared,
            method,
            codes,
            tokens,
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

    /// Classifies a field; `None` is a null of a file format that has them.
    ///
    /// Whether it is missing does not depend on what came before.
    #[inline]
    pub(super) fn look(&mut self, field: Option<Field<'_>>) -> Seen {
        let Some(field) = field else { return Seen::Missing };
        match self.codes.find(field) {
            Some(MISSING) => Seen::Missing,
            Some(code) => Seen::Level(code as u16),
            None => self.look_closely(field.bytes()),
        }
    }

    /// Stores a field of the next row if it is a known level; returns which one.
    #[inline(always)]
    pub(super) fn store_known(&mut self, field: Field<'_>) -> Option<u16> {
        let code = self.codes.find(field).filter(|&code| code != MISSING)?;
        self.push(code as u16);
        Some(code as u16)
    }

    fn look_closely(&mut self, field: &[u8]) -> Seen {
        if self.tokens.contains(field) {
            self.codes.add(field, MISSING);
            return Seen::Missing;
        }
        let number = || std::str::from_utf8(field).ok().and_then(number);
        match self.is_numbers().then(number).flatten() {
            Some(number) => Seen::Number(number),
            None => self.new_field(),
        }
    }

    /// Whether every finite number is a value of the column, and none means a missing value.
    #[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "text has no numbers"))]
    pub(super) fn takes_numbers(&self) -> bool {
        let is_number = |token: &Vec<u8>| std::str::from_utf8(token).is_ok_and(|t| number(t).is_some());
        self.is_numbers() && !self.tokens.iter().any(is_number)
    }

    fn new_field(&self) -> Seen {
        if self.unknown_as_missing { Seen::Unknown } else { Seen::New }
    }

    /// Stores a classified field as the value of the next row.
    ///
    /// `place` gives the position of a column of this name in the row, if it is needed.
    pub(super) fn store(
        &mut self,
        seen: Seen,
        field: Option<Field<'_>>,
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
            Seen::New => self.push_new(field.map_or(&[], |field| field.bytes()), place)?,
        }
        Ok(())
    }

    /// Stores the code of a level as the value of the next row.
    #[inline(always)]
    pub(super) fn push(&mut self, code: u16) {
        match &mut self.cells {
            Cells::Narrow(codes) => match u8::try_from(code) {
                Ok(code) => append(codes, code),
                Err(_) => {
                    let mut wide = widened(codes);
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

    /// Stores a new label, or returns why it cannot be one.
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
        self.codes.add(label, u32::from(code));
        self.push(code);
        Ok(())
    }

    fn next_code(&mut self) -> u16 {
        self.levels += 1;
        u16::try_from(self.levels - 1).expect("at most 65,536 levels")
    }

    /// Handles more labels than codes: numbers that will be cut into intervals do not need codes,
    /// everything else is refused.
    fn overflow(&mut self) -> Result<()> {
        if !self.numeric || self.declared.is_some() {
            return Err(self.too_many_levels(MAX_LEVELS, false));
        }
        if self.method.is_none() && self.kind != ColumnKind::Auto {
            return Err(self.too_many_levels(MAX_NUMBERS, true));
        }
        self.cells = Cells::Numbers(self.numbers());
        self.codes.clear();
        Ok(())
    }

    /// The numbers that the codes so far stand for.
    fn numbers(&self) -> Vec<f64> {
        let mut values = vec![f64::NAN; self.levels];
        for (label, code) in self.codes.iter() {
            if code != MISSING {
                let text = std::str::from_utf8(&label).expect("checked when it was met");
                values[code as usize] = number(text).expect("a numeric column");
            }
        }
        match &self.cells {
            Cells::Narrow(codes) => codes.iter().map(|&c| values[usize::from(c)]).collect(),
            Cells::Wide(codes) => codes.iter().map(|&c| values[usize::from(c)]).collect(),
            Cells::Numbers(numbers) => numbers.clone(),
        }
    }

    /// Sets its cuts.
    pub(super) fn cut_at(&mut self, cuts: Vec<f64>) {
        self.cells = Cells::Numbers(self.numbers());
        self.method = Some(Method::Cuts(cuts));
    }

    fn too_many_levels(&self, limit: usize, numeric: bool) -> Error {
        let identifier = numeric && self.is_identifier();
        Error::TooManyLevels { column: self.name.clone(), limit, numeric, identifier }
    }

    /// Whether every row so far has a different whole number.
    fn is_identifier(&self) -> bool {
        let whole = |label: &[u8]| std::str::from_utf8(label).is_ok_and(|text| text.parse::<i64>().is_ok());
        let rows = match &self.cells {
            Cells::Narrow(codes) => codes.len(),
            Cells::Wide(codes) => codes.len(),
            Cells::Numbers(_) => return false,
        };
        let mut labels = self.codes.iter().filter(|&(_, code)| code != MISSING);
        self.levels == rows && labels.all(|(label, _)| whole(&label))
    }

    fn not_a_number(&self, text: &str, place: Place) -> Error {
        // Without codes for its levels the column was taken for numeric, as all that came before is.
        if self.levels == MAX_LEVELS {
            return self.too_many_levels(MAX_LEVELS, false);
        }
        let expected = match self.kind {
            ColumnKind::Weights => "a whole number, as the column has the weights of the rows",
            ColumnKind::Continuous => "a finite number, as the column is continuous",
            _ => "a finite number, as the column is discretised",
        };
        Error::syntax(place, format!("{:?}", excerpt(text)), expected)
    }

    pub(super) fn is_numbers(&self) -> bool {
        matches!(self.cells, Cells::Numbers(_))
    }
}
