//! What a person ought to know of the data before trusting what is learned from it.

use ossature::learn::{Concern, concerns};
use ossature::{Dataset, Var};

use crate::render::{count, listed};
use crate::session::Session;

/// Warns of each kind of concern once, with the columns it is about.
pub(super) fn warn(data: &Dataset, session: &Session<'_>) {
    let name = |v: &Var| data.variable(*v).name();
    let found = concerns(data);
    let of = |shown: &dyn Fn(&Concern) -> Option<String>| found.iter().filter_map(shown).collect::<Vec<_>>();
    let constant = of(&|c| match c {
        Concern::Constant(v) => Some(name(v).to_owned()),
        _ => None,
    });
    let same = of(&|c| match c {
        Concern::SameInformation(x, y) => Some(format!("{} and {}", name(x), name(y))),
        _ => None,
    });
    let determined = of(&|c| match c {
        Concern::Determines(x, y) => Some(format!("{} by {}", name(y), name(x))),
        _ => None,
    });
    let identifiers = of(&|c| match c {
        Concern::LikeAnIdentifier(v) => Some(name(v).to_owned()),
        _ => None,
    });
    let rare = of(&|c| match c {
        Concern::RareLevels { var, levels } => Some(format!("{} ({levels})", name(var))),
        _ => None,
    });
    let say = |columns: &[String], what: &str, so: &str| {
        if !columns.is_empty() {
            let many = count(columns.len() as u64, what);
            session.warn(format!("{many} {so}: {}", listed(columns)));
        }
    };
    say(&constant, "column", "with one value only, so nothing can be learned there");
    say(&same, "pair", "of columns with the same information, so tests cannot tell them apart");
    say(&determined, "column", "determined by another one, so tests given that one find nothing more");
    say(
        &identifiers,
        "column",
        "like an identifier, with a value of its own in nearly every row; --drop leaves it out",
    );
    say(&rare, "column", "with levels that have fewer than five rows");
}
