//! What a study runs: which networks, sizes, samples and learners, and in which order.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use ossature::learn::{Catalogue, Preset};
use ossature::network::{bif, catalogue};
use ossature::text::thousands;
use ossature::{Error, Network, Result};
use serde::{Deserialize, Serialize};

use crate::learner::NamedLearner;
use crate::row::{Key, Kind};

/// A study. The default is the paper's, with the library's learners and the preset of the paper.
///
/// ```
/// use ossature_study::Study;
///
/// let paper = Study::default();
/// assert_eq!((paper.networks.len(), paper.sizes.len(), paper.samples), (8, 6, 10));
/// let names: Vec<&str> = paper.learners.iter().map(|l| l.name.as_str()).collect();
/// assert_eq!(names, ["h2pc", "mmhc"]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// The seed from which every sample is derived.
    pub seed: u64,
    /// The networks that rows are drawn from.
    pub networks: Vec<NetworkSource>,
    /// The numbers of rows of a sample.
    pub sizes: Vec<usize>,
    /// The number of samples of each size.
    pub samples: usize,
    /// The learners. The first is compared with each of the others.
    pub learners: Vec<NamedLearner>,
    /// The number of new rows for the scores on new data.
    pub new_rows: usize,
    /// Whether each cell is also timed, alone and on one thread.
    pub timing: bool,
    /// How long a cell may take. One that takes longer has a row that says so, and no result.
    pub cell_limit: Option<Duration>,
    /// The share of the grid to run here, if it is split over machines.
    pub shard: Option<Shard>,
}

/// Where a network comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NetworkSource {
    /// It is part of the library.
    Embedded(String),
    /// The structure of an embedded network, with every variable continuous
    /// ([`Network::linear_gaussian`]). The coefficients come from the seed of the study.
    Gaussian(String),
    /// A BIF file.
    File(PathBuf),
}

/// The suffix of an embedded network's name that makes its variables continuous.
const GAUSSIAN: &str = ":gaussian";

/// One of several equal shares of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Its number, from 1.
    pub index: usize,
    /// The number of shares.
    pub of: usize,
}

/// The name of the line of all networks together in a table.
pub(crate) const ALL: &str = "all";

/// The largest number of cells: more is a typing mistake, and their list alone would fill the
/// memory.
const MOST_CELLS: usize = 10_000_000;

/// The networks of the paper's Table 1, in its order.
const PAPER_NETWORKS: [&str; 8] =
    ["child", "insurance", "mildew", "alarm", "hailfinder", "munin1", "pigs", "link"];

impl Default for Study {
    fn default() -> Study {
        Study {
            seed: 0,
            networks: PAPER_NETWORKS.map(NetworkSource::embedded).to_vec(),
            sizes: vec![50, 100, 200, 500, 1500, 5000],
            samples: 10,
            learners: ["h2pc", "mmhc"].map(of_paper).to_vec(),
            new_rows: 5000,
            timing: false,
            cell_limit: None,
            shard: None,
        }
    }
}

/// A learner of the paper, from the library.
fn of_paper(name: &str) -> NamedLearner {
    NamedLearner::of(name, Study::PRESET, &Catalogue::standard()).expect("this is the name of a learner")
}

impl Study {
    /// The default preset of the learners: the study is that of the paper.
    pub const PRESET: Preset = Preset::Paper;

    /// A study of a minute or so: the small networks of the paper, every size, three samples, timed.
    pub fn quick() -> Study {
        Study {
            networks: PAPER_NETWORKS[..5].iter().copied().map(NetworkSource::embedded).collect(),
            samples: 3,
            timing: true,
            ..Study::default()
        }
    }

