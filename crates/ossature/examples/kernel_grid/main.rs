//! Measures every kernel against the loop one writes first, one line of CSV for each measurement.
//!
//! `cargo run --release -p ossature --features bench-internals --example kernel_grid -- [headline|munin1|grid] > raw.csv`
//!
//! What is timed is one whole G² test: counts, margins, statistic and adjusted df, without the
//! p-value. The contenders for one shape take turns, each sample is short (some 50 µs, or one unit of
//! work if that takes longer) and comes after an untimed run, time is the thread's own (on Linux), and
//! the fastest sample counts: on a shared machine everything that makes a sample slower is somebody
//! else's. The answer stands beside the time, and all contenders
//! must agree on it.
//!
//! `kernel_grid work naive|Portable|Avx2|Avx512 headline|munin1 ORDER TURNS` only works, for a program
//! that counts instructions (`bench/instructions.py`).
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use ossature::counts::{Counter, Counts, Kernel, NLogN, Simd, naive};
use ossature::network::catalogue;
use ossature::{Column, Dataset, Silent, Var, Variable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

mod floor;

use floor::{Machine, own_time};

/// The most cells for which the naive loop is given a dense table (16 MiB); beyond, it is the obvious
/// count in a hash map, which is much faster there.
const NAIVE_CELLS: u128 = 1 << 22;

/// Questions asked one by one: no two in a row share the target and the set.
const SINGLES: usize = 8;

fn main() -> ossature::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, who, section, order, turns] = &words[..]
        && first == "work"
    {
        return work(who, section, parse(order), parse(turns));
    }
    let wanted = words.first().cloned();
    let wants = |name: &str| wanted.as_deref().is_none_or(|w| w == name);
    let machine = Machine::measure();
    println!("{}", Shape::HEADER);
    for rows in [500, 5000].into_iter().filter(|_| wants("headline")) {
        let data = uniform_data(rows, &[3; 70]);
        for order in 0..=3 {
            Shape::equal("headline", 3, order, 60).run(&data, &machine);
        }
    }
    for rows in [500, 5000].into_iter().filter(|_| wants("munin1")) {
        let data = catalogue::load("munin1")?.sample(rows, 1, &Silent)?;
        for order in 0..=2 {
            Shape::munin1(&data, order).run(&data, &machine);
        }
    }
    for rows in [50, 500, 5000, 100_000].into_iter().filter(|_| wants("grid")) {
        for levels in [2, 3, 5, 11, 21, 100] {
            let data = uniform_data(rows, &vec![levels; 60]);
            for order in 0..=5 {
                Shape::equal("grid", levels, order, 50).run(&data, &machine);
            }
        }
    }
    Ok(())
}

fn parse(word: &str) -> usize {
    word.parse().expect("a number")
}

/// Answers the sweep of a shape at 5000 rows so many times, and prints how many tests that were.
fn work(who: &str, section: &str, order: usize, turns: usize) -> ossature::Result<()> {
    let (data, shape) = match section {
        "headline" => (uniform_data(5000, &[3; 70]), Shape::equal("headline", 3, order, 60)),
        _ => {
            let data = catalogue::load("munin1")?.sample(5000, 1, &Silent)?;
            let shape = Shape::munin1(&data, order);
            (data, shape)
        }
    };
    let questions = [shape.question(&data, 0, shape.candidates)];
    let f = NLogN::new(data.rows());
    let simd = Simd::available().into_iter().find(|simd| format!("{simd:?}") == who);
    let counter = Counter::with_simd(&data, simd.unwrap_or(Simd::Portable));
    let contender = match simd {
        Some(simd) => Contender::kernel(simd, &counter, None, &questions, &f),
        None if who == "naive" => Contender::new("", "naive", &questions, |q, x| naive_g2(&data, q, x)),
        None => panic!("this machine has no {who}: it has naive and {:?}", Simd::available()),
    };
    for _ in 0..turns {
        black_box((contender.work)());
    }
    println!("{}", turns * contender.tests);
    Ok(())
}

/// Columns of independent, equally frequent levels: no configuration is empty without need, which is
/// the hardest case for bitmaps, and neighbouring rows rarely meet in a cell, which is the easiest
/// case for the naive loop.
fn uniform_data(rows: usize, levels: &[usize]) -> Dataset {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let columns = levels.iter().enumerate().map(|(i, &levels)| {
        let name = format!("v{i:03}");
        let variable = Variable::new(name, (0..levels).map(|l| l.to_string())).expect("distinct levels");
        let codes: Vec<u16> = (0..rows).map(|_| random.random_range(0..levels) as u16).collect();
        (variable, Column::from_codes(codes, levels))
    });
    Dataset::new(columns.collect()).expect("columns of the same length")
}

