//! Directions by colliders and their consequences.

use super::judge::{Says, triples};
use crate::data::Var;
use crate::error::Result;
use crate::graph::{Constraints, Dag, Mark, OpenTriples, Pdag, Skeleton};
use crate::halves::{Found, LearnedGraph, Orient, Task};
use crate::progress::Stop;
use crate::word::Word;

/// What makes a collider of X - Y - Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColliderRule {
    /// Y is not in the set with the largest p.
    #[default]
    MaxP,
    /// Y is in fewer than half of the sets that separate X and Z.
    Majority,
    /// Y is not in the set recorded when X and Z were separated.
    Sepset,
}

impl Word for ColliderRule {
    const WHAT: &'static str = "collider rule";
    const WORDS: &'static [(ColliderRule, &'static str, &'static str)] = &[
        (ColliderRule::MaxP, "max-p", "The set with the largest p decides"),
        (ColliderRule::Majority, "majority", "Most of the sets that separate decide"),
        (ColliderRule::Sepset, "sepset", "The set that separated first decides"),
    ];
}

/// Directs the edges of a skeleton by tests: colliders, and their consequences by Meek's rules.
///
/// X - Y - Z, with X and Z not adjacent, is a collider X -> Y <- Z if the set that separates X and Z does not
/// contain Y. [`ColliderRule`] determines which set that is; the candidates are the sets of neighbours of X and
/// of neighbours of Z, with at most as many members as those the first half tested. Colliders are applied from
/// the most to the least certain, and one that contradicts an earlier direction, or would close a directed
/// cycle, is left out.
///
/// # Requires, ensures
/// With faithful answers and the true skeleton the result is the CPDAG, by each of the rules. Prior
/// knowledge is part of the result and is used in the rules: required arcs, and edges with one forbidden
/// direction.
///
/// # Cost
/// That of a level of PC, for the pairs with a common neighbour.
///
/// # Literature
/// `max-p`: Ramsey (2016), arXiv:1610.00378. `majority`: Colombo & Maathuis (2014),
/// doi:10.5555/2627435.2750365, section 4.2. Rules: Meek (1995), arXiv:1302.4972. Deviations T2 and T3.
#[derive(Debug, Clone, Copy, Default)]
pub struct Colliders {
    /// What makes a collider.
    pub rule: ColliderRule,
}

impl Orient for Colliders {
    fn orient(&self, task: &Task<'_>) -> Result<Found> {
        let inside = task.inside.expect("a half that needs a skeleton is given one");
        let ask = task.ask.expect("a half that asks tests is given them");
        let mut triples = triples(&inside.skeleton, &inside.evidence, self.rule, ask);
        let complete = match ask.stop_requested() {
            None => true,
            Some(Stop::Cancel) => return Err(crate::Error::Stopped),
            Some(Stop::Finish) => false,
        };
        if !complete {
            triples.clear(); // half of the tests is no reason
        }
        let mut work = Work::new(&inside.skeleton, task.constraints);
        let mut open = OpenTriples::default();
        let mut colliders = Vec::new();
        for triple in triples {
            match triple.says {
                Says::Collider(sure) => colliders.push((sure, triple)),
                Says::Open => open.insert(triple.x, triple.y, triple.z),
                Says::None => {}
            }
        }
        // The surest first; the sort keeps those that are equally sure in the order of their names.
        colliders.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        colliders.iter().for_each(|(_, triple)| work.apply(triple.x, triple.y, triple.z));
        work.contradictions = work.graph.orient_by_meek(&open, !task.constraints.is_empty());
        Ok(work.found(complete))
    }

    fn check(&self, _: &[&str], _: Option<&Dag>, _: &Constraints) -> Result<()> {
        Ok(())
    }

    fn uses_score(&self) -> bool {
        false
    }

    fn asks_tests(&self) -> bool {
        true
    }

    fn needs_skeleton(&self) -> bool {
        true
    }
}

