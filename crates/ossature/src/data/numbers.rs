//! Turns a column of numbers into one of intervals.

use rustc_hash::FxHashMap;

use super::coder::ReadColumn;
use super::discretise::{interval, interval_labels};
use super::{Column, Method, MissingPolicy, Variable};
use crate::error::{Place, Result};

/// The level of missing values; no interval has this name.
const MISSING: &str = "NA";

/// Cuts numbers into intervals; NaN is a missing value.
///
/// If levels are declared, every interval that occurs must be one of them. Missing values have the
/// level `NA`, which is added after the others if necessary, unless they stay gaps.
pub(super) fn cut(
    name: String,
    numbers: &[f64],
    method: &Method,
    declared: Option<Variable>,
    missing: MissingPolicy,
    file: &str,
) -> Result<ReadColumn> {
    let mut present: Vec<f64> = numbers.iter().copied().filter(|x| !x.is_nan()).collect();
    let cuts = method.cuts(&mut present);
    let any_missing = present.len() < numbers.len();
    drop(present);

    let intervals = interval_labels(&cuts);
    let mut levels = declared.as_ref().map_or(&intervals[..], Variable::levels).to_vec();
    let gaps = any_missing && missing.keeps_gaps();
    if any_missing && !gaps && !levels.iter().any(|level| level == MISSING) {
        levels.push(MISSING.to_owned());
    }
    let variable = Variable::new(name, levels)?;
    let code: FxHashMap<&str, u16> = variable.levels().iter().map(String::as_str).zip(0..=u16::MAX).collect();
    let interval_codes: Vec<Option<u16>> = intervals.iter().map(|i| code.get(i.as_str()).copied()).collect();

    let mut codes = Vec::with_capacity(numbers.len());
    for &x in numbers {
        let place = interval(&cuts, x);
        let here = match x.is_nan() {
            true if gaps => Some(variable.cardinality() as u16),
            true => code.get(MISSING).copied(),
            false => interval_codes[place],
        };
        match here {
            Some(code) => codes.push(code),
            None => {
                let column = Place::file(file).column(variable.name());
                return Err(variable.refuse(&intervals[place], column));
            }
        }
    }
    let column = Column::from_codes(codes, variable.cardinality() + usize::from(gaps));
    let missing_level = (any_missing && !gaps).then(|| MISSING.to_owned());
    Ok(ReadColumn { variable, column, cuts: Some(cuts), missing_level, unknown: 0 })
}
