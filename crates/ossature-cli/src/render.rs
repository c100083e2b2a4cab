//! Results as text for people and as JSON for programs.

use std::io::{self, Write};
use std::time::Duration;

use ossature::ci::Tally;
use ossature::text::{is_harmful, visible};
pub(crate) use ossature::text::{listed, thousands};
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table with aligned columns, two spaces apart, and no space at the end of a line.
pub(crate) fn table(align: &[Align], rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| visible(cell)).collect()).collect();
    let width = |column: usize| rows.iter().map(|r| r[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..align.len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).zip(align).map(|((cell, &width), align)| match align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// One JSON value on one line, in which no name can steer a terminal.
pub(crate) fn json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, Harmless))?;
    out.write_all(b"\n")
}

/// JSON in which every harmful character is written as an escape.
struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|&(_, c)| is_harmful(c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

/// A number of things: `1 row`, `1,000 rows`.
pub(crate) fn count(number: impl Into<u128>, thing: &str) -> String {
    let number = number.into();
    format!("{} {thing}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// Numbers from here on have no digits to show after the point, and are shown by their magnitude.
const LONG: f64 = 1e15;

/// A number with commas and `digits` digits after the point; a very long one with two digits and its magnitude.
pub(crate) fn decimal(number: f64, digits: usize) -> String {
    if number.abs() >= LONG {
        return format!("{number:.1e}");
    }
    let text = format!("{:.digits$}", number.abs());
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), None), |(w, f)| (w, Some(f)));
    let sign = if number < 0.0 { "-" } else { "" };
    let whole = whole.parse::<u64>().map_or(whole.to_owned(), thousands);
    fraction.map_or(format!("{sign}{whole}"), |f| format!("{sign}{whole}.{f}"))
}

/// A number as it is, with commas.
pub(crate) fn plain(number: f64) -> String {
    let digits = number.to_string().split_once('.').map_or(0, |(_, fraction)| fraction.len());
    decimal(number, digits)
}

/// The number of tests.
pub(crate) fn tests(tally: &Tally) -> String {
    let Tally { asked, computed, without_power, .. } = tally;
    format!(
        "{} asked, {} computed, {} without power",
        thousands(*asked),
        thousands(*computed),
        thousands(*without_power)
    )
}

/// A time in seconds, to the hundredth if it is short; below a hundredth in milliseconds.
pub(crate) fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        0.0 => "0 s".into(),
        s if s < 1e-5 => format!("{} ms", one_digit(s * 1e3)),
        s if s < 0.01 => format!("{:.2} ms", s * 1e3),
        s if s < 10.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}

/// A small number with the first of its digits.
fn one_digit(number: f64) -> String {
    let digits = (-number.log10()).ceil().max(0.0) as usize;
    format!("{number:.digits$}")
}

/// An estimated time, rounded to a sensible number of digits.
pub(crate) fn rough_time(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// A p-value that stays readable if it is tiny, even below what a double can hold.
pub(crate) fn p_value(p: f64, ln_p: f64) -> String {
    if p >= 1e-4 {
        format!("{p:.4}")
    } else if p >= f64::MIN_POSITIVE {
        format!("{p:.2e}")
    } else {
        format!("10^{:.0}", ln_p / std::f64::consts::LN_10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["a", "1"], ["beta", "10"]].map(|r| r.map(String::from).to_vec());
        assert_eq!(table(&[Align::Left, Align::Right], &rows), "a      1\nbeta  10\n");
    }

    #[test]
    fn json_cannot_steer_a_terminal() {
        let mut out = Vec::new();
        json(&["a\u{9b}2J\u{202e}\u{2028}\u{7f}é\"\n"], &mut out).unwrap();
        assert_eq!(out, "[\"a\\u009b2J\\u202e\\u2028\\u007fé\\\"\\n\"]\n".as_bytes());
        let back: Vec<String> = serde_json::from_slice(&out).unwrap();
        assert_eq!(back, ["a\u{9b}2J\u{202e}\u{2028}\u{7f}é\"\n"]);
    }

    #[test]
    fn a_short_time_is_not_nothing() {
        let shown = |s: f64| seconds(Duration::from_secs_f64(s));
        assert_eq!(["0 s", "0.001 ms", "0.000002 ms"], [shown(0.0), shown(1e-6), shown(2e-9)]);
        assert_eq!(["0.02 ms", "9.99 ms", "0.01 s"], [shown(2e-5), shown(0.00999), shown(0.01)]);
        assert_eq!(["9.50 s", "12 s"], [shown(9.5), shown(12.4)]);
    }

    #[test]
    fn tiny_p_values_are_readable() {
        assert_eq!(p_value(0.04217, 0.04217f64.ln()), "0.0422");
        assert_eq!(p_value(1.234e-17, 1.234e-17f64.ln()), "1.23e-17");
        assert_eq!(p_value(0.0, -500_000.0), "10^-217147");
    }

    #[test]
    fn long_numbers_are_easy_to_read() {
        assert_eq!([count(1u32, "row"), count(0u32, "row")], ["1 row", "0 rows"]);
        assert_eq!(decimal(-47123.456, 2), "-47,123.46");
        assert_eq!(decimal(999.999, 1), "1,000.0");
        assert_eq!(decimal(0.0, 2), "0.00");
        assert_eq!([plain(10.0), plain(0.25), plain(1e9)], ["10", "0.25", "1,000,000,000"]);
        assert_eq!(decimal(-2f64.powi(130), 4), "-1.4e39");
        assert_eq!(decimal(f64::NEG_INFINITY, 4), "-inf");
    }
}
