use super::*;
use crate::data::{Column, MissingPolicy, Variable};
use crate::infer::{Inference, Limit, PartialRows, Unseen};
use crate::network::catalogue;
use crate::progress::Silent;
use crate::random::{generator, uniform};

/// Rows of a network with a share of the values missing completely at random.
fn gappy(network: &Network, rows: usize, share: f64, seed: u64) -> Dataset {
    let data = network.sample(rows, seed, &Silent).unwrap();
    data.deleting_at_random(share, seed).unwrap().with_policy(MissingPolicy::Em)
}

fn network(em: &Em<'_>, estimate: &Estimate) -> Network {
    em.network(estimate, &em.expect(estimate)).unwrap().0
}

#[test]
fn expected_counts_are_those_of_the_junction_tree() {
    for (name, share, seed) in [("asia", 0.3, 1), ("asia", 0.7, 2), ("child", 0.2, 3), ("insurance", 0.15, 4)]
    {
        let truth = catalogue::load(name).unwrap();
        let data = gappy(&truth, 60, share, seed);
        let em = Em::new(&data, Prior::Bdeu { iss: 1.0 }).unwrap();
        let estimate = em.start(truth.dag()).unwrap();
        let expected = em.expect(&estimate);
        assert_eq!(expected.imputed(), 0);
        let network = network(&em, &estimate);
        let rows = PartialRows::new(&network, &data, &[], Unseen::Error).unwrap();
        let engine = Inference::new(&network, Limit::default());
        let n = data.variables().len();
        let mut random = generator(seed);
        for size in 1..4 {
            let mut set: Vec<Var> = Vec::new();
            while set.len() < size {
                let v = Var::new((uniform(&mut random) * n as f64) as usize);
                if !set.contains(&v) {
                    set.push(v);
                }
            }
            let ours = expected.whole(&set);
            let theirs = engine.expected_counts(&rows, &set, &Silent).unwrap();
            for (a, b) in ours.iter().zip(&theirs) {
                assert!((a - b).abs() < 1e-9, "{name} {set:?}: {a} {b}");
            }
        }
        let theirs: f64 = engine.log_likelihood(&rows, &Silent).unwrap().iter().sum();
        assert!((expected.log_likelihood() - theirs).abs() < 1e-8, "{name}");
    }
}

/// The logarithm of the probability of what is known, by all completions of each row.
fn by_all_completions(data: &Dataset, arcs: &[(usize, usize)], tables: &[Vec<f64>]) -> f64 {
    let n = data.variables().len();
    let parents = |v: usize| arcs.iter().filter(move |(_, to)| *to == v).map(|(from, _)| *from);
    let of_row = |row: usize| -> f64 {
        let fits = |levels: &usize| {
            (0..n).all(|v| {
                let known = data.is_known(row, Var::new(v));
                !known || usize::from(data.column(Var::new(v)).code(row)) == levels >> v & 1
            })
        };
        let probability = |levels: usize| -> f64 {
            let of_node = |v: usize| {
                let configuration = parents(v).fold(0, |q, p| 2 * q + (levels >> p & 1));
                let one = tables[v][configuration];
                if levels >> v & 1 == 1 { one } else { 1.0 - one }
            };
            (0..n).map(of_node).product()
        };
        (0..1usize << n).filter(fits).map(probability).sum::<f64>().ln()
    };
    (0..data.rows()).map(of_row).sum()
}

/// The highest probability of what is known, one number of the tables at a time: the logarithm is concave in
/// each of them.
fn climbed_by_hand(data: &Dataset, arcs: &[(usize, usize)]) -> (Vec<Vec<f64>>, f64) {
    let n = data.variables().len();
    let parents = |v: usize| arcs.iter().filter(|(_, to)| *to == v).count();
    let mut tables: Vec<Vec<f64>> = (0..n).map(|v| vec![0.5; 1 << parents(v)]).collect();
    let mut before = f64::NEG_INFINITY;
    loop {
        for v in 0..n {
            for at in 0..tables[v].len() {
                let (mut low, mut high) = (0.0, 1.0);
                for _ in 0..80 {
                    let thirds = [low + (high - low) / 3.0, high - (high - low) / 3.0];
                    let [a, b] = thirds.map(|p| {
                        tables[v][at] = p;
                        by_all_completions(data, arcs, &tables)
                    });
                    if a < b { low = thirds[0] } else { high = thirds[1] }
                }
                tables[v][at] = (low + high) / 2.0;
            }
        }
        let now = by_all_completions(data, arcs, &tables);
        if now - before < 1e-12 {
            return (tables, now);
        }
        before = now;
    }
}

