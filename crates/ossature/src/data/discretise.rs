//! Numbers cut into intervals, so that a numeric column becomes a discrete one.
//!
//! Intervals are closed on the left and open on the right, and the outermost ones reach to infinity,
//! so that every new number falls into one: cuts at 0 and 1.5 give the levels `(-inf,0)`, `[0,1.5)`
//! and `[1.5,inf)`, in this order. The cuts depend on the values of the column and not on the order
//! of its rows.

use std::fmt;
use std::str::FromStr;

use super::MAX_LEVELS;
use super::coder::MAX_NUMERIC_LABELS;
use crate::error::{Error, Result};
use crate::text::count;

/// A request to cut a numeric column into intervals.
///
/// Written as `COLUMN=METHOD`, split at the last `=`, because the name of a column may contain one:
///
/// ```
/// use ossature::data::{Discretise, Method};
///
/// let age: Discretise = "age=quantile:5".parse()?;
/// assert_eq!(age, Discretise { column: Some("age".into()), method: Method::Quantile(5) });
/// let rest: Discretise = "*=width:4".parse()?;
/// assert_eq!(rest.column, None);
/// assert!("age=cuts:0,1.5,1".parse::<Discretise>().is_err());
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Discretise {
    /// The column, all of whose values must be numbers; or `None`, written `*`, for every column that is
    /// not named itself, has only numbers, and has more distinct values than the requested number of
    /// intervals.
    pub column: Option<String>,
    /// Where to cut.
    pub method: Method,
}

/// Where a numeric column is cut.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// This number of intervals with about equally many rows each. A cut never separates equal
    /// values, so ties make the intervals uneven, and fewer if two cuts coincide.
    Quantile(usize),
    /// This number of intervals of equal width, between the smallest and the largest value; a
    /// single one if these are equal. An interval without rows is kept as a level.
    Width(usize),
    /// At these numbers, which must increase.
    Cuts(Vec<f64>),
    /// Intervals that preserve the information of the column about the other columns with levels, and about those cut
    /// in the same way: beginning with `start` intervals of about equally many rows, the two neighbours whose merging
    /// loses the least mutual information are merged, until there are `intervals` (Hartemink 2001).
    Hartemink {
        /// The number of intervals.
        intervals: usize,
        /// The number of intervals at the start.
        start: usize,
    },
    /// As many intervals as the information about a target justifies, by minimum description length (Fayyad & Irani
    /// 1993). There may be no cut at all, and so a single interval.
    Mdl {
        /// The target column, which has levels.
        target: String,
    },
}

/// The default number of intervals at the start.
const HARTEMINK_START: usize = 20;

impl FromStr for Discretise {
    type Err = Error;

    fn from_str(text: &str) -> Result<Discretise> {
        let (column, method) = text.rsplit_once('=').ok_or_else(|| Error::Mismatch {
            what: format!("{text:?} does not say which column to discretise"),
            accepted: format!("COLUMN={METHODS} is accepted, with * for every numeric column"),
        })?;
        let method = method.parse()?;
        if matches!(&method, Method::Mdl { target } if target == column) {
            return Err(Error::Mismatch {
                what: format!("column {column:?} is to be cut by its information about itself"),
                accepted: "another column is needed as the target".into(),
            });
        }
        let column = (column != "*").then(|| column.to_owned());
        Ok(Discretise { column, method })
    }
}

const METHODS: &str = "quantile:5, width:4, cuts:0,1.5,3, hartemink:3 or mdl:TARGET";

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Method> {
        let parsed = text.split_once(':').and_then(|(kind, value)| match kind {
            "quantile" => value.parse().ok().map(Method::Quantile),
            "width" => value.parse().ok().map(Method::Width),
            "cuts" => value.split(',').map(number).collect::<Option<_>>().map(Method::Cuts),
            "hartemink" => hartemink(value),
            "mdl" => (!value.is_empty()).then(|| Method::Mdl { target: value.to_owned() }),
            _ => None,
        });
        let method = parsed.ok_or_else(|| Error::Mismatch {
            what: format!("{text:?} is not a method to discretise"),
            accepted: format!("{METHODS} are"),
        })?;
        method.check()?;
        Ok(method)
    }
}

