//! Runs the cells of a study that have no row yet.
//!
//! Accuracy cells use all threads: a thread takes one sample after the other, the most expensive first,
//! draws it once and gives it to each learner, which runs only on that thread. If there are fewer samples than
//! threads, each of them has several. Timing cells follow, one
//! at a time and on one thread, the learners of a sample one after the other, so that anything that
//! slows the machine slows both. A cell that fails, or panics, is a row with its error.

mod cell;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};
use std::{io, thread};

use ossature::{Error, Event, Progress, Result, Stop};

use crate::estimate::{Class, Estimate, weight};
use crate::folder::Folder;
use crate::plan::{Grid, Sample};
use crate::report;
use crate::row::{Key, Kind, Row};
use crate::sample::derived_seed;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Every cell has a row, some possibly with an error.
    Complete {
        /// Cells without a result.
        failed: usize,
    },
    /// It was stopped; some cells are left.
    Stopped {
        /// Cells without a row.
        left: usize,
    },
}

/// The progress of a study.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellsDone {
    /// Number of cells that have a row.
    pub done: usize,
    /// Total number of cells.
    pub total: usize,
    /// Approximate number of seconds left, once it can be estimated.
    pub seconds_left: Option<f64>,
}

/// Regularly receives the progress of a study; `Break` stops it.
pub type Follow<'a> = dyn Fn(CellsDone) -> ControlFlow<Stop> + Sync + 'a;

/// A sample and the learners still to run on it.
struct Job {
    sample: Sample,
    kind: Kind,
    learners: Vec<usize>,
}

/// A finished row, and the time of its cell.
struct Done {
    row: Row,
    class: Class,
    seconds: f64,
}

/// Runs the cells that have no row yet; each row is in the folder as soon as it is done.
pub fn run(folder: &mut Folder, grid: &Grid, threads: usize, follow: &Follow<'_>) -> Result<Ended> {
    let done: BTreeSet<Key> = folder.rows.iter().map(Row::key).collect();
    let mut jobs = jobs(grid, &done);
    if !jobs.is_empty() {
        // Should this run be stopped, the report of an earlier one would not be that of these rows.
        report::remove(folder)?;
    }
    let watch = Watch::new(grid, folder, &jobs, threads, follow);
    let timing = jobs.split_off(jobs.partition_point(|job| job.kind == Kind::Accuracy));
    let cost = |job: &Job| {
        let (network, size) = (&grid.networks[job.sample.network], grid.study.sizes[job.sample.size]);
        weight(network.variables().len(), size)
    };
    // A stable sort: equal costs stay in the order of the grid.
    jobs.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
    phase(&jobs, threads, folder, grid, &watch)?;
    phase(&timing, 1, folder, grid, &watch)?;
    let left = watch.left();
    if watch.stopped() && left > 0 {
        return Ok(Ended::Stopped { left });
    }
    Ok(Ended::Complete { failed: folder.rows.iter().filter(|row| row.error.is_some()).count() })
}

/// The jobs to do: accuracy first, each kind in the order of the grid.
fn jobs(grid: &Grid, done: &BTreeSet<Key>) -> Vec<Job> {
    let lacking = |sample: Sample, kind: Kind| -> Vec<usize> {
        (0..grid.study.learners.len()).filter(|&l| !done.contains(&grid.key(sample, l, kind))).collect()
    };
    let samples = grid.samples();
    grid.kinds()
        .iter()
        .flat_map(|&kind| samples.iter().map(move |&sample| (sample, kind)))
        .map(|(sample, kind)| Job { sample, kind, learners: lacking(sample, kind) })
        .filter(|job| !job.learners.is_empty())
        .collect()
}

