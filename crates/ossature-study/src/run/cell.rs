//! One cell: a learner on a sample, and its measures.

use ossature::data::TableKind;
use ossature::graph::compare;
use ossature::halves::LearnedGraph;
use ossature::learn::catalogue::rows;
use ossature::learn::{Catalogue, Learned};
use ossature::score::total;
use ossature::{Dataset, Error, Pdag, Progress, Result, ScoreKind, ScoreSettings, Settings, Skeleton};

use crate::memory;
use crate::row::Row;
use crate::sample::Draw;

/// The imaginary sample size of the measured score, whatever the learner uses.
const ISS: f64 = 10.0;

/// How often a quick timed cell runs; the run with the median time counts.
const RUNS: usize = 5;
/// The total time in seconds below which a cell is quick.
const QUICK: f64 = 1.0;

/// The data that all learners of a sample see.
pub(super) struct Seen<'a> {
    draw: Draw<'a>,
    new: Option<Dataset>,
    catalogue: &'a Catalogue,
}

impl<'a> Seen<'a> {
    /// A sample for learners of a catalogue, with new rows if requested.
    pub(super) fn new(
        draw: Draw<'a>,
        catalogue: &'a Catalogue,
        new_rows: Option<usize>,
        progress: &dyn Progress,
    ) -> Result<Seen<'a>> {
        let new = new_rows.map(|rows| draw.new_rows(rows, progress)).transpose()?;
        Ok(Seen { draw, new, catalogue })
    }

    /// The result of a learner, compared with the truth.
    pub(super) fn accuracy(&self, settings: &Settings, row: &mut Row, progress: &dyn Progress) -> Result<()> {
        let learned = self.learn(settings, progress)?;
        match (&learned.skeleton, &learned.graph) {
            (Some(skeleton), _) | (None, LearnedGraph::Skeleton(skeleton)) => {
                self.measure_skeleton(skeleton, row);
            }
            _ => {}
        }
        if learned.graph.has_directions() {
            self.measure_structure(&learned.graph, row)?;
        }
        tests(settings, &learned, row);
        seconds(&learned, row);
        Ok(())
    }

    /// How long a learner takes.
    pub(super) fn timing(&self, settings: &Settings, row: &mut Row, progress: &dyn Progress) -> Result<()> {
        let before = memory::reset_peak();
        let mut runs: Vec<Learned> = Vec::with_capacity(RUNS);
        while runs.len() < RUNS && runs.iter().map(|run| run.seconds.total).sum::<f64>() < QUICK {
            runs.push(self.learn(settings, progress)?);
        }
        row.peak_bytes = before.and_then(|before| Some(memory::peak()?.saturating_sub(before)));
        runs.sort_by(|a, b| a.seconds.total.total_cmp(&b.seconds.total));
        // Of an even number the quicker of the two in the middle.
        if let Some(run) = runs.get((runs.len() - 1) / 2) {
            tests(settings, run, row);
            seconds(run, row);
        }
        Ok(())
    }

    fn learn(&self, settings: &Settings, progress: &dyn Progress) -> Result<Learned> {
        let rows = &self.draw.rows;
        let learned = self.catalogue.build(settings, rows)?.learn(rows, progress)?;
        if learned.complete { Ok(learned) } else { Err(Error::Stopped) }
    }

    fn measure_skeleton(&self, skeleton: &Skeleton, row: &mut Row) {
        let found = compare(&Pdag::from(&self.draw.truth), &Pdag::from(skeleton));
        let (n, edges) = (skeleton.nodes(), self.draw.truth.len());
        let counts = found.skeleton;
        row.skeleton_tp = Some(counts.tp);
        row.skeleton_fp = Some(counts.fp);
        row.skeleton_fn = Some(counts.fn_);
        row.fp_ratio = Some(share(counts.fp, n * n.saturating_sub(1) / 2 - edges));
        row.fn_ratio = Some(share(counts.fn_, edges));
        row.precision = Some(found.precision);
        row.recall = Some(found.recall);
        let (p, r) = (1.0 - found.precision, 1.0 - found.recall);
        row.distance = Some((p * p + r * r).sqrt());
    }

    /// A structure is scored by its DAG or one of its class; if there is none it has no score. The scores are for
    /// discrete tables: continuous rows have none.
    fn measure_structure(&self, graph: &LearnedGraph, row: &mut Row) -> Result<()> {
        let dag = graph.dag().filter(|_| self.draw.rows.kind() == TableKind::Discrete);
        if let Some(dag) = dag {
            let score = |kind, data: &Dataset| {
                Ok(total(&*ScoreSettings { kind, iss: ISS, ..ScoreSettings::default() }.build(data)?, &dag))
            };
            row.bdeu_train = Some(score(ScoreKind::Bdeu, &self.draw.rows)?);
            row.bic_train = Some(score(ScoreKind::Bic, &self.draw.rows)?);
            if let Some(new) = &self.new {
                row.bdeu_new = Some(score(ScoreKind::Bdeu, new)?);
                row.bic_new = Some(score(ScoreKind::Bic, new)?);
            }
        }
        // A DAG is compared as its class, anything else as it is.
        let found = compare(&Pdag::from(&self.draw.truth), &graph.to_pdag());
        row.arcs = Some(graph.skeleton().len());
        row.shd = Some(found.shd);
        row.dag_tp = Some(found.skeleton.tp);
        row.dag_fp = Some(found.skeleton.fp);
        row.dag_fn = Some(found.skeleton.fn_);
        Ok(())
    }
}

