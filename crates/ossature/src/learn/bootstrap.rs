//! How certain an arc is, by running the same learner on samples of the rows.
//!
//! Friedman, Goldszmidt & Wyner (1999), "Data analysis with Bayesian networks: a bootstrap approach",
//! UAI; the threshold after Scutari & Nagarajan (2013), doi:10.1016/j.artmed.2012.12.006.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::Learner;
use super::catalogue::{constraints, rows};
use super::learned::{Learned, Seconds};
use super::selection::{draw_rows, sorted_rows};
use super::settings::Settings;
use crate::ci::{Evidence, Tally};
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::graph::{Constraints, Dag, Pdag, Skeleton};
use crate::halves::{EdgeCounts, LearnedGraph, Strength, edges_in_halves};
use crate::parallel;
use crate::progress::{Event, Progress, Stop};
use crate::random::{generator, mix};
use crate::score::total;

/// The result of a bootstrap.
#[derive(Debug, Clone, PartialEq)]
pub struct Bootstrap {
    /// Every edge that was found at least once, in order.
    pub strengths: Vec<Strength>,
    /// Whether the learner finds directions.
    pub directed: bool,
    /// Edges above this strength are kept; computed from the strengths themselves.
    pub threshold: f64,
    /// The number of samples.
    pub samples: usize,
    /// The tests of all samples.
    pub tests: Tally,
    /// The phases of all samples added up, and the time that passed.
    pub seconds: Seconds,
}

/// Learns, in parallel, from `samples` tables of the same size, drawn from the rows with
/// replacement.
///
/// The rows are sorted before drawing, so their order in the file does not matter. There is no result
/// before the last sample: a run that is told to finish early ends with [`Error::Stopped`].
///
/// ```
/// use ossature::learn::{Catalogue, Preset, Settings, bootstrap};
/// use ossature::network::catalogue;
/// use ossature::Silent;
///
/// let data = catalogue::load("asia")?.sample(1000, 1, &Silent)?;
/// let settings = Settings::of("h2pc", Preset::Recommended)?;
/// let learner = Catalogue::standard().build(&settings, &data)?;
/// let (samples, seed) = (20, 7);
/// let sure = bootstrap(&*learner, &data, samples, seed, &Silent)?;
/// let averaged = sure.averaged(&settings, &data)?;
/// assert!(averaged.graph.skeleton().len() >= 4);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn bootstrap(
    learner: &dyn Learner,
    data: &Dataset,
    samples: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Bootstrap> {
    let clock = Instant::now();
    let rows = sorted_rows(data);
    let watch = SampleWatch { progress, done: AtomicUsize::new(0), total: samples };
    let mut found: Vec<SampleFound> = Vec::with_capacity(samples);
    // No more samples than threads are held at a time; of each only what is counted is kept.
    let width = rayon::current_num_threads().max(1);
    for first in (0..samples).step_by(width) {
        found.extend(parallel::try_map(width.min(samples - first), |i| {
            watch.learn(learner, &resample(data, &rows, seed, first + i)?)
        })?);
    }
    Ok(Bootstrap::of(&found, clock.elapsed().as_secs_f64()))
}

/// Learns from one of the samples of [`bootstrap`], which does not depend on the other samples or on the machine.
///
/// ```
/// use ossature::learn::{Bootstrap, bootstrap, bootstrap_sample};
/// use ossature::network::catalogue;
/// use ossature::{Hybrid, Silent};
///
/// let data = catalogue::load("asia")?.sample(500, 1, &Silent)?;
/// let sample = |i| bootstrap_sample(&Hybrid::h2pc(), &data, 7, i, &Silent);
/// let found = (0..5).map(sample).collect::<Result<Vec<_>, _>>()?;
/// let whole = bootstrap(&Hybrid::h2pc(), &data, 5, 7, &Silent)?;
/// assert_eq!(Bootstrap::of(&found, 0.0).strengths, whole.strengths);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn bootstrap_sample(
    learner: &dyn Learner,
    data: &Dataset,
    seed: u64,
    sample: usize,
    progress: &dyn Progress,
) -> Result<SampleFound> {
    let learned = learner.learn(&resample(data, &sorted_rows(data), seed, sample)?, progress)?;
    SampleFound::of(&learned)
}

/// The counts from one sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampleFound {
    /// The edges of the equivalence class: smaller end, larger end, and how far it points from the former to the
    /// latter, in halves.
    edges: Vec<(u32, u32, u64)>,
    directed: bool,
    tests: Tally,
    restrict: f64,
    maximise: f64,
}

impl SampleFound {
    fn of(learned: &Learned) -> Result<SampleFound> {
        if !learned.complete {
            return Err(Error::Stopped);
        }
        Ok(SampleFound {
            edges: edges_in_halves(&class(&learned.graph)).collect(),
            directed: learned.graph.has_directions(),
            tests: learned.tests.clone(),
            restrict: learned.seconds.restrict,
            maximise: learned.seconds.maximise,
        })
    }
}