/// `3`, or `3:20` with the number of intervals at the start.
fn hartemink(value: &str) -> Option<Method> {
    let (intervals, start) = value.split_once(':').map_or((value, None), |(n, start)| (n, Some(start)));
    let intervals: usize = intervals.parse().ok()?;
    let usual = HARTEMINK_START.max(intervals.saturating_mul(2));
    let start = start.map_or(Some(usual), |start| start.parse().ok())?;
    Some(Method::Hartemink { intervals, start })
}

impl fmt::Display for Discretise {
    /// The notation that [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = self.column.as_deref().unwrap_or("*");
        match &self.method {
            Method::Quantile(n) => write!(f, "{column}=quantile:{n}"),
            Method::Width(n) => write!(f, "{column}=width:{n}"),
            Method::Cuts(cuts) => {
                let cuts: Vec<String> = cuts.iter().map(|&c| plain(c)).collect();
                write!(f, "{column}=cuts:{}", cuts.join(","))
            }
            Method::Hartemink { intervals, start } => write!(f, "{column}=hartemink:{intervals}:{start}"),
            Method::Mdl { target } => write!(f, "{column}=mdl:{target}"),
        }
    }
}

impl Method {
    /// Checks that it can be carried out.
    pub(super) fn check(&self) -> Result<()> {
        let refuse = |what: String, accepted: &str| Err(Error::Mismatch { what, accepted: accepted.into() });
        match self {
            Method::Quantile(n) | Method::Width(n) | Method::Hartemink { intervals: n, .. }
                if !(2..MAX_LEVELS).contains(n) =>
            {
                refuse(
                    format!("a column cannot be cut into {}", count(*n, "interval")),
                    "from 2 to 65535 are accepted",
                )
            }
            Method::Hartemink { intervals, start } if !(*intervals..MAX_LEVELS).contains(start) => refuse(
                format!("{intervals} intervals cannot be made by joining some of {start}"),
                "start with at least as many, up to 65535",
            ),
            Method::Cuts(cuts) if cuts.is_empty() || cuts.len() >= MAX_LEVELS - 1 => refuse(
                format!("a column cannot be cut at {} points", cuts.len()),
                "from 1 to 65534 are accepted",
            ),
            Method::Cuts(cuts) if !cuts.iter().all(|c| c.is_finite()) || !cuts.is_sorted_by(|a, b| a < b) => {
                refuse(format!("a column cannot be cut at {cuts:?}"), "numbers that increase are accepted")
            }
            _ => Ok(()),
        }
    }

    /// The requested number of intervals.
    pub(super) fn intervals(&self) -> usize {
        match self {
            Method::Quantile(n) | Method::Width(n) => *n,
            Method::Hartemink { intervals, .. } => *intervals,
            // A column of one value is constant either way.
            Method::Cuts(_) => 1,
            // As many as a column of labels may well have.
            Method::Mdl { .. } => MAX_NUMERIC_LABELS,
        }
    }

    /// Whether the cuts also depend on other columns.
    pub fn looks_at_others(&self) -> bool {
        matches!(self, Method::Hartemink { .. } | Method::Mdl { .. })
    }

    /// The cuts for these values, in increasing order, by a method that looks at nothing else. Reorders the values.
    pub(super) fn cuts(&self, values: &mut [f64]) -> Vec<f64> {
        match self {
            Method::Quantile(n) => quantile_cuts(values, *n),
            Method::Width(n) => width_cuts(values, *n),
            Method::Cuts(cuts) => cuts.iter().map(|c| c + 0.0).collect(),
            Method::Hartemink { .. } | Method::Mdl { .. } => unreachable!("chosen in `joint`"),
        }
    }
}

/// The finite number that a text stands for; -0 is 0.
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|x| x.is_finite()).map(|x| x + 0.0)
}

