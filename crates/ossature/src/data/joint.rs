//! Cuts that are chosen by looking at other columns.
//!
//! MDL looks at a target; Hartemink's columns look at all columns with levels, and at each other. The result does not
//! depend on the order of rows, columns and levels: labels are numbered in bytewise order, and columns are taken by
//! name.

use super::discretise::interval;
use super::{Method, hartemink, mdl};
use crate::error::{Error, Result};

/// The code of a missing value.
pub(super) const MISSING: u32 = u32::MAX;

/// A column while cuts are chosen.
#[derive(Debug, Clone)]
pub(super) struct Beside {
    pub(super) name: String,
    pub(super) values: BesideValues,
}

#[derive(Debug, Clone)]
pub(super) enum BesideValues {
    /// Numbers to be cut; NaN is a missing value.
    Numbers(Vec<f64>, Method),
    /// Labels, as their ranks in bytewise order.
    Codes(Vec<u32>),
    /// Numbers that stay numbers; no other column looks at them.
    Continuous,
}

/// Chooses the cuts of all columns to be cut; `look` is called regularly and decides whether to go
/// on.
pub(super) fn choose(
    columns: &[Beside],
    look: &(dyn Fn() -> Result<()> + Sync),
) -> Result<Vec<Option<Vec<f64>>>> {
    let mut cuts: Vec<Option<Vec<f64>>> = columns.iter().map(alone).collect();
    for (i, column) in columns.iter().enumerate() {
        if let BesideValues::Numbers(numbers, Method::Mdl { target }) = &column.values {
            look()?;
            cuts[i] = Some(mdl::cuts(numbers, &target_of(column, target, columns, &cuts)?));
        }
    }
    let mut by_name: Vec<usize> = (0..columns.len()).collect();
    by_name.sort_by(|&i, &j| columns[i].name.cmp(&columns[j].name));
    let (mut places, mut moving, mut fixed) = (Vec::new(), Vec::new(), Vec::new());
    for &i in &by_name {
        match (&columns[i].values, &cuts[i]) {
            (BesideValues::Numbers(numbers, Method::Hartemink { intervals, start }), _) => {
                places.push(i);
                moving.push(hartemink::Moving::new(numbers, *intervals, *start));
            }
            (_, cuts) => fixed.extend(codes(&columns[i], cuts.as_deref())),
        }
    }
    if places.len() == 1 && fixed.is_empty() {
        return Err(Error::Mismatch {
            what: format!(
                "column {:?} is to be cut by its information about others, and there is none",
                columns[places[0]].name
            ),
            accepted: "hartemink needs another column, with levels or cut too; quantile and width do not"
                .into(),
        });
    }
    for (i, found) in places.into_iter().zip(hartemink::cuts(moving, &fixed, look)?) {
        cuts[i] = Some(found);
    }
    Ok(cuts)
}

/// The cuts of a column whose method looks at nothing else.
fn alone(column: &Beside) -> Option<Vec<f64>> {
    match &column.values {
        BesideValues::Numbers(numbers, method) if !method.looks_at_others() => {
            let mut known: Vec<f64> = numbers.iter().copied().filter(|x| !x.is_nan()).collect();
            Some(method.cuts(&mut known))
        }
        _ => None,
    }
}

/// The codes of a column that has levels, or whose cuts are known.
fn codes(column: &Beside, cuts: Option<&[f64]>) -> Option<Vec<u32>> {
    let code = |cuts: &[f64], x: f64| if x.is_nan() { MISSING } else { interval(cuts, x) as u32 };
    match (&column.values, cuts) {
        (BesideValues::Codes(codes), _) => Some(codes.clone()),
        (BesideValues::Numbers(numbers, _), Some(cuts)) => {
            Some(numbers.iter().map(|&x| code(cuts, x)).collect())
        }
        _ => None,
    }
}

/// The codes of the target of a column.
fn target_of(column: &Beside, target: &str, all: &[Beside], cuts: &[Option<Vec<f64>>]) -> Result<Vec<u32>> {
    let Some(at) = all.iter().position(|other| other.name == target) else {
        return Err(Error::unknown_name("column", target, all.iter().map(|c| c.name.as_str()), None));
    };
    let refuse = |why: &str| Error::Mismatch {
        what: format!("column {:?} is to be cut by its information about {target:?}, {why}", column.name),
        accepted:
            "a column with levels is accepted as the target of mdl, or one cut by quantile, width or cuts"
                .into(),
    };
    if column.name == target {
        return Err(refuse("which is itself"));
    }
    match &all[at].values {
        BesideValues::Continuous => Err(refuse("which is continuous")),
        BesideValues::Numbers(_, method) if method.looks_at_others() => {
            Err(refuse("which is cut by its information about others"))
        }
        _ => codes(&all[at], cuts[at].as_deref()).ok_or_else(|| refuse("which has no levels")),
    }
}