/// Runs jobs on this number of threads; the calling thread writes the rows.
fn phase(jobs: &[Job], threads: usize, folder: &mut Folder, grid: &Grid, watch: &Watch) -> Result<()> {
    let next = AtomicUsize::new(0);
    let workers = threads.min(jobs.len());
    let pools = (0..workers).map(|i| pool((threads + i) / workers)).collect::<Result<Vec<_>>>()?;
    thread::scope(|scope| {
        let (sender, rows) = mpsc::channel();
        for pool in &pools {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if watch.report().is_break() {
                        return;
                    }
                    pool.install(|| work(job, grid, watch, &sender));
                }
            });
        }
        drop(sender);
        for Done { row, class, seconds } in rows {
            if let Err(e) = folder.append(row) {
                watch.stop();
                return Err(e);
            }
            watch.done(class, seconds);
        }
        Ok(())
    })
}

/// A pool of some threads: learners divide their work among the threads of the pool they run in.
fn pool(threads: usize) -> Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(no_thread)
}

/// Runs the work on a new thread that ends afterwards: a thread keeps its scratch space, which would count
/// as memory of the first learner only.
fn on_new_thread<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    let mut started = None;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .spawn_handler(|thread| {
            started = Some(thread::Builder::new().spawn(|| thread.run())?);
            Ok(())
        })
        .build()
        .map_err(no_thread)?;
    let answer = pool.install(work);
    drop(pool);
    // A panic went through `install`; there is nothing else to hear of the thread.
    let _ = started.map(thread::JoinHandle::join);
    Ok(answer)
}

fn no_thread(e: rayon::ThreadPoolBuildError) -> Error {
    Error::Io { action: "start", path: Path::new("a thread").to_owned(), source: io::Error::other(e) }
}

/// Draws a sample and runs its learners, until it is stopped.
fn work(job: &Job, grid: &Grid, watch: &Watch, rows: &mpsc::Sender<Done>) {
    let study = &grid.study;
    let (name, size) = (study.networks[job.sample.network].name(), study.sizes[job.sample.size]);
    let network = &grid.networks[job.sample.network];
    let seed = derived_seed(study.seed, &name, size, job.sample.number);
    let mut clock = Instant::now();
    let seen = guarded(|| {
        let draw = crate::Draw::new(network, &name, size, job.sample.number, study.seed, watch)?;
        let new_rows = (job.kind == Kind::Accuracy).then_some(study.new_rows);
        cell::Seen::new(draw, &grid.catalogue, new_rows, watch)
    });
    for &learner in &job.learners {
        let mut row = Row::empty(grid.key(job.sample, learner, job.kind), seed);
        let settings = &study.learners[learner].settings;
        let cell = CellWatch::new(watch, study.cell_limit);
        let filled = match &seen {
            Ok(seen) => guarded(|| match job.kind {
                Kind::Accuracy => seen.accuracy(settings, &mut row, &cell),
                Kind::Timing => on_new_thread(|| seen.timing(settings, &mut row, &cell))?,
            }),
            Err(why) => Err(why.clone()),
        };
        if watch.stopped() {
            return; // whatever came out of it, it was cut short
        }
        if let Err(why) = filled {
            let why = cell.over().unwrap_or(why);
            row = Row { error: Some(why), ..Row::empty(row.key(), seed) };
        }
        let class = (job.sample.network, job.sample.size, learner, job.kind);
        let seconds = clock.elapsed().as_secs_f64();
        clock = Instant::now();
        if rows.send(Done { row, class, seconds }).is_err() {
            return;
        }
    }
}

/// The answer, or one line that says why there is none: an error or a panic.
fn guarded<T>(work: impl FnOnce() -> Result<T>) -> std::result::Result<T, String> {
    let text = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(answer)) => return Ok(answer),
        Ok(Err(e)) => e.to_string(),
        Err(panic) => {
            let said = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
            let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
            format!("panicked: {}", said.unwrap_or_default())
        }
    };
    // A row is one line.
    Err(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Reports the progress of the study, and passes on a request to stop.
struct Watch<'a> {
    follow: &'a Follow<'a>,
    stop: AtomicBool,
    threads: usize,
    status: Mutex<Status>,
}

struct Status {
    cells: CellsDone,
    estimate: Estimate,
}

