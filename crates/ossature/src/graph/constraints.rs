//! Prior knowledge about a graph.
//!
//! A required arc is always present. A forbidden arc never is, and tiers forbid all arcs from a
//! later to an earlier tier. An *edge* is forbidden if both of its directions are; a ban on one
//! direction only restricts the search for directions. Contradictions are refused on construction,
//! with the names, so that every later question has an answer.
//!
//! The lists take as much memory as the constraints given, and the tiers one number per variable:
//! nothing here grows with the number of pairs.

use std::path::Path;

use rustc_hash::FxHashSet;

use super::table::two_columns;
use crate::data::Var;
use crate::error::{Error, Place, Result};
use crate::file;
use crate::graph::{Mark, NamedGraph, Pdag};

/// An arc by the names of its ends, and its place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedArc {
    /// Where it starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// Its place in a file.
    pub place: Option<Place>,
}

/// The tier of a variable by name, and its place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedTier {
    /// The variable.
    pub variable: String,
    /// Its tier; arcs run from lower to higher tiers, or within a tier.
    pub tier: i64,
    /// Its place in a file.
    pub place: Option<Place>,
}

/// Which arcs must, may and must not be in a graph.
///
/// ```
/// use ossature::graph::{Constraints, parse_arcs, parse_tiers};
///
/// let names = ["rain", "season", "slip", "wet"];
/// let required = parse_arcs("from,to\nrain,wet\n", "whitelist.csv")?;
/// let tiers = parse_tiers("variable,tier\nseason,1\nrain,2\nslip,3\n", "tiers.csv")?;
/// let known = Constraints::new(&names, &required, &[], &tiers)?;
///
/// let var = |name| ossature::Var::new(names.binary_search(&name).unwrap());
/// assert!(known.is_required(var("rain"), var("wet")));
/// assert!(!known.may_add(var("rain"), var("season"))); // from a later tier to an earlier
/// assert!(known.may_add(var("wet"), var("season"))); // "wet" is in no tier
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Constraints {
    /// Sorted.
    required: Vec<(Var, Var)>,
    forbidden: FxHashSet<(Var, Var)>,
    /// By variable; empty if there are no tiers.
    tiers: Vec<Option<i64>>,
}

impl Constraints {
    /// No constraints, over any number of variables.
    pub fn none() -> Constraints {
        Constraints::default()
    }

    /// The constraints over variables with these names, which must be sorted and distinct.
    ///
    /// Errors are: an unknown name, both directions of an edge required, a cycle of required arcs,
    /// an arc that is both required and forbidden (by the list or by the tiers), and two tiers for
    /// one variable.
    ///
    /// # Panics
    /// If the names are not in the canonical order.
    pub fn new<N: AsRef<str>>(
        names: &[N],
        required: &[NamedArc],
        forbidden: &[NamedArc],
        tiers: &[NamedTier],
    ) -> Result<Constraints> {
        let names = Names::new(names);
        let tiers = names.tiers(tiers)?;
        let forbidden = forbidden.iter().map(|arc| names.arc(arc)).collect::<Result<_>>()?;
        let mut constraints = Constraints { required: Vec::new(), forbidden, tiers };
        for arc in required {
            let (from, to) = names.arc(arc)?;
            constraints.check_required(arc, from, to)?;
            constraints.required.push((from, to));
        }
        constraints.required.sort_unstable();
        constraints.required.dedup();
        names.check_acyclic(&constraints.required, required)?;
        Ok(constraints)
    }

    /// A required arc may be neither forbidden nor a loop.
    fn check_required(&self, arc: &NamedArc, from: Var, to: Var) -> Result<()> {
        let why = if from == to {
            return Err(Error::Cycle {
                cycle: vec![arc.from.clone(), arc.to.clone()],
                place: arc.place.clone(),
            });
        } else if self.forbidden.contains(&(from, to)) {
            "also forbidden".to_owned()
        } else if let Some((later, earlier)) = self.tiers_against(from, to) {
            format!("forbidden by the tiers ({} is in tier {later}, {} in tier {earlier})", arc.from, arc.to)
        } else {
            return Ok(());
        };
        let place = arc.place.as_ref().map(|p| format!("{p}: ")).unwrap_or_default();
        Err(Error::Mismatch {
            what: format!("{place}the arc {} -> {} is required and {why}", arc.from, arc.to),
            accepted: "a required arc must be allowed".into(),
        })
    }

    /// The two tiers, if they forbid this arc.
    fn tiers_against(&self, from: Var, to: Var) -> Option<(i64, i64)> {
        if self.tiers.is_empty() {
            return None;
        }
        let (start, end) = (self.tiers[from.index()]?, self.tiers[to.index()]?);
        (start > end).then_some((start, end))
    }

