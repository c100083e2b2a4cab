//! Skeletons from another implementation.

use std::io::Read;

use flate2::read::GzDecoder;
use ossature::ci::{Independence, TestKind, TestSettings};
use ossature::halves::Restrict;
use ossature::local::{BlanketLearner, ByBlanket, Pc, Symmetry};
use ossature::{Column, Dataset, VarSet, Variable};
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

    /// The edges, each sorted, in order.
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
    let test = TestSettings { kind: TestKind::Mi, ..TestSettings::default() }.build(data).unwrap();
    let ask = Independence::new(&*test, alpha);
    let skeleton = first.restrict(&VarSet::all(data.variables().len()), &ask).unwrap().skeleton;
    let name = |v| data.variable(v).name().to_owned();
    let mut edges: Vec<_> = skeleton.edges().map(|(x, y)| (name(x), name(y))).collect();
    edges.sort();
    edges
}

/// The blanket learners compared with bnlearn's: the number of edges in each of the ten cases that only one
/// of the two has. bnlearn uses the order of the columns, so the columns are renamed such that the order of
/// their names is that of the file. `docs/FIDELITY.md` explains the differences.
const DIFFERENCES: [(&str, BlanketLearner, [usize; 10], [usize; 10]); 5] = [
    ("gs", BlanketLearner::Gs, [0; 10], [0; 10]),
    ("iamb", BlanketLearner::Iamb, [0; 10], [0; 10]),
    ("inter.iamb", BlanketLearner::InterIamb, [0; 10], [0; 10]),
    ("fast.iamb", BlanketLearner::FastIamb, [0, 0, 0, 0, 0, 0, 2, 1, 2, 2], [0, 0, 0, 0, 0, 0, 1, 1, 0, 0]),
    ("iamb.fdr", BlanketLearner::IambFdr, [0; 10], [0; 10]),
];

/// A sample with columns renamed so that their names are in the order of the file, and the original names.
fn in_file_order(data: &str) -> (Dataset, Vec<String>) {
    let text = {
        let mut text = String::new();
        let file = std::fs::File::open(golden_path(&format!("data/{data}"))).unwrap();
        GzDecoder::new(file).read_to_string(&mut text).unwrap();
        text
    };
    let header: Vec<String> =
        text.lines().next().unwrap().split(',').map(|name| name.trim_matches('"').to_owned()).collect();
    let data = golden_data(data.strip_suffix(".csv.gz").unwrap());
    let columns = header.iter().enumerate().map(|(i, name)| {
        let v = data.require(name).unwrap();
        let (variable, column) = (data.variable(v), data.column(v));
        let codes: Vec<u16> = (0..data.rows()).map(|row| column.code(row)).collect();
        let renamed = Variable::new(format!("v{i:03}"), variable.levels().to_vec()).unwrap();
        (renamed, Column::from_codes(codes, variable.cardinality()))
    });
    (Dataset::new(columns.collect()).unwrap(), header)
}

#[test]
fn the_blanket_learners_beside_bnlearn() {
    let found: Vec<_> = DIFFERENCES
        .par_iter()
        .map(|&(algorithm, learner, ..)| {
            let (mut ours_only, mut theirs_only) = ([0; 10], [0; 10]);
            for (i, case) in golden(algorithm).iter().enumerate() {
                let (data, header) = in_file_order(&case.data);
                let name = |v: &String| header[v[1..].parse::<usize>().unwrap()].clone();
                let ours = edges(&ByBlanket { learner, symmetry: Symmetry::And }, &data, case.alpha);
                let sorted = |x: String, y: String| if x < y { (x, y) } else { (y, x) };
                let ours: Vec<_> = ours.iter().map(|(x, y)| sorted(name(x), name(y))).collect();
                let theirs = case.edges();
                ours_only[i] = ours.iter().filter(|edge| !theirs.contains(edge)).count();
                theirs_only[i] = theirs.iter().filter(|edge| !ours.contains(edge)).count();
            }
            (algorithm, learner, ours_only, theirs_only)
        })
        .collect();
    assert_eq!(found, DIFFERENCES, "{found:#?}");
}

#[test]
fn the_skeleton_of_pc_is_that_of_bnlearn() {
    golden("pc.stable").par_iter().for_each(|case| {
        assert_eq!(edges(&Pc, &case.data(), case.alpha), case.edges(), "{} {}", case.data, case.alpha);
    });
}