/// Cuts are values that occur, at the boundaries between runs of equal values nearest to the wanted
/// ranks; the first of two boundaries that are equally near.
fn quantile_cuts(values: &mut [f64], n: usize) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let rows = values.len();
    let mut cuts = Vec::new();
    for i in 1..n {
        let rank = (i as u64 * rows as u64 / n as u64) as usize;
        let Some(&value) = values.get(rank) else { continue };
        let below = values.partition_point(|&x| x < value);
        let above = values.partition_point(|&x| x <= value);
        let border = if below == 0 || (above < rows && above - rank < rank - below) { above } else { below };
        if let Some(&cut) = values.get(border) {
            cuts.push(cut);
        }
    }
    cuts.dedup();
    cuts
}

fn width_cuts(values: &[f64], n: usize) -> Vec<f64> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Weighted rather than least + i * width: the difference of two finite numbers may be infinite.
    let cut = |i: usize| {
        let part = i as f64 / n as f64;
        least * (1.0 - part) + greatest * part
    };
    let proper = |cuts: &Vec<f64>| {
        cuts.is_sorted_by(|a, b| a < b)
            && cuts.first().is_none_or(|&c| c > least)
            && cuts.last().is_none_or(|&c| c <= greatest)
    };
    // 0.3 reads better than 0.30000000000000004 and is as good a cut, unless the range is so narrow
    // that the rounded cuts meet or leave it.
    let exact: Vec<f64> = if least < greatest { (1..n).map(cut).collect() } else { Vec::new() };
    let rounded: Vec<f64> = exact.iter().map(|c| twelve_digits(*c)).collect();
    if proper(&rounded) {
        return rounded;
    }
    let mut exact = exact;
    exact.retain(|&c| c > least && c <= greatest);
    exact.dedup();
    exact
}

/// A number above `below` and not above `above`: halfway between them if possible, and with few digits if
/// possible.
pub(super) fn between(below: f64, above: f64) -> f64 {
    let middle = below / 2.0 + above / 2.0;
    let fits = |x: &f64| below < *x && *x <= above;
    [twelve_digits(middle), middle].into_iter().find(fits).unwrap_or(above)
}

/// n times its natural logarithm, as entropies need it.
pub(super) fn xlogx(n: u32) -> f64 {
    if n == 0 { 0.0 } else { f64::from(n) * libm::log(f64::from(n)) }
}

fn twelve_digits(x: f64) -> f64 {
    format!("{x:.11e}").parse::<f64>().expect("a formatted number is a number") + 0.0
}

/// The index of the interval of a number.
pub(super) fn interval(cuts: &[f64], x: f64) -> usize {
    cuts.partition_point(|&c| c <= x)
}

/// The levels that the cuts make, in increasing order.
pub(crate) fn interval_labels(cuts: &[f64]) -> Vec<String> {
    let bounds: Vec<String> = cuts.iter().map(|&c| plain(c)).collect();
    let lower = std::iter::once("(-inf".to_owned()).chain(bounds.iter().map(|c| format!("[{c}")));
    let upper = bounds.iter().map(String::as_str).chain(std::iter::once("inf"));
    lower.zip(upper).map(|(lower, upper)| format!("{lower},{upper})")).collect()
}

