//! The words and numbers that an option takes, and how they are refused.

use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ossature::ScoreKind;
use ossature::ci::TestKind;
use ossature::data::MissingPolicy;

pub(super) fn missing_policy() -> impl TypedValueParser<Value = MissingPolicy> {
    PossibleValuesParser::new([
        PossibleValue::new("error").help("Refuse them; say how many there are and where the first one is"),
        PossibleValue::new("drop").help("Leave out the rows that have one"),
        PossibleValue::new("level").help("Make \"missing\" a level of its own, NA"),
    ])
    .map(|word| word.parse().expect("each of these words is a policy"))
}

/// One of a few words, each with its meaning.
fn words<const N: usize>(described: [(&'static str, &'static str); N]) -> PossibleValuesParser {
    PossibleValuesParser::new(described.map(|(word, help)| PossibleValue::new(word).help(help)))
}

pub(super) fn learner() -> PossibleValuesParser {
    words([
        ("h2pc", "The skeleton by HPC, then tabu inside it; the paper's learner"),
        ("mmhc", "The skeleton by MMPC, then tabu inside it"),
        ("hc", "Hill climbing without a skeleton"),
        ("tabu", "Tabu without a skeleton"),
        ("hpc", "Only the skeleton, by HPC"),
        ("mmpc", "Only the skeleton, by MMPC"),
    ])
}

pub(super) fn local_learner() -> PossibleValuesParser {
    words([
        ("hpc", "An ensemble of weak learners: finds more of a large neighbourhood"),
        ("mmpc", "Max-min parents and children"),
    ])
}

pub(super) fn restriction() -> PossibleValuesParser {
    words([
        ("hpc", "By HPC, an ensemble of weak learners"),
        ("mmpc", "By MMPC, max-min parents and children"),
        ("none", "Not at all: the search is free"),
    ])
}

pub(super) fn maximisation() -> PossibleValuesParser {
    words([
        ("tabu", "Goes on from the first summit, to structures it has not visited lately"),
        ("hc", "Hill climbing: up to the first summit"),
    ])
}

pub(super) fn underpowered() -> PossibleValuesParser {
    words([
        ("independent", "Independent, as in the paper"),
        ("skip", "Nothing: it neither separates nor connects"),
    ])
}

pub(super) fn symmetry() -> PossibleValuesParser {
    words([("and", "Both must have found it, as in the paper"), ("or", "One is enough")])
}

pub(super) fn weak_learner() -> PossibleValuesParser {
    words([("inter-iapc", "The paper's"), ("fdr-iapc", "With control of the false discovery rate")])
}

pub(super) fn score_kind() -> impl TypedValueParser<Value = ScoreKind> {
    let described = |kind: ScoreKind| {
        let value = PossibleValue::new(kind.name()).help(match kind {
            ScoreKind::Bdeu => "Bayesian Dirichlet with an equivalent uniform prior; the paper's score",
            ScoreKind::Bic => "Likelihood less half the parameters times ln(rows)",
            ScoreKind::Aic => "Likelihood less the parameters",
            ScoreKind::LogLik => "Likelihood alone: more arcs never score less",
            ScoreKind::K2 => "Bayesian Dirichlet with one imaginary row for each cell",
            ScoreKind::Bds => "BDeu with the prior on the parent configurations that occur",
            ScoreKind::Bdj => "Bayesian Dirichlet with Jeffreys' prior",
        });
        if kind == ScoreKind::Bdeu { value.alias("bde") } else { value }
    };
    PossibleValuesParser::new(ScoreKind::ALL.map(described))
        .map(|word| word.parse().expect("each of these words is a score"))
}

pub(super) fn test_kind() -> impl TypedValueParser<Value = TestKind> {
    let described = |kind: TestKind| {
        PossibleValue::new(kind.name()).help(match kind {
            TestKind::Mi => "G², the mutual information times twice the rows",
            TestKind::MiAdf => "G² with degrees of freedom adjusted to what occurs; the paper's test",
            TestKind::X2 => "Pearson's X²",
            TestKind::X2Adf => "Pearson's X² with adjusted degrees of freedom",
            TestKind::MiSh => "G² of a shrunk table",
            TestKind::McMi => "G², p from random tables (uses --seed)",
            TestKind::SpMi => "G², degrees of freedom from random tables (uses --seed)",
        })
    };
    PossibleValuesParser::new(TestKind::ALL.map(described))
        .map(|word| word.parse().expect("each of these words is a test"))
}

pub(super) fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|p| *p > 0.0 && *p < 1.0);
    number.ok_or_else(|| "it must be a number between 0 and 1".into())
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.char_indices().next_back() {
        Some((at, 's')) => (&text[..at], 1.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 'h')) => (&text[..at], 3600.0),
        _ => (text, 1.0),
    };
    let seconds = number.parse::<f64>().ok().map(|n| n * unit).filter(|&s| s > 0.0);
    seconds
        .and_then(|s| Duration::try_from_secs_f64(s).ok())
        .ok_or_else(|| "a time is a positive number of seconds, or of minutes (5m) or hours (1.5h)".into())
}

/// The range for which a score is exact; see `ScoreSettings`.
pub(super) fn sample_size(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|n| (1e-9..=1e9).contains(n));
    number.ok_or_else(|| "it must be a number from 1e-9 to 1e9".into())
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
        for bad in ["", "m", "0", "-3", "1d", "nan", "inf", "1e300h", "µ"] {
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
