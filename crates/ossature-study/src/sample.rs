//! The data of a cell: rows, new rows, and variables with meaningless names.
//!
//! The seed of each stream is the first eight bytes of a SHA-256 of (seed, network, size, sample, what it
//! is for), so a sample is the same whatever else is in the grid, on every machine. Names are random per
//! sample: ties between equal changes of a structure are broken by name, and no network should profit
//! from its own names.

use ossature::{Dag, Dataset, Network, Progress, Result, Var, Variable};
use sha2::{Digest, Sha256};

/// A sample of a network as the learners see it.
pub struct Draw<'a> {
    /// The seed of its rows.
    pub seed: u64,
    /// The rows to learn from.
    pub rows: Dataset,
    /// The true structure over the same names.
    pub truth: Dag,
    network: &'a Network,
    names: Vec<usize>,
    id: [String; 3],
    study_seed: u64,
}

impl<'a> Draw<'a> {
    /// The sample with this number. It depends only on these five arguments.
    pub fn new(
        network: &'a Network,
        name: &str,
        size: usize,
        sample: usize,
        study_seed: u64,
        progress: &dyn Progress,
    ) -> Result<Draw<'a>> {
        let id = [name.to_owned(), size.to_string(), sample.to_string()];
        let seed = stream(study_seed, &id, "rows");
        let names = permutation(network.variables().len(), stream(study_seed, &id, "names"));
        let rows = renamed(network.sample(size, seed, progress)?, &names)?;
        let arcs = network.dag().arcs().map(|(from, to)| (renumbered(from, &names), renumbered(to, &names)));
        let truth = Dag::from_arcs(names.len(), arcs).expect("a DAG under other names is one");
        Ok(Draw { seed, rows, truth, network, names, id, study_seed })
    }

    /// New rows of the same network under the same names.
    pub fn new_rows(&self, rows: usize, progress: &dyn Progress) -> Result<Dataset> {
        let seed = stream(self.study_seed, &self.id, "new rows");
        renamed(self.network.sample(rows, seed, progress)?, &self.names)
    }
}

/// The seed of the rows of a sample.
///
/// It is the first eight bytes, lowest first, of the SHA-256 of the words `ossature study`, the seed of the
/// study, the network, the size, the number of the sample from 1 and `rows`, each on a line.
pub fn derived_seed(study_seed: u64, network: &str, size: usize, sample: usize) -> u64 {
    stream(study_seed, &[network.to_owned(), size.to_string(), sample.to_string()], "rows")
}

fn stream(seed: u64, id: &[String; 3], what: &str) -> u64 {
    let [network, size, sample] = id;
    first_bytes(&format!("ossature study\n{seed}\n{network}\n{size}\n{sample}\n{what}\n"))
}

fn first_bytes(text: &str) -> u64 {
    let hash = Sha256::digest(text.as_bytes());
    u64::from_le_bytes(hash[..8].try_into().expect("a SHA-256 has 32 bytes"))
}

/// The position of each variable in a random order: sorted by the hash of its number.
fn permutation(n: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_cached_key(|i| (first_bytes(&format!("{seed}\n{i}\n")), *i));
    let mut place = vec![0; n];
    order.iter().enumerate().for_each(|(at, &i)| place[i] = at);
    place
}

fn renumbered(v: Var, names: &[usize]) -> Var {
    Var::new(names[v.index()])
}

/// The table with its variables called v0001, v0002, … in a random order.
fn renamed(data: Dataset, names: &[usize]) -> Result<Dataset> {
    let digits = names.len().to_string().len().max(4);
    let column = |v: Var| {
        let name = format!("v{:0digits$}", names[v.index()] + 1);
        let variable = match data.variable(v).is_continuous() {
            true => Variable::continuous(name),
            false => Variable::new(name, data.variable(v).levels().iter().cloned())?,
        };
        Ok((variable, data.column(v).clone()))
    };
    Dataset::new(data.vars().map(column).collect::<Result<_>>()?)
}

#[cfg(test)]
mod tests {
    use ossature::{Silent, network::catalogue};

    use super::*;

    /// These numbers must never change: published rows depend on them.
    #[test]
    fn seeds_are_what_they_always_were() {
        assert_eq!(derived_seed(0, "alarm", 500, 1), 15_623_053_423_680_659_811);
        assert_ne!(derived_seed(1, "alarm", 500, 1), derived_seed(0, "alarm", 500, 1));
        assert_eq!(permutation(5, 7), [4, 2, 1, 3, 0]);
    }

    #[test]
    fn continuous_variables_stay_so() {
        let asia = catalogue::load("asia").unwrap().linear_gaussian(0);
        let draw = Draw::new(&asia, "asia:gaussian", 50, 1, 0, &Silent).unwrap();
        let plain = asia.sample(50, draw.seed, &Silent).unwrap();
        assert!(plain.vars().all(|v| plain.column(v) == draw.rows.column(renumbered(v, &draw.names))));
    }

    #[test]
    fn the_names_are_shuffled_and_the_truth_with_them() {
        let asia = catalogue::load("asia").unwrap();
        let draw = Draw::new(&asia, "asia", 400, 1, 0, &Silent).unwrap();
        let plain = asia.sample(400, draw.seed, &Silent).unwrap();
        assert_eq!(draw.rows.variables()[0].name(), "v0001");
        assert_ne!(draw.names, (0..8).collect::<Vec<_>>());
        for v in plain.vars() {
            let w = renumbered(v, &draw.names);
            assert_eq!(plain.column(v), draw.rows.column(w));
            assert_eq!(plain.variable(v).levels(), draw.rows.variable(w).levels());
            assert_eq!(asia.dag().parents(v).len(), draw.truth.parents(w).len());
        }
        let new = draw.new_rows(400, &Silent).unwrap();
        assert_ne!(new, draw.rows, "new rows are other rows");
        assert_eq!(new.variables(), draw.rows.variables());
        let other = Draw::new(&asia, "asia", 400, 2, 0, &Silent).unwrap();
        assert_ne!(other.names, draw.names);
    }
}
