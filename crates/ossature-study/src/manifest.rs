//! How a folder of results was made: `study.json`.
//!
//! A study may grow (more networks, sizes, samples or learners, and timing); existing results must not
//! change their meaning. So the manifest is compared with the request, and every difference is reported.

use std::thread::available_parallelism;
use std::time::{SystemTime, UNIX_EPOCH};

use ossature::network::{Model, bif, catalogue};
use ossature::{Error, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::learner::{LearnerFacts, changed_settings};
use crate::plan::{Grid, NetworkSource, Shard};
use crate::row::{Key, Kind};

/// The settings of a study and its runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the program.
    pub version: String,
    /// The seed.
    pub seed: u64,
    /// The networks.
    pub networks: Vec<NetworkFacts>,
    /// The sizes.
    pub sizes: Vec<usize>,
    /// The samples of each size.
    pub samples: usize,
    /// The learners with all their settings.
    pub learners: Vec<LearnerFacts>,
    /// The new rows.
    pub new_rows: usize,
    /// Whether cells are timed too.
    pub timing: bool,
    /// Which part of the grid this is.
    pub shard: Option<Shard>,
    /// The runs, first to last.
    pub runs: Vec<RunInfo>,
}

/// A network: the columns of the paper's Table 1, and the hash of its BIF.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // the fields are those of `catalogue::Summary`
pub struct NetworkFacts {
    pub name: String,
    pub variables: usize,
    pub edges: usize,
    pub max_in: usize,
    pub max_out: usize,
    pub min_levels: usize,
    pub max_levels: usize,
    pub pc_min: usize,
    pub pc_median: f64,
    pub pc_max: usize,
    /// Whether it is part of the library.
    pub embedded: bool,
    /// The SHA-256 of the network as the library writes it.
    pub sha256: String,
}

/// One run of a study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// The command line.
    pub command: String,
    /// The start time in UTC.
    pub started: String,
    /// The time it took, once it has ended.
    pub seconds: Option<f64>,
    /// The number of threads.
    pub threads: usize,
    /// The machine.
    pub machine: Machine,
}

/// A description of a computer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The operating system.
    pub system: String,
    /// The kind of processor.
    pub architecture: String,
    /// Its name.
    pub processor: Option<String>,
    /// The number of available cores.
    pub cores: usize,
}

impl Manifest {
    /// The manifest of a study before its first run.
    pub(crate) fn new(grid: &Grid) -> Manifest {
        let study = &grid.study;
        Manifest {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: study.seed,
            networks: study.networks.iter().zip(&grid.networks).map(|(s, n)| facts(s, n)).collect(),
            sizes: study.sizes.clone(),
            samples: study.samples,
            learners: study.learners.iter().map(LearnerFacts::from).collect(),
            new_rows: study.new_rows,
            timing: study.timing,
            shard: study.shard,
            runs: Vec::new(),
        }
    }

