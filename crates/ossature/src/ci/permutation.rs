//! `mc-mi` and `sp-mi`: G² compared with random tables that have the same margins.
//!
//! Tsamardinos & Borboudakis (2010), "Permutation testing improves Bayesian network learning", ECML-PKDD.
//! Shuffling the values of X within each configuration of Z keeps all margins. The number of shuffled tables
//! whose G² reaches the observed one gives p directly (`mc-mi`); their mean G² is the df of a chi-square
//! distribution fitted to them (`sp-mi`).
//!
//! The tables are not shuffled row by row but drawn from the margins, cell by cell, and only F(XYZ) differs
//! between them. The random numbers depend only on the seed and the names of X, Y and Z, and the margins are
//! sorted before use. So the order of rows and levels and the number of threads do not matter, nor which of
//! the two variables is called X.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::alpha::{Alpha, Verdict, permutation_ln_p};
use super::outcome::Outcome;
use super::table_test::{Statistic, TestQuestion};
use crate::counts::{Counts, LogTerms, NLogN};
use crate::data::{Var, Variable};
use crate::random::{generator, hash_on, uniform};

/// A test with random tables.
#[derive(Debug)]
pub(super) struct Permutation {
    /// The names of the variables, on which the random tables depend.
    names: Box<[String]>,
    f: NLogN,
    /// ln n! for each number of rows.
    ln_factorial: Vec<f64>,
    resamples: usize,
    seed: u64,
    /// Whether the tables are used only to estimate the df.
    semi_parametric: bool,
}

/// A configuration of Z in which both variables vary: their margins, largest first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Margins {
    first: Vec<u32>,
    second: Vec<u32>,
}

impl Permutation {
    pub(super) fn new(
        variables: &[Variable],
        rows: usize,
        resamples: usize,
        seed: u64,
        semi_parametric: bool,
    ) -> Permutation {
        let mut ln_factorial = vec![0.0];
        for n in 1..=rows {
            ln_factorial.push(ln_factorial[n - 1] + libm::log(n as f64));
        }
        let names = variables.iter().map(|v| v.name().to_owned()).collect();
        Permutation { names, f: NLogN::new(rows), ln_factorial, resamples, seed, semi_parametric }
    }

    /// Calls `each` with F(XYZ) of one random table after another, until it returns false.
    fn random_tables(&self, counts: &Counts, question: &TestQuestion<'_>, mut each: impl FnMut(i64) -> bool) {
        let slices = varying_slices(counts, question);
        // A slice in which a variable is constant is the same in every table.
        let constant = counts.slices().filter(|s| !varies(s.x) || !varies(s.y));
        let fixed: i64 = constant.map(|s| self.f.sum(if varies(s.x) { s.x } else { s.y })).sum();
        let mut random = generator(self.key(question));
        let mut left = Vec::new();
        for _ in 0..self.resamples {
            let table: i64 = slices.iter().map(|s| self.random_slice(s, &mut left, &mut random)).sum();
            if !each(table + fixed) {
                break;
            }
        }
    }

    /// The verdict as soon as it is certain, and the number of tables drawn by then.
    fn decide_early(&self, counts: &Counts, question: &TestQuestion<'_>, alpha: &Alpha) -> (Verdict, usize) {
        let observed = self.f.sum(counts.xyz());
        let (mut exceeding, mut done, mut verdict) = (0, 0, alpha.settled(0, 0, self.resamples));
        self.random_tables(counts, question, |table| {
            exceeding += usize::from(table >= observed);
            done += 1;
            verdict = alpha.settled(exceeding, done, self.resamples);
            verdict.is_none()
        });
        (verdict.expect("settled when all tables are drawn"), done)
    }

    /// F of one random slice with these margins. Cells are drawn one by one, each given those before it.
    fn random_slice(&self, margins: &Margins, left: &mut Vec<u32>, random: &mut Xoshiro256PlusPlus) -> i64 {
        left.clone_from(&margins.second);
        let mut sum = 0;
        let (_, rows) = margins.first.split_last().expect("at least two levels");
        for &row in rows {
            let (mut draws, mut pool) = (row, left.iter().sum::<u32>());
            for column in left.iter_mut() {
                let n = self.hypergeometric(pool, *column, draws, random);
                pool -= *column;
                *column -= n;
                draws -= n;
                sum += self.f.of(n);
            }
        }
        sum + self.f.sum(left)
    }

    /// Draws how many of `draws` rows out of `total` are among the `marked` ones. Values are tried from the
    /// likeliest outwards.
    fn hypergeometric(&self, total: u32, marked: u32, draws: u32, random: &mut Xoshiro256PlusPlus) -> u32 {
        let (least, most) = ((marked + draws).saturating_sub(total), marked.min(draws));
        if least == most {
            return least;
        }
        let others = total - marked;
        let mode = ((u64::from(draws) + 1) * (u64::from(marked) + 1) / (u64::from(total) + 2)) as u32;
        let choose = |n: u32, k: u32| {
            let l = |i: u32| self.ln_factorial[i as usize];
            l(n) - l(k) - l(n - k)
        };
        let at_mode = libm::exp(choose(marked, mode) + choose(others, draws - mode) - choose(total, draws));
        let mut left = uniform(random) - at_mode;
        let (mut up, mut down, mut p_up, mut p_down) = (mode, mode, at_mode, at_mode);
        while left >= 0.0 && (up < most || down > least) {
            if up < most {
                p_up *= f64::from(marked - up) * f64::from(draws - up)
                    / (f64::from(up + 1) * f64::from(others + up + 1 - draws));
                up += 1;
                left -= p_up;
                if left < 0.0 {
                    return up;
                }
            }
            if down > least {
                p_down *= f64::from(down) * f64::from(others + down - draws)
                    / (f64::from(marked - down + 1) * f64::from(draws - down + 1));
                down -= 1;
                left -= p_down;
                if left < 0.0 {
                    return down;
                }
            }
        }
        mode
    }

