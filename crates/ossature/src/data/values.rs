//! Typed values as they would appear in a text file.
//!
//! The conversion is written by hand, because the crate that converts any type into any other is a fifth of the
//! build. Most columns have few distinct values, and each becomes text once.

use std::fmt::{Display, Write};

use rustc_hash::FxHashMap;

use super::coder::{Field, Seen};
use super::intake::Intake;

/// The largest number of cached numbers, and the number of those found without a hash, by their last bits.
const KNOWN: usize = 1 << 12;
const RECENT: usize = 1 << 6;

/// Takes a value if it is a known level. A column that has become numeric no longer has levels.
#[inline]
pub(super) fn take_known(intake: &mut Intake<'_>, row: usize, known: Option<Seen>) -> bool {
    let level = known.filter(|known| matches!(known, Seen::Level(_)) && !intake.coder.is_numbers());
    level.inspect(|&seen| intake.take_seen(row, seen, None)).is_some()
}

/// Takes texts; the first one belongs to row `before`.
pub(super) fn take_texts<'t>(
    intake: &mut Intake<'_>,
    before: usize,
    texts: impl Iterator<Item = Option<&'t [u8]>>,
) {
    for (row, text) in (before..).zip(texts) {
        intake.take(row, text.map(Field::of));
    }
}

/// Takes booleans.
pub(super) fn take_booleans(
    intake: &mut Intake<'_>,
    before: usize,
    values: impl Iterator<Item = Option<bool>>,
) {
    take_texts(intake, before, values.map(|value| value.map(|value| boolean_text(value).as_bytes())));
}

/// Takes whole numbers, of which `bits` makes keys.
pub(super) fn take_whole<N: Copy + Display>(
    intake: &mut Intake<'_>,
    before: usize,
    numbers: impl Iterator<Item = Option<N>>,
    bits: impl Fn(N) -> u64,
) {
    let mut known: FxHashMap<u64, Seen> = FxHashMap::default();
    let mut recent: [(u64, Option<Seen>); RECENT] = [(0, None); RECENT];
    let mut text = String::new();
    for (row, number) in (before..).zip(numbers) {
        let Some(number) = number else {
            intake.take(row, None);
            continue;
        };
        let key = bits(number);
        let recent = &mut recent[key as usize % RECENT];
        if recent.0 != key {
            *recent = (key, known.get(&key).copied());
        }
        if take_known(intake, row, recent.1) {
            continue;
        }
        text.clear();
        write!(text, "{number}").expect("a text takes all writes");
        let seen = intake.take(row, Some(Field::of(text.as_bytes())));
        *recent = (key, Some(seen));
        if known.len() < KNOWN {
            known.insert(key, seen);
        }
    }
}

/// Takes floats of single or half precision: they have the value that their shortest text has.
pub(super) fn take_singles(
    intake: &mut Intake<'_>,
    before: usize,
    numbers: impl Iterator<Item = Option<f32>>,
) {
    for (row, number) in (before..).zip(numbers) {
        let text = number.map(single_text);
        intake.take(row, text.as_ref().map(|text| Field::of(text.as_bytes())));
    }
}

/// Takes floats of double precision.
pub(super) fn take_doubles(
    intake: &mut Intake<'_>,
    before: usize,
    numbers: impl Iterator<Item = Option<f64>>,
) {
    let directly = intake.coder.takes_numbers();
    for (row, number) in (before..).zip(numbers) {
        match number {
            Some(x) if directly && x.is_finite() => intake.take_seen(row, Seen::Number(x + 0.0), None),
            other => {
                let text = other.map(double_text);
                intake.take(row, text.as_ref().map(|text| Field::of(text.as_bytes())));
            }
        }
    }
}

/// A boolean as text.
pub(super) fn boolean_text(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

/// A float of single precision as text. Minus nothing is nothing.
pub(super) fn single_text(x: f32) -> String {
    format!("{:?}", x + 0.0)
}

/// A float of double precision as text. Minus nothing is nothing.
pub(super) fn double_text(x: f64) -> String {
    format!("{:?}", x + 0.0)
}
