//! The summary of the rows: increase factors, their spread, and whether they are more than chance.
//!
//! For each sample the value of the first learner is compared with that of another: as a ratio, or as a
//! difference if the paper speaks of an absolute increase. A ratio whose denominator is 0 is left out and
//! counted. A network and size has the mean and standard deviation over its samples; all networks together
//! have the mean of their means, and the standard deviation over all samples of all networks (as in the
//! `all` line of the paper's Table 2: its 8.29 ± 6.7 is over 80 ratios).
//!
//! The test of one network ranks the differences of its pairs, since its samples are independent of each other. The
//! samples of all networks together are not (ten samples of alarm say much the same), so the test of all uses one value
//! per network, its mean. Networks differ too much in scale for differences, so the logarithms of the ratios are
//! ranked: a half weighs as much as a double, and the result does not depend on which learner is first. A ratio to 0
//! has a rank, the largest, though no value. P-values are adjusted by Holm's method: those of all networks over the
//! sizes and learners of a measure, those of single networks over the networks at one size.

use std::collections::BTreeMap;

use crate::manifest::Manifest;
pub(crate) use crate::measure::{Better, How, MEASURES, Measure, measure, neutral};
use crate::row::Row;
use crate::signed_rank::{same, signed_rank};
use crate::statistics::{Ranking, confidence, holm};

/// Mean and standard deviation of several values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, if there are two values or more.
    pub sd: Option<f64>,
    /// The number of values.
    pub n: usize,
}

impl Spread {
    /// The spread of these values; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Spread> {
        let n = values.len();
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
        let sd = (n > 1).then(|| (squares / (n - 1) as f64).sqrt());
        (n > 0).then_some(Spread { mean, sd, n })
    }
}

/// The first learner against another, on one measure at one size.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The learner it is compared with.
    pub other: String,
    /// The measure.
    pub measure: &'static Measure,
    /// The network; `None` for all together.
    pub network: Option<String>,
    /// The size.
    pub size: usize,
    /// The increase: ratio or difference. `None` if no sample has one.
    pub increase: Option<Spread>,
    /// The number of networks with an increase.
    pub networks: usize,
    /// The number of ratios whose denominator is 0.
    pub left_out: usize,
    /// The 95 % confidence interval of the mean: over the samples of a network, or over the means of the
    /// networks.
    pub interval: Option<(f64, f64)>,
    /// The number of samples of a network that differ, or of networks whose means differ.
    pub differ: usize,
    /// The signed-rank test over these; `None` if none differ.
    pub p: Option<f64>,
    /// The same, adjusted for the number of comparisons.
    pub adjusted: Option<f64>,
}

/// The value of one learner on one measure for a network and size.
#[derive(Debug, Clone)]
pub struct Value {
    /// The network.
    pub network: String,
    /// The size.
    pub size: usize,
    /// The learner.
    pub learner: String,
    /// The measure.
    pub measure: &'static Measure,
    /// Over the samples.
    pub spread: Spread,
}

/// Everything that the tables and figures show.
#[derive(Debug, Default)]
pub struct Summary {
    /// The first learner against the others.
    pub comparisons: Vec<Comparison>,
    /// Each learner separately.
    pub values: Vec<Value>,
    /// The rankings of learners, by measure and size, if there are three or more.
    pub rankings: Vec<Ranking>,
}

/// The values of a measure by learner, network, size and sample.
type Values<'a> = BTreeMap<(&'a str, &'a str, usize), BTreeMap<usize, f64>>;

impl Summary {
    /// Computes it from rows.
    pub fn of(manifest: &Manifest, rows: &[Row]) -> Summary {
        let mut summary = Summary::default();
        let Some((first, others)) = manifest.learners.split_first() else { return summary };
        for measure in &MEASURES {
            let mut values: Values = BTreeMap::new();
            for row in rows.iter().filter(|row| row.kind == measure.kind) {
                if let Some(value) = (measure.value)(row) {
                    let key = (row.learner.as_str(), row.network.as_str(), row.size);
                    values.entry(key).or_default().insert(row.sample, value);
                }
            }
            for other in others {
                summary.compare(&first.name, &other.name, measure, manifest, &values);
            }
            for network in &manifest.networks {
                for &size in &manifest.sizes {
                    for learner in &manifest.learners {
                        let samples = values.get(&(learner.name.as_str(), network.name.as_str(), size));
                        let samples: Vec<f64> =
                            samples.into_iter().flat_map(|s| s.values().copied()).collect();
                        summary.values.extend(Spread::of(&samples).map(|spread| Value {
                            network: network.name.clone(),
                            size,
                            learner: learner.name.clone(),
                            measure,
                            spread,
                        }));
                    }
                }
            }
            summary.rank(measure, manifest);
        }
        summary.adjust();
        summary
    }