    /// Refuses an invalid study before any work.
    pub fn check(&self, catalogue: &Catalogue) -> Result<()> {
        let refuse = |what: String, accepted: &str| Err(Error::Mismatch { what, accepted: accepted.into() });
        let empty = |what: &str| refuse(format!("the study has no {what}"), "at least one is needed");
        if self.networks.is_empty() {
            return empty("networks");
        }
        if self.sizes.is_empty() {
            return empty("sizes");
        }
        if self.learners.is_empty() {
            return empty("learners");
        }
        if self.samples == 0 || self.new_rows == 0 || self.sizes.contains(&0) {
            let what = "the samples, the rows of a sample or the new rows are 0".to_owned();
            return refuse(what, "each is 1 or more");
        }
        self.check_cells()?;
        self.check_names()?;
        twice("network", self.networks.iter().map(NetworkSource::name))?;
        twice("size", self.sizes.iter().map(ToString::to_string))?;
        twice("learner", self.learners.iter().map(|l| l.name.clone()))?;
        match self.shard {
            Some(Shard { index, of }) if index == 0 || index > of => {
                refuse(format!("the shard is {index}/{of}"), "1/3, 2/3 and 3/3 are the shards of three")
            }
            _ => self.learners.iter().try_for_each(|learner| learner.check(catalogue)),
        }
    }

    fn check_cells(&self) -> Result<()> {
        let kinds = if self.timing { 2 } else { 1 };
        let factors = [self.networks.len(), self.sizes.len(), self.samples, self.learners.len()];
        let cells = factors.iter().try_fold(kinds, |cells: usize, &n| cells.checked_mul(n));
        if cells.is_some_and(|cells| cells <= MOST_CELLS) {
            return Ok(());
        }
        let many = cells.map_or_else(|| "too many".into(), |cells| thousands(cells as u64));
        Err(Error::Setting {
            name: "samples".into(),
            problem: format!("is {}, which makes {many} cells", thousands(self.samples as u64)),
            accepted: "at most 10,000,000 cells are accepted: use fewer samples or sizes".into(),
        })
    }

    fn check_names(&self) -> Result<()> {
        for network in self.networks.iter().map(NetworkSource::name) {
            well_named("network", &network)?;
            if network == ALL {
                return Err(Error::Mismatch {
                    what: format!("a network is called {network:?}"),
                    accepted: "that name is used for all networks in the tables; give the file another name"
                        .into(),
                });
            }
        }
        self.learners.iter().try_for_each(|l| well_named("learner", &l.name))
    }
}

/// Returns an error if a name cannot be used in a table.
fn well_named(what: &str, name: &str) -> Result<()> {
    let refuse = |why: &str| {
        Err(Error::Mismatch {
            what: format!("the name of a {what} {why}"),
            accepted: "one character or more, without line ends, tabs and the like".into(),
        })
    };
    match name {
        "" => refuse("is empty"),
        _ if name.contains(char::is_control) => refuse(&format!("is {name:?}")),
        _ => Ok(()),
    }
}

/// Returns an error if a name appears twice.
fn twice(what: &'static str, names: impl Iterator<Item = String>) -> Result<()> {
    let mut seen = BTreeSet::new();
    for name in names {
        if let Some(name) = seen.replace(name) {
            return Err(Error::Duplicate { what, name, place: None });
        }
    }
    Ok(())
}

impl NetworkSource {
    fn embedded(name: &str) -> NetworkSource {
        NetworkSource::Embedded(name.to_owned())
    }

    /// The meaning of a word: an embedded network if it is the name of one, with the suffix `:gaussian` its structure
    /// with continuous variables; otherwise a BIF file.
    pub fn new(word: &str) -> Result<NetworkSource> {
        let file = Path::new(word);
        if let Some(name) = word.strip_suffix(GAUSSIAN) {
            let known = catalogue::names().any(|known| known == name);
            let unknown = || Error::unknown_name("network", name, catalogue::names(), None);
            return known.then(|| NetworkSource::Gaussian(name.to_owned())).ok_or_else(unknown);
        }
        if catalogue::names().any(|name| name == word) {
            Ok(NetworkSource::embedded(word))
        } else if extension(word) > 0 {
            Ok(NetworkSource::File(file.to_owned()))
        } else if file.exists() {
            Err(Error::Mismatch {
                what: format!("{word} is neither an embedded network nor a .bif file"),
                accepted: "rows can be drawn only from a network with tables".into(),
            })
        } else {
            Err(Error::unknown_name("network", word, catalogue::names(), None))
        }
    }

