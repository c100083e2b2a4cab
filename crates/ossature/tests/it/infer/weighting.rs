//! Likelihood weighting: the estimates, and the reported errors.

use ossature::infer::{Given, QueryReport, intervene, likelihood_weighting};
use ossature::network::catalogue;
use ossature::{Silent, Var};

use super::engine;

#[test]
fn weighting_is_within_its_stated_error() {
    let network = catalogue::load("alarm").unwrap();
    let evidence = Given::named(&network, [("HRBP", "HIGH"), ("CVP", "LOW")]).unwrap();
    let evidence = evidence.with_likelihood(network.require("BP").unwrap(), vec![0.5, 2.0, 1.0]);
    let targets: Vec<Var> =
        ["LVFAILURE", "HYPOVOLEMIA", "CATECHOL"].map(|n| network.require(n).unwrap()).into();
    let exact = engine(&network).query(&targets, &evidence).unwrap();
    let found = likelihood_weighting(&network, &targets, &evidence, 50_000, 7, &Silent).unwrap();
    for ((v, p), (_, errors)) in found.posteriors.distributions.iter().zip(&found.errors) {
        for ((p, error), truth) in p.iter().zip(errors).zip(exact.of(*v)) {
            assert!(*error < 0.02 && (p - truth).abs() <= 3.0 * error, "{p} {truth} {error}");
        }
    }
    let off = (found.posteriors.ln_evidence - exact.ln_evidence).abs();
    assert!(off <= 3.0 * found.ln_evidence_error && found.ln_evidence_error < 0.05);
    assert!(found.effective > 100.0 && found.effective < 50_000.0);
    let threads = |n: usize| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
    let again = threads(1)
        .install(|| likelihood_weighting(&network, &targets, &evidence, 50_000, 7, &Silent).unwrap());
    assert_eq!(found, again);
}

#[test]
fn the_stated_error_is_the_spread_over_seeds() {
    let network = catalogue::load("asia").unwrap();
    let lung = network.require("lung").unwrap();
    // The weights of samples differ a lot in the first case and little in the second.
    for given in [vec![("dysp", "yes"), ("xray", "yes")], vec![("bronc", "yes")]] {
        let evidence = Given::named(&network, given).unwrap();
        let exact = engine(&network).query(&[lung], &evidence).unwrap();
        let run = |seed| likelihood_weighting(&network, &[lung], &evidence, 1024, seed, &Silent).unwrap();
        let runs: Vec<_> = (0..300).map(run).collect();
        let mean = |of: &dyn Fn(usize) -> f64| (0..300).map(of).sum::<f64>() / 300.0;
        let spread = mean(&|i| (runs[i].posteriors.of(lung)[0] - exact.of(lung)[0]).powi(2)).sqrt();
        let stated = mean(&|i| runs[i].errors[0].1[0]);
        assert!((0.85..1.15).contains(&(spread / stated)), "{spread} {stated}");
        let spread = mean(&|i| (runs[i].posteriors.ln_evidence - exact.ln_evidence).powi(2)).sqrt();
        let stated = mean(&|i| runs[i].ln_evidence_error);
        assert!((0.85..1.15).contains(&(spread / stated)), "{spread} {stated}");
    }
}

#[test]
fn no_sample_that_agrees_is_an_error() {
    let asia = catalogue::load("asia").unwrap();
    let impossible = Given::named(&asia, [("tub", "yes"), ("either", "no")]).unwrap();
    let lung = asia.require("lung").unwrap();
    let said = likelihood_weighting(&asia, &[lung], &impossible, 1000, 0, &Silent).unwrap_err().to_string();
    assert!(said.starts_with("none of 1000 samples agrees with the evidence"), "{said}");
}

#[test]
fn a_report_of_a_query_has_its_keys() {
    let asia = catalogue::load("asia").unwrap();
    let smoke = asia.require("smoke").unwrap();
    let evidence = Given::named(&asia, [("dysp", "yes")]).unwrap();
    let lung = asia.require("lung").unwrap();
    let cut = intervene(&asia, &[(smoke, 0)]).unwrap();
    let found = engine(&cut).query(&[lung], &evidence).unwrap();
    let json = serde_json::to_value(QueryReport::exact(&asia, &evidence, &[(smoke, 0)], &found)).unwrap();
    assert_eq!(json["given"], serde_json::json!({"dysp": "yes"}));
    assert_eq!(json["do"], serde_json::json!({"smoke": "yes"}));
    assert_eq!(json["posteriors"]["lung"]["yes"].as_f64().unwrap(), found.of(lung)[0]);
    assert!(json["p_evidence"].is_f64() && json["sampling"].is_null());
    let sampled = likelihood_weighting(&cut, &[lung], &evidence, 1000, 0, &Silent).unwrap();
    let json = serde_json::to_value(QueryReport::estimated(&asia, &evidence, &[], &sampled)).unwrap();
    assert!(json["sampling"]["standard_errors"]["lung"]["yes"].as_f64().unwrap() > 0.0);
}
