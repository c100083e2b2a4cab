//! Tables of rows held elsewhere: questions are sent together, and the counts that come back are added up.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::counter::Counter;
use super::joint::{JointTable, counts_of, is_small, members};
use super::partition::{Answers, Questions};
use super::rounds::QuestionRounds;
use super::table::Counts;
use super::tables::{Sweep, Tables};
use crate::data::{Dataset, Var, Variable};
use crate::error::{Error, Result};

/// Asks every holder of rows, and returns the answer of each.
pub type AskPartitions<'a> = dyn Fn(&Questions) -> Result<Vec<Answers>> + Send + Sync + 'a;

/// The number of bytes of tables kept for repeated questions.
const MOST_KEPT: usize = 256 << 20;

/// The cost of gathering counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traffic {
    /// The number of rounds of questions.
    pub rounds: u64,
    /// The number of tables asked for.
    pub tables: u64,
    /// The bytes of the questions, summed over all holders of rows.
    pub bytes_out: u64,
    /// The bytes of the answers.
    pub bytes_in: u64,
}

/// A variable of rows held elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct GatheredVariable {
    /// The variable with all its declared levels.
    pub variable: Variable,
    /// The number of rows of each level that occurs anywhere, in the order of the levels. The partitions have
    /// only these levels.
    pub totals: Vec<u32>,
}

/// Tables of rows held elsewhere, in any number of parts.
///
/// Questions that several threads ask at the same time go out in one round, and the tables that come back are
/// kept for a while. If a round fails, its questions and all later ones are answered with tables of no rows,
/// and [`failure`](GatheredTables::failure) says why. The caller that runs a learner on these tables must
/// check it, and discard the result.
pub struct GatheredTables<'a> {
    variables: Vec<Variable>,
    totals: Vec<Vec<u32>>,
    /// The number of levels of each variable that occur.
    levels: Vec<usize>,
    rows: usize,
    complete: bool,
    ask: Box<AskPartitions<'a>>,
    rounds: QuestionRounds<Wanted>,
    kept: RwLock<KeptTables>,
    failed: AtomicBool,
    failure: Mutex<Option<Error>>,
    traffic: [AtomicU64; 4],
}

type Set = SmallVec<[Var; 6]>;

/// A request for the tables of some candidates with a target and a set.
struct Wanted {
    target: Var,
    given: Vec<Var>,
    candidates: Vec<Var>,
}

#[derive(Default)]
struct KeptTables {
    tables: FxHashMap<Set, Arc<JointTable>>,
    /// Tables fetched to answer questions about subsets of their variables, indexed by each variable.
    foreseen: FxHashMap<Var, Vec<Arc<JointTable>>>,
    bytes: usize,
}

fn set(vars: &[Var]) -> Set {
    let mut set = Set::from_slice(vars);
    set.sort_unstable();
    set
}

