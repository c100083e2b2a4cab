//! What tests given smaller sets show about a test given a larger one.
//!
//! By the chain rule, I(X;Y|Z,W) is at least I(X;Y|W) − I(X;Z|W), and likewise with Y. So if X and Y depend much more on
//! each other given W than one of them does on Z, then they depend on each other given Z and W as well, and nothing need
//! be counted to know it.

use super::outcome::Outcome;

/// Well above the rounding of the statistics, relative to the largest.
const MARGIN: f64 = 1e-9;

/// An outcome that the test of X and Y given Z and W is not weaker than, if there is one. `xy` is G² of X and Y given W, and
/// the others are those of Z with X and with Y, as far as they are known; `df` are the declared degrees of freedom.
///
/// p grows with df, so the declared df, which are never less than the adjusted, keep the bound.
pub(super) fn no_weaker(xy: f64, [xz, yz]: [Option<f64>; 2], df: f64) -> Option<Outcome> {
    let explained = match (xz, yz) {
        (Some(xz), Some(yz)) => xz.min(yz),
        (known, None) | (None, known) => known?,
    };
    let least = xy - explained - MARGIN * (xy + explained);
    (least > 0.0).then(|| Outcome::chi_square(least, df))
}