/// The graph so far, and what was left out.
struct Work {
    graph: Pdag,
    /// Edges whose only allowed direction would close a cycle of such edges.
    impossible: usize,
    /// Colliders that contradict prior knowledge, that contradict others, or that close a cycle.
    against_knowledge: usize,
    against_others: usize,
    in_a_cycle: usize,
    /// Edges that Meek's rules leave undirected because of contradictions.
    contradictions: usize,
    /// The edges whose direction was known beforehand.
    known: Pdag,
}

impl Work {
    /// Starts with the directions that are known beforehand.
    fn new(skeleton: &Skeleton, constraints: &Constraints) -> Work {
        let mut graph = Pdag::from(skeleton);
        let mut impossible = 0;
        let one_way = |&(x, y): &(Var, Var)| constraints.may_add(x, y) != constraints.may_add(y, x);
        // What is required comes first.
        let mut known: Vec<(Var, Var)> = skeleton.edges().filter(one_way).collect();
        known.sort_by_key(|&(x, y)| !constraints.edge_required(x, y));
        for (x, y) in known {
            let (from, to) = if constraints.may_add(x, y) { (x, y) } else { (y, x) };
            if graph.reaches(to, from) {
                graph.set(x, y, Mark::Absent);
                impossible += 1;
            } else {
                graph.set(from, to, Mark::Forward);
            }
        }
        Work {
            known: graph.clone(),
            graph,
            impossible,
            against_knowledge: 0,
            against_others: 0,
            in_a_cycle: 0,
            contradictions: 0,
        }
    }

    /// Makes a collider of X - Y - Z, unless something contradicts it.
    fn apply(&mut self, x: Var, y: Var, z: Var) {
        let ends = [x, z];
        if ends.iter().any(|&end| self.graph.mark(end, y) == Mark::Absent) {
            return; // an edge that what is known took away
        }
        let turned = |graph: &Pdag, end: &Var| graph.mark(*end, y) == Mark::Backward;
        if ends.iter().any(|end| turned(&self.known, end)) {
            self.against_knowledge += 1;
        } else if ends.iter().any(|end| turned(&self.graph, end)) {
            self.against_others += 1;
        } else if ends.iter().any(|&end| self.graph.reaches(y, end)) {
            self.in_a_cycle += 1;
        } else {
            ends.iter().for_each(|&end| self.graph.set(end, y, Mark::Forward));
        }
    }

    fn found(self, complete: bool) -> Found {
        let class = self.graph.extension().map(|dag| dag.cpdag());
        let mut concerns = Vec::new();
        let mut count = |n: usize, one: &str, many: &str| match n {
            0 => {}
            1 => concerns.push(format!("1 {one}")),
            n => concerns.push(format!("{n} {many}")),
        };
        count(
            self.impossible,
            "edge was left out: the only direction that is allowed would close a cycle",
            "edges were left out: the only direction that is allowed would close a cycle",
        );
        count(
            self.against_knowledge,
            "collider was left out: it contradicts prior knowledge",
            "colliders were left out: they contradict prior knowledge",
        );
        count(
            self.against_others,
            "collider was left out: it contradicts a more certain one",
            "colliders were left out: they contradict more certain ones",
        );
        count(
            self.in_a_cycle,
            "collider was left out: it would close a directed cycle",
            "colliders were left out: they would close a directed cycle",
        );
        count(
            self.contradictions,
            "edge has no direction because the rules contradict each other there",
            "edges have no direction because the rules contradict each other there",
        );
        if class.is_none() {
            let new = self.graph.nearest_extension().map_or(0, |(_, new)| new);
            count(
                new,
                "collider had to be added to get a DAG: no DAG has exactly these directions",
                "colliders had to be added to get a DAG: no DAG has exactly these directions",
            );
        }
        let graph = match class {
            Some(class) if *class.as_pdag() == self.graph => LearnedGraph::Cpdag(class),
            _ => LearnedGraph::Pdag(self.graph),
        };
        Found { complete, concerns, ..Found::graph(graph) }
    }
}
