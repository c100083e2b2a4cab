use super::*;
use crate::summary::tests::example;

fn verdict(title: &str, values: impl Fn(&crate::row::Key) -> Option<f64>) -> (Verdict, Vec<String>) {
    let (manifest, rows) = example(values);
    let claims = Claim::all(&manifest, &Summary::of(&manifest, &rows));
    let claim = claims.into_iter().find(|c| c.title.starts_with(title)).unwrap();
    (claim.verdict, claim.exceptions)
}

#[test]
fn a_claim_holds_wholly_in_part_or_not_at_all() {
    let h2pc = |at_50: f64, at_500: f64| {
        move |key: &crate::row::Key| match (key.learner.as_str(), key.size) {
            ("mmhc", _) => Some(0.5),
            (_, 50) => Some(at_50),
            _ => Some(at_500),
        }
    };
    assert_eq!(verdict("Recall", h2pc(0.6, 0.7)), (Verdict::Holds, vec![]));
    assert_eq!(verdict("Recall", h2pc(0.6, 0.5)), (Verdict::InPart, vec!["500".to_owned()]));
    assert_eq!(verdict("Recall", h2pc(0.4, 0.4)).0, Verdict::DoesNotHold);
    assert_eq!(verdict("Hardly more", h2pc(0.501, 0.51)), (Verdict::InPart, vec!["500".to_owned()]));
    assert_eq!(verdict("Time ratio", h2pc(1.0, 4.0)).0, Verdict::Holds);
    assert_eq!(verdict("Time ratio", h2pc(4.0, 1.0)), (Verdict::DoesNotHold, vec!["50 to 500".to_owned()]));
}

#[test]
fn what_was_not_measured_is_not_judged() {
    assert_eq!(verdict("SHD", |_| Some(1.0)).0, Verdict::NotMeasured);
    assert_eq!(verdict("Eight", |_| Some(1.0)).0, Verdict::NotMeasured, "there is no size 5000");
}

#[test]
fn shd_that_is_everywhere_the_same_is_not_better() {
    let (mut manifest, rows) = example(|_| None);
    (manifest.sizes, manifest.timing) = (vec![200, 500], false);
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    manifest.networks = names
        .iter()
        .map(|name| crate::NetworkFacts { name: (*name).into(), ..manifest.networks[0].clone() })
        .collect();
    let mut all = Vec::new();
    for name in names {
        for row in rows.iter().filter(|r| r.kind == crate::Kind::Accuracy && r.network == "asia") {
            let size = if row.size == 50 { 200 } else { 500 };
            let shd = Some(if row.learner == "h2pc" && size == 500 { 5 } else { 7 });
            all.push(crate::Row { network: name.into(), size, shd, ..row.clone() });
        }
    }
    let claims = Claim::all(&manifest, &Summary::of(&manifest, &all));
    let claim = claims.iter().find(|c| c.title.starts_with("SHD significantly")).unwrap();
    assert_eq!((claim.verdict, &claim.exceptions[..]), (Verdict::InPart, &["200".to_owned()][..]));
    assert_eq!(claim.numbers[0].1, "1.000 (equal)");
    // Seven networks in one direction: 2 / 2^7, and the other size has no p-value to adjust for.
    assert_eq!(claim.numbers[1].1, "0.714 (p 0.016)");
}

#[test]
fn samples_of_one_network_do_not_make_a_network_more() {
    // Six pairs of samples agree, on two networks: that is two, not six.
    let (manifest, rows) = example(|key| Some(if key.learner == "h2pc" { 2.0 } else { 1.0 }));
    let summary = Summary::of(&manifest, &rows);
    let all = summary.get("mmhc", "recall", None, 50).unwrap();
    assert_eq!((all.p, all.differ), (Some(0.5), 2));
    assert_eq!(all.adjusted, Some(1.0), "there are two sizes");
    assert_eq!(summary.get("mmhc", "recall", Some("asia"), 50).unwrap().p, Some(0.25));
}

#[test]
fn a_mean_of_fewer_networks_says_so() {
    let (manifest, rows) = example(|key| match (key.network.as_str(), key.size, key.sample) {
        ("asia", 50, _) => Some(0.0),
        (_, 500, 1) if key.learner == "mmhc" => Some(0.0),
        _ => Some(1.0),
    });
    let claims = Claim::all(&manifest, &Summary::of(&manifest, &rows));
    let recall: Vec<&str> = claims[0].numbers.iter().map(|(_, shown)| shown.as_str()).collect();
    assert_eq!(recall, ["1.000 (1 of 2 networks, 3 left out)", "1.000 (2 left out)"]);
}

#[test]
fn other_learners_are_not_judged_by_the_paper() {
    let (mut manifest, rows) = example(|_| Some(1.0));
    manifest.learners.reverse();
    let claims = Claim::all(&manifest, &Summary::of(&manifest, &rows));
    assert!(claims.iter().all(|c| c.verdict == Verdict::NotMeasured));
}

#[test]
fn numbers_are_readable() {
    let shown = [1.0, 0.9996, 0.99997, -0.00123, 123.4, 0.0].map(number);
    assert_eq!(shown, ["1.000", "0.9996", "0.999970", "−1.23e−3", "123", "0"]);
    assert_eq!(spread(426.0, Some(35.36)), "426 ± 35");
    assert_eq!(spread(0.98, Some(0.0003)), "0.980 ± 0.000");
    assert_eq!(spread(0.0, Some(0.0061)), "0 ± 6.10e−3");
    assert_eq!(spread(-4.34e-20, Some(7.6e-4)), "0 ± 7.60e−4", "what rounding leaves");
}
