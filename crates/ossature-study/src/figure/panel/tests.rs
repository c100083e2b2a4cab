use super::*;
use crate::summary::tests::example;

#[test]
fn a_long_legend_goes_on_in_the_next_line() {
    let (mut manifest, rows) = example(|key| Some(key.sample as f64));
    let mut all = rows.clone();
    for name in ["mmhc-with-another-alpha", "hill-climbing-alone", "tabu-search-alone"] {
        manifest.learners.push(crate::LearnerFacts { name: name.into(), ..manifest.learners[1].clone() });
        let own = rows.iter().filter(|r| r.learner == "mmhc");
        all.extend(own.map(|r| crate::Row { learner: name.into(), ..r.clone() }));
    }
    let panel = Panel::new("recall", 'a', &manifest, &Summary::of(&manifest, &all));
    let entries = panel.legend_entries();
    assert_eq!(entries.iter().map(|e| e.line).collect::<Vec<_>>(), [0, 0, 1, 1]);
    assert!(entries.iter().all(|e| e.x + 9.0 + 6.0 * e.name.len() as f64 <= WIDTH));
    assert!(panel.y().place(panel.y().high) >= TOP + LINE, "the scale begins below it");
    let few = Panel::new("recall", 'a', &manifest, &Summary::of(&manifest, &rows));
    assert!(few.legend_entries().is_empty(), "one series needs none");
}
