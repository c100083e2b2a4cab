//! How likely rows are under a network.

use smallvec::SmallVec;

use super::{Distribution, Network};
use crate::data::{Column, Dataset, Var};
use crate::error::{Error, Place, Result};
use crate::parallel;
use crate::progress::{Event, Progress, go_on};

/// The number of rows that one thread takes at a time. Results do not depend on it.
const ROWS: usize = 1024;
/// The number of rows between two reports of progress. Results do not depend on it.
const BATCH: usize = 32 * ROWS;

impl Network {
    /// The natural logarithm of the probability of each row; minus infinity if the network rules it out. A continuous
    /// variable adds the logarithm of its density ([`Regression::ln_density`](super::Regression::ln_density)).
    ///
    /// Columns and levels are matched by name. Columns that the network does not have are ignored; a
    /// variable without a column, and a row with a level that its variable does not have, are errors.
    /// If it is stopped, in either way, there is no result: [`Error::Stopped`].
    ///
    /// ```
    /// use ossature::{Silent, network::catalogue};
    ///
    /// let asia = catalogue::load("asia")?;
    /// let rows = asia.log_likelihood(&asia.sample(1000, 1, &Silent)?, &Silent)?;
    /// let mean = rows.iter().sum::<f64>() / 1000.0;
    /// assert!((-2.4..-2.1).contains(&mean)); // minus the entropy, about
    /// # Ok::<(), ossature::Error>(())
    /// ```
    pub fn log_likelihood(&self, data: &Dataset, progress: &dyn Progress) -> Result<Vec<f64>> {
        data.require_complete("the likelihood of whole rows")?;
        let columns = self.dag.vars().map(|v| Matched::new(self, v, data)).collect::<Result<Vec<_>>>()?;
        let logs = |node: &Distribution| match node {
            Distribution::Table(table) => table.as_slice().iter().map(|&p| libm::log(p)).collect(),
            Distribution::Gaussian(_) => Vec::new(),
        };
        let logs: Vec<Vec<f64>> = self.nodes.iter().map(logs).collect();
        let row = |row: usize| -> f64 {
            let of_node = |v: Var| {
                let parents = self.discrete_parents(v);
                let configuration =
                    parents.fold(0, |q, p| q * self.cardinality(p) + columns[p.index()].code(row));
                match self.distribution(v) {
                    Distribution::Table(_) => {
                        logs[v.index()][configuration * self.cardinality(v) + columns[v.index()].code(row)]
                    }
                    Distribution::Gaussian(gaussian) => {
                        let parents = self.continuous_parents(v).map(|p| columns[p.index()].number(row));
                        let parents: SmallVec<[f64; 8]> = parents.collect();
                        let value = columns[v.index()].number(row);
                        gaussian.row(configuration).ln_density(value, parents.iter().copied())
                    }
                }
            };
            self.dag.vars().map(of_node).sum()
        };
        let total = data.rows();
        let mut found = Vec::with_capacity(total);
        for start in (0..total).step_by(BATCH) {
            let end = total.min(start + BATCH);
            found.extend(parallel::map_ranges(end - start, ROWS, |some| {
                some.map(|i| row(start + i)).collect()
            }));
            go_on(progress, Event::PartsDone { done: end as u64, total: total as u64 })?;
        }
        Ok(found)
    }
}

