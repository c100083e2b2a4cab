//! Loops on the threads of the pool.
//!
//! rayon's own loops are compiled anew, all of their machinery, for every body and every type: forty of them were an
//! eighth of the crate. Here one queue of indices serves them all, with the body behind a pointer. It is for bodies
//! that take a microsecond or more; what is quicker is done in pieces.
//!
//! Indices begin in their order, one at a time for each thread, so that work whose costs differ widely should be given
//! the largest first. The results are in the order of the indices, whichever thread found them.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of items that are divided inside a loop that is divided.
const MANY: usize = 8;

/// `f` of every index below `n`.
pub(crate) fn map<T: Send>(n: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut results: Vec<Option<T>> = Vec::with_capacity(n);
    results.resize_with(n, || None);
    for_each_mut(&mut results, |i, result| *result = Some(f(i)));
    results.into_iter().map(|result| result.expect("every index was visited")).collect()
}

/// `f` of every index below `n`, or the error of the first index that has one; those after it may not be visited.
pub(crate) fn try_map<T: Send, E: Send>(
    n: usize,
    f: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let first_error = AtomicUsize::new(n);
    let unless_later = |i: usize| {
        let result = (i < first_error.load(Ordering::Relaxed)).then(|| f(i));
        if matches!(result, Some(Err(_))) {
            first_error.fetch_min(i, Ordering::Relaxed);
        }
        result
    };
    map(n, unless_later).into_iter().flatten().collect()
}

/// `f` of every item.
pub(crate) fn map_each<A: Sync, T: Send>(items: &[A], f: impl Fn(&A) -> T + Sync) -> Vec<T> {
    map(items.len(), |i| f(&items[i]))
}

/// `f` of every item. Few are not divided: this is for loops inside a loop that is itself divided, where now and then one
/// has so many that the other threads would wait for it.
pub(crate) fn map_if_many<A: Sync, T: Send>(items: &[A], f: impl Fn(&A) -> T + Sync) -> Vec<T> {
    match items.len() {
        ..MANY => items.iter().map(f).collect(),
        _ => map_each(items, f),
    }
}

/// `f` of every item, which it consumes.
pub(crate) fn map_owned<A: Send, T: Send>(items: Vec<A>, f: impl Fn(A) -> T + Sync) -> Vec<T> {
    let mut items: Vec<(Option<A>, Option<T>)> = items.into_iter().map(|item| (Some(item), None)).collect();
    for_each_mut(&mut items, |_, (item, result)| *result = item.take().map(&f));
    items.into_iter().filter_map(|(_, result)| result).collect()
}

/// `f` of all items, some that follow each other at a time; what it returns for these is joined.
pub(crate) fn map_chunks<A: Sync, T: Send>(
    items: &[A],
    size: usize,
    f: impl Fn(&[A]) -> Vec<T> + Sync,
) -> Vec<T> {
    map_ranges(items.len(), size, |range| f(&items[range]))
}

/// The same for the indices below `n`.
pub(crate) fn map_ranges<T: Send>(
    n: usize,
    size: usize,
    f: impl Fn(Range<usize>) -> Vec<T> + Sync,
) -> Vec<T> {
    let parts = map(n.div_ceil(size), |i| f(i * size..n.min((i + 1) * size)));
    let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    parts.into_iter().for_each(|mut some| all.append(&mut some));
    all
}

/// Calls `f` with every item and its index.
pub(crate) fn for_each_mut<A: Send>(items: &mut [A], f: impl Fn(usize, &mut A) + Sync) {
    if rayon::current_num_threads() == 1 || items.len() < 2 {
        return items.iter_mut().enumerate().for_each(|(i, item)| f(i, item));
    }
    // Every index is visited once, so nobody ever waits for one of these.
    let items: Vec<Mutex<&mut A>> = items.iter_mut().map(Mutex::new).collect();
    visit(items.len(), &|i| f(i, &mut items[i].lock().unwrap_or_else(PoisonError::into_inner)));
}

/// Calls `body` with every index below `n`.
fn visit(n: usize, body: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let empty_queue = || {
        loop {
            match next.fetch_add(1, Ordering::Relaxed) {
                i if i < n => body(i),
                _ => break,
            }
        }
    };
    on_threads(n.min(rayon::current_num_threads()), &empty_queue);
}

/// Calls `f` so many times, at once where threads are free.
fn on_threads(times: usize, f: &(dyn Fn() + Sync)) {
    match times {
        ..=1 => f(),
        _ => drop(rayon::join(|| on_threads(times.div_ceil(2), f), || on_threads(times / 2, f))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn on(threads: usize, f: impl FnOnce() + Send) {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(f);
    }

    #[test]
    fn results_are_in_the_order_of_the_indices() {
        for threads in [1, 2, 5] {
            on(threads, || {
                for n in [0, 1, 2, 100] {
                    let squares: Vec<usize> = (0..n).map(|i| i * i).collect();
                    assert_eq!(map(n, |i| i * i), squares);
                    let inner = |i: usize| map(i, |j| j).len();
                    assert_eq!(map(n, |i| inner(i) * i), squares, "a loop inside a loop");
                    for size in [1, 3, 200] {
                        let joined = map_chunks(&squares, size, |some| some.iter().map(|s| s + 1).collect());
                        assert_eq!(joined, map_each(&squares, |s| s + 1));
                    }
                    assert_eq!(map_owned(squares.clone(), |s| s + 1), map_each(&squares, |s| s + 1));
                    assert_eq!(map_if_many(&squares, |s| s + 1), map_each(&squares, |s| s + 1));
                    let mut items = squares.clone();
                    for_each_mut(&mut items, |i, item| *item -= i);
                    assert!((0..n).all(|i| items[i] == i * i - i));
                }
            });
        }
    }

    #[test]
    fn of_several_errors_the_first_is_returned() {
        for threads in [1, 4] {
            on(threads, || {
                for trial in 0..100 {
                    let f = |i: usize| if i >= 20 + trial { Err(i) } else { Ok(2 * i) };
                    assert_eq!(try_map(100 + trial, f), Err(20 + trial));
                    assert_eq!(try_map(20 + trial, f), Ok((0..20 + trial).map(|i| 2 * i).collect()));
                }
            });
        }
    }

    #[test]
    fn a_panic_is_passed_on() {
        on(3, || {
            let visited = AtomicBool::new(false);
            let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                map(10, |i| {
                    visited.store(true, Ordering::Relaxed);
                    assert_ne!(i, 7, "on purpose");
                })
            }));
            assert!(panics.is_err() && visited.into_inner());
        });
    }
}