/// Reports the number of finished samples instead of the learners' own progress.
struct SampleWatch<'a> {
    progress: &'a dyn Progress,
    done: AtomicUsize,
    total: usize,
}

impl SampleWatch<'_> {
    fn learn(&self, learner: &dyn Learner, sample: &Dataset) -> Result<SampleFound> {
        let learned = learner.learn(sample, self)?;
        self.done.fetch_add(1, Ordering::Relaxed);
        SampleFound::of(&learned)
    }
}

impl Progress for SampleWatch<'_> {
    fn report(&self, _: Event) -> ControlFlow<Stop> {
        let done = self.done.load(Ordering::Relaxed);
        self.progress.report(Event::SamplesLearned { done, total: self.total })
    }
}

/// The equivalence class; a graph without one is returned as is.
fn class(graph: &LearnedGraph) -> Pdag {
    graph.cpdag().map_or_else(|| graph.to_pdag(), |class| class.as_pdag().clone())
}

impl Bootstrap {
    /// The bootstrap of these samples, in order; `seconds` is the elapsed time.
    pub fn of(samples: &[SampleFound], seconds: f64) -> Bootstrap {
        let mut edges = EdgeCounts::default();
        let mut tests = Tally::default();
        let mut phases = Seconds { total: seconds, ..Seconds::default() };
        for sample in samples {
            edges.add_edges(sample.edges.iter().copied(), 1);
            tests += &sample.tests;
            phases.restrict += sample.restrict;
            phases.maximise += sample.maximise;
        }
        Bootstrap {
            strengths: edges.strengths(),
            directed: samples.iter().any(|sample| sample.directed),
            threshold: threshold(edges.found(), samples.len()) as f64 / samples.len() as f64,
            samples: samples.len(),
            tests,
            seconds: phases,
        }
    }

    /// The averaged network as the result of a run, with its score if the learner maximises one; the
    /// averaged skeleton of a learner that finds no directions.
    pub fn averaged(&self, settings: &Settings, data: &Dataset) -> Result<Learned> {
        let known = constraints(settings, data)?;
        let n = data.variables().len();
        let max_parents = settings.limit(&rows::MAX_PARENTS).filter(|_| settings.uses(&rows::MAX_PARENTS));
        let (graph, score) = if self.directed {
            let dag = averaged_network(self, n, &known, max_parents);
            let score = match settings.uses(&rows::SCORE) {
                true if !data.is_for_em() => {
                    Some(total(&*settings.for_table(data)?.score().build(data)?, &dag))
                }
                _ => None,
            };
            (LearnedGraph::Dag(dag), score)
        } else {
            (LearnedGraph::Skeleton(averaged_skeleton(self, n, &known)), None)
        };
        let skeleton = (!self.directed).then(|| graph.skeleton());
        Ok(Learned {
            graph,
            score,
            bound: None,
            skeleton,
            evidence: Evidence::default(),
            concerns: Vec::new(),
            alternatives: Vec::new(),
            strengths: Vec::new(),
            complete: true,
            moves: 0,
            tests: self.tests.clone(),
            seconds: self.seconds,
        })
    }
}

/// The arcs above the threshold, each in its more frequent direction; the strongest first, without
/// those that would close a cycle or give a node too many parents.
///
/// Required arcs are present and forbidden ones absent, as in each of the samples.
pub fn averaged_network(
    bootstrap: &Bootstrap,
    n: usize,
    constraints: &Constraints,
    max_parents: Option<usize>,
) -> Dag {
    let mut edges: Vec<&Strength> =
        bootstrap.strengths.iter().filter(|s| s.strength > bootstrap.threshold).collect();
    let sure = |s: &Strength| s.strength * s.direction.max(1.0 - s.direction);
    edges.sort_unstable_by(|a, b| sure(b).total_cmp(&sure(a)).then_with(|| (a.x, a.y).cmp(&(b.x, b.y))));
    let mut dag =
        Dag::from_arcs(n, constraints.required().iter().copied()).expect("required arcs do not form a cycle");
    for Strength { x, y, direction, .. } in edges {
        // Where both directions are equally frequent either will do: a class leaves them open, and a
        // direction that is forbidden is never the more frequent one.
        let ways = [(*x, *y, *direction), (*y, *x, 1.0 - direction)];
        for (from, to, share) in ways {
            let room = max_parents.is_none_or(|most| dag.parents(to).len() < most);
            if share >= 0.5 && room && !dag.adjacent(from, to) && constraints.may_add(from, to) {
                // An arc that would close a cycle is the weakest of that cycle.
                _ = dag.try_add(from, to);
            }
        }
    }
    dag
}