impl<'a> Watch<'a> {
    fn new(grid: &Grid, folder: &Folder, jobs: &[Job], threads: usize, follow: &'a Follow<'a>) -> Watch<'a> {
        let (total, to_do) = (grid.cells(), jobs.iter().map(|job| job.learners.len()).sum::<usize>());
        let cells = CellsDone { done: total - to_do, total, seconds_left: None };
        let mut status = Status { cells, estimate: Estimate::default() };
        let weight_of = |network: usize, size: usize| {
            weight(grid.networks[network].variables().len(), grid.study.sizes[size])
        };
        for job in jobs {
            let Sample { network, size, .. } = job.sample;
            for &learner in &job.learners {
                status.estimate.expect((network, size, learner, job.kind), weight_of(network, size));
            }
        }
        for row in &folder.rows {
            let network = grid.study.networks.iter().position(|n| n.name() == row.network);
            let size = grid.study.sizes.iter().position(|&n| n == row.size);
            let learner = grid.study.learners.iter().position(|l| l.name == row.learner);
            if let (Some(n), Some(s), Some(l), Some(seconds)) = (network, size, learner, row.seconds_total) {
                status.estimate.learn((n, s, l, row.kind), weight_of(n, s), seconds);
            }
        }
        status.cells.seconds_left = status.estimate.seconds_left(threads);
        Watch { follow, stop: AtomicBool::new(false), threads, status: Mutex::new(status) }
    }

    fn status(&self) -> std::sync::MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn left(&self) -> usize {
        let cells = self.status().cells;
        cells.total - cells.done
    }

    fn done(&self, class: Class, seconds: f64) {
        let mut status = self.status();
        status.cells.done += 1;
        status.estimate.done(class, seconds);
        status.cells.seconds_left = status.estimate.seconds_left(self.threads);
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    fn report(&self) -> ControlFlow<Stop> {
        let cells = self.status().cells;
        if (self.follow)(cells).is_break() {
            self.stop();
        }
        // A cell that is cut short has no row, so there is no best so far to finish with.
        if self.stopped() { ControlFlow::Break(Stop::Cancel) } else { ControlFlow::Continue(()) }
    }
}

impl Progress for Watch<'_> {
    fn report(&self, _: Event) -> ControlFlow<Stop> {
        self.report()
    }
}

/// The same for one cell, which is stopped at its own limit too.
struct CellWatch<'w, 'a> {
    watch: &'w Watch<'a>,
    limit: Option<Duration>,
    begun: Instant,
    over: AtomicBool,
}

impl<'w, 'a> CellWatch<'w, 'a> {
    fn new(watch: &'w Watch<'a>, limit: Option<Duration>) -> CellWatch<'w, 'a> {
        CellWatch { watch, limit, begun: Instant::now(), over: AtomicBool::new(false) }
    }

    /// Why the cell has no result, if it was stopped at its limit.
    fn over(&self) -> Option<String> {
        let limit = self.limit.filter(|_| self.over.load(Ordering::SeqCst))?;
        Some(format!("took longer than the limit of {} s for a cell", limit.as_secs_f64()))
    }
}

impl Progress for CellWatch<'_, '_> {
    fn report(&self, _: Event) -> ControlFlow<Stop> {
        if self.limit.is_some_and(|limit| self.begun.elapsed() >= limit) {
            self.over.store(true, Ordering::SeqCst);
            return ControlFlow::Break(Stop::Cancel);
        }
        self.watch.report()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_thread_is_a_pool_of_its_own() {
        let name = || (thread::current().id(), rayon::current_num_threads());
        let (one, threads) = on_new_thread(name).unwrap();
        assert_eq!(threads, 1);
        assert!(on_new_thread(name).unwrap().0 != one && one != thread::current().id());
        let panic = guarded(|| on_new_thread(|| -> Result<()> { panic!("inside") })?);
        assert_eq!(panic, Err("panicked: inside".into()));
    }

    #[test]
    fn whatever_goes_wrong_is_one_line() {
        assert_eq!(guarded(|| Ok(7)), Ok(7));
        assert_eq!(guarded(|| Err::<(), _>(Error::Stopped)), Err("stopped before there was a result".into()));
        assert_eq!(guarded(|| -> Result<()> { panic!("at\nonce") }), Err("panicked: at once".into()));
    }
}
