//! Problems in the data to know about before trusting what is learned from it.

use crate::counts::Counter;
use crate::data::{Dataset, Var, quoted_name};
use crate::moments::{Correlations, DEPENDENT, GivenColumns, Moments};
use crate::parallel;
use crate::text::{count, listed};

/// Pairs of columns are compared only if that takes about a second: measured in rows to be counted,
/// plus [`EACH_PAIR`] rows' worth of time per pair.
const MOST_COUNTED: usize = 5_000_000_000;
const EACH_PAIR: usize = 2000;

/// Something about the data that makes results worse or misleading.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Concern {
    /// A column with one value only: it is independent of everything.
    Constant(Var),
    /// Each value of one column occurs with only one value of the other, and vice versa.
    SameInformation(Var, Var),
    /// Each value of the first column occurs with only one value of the second.
    Determines(Var, Var),
    /// Nearly every row has a different value.
    LikeAnIdentifier(Var),
    /// Some of the levels that occur have fewer than five rows.
    RareLevels {
        /// The column.
        var: Var,
        /// The number of its rare levels.
        levels: usize,
    },
    /// A continuous column that is a linear combination of others.
    Collinear(Var),
    /// A discrete column whose levels are many numbers.
    NumbersAsLevels(Var),
}

/// Advice for the sentences about concerns, in the terms of the caller's interface.
#[derive(Debug, Clone, Copy)]
pub struct ConcernAdvice<'a> {
    /// How to leave out a column.
    pub leaving_out: &'a str,
    /// How to treat numeric columns as continuous.
    pub as_numbers: &'a str,
}

/// The concerns about a table, by kind and then by variable.
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
    // Whatever is said of a column is said of the rows in which it has a value.
    let complete = |v: &Var| data.gaps(*v) == 0;
    let continuous: Vec<Var> = data.vars().filter(|&v| data.variable(v).is_continuous()).collect();
    let mut found = of_continuous(data, &continuous);
    let discrete: Vec<Var> =
        data.vars().filter(|&v| !data.variable(v).is_continuous()).filter(complete).collect();
    let counter = Counter::new(data);
    let counts = |&v: &Var| counter.stratify(v, &[], |strata| strata.margins().0.to_vec());
    let counted = discrete.iter().zip(parallel::map_each(&discrete, counts));
    let mut levels: Vec<Vec<u32>> = vec![Vec::new(); data.variables().len()];
    counted.for_each(|(v, counts)| levels[v.index()] = counts);
    let occurring = |v: Var| levels[v.index()].iter().filter(|&&n| n > 0).count();
    found.extend(discrete.iter().copied().filter(|&v| occurring(v) == 1).map(Concern::Constant));
    let like_an_identifier = |v: Var| data.total() >= 20 && occurring(v) * 10 >= data.total() * 9;
    let numbers = |v: &Var| {
        let levels = || data.variable(*v).levels().iter();
        // Whole numbers, another one in nearly every row, are names of rows.
        let name_rows = || like_an_identifier(*v) && levels().all(|level| level.parse::<i64>().is_ok());
        occurring(*v) > MOST_NUMERIC_LEVELS && levels().all(|level| is_number(level)) && !name_rows()
    };
    let as_levels: Vec<Var> = discrete.iter().copied().filter(numbers).collect();
    let varying: Vec<Var> =
        discrete.iter().copied().filter(|v| occurring(*v) > 1 && !as_levels.contains(v)).collect();
    let identifier = |v: &Var| like_an_identifier(*v);
    let pairs = varying.len() * varying.len().saturating_sub(1) / 2;
    if pairs.saturating_mul(data.rows() + EACH_PAIR) <= MOST_COUNTED {
        found.extend(determined(&counter, &varying, &occurring, &identifier));
    }
    found.extend(varying.iter().copied().filter(identifier).map(Concern::LikeAnIdentifier));
    found.extend(varying.iter().filter(|v| !identifier(v)).filter_map(|&var| {
        let rare = levels[var.index()].iter().filter(|&&n| (1..5).contains(&n)).count();
        (rare > 0).then_some(Concern::RareLevels { var, levels: rare })
    }));
    found.extend(as_levels.into_iter().map(Concern::NumbersAsLevels));
    found
}

/// More distinct numbers than this are probably measurements, not levels.
const MOST_NUMERIC_LEVELS: usize = 10;

/// The largest number of continuous columns that are checked for linear combinations.
const MOST_COMBINED: usize = 500;

fn is_number(level: &str) -> bool {
    level.trim().parse::<f64>().is_ok_and(f64::is_finite)
}

