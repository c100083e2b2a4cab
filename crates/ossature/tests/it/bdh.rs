//! The score `bdh`, compared with its formula.

use std::collections::BTreeMap;

use ossature::random::Sequence;
use ossature::score::{ScoreKind, ScoreSettings};
use ossature::{Column, Dataset, Var, Variable};

/// The formula, directly from its definition.
pub(crate) struct Naive<'a> {
    pub(crate) data: &'a Dataset,
}

impl Naive<'_> {
    /// For each configuration of a set: the counts of the variable by level.
    pub(crate) fn counts(&self, x: Var, set: &[Var]) -> BTreeMap<Vec<u16>, BTreeMap<u16, f64>> {
        let mut counts: BTreeMap<Vec<u16>, BTreeMap<u16, f64>> = BTreeMap::new();
        for row in 0..self.data.rows() {
            let code = |v: &Var| self.data.column(*v).code(row);
            let of = counts.entry(set.iter().map(code).collect()).or_default();
            *of.entry(code(&x)).or_default() += 1.0;
        }
        counts
    }

    pub(crate) fn sorted(&self, x: Var, parents: &[Var]) -> Vec<Var> {
        let mut parents: Vec<(f64, Var)> = parents.iter().map(|&y| (self.t(x, &[y]), y)).collect();
        parents.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        parents.into_iter().map(|(_, y)| y).collect()
    }

    fn t(&self, x: Var, parents: &[Var]) -> f64 {
        let n = self.data.rows() as f64;
        let alone = self.counts(x, &[]).remove(&vec![]).unwrap();
        if parents.is_empty() {
            return alone.values().map(|m| m * (m / n).ln()).sum();
        }
        let values: Vec<f64> = self.terms(x, parents).into_iter().map(|(_, _, value)| value).collect();
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        largest + (values.iter().map(|v| (v - largest).exp()).sum::<f64>() / values.len() as f64).ln()
    }

    /// The terms whose mean is T: the base, the strength, and the logarithm of the term.
    pub(crate) fn terms(&self, x: Var, parents: &[Var]) -> Vec<(Vec<Var>, f64, f64)> {
        let n = self.data.rows() as f64;
        let alone = self.counts(x, &[]).remove(&vec![]).unwrap();
        let parents = if parents.len() > 1 { self.sorted(x, parents) } else { parents.to_vec() };
        let r = alone.len() as f64;
        let table = self.counts(x, &parents);
        let mut bases: Vec<Vec<Var>> = vec![vec![]];
        if parents.len() > 1 {
            bases.push(parents[..1].to_vec());
        }
        if parents.len() > 2 {
            bases.push(parents[..parents.len() - 1].to_vec());
        }
        let mut values = Vec::new();
        for base in bases {
            let of_base = self.counts(x, &base);
            let inside = |j: &Vec<u16>| -> Vec<u16> {
                base.iter().map(|b| j[parents.iter().position(|p| p == b).unwrap()]).collect()
            };
            let rows = |of: &BTreeMap<u16, f64>| of.values().sum::<f64>();
            let b = |j: &Vec<u16>, k: u16| match base.is_empty() {
                true => (alone[&k] + 0.5) / (n + r / 2.0),
                false => of_base[&inside(j)][&k] / rows(&of_base[&inside(j)]),
            };
            let likelihood: f64 =
                of_base.values().map(|of| of.values().map(|m| m * (m / rows(of)).ln()).sum::<f64>()).sum();
            for s in [0.5, 2.0, 8.0, 32.0, 128.0] {
                let mut d = 0.0;
                for (j, of) in &table {
                    for (&k, m) in of {
                        d += libm::lgamma(s * b(j, k) + m) - libm::lgamma(s * b(j, k));
                    }
                    d -= libm::lgamma(s + rows(of)) - libm::lgamma(s);
                }
                let value = if base.is_empty() { d } else { self.t(x, &base) + d - likelihood };
                values.push((base.clone(), s, value));
            }
        }
        values
    }

    pub(crate) fn local(&self, x: Var, parents: &[Var]) -> f64 {
        let (n, k) = (self.data.variables().len() as f64 - 1.0, parents.len() as f64);
        let choose = libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
        self.t(x, parents) - 1.5 * choose
    }
}

