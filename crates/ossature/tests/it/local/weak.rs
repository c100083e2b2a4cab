//! The weak learners with scripted answers: order, ties, recurring states, and the adjusted comparison.

use ossature::ci::{Outcome, Underpowered};
use ossature::local::{PhaseOne, WeakLearner, de_pcs};
use ossature::{Var, VarSet};

use super::script::{Script, no_power, p, questions};
use super::set;

/// Lines 1-13 and then 14-19: the strongest first. The node just added is not tested again; the others are,
/// from the newest to the oldest, with the blanket as it is then.
#[test]
fn inter_iapc_asks_in_its_order() {
    let script = Script::new(|_, x, z| match (x, z) {
        (4, [] | [1] | [1, 2]) => p(0.5),
        (4, [1, 2, 3]) => p(1e-3),
        (1, [2, 3, 4] | [2, 4]) | (2, [1, 3, 4]) | (3, [1, 2, 4]) => p(0.5), // 3 goes, then 2 stays
        (x, _) => p(1e-9 * f64::from(x)),
    });
    let pc = WeakLearner::InterIapc.parents_and_children(Var(0), &VarSet::all(5), &script.ind());
    let expected = questions(
        0,
        "
        1 |, 2 |, 3 |, 4 |  -- 1
        2 | 1, 3 | 1, 4 | 1  -- 2
        1 | 2
        3 | 1 2, 4 | 1 2  -- 3
        2 | 1 3, 1 | 2 3
        4 | 1 2 3  -- 4
        3 | 1 2 4, 2 | 1 4, 1 | 2 4  -- 3 goes; 2 stays, now that 3 is not given; 1 goes
        1 | 2 4, 3 | 2 4  -- 3 comes again
        4 | 2 3, 2 | 3 4
        1 | 2 3 4  -- not 1
        3 | 2 4, 4 | 2 3, 2 | 3 4  -- nothing superfluous: the blanket is 2, 3, 4
        ",
    );
    let asked = script.asked();
    assert_eq!(asked[..expected.len()], expected);
    // 2 and 3 stay given every subset; 4 is independent given nothing.
    let filter = questions(0, "2 |, 2 | 3, 2 | 4, 2 | 3 4, 3 |, 3 | 2, 3 | 4, 3 | 2 4, 4 |");
    assert_eq!(asked[expected.len()..], filter);
    assert_eq!(pc, set(&[2, 3]));
}

/// 1 is replaced by 2, 2 by 3, and 3 by 1.
fn round_and_round() -> Script {
    Script::new(|_, x, z| match (x, z) {
        (1, [] | [3]) | (2, [1]) | (3, [2]) => p(1e-6),
        (2, [1, 3]) | (3, [1, 2]) | (1, [2, 3]) => p(0.5),
        _ => p(0.5),
    })
}

#[test]
fn a_state_that_recurs_ends_the_loop() {
    let script = round_and_round();
    assert_eq!(
        WeakLearner::InterIapc.parents_and_children(Var(0), &VarSet::all(4), &script.ind()),
        set(&[1])
    );
    let script = round_and_round();
    assert_eq!(WeakLearner::FdrIapc.parents_and_children(Var(0), &VarSet::all(4), &script.ind()), set(&[1]));
}

#[test]
fn ties_go_to_the_larger_statistic_the_smaller_df_the_first_variable() {
    // The first to enter keeps all others out.
    let first = |outcomes: [Outcome; 3]| {
        let script = Script::new(move |_, x, z| if z.is_empty() { outcomes[x as usize - 1] } else { p(0.5) });
        WeakLearner::InterIapc
            .parents_and_children(Var(0), &VarSet::all(4), &script.ind())
            .as_slice()
            .to_vec()
    };
    let o = |statistic, df, ln_p| Outcome::with_ln_p(statistic, df, ln_p);
    assert_eq!(first([o(9.0, 1.0, -700.0), o(1.0, 3.0, -900.0), o(9.0, 1.0, -800.0)]), [Var(2)]);
    assert_eq!(first([o(8.0, 1.0, -9.0), o(9.0, 3.0, -9.0), o(8.5, 1.0, -9.0)]), [Var(2)]);
    assert_eq!(first([o(8.0, 3.0, -9.0), o(8.0, 2.0, -9.0), o(8.0, 1.0, -9.0)]), [Var(3)]);
    assert_eq!(first([o(7.0, 1.0, -9.0), o(8.0, 1.0, -9.0), o(8.0, 1.0, -9.0)]), [Var(2)]);
}

/// With three candidates p is multiplied by 3 (1 + 1/2 + 1/3) / i: by 5.5, 2.75 and 1.8333. So 0.0095 and
/// 0.02 are too large as the smallest and the second (0.05225, 0.055), but 0.027 is small enough as the third
/// (0.0495): only 3 enters. A running minimum from the end would have let in 1.
#[test]
fn fdr_compares_each_rank_by_itself() {
    let script = Script::new(|_, x, z| match (x, z) {
        (1, []) => p(0.0095),
        (2, []) => p(0.02),
        (3, []) => p(0.027),
        (3, _) => p(1e-9),
        _ => p(0.9),
    });
    // Given 3 the others are out. Then 3 itself ranks first of the three: 0.1485 is too large, but 3 was
    // added last and stays.
    assert_eq!(WeakLearner::FdrIapc.parents_and_children(Var(0), &VarSet::all(4), &script.ind()), set(&[3]));
    let expected = questions(0, "1 |, 2 |, 3 |, 1 | 3, 2 | 3, 3 |, 3 |");
    assert_eq!(script.asked(), expected);
}

