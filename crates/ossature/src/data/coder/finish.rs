//! A column when all its rows are read: labels are renumbered in order, numbers are cut, or stay numbers.

use super::{Cells, Coder, ColumnKind, MAX_NUMBERS, MAX_NUMERIC_LABELS, MISSING, ReadColumn};
use crate::data::numbers::cut;
use crate::data::{Column, Method, MissingPolicy, Variable};
use crate::error::{Error, Place, Result};

impl Coder {
    /// The finished column.
    pub(in crate::data) fn finish(mut self, file: &str) -> Result<ReadColumn> {
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

    /// Whether the column was read as labels but holds numbers, with more distinct ones than labels allow or
    /// than the requested intervals.
    pub(super) fn is_to_be_cut(&self) -> bool {
        let labels = self.levels - usize::from(self.missing_code.is_some());
        let without = if self.kind == ColumnKind::Auto { MAX_NUMERIC_LABELS } else { MAX_NUMBERS };
        let most = self.method.as_ref().map_or(without, Method::intervals);
        self.declared.is_none() && self.numeric && labels > most && !self.is_numbers()
    }

    /// Refuses an infinite number in a column of numbers.
    fn refuse_infinite(&self, file: &str) -> Result<()> {
        if self.kind != ColumnKind::Auto || self.numeric || self.declared.is_some() || self.is_numbers() {
            return Ok(());
        }
        let labels = || self.codes.iter().filter(|&(_, code)| code != MISSING).map(|(label, _)| label);
        let text = |label: &[u8]| std::str::from_utf8(label).ok().map(str::to_owned);
        let parsed = |label: &[u8]| text(label).and_then(|text| text.parse::<f64>().ok());
        let infinite = labels().filter(|l| parsed(l).is_some_and(f64::is_infinite)).min();
        match infinite.and_then(|label| text(&label)) {
            Some(label) if labels().all(|l| parsed(&l).is_some()) => {
                let place = Place::file(file).column(&self.name);
                Err(Error::syntax(place, format!("{label:?}"), "finite numbers in a column of numbers"))
            }
            _ => Ok(()),
        }
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
            .iter()
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
            Column::Narrow(codes) => {
                let mut narrow = [0; 256];
                narrow.iter_mut().zip(&renumbered).for_each(|(to, &code)| *to = code as u8);
                codes.iter_mut().for_each(|c| *c = narrow[usize::from(*c)]);
            }
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
        let expected = "a number; or drop these rows, or use the available values";
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

/// The name of the level of missing values, different from all other levels.
fn missing_label(levels: &[String]) -> String {
    missing_label_among(|l| levels.iter().any(|k| k == l))
}

/// The first of `NA`, `NA_2`, `NA_3`, … that is not taken.
pub(in crate::data) fn missing_label_among(taken: impl Fn(&str) -> bool) -> String {
    let mut label = "NA".to_owned();
    let mut number = 1;
    while taken(&label) {
        number += 1;
        label = format!("NA_{number}");
    }
    label
}