    /// The name in tables, which the samples depend on; for a file, its name without folder and
    /// extension.
    pub fn name(&self) -> String {
        match self {
            NetworkSource::Embedded(name) => name.clone(),
            NetworkSource::Gaussian(name) => format!("{name}{GAUSSIAN}"),
            NetworkSource::File(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                name[..name.len() - extension(&name)].to_owned()
            }
        }
    }

    fn load(&self, seed: u64) -> Result<Network> {
        match self {
            NetworkSource::Gaussian(name) => Ok(catalogue::load(name)?.linear_gaussian(seed)),
            NetworkSource::Embedded(name) => catalogue::load(name),
            NetworkSource::File(path) => Ok(bif::read(path)?.network),
        }
    }
}

/// The length of the extension of a BIF file, 0 for any other.
fn extension(word: &str) -> usize {
    let lower = word.to_ascii_lowercase();
    [".bif.gz", ".bif"].iter().find(|end| lower.ends_with(**end)).map_or(0, |end| end.len())
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Shard { index, of }),
            _ => Err("a shard is i/N, for instance 2/3 for the second of three".into()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// A valid study, with its networks.
pub struct Grid {
    /// The study.
    pub study: Study,
    /// The networks, in the order of the study.
    pub networks: Vec<Network>,
    /// The catalogue of its learners.
    pub catalogue: Catalogue,
}

/// A sample of the grid, which all learners see, as indices into the lists of the study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sample {
    pub(crate) network: usize,
    pub(crate) size: usize,
    /// From 1.
    pub(crate) number: usize,
}

impl Grid {
    /// Checks the study and loads its networks. Its learners are those of the catalogue.
    pub fn new(study: Study, catalogue: &Catalogue) -> Result<Grid> {
        study.check(catalogue)?;
        let networks =
            study.networks.iter().map(|network| network.load(study.seed)).collect::<Result<_>>()?;
        Ok(Grid { study, networks, catalogue: catalogue.clone() })
    }

    /// The samples of this shard in the order of the grid. All learners of a sample run on one
    /// machine, so that their times can be compared.
    pub(crate) fn samples(&self) -> Vec<Sample> {
        let study = &self.study;
        let all = (0..study.networks.len()).flat_map(|network| {
            (0..study.sizes.len())
                .flat_map(move |size| (1..=study.samples).map(move |number| Sample { network, size, number }))
        });
        let Shard { index, of } = study.shard.unwrap_or(Shard { index: 1, of: 1 });
        all.enumerate().filter(|(i, _)| i % of == index - 1).map(|(_, sample)| sample).collect()
    }

    /// The key of a cell.
    pub(crate) fn key(&self, sample: Sample, learner: usize, kind: Kind) -> Key {
        Key {
            network: self.study.networks[sample.network].name(),
            size: self.study.sizes[sample.size],
            sample: sample.number,
            learner: self.study.learners[learner].name.clone(),
            kind,
        }
    }

    /// The kinds of cells to run.
    pub(crate) fn kinds(&self) -> &'static [Kind] {
        if self.study.timing { &[Kind::Accuracy, Kind::Timing] } else { &[Kind::Accuracy] }
    }

    /// The number of cells of this shard.
    pub fn cells(&self) -> usize {
        self.samples().len() * self.study.learners.len() * self.kinds().len()
    }
}

#[cfg(test)]
mod tests {
    use ossature::learn::{Asked, Value};

    use super::*;

