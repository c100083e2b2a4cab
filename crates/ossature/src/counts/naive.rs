//! The obvious way to count, which every kernel is tested and measured against.

use rustc_hash::FxHashMap;

use crate::data::{Column, Dataset, Var};

/// The counts that are not 0, by configuration of Z, level of X and level of Y.
pub type NaiveCounts = FxHashMap<(Vec<u16>, u16, u16), u32>;

/// Counts the combination of each row.
pub fn count(data: &Dataset, x: Var, y: Var, z: &[Var]) -> NaiveCounts {
    let mut counts = NaiveCounts::default();
    let known = |row: &usize| z.iter().chain([&x, &y]).all(|&v| data.is_known(*row, v));
    for row in (0..data.rows()).filter(known) {
        let code = |v: Var| data.column(v).code(row);
        let weight = data.weights().map_or(1, |weights| weights[row]);
        *counts.entry((z.iter().map(|&v| code(v)).collect(), code(x), code(y))).or_default() += weight;
    }
    counts
}

/// The first loop one would write for speed: the mixed-radix code of each row, computed again for each test,
/// is the cell to increment. Returns n_ijk with X changing fastest, then Y.
///
/// It allocates the product of the cardinalities, so it is for small tables and comparisons only.
pub fn scatter(data: &Dataset, x: Var, y: Var, z: &[Var]) -> Vec<u32> {
    let vars: Vec<Var> = z.iter().copied().chain([y, x]).collect();
    let levels: Vec<usize> = vars.iter().map(|&v| data.cardinality(v)).collect();
    let mut counts = vec![0; levels.iter().product()];
    let narrow: Option<Vec<&[u8]>> = vars
        .iter()
        .map(|&v| match data.column(v) {
            Column::Narrow(codes) => Some(codes.as_slice()),
            Column::Wide(_) | Column::Real(_) => None,
        })
        .collect();
    for row in 0..data.rows() {
        let mut cell = 0;
        match &narrow {
            Some(columns) => {
                for (column, levels) in columns.iter().zip(&levels) {
                    cell = cell * levels + usize::from(column[row]);
                }
            }
            None => {
                for (&v, levels) in vars.iter().zip(&levels) {
                    cell = cell * levels + usize::from(data.column(v).code(row));
                }
            }
        }
        counts[cell] += 1;
    }
    counts
}

/// The margins of a dense table, in one pass over its cells: n_i+k, n_+jk and n_++k.
pub fn margins(xyz: &[u32], r: usize, c: usize) -> [Vec<u32>; 3] {
    let slices = xyz.len() / (r * c);
    let [mut xz, mut yz, mut z] = [vec![0; slices * r], vec![0; slices * c], vec![0; slices]];
    for (cell, &n) in xyz.iter().enumerate() {
        let (i, j, k) = (cell % r, cell / r % c, cell / (r * c));
        xz[k * r + i] += n;
        yz[k * c + j] += n;
        z[k] += n;
    }
    [xz, yz, z]
}
