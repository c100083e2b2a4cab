//! The results for some targets as text for sending: JSON with whole numbers only.

use serde::{Deserialize, Serialize};

use super::{PartFound, RoundsFound};
use crate::ci::{Evidence, Outcome, Separation, Tally};
use crate::data::{Var, VarSet};
use crate::error::{Error, Result};
use crate::halves::Finding;

/// A set of variables, whether the test had power, and its outcome if known.
type SeparationText = (Vec<u32>, bool, Option<(u64, u64, Option<u64>)>);
/// The sets, and the separations.
type FindingText = (Vec<Vec<u32>>, Vec<(u32, SeparationText)>);
/// Two variables and what separated them.
type EvidenceText = Vec<(u32, u32, SeparationText)>;

#[derive(Serialize, Deserialize)]
struct PartText {
    targets: Vec<u32>,
    found: Vec<FindingText>,
    noted: EvidenceText,
    tests: Tally,
}

#[derive(Serialize, Deserialize)]
struct RoundsText {
    rounds: Vec<Vec<FindingText>>,
    noted: EvidenceText,
    tests: Tally,
    seconds: u64,
}

impl PartFound {
    /// The same as text.
    pub fn to_text(&self) -> String {
        let PartFound { targets, found, noted, tests } = self;
        write(&PartText {
            targets: numbers(targets.iter().copied()),
            found: found.iter().map(of_finding).collect(),
            noted: of_evidence(noted),
            tests: tests.clone(),
        })
    }

    /// What was written by [`to_text`](PartFound::to_text).
    pub fn from_text(text: &str) -> Result<PartFound> {
        let PartText { targets, found, noted, tests } = read(text)?;
        let targets = targets.into_iter().map(Var).collect();
        let found = found.into_iter().map(finding).collect();
        Ok(PartFound { targets, found, noted: evidence(noted), tests })
    }
}

impl RoundsFound {
    /// The same as text.
    pub fn to_text(&self) -> String {
        let RoundsFound { rounds, noted, tests, seconds } = self;
        write(&RoundsText {
            rounds: rounds.iter().map(|round| round.iter().map(of_finding).collect()).collect(),
            noted: of_evidence(noted),
            tests: tests.clone(),
            seconds: seconds.to_bits(),
        })
    }

    /// What was written by [`to_text`](RoundsFound::to_text).
    pub fn from_text(text: &str) -> Result<RoundsFound> {
        let RoundsText { rounds, noted, tests, seconds } = read(text)?;
        let rounds = rounds.into_iter().map(|round| round.into_iter().map(finding).collect());
        let (rounds, noted) = (rounds.collect(), evidence(noted));
        Ok(RoundsFound { rounds, noted, tests, seconds: f64::from_bits(seconds) })
    }
}

fn write(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("lists of whole numbers can be written")
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T> {
    serde_json::from_str(text).map_err(|e| Error::Mismatch {
        what: format!("what was found about targets cannot be read ({e})"),
        accepted: "text written by this version is needed".into(),
    })
}

fn numbers(vars: impl IntoIterator<Item = Var>) -> Vec<u32> {
    vars.into_iter().map(|v| v.0).collect()
}

fn of_separation(separation: &Separation) -> SeparationText {
    let Separation { given, outcome, has_power } = separation;
    (numbers(given.iter().copied()), *has_power, outcome.as_ref().map(Outcome::to_bits))
}

fn separation((given, has_power, outcome): SeparationText) -> Separation {
    let outcome = outcome.map(|bits| Outcome::from_bits(bits, has_power));
    Separation { given: given.into_iter().map(Var).collect(), outcome, has_power }
}

fn of_finding(finding: &Finding) -> FindingText {
    let separated = finding.separated.iter().map(|(y, by)| (y.0, of_separation(by)));
    (finding.sets.iter().map(|set| numbers(set.iter())).collect(), separated.collect())
}

fn finding((sets, separated): FindingText) -> Finding {
    let set = |members: Vec<u32>| members.into_iter().map(Var).collect::<VarSet>();
    let separated = separated.into_iter().map(|(y, by)| (Var(y), separation(by)));
    Finding { sets: sets.into_iter().map(set).collect(), separated: separated.collect() }
}

fn of_evidence(evidence: &Evidence) -> EvidenceText {
    evidence.iter().map(|(x, y, by)| (x.0, y.0, of_separation(by))).collect()
}

fn evidence(text: EvidenceText) -> Evidence {
    Evidence::of(text.into_iter().map(|(x, y, by)| (Var(x), Var(y), separation(by))))
}