    /// The same with further forbidden arcs, none of which may be required.
    ///
    /// # Panics
    /// If a required arc is among them.
    #[must_use]
    pub fn forbidding(&self, arcs: impl IntoIterator<Item = (Var, Var)>) -> Constraints {
        let mut more = self.clone();
        for (from, to) in arcs {
            assert!(!self.is_required(from, to), "an arc that is required cannot be forbidden");
            more.forbidden.insert((from, to));
        }
        more
    }

    /// Whether an arc may be in the graph: it is not forbidden, and the opposite is not required.
    pub fn may_add(&self, from: Var, to: Var) -> bool {
        from != to
            && !self.forbidden.contains(&(from, to))
            && self.tiers_against(from, to).is_none()
            && !self.is_required(to, from)
    }

    /// Whether an arc must be in the graph.
    pub fn is_required(&self, from: Var, to: Var) -> bool {
        self.required.binary_search(&(from, to)).is_ok()
    }

    /// Whether two variables may not be adjacent: neither direction is allowed.
    pub fn edge_forbidden(&self, x: Var, y: Var) -> bool {
        !self.may_add(x, y) && !self.may_add(y, x)
    }

    /// Whether two variables must be adjacent: one direction is required.
    pub fn edge_required(&self, x: Var, y: Var) -> bool {
        self.is_required(x, y) || self.is_required(y, x)
    }

    /// The required arcs, ordered by where they start and then by where they end.
    pub fn required(&self) -> &[(Var, Var)] {
        &self.required
    }

    /// Whether nothing is required or forbidden.
    pub fn is_empty(&self) -> bool {
        self.required.is_empty() && self.forbidden.is_empty() && self.tiers.iter().all(Option::is_none)
    }
}

/// The names of the variables in the canonical order.
struct Names<'a>(Vec<&'a str>);

impl<'a> Names<'a> {
    fn new<N: AsRef<str>>(names: &'a [N]) -> Names<'a> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "names in the canonical order");
        Names(names)
    }

    fn var(&self, name: &str, place: &Option<Place>) -> Result<Var> {
        self.0
            .binary_search(&name)
            .map(Var::new)
            .map_err(|_| Error::unknown_name("variable", name, self.0.iter().copied(), place.clone()))
    }

    fn arc(&self, arc: &NamedArc) -> Result<(Var, Var)> {
        Ok((self.var(&arc.from, &arc.place)?, self.var(&arc.to, &arc.place)?))
    }

    fn tiers(&self, listed: &[NamedTier]) -> Result<Vec<Option<i64>>> {
        if listed.is_empty() {
            return Ok(Vec::new());
        }
        let mut tiers = vec![None; self.0.len()];
        for NamedTier { variable, tier, place } in listed {
            if tiers[self.var(variable, place)?.index()].replace(*tier).is_some() {
                let place = place.clone();
                return Err(Error::Duplicate { what: "variable", name: variable.clone(), place });
            }
        }
        Ok(tiers)
    }

    /// Refuses required arcs that form a cycle, of two arcs or more.
    fn check_acyclic(&self, arcs: &[(Var, Var)], written: &[NamedArc]) -> Result<()> {
        if arcs.is_empty() {
            return Ok(());
        }
        let mut graph = Pdag::empty(self.0.len());
        for &(from, to) in arcs {
            if graph.mark(from, to) == Mark::Backward {
                let (from, to) = (self.0[from.index()], self.0[to.index()]);
                let either = |arc: &&NamedArc| [(from, to), (to, from)].contains(&(&arc.from, &arc.to));
                let place = written.iter().rev().find(either).and_then(|arc| arc.place.as_ref());
                let place = place.map(|p| format!("{p}: ")).unwrap_or_default();
                return Err(Error::Mismatch {
                    what: format!("{place}the arcs {to} -> {from} and {from} -> {to} are both required"),
                    accepted: "at most one direction of an edge can be".into(),
                });
            }
            graph.set(from, to, Mark::Forward);
        }
        let names = self.0.iter().map(|&n| n.to_owned()).collect();
        match NamedGraph::new(names, graph).to_dag() {
            Err(Error::Cycle { cycle, .. }) => {
                let file = written.iter().find_map(|arc| arc.place.as_ref());
                Err(Error::Cycle { cycle, place: file.map(|p| Place::file(&p.file)) })
            }
            other => other.map(drop),
        }
    }
}

/// Reads a list of arcs: CSV with the columns `from` and `to`.
pub fn read_arcs(path: &Path) -> Result<Vec<NamedArc>> {
    parse_arcs(&file::read_text(path)?, &path.display().to_string())
}

/// The arcs of a text in the form that [`read_arcs`] reads; `file` is its name for messages.
pub fn parse_arcs(text: &str, file: &str) -> Result<Vec<NamedArc>> {
    let rows = two_columns(text, file, ["from", "to"])?.into_iter();
    Ok(rows
        .map(|row| {
            let [from, to] = row.fields;
            NamedArc { from, to, place: Some(Place::line(file, row.line)) }
        })
        .collect())
}

