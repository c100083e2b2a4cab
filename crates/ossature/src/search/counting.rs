//! Rows of values that threads count together.
//!
//! Tie orders need the same rows, often at the same time. A row that is being counted is on a board: whoever needs it
//! counts some of its parts, and threads that have no order to follow look for parts there. No part is counted by two at
//! once, and nobody waits for more than the part that another thread is counting. Neither counting a part nor a search
//! that is helped waits for the pool of threads: it might be given other work meanwhile that waits for this very part or
//! search.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use super::kept_rows::SetRow;
use super::waiting::{OnceByOne, awake_until};
use crate::data::{Var, VarSet};
use crate::parallel;

/// Candidates are divided among threads into up to so many parts of at least this size,
const FEW_PARTS: usize = 4;
const SMALL: usize = 8;
/// and into more if each is large, but into no more than so many for each thread.
const PARTS_OF_EACH: usize = 4;

/// The size from which on a part of a row is large: the strata are made anew for every part, and many candidates are counted at once.
pub(super) const LARGE: usize = 96;

/// The size of the parts into which so many candidates are divided among threads; parts of `large` or more count as large.
pub(super) fn part_of(candidates: usize, large: usize) -> usize {
    let threads = rayon::current_num_threads();
    let more = (candidates / large).min(PARTS_OF_EACH * threads);
    let parts = if threads == 1 { 1 } else { (candidates / SMALL).min(FEW_PARTS).max(more) };
    candidates.div_ceil(parts.max(1)).max(1)
}

/// A row of the target and the given variables that is being counted and, if requested, that of the given variables
/// alone.
pub(super) struct OpenRow {
    pub(super) target: Var,
    pub(super) given: VarSet,
    pub(super) family: VarSet,
    pub(super) margins: bool,
    /// Whether it is divided among threads.
    divided: bool,
    begun: OnceByOne<Begun>,
    /// The first part that nobody has taken.
    next: AtomicUsize,
    done: OnceByOne<(Arc<SetRow>, Option<Arc<SetRow>>)>,
}

/// What is known of a row before it is counted: NaN stands for a value that is not.
pub(super) struct Begun {
    /// The number of variables of a part.
    size: usize,
    pub(super) joint: SetRow,
    pub(super) margins: Option<SetRow>,
    open: Vec<Var>,
    parts: Box<[OnceLock<Part>]>,
}

/// The values of some of the variables, and those without the target.
pub(super) type Part = (Vec<f64>, Vec<f64>);

/// What counting needs from whoever keeps the rows.
pub(super) trait Count {
    /// The rows before they are counted.
    fn begin(&self, row: &OpenRow) -> Begun;
    /// The values of a row with these variables.
    fn part(&self, row: &OpenRow, variables: &[Var]) -> Part;
    /// The largest number of parts of a row.
    fn most_parts(&self) -> usize;
    /// Keeps a row as long as there is room.
    fn keep(&self, set: &VarSet, row: SetRow) -> Arc<SetRow>;
}

impl Begun {
    /// Rows of which the values with these variables are still open.
    pub(super) fn new(row: &OpenRow, joint: SetRow, margins: Option<SetRow>, open: Vec<Var>) -> Begun {
        let size = if row.divided { part_of(open.len(), LARGE) } else { open.len().max(1) };
        let parts = open.len().div_ceil(size);
        Begun { size, joint, margins, open, parts: (0..parts).map(|_| OnceLock::new()).collect() }
    }

    /// A part, counted here unless another thread has counted it or is about to finish it.
    fn part(&self, i: usize, counting: &OpenRow, by: &impl Count) -> &Part {
        let variables = &self.open[i * self.size..self.open.len().min((i + 1) * self.size)];
        self.parts[i].get_or_init(|| by.part(counting, variables))
    }
}

impl OpenRow {
    fn new(target: Var, given: &VarSet, margins: bool, divided: bool) -> OpenRow {
        OpenRow {
            target,
            given: given.clone(),
            family: given.with(target),
            margins,
            divided,
            begun: OnceByOne::new(),
            next: AtomicUsize::new(0),
            done: OnceByOne::new(),
        }
    }

    fn gives(&self, set: &VarSet) -> bool {
        self.family == *set || self.margins && self.given == *set
    }

    /// Whether others can help to count it: parts are left that nobody has taken.
    pub(super) fn is_open(&self) -> bool {
        let is_left = |begun: &Begun| self.next.load(Ordering::Relaxed) < begun.parts.len();
        self.divided && self.begun.get().is_none_or(is_left)
    }

    /// Whether its values are known.
    pub(super) fn is_done(&self) -> bool {
        self.done.get().is_some()
    }

    /// Counts parts until none is left.
    fn help(&self, by: &impl Count) -> &Begun {
        let begun = self.begun.get_or_make(|| by.begin(self));
        loop {
            match self.next.fetch_add(1, Ordering::Relaxed) {
                i if i < begun.parts.len() => _ = begun.part(i, self, by),
                _ => return begun,
            }
        }
    }
}

