//! The pair of learners that the paper compares, and how a study differs from the paper's.
//!
//! The paper's claims are checked for any H2PC and MMHC, on any grid; so a report must name the two and
//! list the differences from the paper.

use ossature::learn::Catalogue;

use crate::learner::{LearnerFacts, NamedLearner, changed_settings};
use crate::manifest::{Manifest, NetworkFacts};
use crate::paper;
use crate::plan::Study;
use crate::report::text::count;

/// The learner to compare with, if the first is H2PC and that one is MMHC; of several, the one with the
/// paper's settings.
pub(crate) fn paper_pair(manifest: &Manifest) -> Option<&str> {
    let (first, others) = manifest.learners.split_first()?;
    let mut candidates = others.iter().filter(|l| l.learner() == "mmhc");
    let any = candidates.clone().next()?;
    let other = candidates.find(|l| changes(l).is_empty()).unwrap_or(any);
    (first.learner() == "h2pc").then_some(other.name.as_str())
}

/// How a study that compares the paper's pair differs from the paper's, in words.
pub(crate) fn deviations(manifest: &Manifest) -> Vec<String> {
    let paper = Study::default();
    let mut found = Vec::new();
    let is_paper = |n: &NetworkFacts| in_paper(n).is_some();
    let theirs = manifest.networks.iter().filter(|n| is_paper(n)).count();
    if theirs < paper.networks.len() {
        found.push(format!("{theirs} of its {} networks", paper.networks.len()));
    }
    let more: Vec<&str> =
        manifest.networks.iter().filter(|n| !is_paper(n)).map(|n| n.name.as_str()).collect();
    if !more.is_empty() {
        found.push(format!("networks that it does not have ({})", more.join(", ")));
    }
    let mut sizes = manifest.sizes.clone();
    sizes.sort_unstable();
    if sizes != paper.sizes {
        let list = |sizes: &[usize]| sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        found.push(format!("samples of {} rows, not {}", list(&sizes), list(&paper.sizes)));
    }
    if manifest.samples != paper.samples {
        found.push(format!("{} of each, not {}", count(manifest.samples, "sample"), paper.samples));
    }
    if manifest.new_rows != paper.new_rows {
        found.push(format!("new data of {} rows, not {}", manifest.new_rows, paper.new_rows));
    }
    let other = paper_pair(manifest);
    let others = manifest.learners.iter().skip(1).filter(|l| Some(l.name.as_str()) == other);
    found.extend(manifest.learners.iter().take(1).chain(others).flat_map(changes));
    found
}

/// The settings of an H2PC or MMHC that differ from the paper's. The seed is not a setting of the paper, and
/// the paper does not mention ties: the report does.
fn changes(learner: &LearnerFacts) -> Vec<String> {
    let Ok(paper) = NamedLearner::of(learner.learner(), Study::PRESET, &Catalogue::standard()) else {
        return Vec::new();
    };
    changed_settings(&LearnerFacts::from(&paper), learner)
        .into_iter()
        .filter(|(key, ..)| !["seed", "tie-orders"].contains(&key.as_str()))
        .map(|(key, paper, here)| format!("{key} of {} is {here}, not {paper}", learner.name))
        .collect()
}

/// The name of a network in the paper. A file may have the same name and a different network.
fn in_paper(network: &NetworkFacts) -> Option<&str> {
    let known = paper::TABLE_1.iter().any(|(name, _)| *name == network.name);
    (network.embedded && known).then_some(network.name.as_str())
}

/// The entry of the paper's Table 2 for a network or for all of the study, with its standard deviation if
/// there is one, if the study compares the same learners.
pub(crate) fn paper_time(
    manifest: &Manifest,
    other: &str,
    network: Option<&str>,
    size: usize,
) -> Option<(f64, Option<f64>)> {
    if paper_pair(manifest) != Some(other) {
        return None;
    }
    let asked = manifest.networks.iter().filter(|n| network.is_none_or(|name| n.name == name));
    let names = asked.map(in_paper).collect::<Option<Vec<&str>>>()?;
    paper::time(&names, size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::example;

    #[test]
    fn the_mmhc_of_the_paper_is_preferred() {
        let (mut manifest, _) = example(|_| None);
        let mut strict = LearnerFacts { name: "strict".into(), ..manifest.learners[1].clone() };
        strict.settings["alpha"] = 0.01.into();
        manifest.learners.insert(1, strict);
        assert_eq!(paper_pair(&manifest), Some("mmhc"));
        manifest.learners.truncate(2);
        assert_eq!(paper_pair(&manifest), Some("strict"));
        assert!(deviations(&manifest).contains(&"alpha of strict is 0.01, not 0.05".to_owned()));
        manifest.learners.reverse();
        assert_eq!(paper_pair(&manifest), None);
    }

    #[test]
    fn what_is_not_as_in_the_paper_is_said() {
        let (mut manifest, _) = example(|_| None);
        assert_eq!(
            deviations(&manifest),
            [
                "0 of its 8 networks",
                "networks that it does not have (asia, cancer)",
                "samples of 50, 500 rows, not 50, 100, 200, 500, 1500, 5000",
                "3 samples of each, not 10",
            ]
        );
        let asia = manifest.networks[0].clone();
        let named = |(name, _): &(&str, _)| NetworkFacts { name: (*name).into(), ..asia.clone() };
        manifest.networks = paper::TABLE_1.iter().rev().map(named).collect();
        manifest.sizes = paper::SIZES.iter().rev().copied().collect();
        manifest.samples = 10;
        manifest.learners[1].settings["seed"] = 5.into();
        assert_eq!(deviations(&manifest), Vec::<String>::new(), "the order does not matter");
        manifest.new_rows = 7;
        assert_eq!(deviations(&manifest), ["new data of 7 rows, not 5000"]);
        manifest.learners[0].settings["share"] = "yes".into();
        assert_eq!(deviations(&manifest)[1], "share of h2pc is \"yes\", not \"no\"", "its tests are others");
    }

    #[test]
    fn a_file_with_the_name_of_a_network_is_not_that_network() {
        let (mut manifest, _) = example(|_| None);
        manifest.networks.truncate(1);
        manifest.networks[0].name = "child".into();
        let time = |manifest: &Manifest, network| paper_time(manifest, "mmhc", network, 50);
        assert_eq!(time(&manifest, Some("child")), Some((1.13, Some(0.1))));
        assert_eq!(time(&manifest, None), Some((1.13, Some(0.1))));
        assert_eq!(paper_time(&manifest, "tabu", None, 50), None);
        manifest.networks[0].embedded = false;
        assert_eq!((time(&manifest, Some("child")), time(&manifest, None)), (None, None));
        assert_eq!(deviations(&manifest)[1], "networks that it does not have (child)");
    }
}