    /// All cells of the study, in the order of the table.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Key> + '_ {
        let kinds: &[Kind] = if self.timing { &[Kind::Accuracy, Kind::Timing] } else { &[Kind::Accuracy] };
        let cell = move |network: &NetworkFacts, size, sample, learner: &LearnerFacts, kind| Key {
            network: network.name.clone(),
            size,
            sample,
            learner: learner.name.clone(),
            kind,
        };
        self.networks.iter().flat_map(move |network| {
            self.sizes.iter().flat_map(move |&size| {
                (1..=self.samples).flat_map(move |sample| {
                    self.learners.iter().flat_map(move |learner| {
                        kinds.iter().map(move |&kind| cell(network, size, sample, learner, kind))
                    })
                })
            })
        })
    }

    /// Whether the study has this cell.
    pub(crate) fn has(&self, key: &Key) -> bool {
        self.networks.iter().any(|n| n.name == key.network)
            && self.sizes.contains(&key.size)
            && (1..=self.samples).contains(&key.sample)
            && self.learners.iter().any(|l| l.name == key.learner)
            && (self.timing || key.kind == Kind::Accuracy)
    }

    /// Why rows made with this manifest would not fit the other.
    pub(crate) fn differences(&self, other: &Manifest) -> Vec<String> {
        let mut found = Vec::new();
        let mut differ = |what: &str, here: String, asked: String| {
            if here != asked {
                found.push(format!("{what} is {here}, now {asked}"));
            }
        };
        differ("the version", self.version.clone(), other.version.clone());
        differ("the seed", self.seed.to_string(), other.seed.to_string());
        differ("the number of new rows", self.new_rows.to_string(), other.new_rows.to_string());
        let shard = |shard: Option<Shard>| shard.map_or("none".into(), |s| s.to_string());
        differ("the shard", shard(self.shard), shard(other.shard));
        if self.samples > other.samples {
            found.push(format!("it has {} samples, now {}", self.samples, other.samples));
        }
        if self.timing && !other.timing {
            found.push("it is timed, now it is not".into());
        }
        // A shard holds every N-th sample of one grid; in a grown one those would be others.
        if self.shard.is_some() && (self.sizes != other.sizes || self.samples != other.samples) {
            found.push("a shard cannot grow: its sizes (or their order) or samples have changed".into());
        }
        for size in self.sizes.iter().filter(|size| !other.sizes.contains(size)) {
            found.push(format!("it has the size {size}"));
        }
        for network in &self.networks {
            match other.networks.iter().find(|n| n.name == network.name) {
                None => found.push(format!("it has the network {}", network.name)),
                Some(n) if n.sha256 != network.sha256 => {
                    found.push(format!("the network {} has changed", network.name));
                }
                Some(_) => {}
            }
        }
        let names = |m: &Manifest| m.networks.iter().map(|n| n.name.clone()).collect::<Vec<_>>();
        if self.shard.is_some() && names(self) != names(other) {
            found.push("a shard cannot grow: its networks or their order have changed".into());
        }
        for learner in &self.learners {
            match other.learners.iter().find(|l| l.name == learner.name) {
                None => found.push(format!("it has the learner {}", learner.name)),
                Some(l) => found.extend(setting_differences(learner, l)),
            }
        }
        found
    }

    /// Returns an error that says why, if rows made with this manifest do not fit the other.
    pub(crate) fn require_fits(&self, other: &Manifest, what: &str) -> Result<()> {
        let differences = self.differences(other);
        if differences.is_empty() {
            return Ok(());
        }
        Err(Error::Mismatch {
            what: format!("{what} was made with other settings: {}", differences.join("; ")),
            accepted: "give the same settings (more networks, sizes, samples or learners are fine) or \
                       another folder"
                .into(),
        })
    }
}

/// Each changed setting of a learner.
fn setting_differences(old: &LearnerFacts, new: &LearnerFacts) -> Vec<String> {
    let changed = changed_settings(old, new).into_iter();
    changed.map(|(key, before, now)| format!("{key} of {} is {before}, now {now}", old.name)).collect()
}

/// The whole network as text, in BIF if possible.
fn text(network: &ossature::Network) -> Vec<u8> {
    let mut text = Vec::new();
    if bif::write(network, &mut text).is_ok() {
        return text;
    }
    // Of the model file the part that does not change with the version.
    let model: serde_json::Value =
        serde_json::from_str(&Model::from(network.clone()).to_json()).unwrap_or_default();
    model["variables"].to_string().into_bytes()
}