#[test]
fn the_tables_are_those_of_an_independent_climb() {
    // a -> b, a -> c, and d of b and c; some of each missing, not in step.
    let arcs = [(0, 1), (0, 2), (1, 3), (2, 3)];
    let variable = |name: &str| Variable::new(name, ["0", "1"]).unwrap();
    let mut random = generator(11);
    let mut rows: Vec<[Option<u16>; 4]> = Vec::new();
    for _ in 0..80 {
        let mut coin = |p: f64| u16::from(uniform(&mut random) < p);
        let a = coin(0.4);
        let (b, c) = (coin([0.2, 0.7][usize::from(a)]), coin([0.6, 0.1][usize::from(a)]));
        let d = coin([0.1, 0.5, 0.6, 0.9][usize::from(2 * b + c)]);
        let row = [a, b, c, d].map(|level| Some(level).filter(|_| uniform(&mut random) > 0.2));
        rows.push(row);
    }
    let column = |i: usize| Column::with_gaps(rows.iter().map(|row| row[i]), 2);
    let names = ["a", "b", "c", "d"];
    let columns = (0..4).map(|i| (variable(names[i]), column(i))).collect();
    let data = Dataset::with_gaps(columns).unwrap();
    let dag = Dag::from_arcs(4, arcs.map(|(x, y)| (Var::new(x), Var::new(y)))).unwrap();
    let found = fit_em(&data, &dag, Prior::None, &Silent).unwrap();
    let (tables, highest) = climbed_by_hand(&data, &arcs);
    assert!(found.converged && found.imputed == 0, "{} rounds", found.rounds);
    assert!((found.log_likelihood - highest).abs() < 1e-6, "{} {highest}", found.log_likelihood);
    for (v, table) in tables.iter().enumerate() {
        let ours = found.fitted.network.table(Var::new(v));
        for (row, one) in ours.rows().zip(table) {
            assert!((row[1] - one).abs() < 1e-4, "{}: {} {one}", names[v], row[1]);
        }
    }
}

#[test]
fn no_round_lowers_what_is_climbed_with_a_prior_or_without() {
    let truth = catalogue::load("child").unwrap();
    let data = gappy(&truth, 200, 0.3, 5);
    for prior in [Prior::None, Prior::Bdeu { iss: 5.0 }] {
        let em = Em::new(&data, prior).unwrap();
        let mut estimate = em.start(truth.dag()).unwrap();
        let mut before = f64::NEG_INFINITY;
        for _ in 0..15 {
            let expected = em.expect(&estimate);
            let now = expected.log_likelihood() + em.ln_prior(&estimate);
            assert!(now >= before - 1e-9, "{before} {now}");
            before = now;
            estimate = em.maximise(truth.dag(), &expected).unwrap();
        }
    }
}

#[test]
fn where_too_much_is_missing_values_are_imputed_and_counted() {
    let truth = catalogue::load("asia").unwrap();
    let data = gappy(&truth, 100, 0.6, 9);
    let em = Em::new(&data, Prior::None).unwrap().with_largest_part(4);
    let estimate = em.start(truth.dag()).unwrap();
    let expected = em.expect(&estimate);
    assert!(expected.imputed() > 0);
    for v in truth.dag().vars() {
        let all: f64 = expected.whole(&[v]).iter().sum();
        assert!((all - 100.0).abs() < 1e-9);
    }
    let next = em.maximise(truth.dag(), &expected).unwrap();
    assert!(em.expect(&next).log_likelihood().is_finite());
}

#[test]
fn a_complete_table_is_fitted_as_ever() {
    let truth = catalogue::load("asia").unwrap();
    let data = truth.sample(300, 1, &Silent).unwrap();
    let prior = Prior::Bdeu { iss: 2.0 };
    let counted = network::fit(&data, truth.dag(), prior, &Silent).unwrap();
    let found = fit_em(&data, truth.dag(), prior, &Silent).unwrap();
    assert_eq!((found.fitted.unseen, found.fitted.configurations), (counted.unseen, counted.configurations));
    for v in truth.dag().vars() {
        let pairs = found.fitted.network.table(v).as_slice().iter().zip(counted.network.table(v).as_slice());
        pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-12));
    }
}
