//! Learning from rows on other machines.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::catalogue::Catalogue;
use super::report::Report;
use super::settings::Settings;
use crate::counts::{GatheredTables, Traffic};
use crate::error::Result;
use crate::progress::{Event, Progress, Stop};
use crate::sources::Sources;

/// The report of a learner on gathered tables, with the cost of gathering.
///
/// It equals that of the same learner on all rows in one table, to the bit, except for the seconds and the hash of the
/// rows. Each thread waits for its own questions, so there should be as many threads as variables, within reason.
pub fn learn_gathered(
    catalogue: &Catalogue,
    settings: &Settings,
    tables: GatheredTables<'_>,
    progress: &dyn Progress,
) -> Result<(Report, Traffic)> {
    let outline = tables.outline()?;
    let tables = Arc::new(tables);
    let sources = Sources::elsewhere(&outline, tables.clone());
    let run = || {
        let watch = GatherWatch { progress, tables: &tables };
        let learned = catalogue.build(settings, &outline)?.learn_from(&sources, &watch)?;
        Ok(Report::of(&learned, &sources, settings)?.with_separations_of(&learned, &sources))
    };
    let report = run();
    // What was found after a round had failed is void, and why it failed says more than that the run was stopped.
    match tables.failure() {
        Some(failure) => Err(failure),
        None => Ok((report?, tables.traffic())),
    }
}

/// Stops the run once a round has failed.
struct GatherWatch<'a> {
    progress: &'a dyn Progress,
    tables: &'a GatheredTables<'a>,
}

impl Progress for GatherWatch<'_> {
    fn report(&self, event: Event) -> ControlFlow<Stop> {
        match self.tables.has_failed() {
            true => ControlFlow::Break(Stop::Cancel),
            false => self.progress.report(event),
        }
    }
}
