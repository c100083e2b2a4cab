//! Long work: on its own threads, without the interpreter, and stopped by Ctrl-C.
//!
//! Python handles signals in its main thread, and only when that thread checks. So the work runs in a
//! separate thread pool and the calling thread waits; every few milliseconds it acquires the interpreter,
//! checks for signals and reports progress. The pool lives as long as the call, which waits for its
//! threads to end, so a process can safely fork afterwards.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ossature::{Event, Progress, Result, Stop};
use pyo3::prelude::*;
use rayon::ThreadPool;

use crate::errors::{self, Kind, SETTINGS};

/// How often the calling thread checks for signals.
const LOOK: Duration = Duration::from_millis(20);

/// How to run some work, as requested by Python.
pub(crate) struct Run {
    /// The number of threads.
    pub(crate) threads: usize,
    /// In seconds.
    pub(crate) time_limit: Option<f64>,
    /// Called with the phase, the amount done and the total.
    pub(crate) progress: Option<Py<PyAny>>,
}

impl Run {
    /// Runs some work; an error of the library becomes an exception of this kind.
    pub(crate) fn go<T: Send>(
        &self,
        py: Python<'_>,
        kind: Kind,
        work: impl FnOnce(&dyn Progress) -> Result<T> + Send,
    ) -> PyResult<T> {
        let watch = Watch::new(self.limit()?, self.progress.is_some());
        let finished = Finished::default();
        let interrupted = py.detach(|| {
            self.in_pool(|pool| {
                pool.in_place_scope(|scope| {
                    scope.spawn(|_| finished.set(catch_unwind(AssertUnwindSafe(|| work(&watch)))));
                    self.wait(&watch, &finished)
                })
            })
        });
        if let Some(error) = interrupted? {
            return Err(error);
        }
        let outcome = finished.take().expect("the scope ends after the work");
        match outcome.unwrap_or_else(|panic| resume_unwind(panic)) {
            Err(ossature::Error::Stopped) if watch.limit_reached.load(Ordering::Relaxed) => {
                Err(errors::time_limit(self.time_limit.unwrap_or_default()))
            }
            outcome => outcome.map_err(|e| kind.raise(e)),
        }
    }

    /// Does something with a pool of threads, all of which end afterwards.
    fn in_pool<T>(&self, work: impl FnOnce(&ThreadPool) -> T) -> PyResult<T> {
        let mut threads: Vec<JoinHandle<()>> = Vec::new();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.max(1))
            .spawn_handler(|thread| {
                let name = format!("ossature-{}", thread.index());
                threads.push(thread::Builder::new().name(name).spawn(|| thread.run())?);
                Ok(())
            })
            .build()
            .map_err(|e| SETTINGS.with(format!("cannot start {} threads: {e}", self.threads)))?;
        let done = work(&pool);
        // The pool tells its threads to end, but does not wait for them.
        drop(pool);
        threads.into_iter().for_each(|thread| drop(thread.join()));
        Ok(done)
    }

    fn limit(&self) -> PyResult<Option<Duration>> {
        let Some(seconds) = self.time_limit else { return Ok(None) };
        match Duration::try_from_secs_f64(seconds) {
            Ok(limit) if !limit.is_zero() => Ok(Some(limit)),
            _ => {
                Err(SETTINGS.with(format!("time_limit is {seconds}; a number of seconds above 0 is needed")))
            }
        }
    }

    /// Waits for the work to end, watching for signals; returns the exception that ended it, if any.
    fn wait<T>(&self, watch: &Watch, finished: &Finished<T>) -> Option<PyErr> {
        while !finished.within(LOOK) {
            if let Err(error) = Python::attach(|py| self.look(py, watch)) {
                watch.cancelled.store(true, Ordering::Relaxed);
                return Some(error);
            }
        }
        // The last word, so that a bar can end full.
        Python::attach(|py| self.tell(py, watch)).err()
    }

    fn look(&self, py: Python<'_>, watch: &Watch) -> PyResult<()> {
        py.check_signals()?;
        self.tell(py, watch)
    }

    fn tell(&self, py: Python<'_>, watch: &Watch) -> PyResult<()> {
        if let (Some(progress), Some((phase, done, total))) = (&self.progress, watch.news()) {
            progress.call1(py, (phase, done, total))?;
        }
        Ok(())
    }
}

type Outcome<T> = thread::Result<Result<T>>;

/// Where the work puts its outcome.
struct Finished<T> {
    outcome: Mutex<Option<Outcome<T>>>,
    there: Condvar,
}

impl<T> Default for Finished<T> {
    fn default() -> Self {
        Finished { outcome: Mutex::new(None), there: Condvar::new() }
    }
}

impl<T> Finished<T> {
    fn set(&self, outcome: Outcome<T>) {
        *lock(&self.outcome) = Some(outcome);
        self.there.notify_all();
    }

    /// Whether the work ends within this time.
    fn within(&self, time: Duration) -> bool {
        let waited = self.there.wait_timeout_while(lock(&self.outcome), time, |outcome| outcome.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.is_some()
    }

    fn take(&self) -> Option<Outcome<T>> {
        lock(&self.outcome).take()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The phase, the amount done, and the total.
type News = (&'static str, u64, Option<u64>);

/// Receives the reports of the working threads.
struct Watch {
    cancelled: AtomicBool,
    deadline: Option<Instant>,
    limit_reached: AtomicBool,
    /// The newest report, if progress is wanted.
    news: Option<Mutex<Option<News>>>,
}

impl Watch {
    fn new(limit: Option<Duration>, wanted: bool) -> Watch {
        Watch {
            cancelled: AtomicBool::new(false),
            deadline: limit.and_then(|limit| Instant::now().checked_add(limit)),
            limit_reached: AtomicBool::new(false),
            news: wanted.then(Mutex::default),
        }
    }

    /// The news since the last call.
    fn news(&self) -> Option<News> {
        lock(self.news.as_ref()?).take()
    }
}

impl Progress for Watch {
    fn report(&self, event: Event) -> ControlFlow<Stop> {
        if let (Some(news), Some(said)) = (&self.news, said(event)) {
            *lock(news) = Some(said);
        }
        if self.cancelled.load(Ordering::Relaxed) {
            return ControlFlow::Break(Stop::Cancel);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.limit_reached.store(true, Ordering::Relaxed);
            return ControlFlow::Break(Stop::Finish);
        }
        ControlFlow::Continue(())
    }
}

fn said(event: Event) -> Option<News> {
    Some(match event {
        Event::RowsRead { done } => ("reading", done, None),
        Event::TargetDone { done, total } => ("skeleton", done as u64, Some(total as u64)),
        Event::CandidatesScored { done, total } => ("candidates", done, Some(total)),
        Event::Move { moves, .. } => ("search", moves, None),
        Event::SamplesLearned { done, total } => ("bootstrap", done as u64, Some(total as u64)),
        Event::RowsSampled { done, total } => ("sampling", done, Some(total)),
        // Part of the skeleton, whose targets are easier to read.
        _ => return None,
    })
}
