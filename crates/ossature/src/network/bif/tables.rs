//! From the entries of a block to a table in the canonical order.

use rustc_hash::FxHashMap;

use super::BifText;
use super::build::BlockFamily;
use super::syntax::{Block, Entry, EntryKind, Name, shown};
use crate::data::{Var, Variable};
use crate::error::{Error, Result, nearest};
use crate::network::{ProbabilityTable, configurations, next_configuration};

/// How far from 1 a sum of probabilities may be without correction.
const EXACT: f64 = 1e-9;
/// How far from 1 it may be and is corrected.
const ROUNDED: f64 = 1e-2;
/// The largest total number of entries of all tables of a file that use a `default`, which is the
/// only way for a few bytes to require any amount of memory.
const MAX_DEFAULTED: u64 = 1 << 24;

/// Makes the tables of a file, one after the other.
pub(super) struct BifTables<'a> {
    source: BifText<'a>,
    variables: &'a [Variable],
    codes: Vec<FxHashMap<&'a str, usize>>,
    defaulted: u128,
    pub(super) normalised_rows: usize,
}

/// The size of a table, and the positions of a file's configurations in it.
///
/// Parents with a single level are left out: they change nothing, and without them the number of
/// parents is small compared with the number of configurations.
struct TableShape {
    levels: usize,
    configurations: u128,
    /// The parents in the order of the file.
    parents: Vec<Var>,
    cardinalities: Vec<usize>,
    /// The distance in the canonical order of two configurations that differ by one in a parent.
    strides: Vec<usize>,
}

impl TableShape {
    fn entries(&self) -> u128 {
        self.configurations.saturating_mul(self.levels as u128)
    }

    fn configuration(&self, codes: &[usize]) -> usize {
        codes.iter().zip(&self.strides).map(|(code, stride)| code * stride).sum()
    }
}