/// One line of questions: X against T given Z.
#[derive(Clone)]
struct Question {
    t: Var,
    z: Vec<Var>,
    xs: Vec<Var>,
}

/// The shape of the questions that are measured together.
struct Shape {
    section: &'static str,
    /// 0 where the variables differ.
    levels: usize,
    order: usize,
    candidates: usize,
    vars: Vec<Var>,
}

impl Shape {
    const HEADER: &'static str = "section,levels,order,rows,asked,candidates,simd,kernel,us_per_test,\
        times_naive,floor_us,floor,over_floor,g2_of_first,df_of_first";

    fn equal(section: &'static str, levels: usize, order: usize, candidates: usize) -> Shape {
        Shape { section, levels, order, candidates, vars: (0..70).map(Var).collect() }
    }

    /// The columns of munin1 that have from 4 to 20 levels.
    fn munin1(data: &Dataset, order: usize) -> Shape {
        let vars = data.vars().filter(|&v| (4..=20).contains(&data.cardinality(v))).collect();
        Shape { vars, ..Shape::equal("munin1", 0, order, 50) }
    }

    fn question(&self, data: &Dataset, first: usize, candidates: usize) -> Question {
        let vars: Vec<Var> = self.vars.iter().copied().filter(|v| v.index() < data.vars().len()).collect();
        Question {
            t: vars[first],
            z: vars[first + 1..][..self.order].to_vec(),
            xs: vars[first + 1 + self.order..].iter().copied().take(candidates).collect(),
        }
    }

    fn run(&self, data: &Dataset, machine: &Machine) {
        let question = |first, candidates| self.question(data, first, candidates);
        let sweep = [question(0, self.candidates)];
        // The naive loop shares nothing between candidates: some of them stand for all.
        let few = [question(0, SINGLES)];
        let singles: Vec<Question> = (0..SINGLES).map(|first| question(first, 1)).collect();
        self.compare(data, machine, "sweep", &sweep, &few);
        self.compare(data, machine, "single", &singles, &singles);
    }

    fn compare(
        &self,
        data: &Dataset,
        machine: &Machine,
        asked: &str,
        questions: &[Question],
        naive_questions: &[Question],
    ) {
        let f = NLogN::new(data.rows());
        let counters: Vec<(Simd, Counter<'_>)> =
            Simd::available().into_iter().map(|simd| (simd, Counter::with_simd(data, simd))).collect();
        let mut contenders = vec![
            Contender::new("", "naive", naive_questions, |q, x| naive_g2(data, q, x)),
            Contender::new("", "naive+table", naive_questions, |q, x| tabled_g2(data, q, x, &f)),
            Contender::new("", "naive+columns", naive_questions, |q, x| columnwise_g2(data, q, x)),
        ];
        for (simd, counter) in counters.iter().rev() {
            for kernel in [None, Some(Kernel::Bits), Some(Kernel::Scatter), Some(Kernel::Sparse)] {
                let applies = |q: &Question| {
                    counter.stratify(q.t, &q.z, |strata| {
                        q.xs.iter().all(|&x| kernel.is_none_or(|k| strata.applies(k, x)))
                    })
                };
                if questions.iter().all(applies) {
                    contenders.push(Contender::kernel(*simd, counter, kernel, questions, &f));
                }
            }
        }
        take_turns(&mut contenders);
        let naive = contenders[0].best;
        let answer = (contenders[0].work)();
        for contender in &contenders {
            let (g2, df) = (contender.work)();
            assert!(
                df == answer.1 && (g2 - answer.0).abs() <= 1e-9 * (1.0 + answer.0),
                "{}",
                contender.kernel
            );
            let chosen = contender.chosen();
            let floor = chosen.map(|k| machine.floor(k, &contender.simd, data, questions));
            println!(
                "{},{},{},{},{asked},{},{},{},{:.4},{:.2},{},{g2:.6},{df}",
                self.section,
                self.levels,
                self.order,
                data.rows(),
                questions[0].xs.len(),
                contender.simd,
                contender.kernel,
                contender.best * 1e6,
                naive / contender.best,
                floor.map_or(",,".to_owned(), |(seconds, bound)| format!(
                    "{:.4},{bound},{:.1}",
                    seconds * 1e6,
                    contender.best / seconds
                )),
            );
        }
    }
}

/// One way of answering all questions of a shape.
struct Contender<'a> {
    simd: String,
    kernel: String,
    /// Answers all questions; returns the statistic and df of the first.
    work: Box<dyn Fn() -> (f64, u64) + 'a>,
    tests: usize,
    /// About how many seconds `work` takes, and its runs in one sample.
    unit: f64,
    repeats: u32,
    /// Seconds for each test.
    best: f64,
}

