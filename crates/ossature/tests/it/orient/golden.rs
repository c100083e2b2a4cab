//! Skeletons of another implementation.

use std::io::Read;

use flate2::read::GzDecoder;
use ossature::ci::{Independence, TestKind, TestSettings};
use ossature::halves::Restrict;
use ossature::local::Pc;
use ossature::{Dataset, VarSet};
use rayon::prelude::*;
use serde::Deserialize;

use crate::ci::{golden_data, golden_path};

#[derive(Deserialize)]
struct Golden {
    data: String,
    algorithm: String,
    alpha: f64,
    skeleton: Vec<(String, String)>,
}

fn golden(algorithm: &str) -> Vec<Golden> {
    let mut text = String::new();
    let file = std::fs::File::open(golden_path("structures.json.gz")).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let mut all: Vec<Golden> = serde_json::from_str(&text).unwrap();
    all.retain(|case| case.algorithm == algorithm);
    assert_eq!(all.len(), 10);
    all
}

impl Golden {
    fn data(&self) -> Dataset {
        golden_data(self.data.strip_suffix(".csv.gz").unwrap())
    }

    /// The edges, each and all in order.
    fn edges(&self) -> Vec<(String, String)> {
        let sorted =
            |(x, y): &(String, String)| if x < y { (x.clone(), y.clone()) } else { (y.clone(), x.clone()) };
        let mut edges: Vec<_> = self.skeleton.iter().map(sorted).collect();
        edges.sort();
        edges
    }
}

/// The edges that a first half finds with the test of the golden values.
fn edges(first: &dyn Restrict, data: &Dataset, alpha: f64) -> Vec<(String, String)> {
    let test = TestSettings { kind: TestKind::Mi, ..TestSettings::default() }.build(data);
    let ask = Independence::new(&*test, alpha);
    let skeleton = first.restrict(&VarSet::all(data.variables().len()), &ask).unwrap().skeleton;
    let name = |v| data.variable(v).name().to_owned();
    let mut edges: Vec<_> = skeleton.edges().map(|(x, y)| (name(x), name(y))).collect();
    edges.sort();
    edges
}

#[test]
fn the_skeleton_of_pc_is_that_of_bnlearn() {
    golden("pc.stable").par_iter().for_each(|case| {
        assert_eq!(edges(&Pc, &case.data(), case.alpha), case.edges(), "{} {}", case.data, case.alpha);
    });
}
