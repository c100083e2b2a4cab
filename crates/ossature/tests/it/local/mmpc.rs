//! MMPC with scripted answers: which tests are asked, and which are saved.

use ossature::ci::Underpowered;
use ossature::local::{LocalLearner, Mmpc};
use ossature::{Var, VarSet};

use super::script::{Script, no_power, p, questions};
use super::set;

#[test]
fn what_is_separated_is_not_asked_again_and_only_the_newest_is_new() {
    let script = Script::new(|_, x, z| match (x, z) {
        (4, []) | (5, [1]) | (6, [2]) => p(0.5), // never asked again
        (x, _) => p(1e-9 * f64::from(x)),
    });
    let cpc = Mmpc.parents_and_children(Var(0), &VarSet::all(7), &script.ind());
    assert_eq!(cpc, set(&[1, 2, 3]));
    let expected = questions(
        0,
        "
        1 |, 2 |, 3 |, 4 |, 5 |, 6 |  -- 1
        2 | 1, 3 | 1, 5 | 1, 6 | 1  -- 2
        3 | 2, 6 | 2, 3 | 1 2  -- 3
        1 | 2, 1 | 3, 1 | 2 3  -- back: 1 meets 2, then 3
        2 | 3, 2 | 1 3  -- 2 has met 1 before, so it meets 3 only; 3 has met all
        ",
    );
    assert_eq!(script.asked(), expected);
}

#[test]
fn the_strongest_of_the_weakest_comes_next() {
    let script = Script::new(|_, x, z| match (x, z) {
        (1, _) => p(1e-12),
        (2, []) => p(1e-9),
        (2, [1]) => p(0.01), // from now on 0.01
        (3, []) => p(1e-6),
        (3, [1]) => p(1e-10), // still 1e-6
        (4, []) => p(1e-7),
        (4, [1]) => p(1e-5),
        (2, [3]) => p(1e-8), // the minimum stays 0.01
        _ => p(1e-4),
    });
    Mmpc.parents_and_children(Var(0), &VarSet::all(5), &script.ind());
    // 1, then 3, then 4, then 2: the order in which they first appear in a conditioning set.
    let asked = script.asked();
    let first = |v: &str| asked.iter().position(|q| q.split('|').nth(1).unwrap().contains(v)).unwrap();
    assert!(first("1") < first("3") && first("3") < first("4") && first("4") < first("2"), "{asked:?}");
}

#[test]
fn a_member_that_later_ones_separate_is_dropped_and_is_not_given_again() {
    let script = Script::new(|_, x, z| match (x, z) {
        (1, [2, 3]) => p(0.5),
        (x, _) => p(1e-9 * f64::from(x)),
    });
    let cpc = Mmpc.parents_and_children(Var(0), &VarSet::all(4), &script.ind());
    assert_eq!(cpc, set(&[2, 3]));
    let asked = script.asked();
    assert_eq!(asked[asked.len() - 4..], ["0 1 | 2", "0 1 | 3", "0 1 | 2 3", "0 2 | 3"]);
}

#[test]
fn a_test_without_power_separates_or_is_passed_over() {
    let ask = |policy| {
        let script = Script::new(|_, x, z| match (x, z) {
            (3, []) => no_power(),
            (2, [1]) | (1, [2]) => no_power(),
            (x, _) => p(1e-9 * f64::from(x)),
        });
        let found = Mmpc.parents_and_children(Var(0), &VarSet::all(4), &script.ind().underpowered(policy));
        (found, script.asked().len())
    };
    assert_eq!(ask(Underpowered::Independent), (set(&[1]), 4));
    assert_eq!(ask(Underpowered::Skip), (set(&[1, 2]), 5), "3 is not asked about again");
}

/// If no smaller set had power, members are never given together in a larger set: the search ends instead of
/// trying all subsets.
#[test]
fn a_size_without_power_ends_the_search() {
    let script = Script::new(|_, x, z| if z.len() < 2 { p(1e-9 * f64::from(x)) } else { no_power() });
    let ind = script.ind().underpowered(Underpowered::Skip);
    assert_eq!(Mmpc.parents_and_children(Var(0), &VarSet::all(41), &ind).len(), 40);
    let by_order = ind.tally().by_order;
    // Forwards 39 + 38 + ... given one variable, and pairs until they prove to have no power; then backwards.
    assert_eq!(by_order.len(), 3);
    assert_eq!(by_order[..2], [40, 780 + 780]);
}