/// A table of variables that depend on each other, some with levels that never occur.
pub(crate) fn table(seed: u64, variables: usize, rows: usize) -> Dataset {
    let mut random = Sequence::new(seed);
    let levels: Vec<u16> = (0..variables).map(|_| [2, 2, 3, 4, 11][random.below(5)]).collect();
    let mut columns: Vec<Vec<u16>> = Vec::new();
    for v in 0..variables {
        let column = (0..rows).map(|row| {
            let noise = random.below(usize::from(levels[v])) as u16;
            let other = if v == 0 { 0 } else { columns[random.below(v)][row] };
            if random.below(3) == 0 { noise } else { other % levels[v] }
        });
        let column = column.collect();
        columns.push(column);
    }
    let named = columns.into_iter().zip(levels).enumerate().map(|(v, (codes, levels))| {
        let names = (0..levels + 2).map(|level| level.to_string());
        (
            Variable::new(format!("v{v:02}"), names).unwrap(),
            Column::from_codes(codes, usize::from(levels) + 2),
        )
    });
    Dataset::new(named.collect()).unwrap()
}

fn bdh() -> ScoreSettings {
    ScoreSettings { kind: ScoreKind::Bdh, ..ScoreSettings::default() }
}

#[test]
fn the_score_is_its_formula() {
    for seed in 0..12 {
        let data = table(seed, 6, [7, 60, 400][seed as usize % 3]);
        let (score, naive) = (bdh().build(&data).unwrap(), Naive { data: &data });
        for x in data.vars() {
            let others: Vec<Var> = data.vars().filter(|v| *v != x).collect();
            for set in 0..1u32 << others.len() {
                let parents: Vec<Var> =
                    (0..others.len()).filter(|i| set >> i & 1 == 1).map(|i| others[i]).collect();
                let (ours, theirs) = (score.local(x, &parents), naive.local(x, &parents));
                assert!((ours - theirs).abs() < 1e-7, "{seed} {x:?} {parents:?}: {ours} {theirs}");
            }
        }
    }
}

#[test]
fn a_sweep_has_the_values_of_its_families() {
    for seed in 20..26 {
        let data = table(seed, 7, 300);
        let fresh = || bdh().build(&data).unwrap();
        let score = fresh();
        for x in data.vars() {
            let others: Vec<Var> = data.vars().filter(|v| *v != x).collect();
            for given in 0..4 {
                let (parents, candidates) = others.split_at(given);
                let mut swept = Vec::new();
                score.sweep(x, parents, candidates, &mut swept);
                for (candidate, value) in candidates.iter().zip(swept) {
                    let backwards: Vec<Var> =
                        [*candidate].into_iter().chain(parents.iter().rev().copied()).collect();
                    assert_eq!(value, fresh().local(x, &backwards), "to the last bit");
                }
            }
        }
    }
}

/// Values from the bar on are exact, and hardly any other is computed: the bar is the value of one candidate after the
/// other, and a little more than that.
#[test]
fn a_sweep_above_a_bar_has_the_values_from_the_bar_on() {
    let (mut skipped, mut all) = (0, 0);
    for seed in 30..42 {
        let data = table(seed, 7, [40, 300, 2500][seed as usize % 3]);
        let score = bdh().build(&data).unwrap();
        for x in data.vars() {
            let others: Vec<Var> = data.vars().filter(|v| *v != x).collect();
            for given in 0..=others.len() {
                let (parents, candidates) = others.split_at(given);
                let (mut swept, mut above) = (Vec::new(), Vec::new());
                score.sweep(x, parents, candidates, &mut swept);
                for (at, &value) in swept.iter().enumerate() {
                    above.clear();
                    score.sweep_above(x, parents, candidates, value, &mut above);
                    assert_eq!(above[at], value, "{seed} {x:?} {parents:?} {:?}", candidates[at]);
                    let same =
                        |(ours, theirs): (&f64, &f64)| ours == theirs || (ours < theirs && *theirs < value);
                    assert!(above.iter().zip(&swept).all(same), "{seed} {x:?} {parents:?}");
                    above.clear();
                    score.sweep_above(x, parents, candidates, value + 0.5, &mut above);
                    assert!(above[at] <= value);
                    if given > 0 {
                        all += 1;
                        skipped += usize::from(above[at] < value);
                    }
                }
            }
        }
    }
    assert!(skipped * 4 > all * 3, "{skipped} of {all} were not computed");
}

#[test]
fn rows_in_another_order_change_nothing() {
    let data = table(3, 6, 250);
    let mut order: Vec<usize> = (0..data.rows()).collect();
    Sequence::new(5).shuffle(&mut order);
    let shuffled = data.vars().map(|v| {
        let codes = order.iter().map(|&row| data.column(v).code(row));
        (data.variable(v).clone(), Column::from_codes(codes, data.cardinality(v)))
    });
    let shuffled = Dataset::new(shuffled.collect()).unwrap();
    let (a, b) = (bdh().build(&data).unwrap(), bdh().build(&shuffled).unwrap());
    for x in data.vars() {
        let parents: Vec<Var> = data.vars().filter(|v| *v != x).take(4).collect();
        assert_eq!(a.local(x, &parents), b.local(x, &parents));
    }
}
