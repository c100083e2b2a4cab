//! Progress and stopping; hubs and wide tables.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use ossature::ci::{Independence, TestKind, TestSettings, Underpowered};
use ossature::local::{Hpc, LocalLearner, Mmpc, Symmetry, WeakLearner, markov_blanket, neighbours, skeleton};
use ossature::network::catalogue;
use ossature::{Column, Dataset, Error, Event, Progress, Silent, Stop, Var, VarSet, Variable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::script::{Script, p};

/// Records the targets done.
#[derive(Default)]
struct Targets(Mutex<Vec<usize>>);

impl Progress for Targets {
    fn report(&self, event: Event) -> ControlFlow<Stop> {
        if let Event::TargetDone { done, total: 8 } = event {
            self.0.lock().unwrap().push(done);
        }
        ControlFlow::Continue(())
    }
}

/// Stops a run at the given report, and records how much had been done by then.
struct StopAt<'a> {
    look: usize,
    how: Stop,
    /// The number of tests made so far.
    made: &'a (dyn Fn() -> u64 + Sync),
    looks: AtomicUsize,
    /// The number of tests asked before the stop, or a few fewer.
    asked: AtomicU64,
    made_then: OnceLock<u64>,
}

impl<'a> StopAt<'a> {
    fn look(look: usize, how: Stop, made: &'a (dyn Fn() -> u64 + Sync)) -> StopAt<'a> {
        StopAt {
            look,
            how,
            made,
            looks: AtomicUsize::new(0),
            asked: AtomicU64::new(0),
            made_then: OnceLock::new(),
        }
    }

    /// Asserts that a run of one thread over `n` variables made no test after the stop, and asked few: every
    /// answer is "independent", which ends the work in progress.
    #[track_caller]
    fn assert_the_end(&self, ind: &Independence<'_>, stride: u64, n: usize) {
        assert_eq!(self.looks.load(Ordering::Relaxed), self.look, "looks");
        assert_eq!(Some(&(self.made)()), self.made_then.get(), "tests made");
        let after = ind.tally().asked - self.asked.load(Ordering::Relaxed);
        // Tests of each order that do not fill a stride were asked before, but not reported.
        assert!(after <= 24 * stride + 10 * n as u64, "{after} tests were asked after the stop");
    }
}

impl Progress for StopAt<'_> {
    fn report(&self, event: Event) -> ControlFlow<Stop> {
        if let Event::TestsAsked { tests, .. } = event {
            self.asked.fetch_add(tests, Ordering::Relaxed);
        }
        if self.looks.fetch_add(1, Ordering::Relaxed) + 1 < self.look {
            return ControlFlow::Continue(());
        }
        self.made_then.get_or_init(self.made);
        ControlFlow::Break(self.how)
    }
}

/// Runs the work in a pool of one thread, so that everything happens in one order.
fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(work)
}

/// Two levels for each variable; the first column determines the others, up to noise.
fn star(leaves: usize, rows: usize, noise: f64) -> Dataset {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let hub: Vec<u16> = (0..rows).map(|_| random.random_range(0..2)).collect();
    let mut columns = vec![(Variable::new("hub", ["0", "1"]).unwrap(), Column::from_codes(hub.clone(), 2))];
    for leaf in 0..leaves {
        let codes = hub.iter().map(|&c| c ^ u16::from(random.random_bool(noise)));
        let column = Column::from_codes(codes.collect::<Vec<_>>(), 2);
        columns.push((Variable::new(format!("leaf{leaf:05}"), ["0", "1"]).unwrap(), column));
    }
    Dataset::new(columns).unwrap()
}

