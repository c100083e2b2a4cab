//! Many rows at once: rows in which the same fields are known share a tree.
//!
//! Each row is answered independently, so neither the order of the rows nor the number of threads
//! matters; sums over rows are computed in pieces of fixed size and joined in order.

use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use super::engine::Inference;
use super::given::{Given, refuse_continuous};
use super::propagate::{Ended, Workspace};
use super::question::Question;
use super::rows::PartialRows;
use super::tree::JunctionTree;
use crate::data::{Var, VarSet};
use crate::error::{Error, Place, Result};
use crate::parallel;
use crate::progress::{Event, Progress, go_on};

/// The number of rows that one thread takes at a time; sums over rows consist of such pieces.
const PIECE: usize = 256;

/// Rows in which the same variables are given.
struct Batch {
    given: Vec<Var>,
    rows: Vec<usize>,
}

/// The results for some rows.
#[derive(Default)]
struct Piece {
    rows: Vec<usize>,
    /// The numbers of one row after the other, or their sums.
    numbers: Vec<f64>,
    /// The rows that the network rules out.
    ruled_out: Vec<usize>,
}

impl Piece {
    fn add(&mut self, row: usize, numbers: &[f64]) {
        self.rows.push(row);
        self.numbers.extend_from_slice(numbers);
    }

    fn sum(&mut self, numbers: &[f64]) {
        self.numbers.resize(numbers.len(), 0.0);
        self.numbers.iter_mut().zip(numbers).for_each(|(sum, p)| *sum += p);
    }

    fn rule_out(&mut self, row: usize) {
        self.ruled_out.push(row);
    }
}

/// The most probable level of a variable in each of many rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    /// The variable.
    pub target: Var,
    /// Its most probable level in each row; the first of several that are equally probable.
    pub levels: Vec<u16>,
    /// Row after row, the probability of each of its levels.
    pub probabilities: Vec<f64>,
    /// The rows that the network rules out, in order: they have no prediction, and their probabilities are NaN.
    pub ruled_out: Vec<usize>,
}

