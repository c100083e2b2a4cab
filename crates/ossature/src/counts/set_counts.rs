//! How often the configurations of sets of variables occur, without saying which is which.
//!
//! A score that is a function of sets adds up terms of counts, whatever they are the counts of. So the configurations
//! of a target and a set are numbered, those that occur several times; of those that occur once it is enough to know how
//! many there are, because no candidate divides them.

use super::kernel::Kernel;
use super::scatter::CodedStrata;
use super::strata::{Kept, Scratch, Strata};
use super::table::Counts;
use crate::data::Var;

/// The counts of the configurations of a set, in any order. Zeros may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountsOfSet<'a> {
    /// Counts.
    pub counts: &'a [u32],
    /// The number of further counts, all of which are 1.
    pub ones: usize,
}

impl<'a> CountsOfSet<'a> {
    /// All counts of a set.
    pub fn all(counts: &'a [u32]) -> CountsOfSet<'a> {
        CountsOfSet { counts, ones: 0 }
    }
}

/// Receives the counts of a candidate with the target and the set, and, if wanted, with the set alone.
pub type LookAtSets<'a> = &'a mut dyn FnMut(CountsOfSet<'_>, Option<CountsOfSet<'_>>);

/// The rows by the numbers of their configurations of some variables.
#[derive(Debug, Default)]
pub(super) struct NumberedStrata {
    pub(super) coded: CodedStrata,
    pub(super) numbers: Numbers,
    cells: Vec<u32>,
}

/// The numbers of configurations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    /// One more than the largest; 0 if there are too many.
    pub(super) end: usize,
    /// The smallest: rows with a smaller number are alone in their configurations.
    pub(super) begin: usize,
    /// The number of these rows.
    pub(super) ones: usize,
}

impl Strata<'_> {
    /// Passes `look` the counts of a candidate with T and Z and, if wanted, of the candidate with Z.
    pub(super) fn count_sets(&mut self, x: Var, margins: bool, look: LookAtSets<'_>) {
        if self.meets_gaps(x) || self.shape.weighted {
            return look_at(self.count(x), margins, look);
        }
        match (self.chosen_for_sets(x, margins), margins) {
            (Some(kernel), true) => return look_at(self.count_by(kernel, x), margins, look),
            (Some(kernel), false) => return look(CountsOfSet::all(self.count_cells(kernel, x)), None),
            (None, _) => {}
        }
        if !self.number(margins) {
            return look_at(self.count(x), margins, look);
        }
        let Scratch { numbered, numbered_margins, .. } = &mut *self.scratch;
        let joint = numbered.strata.count(self.counter, x);
        look(joint, margins.then(|| numbered_margins.strata.count(self.counter, x)));
    }

    fn chosen_for_sets(&self, x: Var, margins: bool) -> Option<Kernel> {
        let (shape, ready) = (self.shape(x), |kernel| self.ready.has(kernel));
        match self.choice_for_sets.get() {
            Some((before, kernel)) if before == shape => kernel,
            _ => {
                let numbers = self.scratch.numbered.strata.numbers;
                let numbers = self.ready.numbered.then(|| numbers.end - numbers.begin);
                let simd = self.counter.simd();
                let kernel =
                    Kernel::cheapest_for_sets(shape, numbers, simd, ready, self.candidates, margins).0;
                self.choice_for_sets.set(Some((shape, kernel)));
                kernel
            }
        }
    }

    /// Numbers the configurations; returns whether that was possible.
    fn number(&mut self, margins: bool) -> bool {
        let (counter, all) = (self.counter, [self.z, std::slice::from_ref(&self.t)]);
        let make = |kept: &mut Kept<NumberedStrata>, vars: &[&[Var]]| {
            kept.make(counter, vars, |strata| {
                let columns = vars.iter().copied().flatten().map(|&v| counter.coded(v));
                strata.numbers =
                    strata.coded.fill_numbers(counter.counting(), counter.data().rows(), columns);
            });
            kept.strata.numbers.end > 0
        };
        self.ready.numbered = make(&mut self.scratch.numbered, &all);
        self.ready.numbered && (!margins || make(&mut self.scratch.numbered_margins, &all[..1]))
    }
}

fn look_at(counts: &Counts, margins: bool, look: LookAtSets<'_>) {
    look(CountsOfSet::all(counts.xyz()), margins.then(|| CountsOfSet::all(counts.xz())));
}

impl NumberedStrata {
    fn count(&mut self, counter: &super::Counter<'_>, x: Var) -> CountsOfSet<'_> {
        let levels = counter.levels(x);
        self.cells.resize(self.numbers.end * levels, 0);
        self.coded.count_candidate(counter, x, 1, &mut self.cells);
        CountsOfSet { counts: &self.cells[self.numbers.begin * levels..], ones: self.numbers.ones }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::counts::{Counter, Sweep, Tables};
    use crate::data::{Column, Dataset, Variable};
    use crate::random::{below, generator};

    /// Counts in order, without zeros.
    pub(in crate::counts) fn sorted(CountsOfSet { counts, ones }: CountsOfSet<'_>) -> Vec<u32> {
        let mut all: Vec<u32> =
            counts.iter().copied().filter(|&n| n > 0).chain((0..ones).map(|_| 1)).collect();
        all.sort_unstable();
        all
    }

    proptest! {
        /// The same counts as in the tables of the sweep, for few and many levels, with and without weights.
        #[test]
        fn counts_are_those_of_the_table(
            rows in 1usize..400,
            levels in prop::collection::vec(1usize..40, 7),
            given in 0usize..5,
            weighted: bool,
            seed: u64,
        ) {
            let mut random = generator(seed);
            let columns = levels.iter().enumerate().map(|(i, &levels)| {
                let level = |_| if below(&mut random, 3) == 0 { below(&mut random, levels) as u16 } else { 0 };
                let codes: Vec<u16> = (0..rows).map(level).collect();
                let names = (0..levels).map(|level| level.to_string());
                (Variable::new(format!("v{i}"), names).unwrap(), Column::from_codes(codes, levels))
            });
            let mut data = Dataset::new(columns.collect()).unwrap();
            if weighted {
                data = data.with_weights((0..rows).map(|row| 1 + row as u32 % 3).collect()).unwrap();
            }
            let counter = Counter::new(&data);
            let vars: Vec<Var> = data.vars().collect();
            let sweep = Sweep { target: vars[0], given: &vars[1..=given], candidates: &vars[given + 1..] };
            for margins in [false, true] {
                let (mut found, mut expected) = (Vec::new(), Vec::new());
                counter.sweep_sets(sweep, margins, &mut |joint, rest| found.push((sorted(joint), rest.map(sorted))));
                counter.sweep(sweep, &mut |counts| {
                    let xz = || sorted(CountsOfSet::all(counts.xz()));
                    expected.push((sorted(CountsOfSet::all(counts.xyz())), margins.then(xz)));
                });
                prop_assert_eq!(found, expected);
            }
        }
    }
}