/// A learner without tests has no number of tests.
fn tests(settings: &Settings, learned: &Learned, row: &mut Row) {
    if settings.uses(&rows::TEST) {
        row.tests = Some(learned.tests.asked);
        row.tests_without_power = Some(learned.tests.without_power);
    }
}

fn seconds(learned: &Learned, row: &mut Row) {
    row.seconds_restrict = Some(learned.seconds.restrict);
    row.seconds_maximise = Some(learned.seconds.maximise);
    row.seconds_total = Some(learned.seconds.total);
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use ossature::graph::Mark;
    use ossature::network::catalogue;
    use ossature::{Silent, Var};

    use super::*;
    use crate::row::{Key, Kind};

    fn row() -> Row {
        let name = || "x".to_owned();
        Row::empty(Key { network: name(), size: 1, sample: 1, learner: name(), kind: Kind::Accuracy }, 0)
    }

    #[test]
    fn ratios_are_those_of_the_paper() {
        let asia = catalogue::load("asia").unwrap();
        let draw = Draw::new(&asia, "asia", 20, 1, 0, &Silent).unwrap();
        let mut skeleton = draw.truth.skeleton();
        let edges: Vec<(Var, Var)> = skeleton.edges().collect();
        skeleton.remove(edges[0].0, edges[0].1);
        skeleton.remove(edges[1].0, edges[1].1);
        let absent = |s: &Skeleton| {
            let pairs = (0..8u32).flat_map(|x| (x + 1..8).map(move |y| (Var(x), Var(y))));
            pairs.filter(|&(x, y)| !s.contains(x, y) && !edges.contains(&(x, y))).collect::<Vec<_>>()
        };
        let (x, y) = absent(&skeleton)[0];
        skeleton.insert(x, y);
        let mut row = row();
        let catalogue = Catalogue::standard();
        Seen::new(draw, &catalogue, None, &Silent).unwrap().measure_skeleton(&skeleton, &mut row);
        // 8 true edges among 28 pairs; 6 found, 1 false.
        assert_eq!((row.skeleton_tp, row.skeleton_fp, row.skeleton_fn), (Some(6), Some(1), Some(2)));
        assert_eq!((row.fp_ratio, row.fn_ratio), (Some(1.0 / 20.0), Some(2.0 / 8.0)));
        assert_eq!((row.precision, row.recall), (Some(6.0 / 7.0), Some(6.0 / 8.0)));
        let distance = ((1.0f64 / 7.0).powi(2) + (0.25f64).powi(2)).sqrt();
        assert!((row.distance.unwrap() - distance).abs() < 1e-15);
    }

    #[test]
    fn the_truth_is_at_distance_0_and_scores_as_the_library_says() {
        let asia = catalogue::load("asia").unwrap();
        let draw = Draw::new(&asia, "asia", 500, 1, 0, &Silent).unwrap();
        let truth = draw.truth.clone();
        let catalogue = Catalogue::standard();
        let seen = Seen::new(draw, &catalogue, Some(300), &Silent).unwrap();
        let measured = |graph: &LearnedGraph| {
            let mut row = row();
            seen.measure_structure(graph, &mut row).unwrap();
            row
        };
        let row = measured(&LearnedGraph::Dag(truth.clone()));
        assert_eq!((row.shd, row.arcs, row.dag_tp), (Some(0), Some(8), Some(8)));
        // The same structure under its own names has the same score.
        let plain = asia.sample(500, seen.draw.seed, &Silent).unwrap();
        let bdeu = ScoreSettings::default().build(&plain).unwrap();
        assert_eq!(row.bdeu_train, Some(total(&*bdeu, asia.dag())));
        assert!(row.bic_new < Some(0.0) && row.bdeu_new < Some(0.0) && row.bdeu_new != row.bdeu_train);
        // The class of the truth is as near, and scores as any DAG of it.
        let class = measured(&LearnedGraph::Cpdag(truth.cpdag()));
        assert_eq!((class.shd, class.arcs, class.dag_tp), (row.shd, row.arcs, row.dag_tp));
        let (one, other) = (row.bdeu_new.unwrap(), class.bdeu_new.unwrap());
        assert!((one - other).abs() < 1e-9 * one.abs(), "{one} {other}");
        // Arcs in a circle are no DAG, which could be scored.
        let circle = [(Var(0), Var(1)), (Var(1), Var(2)), (Var(2), Var(0))];
        let mut pdag = Pdag::empty(8);
        circle.iter().for_each(|&(x, y)| pdag.set(x, y, Mark::Forward));
        let none = measured(&LearnedGraph::Pdag(pdag));
        assert_eq!((none.arcs, none.bdeu_train, none.bic_new), (Some(3), None, None));
        assert!(none.shd >= Some(8 - 3) && none.dag_fn.is_some());
    }
}
