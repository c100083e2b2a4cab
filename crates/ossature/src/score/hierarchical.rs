//! `bdh`: a table shrinks towards the tables of fewer parents, averaged over several strengths.
//!
//! The rows of a large table are not independent of each other: each resembles the corresponding row with
//! fewer parents, its *base*, to an unknown degree. With k the number of parents, G = {½, 2, 8, 32, 128},
//! levels and parent configurations that occur, and n_jk the counts:
//!
//! ```text
//! T(X, ∅)  = Σ_k n_k ln(n_k / n)
//! T(X, Pa) = ln of the mean, over the bases B and the s in G, of exp of
//!     B = ∅:  D(b, s),                   b_jk = (n_k + ½) / (n + r/2), r the levels of X
//!     B ≠ ∅:  T(X, B) + D(b, s) − LL_B,  b_jk = n_gk / n_g, g the configuration of B inside j
//! D(b, s)  = Σ_jk ln Γ(s b_jk + n_jk) / Γ(s b_jk) − Σ_j ln Γ(s + n_j) / Γ(s)
//! LL_B     = Σ_gk n_gk ln(n_gk / n_g)
//! ```
//!
//! The parents are ordered by T(X, {y}), the strongest first, then by name. The bases are ∅, the strongest
//! parent alone (with two parents or more), and all parents but the weakest (with three or more). The value
//! of a family is T minus the price of k parents among p − 1, 1.5 ln C(p − 1, k).
//!
//! The candidate of a sweep is always the weakest parent. So the base of all other parents is a margin of its
//! table, and one table is enough for the three bases.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Score;
use super::grid::Grid;
use super::lanes::{LaneCell, LaneSums, LaneTerms, Lanes, STRENGTHS};
use crate::counts::{Counts, NLogN, Sweep, Tables};
use crate::data::Var;

/// The price of k parents is this multiple of the cost of naming them.
const PRICE: f64 = 1.5;

/// The terms of a base probability are tabulated for counts below these limits: for the marginal, one parent,
/// and all parents but the weakest.
const TABLED_ALONE: u32 = 512;
const TABLED_PAIR: u32 = 32;
const TABLED_WHOLE: u32 = 12;

/// With more rows than this, values in single precision say too little.
const MOST_BOUNDED: usize = 100_000;

/// With fewer candidates than this, separate tables do not pay off.
const FEW: usize = 6;

pub(super) type Parents = SmallVec<[Var; 8]>;

/// The score `bdh` on tables of counts.
pub(super) struct Hierarchical<'a> {
    pub(super) tables: Arc<dyn Tables + 'a>,
    pub(super) rows: usize,
    pub(super) grid: Grid,
    f: NLogN,
    pub(super) sums: LaneSums,
    /// The price by number of parents.
    pub(super) prices: Box<[f64]>,
    variables: Box<[OfVariable]>,
    referee: Option<Box<dyn Score + 'a>>,
}

/// The cached values of a variable.
#[derive(Default)]
struct OfVariable {
    alone: OnceLock<Alone>,
    /// T of each other variable as the only parent, NaN if not known; empty before the first use.
    singles: Mutex<Vec<f64>>,
    /// T of the larger sets that were a base or were requested alone.
    sets: Mutex<FxHashMap<Parents, f64>>,
    /// The strongest parents so far, as bases.
    strongest: Mutex<FxHashMap<Var, Arc<OneParent>>>,
}

/// A variable without parents, and as a base.
pub(super) struct Alone {
    /// T(X, ∅).
    value: f64,
    /// Σ_k n_k ln b_k.
    pub(super) crossed: f64,
    pub(super) levels: usize,
    pub(super) terms: LaneTerms,
}

/// One parent as a base.
pub(super) struct OneParent {
    /// T − LL.
    offset: f64,
    /// By the level of the parent, then that of the variable.
    pub(super) terms: LaneTerms,
}

/// What all candidates of a sweep share, for one form of its tables.
pub(super) struct Prepared {
    listed: bool,
    /// At each position the level of the variable, and its combination with that of the strongest
    /// parent.
    levels: Vec<u32>,
    pairs: Vec<u32>,
    whole: Option<Whole>,
}