impl<'a> Contender<'a> {
    fn new(
        simd: &str,
        kernel: &str,
        questions: &'a [Question],
        test: impl Fn(&Question, Var) -> (f64, u64) + 'a,
    ) -> Contender<'a> {
        let work = move || {
            let mut first = None;
            for q in questions {
                for &x in &q.xs {
                    let answer = black_box(test(q, x));
                    first.get_or_insert(answer);
                }
            }
            first.expect("at least one question")
        };
        Contender::working(simd, kernel, questions, Box::new(work))
    }

    fn kernel(
        simd: Simd,
        counter: &'a Counter<'a>,
        kernel: Option<Kernel>,
        questions: &'a [Question],
        f: &'a NLogN,
    ) -> Contender<'a> {
        let work = move || {
            let mut first = None;
            for q in questions {
                if let (None, &[x]) = (kernel, &q.xs[..]) {
                    let answer = counter.count(x, q.t, &q.z, |c| black_box(kernel_g2(c, f, &mut None)));
                    first.get_or_insert(answer);
                    continue;
                }
                counter.stratify(q.t, &q.z, |strata| {
                    let mut given = None;
                    for &x in &q.xs {
                        let counts = match kernel {
                            Some(kernel) => strata.count_with(kernel, x),
                            None => strata.count(x),
                        };
                        let answer = black_box(kernel_g2(counts, f, &mut given));
                        first.get_or_insert(answer);
                    }
                });
            }
            first.expect("at least one question")
        };
        let first = &questions[0];
        let name = match kernel {
            Some(kernel) => format!("{kernel:?}"),
            // A single table is counted by what suits it and what is remembered.
            None if first.xs.len() == 1 => "chosen".to_owned(),
            None => counter
                .stratify(first.t, &first.z, |strata| format!("chosen={:?}", strata.choice(first.xs[0]))),
        };
        Contender::working(&format!("{simd:?}"), &name, questions, Box::new(work))
    }

    fn working(
        simd: &str,
        kernel: &str,
        questions: &[Question],
        work: Box<dyn Fn() -> (f64, u64) + 'a>,
    ) -> Contender<'a> {
        let tests = questions.iter().map(|q| q.xs.len()).sum();
        Contender {
            simd: simd.into(),
            kernel: kernel.into(),
            work,
            tests,
            unit: 0.0,
            repeats: 1,
            best: f64::INFINITY,
        }
    }

    fn chosen(&self) -> Option<Kernel> {
        let name = self.kernel.trim_start_matches("chosen=");
        Kernel::ALL.into_iter().find(|k| format!("{k:?}") == name)
    }

    /// Takes a sample; returns its seconds.
    fn sample(&mut self) -> f64 {
        if self.unit < LONG {
            // What the others have left in the caches is not this one's affair.
            black_box((self.work)());
        }
        let start = own_time();
        for _ in 0..self.repeats {
            black_box((self.work)());
        }
        let took = own_time() - start;
        self.best = self.best.min(took / f64::from(self.repeats) / self.tests as f64);
        took
    }
}

/// Work that takes longer than this needs no warm-up.
const LONG: f64 = 1e-3;