fn facts(source: &NetworkSource, network: &ossature::Network) -> NetworkFacts {
    let s = catalogue::summary(&source.name(), network);
    let text = text(network);
    NetworkFacts {
        name: s.name,
        variables: s.variables,
        edges: s.edges,
        max_in: s.max_in,
        max_out: s.max_out,
        min_levels: s.min_levels,
        max_levels: s.max_levels,
        pc_min: s.pc_min,
        pc_median: s.pc_median,
        pc_max: s.pc_max,
        embedded: !matches!(source, NetworkSource::File(_)),
        sha256: Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

impl RunInfo {
    /// A run that begins now.
    pub fn now(command: String, threads: usize) -> RunInfo {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        RunInfo { command, started: utc(seconds), seconds: None, threads, machine: Machine::this() }
    }
}

impl Machine {
    fn this() -> Machine {
        Machine {
            system: std::env::consts::OS.to_owned(),
            architecture: std::env::consts::ARCH.to_owned(),
            processor: processor(),
            cores: available_parallelism().map_or(1, usize::from),
        }
    }
}

/// The name of the processor, from a file on Linux; elsewhere it is left out.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// A time as `2026-11-15 11:20 UTC`.
fn utc(seconds: u64) -> String {
    let (days, minutes) = (seconds / 86_400, seconds % 86_400 / 60);
    let mut year = 1970;
    let mut left = days;
    let leap = |y: u64| y.is_multiple_of(4) && (!y.is_multiple_of(100) || y.is_multiple_of(400));
    let length = |y| if leap(y) { 366 } else { 365 };
    while left >= length(year) {
        left -= length(year);
        year += 1;
    }
    let months = [31, if leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= months[month] {
        left -= months[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02} {:02}:{:02} UTC", month + 1, left + 1, minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use ossature::learn::{Asked, Catalogue, Value};

    use super::*;
    use crate::learner::NamedLearner;
    use crate::plan::Study;

    fn manifest(change: impl FnOnce(&mut Study)) -> Manifest {
        let networks = vec![NetworkSource::new("asia").unwrap(), NetworkSource::new("cancer").unwrap()];
        let mut study = Study { networks, sizes: vec![50, 100], ..Study::default() };
        change(&mut study);
        Manifest::new(&Grid::new(study, &Catalogue::standard()).unwrap())
    }

    #[test]
    fn every_difference_that_matters_is_said() {
        let old = manifest(|_| {});
        let differences = |change: fn(&mut Study)| old.differences(&manifest(change));
        assert!(differences(|_| {}).is_empty());
        assert_eq!(differences(|s| s.seed = 4), ["the seed is 0, now 4"]);
        assert_eq!(differences(|s| s.samples = 2), ["it has 10 samples, now 2"]);
        assert_eq!(differences(|s| s.sizes = vec![50]), ["it has the size 100"]);
        assert_eq!(differences(|s| s.networks.truncate(1)), ["it has the network cancer"]);
        assert_eq!(differences(|s| s.learners.truncate(1)), ["it has the learner mmhc"]);
        let mmhc = |s: &mut Study, setting: &str, value| {
            let asked = Asked { preset: Some(Study::PRESET), ..Asked::learner("mmhc").with(setting, value) };
            s.learners[1] = NamedLearner::new("mmhc", &asked, &Catalogue::standard()).unwrap();
        };
        let alpha = old.differences(&manifest(|s| mmhc(s, "alpha", Value::Number(0.01))));
        assert_eq!(alpha, ["alpha of mmhc is 0.05, now 0.01"]);
        let score = old.differences(&manifest(|s| mmhc(s, "score", Value::Word("bic".into()))));
        assert_eq!(score, ["score of mmhc is \"bdeu\", now \"bic\"", "iss of mmhc is 10.0, now not used"]);
    }

    #[test]
    fn a_study_may_grow() {
        let old = manifest(|_| {});
        let more = manifest(|s| {
            s.samples = 20;
            s.sizes.insert(0, 10);
            s.timing = true;
            s.learners.push(NamedLearner::of("hc", Study::PRESET, &Catalogue::standard()).unwrap());
        });
        assert!(old.differences(&more).is_empty());
        assert!(!more.differences(&old).is_empty());
    }

    /// A shard is every N-th sample, so in another order it would be others.
    #[test]
    fn a_shard_keeps_its_order() {
        let shard = |change: fn(&mut Study)| {
            manifest(|s| {
                s.shard = Some(Shard { index: 1, of: 2 });
                change(s);
            })
        };
        let old = shard(|_| {});
        assert!(old.differences(&shard(|_| {})).is_empty());
        assert!(old.differences(&shard(|s| s.networks.reverse()))[0].contains("networks or their order"));
        assert!(old.differences(&shard(|s| s.sizes.reverse()))[0].contains("or their order"));
        assert!(manifest(|_| {}).differences(&manifest(|s| s.networks.reverse())).is_empty());
    }

    #[test]
    fn dates() {
        assert_eq!(utc(0), "1970-01-01 00:00 UTC");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(utc(1_794_741_601), "2026-11-15 11:20 UTC");
    }
}
