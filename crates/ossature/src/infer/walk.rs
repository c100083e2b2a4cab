//! Walks a large table and a smaller one at the same time.
//!
//! A table over some variables is a list of numbers in which the last variable changes fastest. When a
//! clique's table is multiplied by a table over some of its variables, or summed to one, each entry of
//! the large table meets one entry of the small one. [`Walk`] holds how far the position in the small
//! table moves with each axis of the large one; axes that move together are joined, so that the
//! innermost loop is as long as possible.

use smallvec::SmallVec;

/// One axis of the large table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Axis {
    /// The number of its levels.
    length: usize,
    /// How far the position in the small table moves from one level to the next.
    stride: usize,
    /// The number of entries of the large table in one level.
    part: usize,
}

/// How the entries of a large table meet those of a small one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Walk {
    axes: SmallVec<[Axis; 4]>,
}

impl Walk {
    /// The axes of the large table from the slowest to the fastest, each with the number of its levels and
    /// its stride in the small table, 0 if that has no such axis.
    pub(super) fn new(axes: impl IntoIterator<Item = (usize, usize)>) -> Walk {
        let mut joined: SmallVec<[Axis; 4]> = SmallVec::new();
        for (length, stride) in axes.into_iter().filter(|axis| axis.0 != 1) {
            match joined.last_mut() {
                Some(last) if last.stride == length * stride => {
                    last.length *= length;
                    last.stride = stride;
                }
                _ => joined.push(Axis { length, stride, part: 1 }),
            }
        }
        let mut part = 1;
        for axis in joined.iter_mut().rev() {
            axis.part = part;
            part *= axis.length;
        }
        Walk { axes: joined }
    }

    /// Changes each entry of the large table by the entry of the small one that it meets.
    pub(super) fn spread(&self, small: &[f64], large: &mut [f64], change: impl Fn(&mut f64, f64) + Copy) {
        spread(&self.axes, small, large, change);
    }

    /// Changes each entry of the small table by all entries of the large one that it meets, in order.
    /// `row` joins adjacent entries.
    pub(super) fn gather(
        &self,
        large: &[f64],
        small: &mut [f64],
        row: impl Fn(&[f64]) -> f64 + Copy,
        change: impl Fn(&mut f64, f64) + Copy,
    ) {
        gather(&self.axes, large, small, row, change);
    }
}

fn spread(axes: &[Axis], small: &[f64], large: &mut [f64], change: impl Fn(&mut f64, f64) + Copy) {
    match axes {
        [] => change(&mut large[0], small[0]),
        [Axis { stride: 0, .. }] => {
            let s = small[0];
            large.iter_mut().for_each(|l| change(l, s));
        }
        [Axis { stride: 1, .. }] => large.iter_mut().zip(small).for_each(|(l, &s)| change(l, s)),
        [Axis { stride, .. }] => {
            large.iter_mut().zip(small.iter().step_by(*stride)).for_each(|(l, &s)| change(l, s));
        }
        [axis, rest @ ..] => {
            for (i, large) in large.chunks_exact_mut(axis.part).enumerate() {
                spread(rest, &small[i * axis.stride..], large, change);
            }
        }
    }
}

fn gather(
    axes: &[Axis],
    large: &[f64],
    small: &mut [f64],
    row: impl Fn(&[f64]) -> f64 + Copy,
    change: impl Fn(&mut f64, f64) + Copy,
) {
    match axes {
        [] => change(&mut small[0], large[0]),
        [Axis { stride: 0, .. }] => change(&mut small[0], row(large)),
        [Axis { stride: 1, .. }] => small.iter_mut().zip(large).for_each(|(s, &l)| change(s, l)),
        [Axis { stride, .. }] => {
            small.iter_mut().step_by(*stride).zip(large).for_each(|(s, &l)| change(s, l));
        }
        [axis, rest @ ..] => {
            for (i, large) in large.chunks_exact(axis.part).enumerate() {
                gather(rest, large, &mut small[i * axis.stride..], row, change);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(walk: &Walk, large: &[f64], entries: usize) -> Vec<f64> {
        let mut small = vec![0.0; entries];
        walk.gather(large, &mut small, |row| row.iter().sum(), |s, l| *s += l);
        small
    }

    #[test]
    fn axes_that_move_alike_are_joined() {
        assert_eq!(Walk::new([(2, 6), (3, 2), (1, 0), (2, 1)]), Walk::new([(12, 1)]));
        assert_eq!(Walk::new([(2, 0), (3, 0), (2, 1)]), Walk::new([(6, 0), (2, 1)]));
        assert_eq!(Walk::new([(1, 0)]).axes.len(), 0);
    }

    #[test]
    fn sums_over_each_axis() {
        let large: Vec<f64> = (0..12).map(f64::from).collect(); // 2 x 3 x 2
        assert_eq!(sum(&Walk::new([(2, 1), (3, 0), (2, 0)]), &large, 2), [15.0, 51.0]);
        assert_eq!(sum(&Walk::new([(2, 0), (3, 1), (2, 0)]), &large, 3), [14.0, 22.0, 30.0]);
        assert_eq!(sum(&Walk::new([(2, 0), (3, 0), (2, 1)]), &large, 2), [30.0, 36.0]);
        // The last axis first: a table of 2 x 2 that is turned round.
        assert_eq!(sum(&Walk::new([(2, 1), (3, 0), (2, 2)]), &large, 4), [6.0, 24.0, 9.0, 27.0]);
        assert_eq!(sum(&Walk::new([(2, 0), (3, 0), (2, 0)]), &large, 1), [66.0]);
    }

    #[test]
    fn a_small_table_is_multiplied_in() {
        let mut large = vec![1.0; 6]; // 3 x 2
        Walk::new([(3, 1), (2, 0)]).spread(&[2.0, 3.0, 4.0], &mut large, |l, s| *l *= s);
        Walk::new([(3, 0), (2, 1)]).spread(&[1.0, 10.0], &mut large, |l, s| *l *= s);
        assert_eq!(large, [2.0, 20.0, 3.0, 30.0, 4.0, 40.0]);
        Walk::new([(3, 1), (2, 3)]).spread(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], &mut large, |l, s| *l = s);
        assert_eq!(large, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    }
}