#[test]
fn every_target_is_reported_once() {
    let asia = catalogue::load("asia").unwrap().sample(500, 1, &Silent).unwrap();
    let test = TestSettings::default().build(&asia).unwrap();
    let targets = Targets::default();
    let ind = Independence::new(&*test, 0.05).progress(&targets, u64::MAX);
    skeleton(&Mmpc, &VarSet::all(8), Symmetry::And, &ind).unwrap();
    let mut done = targets.0.into_inner().unwrap();
    done.sort_unstable();
    assert_eq!(done, [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn a_run_that_is_stopped_makes_no_more_tests_and_has_no_answer() {
    let pigs = catalogue::load("pigs").unwrap().sample(2000, 1, &Silent).unwrap();
    let test = TestSettings::default().build(&pigs).unwrap();
    let n = pigs.variables().len();
    let made = || test.computed();
    for how in [Stop::Cancel, Stop::Finish] {
        for learner in
            [&Hpc::new(WeakLearner::InterIapc).with_sharing() as &dyn LocalLearner, &Hpc::default(), &Mmpc]
        {
            let stop = StopAt::look(100, how, &made);
            let ind = Independence::new(&*test, 0.05).progress(&stop, 64);
            let result = alone(|| skeleton(learner, &VarSet::all(n), Symmetry::And, &ind));
            assert!(matches!(result, Err(Error::Stopped)));
            assert_eq!(ind.stop_requested(), Some(how));
            stop.assert_the_end(&ind, 64, n);
            // With several threads, some of them learn of the stop a moment later; there is no answer either.
            let stop = StopAt::look(100, how, &made);
            let ind = Independence::new(&*test, 0.05).progress(&stop, 64);
            assert!(matches!(skeleton(learner, &VarSet::all(n), Symmetry::And, &ind), Err(Error::Stopped)));
        }
    }
}

/// A stop reported between targets, without any test, counts as well, and the remaining targets are not
/// started.
#[test]
fn a_stop_between_targets_leaves_out_the_others() {
    let script = Script::new(|_, _, _| p(0.5));
    let stop = StopAt::look(1, Stop::Cancel, &|| 0);
    let ind = script.ind().progress(&stop, u64::MAX);
    let result = alone(|| skeleton(&Mmpc, &VarSet::all(50), Symmetry::And, &ind));
    assert!(matches!(result, Err(Error::Stopped)));
    assert_eq!(ind.tally().asked, 49, "one target was learned, and no other begun");
}

#[test]
fn one_target_that_is_stopped_has_no_answer_either() {
    let script = Script::new(|_, _, _| p(1e-3));
    let made = || script.count();
    let u = VarSet::all(40);
    for learner in [&Hpc::default() as &dyn LocalLearner, &Mmpc] {
        // Everything is dependent: without a stop, all subsets of 39 variables would be tried.
        let stop = StopAt::look(50, Stop::Cancel, &made);
        let ind = script.ind().progress(&stop, 256);
        assert!(matches!(alone(|| neighbours(learner, Var(0), &u, &ind)), Err(Error::Stopped)));
        stop.assert_the_end(&ind, 256, 40);
        let stop = StopAt::look(50, Stop::Cancel, &made);
        let ind = script.ind().progress(&stop, 256);
        let blanket = alone(|| markov_blanket(learner, Var(0), &u.without(Var(0)), &u, &ind));
        assert!(matches!(blanket, Err(Error::Stopped)));
        stop.assert_the_end(&ind, 256, 40);
        script.asked();
    }
}

#[test]
fn a_wide_sweep_looks_up_now_and_then() {
    let data = star(5000, 100, 0.3);
    let test = TestSettings::default().build(&data).unwrap();
    let stop = StopAt::look(2, Stop::Cancel, &|| 0);
    let ind = Independence::new(&*test, 0.05).progress(&stop, 256);
    let found = neighbours(&Hpc::default(), Var(0), &VarSet::all(5001), &ind);
    assert!(matches!(found, Err(Error::Stopped)));
    assert_eq!(test.computed(), 256, "what lies between two looks");
}

/// Sixty neighbours and few rows: each learner ends, with each policy and power rule.
#[test]
fn a_hub_comes_to_an_end() {
    let data = star(60, 300, 0.25);
    let (hub, u) = (data.var("hub").unwrap(), VarSet::all(61));
    for kind in [TestKind::Mi, TestKind::MiAdf] {
        for rule in [5, 0] {
            for policy in [Underpowered::Independent, Underpowered::Skip] {
                let test = TestSettings { kind, power_rule: Some(rule), ..TestSettings::default() }
                    .build(&data)
                    .unwrap();
                let learners: [(&str, &dyn LocalLearner); 3] =
                    [("hpc", &Hpc::default()), ("fdr", &Hpc::new(WeakLearner::FdrIapc)), ("mmpc", &Mmpc)];
                for (name, learner) in learners {
                    // The largest number is 2.6 million tests; all subsets of sixty neighbours would be far
                    // too many.
                    let stop = StopAt::look(6_400_000 / 64, Stop::Cancel, &|| 0);
                    let ind = Independence::new(&*test, 0.05).underpowered(policy).progress(&stop, 64);
                    let pc = learner.parents_and_children(hub, &u, &ind);
                    assert_eq!(ind.stop_requested(), None, "{kind:?} {rule} {policy:?} {name}");
                    assert!(!pc.is_empty());
                }
            }
        }
    }
}

/// One target of a wide table takes some tests for each variable, not for each pair.
#[test]
fn one_target_of_a_wide_table_takes_few_tests() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(13);
    let mut columns = Vec::new();
    let mut before: Vec<u16> = (0..300).map(|_| random.random_range(0..3)).collect();
    for v in 0..20_000 {
        // Chains of ten variables.
        let keep = if v % 10 == 0 { 0.0 } else { 0.8 };
        for code in &mut before {
            if !random.random_bool(keep) {
                *code = random.random_range(0..3);
            }
        }
        let column = Column::from_codes(before.iter().copied(), 3);
        columns.push((Variable::new(format!("v{v:05}"), ["0", "1", "2"]).unwrap(), column));
    }
    let data = Dataset::new(columns).unwrap();
    let test = TestSettings { power_rule: Some(5), ..TestSettings::default() }.build(&data).unwrap();
    let ind = Independence::new(&*test, 0.001);
    let found = neighbours(&Hpc::default(), Var(15), &VarSet::all(20_000), &ind).unwrap();
    assert!(found.contains(Var(14)) && found.contains(Var(16)));
    assert!(ind.tally().asked < 4 * 20_000, "{:?}", ind.tally());
}
