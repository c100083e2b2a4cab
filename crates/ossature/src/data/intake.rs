//! One column of some rows on its way into its coder.
//!
//! Columns arrive one by one, each with all its fields, but the treatment of a row may depend on another column: a row
//! with a missing value is left out, or makes the table invalid. So each column records what it found and in which row,
//! and the [`Builder`](super::builder::Builder) combines the records.

use std::cell::RefCell;

use super::builder::At;
use super::coder::{Coder, Field, Seen};
use crate::error::Error;

/// What a column found in the current rows.
#[derive(Default)]
pub(super) struct Met {
    pub(super) missing: u64,
    pub(super) first_missing: Option<usize>,
    /// The first row that could not be stored, and why.
    pub(super) fault: Option<Box<(usize, Error)>>,
}

/// What to do with the fields.
#[derive(Clone, Copy)]
pub(super) enum Doing<'a> {
    /// All are stored.
    Store,
    /// All are stored until one is missing.
    StoreUntilMissing,
    /// Missing fields are counted.
    Count,
    /// Missing fields are counted, and their rows are marked.
    Mark,
    /// Fields of unmarked rows are stored. Rows after the end of the marks are unmarked.
    StoreUnmarked(&'a [bool]),
}

/// Takes the fields of one column, row by row.
pub(super) struct Intake<'a> {
    /// The position of the column among the fields of a row.
    pub(super) field: usize,
    pub(super) coder: &'a mut Coder,
    pub(super) met: &'a mut Met,
    pub(super) doing: Doing<'a>,
    /// The rows marked by this column and those read with it.
    pub(super) marks: &'a RefCell<Vec<bool>>,
    pub(super) file: &'a str,
    pub(super) at: &'a (dyn Fn(usize) -> At + Sync),
}

impl Intake<'_> {
    /// Takes the field of a row; `None` is a null.
    #[inline(always)]
    pub(super) fn take(&mut self, row: usize, field: Option<Field<'_>>) -> Seen {
        // Nearly every field is a label that is known, of a row that is stored.
        if self.stores_all()
            && let Some(field) = field
            && let Some(code) = self.coder.store_known(field)
        {
            return Seen::Level(code);
        }
        self.take_closely(row, field)
    }

    #[inline(never)]
    fn take_closely(&mut self, row: usize, field: Option<Field<'_>>) -> Seen {
        let seen = self.coder.look(field);
        self.take_seen(row, seen, field);
        seen
    }

    /// Whether the next field is stored, whatever it is.
    #[inline]
    fn stores_all(&self) -> bool {
        let any = match self.doing {
            Doing::Store => true,
            Doing::StoreUntilMissing => self.met.first_missing.is_none(),
            _ => false,
        };
        any && self.met.fault.is_none()
    }

    /// Takes a classified field.
    #[inline]
    pub(super) fn take_seen(&mut self, row: usize, seen: Seen, field: Option<Field<'_>>) {
        if let (Seen::Level(code), true) = (seen, self.stores_all()) {
            return self.coder.push(code);
        }
        let counts = !matches!(self.doing, Doing::StoreUnmarked(_));
        if seen.is_missing() && counts {
            self.met.missing += 1;
            self.met.first_missing.get_or_insert(row);
            if let Doing::Mark = self.doing {
                let mut marks = self.marks.borrow_mut();
                let rows = marks.len().max(row + 1);
                marks.resize(rows, false);
                marks[row] = true;
            }
        }
        let stores = match self.doing {
            Doing::Store => true,
            Doing::StoreUntilMissing => self.met.first_missing.is_none(),
            Doing::StoreUnmarked(marks) => marks.get(row) != Some(&true),
            Doing::Count | Doing::Mark => false,
        };
        if stores && self.met.fault.is_none() {
            let place = |column: &str| (self.at)(row).place(self.file, column);
            if let Err(fault) = self.coder.store(seen, field, place) {
                self.met.fault = Some(Box::new((row, fault)));
            }
        }
    }
}
