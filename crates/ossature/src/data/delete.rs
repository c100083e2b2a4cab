//! Deletes values, to study learners with missing data.

use super::{Column, Dataset, Var};
use crate::error::{Error, Result};
use crate::random::{hash, mix};

impl Dataset {
    /// The table with a share of its values missing completely at random.
    ///
    /// Whether a value is missing depends on the seed, the number of its row and the name of its column. Labels
    /// and numbers are treated alike.
    ///
    /// ```
    /// use ossature::{Silent, network::catalogue};
    ///
    /// let data = catalogue::load("asia")?.sample(1000, 1, &Silent)?;
    /// let less = data.deleting_at_random(0.1, 7)?;
    /// let missing: usize = less.vars().map(|v| less.gaps(v)).sum();
    /// assert!((700..900).contains(&missing)); // of 8000
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn deleting_at_random(&self, share: f64, seed: u64) -> Result<Dataset> {
        if !(0.0..=1.0).contains(&share) {
            return Err(Error::Mismatch {
                what: format!("the share of missing values is {share}"),
                accepted: "a number from 0 to 1 is accepted".into(),
            });
        }
        let data = self.written_out()?;
        let column = |v: Var| {
            let name = hash(data.variable(v).name().bytes());
            let keep = |row: usize| {
                let drawn = (mix(seed, &[name, row as u64]) >> 11) as f64 / (1u64 << 53) as f64;
                drawn >= share && data.is_known(row, v)
            };
            match data.column(v) {
                Column::Real(numbers) => {
                    let numbers = numbers.iter().enumerate();
                    Column::Real(numbers.map(|(row, &x)| if keep(row) { x } else { f64::NAN }).collect())
                }
                codes => {
                    let codes = (0..data.rows()).map(|row| keep(row).then(|| codes.code(row)));
                    Column::with_gaps(codes, data.cardinality(v))
                }
            }
        };
        let columns = data.vars().map(|v| (data.variable(v).clone(), column(v))).collect();
        Ok(Dataset::with_gaps(columns)?.with_policy(self.policy()))
    }
}