/// Reads tiers: CSV with the columns `variable` and `tier`, an integer.
pub fn read_tiers(path: &Path) -> Result<Vec<NamedTier>> {
    parse_tiers(&file::read_text(path)?, &path.display().to_string())
}

/// The tiers of a text in the form that [`read_tiers`] reads; `file` is its name for messages.
pub fn parse_tiers(text: &str, file: &str) -> Result<Vec<NamedTier>> {
    let rows = two_columns(text, file, ["variable", "tier"])?.into_iter();
    rows.map(|row| {
        let ([variable, tier], place) = (row.fields, Place::line(file, row.line));
        match tier.trim().parse() {
            Ok(tier) => Ok(NamedTier { variable, tier, place: Some(place) }),
            Err(_) => {
                Err(Error::syntax(place.column("tier"), format!("{tier:?}"), "an integer, such as 1 or 2"))
            }
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["a", "b", "c", "dee"];
    const A: Var = Var(0);
    const B: Var = Var(1);
    const C: Var = Var(2);
    const D: Var = Var(3);

    fn build(required: &str, forbidden: &str, tiers: &str) -> Result<Constraints> {
        Constraints::new(
            &NAMES,
            &parse_arcs(&format!("from,to\n{required}"), "white.csv")?,
            &parse_arcs(&format!("from,to\n{forbidden}"), "black.csv")?,
            &parse_tiers(&format!("variable,tier\n{tiers}"), "tiers.csv")?,
        )
    }

    fn refused(required: &str, forbidden: &str, tiers: &str) -> String {
        build(required, forbidden, tiers).unwrap_err().to_string()
    }

    #[test]
    fn one_banned_direction_leaves_the_edge() {
        let c = build("", "a,b\nb,c\nc,b\n", "").unwrap();
        assert!(!c.may_add(A, B) && c.may_add(B, A) && !c.edge_forbidden(A, B));
        assert!(c.edge_forbidden(B, C) && c.edge_forbidden(C, B));
        assert!(!c.is_empty());
    }

    #[test]
    fn tiers_forbid_only_the_way_back() {
        let c = build("", "c,a\n", "a,-1\nb,2\nc,2\n").unwrap();
        assert!(c.may_add(A, B) && !c.may_add(B, A));
        assert!(c.may_add(B, C) && c.may_add(C, B), "inside a tier");
        assert!(c.may_add(D, A) && c.may_add(B, D), "no tier, no limit");
        assert!(!c.edge_forbidden(A, C));
        assert!(build("", "a,c\n", "a,1\nc,2\n").unwrap().edge_forbidden(A, C), "list and tiers together");
    }

    #[test]
    fn a_required_arc_excludes_its_opposite() {
        let c = build("b,a\na,dee\nb,a\n", "", "").unwrap();
        assert_eq!(c.required(), [(A, D), (B, A)]);
        assert!(c.is_required(B, A) && !c.is_required(A, B));
        assert!(c.may_add(B, A) && !c.may_add(A, B));
        assert!(c.edge_required(A, B) && !c.edge_forbidden(A, B));
    }

    #[test]
    fn contradictions_are_refused_with_their_names() {
        assert_eq!(
            refused("b,a\na,b\n", "", ""),
            "white.csv, line 3: the arcs a -> b and b -> a are both required; at most one direction of an edge can be"
        );
        let cycle = refused("a,b\nb,c\nc,a\n", "", "");
        assert!(cycle.starts_with("white.csv: the arcs form a cycle: ") && cycle.contains("a -> b -> c"));
        assert!(refused("a,a\n", "", "").starts_with("white.csv, line 2: the arcs form a cycle: a -> a"));
        assert_eq!(
            refused("b,c\na,b\n", "a,b\n", ""),
            "white.csv, line 3: the arc a -> b is required and also forbidden; a required arc must be allowed"
        );
        assert!(refused("a,b\n", "", "a,2\nb,1\n").contains("(a is in tier 2, b in tier 1)"));
    }

    #[test]
    fn names_and_numbers_are_checked() {
        assert_eq!(
            refused("", "a,b\na,de\n", ""),
            "black.csv, line 3: there is no variable \"de\" (did you mean \"dee\"?)"
        );
        assert!(refused("", "", "x,1\n").contains("tiers.csv, line 2: there is no variable \"x\""));
        assert_eq!(refused("", "", "a,1\na,1\n"), "tiers.csv, line 3: variable \"a\" occurs twice");
        assert_eq!(
            refused("", "", "a,first\n"),
            "tiers.csv, line 2, column tier: found \"first\", expected an integer, such as 1 or 2"
        );
    }

    #[test]
    fn nothing_is_required_or_forbidden_by_nothing() {
        let c = build("", "", "").unwrap();
        assert!(c.is_empty() && c.may_add(A, B) && !c.may_add(A, A));
        assert!(Constraints::none().may_add(Var(7), Var(5)));
    }
}