/// The rows that are being counted.
#[derive(Default)]
pub(super) struct Board {
    state: Mutex<State>,
    changed: Condvar,
    /// The number of changes that those who wait want to know of.
    changes: AtomicUsize,
}

#[derive(Default)]
struct State {
    counting: Vec<Arc<OpenRow>>,
    /// The number of searches that have not ended.
    searches: usize,
    /// The number of threads that wait for something to count.
    waiting: usize,
}

impl Board {
    pub(super) fn lock(&self) -> BoardGuard<'_> {
        BoardGuard { board: self, state: self.state() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The row of a set that is being counted.
    pub(super) fn finish(&self, counting: &Arc<OpenRow>, set: &VarSet, by: &impl Count) -> Arc<SetRow> {
        let begun = counting.help(by);
        // All parts are taken.
        awake_until(|| begun.parts.iter().all(|part| part.get().is_some()));
        let (joint, margins) = counting.done.get_or_make(|| {
            let parts = || (0..begun.parts.len()).map(|i| begun.part(i, counting, by));
            let joint = begun.joint.filled(&begun.open, parts().flat_map(|(joint, _)| joint));
            let margins = begun.margins.as_ref();
            let margins =
                margins.map(|row| row.filled(&begun.open, parts().flat_map(|(_, margins)| margins)));
            let kept = (by.keep(&counting.family, joint), margins.map(|row| by.keep(&counting.given, row)));
            self.state().counting.retain(|other| !Arc::ptr_eq(other, counting));
            kept
        });
        Arc::clone(match margins {
            Some(margins) if counting.given == *set => margins,
            _ => joint,
        })
    }

    /// `f` of every index below `n`, each a search that needs rows; threads without one help the others to count.
    pub(super) fn searches<T: Send>(
        &self,
        n: usize,
        f: impl Fn(usize) -> T + Sync,
        by: &(impl Count + Sync),
    ) -> Vec<T> {
        self.state().searches = n;
        // More than a row has parts would only be in each other's way.
        let helpers = (rayon::current_num_threads() - 1).min(by.most_parts());
        let all = parallel::map(n + helpers, |i| {
            let ends = (i < n).then(|| Ends(self));
            match ends {
                Some(_) => Some(f(i)),
                None => self.help(by),
            }
        });
        all.into_iter().flatten().collect()
    }

    /// Counts what others need, until no search is left.
    fn help<T>(&self, by: &impl Count) -> Option<T> {
        let mut state = self.state();
        while state.searches > 0 {
            let open = state.counting.iter().find(|counting| counting.is_open()).cloned();
            if let Some(counting) = open {
                drop(state);
                counting.help(by);
                state = self.state();
            } else {
                let seen = self.changes.load(Ordering::Relaxed);
                drop(state);
                awake_until(|| self.changes.load(Ordering::Relaxed) != seen);
                state = self.state();
                if self.changes.load(Ordering::Relaxed) == seen {
                    state.waiting += 1;
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.waiting -= 1;
                }
            }
        }
        None
    }
}

/// Tells those who help when a search has ended, even if it panicked.
struct Ends<'a>(&'a Board);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.searches -= 1;
        self.0.changes.fetch_add(1, Ordering::Relaxed);
        if state.searches == 0 {
            self.0.changed.notify_all();
        }
    }
}

/// The board, while nobody else changes it.
pub(super) struct BoardGuard<'a> {
    board: &'a Board,
    state: MutexGuard<'a, State>,
}