impl<'a> GatheredTables<'a> {
    /// Tables of `rows` rows, whose counts `ask` fetches. More than 2³² − 1 rows are refused.
    pub fn new(
        variables: Vec<GatheredVariable>,
        rows: u64,
        ask: Box<AskPartitions<'a>>,
    ) -> Result<GatheredTables<'a>> {
        let limit = u64::from(u32::MAX);
        if rows > limit {
            return Err(Error::TooLarge { what: "the number of rows".into(), size: u128::from(rows), limit });
        }
        let known = |v: &GatheredVariable| v.totals.iter().map(|&n| u64::from(n)).sum::<u64>();
        let complete = variables.iter().all(|v| known(v) == rows);
        let levels = variables.iter().map(|v| v.totals.len()).collect();
        let (variables, totals) = variables.into_iter().map(|v| (v.variable, v.totals)).unzip();
        Ok(GatheredTables {
            variables,
            totals,
            levels,
            rows: rows as usize,
            complete,
            ask,
            rounds: QuestionRounds::default(),
            kept: RwLock::default(),
            failed: AtomicBool::new(false),
            failure: Mutex::new(None),
            traffic: Default::default(),
        })
    }

    /// The variables, the number of rows and the numbers of missing values, without the rows.
    pub(crate) fn outline(&self) -> Result<Dataset> {
        let known = |totals: &Vec<u32>| totals.iter().map(|&n| n as usize).sum::<usize>();
        let gaps = self.totals.iter().map(|totals| self.rows - known(totals)).collect();
        Dataset::outline(self.variables.clone(), self.rows as u32, gaps)
    }

    /// Whether a round has failed.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Takes the error of the first round that failed, if one did. A second call returns `None`.
    pub fn failure(&self) -> Option<Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The cost so far.
    pub fn traffic(&self) -> Traffic {
        let [rounds, tables, bytes_out, bytes_in] = &self.traffic;
        let load = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Traffic {
            rounds: load(rounds),
            tables: load(tables),
            bytes_out: load(bytes_out),
            bytes_in: load(bytes_in),
        }
    }

    /// Fetches the tables of some sweeps that are not there yet. After a failure they may still be absent.
    fn gather(&self, sweeps: &[Sweep<'_>]) {
        if self.has_failed() {
            return;
        }
        let mut wanted = Vec::new();
        for sweep in sweeps {
            let lacking = |x: &Var| self.known(&members(sweep, *x)).is_none();
            let candidates: Vec<Var> = sweep.candidates.iter().copied().filter(lacking).collect();
            if !candidates.is_empty() {
                wanted.push(Wanted { target: sweep.target, given: sweep.given.to_vec(), candidates });
            }
        }
        if !wanted.is_empty() {
            self.rounds.join(wanted, |all| self.round(all));
        }
    }

    /// Asks every holder of rows for what several threads want.
    fn round(&self, wanted: Vec<Wanted>) {
        if self.has_failed() {
            return;
        }
        let mut questions = Questions::default();
        let (mut tables, mut asked) = (Vec::new(), FxHashSet::default());
        for Wanted { target, given, candidates } in wanted {
            let sweep = Sweep { target, candidates: &candidates, given: &given };
            let new = |x: &Var| asked.insert(set(&members(&sweep, *x)));
            let candidates: Vec<Var> = candidates.iter().copied().filter(new).collect();
            if !candidates.is_empty() {
                questions.push(target, &given, &candidates);
                let empty = |&x: &Var| JointTable::empty(&members(&sweep, x), &self.levels);
                tables.extend(candidates.iter().map(empty));
            }
        }
        // If asking panics, no thread asks again.
        let unless_answered = FailsUnlessAnswered(&self.failed);
        let answers = (self.ask)(&questions);
        std::mem::forget(unless_answered);
        match answers.and_then(|answers| self.add_up(&mut tables, &questions, &answers)) {
            Ok(()) => self.keep(tables),
            Err(error) => {
                self.failed.store(true, Ordering::Relaxed);
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        }
    }

    fn add_up(&self, tables: &mut [JointTable], questions: &Questions, answers: &[Answers]) -> Result<()> {
        let numbers = |answer: &Answers| answer.dense.len() + answer.listed.len();
        let spent = [
            1,
            tables.len(),
            4 * questions.0.len() * answers.len(),
            4 * answers.iter().map(numbers).sum::<usize>(),
        ];
        self.traffic.iter().zip(spent).for_each(|(sum, n)| _ = sum.fetch_add(n as u64, Ordering::Relaxed));
        for answer in answers {
            let (mut dense, mut listed) = (&answer.dense[..], &answer.listed[..]);
            let taken =
                tables.iter_mut().try_for_each(|table| table.take(&mut dense, &mut listed, &self.levels));
            if taken.is_none() || !dense.is_empty() || !listed.is_empty() {
                return Err(Error::Mismatch {
                    what: "an answer does not consist of the tables that were asked for".into(),
                    accepted: "all processes that hold rows need the same version of the library".into(),
                });
            }
        }
        Ok(())
    }

    fn keep(&self, tables: Vec<JointTable>) {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        let more: usize = tables.iter().map(JointTable::bytes).sum();
        if kept.bytes + more > MOST_KEPT {
            *kept = KeptTables::default();
        }
        kept.bytes += more;
        kept.tables.extend(tables.into_iter().map(|table| (set(table.vars()), Arc::new(table))));
    }

    /// A kept table of these variables, and perhaps more.
    fn known(&self, vars: &[Var]) -> Option<Arc<JointTable>> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let has_all = |table: &&Arc<JointTable>| vars.iter().all(|v| table.vars().contains(v));
        let foreseen = || kept.foreseen.get(vars.last()?)?.iter().find(has_all);
        kept.tables.get(&set(vars)).or_else(foreseen).cloned()
    }

    /// A table of these variables, and perhaps more. It is fetched if it is not there, and has no rows if
    /// that fails.
    fn table(&self, vars: &[Var]) -> Arc<JointTable> {
        loop {
            if let Some(table) = self.known(vars) {
                return table;
            }
            let (Some((&x, others)), false) = (vars.split_last(), self.has_failed()) else {
                return Arc::new(JointTable::empty(vars, &self.levels));
            };
            let (&target, given) = others.split_last().expect("tables of one variable are known");
            self.gather(&[Sweep { target, candidates: &[x], given }]);
        }
    }

    /// Shows the table of X, Y and Z, fetching it if necessary.
    fn show(&self, x: Var, y: Var, z: &[Var], look: &mut dyn FnMut(&Counts)) {
        let vars: Set = z.iter().copied().chain([y, x]).collect();
        let table = self.table(&vars);
        let declared = |v: Var| self.variables[v.index()].cardinality();
        if let Some(counts) = counts_of(&table, (x, y, z), &self.levels, declared) {
            return look(&counts);
        }
        match table.rows(&self.variables) {
            Ok((rows, place)) => {
                let z: Set = z.iter().map(|&v| place(v)).collect();
                Counter::new(&rows).count(place(x), place(y), &z, |counts| look(counts));
            }
            // There are no rows, because a round has failed.
            Err(_) => look(&Counts::default()),
        }
    }

    fn show_family(&self, child: Var, parents: &[Var], look: &mut dyn FnMut(&[u32], &[u32])) {
        if parents.is_empty() {
            let totals = &self.totals[child.index()];
            return look(totals, &[totals.iter().sum()]);
        }
        let vars: Set = parents.iter().copied().chain([child]).collect();
        let table = self.table(&vars);
        if let Some(cells) = table.cells_of(&vars, &self.levels) {
            let levels = self.levels[child.index()].max(1);
            let sums: Vec<u32> = cells.chunks_exact(levels).map(|cells| cells.iter().sum()).collect();
            return look(&cells, &sums);
        }
        match table.rows(&self.variables) {
            Ok((rows, place)) => {
                let parents: Set = parents.iter().map(|&v| place(v)).collect();
                Tables::family(&Counter::new(&rows), place(child), &parents, look);
            }
            Err(_) => look(&[], &[]),
        }
    }
}