/// All parents but the candidate, at least two, as a base.
struct Whole {
    /// T − LL.
    offset: f64,
    /// The base probability of each position.
    which: Vec<u32>,
    terms: LaneTerms,
}

impl<'a> Hierarchical<'a> {
    pub(super) fn new(
        tables: Arc<dyn Tables + 'a>,
        grid: Grid,
        referee: Option<Box<dyn Score + 'a>>,
    ) -> Hierarchical<'a> {
        let (rows, p) = (tables.rows(), tables.variables().len());
        let choose = |k: usize| {
            let (n, k) = (p.saturating_sub(1) as f64, k as f64);
            libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0)
        };
        Hierarchical {
            rows,
            f: NLogN::new(rows),
            sums: LaneSums::new(rows),
            prices: (0..p.max(1)).map(|k| grid.round(PRICE * choose(k))).collect(),
            variables: (0..p).map(|_| OfVariable::default()).collect(),
            grid,
            tables,
            referee,
        }
    }

    /// T of each of these candidates as the last of the parents, which are sorted and all stronger.
    fn last_of(&self, x: Var, parents: &[Var], candidates: &[Var], out: &mut Vec<f64>) {
        self.terms_of_last(x, parents, candidates, |terms| out.push(self.grid.round(mean(terms))));
    }

    /// The terms whose mean is T of each of these candidates: one for each base and strength, base by
    /// base.
    pub(super) fn terms_of_last(
        &self,
        x: Var,
        parents: &[Var],
        candidates: &[Var],
        mut look: impl FnMut(&[f64]),
    ) {
        if candidates.is_empty() {
            return;
        }
        let alone = self.alone(x);
        let strongest = parents.first().map(|&y| self.strongest(x, y));
        let whole = (parents.len() > 1).then(|| self.value(x, parents));
        let mut forms: SmallVec<[Prepared; 2]> = SmallVec::new();
        let mut cells = Vec::new();
        self.tables.sweep(Sweep { target: x, candidates, given: parents }, &mut |counts| {
            let place = forms.iter().position(|form| form.listed == counts.is_listed());
            let place = place.unwrap_or_else(|| {
                let bound = if candidates.len() < FEW { 0 } else { TABLED_WHOLE };
                forms.push(self.prepared(counts, alone.levels, whole.map(|value| (value, bound))));
                forms.len() - 1
            });
            look(&self.of_table(counts, alone, strongest.as_deref(), &forms[place], &mut cells));
        });
    }

    /// The terms of a table, whose candidate is the weakest parent.
    pub(super) fn of_table(
        &self,
        counts: &Counts,
        alone: &Alone,
        strongest: Option<&OneParent>,
        form: &Prepared,
        cells: &mut Vec<LaneCell>,
    ) -> SmallVec<[f64; 15]> {
        cells.clear();
        counts.for_each_count(|n, at| cells.push((n, at as u32)));
        let mut configurations = Lanes::default();
        self.sums.take_strengths(counts.xz(), &mut configurations);
        let mut values: SmallVec<[f64; 15]> = SmallVec::new();
        let mut add = |which: &[u32], terms: &LaneTerms, offset: f64| {
            let mut sum = configurations;
            self.sums.add(cells, which, terms, &mut sum);
            values.extend(sum[..STRENGTHS.len()].iter().map(|d| offset + d));
        };
        add(&form.levels, &alone.terms, 0.0);
        if let Some(one) = strongest {
            add(&form.pairs, &one.terms, one.offset);
        }
        if let Some(whole) = &form.whole {
            add(&whole.which, &whole.terms, whole.offset);
        }
        values
    }

    /// The data that the tables of a sweep share. `whole` is T of the given set, if that is a separate base,
    /// and the bound on the counts whose terms are computed in advance.
    pub(super) fn prepared(&self, counts: &Counts, levels: usize, whole: Option<(f64, u32)>) -> Prepared {
        let places = counts.yz().len();
        let mut form = Prepared {
            listed: counts.is_listed(),
            levels: vec![0; places],
            pairs: vec![0; places],
            whole: None,
        };
        let mut bases = Vec::new();
        let mut which = vec![0; if whole.is_some() { places } else { 0 }];
        counts.for_each_stratum(|at, s| {
            form.levels[at] = s.level as u32;
            form.pairs[at] = (s.first * levels + s.level) as u32;
            if whole.is_some() && s.rows > 0 {
                which[at] = bases.len() as u32;
                bases.push((f64::from(s.rows) / f64::from(s.of), s.rows));
            }
        });
        form.whole = whole.map(|(value, bound)| Whole {
            offset: value - self.likelihood(counts),
            which,
            terms: LaneTerms::new(&self.sums, bases.into_iter(), bound),
        });
        form
    }

    /// LL of the table of the variable and the given set.
    fn likelihood(&self, counts: &Counts) -> f64 {
        self.f.to_f64(self.f.sum(counts.yz()) - self.f.sum(counts.z()))
    }

    /// The strongest parent as a base.
    pub(super) fn strongest(&self, x: Var, y: Var) -> Arc<OneParent> {
        let kept = &self.variables[x.index()].strongest;
        if let Some(one) = locked(kept).get(&y) {
            return one.clone();
        }
        let levels = self.alone(x).levels;
        let value = self.singles(x, &[y])[0];
        let mut found = None;
        // Any third variable will do: only the margin of these two is used.
        let third =
            (0..self.variables.len()).map(Var::new).find(|v| *v != x && *v != y).expect("a candidate");
        let sweep = Sweep { target: x, candidates: &[third], given: &[y] };
        self.tables.sweep(sweep, &mut |counts| {
            let mut bases: Vec<(f64, u32)> = Vec::new();
            counts.for_each_stratum(|_, s| {
                let pair = s.first * levels + s.level;
                if bases.len() <= pair {
                    bases.resize(pair + 1, (1.0, 0));
                }
                bases[pair] = (f64::from(s.rows) / f64::from(s.of), s.rows);
            });
            let terms = LaneTerms::new(&self.sums, bases.into_iter(), TABLED_PAIR);
            found = Some(OneParent { offset: value - self.likelihood(counts), terms });
        });
        let found = Arc::new(found.expect("a table for the candidate"));
        locked(kept).insert(y, found.clone());
        found
    }

    pub(super) fn alone(&self, x: Var) -> &Alone {
        self.variables[x.index()].alone.get_or_init(|| {
            let mut counts: Vec<u32> = Vec::new();
            let other = Var::new(usize::from(x.index() == 0));
            match self.variables.len() {
                1 => self.tables.family(x, &[], &mut |joint, _| counts = joint.to_vec()),
                _ => self.tables.sweep(Sweep { target: x, candidates: &[other], given: &[] }, &mut |table| {
                    table.for_each_stratum(|_, s| {
                        counts.resize(counts.len().max(s.level + 1), 0);
                        counts[s.level] = s.rows;
                    });
                }),
            }
            let rows: u32 = counts.iter().sum();
            let occurring = counts.iter().filter(|&&n| n > 0).count() as f64;
            let base = |&n: &u32| ((f64::from(n) + 0.5) / (f64::from(rows) + 0.5 * occurring), n);
            Alone {
                value: self.grid.round(self.f.to_f64(self.f.sum(&counts) - self.f.of(rows))),
                crossed: counts.iter().map(|n| f64::from(*n) * libm::log(base(n).0)).sum(),
                levels: counts.len(),
                terms: LaneTerms::new(&self.sums, counts.iter().map(base), TABLED_ALONE),
            }
        })
    }

    /// T of a set of parents, the strongest first.
    pub(super) fn value(&self, x: Var, parents: &[Var]) -> f64 {
        let (last, others) = match parents {
            [] => return self.alone(x).value,
            [only] => return self.singles(x, &[*only])[0],
            [others @ .., last] => (last, others),
        };
        let sets = &self.variables[x.index()].sets;
        if let Some(&value) = locked(sets).get(parents) {
            return value;
        }
        let mut value = Vec::with_capacity(1);
        self.last_of(x, others, &[*last], &mut value);
        locked(sets).insert(Parents::from_slice(parents), value[0]);
        value[0]
    }

    /// T of each of these as the only parent.
    pub(super) fn singles(&self, x: Var, ys: &[Var]) -> SmallVec<[f64; 8]> {
        let singles = &self.variables[x.index()].singles;
        let mut values: SmallVec<[f64; 8]> = {
            let mut singles = locked(singles);
            if singles.is_empty() {
                *singles = vec![f64::NAN; self.variables.len()];
            }
            ys.iter().map(|y| singles[y.index()]).collect()
        };
        let open: Vec<usize> = (0..ys.len()).filter(|&i| values[i].is_nan()).collect();
        if !open.is_empty() {
            let missing: Vec<Var> = open.iter().map(|&i| ys[i]).collect();
            let mut found = Vec::with_capacity(missing.len());
            self.last_of(x, &[], &missing, &mut found);
            let mut singles = locked(singles);
            for (&i, value) in open.iter().zip(found) {
                (values[i], singles[ys[i].index()]) = (value, value);
            }
        }
        values
    }

    /// The parents by strength, with the strength of each.
    pub(super) fn sorted(&self, x: Var, parents: &[Var]) -> SmallVec<[(f64, Var); 8]> {
        let mut sorted: SmallVec<[(f64, Var); 8]> =
            self.singles(x, parents).into_iter().zip(parents.iter().copied()).collect();
        sorted.sort_unstable_by(|a, b| stronger(*a, *b));
        sorted
    }
}