/// A column of the data, matched to the network.
enum Matched<'a> {
    /// Its codes, and for each the network's code.
    Codes(&'a Column, Vec<usize>),
    /// Its numbers.
    Numbers(&'a [f64]),
}

impl<'a> Matched<'a> {
    fn new(network: &Network, v: Var, data: &'a Dataset) -> Result<Matched<'a>> {
        let variable = network.variable(v);
        let at = data.require(variable.name())?;
        let column = data.column(at);
        match (variable.is_continuous(), column.numbers()) {
            (true, Some(numbers)) => return Ok(Matched::Numbers(numbers)),
            (false, None) => {}
            (true, None) => {
                return Err(Error::Mismatch {
                    what: format!(
                        "column {:?} has labels, and is continuous in the network",
                        variable.name()
                    ),
                    accepted: "numbers are accepted, in a column that is read as continuous".into(),
                });
            }
            (false, Some(_)) => {
                return Err(Error::Mismatch {
                    what: format!(
                        "column {:?} is continuous, and the network has levels for it",
                        variable.name()
                    ),
                    accepted: format!("its levels are {}", variable.levels().join(", ")),
                });
            }
        }
        let code = variable.codes(data.variable(at).levels().iter().map(String::as_str));
        if code.contains(&None)
            && let Some(row) = (0..data.rows()).find(|&row| code[usize::from(column.code(row))].is_none())
        {
            let place = Place::file("the data").column(format!("{}, row {}", variable.name(), row + 1));
            return Err(variable.refuse(data.label(row, at), place));
        }
        // A level that no row has needs no code.
        let code = code.into_iter().map(|c| usize::from(c.unwrap_or_default())).collect();
        Ok(Matched::Codes(column, code))
    }

    fn code(&self, row: usize) -> usize {
        match self {
            Matched::Codes(column, code) => code[usize::from(column.code(row))],
            Matched::Numbers(_) => crate::data::not_coded(),
        }
    }

    fn number(&self, row: usize) -> f64 {
        match self {
            Matched::Codes(..) => f64::NAN,
            Matched::Numbers(numbers) => numbers[row],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Variable;
    use crate::network::bif;
    use crate::progress::{Silent, Stop};

    const GARDEN: &str = "network garden { }
        variable rain { type discrete [ 2 ] { no, yes }; }
        variable wet { type discrete [ 2 ] { no, yes }; }
        probability ( rain ) { table 0.75, 0.25; }
        probability ( wet | rain ) { (no) 1.0, 0.0; (yes) 0.5, 0.5; }";

    fn rows(wet: &[&str], rain: &[&str], codes: [[u16; 3]; 2]) -> Dataset {
        let column = |name, levels: &[&str], codes: [u16; 3]| {
            (Variable::new(name, levels.to_vec()).unwrap(), Column::from_codes(codes, levels.len()))
        };
        Dataset::new(vec![
            column("wet", wet, codes[0]),
            column("rain", rain, codes[1]),
            column("more", &["x"], [0; 3]),
        ])
        .unwrap()
    }

    #[test]
    fn columns_and_levels_are_matched_by_name() {
        let garden = bif::parse(GARDEN, "garden.bif").unwrap().network;
        let data = rows(&["yes", "no"], &["no", "maybe", "yes"], [[1, 0, 0], [0, 0, 2]]);
        let found = garden.log_likelihood(&data, &Silent).unwrap();
        assert_eq!(found, [libm::log(0.75), f64::NEG_INFINITY, libm::log(0.25) + libm::log(0.5)]);
    }

    #[test]
    fn what_the_network_does_not_know_is_refused() {
        let garden = bif::parse(GARDEN, "garden.bif").unwrap().network;
        let data = rows(&["yes", "no"], &["no", "maybe", "yes"], [[1, 0, 0], [0, 1, 2]]);
        let said = garden.log_likelihood(&data, &Silent).unwrap_err().to_string();
        assert_eq!(
            said,
            "the data, column rain, row 2: \"maybe\" is not a level of rain; its levels are \"no\", \"yes\""
        );
        let narrow =
            Dataset::new(vec![(Variable::new("wet", ["no"]).unwrap(), Column::from_codes([0], 1))]).unwrap();
        assert_eq!(
            garden.log_likelihood(&narrow, &Silent).unwrap_err().to_string(),
            "there is no column \"rain\""
        );
    }

    #[test]
    fn it_is_stopped_from_outside() {
        struct Enough;
        impl Progress for Enough {
            fn report(&self, _: Event) -> std::ops::ControlFlow<Stop> {
                std::ops::ControlFlow::Break(Stop::Cancel)
            }
        }
        let garden = bif::parse(GARDEN, "garden.bif").unwrap().network;
        let data = garden.sample(3, 1, &Silent).unwrap();
        assert!(matches!(garden.log_likelihood(&data, &Enough), Err(Error::Stopped)));
        let fitted = crate::network::fit(&data, garden.dag(), crate::network::Prior::None, &Enough);
        assert!(matches!(fitted, Err(Error::Stopped)));
    }
}