/// Columns without variance, copies up to a factor, and linear combinations of others.
fn of_continuous(data: &Dataset, continuous: &[Var]) -> Vec<Concern> {
    let one_value = |v: Var| {
        let mut known = data.column(v).numbers().into_iter().flatten().filter(|x| !x.is_nan());
        let first = known.next();
        known.all(|x| Some(x) == first)
    };
    let (constant, varying): (Vec<Var>, Vec<Var>) = continuous.iter().partition(|&&v| one_value(v));
    let mut found: Vec<Concern> = constant.into_iter().map(Concern::Constant).collect();
    if varying.len() < 2 || varying.len() > MOST_COMBINED || varying.iter().any(|&v| data.gaps(v) > 0) {
        return found;
    }
    let Ok(moments) = Moments::of_continuous(data) else { return found };
    let column = |v: Var| moments.columns(v).start;
    // Fewer rows than columns make every column a combination of others.
    let mut given = (varying.len() + 1 < data.rows()).then(GivenColumns::default);
    let mut row = Vec::new();
    for (i, &v) in varying.iter().enumerate() {
        let copy =
            varying[..i].iter().find(|&&w| moments.correlation(column(w), column(v)).abs() > 1.0 - 1e-12);
        let left = given.as_mut().map(|given| given.push(&moments, column(v), &mut row));
        match (copy, left) {
            (Some(&w), _) => found.push(Concern::SameInformation(w, v)),
            (None, Some(left)) if left <= DEPENDENT => found.push(Concern::Collinear(v)),
            _ => {}
        }
    }
    found
}

/// The same in sentences, one for each kind of concern, with the columns it is about.
///
/// ```
/// use ossature::learn::{ConcernAdvice, concern_sentences};
/// use ossature::{Column, Dataset, Variable};
///
/// let data = Dataset::new(vec![(Variable::new("a", ["0"])?, Column::from_codes([0; 12], 1))])?;
/// let said = concern_sentences(&data, ConcernAdvice { leaving_out: "drop", as_numbers: "kinds" });
/// assert_eq!(said, ["1 column with only one value, and so without information: a"]);
/// # Ok::<(), ossature::Error>(())
/// ```
pub fn concern_sentences(data: &Dataset, advice: ConcernAdvice<'_>) -> Vec<String> {
    let ConcernAdvice { leaving_out, as_numbers } = advice;
    let numbers =
        format!("of numbers in which every value is a separate level; {as_numbers} treats them as numbers");
    let identifier = format!(
        "like an identifier, with a different value in nearly every row; {leaving_out} leaves it out"
    );
    let kinds: [(&str, &str); 7] = [
        ("column", "with only one value, and so without information"),
        ("pair", "of columns with the same information, so tests cannot distinguish them"),
        ("column", "determined by another one, so tests given that one find nothing more"),
        ("column", &identifier),
        ("column", "with levels that have fewer than five rows"),
        ("column", "equal to a linear combination of others, so tests given those find nothing more"),
        ("column", &numbers),
    ];
    let name = |v: &Var| data.variable(*v).name();
    let mut about: [Vec<String>; 7] = Default::default();
    for concern in concerns(data) {
        let (kind, shown) = match &concern {
            Concern::Constant(v) => (0, name(v).to_owned()),
            Concern::SameInformation(x, y) => (1, format!("{} and {}", name(x), name(y))),
            Concern::Determines(x, y) => (2, format!("{} by {}", name(y), name(x))),
            Concern::LikeAnIdentifier(v) => (3, quoted_name(name(v))),
            Concern::RareLevels { var, levels } => (4, format!("{} ({levels})", name(var))),
            Concern::Collinear(v) => (5, name(v).to_owned()),
            Concern::NumbersAsLevels(v) => (6, name(v).to_owned()),
        };
        about[kind].push(shown);
    }
    let sentence = |((what, so), columns): (&(&str, &str), &Vec<String>)| {
        format!("{} {so}: {}", count(columns.len(), what), listed(columns))
    };
    kinds.iter().zip(&about).filter(|(_, columns)| !columns.is_empty()).map(sentence).collect()
}

/// Pairs in which one column is a function of the other. Identifiers, which determine everything,
/// are reported separately.
fn determined(
    counter: &Counter<'_>,
    varying: &[Var],
    occurring: &(dyn Fn(Var) -> usize + Sync),
    identifier: &(dyn Fn(&Var) -> bool + Sync),
) -> Vec<Concern> {
    let candidates: Vec<Var> = varying.iter().copied().filter(|v| !identifier(v)).collect();
    let with_later = |i: usize| {
        let x = candidates[i];
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
    };
    parallel::map(candidates.len(), with_later).into_iter().flatten().collect()
}
