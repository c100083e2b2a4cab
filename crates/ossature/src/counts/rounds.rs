//! Questions of many threads that go out together.
//!
//! A thread adds its questions to a list and waits. The first thread that finds no round in progress takes
//! the whole list and asks; meanwhile the others add their next questions. A short wait for the threads that
//! were just answered lets their next questions go out in the same round. Which questions go out together
//! depends on timing; the answers do not.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time to wait for one more thread before a round goes out.
const LINGER: Duration = Duration::from_micros(500);

/// Collects the questions of threads, and lets one thread at a time ask for all.
#[derive(Debug)]
pub(super) struct QuestionRounds<W> {
    state: Mutex<RoundState<W>>,
    changed: Condvar,
}

#[derive(Debug)]
struct RoundState<W> {
    wanted: Vec<W>,
    /// The number of threads whose questions are in `wanted`, and of those answered by the previous round.
    waiting: usize,
    answered: usize,
    /// The number of rounds that went out, and of rounds that are over.
    out: u64,
    over: u64,
    asking: bool,
}

impl<W> Default for QuestionRounds<W> {
    fn default() -> QuestionRounds<W> {
        let state =
            RoundState { wanted: Vec::new(), waiting: 0, answered: 0, out: 0, over: 0, asking: false };
        QuestionRounds { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl<W> QuestionRounds<W> {
    /// Adds the questions of one thread, and returns when they have been asked, by this thread or another. If
    /// it is this thread, `ask` is called with all questions collected by then.
    pub(super) fn join(&self, wanted: Vec<W>, ask: impl FnOnce(Vec<W>)) {
        let mut state = self.state();
        let mine = state.out;
        state.wanted.extend(wanted);
        state.waiting += 1;
        self.changed.notify_all();
        while state.asking {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            if state.over > mine {
                return;
            }
        }
        state.asking = true;
        while state.waiting < state.answered {
            let (next, time) =
                self.changed.wait_timeout(state, LINGER).unwrap_or_else(PoisonError::into_inner);
            state = next;
            if time.timed_out() {
                break;
            }
        }
        let all = std::mem::take(&mut state.wanted);
        state.answered = std::mem::take(&mut state.waiting);
        state.out += 1;
        drop(state);
        let _over = Over(self);
        ask(all);
    }

    fn state(&self) -> MutexGuard<'_, RoundState<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a round, even if asking panics, so that no thread waits forever.
struct Over<'a, W>(&'a QuestionRounds<W>);

impl<W> Drop for Over<'_, W> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.over = state.out;
        state.asking = false;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn everything_is_asked_for_once_before_anybody_goes_on() {
        let (rounds, asked) = (QuestionRounds::default(), Mutex::new(Vec::new()));
        let calls = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (rounds, asked, calls) = (&rounds, &asked, &calls);
                scope.spawn(move || {
                    for step in 0..50 {
                        rounds.join(vec![(thread, step)], |all| {
                            calls.fetch_add(1, Ordering::Relaxed);
                            asked.lock().unwrap().extend(all);
                        });
                        assert!(asked.lock().unwrap().contains(&(thread, step)));
                    }
                });
            }
        });
        let mut asked = asked.into_inner().unwrap();
        asked.sort_unstable();
        let all: Vec<(i32, i32)> = (0..8).flat_map(|t| (0..50).map(move |s| (t, s))).collect();
        assert_eq!(asked, all);
        assert!((50..=400).contains(&calls.into_inner()));
    }

    #[test]
    fn nobody_waits_for_ever_after_a_panic() {
        let rounds = QuestionRounds::default();
        let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            rounds.join(vec![1], |_| panic!("as asked"));
        }));
        assert!(panics.is_err());
        let mut seen = Vec::new();
        rounds.join(vec![2], |all| seen = all);
        assert_eq!(seen, [2]);
    }
}
