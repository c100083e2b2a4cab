//! Progress and stopping; hubs and wide tables.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use ossature::ci::{Independence, TestKind, TestSettings, Underpowered};
use ossature::local::{Hpc, LocalLearner, Mmpc, Symmetry, WeakLearner, markov_blanket, neighbours, skeleton};
use ossature::network::catalogue;
use ossature::{Column, Dataset, Error, Event, Progress, Silent, Stop, Var, VarSet, Variable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::script::{Script, p};

/// Notes the targets done.
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

/// Stops a run at the given look, and notes when: a stop after so many milliseconds would come too
/// late for a quick machine.
struct StopAt {
    look: usize,
    how: Stop,
    looks: AtomicUsize,
    stopped: OnceLock<Instant>,
}

impl StopAt {
    fn look(look: usize, how: Stop) -> StopAt {
        StopAt { look, how, looks: AtomicUsize::new(0), stopped: OnceLock::new() }
    }

    /// Asserts that the end came soon after the stop. The bound is generous, for busy machines; the
    /// goal is 100 ms.
    #[allow(clippy::print_stdout)]
    fn assert_soon(&self, what: &str) {
        let late = self.stopped.get().expect("it was stopped").elapsed();
        println!("{what}: ended {} ms after the stop", late.as_millis());
        assert!(late < Duration::from_secs(1), "{what}: {late:?}");
    }
}

impl Progress for StopAt {
    fn report(&self, _: Event) -> ControlFlow<Stop> {
        if self.looks.fetch_add(1, Ordering::Relaxed) + 1 < self.look {
            return ControlFlow::Continue(());
        }
        self.stopped.get_or_init(Instant::now);
        ControlFlow::Break(self.how)
    }
}

/// Stops a run that takes far longer than it should.
struct Patience(Instant, Duration);

impl Progress for Patience {
    fn report(&self, _: Event) -> ControlFlow<Stop> {
        if self.0.elapsed() < self.1 { ControlFlow::Continue(()) } else { ControlFlow::Break(Stop::Cancel) }
    }
}

/// Two levels for each variable; the first column decides the others, up to noise.
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
    let test = TestSettings::default().build(&asia);
    let targets = Targets::default();
    let ind = Independence::new(&*test, 0.05).progress(&targets, u64::MAX);
    skeleton(&Mmpc, &VarSet::all(8), Symmetry::And, &ind).unwrap();
    let mut done = targets.0.into_inner().unwrap();
    done.sort_unstable();
    assert_eq!(done, [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn a_run_that_is_stopped_ends_soon_and_without_an_answer() {
    let pigs = catalogue::load("pigs").unwrap().sample(2000, 1, &Silent).unwrap();
    let test = TestSettings::default().build(&pigs);
    let n = pigs.variables().len();
    for how in [Stop::Cancel, Stop::Finish] {
        for learner in
            [&Hpc::new(WeakLearner::InterIapc).with_sharing() as &dyn LocalLearner, &Hpc::default(), &Mmpc]
        {
            let stop = StopAt::look(100, how);
            let ind = Independence::new(&*test, 0.05).progress(&stop, 64);
            let result = skeleton(learner, &VarSet::all(n), Symmetry::And, &ind);
            stop.assert_soon("skeleton of pigs");
            assert!(matches!(result, Err(Error::Stopped)));
            assert_eq!(ind.stop_requested(), Some(how));
        }
    }
}

/// A stop reported by the targets alone, without the tests, counts as well, and the targets that are
/// left are not begun.
#[test]
fn a_stop_between_targets_leaves_out_the_others() {
    let script = Script::new(|_, _, _| p(0.5));
    let stop = StopAt::look(1, Stop::Cancel);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let ind = script.ind().progress(&stop, u64::MAX);
    let result = pool.install(|| skeleton(&Mmpc, &VarSet::all(50), Symmetry::And, &ind));
    assert!(matches!(result, Err(Error::Stopped)));
    assert_eq!(ind.tally().asked, 49, "one target was learned, and no other begun");
}

#[test]
fn one_target_that_is_stopped_has_no_answer_either() {
    let script = Script::new(|_, _, _| p(1e-3));
    let u = VarSet::all(40);
    for learner in [&Hpc::default() as &dyn LocalLearner, &Mmpc] {
        // All is dependent: without a stop the subsets of 39 variables would be gone through.
        let stop = StopAt::look(50, Stop::Cancel);
        let ind = script.ind().progress(&stop, 256);
        assert!(matches!(neighbours(learner, Var(0), &u, &ind), Err(Error::Stopped)));
        stop.assert_soon("subsets of 39 variables");
        let stop = StopAt::look(50, Stop::Cancel);
        let ind = script.ind().progress(&stop, 256);
        let blanket = markov_blanket(learner, Var(0), &u.without(Var(0)), &u, &ind);
        assert!(matches!(blanket, Err(Error::Stopped)));
        script.asked();
    }
}

#[test]
fn a_wide_sweep_looks_up_now_and_then() {
    let data = star(5000, 100, 0.3);
    let test = TestSettings::default().build(&data);
    let stop = StopAt::look(2, Stop::Cancel);
    let ind = Independence::new(&*test, 0.05).progress(&stop, 256);
    let found = neighbours(&Hpc::default(), Var(0), &VarSet::all(5001), &ind);
    assert!(matches!(found, Err(Error::Stopped)));
    assert_eq!(test.computed(), 256, "what lies between two looks");
}

/// Sixty neighbours and little data: each learner ends, by each policy and power rule.
#[test]
fn a_hub_comes_to_an_end() {
    let data = star(60, 300, 0.25);
    let (hub, u) = (data.var("hub").unwrap(), VarSet::all(61));
    for kind in [TestKind::Mi, TestKind::MiAdf] {
        for rule in [5, 0] {
            for policy in [Underpowered::Independent, Underpowered::Skip] {
                let test =
                    TestSettings { kind, power_rule: Some(rule), ..TestSettings::default() }.build(&data);
                let learners: [(&str, &dyn LocalLearner); 3] =
                    [("hpc", &Hpc::default()), ("fdr", &Hpc::new(WeakLearner::FdrIapc)), ("mmpc", &Mmpc)];
                for (name, learner) in learners {
                    let stop = Patience(Instant::now(), Duration::from_secs(60));
                    let ind = Independence::new(&*test, 0.05).underpowered(policy).progress(&stop, 64);
                    let pc = learner.parents_and_children(hub, &u, &ind);
                    println!(
                        "{kind:?} rule {rule} {policy:?} {name}: {} neighbours, {} ms, {:?}",
                        pc.len(),
                        stop.0.elapsed().as_millis(),
                        ind.tally().by_order
                    );
                    assert_eq!(ind.stop_requested(), None, "{kind:?} {rule} {policy:?} {name}");
                    assert!(!pc.is_empty());
                }
            }
        }
    }
}

/// One target of a wide table takes time and memory near the size of the data, not of its pairs.
#[test]
fn one_target_of_a_wide_table_is_quick() {
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
    let test = TestSettings { power_rule: Some(5), ..TestSettings::default() }.build(&data);
    let ind = Independence::new(&*test, 0.001);
    let clock = Instant::now();
    let found = neighbours(&Hpc::default(), Var(15), &VarSet::all(20_000), &ind).unwrap();
    println!("{found:?} in {} ms, {} tests", clock.elapsed().as_millis(), ind.tally().asked);
    assert!(found.contains(Var(14)) && found.contains(Var(16)));
    assert!(clock.elapsed() < Duration::from_secs(30));
}
