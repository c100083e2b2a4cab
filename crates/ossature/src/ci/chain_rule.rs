//! What tests given smaller sets show about a test given a larger one.
//!
//! By the chain rule, I(X;Y|Z,W) is at least I(X;Y|W) − I(X;Z|W), and likewise with Y. So if X and Y depend much more on
//! each other given W than one of them does on Z, then they depend on each other given Z and W as well, and nothing need
//! be counted to know it.

use super::outcome::Outcome;

/// Well above the rounding of the statistics as doubles, relative to the largest.
const MARGIN: f64 = 1e-9;

/// An outcome that the test of X and Y given Z and W is not weaker than, if there is one. `xy` is G² of X and Y given W, and
/// the others are those of Z with X and with Y, as far as they are known; `df` are the declared degrees of freedom, and
/// `unit` is the precision of the terms n·ln n.
///
/// p grows with df, so the declared df, which are never less than the adjusted, keep the bound.
pub(super) fn no_weaker(xy: f64, [xz, yz]: [Option<f64>; 2], df: f64, unit: f64) -> Option<Outcome> {
    let explained = match (xz, yz) {
        (Some(xz), Some(yz)) => xz.min(yz),
        (known, None) | (None, known) => known?,
    };
    // G² is twice the sum of four sums, whose terms are rounded to half a unit and which have at most as many terms as the
    // table of X, Y, Z and W has cells. These are at most 4 df, and G² enters twice.
    let rounding = 32.0 * df * unit;
    let least = xy - explained - MARGIN * (xy + explained) - rounding;
    (least > 0.0).then(|| Outcome::chi_square(least, df))
}

#[cfg(test)]
mod tests {
    use super::super::{Alpha, CiTest, Pairs, TestSettings};
    use crate::data::{Column, Dataset, Var, Variable};
    use crate::progress::Silent;
    use crate::random::mix;

    /// Each variable depends on the two before it, more or less.
    fn table(seed: u64) -> Dataset {
        let (levels, rows) = ([2u64, 3, 2, 4, 3, 2, 5], 600);
        let mut codes: Vec<Vec<u64>> = Vec::new();
        for (i, &levels) in levels.iter().enumerate() {
            let code = |row: usize| {
                let random = mix(seed, &[i as u64, row as u64]);
                let before = |back: usize| i.checked_sub(back).map_or(0, |j| codes[j][row]);
                match random % 8 {
                    ..3 => before(1) % levels,
                    3 => before(2) % levels,
                    _ => (random >> 8) % levels,
                }
            };
            let column: Vec<u64> = (0..rows).map(code).collect();
            codes.push(column);
        }
        let columns = levels.iter().zip(&codes).enumerate().map(|(i, (&levels, codes))| {
            let name = Variable::new(format!("v{i}"), (0..levels).map(|level| level.to_string())).unwrap();
            (name, Column::from_codes(codes.iter().map(|&code| code as u16), levels as usize))
        });
        Dataset::new(columns.collect()).unwrap()
    }

    #[test]
    fn what_smaller_sets_show_is_what_the_table_says() {
        let (mut asked, mut computed) = (0, 0);
        for seed in 0..6 {
            let data = table(seed);
            let vars: Vec<Var> = data.vars().collect();
            let settings = TestSettings::default();
            let (test, again) = (settings.build(&data).unwrap(), settings.build(&data).unwrap());
            let pairs = Pairs::new(&*test, vars.len(), usize::MAX, &Silent).unwrap();
            let before = test.computed();
            for alpha in [0.001, 0.05].map(Alpha::new) {
                for (&x, &y) in
                    vars.iter().flat_map(|x| vars.iter().map(move |y| (x, y))).filter(|(x, y)| x != y)
                {
                    let others: Vec<Var> = vars.iter().copied().filter(|&v| v != x && v != y).collect();
                    // Smaller sets first, as a learner asks.
                    let mut sets: Vec<u32> =
                        (0..1 << others.len()).filter(|set: &u32| set.count_ones() < 4).collect();
                    sets.sort_by_key(|set| set.count_ones());
                    for set in sets {
                        let z: Vec<Var> =
                            (0..others.len()).filter(|i| set >> i & 1 == 1).map(|i| others[i]).collect();
                        // A test with its strength is always counted.
                        let counted = alpha.verdict(&again.test(x, y, &z));
                        assert_eq!(pairs.decide(x, y, &z, &alpha), counted, "{x:?} {y:?} given {z:?}");
                        asked += usize::from(!z.is_empty());
                    }
                }
            }
            computed += (test.computed() - before) as usize;
        }
        assert!(computed < asked - asked / 20, "{computed} of {asked}");
    }
}