impl<'a> BifTables<'a> {
    pub(super) fn new(variables: &'a [Variable], source: BifText<'a>) -> BifTables<'a> {
        let codes =
            variables.iter().map(|v| v.levels().iter().enumerate().map(|(c, l)| (l.as_str(), c)).collect());
        BifTables { source, variables, codes: codes.collect(), defaulted: 0, normalised_rows: 0 }
    }

    pub(super) fn table(&mut self, family: &BlockFamily<'_>) -> Result<ProbabilityTable> {
        let shape = self.shape(family);
        let entries = &family.block.entries;
        match entries.iter().position(|e| e.kind == EntryKind::Table) {
            None => self.row_table(family, &shape),
            Some(0) if entries.len() == 1 => self.whole_table(family.block, &shape, &entries[0]),
            Some(_) => Err(Error::syntax(
                self.source.place(entries[1].at),
                "another entry beside a `table`",
                "either one `table` or rows, with or without a `default`",
            )),
        }
    }

    fn shape(&self, family: &BlockFamily<'_>) -> TableShape {
        let cardinality = |v: Var| self.variables[v.index()].cardinality();
        let parents: Vec<Var> = family.parents.iter().copied().filter(|&p| cardinality(p) > 1).collect();
        let cardinalities: Vec<usize> = parents.iter().map(|&p| cardinality(p)).collect();
        let configurations = configurations(self.variables, &parents);
        let mut last_first: Vec<usize> = (0..parents.len()).collect();
        last_first.sort_by_key(|&i| std::cmp::Reverse(parents[i]));
        let mut strides = vec![0; parents.len()];
        let mut stride: usize = 1;
        for i in last_first {
            strides[i] = stride;
            stride = stride.saturating_mul(cardinalities[i]);
        }
        TableShape { levels: cardinality(family.child), configurations, parents, cardinalities, strides }
    }

    /// All probabilities at once, the child changing slowest and the last parent fastest.
    fn whole_table(
        &mut self,
        block: &Block<'_>,
        shape: &TableShape,
        entry: &Entry,
    ) -> Result<ProbabilityTable> {
        self.check_length(block, entry, shape.entries())?;
        let numbers = block.numbers(entry);
        let (levels, configurations) = (shape.levels, numbers.len() / shape.levels);
        let mut probabilities = vec![0.0; numbers.len()];
        let mut codes = vec![0; shape.strides.len()];
        for c in 0..configurations {
            let row = &mut probabilities[shape.configuration(&codes) * levels..][..levels];
            for (level, p) in row.iter_mut().enumerate() {
                *p = numbers[level * configurations + c];
            }
            self.normalise(row).map_err(|sum| {
                let found = format!("probabilities{} that sum to {sum}", self.given(shape, &codes));
                let sums_to_1 = |r: &[f64]| (r.iter().sum::<f64>() - 1.0).abs() <= ROUNDED;
                let advice = if numbers.chunks_exact(levels).all(sums_to_1) {
                    "a table in which the first variable changes slowest; this one seems to be transposed"
                } else {
                    "a sum of 1 over the first variable, which changes slowest in a table"
                };
                Error::syntax(self.source.place(entry.at), found, advice)
            })?;
            next_configuration(&mut codes, |i| shape.cardinalities[i]);
        }
        Ok(ProbabilityTable::new(probabilities, levels))
    }

    /// Rows in any order, and a default for the absent ones.
    fn row_table(&mut self, family: &BlockFamily<'_>, shape: &TableShape) -> Result<ProbabilityTable> {
        let block = family.block;
        let default = self.default(block, shape)?;
        let rows = || block.entries.iter().filter(|e| e.kind == EntryKind::Row);
        if (rows().count() as u128) < shape.configurations {
            match default {
                None => return Err(self.missing_row(family, shape)),
                Some(_) => self.allow_default(block, shape)?,
            }
        }
        rows().try_for_each(|entry| self.check_length(block, entry, shape.levels as u128))?;
        // Now the size is bounded by what the file holds or by the limit on defaults. Should there
        // be more rows than configurations, then one is there twice, which comes out below.
        let configurations = shape.configurations as usize;
        let mut probabilities = vec![0.0; configurations * shape.levels];
        let mut seen = vec![false; configurations];
        let mut codes = Vec::new();
        for entry in rows() {
            self.row_codes(family, entry, &mut codes)?;
            let c = shape.configuration(&codes);
            if std::mem::replace(&mut seen[c], true) {
                return Err(Error::Duplicate {
                    what: "the row",
                    name: format!("{}{}", block.child.text, self.given(shape, &codes)),
                    place: Some(self.source.place(entry.at)),
                });
            }
            let row = &mut probabilities[c * shape.levels..][..shape.levels];
            row.copy_from_slice(block.numbers(entry));
            self.normalise_row(row, entry)?;
        }
        if let Some(default) = default {
            for (row, _) in probabilities.chunks_exact_mut(shape.levels).zip(seen).filter(|(_, seen)| !seen) {
                row.copy_from_slice(&default);
            }
        }
        Ok(ProbabilityTable::new(probabilities, shape.levels))
    }

    fn default(&mut self, block: &Block<'_>, shape: &TableShape) -> Result<Option<Vec<f64>>> {
        let mut defaults = block.entries.iter().filter(|e| e.kind == EntryKind::Default);
        let Some(entry) = defaults.next() else { return Ok(None) };
        if let Some(second) = defaults.next() {
            let (name, place) = (block.child.text.to_string(), Some(self.source.place(second.at)));
            return Err(Error::Duplicate { what: "the default of", name, place });
        }
        self.check_length(block, entry, shape.levels as u128)?;
        let mut row = block.numbers(entry).to_vec();
        self.normalise_row(&mut row, entry)?;
        Ok(Some(row))
    }

    fn allow_default(&mut self, block: &Block<'_>, shape: &TableShape) -> Result<()> {
        self.defaulted = self.defaulted.saturating_add(shape.entries());
        if self.defaulted <= u128::from(MAX_DEFAULTED) {
            return Ok(());
        }
        let found = format!("a `default` for the table of {}, which is too large", shown(&block.child.text));
        let expected = format!("at most {MAX_DEFAULTED} entries in all tables that have one");
        Err(Error::syntax(self.source.place(block.child.at), found, expected))
    }

    /// The codes of the parents' levels of a row, with the parents as in [`TableShape`].
    fn row_codes(&self, family: &BlockFamily<'_>, entry: &Entry, codes: &mut Vec<usize>) -> Result<()> {
        let labels = family.block.labels(entry);
        if labels.len() != family.parents.len() {
            return Err(Error::syntax(
                self.source.place(entry.at),
                format!("{} levels of parents", labels.len()),
                format!("{}, one for each parent", family.parents.len()),
            ));
        }
        codes.clear();
        for (label, &parent) in labels.iter().zip(&family.parents) {
            let levels = &self.codes[parent.index()];
            match levels.get(&*label.text) {
                Some(&code) if levels.len() > 1 => codes.push(code),
                Some(_) => {}
                None => return Err(self.unknown_level(label, parent)),
            }
        }
        Ok(())
    }

    fn normalise_row(&mut self, row: &mut [f64], entry: &Entry) -> Result<()> {
        self.normalise(row).map_err(|sum| {
            let found = format!("probabilities that sum to {sum}");
            Error::syntax(self.source.place(entry.at), found, "a sum of 1, give or take 0.01")
        })
    }

    /// Divides a row by its sum if that is near 1 but not near enough. A sum that is too far from 1
    /// is returned as the error.
    fn normalise(&mut self, row: &mut [f64]) -> std::result::Result<(), f64> {
        let sum: f64 = row.iter().sum();
        let off = (sum - 1.0).abs();
        if off > ROUNDED {
            return Err(sum);
        }
        if off > EXACT {
            row.iter_mut().for_each(|p| *p /= sum);
            self.normalised_rows += 1;
        }
        Ok(())
    }

    fn check_length(&self, block: &Block<'_>, entry: &Entry, expected: u128) -> Result<()> {
        let length = block.numbers(entry).len();
        if length as u128 == expected {
            return Ok(());
        }
        let found = format!("{length} probabilities");
        let each = if entry.kind == EntryKind::Table { "level and configuration" } else { "level" };
        Err(Error::syntax(self.source.place(entry.at), found, format!("{expected}, one for each {each}")))
    }

    /// The error for a block that has too few rows: the first configuration without one.
    fn missing_row(&self, family: &BlockFamily<'_>, shape: &TableShape) -> Error {
        let mut given = Vec::new();
        for entry in family.block.entries.iter().filter(|e| e.kind == EntryKind::Row) {
            let mut codes = Vec::new();
            if let Err(error) = self.row_codes(family, entry, &mut codes) {
                return error;
            }
            given.push(codes);
        }
        // There may be more configurations than memory: the rows are sorted and counted along.
        given.sort_unstable();
        given.dedup();
        let mut expected = vec![0; shape.parents.len()];
        for codes in given {
            if codes != expected {
                break;
            }
            next_configuration(&mut expected, |i| shape.cardinalities[i]);
        }
        Error::syntax(
            self.source.place(family.block.child.at),
            format!(
                "no row{} among those of {}",
                self.given(shape, &expected),
                shown(&family.block.child.text)
            ),
            "a row for each configuration of the parents, or a `default`",
        )
    }

    fn unknown_level(&self, label: &Name<'_>, parent: Var) -> Error {
        let variable = &self.variables[parent.index()];
        Error::UnknownLevel {
            place: self.source.place(label.at),
            variable: variable.name().to_owned(),
            found: label.text.to_string(),
            nearest: nearest(&label.text, variable.levels().iter().map(String::as_str)),
            levels: variable.levels().to_vec(),
        }
    }

    /// A configuration in words, ` for rain = yes`; empty if there are no parents.
    fn given(&self, shape: &TableShape, codes: &[usize]) -> String {
        let levels = shape.parents.iter().zip(codes).map(|(p, &code)| {
            let variable = &self.variables[p.index()];
            format!("{} = {}", variable.name(), variable.levels()[code])
        });
        let text = levels.collect::<Vec<_>>().join(", ");
        if text.is_empty() { text } else { format!(" for {text}") }
    }
}
