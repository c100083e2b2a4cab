//! Numbers of which the smallest is always known.
//!
//! Numbers are in blocks, the smallest of each block are in blocks again, and so on. A number that changes costs a few
//! comparisons, and so does finding where the smallest is.

/// The number of numbers of a block.
const BLOCK: usize = if cfg!(test) { 3 } else { 8 };

/// Numbers that can be changed.
#[derive(Debug, Clone)]
pub(super) struct Smallest {
    /// The numbers, then the smallest of each of their blocks, and so on up to a single block; blocks are filled up with the
    /// largest number possible.
    levels: Vec<Vec<[u128; BLOCK]>>,
}

impl Smallest {
    /// So many numbers, all the largest possible.
    pub(super) fn new(numbers: usize) -> Smallest {
        let mut levels = Vec::new();
        let mut blocks = numbers;
        while levels.is_empty() || blocks > 1 {
            blocks = blocks.div_ceil(BLOCK).max(1);
            levels.push(vec![[u128::MAX; BLOCK]; blocks]);
        }
        Smallest { levels }
    }

    /// Changes a number.
    #[inline]
    pub(super) fn set(&mut self, mut place: usize, mut number: u128) {
        for at in 0..self.levels.len() {
            let block = place / BLOCK;
            let before = std::mem::replace(&mut self.levels[at][block][place % BLOCK], number);
            let Some(above) = self.levels.get(at + 1) else { return };
            let smallest = above[block / BLOCK][block % BLOCK];
            (place, number) = match () {
                () if number < smallest => (block, number),
                () if before == smallest && number > smallest => {
                    (block, smallest_of(&self.levels[at][block]))
                }
                () => return,
            };
        }
    }

    /// Where so many of the smallest numbers are, in their order; the largest possible are left out.
    pub(super) fn first(&self, most: usize) -> Vec<usize> {
        let numbers = self.levels[0].iter().flatten().copied().enumerate();
        let mut first: Vec<(u128, usize)> =
            numbers.filter(|&(_, n)| n < u128::MAX).map(|(place, n)| (n, place)).collect();
        if first.len() > most {
            first.select_nth_unstable(most);
            first.truncate(most);
        }
        first.sort_unstable();
        first.into_iter().map(|(_, place)| place).collect()
    }

    /// Where the smallest number is, and it; `None` if all are the largest possible.
    #[inline]
    pub(super) fn smallest(&self) -> Option<(usize, u128)> {
        let smallest = self.levels.last().map(|top| smallest_of(&top[0])).filter(|&n| n < u128::MAX)?;
        let place_in = |block: &[u128; BLOCK]| block.iter().position(|&number| number == smallest);
        let place = self
            .levels
            .iter()
            .rev()
            .try_fold(0, |block, level| Some(block * BLOCK + place_in(&level[block])?))?;
        Some((place, smallest))
    }
}

#[inline(always)]
fn smallest_of(numbers: &[u128; BLOCK]) -> u128 {
    let mut smallest = u128::MAX;
    for &number in numbers {
        smallest = smallest.min(number);
    }
    smallest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_what_looking_at_all_would(
            numbers in 0usize..40,
            changes in prop::collection::vec((0usize..40, prop_oneof![0u128..20, Just(u128::MAX)]), 0..80),
        ) {
            let mut all = vec![u128::MAX; numbers];
            let mut kept = Smallest::new(numbers);
            for (place, number) in changes.into_iter().filter(|(place, _)| *place < numbers) {
                all[place] = number;
                kept.set(place, number);
                let expected = (0..numbers).filter(|&place| all[place] < u128::MAX).min_by_key(|&place| all[place]);
                prop_assert_eq!(kept.smallest(), expected.map(|place| (place, all[place])));
                let mut places: Vec<usize> = (0..numbers).filter(|&place| all[place] < u128::MAX).collect();
                places.sort_by_key(|&place| (all[place], place));
                places.truncate(5);
                prop_assert_eq!(kept.first(5), places);
            }
        }
    }
}