/// Lets the contenders take turns until each has had its share of time and samples.
fn take_turns(contenders: &mut [Contender<'_>]) {
    const SAMPLE: f64 = 50e-6;
    for contender in contenders.iter_mut() {
        contender.unit = contender.sample().min(contender.sample());
        contender.repeats = (SAMPLE / contender.unit).clamp(1.0, 1000.0) as u32;
        contender.best = f64::INFINITY;
    }
    let clock = Instant::now();
    let mut rounds = 0;
    while rounds < 3 || (rounds < 300 && clock.elapsed() < Duration::from_millis(400)) {
        for contender in contenders.iter_mut() {
            contender.sample();
        }
        rounds += 1;
    }
}

/// The test as one writes it first: a table of the product of the cardinalities, its margins, and a
/// logarithm for each cell.
fn naive_g2(data: &Dataset, q: &Question, x: Var) -> (f64, u64) {
    let (r, c) = (data.cardinality(x), data.cardinality(q.t));
    if !fits(data, q, x) {
        return hashed_g2(data, q, x);
    }
    g2_of_dense(&naive::scatter(data, x, q.t, &q.z), r, c)
}

/// The same with the code of each row made a column at a time, which the compiler vectorises: the first
/// improvement one would think of.
fn columnwise_g2(data: &Dataset, q: &Question, x: Var) -> (f64, u64) {
    if !fits(data, q, x) {
        return hashed_g2(data, q, x);
    }
    let mut codes = vec![0u32; data.rows()];
    let mut cells = 1;
    for &v in q.z.iter().chain([&q.t, &x]) {
        let levels = data.cardinality(v) as u32;
        let append = |(code, x): (&mut u32, u32)| *code = *code * levels + x;
        match data.column(v) {
            Column::Narrow(xs) => codes.iter_mut().zip(xs.iter().map(|&x| u32::from(x))).for_each(append),
            Column::Wide(xs) => codes.iter_mut().zip(xs.iter().map(|&x| u32::from(x))).for_each(append),
            Column::Real(_) => unreachable!("these columns are discrete"),
        }
        cells *= levels as usize;
    }
    let mut xyz = vec![0u32; cells];
    codes.iter().for_each(|&code| xyz[code as usize] += 1);
    g2_of_dense(&xyz, data.cardinality(x), data.cardinality(q.t))
}

fn g2_of_dense(xyz: &[u32], r: usize, c: usize) -> (f64, u64) {
    let [xz, yz, z] = naive::margins(xyz, r, c);
    let mut g2 = 0.0;
    for (cell, &n) in xyz.iter().enumerate().filter(|&(_, &n)| n > 0) {
        let (i, j, k) = (cell % r, cell / r % c, cell / (r * c));
        let [n, ni, nj, nk] = [n, xz[k * r + i], yz[k * c + j], z[k]].map(f64::from);
        g2 += n * (n * nk / (ni * nj)).ln();
    }
    (2.0 * g2, adjusted_df(&xz, &yz, r, c))
}

/// The same with a table of n·ln n instead of logarithms.
fn tabled_g2(data: &Dataset, q: &Question, x: Var, f: &NLogN) -> (f64, u64) {
    let (r, c) = (data.cardinality(x), data.cardinality(q.t));
    if !fits(data, q, x) {
        return hashed_g2(data, q, x);
    }
    let xyz = naive::scatter(data, x, q.t, &q.z);
    let [xz, yz, z] = naive::margins(&xyz, r, c);
    let half = f.sum(&xyz) - f.sum(&xz) - f.sum(&yz) + f.sum(&z);
    (2.0 * f.to_f64(half), adjusted_df(&xz, &yz, r, c))
}

fn fits(data: &Dataset, q: &Question, x: Var) -> bool {
    let levels = q.z.iter().chain([&q.t, &x]).map(|&v| data.cardinality(v) as u128);
    levels.product::<u128>() <= NAIVE_CELLS
}

fn adjusted_df(xz: &[u32], yz: &[u32], r: usize, c: usize) -> u64 {
    let occurring = |margin: &[u32]| margin.iter().filter(|&&n| n > 0).count().saturating_sub(1) as u64;
    xz.chunks(r).zip(yz.chunks(c)).map(|(x, y)| occurring(x) * occurring(y)).sum()
}

/// The test as one writes it first when the table does not fit: hash maps for the cells and margins.
fn hashed_g2(data: &Dataset, q: &Question, x: Var) -> (f64, u64) {
    use std::collections::HashMap;
    let cells = naive::count(data, x, q.t, &q.z);
    let (mut xz, mut yz) = (HashMap::<(&[u16], u16), u32>::new(), HashMap::<(&[u16], u16), u32>::new());
    let mut z = HashMap::<&[u16], (u32, u64, u64)>::new();
    for ((k, i, j), &n) in &cells {
        *xz.entry((k, *i)).or_default() += n;
        *yz.entry((k, *j)).or_default() += n;
        z.entry(k).or_default().0 += n;
    }
    xz.keys().for_each(|(k, _)| z.entry(k).or_default().1 += 1);
    yz.keys().for_each(|(k, _)| z.entry(k).or_default().2 += 1);
    let mut g2 = 0.0;
    for ((k, i, j), &n) in &cells {
        let k: &[u16] = k;
        let [n, ni, nj, nk] = [n, xz[&(k, *i)], yz[&(k, *j)], z[k].0].map(f64::from);
        g2 += n * (n * nk / (ni * nj)).ln();
    }
    (2.0 * g2, z.values().map(|&(_, r, c)| (r - 1) * (c - 1)).sum())
}

/// The test by the library's counts; what T and Z contribute is summed once for all candidates.
fn kernel_g2(counts: &Counts, f: &NLogN, given: &mut Option<i64>) -> (f64, u64) {
    let given = *given.get_or_insert_with(|| f.sum(counts.yz()) - f.sum(counts.z()));
    let half = f.sum(counts.xyz()) - f.sum(counts.xz()) - given;
    (2.0 * f.to_f64(half.max(0)), counts.adjusted_df())
}
