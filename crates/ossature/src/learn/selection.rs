//! Some of the rows of a table, chosen independently of their order.

use crate::data::{Column, Dataset, Var};
use crate::error::Result;
use crate::random::below;
use rand::Rng;

/// The rows in the order of their values, whatever the order of the levels; a missing value comes last.
pub(super) fn sorted_rows(data: &Dataset) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..data.rows() as u32).collect();
    let columns: Vec<SortKey<'_>> = data.vars().map(|v| SortKey::new(data, v)).collect();
    rows.sort_by(|&a, &b| {
        let keys = |row: u32| columns.iter().map(move |column| column.of(row as usize));
        keys(a).cmp(keys(b))
    });
    rows
}

/// The sort key of the rows in one column.
enum SortKey<'a> {
    Ranks(&'a Column, Vec<u16>),
    Numbers(&'a [f64]),
}

impl SortKey<'_> {
    fn new(data: &Dataset, v: Var) -> SortKey<'_> {
        match data.column(v) {
            Column::Real(numbers) => SortKey::Numbers(numbers),
            codes => SortKey::Ranks(codes, ranks(data, v)),
        }
    }

    fn of(&self, row: usize) -> u64 {
        match self {
            SortKey::Ranks(codes, ranks) => u64::from(ranks[usize::from(codes.code(row))]),
            // The bits of positive numbers are in their order; those of negative ones in the opposite order.
            SortKey::Numbers(numbers) => {
                let bits = numbers[row].to_bits();
                if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
            }
        }
    }
}

/// The rank of each level of a variable when sorted, with missing values last.
fn ranks(data: &Dataset, v: Var) -> Vec<u16> {
    let levels = data.variable(v).levels();
    let mut sorted: Vec<usize> = (0..levels.len()).collect();
    sorted.sort_unstable_by_key(|&level| &levels[level]);
    let mut ranks = vec![levels.len() as u16; levels.len() + 1];
    sorted.into_iter().enumerate().for_each(|(rank, level)| ranks[level] = rank as u16);
    ranks
}

/// As many rows as the table stands for, drawn at random with replacement.
///
/// `sorted` are its rows in sorted order. The draw is the same for weighted rows and for those rows written out.
pub(super) fn draw_rows(data: &Dataset, sorted: &[u32], random: &mut impl Rng) -> Result<Dataset> {
    let Some(weights) = data.weights() else {
        let drawn: Vec<u32> = sorted.iter().map(|_| sorted[below(random, sorted.len())]).collect();
        return data.select(&drawn);
    };
    let mut ends = Vec::with_capacity(sorted.len());
    let mut total = 0;
    for &row in sorted {
        total += weights[row as usize] as usize;
        ends.push(total);
    }
    let mut times = vec![0u32; sorted.len()];
    for _ in 0..total {
        let drawn = below(random, total);
        times[ends.partition_point(|&end| end <= drawn)] += 1;
    }
    data.select(sorted)?.with_weights(times)
}