    /// Ranks the learners by their means on each network, at each size.
    fn rank(&mut self, measure: &'static Measure, manifest: &Manifest) {
        if manifest.learners.len() < 3 || measure.better == Better::Neither {
            return;
        }
        for &size in &manifest.sizes {
            let mean = |network: &str, learner: &str| {
                let value = self.value(network, learner, measure.key, size)?;
                Some(if measure.better == Better::Higher { -value.mean } else { value.mean })
            };
            let names: Vec<&str> = manifest.learners.iter().map(|l| l.name.as_str()).collect();
            let on =
                |network: &str| names.iter().map(|name| mean(network, name)).collect::<Option<Vec<f64>>>();
            let table: Vec<Vec<f64>> = manifest.networks.iter().filter_map(|n| on(&n.name)).collect();
            self.rankings.extend(Ranking::of(measure, size, &names, &table));
        }
    }

    /// Adjusts the p-values for their number.
    fn adjust(&mut self) {
        // By measure; those of single networks also by learner and size.
        let mut families: BTreeMap<(&str, String, usize), Vec<usize>> = BTreeMap::new();
        for (i, c) in self.comparisons.iter().enumerate() {
            let (other, size) =
                if c.network.is_some() { (c.other.clone(), c.size) } else { (String::new(), 0) };
            families.entry((c.measure.key, other, size)).or_default().push(i);
        }
        for family in families.into_values() {
            let (places, p): (Vec<usize>, Vec<f64>) =
                family.into_iter().filter_map(|i| Some((i, self.comparisons[i].p?))).unzip();
            for (i, adjusted) in places.into_iter().zip(holm(&p)) {
                self.comparisons[i].adjusted = Some(adjusted);
            }
        }
    }

    fn compare(
        &mut self,
        first: &str,
        other: &str,
        measure: &'static Measure,
        manifest: &Manifest,
        values: &Values,
    ) {
        for &size in &manifest.sizes {
            let (mut means, mut all, mut left_out) = (Vec::new(), Vec::new(), 0);
            // One step for each network: its samples are not independent of each other.
            let mut steps = Vec::new();
            for network in &manifest.networks {
                let of = |learner| values.get(&(learner, network.name.as_str(), size));
                let (Some(a), Some(b)) = (of(first), of(other)) else { continue };
                let pairs: Vec<(f64, f64)> =
                    a.iter().filter_map(|(sample, &x)| Some((x, *b.get(sample)?))).collect();
                let increases: Vec<f64> = pairs.iter().filter_map(|&pair| increase(measure, pair)).collect();
                let increase = Spread::of(&increases);
                let differences: Vec<f64> = pairs.iter().map(|&pair| difference(pair)).collect();
                steps.extend(mean_pair(&pairs).map(|pair| step(measure, pair)));
                means.extend(increase.map(|s| s.mean));
                all.extend(&increases);
                left_out += pairs.len() - increases.len();
                self.comparisons.push(Comparison {
                    other: other.to_owned(),
                    measure,
                    network: Some(network.name.clone()),
                    size,
                    increase,
                    networks: usize::from(increase.is_some()),
                    left_out: pairs.len() - increases.len(),
                    interval: increase.and_then(confidence),
                    differ: differing(&differences),
                    p: signed_rank(&differences),
                    adjusted: None,
                });
            }
            let by_network = Spread::of(&means);
            let mean = by_network.map(|s| s.mean);
            self.comparisons.push(Comparison {
                other: other.to_owned(),
                measure,
                network: None,
                size,
                increase: Spread::of(&all).zip(mean).map(|(s, mean)| Spread { mean, ..s }),
                networks: means.len(),
                left_out,
                interval: by_network.and_then(confidence),
                differ: differing(&steps),
                p: signed_rank(&steps),
                adjusted: None,
            });
        }
    }

    /// The value of a learner.
    pub fn value(&self, network: &str, learner: &str, key: &str, size: usize) -> Option<Spread> {
        let found = self
            .values
            .iter()
            .find(|v| v.network == network && v.measure.key == key && v.learner == learner && v.size == size);
        found.map(|v| v.spread)
    }

    /// One comparison; the network is `None` for all together.
    pub fn get(&self, other: &str, key: &str, network: Option<&str>, size: usize) -> Option<&Comparison> {
        self.comparisons.iter().find(|c| {
            c.other == other && c.measure.key == key && c.network.as_deref() == network && c.size == size
        })
    }
}

/// The increase from the second to the first; `None` for a ratio to 0.
fn increase(measure: &Measure, (first, second): (f64, f64)) -> Option<f64> {
    match measure.how {
        How::Ratio => (second != 0.0).then(|| first / second),
        How::Difference => Some(first - second),
    }
}

/// The first minus the second; 0 if they are equal up to rounding.
fn difference((first, second): (f64, f64)) -> f64 {
    if same(first, second) { 0.0 } else { first - second }
}

/// The means of both.
fn mean_pair(pairs: &[(f64, f64)]) -> Option<(f64, f64)> {
    let n = pairs.len() as f64;
    let sum = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    (!pairs.is_empty()).then(|| (sum(|pair| pair.0), sum(|pair| pair.1)))
}

