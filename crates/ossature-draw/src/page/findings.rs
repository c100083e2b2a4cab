//! The part of a report that a page uses: as much as is present, so that reports of other versions can be
//! shown too.

use ossature::text::count;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

#[derive(Debug, Default)]
pub(super) struct Findings {
    learner: Option<String>,
    rows: Option<usize>,
    score: Option<Score>,
    shd: Option<usize>,
    pub(super) bootstrap: Option<Samples>,
    pub(super) losses: Option<Vec<Loss>>,
    pub(super) separations: Option<Vec<Separated>>,
}

/// Two variables by index, the set, the statistic, its degrees of freedom, ln p, and power.
pub(super) type Separated = (usize, usize, Vec<usize>, f64, f64, f64, bool);

#[derive(Debug, Deserialize)]
struct Score {
    name: String,
    total: f64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Samples {
    samples: usize,
    pub(super) threshold: f64,
    pub(super) arcs: Vec<Share>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Share {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) strength: f64,
    pub(super) direction: f64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Loss {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) without: f64,
    pub(super) turned: Option<f64>,
}

impl Share {
    pub(super) fn ends(&self) -> (&str, &str) {
        (&self.from, &self.to)
    }
}

impl Loss {
    pub(super) fn ends(&self) -> (&str, &str) {
        (&self.from, &self.to)
    }
}

impl Findings {
    pub(super) fn of(report: &Json) -> Findings {
        Findings {
            learner: read(&report["learner"]),
            rows: read(&report["data"]["rows"]),
            score: read(&report["score"]),
            shd: read(&report["truth"]["shd"]),
            bootstrap: read(&report["bootstrap"]),
            losses: read(&report["losses"]),
            separations: read(&report["separations"]),
        }
    }

    /// How the graph was learned, in a few words.
    pub(super) fn in_words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let (Some(learner), Some(rows)) = (&self.learner, self.rows) {
            words.push(format!("learned by {learner} from {}", count(rows, "row")));
        }
        if let Some(score) = &self.score {
            words.push(format!("{} {:.1}", score.name, score.total));
        }
        if let Some(bootstrap) = &self.bootstrap {
            words.push(count(bootstrap.samples, "bootstrap sample"));
        }
        if let Some(shd) = self.shd {
            words.push(format!("SHD {shd} from the true structure"));
        }
        words
    }
}

fn read<T: DeserializeOwned>(value: &Json) -> Option<T> {
    T::deserialize(value).ok()
}
