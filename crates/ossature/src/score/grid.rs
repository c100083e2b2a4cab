//! The grid of scores, on which sums are exact.

use crate::data::Variable;

/// How many times larger than the score of equally likely levels in an empty graph a score may be before its
/// sums are rounded.
const HEADROOM: f64 = 8.0;

/// The number of parameters of a network that the grid allows for.
const MOST_PARAMETERS: f64 = 4e6;

/// The multiples of 2^-`places`, with as many places as keep the sums over a network exact.
///
/// A double has 53 bits. A sum of numbers on the grid is exact while it is below 2^(53 - places),
/// which holds for a network of the given size, with some margin. For 724 variables and 5000 rows the
/// grid is finer than 10^-8.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    /// 2^places: multiplying by it is exact.
    scale: f64,
    /// 2^-places: so is multiplying by it, which is faster than dividing.
    unit: f64,
}

impl Grid {
    /// The grid for scores of graphs over this data, with a price per free parameter.
    ///
    /// With few rows the price dominates. The grid allows for it as long as it stays fine; graphs with more
    /// parameters than that are not learned.
    pub(super) fn new(variables: &[Variable], rows: usize, price: f64) -> Grid {
        let rows = rows as f64;
        let cardinalities = || variables.iter().map(|v| v.cardinality() as f64);
        let levels: f64 = cardinalities().map(libm::log).sum();
        let all: f64 = cardinalities().product();
        let parameters = (all * variables.len() as f64).min(MOST_PARAMETERS);
        Grid::reaching(HEADROOM * rows * libm::log(rows).max(levels) + price * parameters + 1.0)
    }

    /// The finest grid on which sums up to this number are exact, but no finer than for sums up to 1.
    pub(super) fn reaching(largest: f64) -> Grid {
        let places = 52 - libm::ilogb(largest.max(1.0));
        Grid { scale: libm::ldexp(1.0, places), unit: libm::ldexp(1.0, -places) }
    }

    /// The nearest number on the grid.
    pub(super) fn round(&self, value: f64) -> f64 {
        nearest(value * self.scale) * self.unit
    }
}

/// The nearest whole number, the even one of two. The same as [`f64::round_ties_even`], which is a call on processors
/// that may lack an instruction for it.
pub(super) fn nearest(value: f64) -> f64 {
    // From this number to twice as much, doubles are whole numbers.
    const WHOLE: f64 = (1u64 << 52) as f64;
    match value.abs() {
        size if size < WHOLE => ((size + WHOLE) - WHOLE).copysign(value),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_whole_number_is_the_usual_one() {
        let halves = (-9..9).map(|i| f64::from(i) / 2.0);
        let large =
            (-40..40).flat_map(|i| [51, 52, 53, 62].map(|e| libm::ldexp(1.0, e) + f64::from(i) / 4.0));
        let others = (0..1000).map(|i| libm::sin(f64::from(i)) * libm::ldexp(1.0, i % 70));
        for x in
            halves.chain(large).chain(others).chain([-0.0, 0.49999999999999994, 1e300, -1e300, f64::INFINITY])
        {
            assert_eq!(nearest(x).to_bits(), x.round_ties_even().to_bits(), "{x}");
            assert_eq!(nearest(-x).to_bits(), (-x).round_ties_even().to_bits(), "{x}");
        }
    }

    /// A table of constant columns has scores of 0.
    #[test]
    fn there_is_a_grid_for_scores_of_nothing() {
        assert_eq!(Grid::reaching(0.0).round(0.0), 0.0);
        assert_eq!(Grid::reaching(1e-300).round(0.25), 0.25);
    }

    #[test]
    fn sums_on_the_grid_are_exact_in_any_order() {
        let variable = |i| Variable::new(format!("v{i}"), ["0", "1", "2"]).unwrap();
        let grid = Grid::new(&(0..50).map(variable).collect::<Vec<_>>(), 777, 0.0);
        let terms: Vec<f64> = (1..=50).map(|i| grid.round(-777.0 * libm::sqrt(f64::from(i)))).collect();
        let forward: f64 = terms.iter().sum();
        let backward: f64 = terms.iter().rev().sum();
        assert_eq!(forward, backward);
        assert_eq!(forward - terms[20], terms.iter().filter(|t| **t != terms[20]).sum::<f64>());
        assert!((grid.round(1.0 / 3.0) - 1.0 / 3.0).abs() < 1e-9);
    }
}
