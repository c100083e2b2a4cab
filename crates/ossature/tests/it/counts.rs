//! Every kernel counts like the naive loop.

use std::collections::BTreeMap;

use ossature::counts::{Counter, Counts, Kernel, LogTerms, NLogN, Simd, Sweep, Tables, naive};
use ossature::{Column, Dataset, Var, Variable};
use proptest::prelude::*;

/// A table of random codes, skewed towards the first levels. Some levels never occur.
pub(crate) fn random_data(rows: usize, levels: &[usize], seed: u64) -> Dataset {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut uniform = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let columns = levels.iter().enumerate().map(|(i, &levels)| {
        let variable = Variable::new(format!("v{i:03}"), (0..levels).map(|l| l.to_string())).unwrap();
        let codes = (0..rows).map(|_| (uniform() * uniform() * levels as f64) as u16);
        (variable, Column::from_codes(codes.collect::<Vec<_>>(), levels))
    });
    Dataset::new(columns.collect()).unwrap()
}

/// The table with a share of the values of most variables missing.
pub(crate) fn with_gaps(data: &Dataset, share: f64, seed: u64) -> Dataset {
    let gappy = data.deleting_at_random(share, seed).unwrap();
    let column = |v: Var| if v.index() % 4 == 3 { data.column(v) } else { gappy.column(v) }.clone();
    Dataset::with_gaps(data.vars().map(|v| (data.variable(v).clone(), column(v))).collect()).unwrap()
}

/// The cells that occur with their margins, in any order: all that a statistic can use.
fn seen(counts: &Counts) -> BTreeMap<[u32; 4], usize> {
    let mut cells = BTreeMap::new();
    counts.for_each_cell(|n, ni, nj, nk| *cells.entry([n, ni, nj, nk]).or_default() += 1);
    cells
}

fn nonzero(margin: &[u32]) -> Vec<u32> {
    let mut margin: Vec<u32> = margin.iter().copied().filter(|&n| n > 0).collect();
    margin.sort_unstable();
    margin
}

/// The expected cells and margins, from the naive count.
struct Expected {
    cells: BTreeMap<[u32; 4], usize>,
    margins: [Vec<u32>; 4],
    df: u64,
    rows: u64,
    levels: (usize, usize),
}

impl Expected {
    fn check(&self, counts: &Counts, how: &str) {
        let margins = [counts.xyz(), counts.xz(), counts.yz(), counts.z()].map(nonzero);
        assert_eq!(margins, self.margins, "{how}");
        assert_eq!(seen(counts), self.cells, "{how}");
        assert_eq!(counts.adjusted_df(), self.df, "{how}");
        assert_eq!(counts.rows(), self.rows, "{how}");
        assert_eq!(counts.levels(), self.levels, "{how}");
        // A slice is the sum of its cells.
        for slice in counts.slices() {
            assert_eq!(slice.x.iter().sum::<u32>(), slice.rows, "{how}");
            assert_eq!(slice.y.iter().sum::<u32>(), slice.rows, "{how}");
        }
    }
}

impl Expected {
    /// The sums that G² needs.
    fn terms(&self, f: &NLogN) -> LogTerms {
        let [xyz, xz, yz, z] = [0, 1, 2, 3].map(|i| f.sum(&self.margins[i]));
        LogTerms { xyz, xz, yz, z, adjusted_df: self.df, rows: self.rows }
    }
}

fn expected(data: &Dataset, x: Var, t: Var, z: &[Var]) -> Expected {
    let counts = naive::count(data, x, t, z);
    let (mut xz, mut yz, mut zs) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for ((k, i, j), &n) in &counts {
        *xz.entry((k.clone(), *i)).or_insert(0) += n;
        *yz.entry((k.clone(), *j)).or_insert(0) += n;
        *zs.entry(k.clone()).or_insert(0) += n;
    }
    let mut cells = BTreeMap::new();
    for ((k, i, j), &n) in &counts {
        *cells.entry([n, xz[&(k.clone(), *i)], yz[&(k.clone(), *j)], zs[k]]).or_default() += 1;
    }
    let mut occurring = BTreeMap::<Vec<u16>, [u64; 2]>::new();
    xz.keys().for_each(|(k, _)| occurring.entry(k.clone()).or_default()[0] += 1);
    yz.keys().for_each(|(k, _)| occurring.entry(k.clone()).or_default()[1] += 1);
    let df = occurring.values().map(|[r, c]| (r - 1) * (c - 1));
    let flat = |m: Vec<u32>| nonzero(&m);
    Expected {
        cells,
        df: df.sum(),
        rows: counts.values().map(|&n| u64::from(n)).sum(),
        levels: (data.cardinality(x), data.cardinality(t)),
        margins: [
            flat(counts.values().copied().collect()),
            flat(xz.values().copied().collect()),
            flat(yz.values().copied().collect()),
            flat(zs.values().copied().collect()),
        ],
    }
}

