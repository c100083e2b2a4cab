//! Several files, one table.

use super::builder::Builder;
use super::{ReadOptions, Table};
use crate::error::{Place, Result};
use crate::progress::Progress;

/// A table whose rows come from one file after another.
pub(super) struct Joined<'a> {
    pub(super) options: &'a ReadOptions,
    pub(super) progress: &'a dyn Progress,
    builder: Option<Builder<'a>>,
}

impl<'a> Joined<'a> {
    /// A table without any file yet.
    pub(super) fn new(options: &'a ReadOptions, progress: &'a dyn Progress) -> Joined<'a> {
        Joined { options, progress, builder: None }
    }

    /// Begins a file with these columns; `by_type` says which of them are continuous by type, if the format has types.
    pub(super) fn file(
        &mut self,
        name: &str,
        columns: Vec<String>,
        place: Place,
        by_type: &[bool],
    ) -> Result<&mut Builder<'a>> {
        let builder = match self.builder.take() {
            None => Builder::new(name, columns, place, by_type, self.options, self.progress)?,
            Some(mut builder) => {
                builder.next_file(name, &columns, place, by_type)?;
                builder
            }
        };
        Ok(self.builder.insert(builder))
    }

    /// The table of all rows.
    pub(super) fn finish(self) -> Result<Table> {
        self.builder.expect("a file was read").finish()
    }
}
