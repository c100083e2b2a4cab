//! The latest outcomes of each thread: a learner that examines a target repeatedly asks some questions many
//! times.
//!
//! This cache is small enough to stay in the cache of a core. A larger one shared by all threads would answer
//! more questions, but would be slower than counting.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use super::outcome::Outcome;
use crate::data::Var;
use crate::random::scramble;

/// The number of outcomes kept. A newer outcome replaces an older one in the same place.
const PLACES: usize = 1 << 11;

/// A question (two numbers), the number of its test, and its outcome. All zeros is no question. Plain numbers, because
/// the system provides zeros only where they are used.
type RecentOutcome = [u64; 6];

thread_local! {
    static RECENT: RefCell<Vec<RecentOutcome>> = const { RefCell::new(Vec::new()) };
}

/// The outcomes of one test.
#[derive(Debug)]
pub(super) struct Recent {
    /// Distinguishes this test from others; 0 is no test.
    test: u64,
}

impl Recent {
    pub(super) fn new() -> Recent {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Recent { test: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// The outcome of a question, if it is still kept.
    pub(super) fn get(&self, question: QuestionNumber) -> Option<Outcome> {
        RECENT.with_borrow(|places| {
            let &[low, high, test, statistic, df, ln_p] = places.get(self.place(question))?;
            let [statistic, df, ln_p] = [statistic, df, ln_p].map(f64::from_bits);
            let found = test == self.test && [low, high] == question.halves();
            found.then(|| Outcome::unpacked([statistic, df], Some(ln_p)))
        })
    }

    /// Keeps the outcome of a question.
    pub(super) fn put(&self, question: QuestionNumber, outcome: Outcome) {
        RECENT.with_borrow_mut(|places| {
            if places.is_empty() {
                *places = vec![[0; 6]; PLACES];
            }
            let ([statistic, df], ln_p) = outcome.packed();
            let [low, high] = question.halves();
            let [statistic, df, ln_p] = [statistic, df, ln_p.unwrap_or(f64::NAN)].map(f64::to_bits);
            places[self.place(question)] = [low, high, self.test, statistic, df, ln_p];
        });
    }

    fn place(&self, question: QuestionNumber) -> usize {
        let [low, high] = question.halves();
        scramble(low ^ high ^ self.test.rotate_right(8)) as usize % PLACES
    }
}

/// X against Y given Z as a number, the same for Y against X and for any order of Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct QuestionNumber(u128);

impl QuestionNumber {
    fn halves(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// `None` if Z is empty or has more than six members, or if a variable's number does not fit in 16 bits.
    pub(super) fn new(x: Var, y: Var, z: &[Var]) -> Option<QuestionNumber> {
        let number = |v: Var| u128::from(v.0) + 1;
        let fits = |v: &Var| v.0 < u32::from(u16::MAX);
        if z.is_empty() || z.len() > 6 || !fits(&x.max(y)) || !z.iter().all(fits) {
            return None;
        }
        // Inserts each member of Z in order, moving the larger ones up.
        let set = z.iter().fold(0u128, |set, &v| {
            let mut shift = 0;
            while set >> shift & 0xffff > number(v) {
                shift += 16;
            }
            let below = set & !(!0 << shift);
            below | number(v) << shift | (set ^ below) << 16
        });
        Some(QuestionNumber(set << 32 | number(x.min(y)) << 16 | number(x.max(y))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_has_one_number() {
        let [a, b, c, d, e] = [1, 0, 700, 3, 65_534].map(Var);
        let one = QuestionNumber::new(a, b, &[c, d, e]);
        assert!(one.is_some());
        for z in [[d, c, e], [e, d, c], [c, e, d]] {
            assert_eq!(QuestionNumber::new(b, a, &z), one);
        }
        let others = [
            QuestionNumber::new(a, c, &[b, d, e]),
            QuestionNumber::new(a, b, &[c, d]),
            QuestionNumber::new(a, b, &[c, d, Var(65_533)]),
        ];
        assert!(others.iter().all(|other| other.is_some() && *other != one));
        assert_eq!(QuestionNumber::new(a, b, &[]), None);
        assert_eq!(QuestionNumber::new(a, b, &[Var(65_535)]), None);
    }

    #[test]
    fn tests_do_not_see_each_other() {
        let (one, other) = (Recent::new(), Recent::new());
        let question = QuestionNumber::new(Var(0), Var(1), &[Var(2)]).unwrap();
        one.put(question, Outcome::certain());
        assert_eq!(one.get(question), Some(Outcome::certain()));
        assert_eq!(other.get(question), None);
        // Later outcomes may replace an answer, but never give a wrong one.
        for v in 3..10_000 {
            let outcome = Outcome::chi_square(f64::from(v), 1.0);
            let next = QuestionNumber::new(Var(0), Var(1), &[Var(v)]).unwrap();
            one.put(next, outcome);
            assert_eq!(one.get(next), Some(outcome));
            assert!(one.get(question).is_none_or(|found| found == Outcome::certain()));
        }
    }
}
