//! The same skeleton for any threads, rows, columns and sharing.

use ossature::ci::{CiTest, Independence, Tally, TestSettings};
use ossature::local::{Hpc, LocalLearner, Mmpc, Symmetry, WeakLearner, skeleton};
use ossature::network::catalogue;
use ossature::{Column, Dataset, Silent, Skeleton, VarSet, Variable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn sample(name: &str, rows: usize) -> Dataset {
    catalogue::load(name).unwrap().sample(rows, 7, &Silent).unwrap()
}

/// Makes a learner.
type Make = fn() -> Box<dyn LocalLearner>;

const LEARNERS: [(&str, Make); 4] = [
    ("hpc", || Box::new(Hpc::default())),
    ("hpc with fdr", || Box::new(Hpc::new(WeakLearner::FdrIapc))),
    ("hpc sharing", || Box::new(Hpc::new(WeakLearner::InterIapc).with_sharing())),
    ("mmpc", || Box::new(Mmpc)),
];

/// The skeleton, and the tally without the numbers that vary with caches.
fn learn_by(test: &dyn CiTest, make: Make, n: usize) -> (Skeleton, Tally) {
    let ind = Independence::new(test, 0.05);
    let found = skeleton(&*make(), &VarSet::all(n), Symmetry::And, &ind).unwrap().skeleton;
    (found, Tally { computed: 0, ..ind.tally() })
}

fn learn(data: &Dataset, make: Make) -> (Skeleton, Tally) {
    learn_by(&*TestSettings::default().build(data).unwrap(), make, data.variables().len())
}

fn edges(data: &Dataset, skeleton: &Skeleton) -> Vec<[String; 2]> {
    let name = |v| data.variable(v).name().to_owned();
    skeleton.edges().map(|(x, y)| [name(x), name(y)]).collect()
}

fn shuffled<T>(mut items: Vec<T>, seed: u64) -> Vec<T> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    for i in (1..items.len()).rev() {
        items.swap(i, random.random_range(0..=i));
    }
    items
}

/// The columns of a table, changed.
fn columns(data: &Dataset, rows: &[usize], rename: impl Fn(&str) -> String) -> Vec<(Variable, Column)> {
    let column = |v| {
        let (variable, column) = (data.variable(v), data.column(v));
        let codes = rows.iter().map(|&row| column.code(row));
        let renamed = Variable::new(rename(variable.name()), variable.levels().to_vec()).unwrap();
        (renamed, Column::from_codes(codes, variable.cardinality()))
    };
    data.vars().map(column).collect()
}

#[test]
fn threads_do_not_matter() {
    let data = sample("alarm", 1000);
    for (name, make) in LEARNERS {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| learn(&data, make))
        };
        let one = with(1);
        assert!(one.0.len() > 20 && one.1.asked > 1000, "{name}");
        assert_eq!(one, with(2), "{name}");
        assert_eq!(one, with(7), "{name}");
    }
}

#[test]
fn rows_columns_and_their_order_do_not_matter() {
    for (network, rows) in [("alarm", 1000), ("insurance", 500)] {
        let data = sample(network, rows);
        let in_order: Vec<usize> = (0..rows).collect();
        let same = |name: &str| name.to_owned();
        let rows_shuffled = Dataset::new(columns(&data, &shuffled(in_order.clone(), 1), same)).unwrap();
        let columns_shuffled = Dataset::new(shuffled(columns(&data, &in_order, same), 2)).unwrap();
        assert_ne!(data, rows_shuffled);
        for (name, make) in LEARNERS {
            let expected = learn(&data, make);
            assert_eq!(expected, learn(&rows_shuffled, make), "{name}");
            assert_eq!(expected, learn(&columns_shuffled, make), "{name}");
        }
    }
}

/// Other names change the order of the variables. Only ties depend on that order, and a sample with exact
/// sums has no ties that matter.
#[test]
fn names_do_not_matter() {
    let data = sample("insurance", 1000);
    let n = data.variables().len();
    let order = shuffled((0..n).collect::<Vec<_>>(), 3);
    let rename = |name: &str| format!("v{:02}", order[data.var(name).unwrap().index()]);
    let in_order: Vec<usize> = (0..data.rows()).collect();
    let renamed = Dataset::new(columns(&data, &in_order, rename)).unwrap();
    for (name, make) in LEARNERS {
        let mut expected = edges(&data, &learn(&data, make).0);
        for edge in &mut expected {
            *edge = [rename(&edge[0]), rename(&edge[1])];
            edge.sort();
        }
        expected.sort();
        assert_eq!(edges(&renamed, &learn(&renamed, make).0), expected, "{name}");
    }
}

#[test]
fn sharing_does_not_matter() {
    for (network, rows) in [("alarm", 200), ("alarm", 2000), ("insurance", 1000), ("hailfinder", 300)] {
        let data = sample(network, rows);
        for weak in [WeakLearner::InterIapc, WeakLearner::FdrIapc] {
            let n = data.variables().len();
            let test = TestSettings::default().build(&data).unwrap();
            let learn = |hpc: Hpc| {
                let ind = Independence::new(&*test, 0.05);
                let found = skeleton(&hpc, &VarSet::all(n), Symmetry::And, &ind).unwrap().skeleton;
                (found, ind.tally().asked)
            };
            let (alone, shared) = (learn(Hpc::new(weak)), learn(Hpc::new(weak).with_sharing()));
            assert_eq!(alone.0, shared.0, "{network} {rows} {weak:?}");
            assert!(shared.1 <= alone.1, "{network} {rows} {weak:?}");
        }
    }
}
