//! Which learner the options ask for, and what is known beforehand.
//!
//! The settings start from a preset or from an earlier result, and every option that was given wins.
//! Nothing is computed before they hold together.

use std::path::Path;

use ossature::graph::{self, NamedArc, NamedTier};
use ossature::{Constraints, Dataset, Settings, Variable};
use serde::Deserialize;

use crate::args::{KnowledgeArgs, Learn, LocalArgs};
use crate::failure::Failure;
use crate::session::Session;

/// The settings of `ossature learn`. What is known beforehand and the start are left as they were: they
/// are read from files, see [`Knowledge`].
pub(crate) fn of_learn(args: &Learn, session: &Session) -> Result<Settings, Failure> {
    let learner = &args.learner;
    let name = learner.learner.as_deref().unwrap_or("h2pc");
    let preset = learner.preset.as_deref().unwrap_or("paper");
    let mut settings = match &learner.settings {
        Some(path) => {
            let mut earlier = earlier(path)?;
            if let Some(name) = &learner.learner {
                let named = Settings::of(name, "paper")?;
                (earlier.restrict, earlier.maximise) = (named.restrict, named.maximise);
            }
            earlier
        }
        None => Settings { seed: session.seed, ..Settings::of(name, preset)? },
    };
    set(&mut settings.restrict, learner.restrict.clone());
    set(&mut settings.maximise, learner.maximise.clone());
    set(&mut settings.symmetry, args.symmetry.clone());
    set(&mut settings.seed, session.seed_given);
    set_local(&mut settings, &args.local);
    let search = &args.search;
    set(&mut settings.score, search.score.map(|kind| kind.name().to_owned()));
    set(&mut settings.iss, search.iss);
    set(&mut settings.tabu, search.tabu);
    set(&mut settings.patience, search.patience);
    set(&mut settings.tie_orders, search.tie_orders);
    set(&mut settings.restarts, search.restarts);
    set_some(&mut settings.max_parents, search.max_parents);
    set_some(&mut settings.bootstrap, search.bootstrap);
    Ok(settings)
}

/// The settings that a local learner needs, by name.
pub(crate) fn of_local(learner: &str, args: &LocalArgs, seed: u64) -> Result<Settings, Failure> {
    let mut settings = Settings { seed, ..Settings::of(learner, "paper")? };
    set_local(&mut settings, args);
    Ok(settings)
}

fn set_local(settings: &mut Settings, args: &LocalArgs) {
    set(&mut settings.test, args.test.map(|kind| kind.name().to_owned()));
    set(&mut settings.alpha, args.alpha);
    set_some(&mut settings.power_rule, args.power_rule);
    set(&mut settings.underpowered, args.underpowered.clone());
    set_some(&mut settings.max_conditioning, args.max_conditioning);
    set(&mut settings.weak_learner, args.weak_learner.clone());
}

fn set<T>(setting: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *setting = given;
    }
}

fn set_some<T>(setting: &mut Option<T>, given: Option<T>) {
    if given.is_some() {
        *setting = given;
    }
}

/// The settings of an earlier result.
fn earlier(path: &Path) -> Result<Settings, Failure> {
    #[derive(Deserialize)]
    struct Earlier {
        settings: Settings,
    }
    let text = ossature::file::read_text(path)?;
    let read: Result<Earlier, _> = serde_json::from_str(&text);
    read.map(|earlier| earlier.settings).map_err(|e| {
        let (file, place) = (path.display(), format!("line {}, column {}", e.line(), e.column()));
        let message = e.to_string();
        let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
        Failure::bad_input(format!(
            "{file}, {place}: these are not the settings of an earlier result: {what}"
        ))
        .help("--settings takes what `ossature learn --json` printed or -o FILE.json wrote")
    })
}

/// What is known beforehand, with the lines of the files it comes from.
pub(crate) struct Knowledge {
    required: Vec<NamedArc>,
    forbidden: Vec<NamedArc>,
    tiers: Vec<NamedTier>,
}

impl Knowledge {
    /// Reads the lists that were given; the others are those of the settings. All are recorded there.
    pub(crate) fn read(args: &KnowledgeArgs, settings: &mut Settings) -> Result<Knowledge, Failure> {
        let required = arcs(args.whitelist.as_deref(), &mut settings.whitelist)?;
        let forbidden = arcs(args.blacklist.as_deref(), &mut settings.blacklist)?;
        let tiers = match &args.tiers {
            Some(path) => graph::read_tiers(path)?,
            None => {
                let tier = |(variable, tier): &(String, i64)| NamedTier {
                    variable: variable.clone(),
                    tier: *tier,
                    place: None,
                };
                settings.tiers.iter().map(tier).collect()
            }
        };
        settings.tiers = tiers.iter().map(|t| (t.variable.clone(), t.tier)).collect();
        Ok(Knowledge { required, forbidden, tiers })
    }

    /// The same over the columns of a table; what contradicts itself is an error.
    pub(crate) fn constraints(&self, data: &Dataset) -> Result<Constraints, Failure> {
        let names: Vec<&str> = data.variables().iter().map(Variable::name).collect();
        Ok(Constraints::new(&names, &self.required, &self.forbidden, &self.tiers)?)
    }
}

/// The arcs of a file, or else those of a setting, which is set to them.
fn arcs(path: Option<&Path>, setting: &mut Vec<(String, String)>) -> Result<Vec<NamedArc>, Failure> {
    let arcs = match path {
        Some(path) => graph::read_arcs(path)?,
        None => {
            let arc =
                |(from, to): &(String, String)| NamedArc { from: from.clone(), to: to.clone(), place: None };
            setting.iter().map(arc).collect()
        }
    };
    *setting = arcs.iter().map(|a| (a.from.clone(), a.to.clone())).collect();
    Ok(arcs)
}