/// The edges above the threshold, and the required ones.
fn averaged_skeleton(bootstrap: &Bootstrap, n: usize, constraints: &Constraints) -> Skeleton {
    let mut skeleton = Skeleton::empty(n);
    for s in bootstrap.strengths.iter().filter(|s| s.strength > bootstrap.threshold) {
        skeleton.insert(s.x, s.y);
    }
    for &(x, y) in constraints.required() {
        skeleton.insert(x, y);
    }
    skeleton
}

/// The threshold for which the strengths are nearest to those of a certain answer, in which every
/// edge has strength 0 or 1: the share t of absent edges that minimises the area between the
/// distribution function of the strengths and the constant t, and then the t-quantile of the
/// strengths.
///
/// Strengths and threshold are numbers of samples, so that nothing depends on rounding.
fn threshold(mut found: Vec<usize>, samples: usize) -> usize {
    found.sort_unstable();
    // The distribution function is constant between two strengths that follow each other, and the minimum of
    // a sum of weighted distances is at the weighted median: where half of the width has been passed.
    let mut before = 0;
    for strength in found.into_iter().chain([samples]) {
        if 2 * strength >= samples && strength > before {
            return before;
        }
        before = strength;
    }
    before
}

fn resample(data: &Dataset, rows: &[u32], seed: u64, sample: usize) -> Result<Dataset> {
    // Mixed, or else the state of one sample's generator would be that of the next, shifted.
    let mut random = generator(mix(seed, &[sample as u64]));
    draw_rows(data, rows, &mut random)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Var;

    #[test]
    fn the_threshold_lies_in_the_gap_between_noise_and_signal() {
        // Of 20 samples: five edges now and then, five nearly always.
        let t = threshold(vec![1, 2, 2, 3, 4, 18, 19, 20, 20, 20], 20);
        assert!((4..18).contains(&t), "{t}");
        assert_eq!(threshold(vec![20; 5], 20), 0);
        assert_eq!(threshold(Vec::new(), 20), 0);
    }

    #[test]
    fn the_threshold_does_not_depend_on_an_edge_far_away() {
        // Half of the width is passed exactly at 0.5; sums of rounded widths fall on either side of it.
        assert_eq!(threshold(vec![9, 10, 18], 20), 9);
        for far in 1..9 {
            assert_eq!(threshold(vec![far, 9, 10, 18], 20), 9, "{far}");
        }
        for far in 11..=20 {
            assert_eq!(threshold(vec![9, 10, far, 18], 20), 9, "{far}");
        }
    }

    fn averaged(strengths: &[(u32, u32, f64, f64)], constraints: &Constraints, most: Option<usize>) -> Dag {
        let strength = |&(x, y, strength, direction): &(u32, u32, f64, f64)| Strength {
            x: Var(x),
            y: Var(y),
            strength,
            direction,
        };
        let seconds = Seconds { restrict: 0.0, maximise: 0.0, total: 0.0 };
        let strengths = strengths.iter().map(strength).collect();
        let bootstrap = Bootstrap {
            strengths,
            directed: true,
            threshold: 0.4,
            samples: 10,
            tests: Tally::default(),
            seconds,
        };
        averaged_network(&bootstrap, 3, constraints, most)
    }

    fn arcs(dag: &Dag) -> Vec<(u32, u32)> {
        dag.arcs().map(|(from, to)| (from.0, to.0)).collect()
    }

    #[test]
    fn the_weakest_arc_of_a_cycle_is_left_out_and_an_open_one_turned() {
        let none = Constraints::none();
        let cycle = [(0, 1, 1.0, 1.0), (1, 2, 0.9, 0.9), (0, 2, 0.8, 0.1)];
        assert_eq!(arcs(&averaged(&cycle, &none, None)), [(0, 1), (1, 2)]);
        let open = [(0, 1, 1.0, 0.0), (1, 2, 0.9, 0.1), (0, 2, 0.8, 0.5)];
        assert_eq!(arcs(&averaged(&open, &none, None)), [(1, 0), (2, 0), (2, 1)]);
        assert_eq!(arcs(&averaged(&open, &none, Some(1))), [(0, 2), (1, 0), (2, 1)][1..], "no room in 0");
        assert!(averaged(&[(0, 1, 0.4, 1.0)], &none, None).is_empty(), "not above the threshold");
    }

    #[test]
    fn what_is_required_is_there_and_what_is_forbidden_is_not() {
        let arc = |text| crate::graph::parse_arcs(text, "arcs.csv").unwrap();
        let known = |required, forbidden| {
            Constraints::new(&["a", "b", "c"], &arc(required), &arc(forbidden), &[]).unwrap()
        };
        let open = [(0, 1, 1.0, 0.5)];
        assert_eq!(arcs(&averaged(&open, &known("from,to\n", "from,to\na,b\n"), None)), [(1, 0)]);
        assert_eq!(arcs(&averaged(&open, &known("from,to\nb,a\n", "from,to\n"), None)), [(1, 0)]);
        assert_eq!(arcs(&averaged(&[], &known("from,to\nc,a\n", "from,to\n"), None)), [(2, 0)]);
    }
}