fn check(data: &Dataset, t: Var, z: &[Var], xs: &[Var]) {
    let expected: Vec<Expected> = xs.iter().map(|&x| expected(data, x, t, z)).collect();
    for simd in Simd::available() {
        let counter = Counter::with_simd(data, simd);
        for kernels in [&Kernel::ALL[..], &[Kernel::Scatter, Kernel::Bits, Kernel::Sparse]] {
            counter.stratify(t, z, |strata| {
                for (&x, expected) in xs.iter().zip(&expected) {
                    for &kernel in kernels {
                        if strata.applies(kernel, x) {
                            expected.check(strata.count_with(kernel, x), &format!("{simd:?} {kernel:?}"));
                        }
                    }
                }
            });
        }
        let f = NLogN::new(data.total());
        let mut terms = expected.iter().map(|expected| expected.terms(&f));
        let sweep = Sweep { target: t, candidates: xs, given: z };
        counter.batch_log_terms(&[sweep], &f, &mut |found| {
            found.iter().for_each(|&found| assert_eq!(Some(found), terms.next(), "{simd:?}"));
        });
        assert!(terms.next().is_none());
        // One by one, with the set in different orders, and again.
        for (&x, expected) in xs.iter().zip(&expected) {
            for turn in (0..z.len()).chain([0, 0]) {
                let mut z = z.to_vec();
                z.rotate_left(turn);
                counter.count(x, t, &z, |counts| expected.check(counts, &format!("{simd:?} alone")));
                assert_eq!(counter.log_terms(x, t, &z, &f), expected.terms(&f), "{simd:?} alone {z:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_kernel_counts_like_the_naive_one(
        rows in 1usize..1300,
        levels in prop::collection::vec(prop_oneof![4 => 1usize..6, 1 => 6usize..40, 1 => 250usize..400], 3..7),
        seed: u64,
    ) {
        let data = random_data(rows, &levels, seed);
        let vars: Vec<Var> = data.vars().collect();
        for order in 0..vars.len() - 1 {
            check(&data, vars[0], &vars[1..=order], &vars[order + 1..]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_table_is_of_the_rows_that_are_complete_in_its_variables(
        rows in 1usize..900,
        levels in prop::collection::vec(prop_oneof![4 => 1usize..6, 1 => 6usize..40, 1 => 250usize..400], 3..7),
        share in prop::sample::select(vec![0.02, 0.1, 0.5, 0.95]),
        seed: u64,
    ) {
        let data = with_gaps(&random_data(rows, &levels, seed), share, seed);
        let vars: Vec<Var> = data.vars().collect();
        for order in 0..vars.len() - 1 {
            let (t, z, xs) = (vars[0], &vars[1..=order], &vars[order + 1..]);
            check(&data, t, z, xs);
            through_the_door(&data, t, z, xs);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_row_counts_as_often_as_its_weight_says(
        rows in 1usize..900,
        levels in prop::collection::vec(prop_oneof![4 => 1usize..6, 1 => 6usize..40, 1 => 250usize..400], 3..7),
        share in prop::sample::select(vec![0.0, 0.1]),
        most in prop::sample::select(vec![2u64, 7, 1_000_000]),
        seed: u64,
    ) {
        let data = with_gaps(&random_data(rows, &levels, seed), share, seed);
        let data = data.with_weights(weights(rows, most, seed)).unwrap();
        let vars: Vec<Var> = data.vars().collect();
        for order in 0..vars.len() - 1 {
            let (t, z, xs) = (vars[0], &vars[1..=order], &vars[order + 1..]);
            check(&data, t, z, xs);
            through_the_door(&data, t, z, xs);
        }
    }
}

/// A weight for each row, some of them 0.
pub(crate) fn weights(rows: usize, most: u64, seed: u64) -> Vec<u32> {
    let weight = |row| (ossature::random::mix(seed, &[row]) % (most + 1)) as u32;
    (0..rows as u64).map(|row| if row == 0 { 1 } else { weight(row) }).collect()
}

/// The questions of tests and scores, through [`Tables`], answered like the naive loop.
fn through_the_door(data: &Dataset, t: Var, z: &[Var], xs: &[Var]) {
    let counter = Counter::new(data);
    let tables: &dyn Tables = &counter;
    let sweep = Sweep { target: t, candidates: xs, given: z };
    let mut naive =
        xs.iter().map(|&x| expected(data, x, t, z)).chain(xs.iter().map(|&x| expected(data, x, t, z)));
    tables.batch(&[sweep, sweep], &mut |counts| naive.next().unwrap().check(counts, "batch"));
    assert!(naive.next().is_none());
    let known = |row: &usize| z.iter().chain([&t]).all(|&v| data.is_known(*row, v));
    let (mut joint, mut parents) = (BTreeMap::new(), BTreeMap::new());
    for row in (0..data.rows()).filter(known) {
        let of: Vec<u16> = z.iter().map(|&v| data.column(v).code(row)).collect();
        let weight = data.weights().map_or(1, |weights| weights[row]);
        *joint.entry((of.clone(), data.column(t).code(row))).or_insert(0u32) += weight;
        *parents.entry(of).or_insert(0u32) += weight;
    }
    let (joint, parents): (Vec<u32>, Vec<u32>) =
        (joint.into_values().collect(), parents.into_values().collect());
    tables.family(t, z, &mut |n_jk, n_j| {
        assert_eq!((nonzero(n_jk), nonzero(n_j)), (nonzero(&joint), nonzero(&parents)));
    });
    // Between two sweeps, and after one.
    counter.stratify(t, z, |strata| {
        for &x in xs {
            strata.count(x);
            let (n_jk, n_j) = strata.margins();
            assert_eq!((nonzero(n_jk), nonzero(n_j)), (nonzero(&joint), nonzero(&parents)));
        }
    });
    if z.iter().chain([&t]).map(|&v| data.cardinality(v)).product::<usize>() < 100_000 {
        assert_eq!(nonzero(&ossature::counts::family(data, t, z)), nonzero(&joint));
    }
}

#[test]
fn ten_variables_of_a_hundred_levels_take_memory_of_the_rows() {
    let data = random_data(2000, &[100; 10], 7);
    let vars: Vec<Var> = data.vars().collect();
    check(&data, vars[0], &vars[1..9], &vars[9..]);
    let z = &vars[2..];
    let listed = Counter::new(&data).stratify(vars[0], z, |s| s.count(vars[1]).xyz().len());
    assert!(listed <= 2000, "{listed} cells listed for 2000 rows");
}

#[test]
fn the_widest_variables_work() {
    let wide: Vec<u16> = (0..70_000).map(|i| (i % 65_536) as u16).collect();
    let levels = || (0..65_536).map(|l| l.to_string());
    let column = |name: &str, codes: Vec<u16>| (Variable::new(name, levels()).unwrap(), Column::Wide(codes));
    let reversed = wide.iter().rev().copied().collect();
    let few = (Variable::new("few", ["a", "b"]).unwrap(), Column::from_codes(wide.iter().map(|w| w % 2), 2));
    let data = Dataset::new(vec![column("a", wide), column("b", reversed), few]).unwrap();
    check(&data, Var(0), &[], &[Var(1), Var(2)]);
    check(&data, Var(2), &[Var(0)], &[Var(1)]);
    check(&data, Var(0), &[Var(2)], &[Var(1)]);
}

#[test]
fn degenerate_tables() {
    // One row; all rows equal; constant columns.
    for rows in [1, 2, 511, 512, 513] {
        let data = random_data(rows, &[1, 1, 3, 2], 1);
        let v: Vec<Var> = data.vars().collect();
        check(&data, v[0], &[], &[v[1], v[2], v[3]]);
        check(&data, v[2], &[v[0], v[1]], &[v[3]]);
        check(&data, v[0], &[v[2]], &[v[1], v[3]]);
    }
}

/// The kept strata of a thread belong to one counter and one list of variables.
#[test]
fn what_is_remembered_is_never_mixed_up() {
    let tables = [random_data(600, &[3, 2, 4, 3, 2], 1), random_data(600, &[3, 2, 4, 3, 2], 2)];
    let counters = [Counter::new(&tables[0]), Counter::new(&tables[1])];
    let vars: Vec<Var> = tables[0].vars().collect();
    let questions: Vec<[Var; 4]> = vars
        .iter()
        .flat_map(|&a| vars.iter().map(move |&b| [a, b]))
        .flat_map(|[a, b]| {
            vars.iter().flat_map(|&c| vars.iter().map(move |&d| [a, b, c, d])).collect::<Vec<_>>()
        })
        .filter(|q| (0..4).all(|i| !q[..i].contains(&q[i])))
        .collect();
    for [x, t, a, b] in questions {
        for z in [&[][..], &[a], &[a, b]] {
            for (data, counter) in tables.iter().zip(&counters) {
                let expected = expected(data, x, t, z);
                counter.count(x, t, z, |counts| expected.check(counts, "alone"));
                counter.stratify(t, z, |strata| expected.check(strata.count(x), "in a sweep"));
                let margins = counter.stratify(t, z, |strata| nonzero(strata.margins().0));
                assert_eq!(margins, expected.margins[2]);
            }
        }
    }
}

#[test]
fn levels_that_never_occur_take_no_place() {
    let levels = || (0..200).map(|l| l.to_string());
    let column = |name: &str, step: u16| {
        let codes = (0..400).map(|row| row * step % 5 * 40);
        (Variable::new(name, levels()).unwrap(), Column::from_codes(codes, 200))
    };
    let data = Dataset::new(vec![column("a", 1), column("b", 3), column("c", 7)]).unwrap();
    check(&data, Var(0), &[Var(1)], &[Var(2)]);
    let cells = Counter::new(&data).count(Var(0), Var(1), &[Var(2)], |counts| counts.xyz().len());
    assert!(cells <= 125, "{cells} cells for five levels each");
}
