//! A part of the rows of a table, wherever it is held: the questions it gets and its answers.

use super::counter::{Counter, PreparedColumns};
use super::joint::{JointTable, members};
use super::tables::Sweep;
use crate::data::{Column, Dataset, Var, Variable};
use crate::error::{Error, Result};

/// Sweeps in a form that can be sent. Each is the number of given variables, these variables, the target, the
/// number of candidates, and the candidates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Questions(pub Vec<u32>);

impl Questions {
    /// Appends a sweep.
    pub(super) fn push(&mut self, target: Var, given: &[Var], candidates: &[Var]) {
        self.0.push(given.len() as u32);
        self.0.extend(given.iter().map(|v| v.0));
        self.0.extend([target.0, candidates.len() as u32]);
        self.0.extend(candidates.iter().map(|v| v.0));
    }

    /// Shows each sweep; `None` if the numbers are not sweeps of `variables` variables.
    fn read(&self, variables: usize, mut see: impl FnMut(&Sweep<'_>)) -> Option<()> {
        let mut rest = &self.0[..];
        let vars = |rest: &mut &[u32], n: u32| -> Option<Vec<Var>> {
            let vars: Vec<Var> = rest.split_off(..n as usize)?.iter().map(|&v| Var(v)).collect();
            vars.iter().all(|v| v.index() < variables).then_some(vars)
        };
        while let Some(&n) = rest.split_off_first() {
            let given = vars(&mut rest, n)?;
            let target = vars(&mut rest, 1)?[0];
            let &n = rest.split_off_first()?;
            let candidates = vars(&mut rest, n)?;
            see(&Sweep { target, candidates: &candidates, given: &given });
        }
        Some(())
    }
}

/// Counts in a form that can be sent: those of dense tables, which store every cell, and those of listed
/// tables, which store only combinations that occur.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answers {
    /// The cells of the dense tables, one table after another.
    pub dense: Vec<u32>,
    /// For each listed table the number of combinations, then the levels and the count of each.
    pub listed: Vec<u32>,
}

/// A part of the rows of a table, coded with the levels of the whole table.
#[derive(Debug)]
pub struct TablePart {
    levels: Vec<usize>,
    /// The rows and their prepared columns; `None` if there are no rows.
    rows: Option<(Dataset, PreparedColumns)>,
}

impl TablePart {
    /// Recodes rows, which were read separately, with the levels of the whole table; `None` means no rows.
    /// A level that the whole table does not have is an error, and so is a missing column.
    pub fn new(rows: Option<&Dataset>, variables: &[Variable]) -> Result<TablePart> {
        let levels = variables.iter().map(Variable::cardinality).collect();
        let Some(rows) = rows else { return Ok(TablePart { levels, rows: None }) };
        let columns = variables.iter().map(|variable| Ok((variable.clone(), recoded(rows, variable)?)));
        let mut data = Dataset::with_gaps(columns.collect::<Result<_>>()?)?;
        if let Some(weights) = rows.weights() {
            data = data.with_weights(weights.to_vec())?;
        }
        let prepared = Counter::with_all_levels(&data).into_prepared();
        Ok(TablePart { levels, rows: Some((data, prepared)) })
    }

    /// The rows, if there are any.
    pub fn rows(&self) -> Option<&Dataset> {
        self.rows.as_ref().map(|(data, _)| data)
    }

    /// The counts of all tables asked for, over the rows of several partitions together. Questions about
    /// other variables are an error.
    pub fn answer(partitions: &[&TablePart], questions: &Questions) -> Result<Answers> {
        let mut answers = Answers::default();
        let Some(levels) = partitions.first().map(|partition| &partition.levels[..]) else {
            return Ok(answers);
        };
        let counters: Vec<Counter<'_>> = partitions
            .iter()
            .filter_map(|partition| partition.rows.as_ref())
            .map(|(data, prepared)| prepared.counter(data))
            .collect();
        let known = questions.read(levels.len(), |sweep| {
            let empty = |&x: &Var| JointTable::empty(&members(sweep, x), levels);
            let mut tables: Vec<JointTable> = sweep.candidates.iter().map(empty).collect();
            counters.iter().for_each(|counter| JointTable::add_rows(&mut tables, counter, sweep));
            tables.iter().for_each(|table| table.put(&mut answers.dense, &mut answers.listed));
        });
        known.map(|()| answers).ok_or_else(|| Error::Mismatch {
            what: "the questions are not about the variables of these rows".into(),
            accepted: "the questions must come from the learner that agreed on the levels".into(),
        })
    }
}

/// The column of a variable, recoded with the levels of the whole table.
fn recoded(rows: &Dataset, variable: &Variable) -> Result<Column> {
    rows.require_discrete("adding up the counts of several tables")?;
    let v = rows.require(variable.name())?;
    let codes = variable.codes(rows.variable(v).levels().iter().map(String::as_str));
    let level = |row: usize| rows.is_known(row, v).then(|| codes[usize::from(rows.column(v).code(row))]);
    if let Some(row) = (0..rows.rows()).find(|&row| level(row) == Some(None)) {
        return Err(Error::Mismatch {
            what: format!(
                "column {:?} has {:?}, which is not one of its levels",
                variable.name(),
                rows.label(row, v)
            ),
            accepted: format!("the levels that were agreed on are {}", variable.levels().join(", ")),
        });
    }
    Ok(Column::with_gaps((0..rows.rows()).map(|row| level(row).flatten()), variable.cardinality()))
}