impl BoardGuard<'_> {
    /// The counting that gives the row of a set.
    pub(super) fn find(&self, set: &VarSet) -> Option<Arc<OpenRow>> {
        self.state.counting.iter().find(|counting| counting.gives(set)).cloned()
    }

    /// Puts a row on the board.
    pub(super) fn put(&mut self, target: Var, given: &VarSet, margins: bool) -> Arc<OpenRow> {
        // Threads that have an order of their own rather count what they will need next.
        let divided = self.state.searches < rayon::current_num_threads();
        let counting = Arc::new(OpenRow::new(target, given, margins, divided));
        self.state.counting.push(Arc::clone(&counting));
        self.board.changes.fetch_add(1, Ordering::Relaxed);
        if self.state.waiting > 0 {
            self.board.changed.notify_all();
        }
        counting
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicBool;
    use std::thread;
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;
    use crate::score::{SetScore, Sweep};
    use crate::search::set_rows::SetRows;

    fn on<T: Send>(threads: usize, f: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(f)
    }

    /// A value for every set; remembers which were asked for in sweeps.
    #[derive(Default)]
    struct Numbered(Mutex<Vec<VarSet>>);

    impl SetScore for Numbered {
        fn of_set(&self, set: &[Var]) -> f64 {
            set.iter().map(|v| f64::from(1 + v.0).powi(2)).sum()
        }

        fn of_sets(&self, sweep: Sweep<'_>, joint: &mut Vec<f64>, mut margins: Option<&mut Vec<f64>>) {
            let given: VarSet = sweep.given.iter().copied().collect();
            for &x in sweep.candidates {
                let family = given.with(sweep.target).with(x);
                joint.push(self.of_set(family.as_slice()));
                self.0.lock().unwrap().push(family);
                if let Some(margins) = &mut margins {
                    margins.push(self.of_set(given.with(x).as_slice()));
                }
            }
        }
    }

    #[test]
    fn parts_are_of_nearly_the_same_size_and_not_too_small() {
        on(3, || {
            for n in 1..2000 {
                let (size, parts) = (part_of(n, LARGE), n.div_ceil(part_of(n, LARGE)));
                assert!(size >= SMALL.min(n), "{n}: {size}");
                assert!(parts > 1 || n < 2 * SMALL, "{n} are divided");
                assert!(parts <= FEW_PARTS || size >= LARGE, "{n}: {parts} parts of {size}");
                assert!(
                    size * parts < n + parts,
                    "{n}: {parts} parts of {size}, and the last is as large but for a few"
                );
            }
        });
        on(1, || assert!((1..2000).all(|n| part_of(n, LARGE) == n), "one thread divides nothing"));
    }

    proptest! {
        /// Searches of a wide table, some of which need the same rows.
        #[test]
        fn searches_at_once_find_every_value_and_count_no_row_twice(
            needs in prop::collection::vec(prop::collection::vec((0u32..150, prop::collection::vec(0u32..5, 0..3)), 0..20), 1..6),
            threads in 1usize..6,
            room in prop_oneof![Just(usize::MAX), 0usize..20_000],
        ) {
            let score = Numbered::default();
            let rows = SetRows::new(&score, 150, room);
            let family = |(v, parents): &(u32, Vec<u32>)| {
                (Var(*v), parents.iter().filter(|p| *p != v).map(|&p| Var(p)).collect::<VarSet>())
            };
            let right = on(threads, || rows.searches(needs.len(), |i| (0..needs[i].len()).all(|at| {
                let (v, parents) = family(&needs[i][at]);
                // What it needs next.
                let ahead = || needs[i][at + 1..].iter().map(family).any(|(v, parents)| rows.count_ahead(v, &parents));
                let (joint, margins) = rows.rows(v, &parents, &ahead);
                let of = |set: &VarSet, x: Var| score.of_set(set.with(x).as_slice());
                let is_right = |x: Var| joint.with(x) == of(&parents.with(v), x) && margins.with(x) == of(&parents, x);
                (0..150).map(Var).all(is_right)
            })));
            prop_assert_eq!(right, vec![true; needs.len()]);
            // A set is in the rows of all its subsets with one variable less, and in each of them once.
            let mut counted = score.0.into_inner().unwrap();
            counted.sort();
            let is_once = counted.chunk_by(|a, b| a == b).all(|same| same.len() <= same[0].len());
            prop_assert!(is_once || room < usize::MAX);
        }
    }

    /// A score with which counting does not end before something has happened, or a long time has passed.
    struct Slow<'a> {
        begun: &'a AtomicBool,
        happened: &'a AtomicBool,
    }

    fn wait_for(happened: &AtomicBool) {
        let begin = Instant::now();
        while !happened.load(Ordering::SeqCst) && begin.elapsed() < Duration::from_secs(20) {
            thread::yield_now();
        }
    }

    impl SetScore for Slow<'_> {
        fn of_set(&self, _: &[Var]) -> f64 {
            0.0
        }

        fn of_sets(&self, sweep: Sweep<'_>, joint: &mut Vec<f64>, margins: Option<&mut Vec<f64>>) {
            self.begun.store(true, Ordering::SeqCst);
            wait_for(self.happened);
            joint.resize(sweep.candidates.len(), 0.0);
            margins.into_iter().for_each(|margins| margins.resize(sweep.candidates.len(), 0.0));
        }
    }

    #[test]
    fn a_search_does_something_else_while_another_counts_the_row_that_it_needs() {
        let (begun, happened) = (AtomicBool::new(false), AtomicBool::new(false));
        let score = Slow { begun: &begun, happened: &happened };
        let rows = SetRows::new(&score, 10, usize::MAX);
        let asked = on(2, || {
            rows.searches(2, |i| {
                if i == 1 {
                    wait_for(&begun);
                }
                let ahead = || i == 1 && !happened.swap(true, Ordering::SeqCst);
                rows.rows(Var(3), &VarSet::new(), &ahead).0.with(Var(0))
            })
        });
        assert!(happened.into_inner());
        assert_eq!(asked, [0.0; 2]);
    }

    #[test]
    fn a_search_that_panics_lets_the_others_end() {
        for threads in [1, 2, 5] {
            let score = Numbered::default();
            let rows = SetRows::new(&score, 150, usize::MAX);
            let panics = catch_unwind(AssertUnwindSafe(|| {
                on(threads, || {
                    rows.searches(3, |i| {
                        assert_ne!(i, 1, "on purpose");
                        rows.rows(Var::new(i), &VarSet::new(), &|| false).0.with(Var(0))
                    })
                })
            }));
            assert!(panics.is_err());
        }
    }
}
