//! The words and numbers that an option takes, and how they are refused.

use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use ossature::data::MissingPolicy;
use ossature::infer::Unseen;

pub(super) fn missing_policy() -> impl TypedValueParser<Value = MissingPolicy> {
    PossibleValuesParser::new([
        PossibleValue::new("error").help("Refuse them; report their number and the place of the first"),
        PossibleValue::new("drop").help("Leave out rows with missing values"),
        PossibleValue::new("level").help("Make \"missing\" a separate level, NA"),
        PossibleValue::new("available")
            .help("For each test and family, use the rows complete in its variables"),
        PossibleValue::new("em").help("Use expected counts, for score-based learners and for fit"),
    ])
    .map(|word| word.parse().expect("each of these words is a policy"))
}

/// The named priors of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PriorWord {
    Bdeu,
    Backoff,
}

pub(super) fn prior() -> impl TypedValueParser<Value = PriorWord> {
    PossibleValuesParser::new([
        PossibleValue::new("bdeu")
            .help("A few imaginary rows, spread evenly over the table; --iss gives their number"),
        PossibleValue::new("backoff")
            .help("The table shrinks towards those of fewer parents, as in the score bdh"),
    ])
    .map(|word| if word == "bdeu" { PriorWord::Bdeu } else { PriorWord::Backoff })
}

pub(super) fn unseen() -> impl TypedValueParser<Value = Unseen> {
    PossibleValuesParser::new([
        PossibleValue::new("error").help("Refuse the rows, and report the place of the level"),
        PossibleValue::new("missing")
            .help("Treat the field as missing, and report the number of such fields"),
    ])
    .map(|word| word.parse().expect("each of these words is a way"))
}

pub(super) fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|p| *p > 0.0 && *p < 1.0);
    number.ok_or_else(|| "it must be a number between 0 and 1".into())
}

/// A whole number of at least `from`.
pub(super) fn count<N: TryFrom<u64> + Clone + Send + Sync + 'static>(from: u64) -> ValueParser {
    count_to::<N>(from, u64::MAX)
}

/// A whole number from `from` to `to`, or to what the type holds.
pub(super) fn count_to<N: TryFrom<u64> + Clone + Send + Sync + 'static>(from: u64, to: u64) -> ValueParser {
    ValueParser::from(move |text: &str| {
        let whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse::<u64>().ok().filter(|_| whole);
        if let Some(number) = number.filter(|number| (from..=to).contains(number))
            && let Ok(number) = N::try_from(number)
        {
            return Ok(number);
        }
        // A number that is too large, and not just no number.
        let expected = match (to, whole && number.is_none_or(|number| number >= from)) {
            (u64::MAX, false) => format!("a whole number of at least {from}"),
            (u64::MAX, true) => "a smaller whole number".to_owned(),
            (to, _) => format!("a whole number from {from} to {to}"),
        };
        Err(format!("expected {expected}, found {text}"))
    })
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    let with_unit = |&(unit, seconds): &(&str, f64)| Some((text.strip_suffix(unit)?, seconds));
    let (number, unit) = units.iter().find_map(with_unit).unwrap_or((text, 1.0));
    let seconds = number.parse::<f64>().ok().map(|n| n * unit).filter(|&s| s > 0.0);
    seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).ok_or_else(|| {
        "a time is a positive number of seconds, or of milliseconds (500ms), minutes (5m) or hours (1.5h)"
            .into()
    })
}

/// The range for which a score is exact; see `ScoreSettings`.
pub(super) fn sample_size(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|n| (1e-9..=1e9).contains(n));
    number.ok_or_else(|| "it must be a number from 1e-9 to 1e9".into())
}

/// The range of arc prices; see `ScoreSettings`.
pub(super) fn arc_price(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|n| (0.0..=1e6).contains(n));
    number.ok_or_else(|| "it must be a number from 0 to 1e6".into())
}

pub(super) fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|n| n.is_finite() && *n > 0.0);
    number.ok_or_else(|| "it must be a number above 0".into())
}

pub(super) fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"\\t" => Ok(b'\t'),
        [b] if b.is_ascii() && !b.is_ascii_alphanumeric() && !b"\"\r\n\0".contains(b) => Ok(*b),
        _ => Err("it must be one character such as ; or | (\\t for a tab)".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_numbers_with_a_unit() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        for bad in ["", "m", "ms", "5 ms", "0ms", "0", "-3", "1d", "nan", "inf", "1e300h", "µ"] {
            assert!(duration(bad).is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn a_delimiter_is_one_byte_that_is_not_part_of_a_label() {
        assert_eq!(delimiter(";"), Ok(b';'));
        assert_eq!(delimiter("\\t"), Ok(b'\t'));
        for bad in ["", ";;", "a", "\"", "é"] {
            assert!(delimiter(bad).is_err(), "{bad:?} was accepted");
        }
    }
}
