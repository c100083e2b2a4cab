//! What a person ought to know of the data before trusting what is learned from it.

use rayon::prelude::*;

use crate::counts::Counter;
use crate::data::{Dataset, Var};
use crate::text::{count, listed};

/// Pairs of columns are compared as long as it takes a second or so: by the rows to be counted, and as
/// many as [`EACH_PAIR`] takes the time of.
const MOST_COUNTED: usize = 5_000_000_000;
const EACH_PAIR: usize = 2000;

/// Something about the data that makes results worse or misleading.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Concern {
    /// A column with one value only: it is independent of everything.
    Constant(Var),
    /// Each value of one column occurs with one value of the other only, and the other way about.
    SameInformation(Var, Var),
    /// Each value of the first column occurs with one value of the second only.
    Determines(Var, Var),
    /// Nearly every row has a value of its own.
    LikeAnIdentifier(Var),
    /// Some of the levels that occur have fewer than five rows.
    RareLevels {
        /// The column.
        var: Var,
        /// How many of its levels are rare.
        levels: usize,
    },
}

/// What there is to say about a table, by kind and then by variable.
///
/// ```
/// use ossature::learn::{Concern, concerns};
/// use ossature::{Column, Dataset, Var, Variable};
///
/// let data = Dataset::new(vec![
///     (Variable::new("a", ["0"])?, Column::from_codes([0; 12], 1)),
///     (Variable::new("b", ["0", "1"])?, Column::from_codes([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], 2)),
///     (Variable::new("c", ["0", "1"])?, Column::from_codes([1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0], 2)),
/// ])?;
/// assert_eq!(concerns(&data), [Concern::Constant(Var(0)), Concern::SameInformation(Var(1), Var(2))]);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn concerns(data: &Dataset) -> Vec<Concern> {
    if data.require_tables("this").is_err() {
        return Vec::new();
    }
    let counter = Counter::new(data);
    let levels: Vec<Vec<u32>> = data
        .vars()
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|v| counter.stratify(v, &[], |strata| strata.margins().0.to_vec()))
        .collect();
    let occurring = |v: Var| levels[v.index()].iter().filter(|&&n| n > 0).count();
    let mut found: Vec<Concern> = data.vars().filter(|&v| occurring(v) == 1).map(Concern::Constant).collect();
    let varying: Vec<Var> = data.vars().filter(|&v| occurring(v) > 1).collect();
    let identifier = |v: &Var| data.rows() >= 20 && occurring(*v) * 10 >= data.rows() * 9;
    let pairs = varying.len() * varying.len().saturating_sub(1) / 2;
    if pairs.saturating_mul(data.rows() + EACH_PAIR) <= MOST_COUNTED {
        found.extend(determined(&counter, &varying, &occurring, &identifier));
    }
    found.extend(varying.iter().copied().filter(identifier).map(Concern::LikeAnIdentifier));
    found.extend(varying.iter().filter(|v| !identifier(v)).filter_map(|&var| {
        let rare = levels[var.index()].iter().filter(|&&n| (1..5).contains(&n)).count();
        (rare > 0).then_some(Concern::RareLevels { var, levels: rare })
    }));
    found
}

/// The same in sentences, one for each kind of concern, with the columns it is about. `leaving_out` is what leaves
/// out a column where the sentences are read.
///
/// ```
/// use ossature::learn::concern_sentences;
/// use ossature::{Column, Dataset, Variable};
///
/// let data = Dataset::new(vec![(Variable::new("a", ["0"])?, Column::from_codes([0; 12], 1))])?;
/// let said = concern_sentences(&data, "drop");
/// assert_eq!(said, ["1 column with one value only, so nothing can be learned there: a"]);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn concern_sentences(data: &Dataset, leaving_out: &str) -> Vec<String> {
    let identifier = format!(
        "like an identifier, with a value of its own in nearly every row; {leaving_out} leaves it out"
    );
    let kinds: [(&str, &str); 5] = [
        ("column", "with one value only, so nothing can be learned there"),
        ("pair", "of columns with the same information, so tests cannot tell them apart"),
        ("column", "determined by another one, so tests given that one find nothing more"),
        ("column", &identifier),
        ("column", "with levels that have fewer than five rows"),
    ];
    let name = |v: &Var| data.variable(*v).name();
    let mut about: [Vec<String>; 5] = Default::default();
    for concern in concerns(data) {
        let (kind, shown) = match &concern {
            Concern::Constant(v) => (0, name(v).to_owned()),
            Concern::SameInformation(x, y) => (1, format!("{} and {}", name(x), name(y))),
            Concern::Determines(x, y) => (2, format!("{} by {}", name(y), name(x))),
            Concern::LikeAnIdentifier(v) => (3, name(v).to_owned()),
            Concern::RareLevels { var, levels } => (4, format!("{} ({levels})", name(var))),
        };
        about[kind].push(shown);
    }
    let sentence = |((what, so), columns): (&(&str, &str), &Vec<String>)| {
        format!("{} {so}: {}", count(columns.len(), what), listed(columns))
    };
    kinds.iter().zip(&about).filter(|(_, columns)| !columns.is_empty()).map(sentence).collect()
}

/// Pairs of which one column is a function of the other. Identifiers determine everything, and that
/// is said of them already.
fn determined(
    counter: &Counter<'_>,
    varying: &[Var],
    occurring: &(dyn Fn(Var) -> usize + Sync),
    identifier: &(dyn Fn(&Var) -> bool + Sync),
) -> Vec<Concern> {
    let candidates: Vec<Var> = varying.iter().copied().filter(|v| !identifier(v)).collect();
    candidates
        .par_iter()
        .enumerate()
        .flat_map_iter(|(i, &x)| {
            counter.stratify(x, &[], |strata| {
                let mut found = Vec::new();
                for &y in &candidates[i + 1..] {
                    // As many combinations occur as values: each value has one partner.
                    let cells = strata.count(y).xyz().iter().filter(|&&n| n > 0).count();
                    match (cells == occurring(x), cells == occurring(y)) {
                        (true, true) => found.push(Concern::SameInformation(x, y)),
                        (true, false) => found.push(Concern::Determines(x, y)),
                        (false, true) => found.push(Concern::Determines(y, x)),
                        (false, false) => {}
                    }
                }
                found
            })
        })
        .collect()
}