impl Inference {
    /// Predicts a variable in each row from the other fields of the row, ignoring its own field.
    ///
    /// Missing fields are not part of the evidence. If the whole Markov blanket of the variable is
    /// given, the rest of the row is ignored. A row that the network rules out is an error.
    ///
    /// ```
    /// use ossature::infer::{Inference, Limit, PartialRows, Unseen};
    /// use ossature::{Silent, network::catalogue};
    ///
    /// let alarm = catalogue::load("alarm")?;
    /// let rows = PartialRows::new(&alarm, &alarm.sample(1000, 1, &Silent)?, &[], Unseen::Error)?;
    /// let engine = Inference::new(&alarm, Limit::default());
    /// let found = engine.predict(&rows, alarm.require("CVP")?, &Silent)?;
    /// assert!(found.report(&alarm, &rows).accuracy.unwrap() > 0.9);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn predict(&self, rows: &PartialRows, target: Var, progress: &dyn Progress) -> Result<Predictions> {
        let found = self.predict_possible(rows, target, progress)?;
        self.require_possible(rows, &found)?;
        Ok(found)
    }

    /// The same, but rows that the network rules out have no prediction.
    pub fn predict_possible(
        &self,
        rows: &PartialRows,
        target: Var,
        progress: &dyn Progress,
    ) -> Result<Predictions> {
        rows.check(self.network());
        refuse_continuous(self.network(), [target])?;
        let blanket = self.blanket(target);
        let given = |row: usize| -> Vec<Var> {
            let known = |v: &Var| rows.level(row, *v).is_some();
            match blanket.iter().all(|v| known(&v)) {
                true => blanket.as_slice().to_vec(),
                false => self.network.dag().vars().filter(|&v| v != target).filter(known).collect(),
            }
        };
        let asked = vec![vec![target]];
        let pieces = self.each(rows, given, &asked, false, progress, |piece, row, tree, w| match w {
            Some(w) => piece.add(row, &w.answers[tree.answers[0].range.clone()]),
            None => piece.rule_out(row),
        })?;
        let size = self.network.cardinality(target);
        let mut probabilities = vec![f64::NAN; rows.len() * size];
        let mut ruled_out: Vec<usize> = Vec::new();
        for piece in pieces {
            ruled_out.extend(piece.ruled_out);
            for (row, found) in piece.rows.iter().zip(piece.numbers.chunks_exact(size)) {
                probabilities[row * size..][..size].copy_from_slice(found);
            }
        }
        let levels = probabilities.chunks_exact(size).map(most_probable).collect();
        ruled_out.sort_unstable();
        Ok(Predictions { target, levels, probabilities, ruled_out })
    }

    /// An error if there is a row without a prediction, with the first of them and why the network rules it out.
    pub fn require_possible(&self, rows: &PartialRows, found: &Predictions) -> Result<()> {
        match found.ruled_out.first() {
            Some(&row) => Err(self.impossible_row(rows, row, Some(found.target))),
            None => Ok(()),
        }
    }

    /// The natural logarithm of the probability of each row, summed over its missing values; minus
    /// infinity if the network rules the row out.
    ///
    /// ```
    /// use ossature::infer::{Inference, Limit, PartialRows};
    /// use ossature::{Silent, network::catalogue};
    ///
    /// let asia = catalogue::load("asia")?;
    /// let mut rows = PartialRows::empty(&asia);
    /// let mut row = vec![None; 8];
    /// rows.push(&row);
    /// row[asia.require("smoke")?.index()] = Some(0);
    /// rows.push(&row);
    /// let found = Inference::new(&asia, Limit::default()).log_likelihood(&rows, &Silent)?;
    /// assert!(found[0].abs() < 1e-12 && (found[1] - 0.5_f64.ln()).abs() < 1e-12);
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn log_likelihood(&self, rows: &PartialRows, progress: &dyn Progress) -> Result<Vec<f64>> {
        rows.check(self.network());
        let pieces = self.each(rows, known_in(rows), &[], true, progress, |piece, row, _, w| {
            piece.add(row, &[w.map_or(f64::NEG_INFINITY, Workspace::ln_evidence)]);
        })?;
        let mut found = vec![0.0; rows.len()];
        for piece in pieces {
            piece.rows.iter().zip(piece.numbers).for_each(|(row, ln)| found[*row] = ln);
        }
        Ok(found)
    }

    /// The expected number of rows with each configuration of some distinct variables: a row counts for
    /// each configuration by its probability given the known fields.
    ///
    /// The last variable changes fastest. These are the counts of the EM algorithm, also for families that
    /// the network does not have. A row that the network rules out is an error.
    ///
    /// # Panics
    /// If a variable is repeated.
    pub fn expected_counts(
        &self,
        rows: &PartialRows,
        vars: &[Var],
        progress: &dyn Progress,
    ) -> Result<Vec<f64>> {
        rows.check(self.network());
        assert_eq!(vars.iter().copied().collect::<VarSet>().len(), vars.len(), "a variable is repeated");
        let asked = vec![vars.to_vec()];
        let pieces =
            self.each(rows, known_in(rows), &asked, false, progress, |piece, row, tree, w| match w {
                Some(w) => piece.sum(&w.answers[..tree.answer_size]),
                None => piece.rule_out(row),
            })?;
        if let Some(&row) = pieces.iter().flat_map(|piece| &piece.ruled_out).min() {
            return Err(self.impossible_row(rows, row, None));
        }
        let mut counts = vec![0.0; vars.iter().map(|v| self.network.cardinality(*v)).product()];
        for piece in pieces {
            counts.iter_mut().zip(piece.numbers).for_each(|(n, p)| *n += p);
        }
        Ok(counts)
    }

    /// Answers a question for each row, with `None` if the network rules it out, and collects the
    /// answers piece by piece.
    fn each(
        &self,
        rows: &PartialRows,
        given: impl Fn(usize) -> Vec<Var>,
        asked: &[Vec<Var>],
        evidence: bool,
        progress: &dyn Progress,
        take: impl Fn(&mut Piece, usize, &JunctionTree, Option<&Workspace>) + Sync,
    ) -> Result<Vec<Piece>> {
        let done = AtomicU64::new(0);
        let of_piece = |tree: &JunctionTree, numbers: &[usize]| -> Result<Piece> {
            let piece = self.with_workspace(|w| {
                let mut piece = Piece::default();
                w.enter(self.network.dag().nodes(), &Given::none());
                for &row in numbers {
                    for (level, field) in w.levels.iter_mut().zip(rows.row(row)) {
                        *level = field.unwrap_or_default();
                    }
                    let ended = w.answer(tree, &self.tables)?;
                    take(&mut piece, row, tree, (ended == Ended::Done).then_some(&*w));
                }
                Ok(piece)
            })?;
            let done = done.fetch_add(numbers.len() as u64, Ordering::Relaxed) + numbers.len() as u64;
            go_on(progress, Event::PartsDone { done, total: rows.len() as u64 })?;
            Ok(piece)
        };
        let of_batch = |batch: &Batch| -> Result<Vec<Piece>> {
            let (asked, given) = (asked.to_vec(), batch.given.clone());
            let tree = self.tree(Question { asked, given, evidence, ..Question::default() })?;
            let pieces: Vec<&[usize]> = batch.rows.chunks(PIECE).collect();
            parallel::try_map(pieces.len(), |i| of_piece(&tree, pieces[i]))
        };
        let batches = batches(rows.len(), given);
        let found: Vec<Vec<Piece>> = parallel::try_map(batches.len(), |i| of_batch(&batches[i]))?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The error for a row that the network rules out, ignoring the field of one variable.
    fn impossible_row(&self, rows: &PartialRows, row: usize, but: Option<Var>) -> Error {
        let fields = rows.row(row).iter().enumerate();
        let known = fields.filter_map(|(v, field)| field.map(|level| (Var::new(v), level)));
        let known = known.filter(|(v, _)| Some(*v) != but);
        let evidence = known.fold(Given::none(), |evidence, (v, level)| evidence.with(v, level));
        match self.impossible(&evidence) {
            Error::Impossible { evidence, .. } => {
                Error::Impossible { place: Some(Place::file(format!("row {}", row + 1))), evidence }
            }
            other => other,
        }
    }

    /// The parents, the children and the other parents of the children.
    fn blanket(&self, v: Var) -> VarSet {
        let dag = self.network.dag();
        let spouses = dag.children(v).iter().flat_map(|c| dag.parents(c).iter());
        dag.parents(v).iter().chain(dag.children(v).iter()).chain(spouses).filter(|&w| w != v).collect()
    }
}

/// The known variables of a row.
fn known_in(rows: &PartialRows) -> impl Fn(usize) -> Vec<Var> + '_ {
    |row| {
        let fields = rows.row(row).iter().enumerate();
        fields.filter(|(_, field)| field.is_some()).map(|(v, _)| Var::new(v)).collect()
    }
}

/// The rows grouped by which variables are given, in order of first occurrence.
fn batches(rows: usize, given: impl Fn(usize) -> Vec<Var>) -> Vec<Batch> {
    let mut place: FxHashMap<Vec<Var>, usize> = FxHashMap::default();
    let mut batches: Vec<Batch> = Vec::new();
    for row in 0..rows {
        let given = given(row);
        let at = match place.get(&given) {
            Some(&at) => at,
            None => {
                place.insert(given.clone(), batches.len());
                batches.push(Batch { given, rows: Vec::new() });
                batches.len() - 1
            }
        };
        batches[at].rows.push(row);
    }
    batches
}

/// The first level such that no other is clearly more probable.
fn most_probable(distribution: &[f64]) -> u16 {
    let most = distribution.iter().copied().fold(0.0, f64::max);
    distribution.iter().position(|&p| p >= most * (1.0 - 1e-12)).unwrap_or_default() as u16
}