/// The sweep whose table has the counts of a family; `None` if it has no parents.
pub(crate) fn family_sweep<'f>((child, parents): &'f (Var, &'f [Var])) -> Option<Sweep<'f>> {
    let (&target, given) = parents.split_last()?;
    Some(Sweep { target, candidates: std::slice::from_ref(child), given })
}

/// Marks the tables as failed when dropped.
struct FailsUnlessAnswered<'a>(&'a AtomicBool);

impl Drop for FailsUnlessAnswered<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Tables for GatheredTables<'_> {
    fn variables(&self) -> &[Variable] {
        &self.variables
    }

    fn rows(&self) -> usize {
        self.rows
    }

    fn is_complete(&self) -> bool {
        self.complete
    }

    fn count(&self, x: Var, y: Var, z: &[Var], look: &mut dyn FnMut(&Counts)) {
        self.show(x, y, z, look);
    }

    fn family(&self, child: Var, parents: &[Var], look: &mut dyn FnMut(&[u32], &[u32])) {
        self.show_family(child, parents, look);
    }

    fn families(&self, families: &[(Var, &[Var])], look: &mut dyn FnMut(&[u32], &[u32])) {
        let sweeps: Vec<Sweep<'_>> = families.iter().filter_map(family_sweep).collect();
        self.gather(&sweeps);
        families.iter().for_each(|(child, parents)| self.show_family(*child, parents, look));
    }

    fn sweep(&self, sweep: Sweep<'_>, look: &mut dyn FnMut(&Counts)) {
        self.batch(&[sweep], look);
    }

    fn foresee(&self, sweeps: &[Sweep<'_>]) {
        let small = |sweep: &Sweep<'_>, x: Var| is_small(&members(sweep, x), &self.levels);
        let candidates: Vec<Vec<Var>> = sweeps
            .iter()
            .map(|sweep| sweep.candidates.iter().copied().filter(|&x| small(sweep, x)).collect())
            .collect();
        let sweeps: Vec<Sweep<'_>> = sweeps
            .iter()
            .zip(&candidates)
            .map(|(sweep, candidates)| Sweep { candidates, ..*sweep })
            .collect();
        self.gather(&sweeps);
        // If values are missing, a table of more variables counts fewer rows.
        if !self.complete {
            return;
        }
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        for sweep in sweeps.iter().filter(|sweep| sweep.given.len() > 1) {
            for &x in sweep.candidates {
                let Some(table) = kept.tables.get(&set(&members(sweep, x))).cloned() else { continue };
                for &v in table.vars() {
                    let foreseen = kept.foreseen.entry(v).or_default();
                    if !foreseen.iter().any(|known| Arc::ptr_eq(known, &table)) {
                        foreseen.push(table.clone());
                    }
                }
            }
        }
    }

    fn batch(&self, sweeps: &[Sweep<'_>], look: &mut dyn FnMut(&Counts)) {
        self.gather(sweeps);
        for sweep in sweeps {
            sweep.candidates.iter().for_each(|&x| self.show(x, sweep.target, sweep.given, look));
        }
    }
}
