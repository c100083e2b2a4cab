//! A single table outside a sweep.
//!
//! The table of X, Y and Z has the same cells as the table of the last member of Z given X, Y and the other
//! members, in another order. Loops over conditioning sets change the last member most often, so it is
//! counted as the candidate: the strata of all the other variables stay the same and can be reused.

use super::counter::Counter;
use super::gaps::{known_configurations, leave_out_gaps};
use super::kept_tables::{count_and_keep, kept_vars, prefers_parts};
use super::kernel::{Kernel, Shape};
use super::nlogn::NLogN;
use super::same_set::MOST_CELLS;
use super::strata::{Scratch, Strata, block, configurations, declared, shape};
use super::table::Counts;
use super::tables::Sweep;
use super::terms::LogTerms;
use crate::data::Var;

/// A question about one table, and how to answer it.
struct SingleTable<'q> {
    x: Var,
    y: Var,
    z: &'q [Var],
    /// The shape of the table.
    shape: Shape,
    /// The last member of Z and the kernel that counts it as the candidate; `None` if X is the candidate.
    turned: Option<(Var, Kernel)>,
    /// Whether any of the variables has missing values.
    gaps: bool,
    /// Whether X is counted in a few rows at a time.
    in_parts: bool,
}

impl<'q> SingleTable<'q> {
    /// Chooses a kernel and makes the strata that it needs.
    fn new(
        counter: &Counter<'_>,
        x: Var,
        y: Var,
        z: &'q [Var],
        may_use_parts: bool,
        scratch: &mut Scratch,
    ) -> SingleTable<'q> {
        debug_assert!(x != y && !z.contains(&x) && !z.contains(&y), "different variables");
        let shape = shape(counter, y, z).with_candidate(counter.levels(x), counter.increments(x));
        let gaps = z.iter().chain([&y, &x]).any(|&v| counter.has_gaps(v));
        let mut alone = SingleTable { x, y, z, shape, turned: None, gaps, in_parts: false };
        let Some((&last, others)) = z.split_last().filter(|_| Kernel::Scatter.applies(shape)) else {
            return alone;
        };
        let strata: [&[Var]; 2] = [others, &[y, x]];
        let ready = [scratch.bits.holds(counter, &strata), scratch.codes.holds(counter, &strata)];
        let known = counter.known_levels(x) * counter.known_levels(y) * known_configurations(counter, others);
        let turned = Shape {
            x: counter.levels(last),
            t: alone.pairs(),
            z: configurations(counter, others),
            strata: if ready[0] { scratch.bits.strata.occurring() } else { known },
            increments: counter.increments(last),
            ..shape
        };
        let ready = |kernel| match kernel {
            Kernel::Bits => ready[0],
            Kernel::Scatter => ready[1],
            Kernel::Sparse => false,
        };
        if may_use_parts && !gaps && prefers_parts(counter, turned, ready, 2.0) {
            alone.in_parts = true;
            return alone;
        }
        // What has to be made may serve again.
        let kernel = Kernel::choose(turned, counter.simd(), ready, 2.0);
        match kernel {
            Kernel::Bits => scratch.make_bits(counter, &strata),
            Kernel::Scatter => scratch.make_codes(counter, &strata),
            Kernel::Sparse => return alone,
        }
        alone.turned = Some((last, kernel));
        alone
    }

    /// The number of combinations of a level of X and a level of Y.
    fn pairs(&self) -> usize {
        self.shape.x * self.shape.t
    }

    /// Counts the table.
    fn count<'s>(&self, counter: &Counter<'_>, scratch: &'s mut Scratch) -> &'s Counts {
        let SingleTable { x, y, z, .. } = *self;
        let Some((last, kernel)) = self.turned else { return count_as_sweep(counter, x, y, z, scratch) };
        let Scratch { bits, codes, dense_counts, .. } = scratch;
        dense_counts.set_strata(self.shape.t, self.shape.z, block(counter, z));
        dense_counts.set_candidate(self.shape.x, declared(counter, x, y));
        let cells = dense_counts.cells_mut();
        match kernel {
            Kernel::Bits => bits.strata.count(counter.simd(), None, counter.bits(last), self.pairs(), cells),
            _ => codes.strata.count_candidate(counter, last, self.pairs(), cells),
        }
        if self.gaps {
            leave_out_gaps(counter, x, y, z, dense_counts);
        }
        dense_counts.add_up_strata();
        dense_counts.add_up();
        dense_counts
    }
}

/// Counts the table of X, Y and Z.
pub(super) fn count_alone<'s>(
    counter: &Counter<'_>,
    x: Var,
    y: Var,
    z: &[Var],
    scratch: &'s mut Scratch,
) -> &'s Counts {
    SingleTable::new(counter, x, y, z, false, scratch).count(counter, scratch)
}

/// The sums of n·ln n over the table of X, Y and Z.
pub(super) fn log_terms_alone(
    counter: &Counter<'_>,
    x: Var,
    y: Var,
    z: &[Var],
    scratch: &mut Scratch,
    f: &NLogN,
) -> LogTerms {
    let kept = kept_vars(counter, x, y, z);
    if let Some(vars) = &kept
        && let Some(terms) = scratch.kept_tables.log_terms(counter, vars, x, y, f)
    {
        return terms;
    }
    let same_set = scratch.same_set.is_about(counter.id(), x, y, z);
    if same_set && let Some(terms) = scratch.same_set.log_terms(x, y, f) {
        return terms;
    }
    let alone = SingleTable::new(counter, x, y, z, kept.is_some(), scratch);
    if let (true, Some(vars)) = (alone.in_parts, &kept) {
        let Scratch { in_parts, kept_tables, .. } = scratch;
        let sweep = Sweep { target: y, candidates: &[x], given: z };
        count_and_keep(counter, &[sweep], in_parts, kept_tables);
        return kept_tables.log_terms(counter, vars, x, y, f).expect("a table that was kept");
    }
    match alone.turned {
        Some(_) if kept.is_some() => {
            let terms = LogTerms::of(alone.count(counter, scratch), f);
            let Scratch { kept_tables, dense_counts, .. } = scratch;
            kept_tables.keep(counter, x, y, z, dense_counts.xyz());
            terms
        }
        Some(_) if same_set && !alone.gaps && alone.pairs() * alone.shape.z <= MOST_CELLS => {
            let terms = LogTerms::of(alone.count(counter, scratch), f);
            let Scratch { same_set, dense_counts, .. } = scratch;
            same_set.keep(dense_counts, terms.xyz, [x, y], z, |v| counter.levels(v));
            terms
        }
        Some((last, Kernel::Bits)) if !alone.gaps => {
            let levels = (alone.shape.x, alone.shape.t);
            scratch.bits.strata.turned_log_terms(counter.simd(), counter.bits(last), levels, f)
        }
        None => Strata::new(counter, y, z, 1, scratch).log_terms(x, f),
        Some(_) => LogTerms::of(alone.count(counter, scratch), f),
    }
}

fn count_as_sweep<'s>(
    counter: &Counter<'_>,
    x: Var,
    y: Var,
    z: &[Var],
    scratch: &'s mut Scratch,
) -> &'s Counts {
    let mut strata = Strata::new(counter, y, z, 1, scratch);
    let kernel = strata.chosen(x);
    strata.count_by(kernel, x);
    match kernel {
        Kernel::Sparse => &scratch.sparse_counts,
        _ => &scratch.dense_counts,
    }
}