fn locked<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The stronger of two parents comes first; equally strong parents are ordered by name.
pub(super) fn stronger(a: (f64, Var), b: (f64, Var)) -> std::cmp::Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

/// ln of the mean of the exponentials.
pub(super) fn mean(values: &[f64]) -> f64 {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = values.iter().map(|value| libm::exp(value - largest)).sum();
    largest + libm::log(sum / values.len() as f64)
}

impl Score for Hierarchical<'_> {
    fn local(&self, child: Var, parents: &[Var]) -> f64 {
        let sorted: Parents = self.sorted(child, parents).into_iter().map(|(_, v)| v).collect();
        self.value(child, &sorted) - self.prices[parents.len()]
    }

    fn sweep(&self, child: Var, parents: &[Var], candidates: &[Var], out: &mut Vec<f64>) {
        if candidates.is_empty() {
            return;
        }
        let price = self.prices[parents.len() + 1];
        let strengths = self.singles(child, candidates);
        if parents.is_empty() {
            out.extend(strengths.into_iter().map(|value| value - price));
            return;
        }
        let sorted = self.sorted(child, parents);
        let weakest = sorted[sorted.len() - 1];
        let is_last = |i: &usize| stronger(weakest, (strengths[*i], candidates[*i])).is_lt();
        let (last, within): (Vec<usize>, Vec<usize>) = (0..candidates.len()).partition(is_last);
        let order: Parents = sorted.iter().map(|(_, v)| *v).collect();
        let of_last: Vec<Var> = last.iter().map(|&i| candidates[i]).collect();
        let mut values = Vec::with_capacity(candidates.len());
        self.last_of(child, &order, &of_last, &mut values);
        // With any other candidate, the weakest parent stays the last.
        let start = out.len();
        out.resize(start + candidates.len(), 0.0);
        last.iter().zip(&values).for_each(|(&i, value)| out[start + i] = value - price);
        for i in within {
            let mut all = sorted.clone();
            all.push((strengths[i], candidates[i]));
            all.sort_unstable_by(|a, b| stronger(*a, *b));
            let all: Parents = all.into_iter().map(|(_, v)| v).collect();
            out[start + i] = self.value(child, &all) - price;
        }
    }

    fn sweep_above(&self, child: Var, parents: &[Var], candidates: &[Var], bar: f64, out: &mut Vec<f64>) {
        if candidates.is_empty() {
            return;
        }
        match parents.is_empty() || self.rows > MOST_BOUNDED {
            true => self.sweep(child, parents, candidates, out),
            false => self.above(child, parents, candidates, bar, out),
        }
    }

    fn referee(&self) -> Option<&dyn Score> {
        self.referee.as_deref()
    }
}