/// What the test of all networks ranks: the difference, or the logarithm of the ratio.
fn step(measure: &Measure, (first, second): (f64, f64)) -> f64 {
    match measure.how {
        How::Ratio if same(first, second) => 0.0,
        // Scores are negative; both are.
        How::Ratio => libm::log(first.abs()) - libm::log(second.abs()),
        How::Difference => difference((first, second)),
    }
}

fn differing(steps: &[f64]) -> usize {
    steps.iter().filter(|step| **step != 0.0).count()
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::plan::{Grid, NetworkSource, Study};
    use crate::row::Key;

    /// A study of two networks and its rows, with values that are easy to follow.
    pub(crate) fn example(values: impl Fn(&Key) -> Option<f64>) -> (Manifest, Vec<Row>) {
        let networks = ["asia", "cancer"].map(|n| NetworkSource::new(n).unwrap()).to_vec();
        let study = Study { networks, sizes: vec![50, 500], samples: 3, timing: true, ..Study::default() };
        let manifest = Manifest::new(&Grid::new(study, &ossature::learn::Catalogue::standard()).unwrap());
        let rows = manifest
            .cells()
            .map(|key| {
                let value = values(&key);
                let mut row = Row::empty(key, 0);
                row.recall = value;
                row.fp_ratio = value;
                row.seconds_total = value;
                row
            })
            .collect();
        (manifest, rows)
    }

    #[test]
    fn ratios_are_taken_by_sample_and_averaged_over_networks() {
        // h2pc has 2, 4, 6 where mmhc has 1, 1, 2: ratios 2, 4, 3; on cancer everything is equal.
        let (manifest, rows) = example(|key| {
            let (h, m) = ([2.0, 4.0, 6.0], [1.0, 1.0, 2.0]);
            let values = if key.learner == "h2pc" && key.network == "asia" { h } else { m };
            Some(values[key.sample - 1])
        });
        let summary = Summary::of(&manifest, &rows);
        let get = |key, network| summary.get("mmhc", key, network, 50).unwrap();
        let asia = get("recall", Some("asia"));
        assert_eq!(asia.increase, Some(Spread { mean: 3.0, sd: Some(1.0), n: 3 }));
        assert_eq!(asia.p, Some(0.25), "three pairs in one direction");
        assert_eq!(get("recall", Some("cancer")).p, None, "no pair differs");
        let all = get("recall", None).increase.unwrap();
        assert_eq!((all.mean, all.n), (2.0, 6));
        assert!((all.sd.unwrap() - 1.264_911_064_067_351_8).abs() < 1e-12, "of 1 1 1 2 3 4");
        assert_eq!(get("fp_ratio", Some("asia")).increase.unwrap().mean, (1.0 + 3.0 + 4.0) / 3.0);
    }

    #[test]
    fn a_ratio_to_0_is_left_out_and_counted() {
        let (manifest, rows) = example(|key| match (key.learner.as_str(), key.sample) {
            ("mmhc", 1) => Some(0.0),
            ("mmhc", 3) => None,
            _ => Some(1.0),
        });
        let summary = Summary::of(&manifest, &rows);
        let asia = summary.get("mmhc", "recall", Some("asia"), 500).unwrap();
        assert_eq!((asia.increase.unwrap().n, asia.left_out), (1, 1), "and one pair is not whole");
        let all = summary.get("mmhc", "recall", None, 500).unwrap();
        assert_eq!((all.increase.unwrap().n, all.left_out), (2, 2));
        assert_eq!(all.networks, 2);
        assert_eq!(summary.get("mmhc", "shd", None, 500).unwrap().increase, None);
    }

    #[test]
    fn rounding_is_no_difference() {
        let (manifest, rows) = example(|key| Some(if key.learner == "h2pc" { 0.1 + 0.2 } else { 0.3 }));
        let summary = Summary::of(&manifest, &rows);
        for network in [Some("asia"), None] {
            let c = summary.get("mmhc", "recall", network, 50).unwrap();
            assert_eq!((c.p, c.differ), (None, 0));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// Zeros too: a ratio to 0 ranks highest, and one of 0 lowest.
        #[test]
        fn the_order_of_the_learners_does_not_change_significance(
            values in prop::collection::vec(0u8..9, 2 * 2 * 3 * 2)
        ) {
            let value = |key: &Key| {
                let places = [key.network == "asia", key.size == 50, key.learner == "h2pc"];
                let at = places.iter().fold(0, |at, &place| 2 * at + usize::from(place));
                Some(f64::from(values[3 * at + key.sample - 1]) / 7.0)
            };
            let (mut manifest, rows) = example(value);
            let one = Summary::of(&manifest, &rows);
            manifest.learners.reverse();
            let other = Summary::of(&manifest, &rows);
            for (a, b) in one.comparisons.iter().zip(&other.comparisons) {
                prop_assert_eq!((a.p, a.differ), (b.p, b.differ), "{:?} {:?}", a, b);
            }
        }
    }
}