    fn grid(study: Study) -> Result<Grid> {
        Grid::new(study, &Catalogue::standard())
    }

    fn check(study: &Study) -> Result<()> {
        study.check(&Catalogue::standard())
    }

    #[test]
    fn shards_share_the_samples_without_rest() {
        let shard = |shard| grid(Study { shard, ..small() }).unwrap().samples();
        let whole = shard(None);
        let mut parts: Vec<Sample> = (1..=5).flat_map(|index| shard(Some(Shard { index, of: 5 }))).collect();
        parts.sort();
        assert_eq!(parts, whole);
        assert_eq!(whole.len(), 2 * 3 * 4);
        assert!("0/3".parse::<Shard>().is_err() && "4/3".parse::<Shard>().is_err());
    }

    fn small() -> Study {
        let networks = ["asia", "cancer"].map(NetworkSource::embedded).to_vec();
        Study { networks, sizes: vec![5, 6, 7], samples: 4, ..Study::default() }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let refused = |study: Study| grid(study).err().unwrap().to_string();
        assert!(refused(Study { networks: Vec::new(), ..small() }).contains("no networks"));
        assert!(refused(Study { sizes: vec![5, 5], ..small() }).contains("size \"5\" occurs twice"));
        assert!(refused(Study { samples: 0, ..small() }).contains("1 or more"));
        assert!(refused(Study { shard: Some(Shard { index: 3, of: 2 }), ..small() }).contains("3/2"));
        let mut study = small();
        let twice = Asked::learner("mmhc").with("bootstrap", Value::Whole(2));
        study.learners[1] = NamedLearner::new("twice", &twice, &Catalogue::standard()).unwrap();
        assert!(refused(study).contains("the setting bootstrap of the learner \"twice\" cannot be used"));
        let lost = NetworkSource::new("alram").unwrap_err().to_string();
        assert!(lost.contains("did you mean \"alarm\""), "{lost}");
    }

    #[test]
    fn names_that_a_table_cannot_hold_are_refused() {
        let network = |word: &str| {
            let networks = vec![NetworkSource::new(word).unwrap()];
            check(&Study { networks, ..small() }).unwrap_err().to_string()
        };
        assert!(network("some/.bif").contains("the name of a network is empty"));
        assert!(network("all.bif").contains("used for all networks"));
        assert!(network("a\nb.bif").contains("is \"a\\nb\""));
        for name in ["", "two\nlines"] {
            let mut study = small();
            study.learners[1].name = name.into();
            assert!(check(&study).unwrap_err().to_string().contains("the name of a learner is"));
        }
    }

    #[test]
    fn there_is_an_end_to_the_cells() {
        let cells = |samples, timing| check(&Study { samples, timing, ..small() });
        assert!(cells(833_333, false).is_ok());
        let many = cells(833_333, true).unwrap_err().to_string();
        assert!(many.contains("19,999,992 cells") && many.contains("10,000,000"), "{many}");
        assert!(cells(usize::MAX, false).unwrap_err().to_string().contains("too many cells"));
    }

    #[test]
    fn a_file_is_named_without_its_folder() {
        assert_eq!(NetworkSource::new("some/where/net.bif.gz").unwrap().name(), "net");
        assert_eq!(NetworkSource::new("a.bifurcation.BIF").unwrap().name(), "a.bifurcation");
        assert_eq!(NetworkSource::new("alarm").unwrap(), NetworkSource::embedded("alarm"));
        let gaussian = NetworkSource::new("asia:gaussian").unwrap();
        let asia = catalogue::load("asia").unwrap().linear_gaussian(3);
        assert_eq!((gaussian.name(), gaussian.load(3).unwrap()), ("asia:gaussian".into(), asia));
        let lost = NetworkSource::new("aisa:gaussian").unwrap_err().to_string();
        assert!(lost.contains("did you mean \"asia\""), "{lost}");
    }
}