    /// The key of the random stream: the seed, the names {X, Y} and the names of Z.
    fn key(&self, question: &TestQuestion<'_>) -> u64 {
        let mut z: Vec<Var> = question.z.to_vec();
        z.sort_unstable();
        let pair = [question.x.min(question.y), question.x.max(question.y)];
        let mut key = self.seed;
        for v in pair.into_iter().chain(z) {
            key = hash_on(key, self.names[v.index()].bytes().chain([0]));
            key ^= key >> 29;
        }
        key
    }
}

impl Statistic for Permutation {
    fn outcome(&self, counts: &Counts, question: &TestQuestion<'_>) -> Outcome {
        let terms = LogTerms::of(counts, &self.f);
        let (observed, margins) = (terms.xyz, terms.margins());
        let statistic = 2.0 * self.f.to_f64((observed - margins).max(0));
        let df = counts.adjusted_df() as f64;
        if df == 0.0 {
            return Outcome::nothing_to_test();
        }
        if self.semi_parametric {
            let mut sum = 0i128;
            self.random_tables(counts, question, |table| {
                sum += i128::from(table - margins);
                true
            });
            let mean = 2.0 * self.f.to_f64((sum / self.resamples as i128) as i64);
            return Outcome::chi_square(statistic, mean.max(f64::MIN_POSITIVE));
        }
        let mut exceeding = 0;
        self.random_tables(counts, question, |table| {
            exceeding += usize::from(table >= observed);
            true
        });
        Outcome::with_ln_p(statistic, df, permutation_ln_p(exceeding, self.resamples))
    }

    fn can_decide_sooner(&self) -> bool {
        true
    }

    fn decide_sooner(&self, counts: &Counts, question: &TestQuestion<'_>, alpha: &Alpha) -> Verdict {
        if self.semi_parametric || counts.adjusted_df() == 0 {
            return alpha.verdict(&self.outcome(counts, question));
        }
        self.decide_early(counts, question, alpha).0
    }
}

fn varies(margin: &[u32]) -> bool {
    margin.iter().filter(|&&n| n > 0).count() > 1
}

/// The slices that can differ between tables, in an order that depends only on the counts.
fn varying_slices(counts: &Counts, question: &TestQuestion<'_>) -> Vec<Margins> {
    let ordered = |margin: &[u32]| {
        let mut margin: Vec<u32> = margin.iter().copied().filter(|&n| n > 0).collect();
        margin.sort_unstable_by(|a, b| b.cmp(a));
        margin
    };
    let mut slices: Vec<Margins> = counts
        .slices()
        .filter(|s| varies(s.x) && varies(s.y))
        .map(|s| match question.x < question.y {
            true => Margins { first: ordered(s.x), second: ordered(s.y) },
            false => Margins { first: ordered(s.y), second: ordered(s.x) },
        })
        .collect();
    slices.sort_unstable();
    slices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Counter;
    use crate::data::{Column, Dataset};

    #[test]
    fn random_slices_keep_their_margins_and_their_distribution() {
        // A 2 x 2 table with margins (3, 3) and (2, 4): the first cell is hypergeometric.
        let test = Permutation::new(&[], 6, 1, 0, false);
        let mut random = generator(5);
        let mut seen = [0usize; 3];
        for _ in 0..60_000 {
            seen[test.hypergeometric(6, 2, 3, &mut random) as usize] += 1;
        }
        for (seen, expected) in seen.into_iter().zip([0.2, 0.6, 0.2]) {
            assert!((seen as f64 / 60_000.0 - expected).abs() < 0.01, "{seen} for {expected}");
        }
    }

    #[test]
    fn a_decision_takes_no_more_tables_than_it_needs() {
        let column = |name: &str, codes: [u16; 8]| {
            (Variable::new(name, ["0", "1"]).unwrap(), Column::from_codes(codes, 2))
        };
        let data = Dataset::new(vec![
            column("a", [0, 0, 0, 0, 1, 1, 1, 1]),
            column("balanced", [0, 0, 1, 1, 0, 0, 1, 1]),
            column("copy", [0, 0, 0, 0, 1, 1, 1, 1]),
            column("like", [0, 0, 0, 1, 0, 1, 1, 1]),
        ])
        .unwrap();
        let counter = Counter::new(&data);
        let test = Permutation::new(data.variables(), data.rows(), 5000, 0, false);
        let alpha = Alpha::new(0.05);
        let decided = |y: u32| {
            let question = TestQuestion { x: Var(0), y: Var(y), z: &[], levels: &[2, 2, 2] };
            counter.count(Var(0), Var(y), &[], |counts| {
                let (verdict, tables) = test.decide_early(counts, &question, &alpha);
                assert_eq!(verdict, alpha.verdict(&test.outcome(counts, &question)));
                assert_eq!(verdict, test.decide_sooner(counts, &question, &alpha));
                (verdict, tables)
            })
        };
        // No table is more balanced, so each one reaches the statistic, and 251 of 5001 is more than 0.05.
        assert_eq!(decided(1), (Verdict::Independent, 250));
        // One in 35 tables is as extreme, so the verdict is certain when 0.05 - 1/35 of them are left.
        let (verdict, tables) = decided(2);
        assert!(verdict == Verdict::Dependent && (4751..5000).contains(&tables), "{tables} tables");
        // One in two.
        let (verdict, tables) = decided(3);
        assert!(verdict == Verdict::Independent && (250..1500).contains(&tables), "{tables} tables");
    }
}