/// A number as a person would write it, with an exponent only if there would be many zeros.
fn plain(x: f64) -> String {
    if x != 0.0 && !(1e-5..1e16).contains(&x.abs()) { format!("{x:e}") } else { format!("{x}") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cuts(method: &str, values: &[f64]) -> Vec<f64> {
        method.parse::<Method>().unwrap().cuts(&mut values.to_vec())
    }

    #[test]
    fn quantiles_share_the_rows_evenly() {
        assert_eq!(cuts("quantile:3", &[6.0, 1.0, 5.0, 2.0, 4.0, 3.0]), [3.0, 5.0]);
        assert_eq!(cuts("quantile:2", &[1.0, 2.0, 2.0, 2.0]), [2.0]);
    }

    #[test]
    fn ties_merge_cuts_but_do_not_hide_the_rest() {
        let mostly_zero: Vec<f64> = (0..100).map(|i| f64::from((i - 90).max(0))).collect();
        assert_eq!(cuts("quantile:5", &mostly_zero), [1.0]);
        assert!(cuts("quantile:5", &[7.0; 9]).is_empty());
        assert_eq!(cuts("quantile:4", &[1.0, 2.0]), [2.0]);
    }

    #[test]
    fn widths_are_equal_and_readable() {
        assert_eq!(cuts("width:4", &[0.0, 1.0]), [0.25, 0.5, 0.75]);
        assert_eq!(cuts("width:10", &[0.0, 1.0])[2], 0.3);
        assert!(cuts("width:4", &[3.0, 3.0]).is_empty());
        assert_eq!(cuts("width:2", &[-f64::MAX, f64::MAX]), [0.0]);
        let next = f64::from_bits(1.0_f64.to_bits() + 1);
        assert_eq!(cuts("width:4", &[1.0, next]), [next]);
    }

    #[test]
    fn labels_read_well() {
        assert_eq!(interval_labels(&[]), ["(-inf,inf)"]);
        assert_eq!(interval_labels(&[0.0, 1.5]), ["(-inf,0)", "[0,1.5)", "[1.5,inf)"]);
        assert_eq!(interval_labels(&[-1e300, 1e-9]), ["(-inf,-1e300)", "[-1e300,1e-9)", "[1e-9,inf)"]);
        assert_eq!([-1.0, 0.0, 1.4, 1.5].map(|x| interval(&[0.0, 1.5], x)), [0, 1, 1, 2]);
    }

    #[test]
    fn a_wish_is_read_or_refused() {
        let wish: Discretise = "a=b=cuts:-0,1.5,3".parse().unwrap();
        assert_eq!(wish.column.as_deref(), Some("a=b"));
        assert_eq!(wish.method, Method::Cuts(vec![0.0, 1.5, 3.0]));
        assert_eq!(wish.to_string(), "a=b=cuts:0,1.5,3");
        let wish: Discretise = "x=hartemink:3".parse().unwrap();
        assert_eq!(wish.method, Method::Hartemink { intervals: 3, start: 20 });
        assert_eq!(wish.to_string(), "x=hartemink:3:20");
        for text in ["*=quantile:5", "x=width:3", "x=cuts:-1e300,1e-9,0.1", "*=hartemink:15:60", "x=mdl:a:b"]
        {
            assert_eq!(text.parse::<Discretise>().unwrap().to_string(), text);
        }
        for bad in [
            "",
            "x",
            "x=",
            "x=quantile",
            "x=quantile:1",
            "x=width:-1",
            "x=width:65536",
            "x=cuts:",
            "x=cuts:1,1",
            "x=cuts:0,inf",
            "x=cuts:NaN",
            "x=thirds:3",
            "x=hartemink:1",
            "x=hartemink:5:4",
            "x=hartemink:3:",
            "x=mdl:",
        ] {
            assert!(matches!(bad.parse::<Discretise>(), Err(Error::Mismatch { .. })), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn every_cut_separates_values_and_labels_differ(
            mut values in prop::collection::vec(prop_oneof![-3_i8..3, any::<i8>()].prop_map(f64::from), 1..60),
            n in 2_usize..9,
        ) {
            let quantiles = Method::Quantile(n).cuts(&mut values.clone());
            prop_assert!(quantiles.len() < n);
            let mut rows = vec![0; quantiles.len() + 1];
            values.iter().for_each(|&x| rows[interval(&quantiles, x)] += 1);
            prop_assert!(rows.iter().all(|&r| r > 0), "{rows:?}");
            let varied = values.iter().any(|&x| x != values[0]);
            prop_assert_eq!(quantiles.is_empty(), !varied);

            let widths = Method::Width(n).cuts(&mut values);
            prop_assert_eq!(widths.len(), if varied { n - 1 } else { 0 });
            let mut labels = interval_labels(&widths);
            labels.sort();
            labels.dedup();
            prop_assert_eq!(labels.len(), widths.len() + 1);
        }
    }
}
