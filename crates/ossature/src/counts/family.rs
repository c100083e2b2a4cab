//! The counts of a variable for every configuration of its parents.

use crate::data::{Column, Dataset, Var, not_coded};

/// The number of rows coded at a time: few enough to stay in the first-level cache.
const BLOCK: usize = 4096;

/// How often each level of a variable occurs with each configuration of its parents.
///
/// The levels of the variable change fastest, then those of the last parent. Every configuration has an
/// entry, whether or not it occurs, so the caller must make sure that the size is reasonable. Rows in which
/// one of the variables is missing are not counted.
///
/// # Panics
/// If the table has 2^32 entries or more, or the weights of the rows sum to 2^32 or more.
///
/// ```
/// use ossature::{Column, Dataset, Variable, counts};
///
/// let data = Dataset::new(vec![
///     (Variable::new("rain", ["no", "yes"])?, Column::from_codes([0, 0, 1], 2)),
///     (Variable::new("wet", ["no", "yes"])?, Column::from_codes([0, 1, 1], 2)),
/// ])?;
/// let (rain, wet) = (data.require("rain")?, data.require("wet")?);
/// assert_eq!(counts::family(&data, wet, &[rain]), [1, 1, 0, 1]);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn family(data: &Dataset, child: Var, parents: &[Var]) -> Vec<u32> {
    let members = || parents.iter().copied().chain([child]);
    let size = members().fold(1u64, |size, v| size.saturating_mul(data.cardinality(v) as u64));
    let size = u32::try_from(size).expect("a table of fewer than 2^32 entries");
    assert!(u32::try_from(data.total()).is_ok(), "counts of rows fit in 32 bits");
    let mut counts = vec![0u32; size as usize];
    let mut cells = [0u32; BLOCK];
    let gapped: Vec<Var> = members().filter(|&v| data.gaps(v) > 0).collect();
    for start in (0..data.rows()).step_by(BLOCK) {
        let end = data.rows().min(start + BLOCK);
        let cells = &mut cells[..end - start];
        cells.fill(0);
        for v in members() {
            let levels = data.cardinality(v) as u32;
            match data.column(v) {
                Column::Narrow(codes) => push_digit(cells, levels, &codes[start..end]),
                Column::Wide(codes) => push_digit(cells, levels, &codes[start..end]),
                Column::Real(_) => not_coded(),
            }
        }
        let known = |i: usize| gapped.iter().all(|&v| data.is_known(start + i, v));
        match (gapped.is_empty(), data.weights()) {
            (true, None) => cells.iter().for_each(|&cell| counts[cell as usize] += 1),
            (_, weights) => (0..cells.len()).filter(|&i| known(i)).for_each(|i| {
                counts[cells[i] as usize] += weights.map_or(1, |weights| weights[start + i]);
            }),
        }
    }
    counts
}

/// Appends the code of one more variable to the number of each row's configuration.
fn push_digit<C: Copy + Into<u32>>(cells: &mut [u32], levels: u32, codes: &[C]) {
    for (cell, &code) in cells.iter_mut().zip(codes) {
        // The code of a missing value is not a level; such a cell is not used.
        *cell = cell.wrapping_mul(levels).wrapping_add(code.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Variable;

    #[test]
    fn counts_like_a_naive_loop_over_several_blocks() {
        let rows = 2 * BLOCK + 100;
        let column = |levels: u16, step: usize| {
            Column::from_codes((0..rows).map(|r| (r * step / 7) as u16 % levels), usize::from(levels))
        };
        let variable =
            |name: &str, levels: u16| Variable::new(name, (0..levels).map(|l| l.to_string())).unwrap();
        let data = Dataset::new(vec![
            (variable("a", 3), column(3, 5)),
            (variable("b", 300), column(300, 11)),
            (variable("c", 4), column(4, 3)),
        ])
        .unwrap();
        let (a, b, c) = (Var(0), Var(1), Var(2));
        let mut naive = vec![0; 3 * 300 * 4];
        for r in 0..rows {
            let code = |v| usize::from(data.column(v).code(r));
            naive[(code(b) * 3 + code(a)) * 4 + code(c)] += 1;
        }
        assert_eq!(family(&data, c, &[b, a]), naive);
        assert_eq!(family(&data, a, &[]).iter().sum::<u32>() as usize, rows);
    }
}
