//! Room for the rows of a column.

use super::{Cells, Coder};
use crate::error::{Error, Result};
use crate::text::count;

/// Makes room for more rows in all columns, or says that there is not enough memory. All columns have the same
/// number of rows so far.
pub(in crate::data) fn make_room<'a>(
    coders: impl ExactSizeIterator<Item = &'a mut Coder>,
    rows: usize,
) -> Result<()> {
    let columns = coders.len();
    for coder in coders {
        let (so_far, room) = match &mut coder.cells {
            Cells::Narrow(codes) => (codes.len(), grow(codes, rows)),
            Cells::Wide(codes) => (2 * codes.len(), grow(codes, rows)),
            Cells::Numbers(numbers) => (8 * numbers.len(), grow(numbers, rows)),
        };
        if !room {
            let what = format!("more rows of the {} of the table", count(columns, "column"));
            return Err(Error::Memory { what, bytes: so_far as u128 * columns as u128 });
        }
    }
    Ok(())
}

/// Makes room for these cells; returns whether there was enough memory.
fn grow<T>(cells: &mut Vec<T>, more: usize) -> bool {
    let free = cells.capacity() - cells.len();
    free >= more || cells.try_reserve_exact(more.max(step(cells))).is_ok()
}

/// By how much a column grows: an eighth instead of doubling, because all columns grow together and the table would
/// take twice its size.
fn step<T>(cells: &[T]) -> usize {
    cells.len() / 8 + 1024
}

/// Widens codes from one byte to two.
#[cold]
pub(super) fn widened(codes: &[u8]) -> Vec<u16> {
    let mut wide = Vec::with_capacity(codes.len() + step(codes));
    wide.extend(codes.iter().map(|&c| u16::from(c)));
    wide
}

/// Appends to a column.
#[inline(always)]
pub(super) fn append<T>(cells: &mut Vec<T>, cell: T) {
    if cells.len() == cells.capacity() {
        cells.reserve_exact(step(cells));
    }
    cells.push(cell);
}