/// Two candidates: factors 3 and 1.5. 1 enters first (0.003), then 2 as the second (0.03 · 1.5). Given 2, 1
/// is superfluous; without 1 there is only 2, whose 0.03 as the first is 0.09. It stays anyway, because it
/// was the last to enter.
#[test]
fn fdr_keeps_the_last_to_come_in() {
    let script = Script::new(|_, x, z| match (x, z) {
        (1, []) => p(0.001),
        (2, _) => p(0.03),
        _ => p(0.5),
    });
    assert_eq!(WeakLearner::FdrIapc.parents_and_children(Var(0), &VarSet::all(3), &script.ind()), set(&[2]));
}

/// Of two superfluous members the worse is removed first, and the other may then stay. This happens before 4
/// is added, which depends on the target only as long as all three are members.
#[test]
fn fdr_removes_the_worst_before_it_adds() {
    let script = Script::new(|_, x, z| match (x, z) {
        (1, [2, 3]) => p(0.6), // the worst
        (2, [1, 3]) => p(0.3),
        (4, [1, 2, 3]) => p(1e-4),
        (4, _) => p(0.5),
        (x, _) => p(1e-9 * f64::from(x)),
    });
    assert_eq!(
        WeakLearner::FdrIapc.parents_and_children(Var(0), &VarSet::all(5), &script.ind()),
        set(&[2, 3])
    );
    let asked = script.asked();
    let place = |q: &str| asked.iter().position(|a| a == q);
    assert!(place("0 4 | 1 2 3").is_some() && place("0 4 | 1 2 3") < place("0 4 | 2 3"));
}

#[test]
fn a_test_without_power_separates_or_says_nothing() {
    // 2 cannot be tested given 1.
    let script = || {
        Script::new(|_, x, z| match (x, z) {
            (1, []) => p(1e-9),
            (2, []) => p(1e-3),
            (3, []) => no_power(),
            (1, [2]) => p(1e-4),
            _ => no_power(),
        })
    };
    let u = VarSet::all(4);
    let ask = |policy| {
        let script = script();
        let ind = script.ind().underpowered(policy);
        let (pcs, d_sep) = de_pcs(Var(0), &u, PhaseOne::Plain, &ind);
        assert_eq!(
            WeakLearner::InterIapc.parents_and_children(Var(0), &u, &ind),
            set(&[1]),
            "what has no power does not connect"
        );
        (pcs, d_sep.get(&Var(2)).cloned())
    };
    assert_eq!(ask(Underpowered::Independent), (set(&[1]), Some(set(&[1]))));
    assert_eq!(ask(Underpowered::Skip), (set(&[1, 2]), None));
}

#[test]
fn a_test_without_power_drops_a_member_or_leaves_it() {
    let script = || {
        Script::new(|_, x, z| match (x, z) {
            (1, [2]) => no_power(),
            (1, []) => p(1e-9),
            _ => p(1e-3),
        })
    };
    let ask = |policy| {
        let script = script();
        WeakLearner::InterIapc.parents_and_children(
            Var(0),
            &VarSet::all(3),
            &script.ind().underpowered(policy),
        )
    };
    assert_eq!(ask(Underpowered::Independent), set(&[2]));
    assert_eq!(ask(Underpowered::Skip), set(&[1, 2]));
}

/// A test without a verdict does not weaken a survivor of DE-PCS either: 2 is given before 1.
#[test]
fn a_test_that_says_nothing_does_not_weaken() {
    let script = Script::new(|_, x, z| match (x, z) {
        (2, [3]) => no_power(),
        (x, []) => p(10f64.powi(-2 * x as i32)),
        _ => p(1e-12),
    });
    de_pcs(Var(0), &VarSet::all(4), PhaseOne::Plain, &script.ind().underpowered(Underpowered::Skip));
    assert_eq!(script.asked()[3..], questions(0, "1 | 3, 1 | 2, 2 | 3, 2 | 1, 3 | 2, 3 | 1"));
}

#[test]
fn what_was_not_asked_has_no_adjusted_answer_either() {
    let script = Script::new(|_, _, _| p(1e-3));
    let ind = script.ind().limit_conditioning(Some(1));
    let adjusted = |z: &[Var]| ind.adjusted(&ind.ask(Var(1), Var(0), z), 100.0);
    assert!(adjusted(&[Var(2)]).separated);
    assert!(!adjusted(&[Var(2), Var(3)]).is_known());
}

#[test]
fn a_limit_on_what_is_given_is_kept_by_all() {
    use ossature::local::{Hpc, LocalLearner, Mmpc, WeakLearner};
    for max in 0..4 {
        let learners: [&dyn LocalLearner; 3] = [&Hpc::default(), &Hpc::new(WeakLearner::FdrIapc), &Mmpc];
        for learner in learners {
            // Everything is dependent, so everything that may be asked is asked.
            let script = Script::new(|x, y, _| p(1e-9 * f64::from(x + y)));
            let ind = script.ind().limit_conditioning(Some(max));
            let pc = learner.parents_and_children(Var(0), &VarSet::all(7), &ind);
            let orders = script.asked().iter().map(|q| q.split(' ').count() - 3).max();
            assert_eq!(orders, Some(max));
            assert_eq!(ind.tally().by_order.len(), max + 1);
            assert_eq!(pc, set(&[1, 2, 3, 4, 5, 6]), "{max}");
        }
        let script = Script::new(|_, y, _| p(1e-9 * f64::from(y)));
        let ind = script.ind().limit_conditioning(Some(max));
        // A blanket cannot grow beyond one more than the limit.
        assert_eq!(WeakLearner::InterIapc.parents_and_children(Var(0), &VarSet::all(7), &ind).len(), max + 1);
        assert_eq!(WeakLearner::FdrIapc.parents_and_children(Var(0), &VarSet::all(7), &ind).len(), max + 1);
    }
}
