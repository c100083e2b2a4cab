//! Why two variables are adjacent, or not.
//!
//! The answer comes from the report of a run, new or read from a file; if the rows are available too,
//! what a report does not keep is computed again.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::catalogue::constraints;
use super::report::{ArcLoss, SeparationReport};
use super::settings::Settings;
use crate::ci::Outcome;
use crate::data::{Dataset, Var};
use crate::error::{Error, Place, Result};
use crate::graph::{Mark, Pdag, Skeleton};

/// Why two variables are adjacent, or are not. The keys of its JSON are stable.
///
/// ```
/// use ossature::learn::{Catalogue, Preset, Report, Settings, Why};
/// use ossature::network::catalogue;
/// use ossature::Silent;
///
/// let data = catalogue::load("asia")?.sample(2000, 1, &Silent)?;
/// let settings = Settings::of("h2pc", Preset::Recommended)?;
/// let learned = Catalogue::standard().build(&settings, &data)?.learn(&data, &Silent)?;
/// let report = Report::new(&learned, &data, &settings)?.with_separations(&learned, &data);
/// let why = Why::new(&report.to_json(), "lung", "bronc", Some((&data, &settings)))?;
/// assert!(!why.adjacent && why.separated_by.is_some());
/// println!("{}", why.sentences.join("\n"));
/// # Ok::<(), ossature::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Why {
    /// One of the two.
    pub x: String,
    /// The other.
    pub y: String,
    /// Whether they are adjacent in what was learned.
    pub adjacent: bool,
    /// The arc between them as `from -> to`, or `x - y` if the direction is open.
    pub direction: Option<String>,
    /// What the score would lose without the arc.
    pub strength: Option<f64>,
    /// The set that separated them; empty for an unconditional test, null if none is known.
    pub separated_by: Option<Vec<String>>,
    /// The statistic of the test that separated them, or of the unconditional test.
    pub statistic: Option<f64>,
    /// Its degrees of freedom.
    pub df: Option<f64>,
    /// Its p-value.
    pub p: Option<f64>,
    /// Whether that test lacked power, so that independence was assumed.
    pub without_power: Option<bool>,
    /// What decided the direction: `required`, `known`, `collider`, `others`, `open`, `score`, or null.
    pub orientation: Option<&'static str>,
    /// The same in sentences.
    pub sentences: Vec<String>,
}

/// The part of a report that is read.
#[derive(Debug, Deserialize)]
struct Findings {
    result: String,
    nodes: Vec<String>,
    arcs: Option<Vec<(String, String)>>,
    cpdag: Option<Class>,
    skeleton: Option<Vec<(String, String)>>,
    score: Option<ScoreName>,
    losses: Option<Vec<Loss>>,
    separations: Option<Vec<SeparationReport>>,
    settings: Json,
}

#[derive(Debug, Deserialize)]
struct Class {
    directed: Vec<(String, String)>,
    undirected: Vec<(String, String)>,
}

#[derive(Debug, Deserialize)]
struct ScoreName {
    name: String,
}

#[derive(Debug, Clone, Deserialize)]
struct Loss {
    from: String,
    to: String,
    without: f64,
    turned: Option<f64>,
}

/// The graphs of a report, over indices into its list of nodes.
struct Graphs {
    graph: Pdag,
    class: Option<Pdag>,
    skeleton: Option<Skeleton>,
}

impl Why {
    /// The reason why two variables of a report are adjacent or not; more detailed with the rows and the
    /// settings of the run.
    pub fn new(report: &Json, x: &str, y: &str, learned_from: Option<(&Dataset, &Settings)>) -> Result<Why> {
        let findings = Findings::read(report)?;
        let graphs = findings.graphs()?;
        if let Some((data, _)) = learned_from {
            findings.check_columns(data)?;
        }
        let (a, b) = (findings.node(x)?, findings.node(y)?);
        if a == b {
            return Err(Error::Mismatch {
                what: format!("{x} is given twice"),
                accepted: "two different variables are needed".into(),
            });
        }
        let mark = graphs.graph.mark(a, b);
        let mut why = Why {
            x: x.to_owned(),
            y: y.to_owned(),
            adjacent: mark != Mark::Absent,
            direction: None,
            strength: None,
            separated_by: None,
            statistic: None,
            df: None,
            p: None,
            without_power: None,
            orientation: None,
            sentences: Vec::new(),
        };
        let question = EdgeQuestion { findings: &findings, graphs: &graphs, a, b, rows: learned_from };
        if why.adjacent {
            question.edge(&mut why, mark);
        } else {
            question.no_edge(&mut why)?;
        }
        Ok(why)
    }

    fn say(&mut self, sentence: impl Into<String>) {
        self.sentences.push(sentence.into());
    }

    /// Records the outcome to report.
    fn outcome(&mut self, statistic: f64, df: f64, p: f64, has_power: bool) {
        (self.statistic, self.df, self.p) = (Some(statistic), Some(df), Some(p));
        self.without_power = Some(!has_power);
    }
}

impl Findings {
    fn read(report: &Json) -> Result<Findings> {
        Findings::deserialize(report).map_err(|e| {
            Error::syntax(Place::file("the result"), e.to_string(), "the JSON that `learn` writes")
        })
    }

    fn node(&self, name: &str) -> Result<Var> {
        let place = self.nodes.iter().position(|node| node == name);
        let known = || self.nodes.iter().map(String::as_str);
        place.map(Var::new).ok_or_else(|| Error::unknown_name("variable", name, known(), None))
    }

    /// The rows must have the variables of the report, which are found by index.
    fn check_columns(&self, data: &Dataset) -> Result<()> {
        let columns = data.variables().iter().map(crate::data::Variable::name);
        if columns.eq(self.nodes.iter().map(String::as_str)) {
            return Ok(());
        }
        Err(Error::Mismatch {
            what: "the rows have other columns than the result".into(),
            accepted: "the columns that it was learned from are needed".into(),
        })
    }

    fn pairs(&self, pairs: &[(String, String)]) -> Result<Vec<(Var, Var)>> {
        pairs.iter().map(|(x, y)| Ok((self.node(x)?, self.node(y)?))).collect()
    }

    fn graphs(&self) -> Result<Graphs> {
        let n = self.nodes.len();
        let pdag = |directed: &[(String, String)], undirected: &[(String, String)]| -> Result<Pdag> {
            let mut graph = Pdag::empty(n);
            self.pairs(directed)?.into_iter().for_each(|(x, y)| graph.set(x, y, Mark::Forward));
            self.pairs(undirected)?.into_iter().for_each(|(x, y)| graph.set(x, y, Mark::Undirected));
            Ok(graph)
        };
        let class = self.cpdag.as_ref().map(|c| pdag(&c.directed, &c.undirected)).transpose()?;
        let skeleton = match &self.skeleton {
            Some(edges) => {
                let mut skeleton = Skeleton::empty(n);
                self.pairs(edges)?.into_iter().for_each(|(x, y)| _ = skeleton.insert(x, y));
                Some(skeleton)
            }
            None => None,
        };
        let graph = match (self.result.as_str(), &self.arcs, &class, &skeleton) {
            ("dag", Some(arcs), ..) => pdag(arcs, &[])?,
            (_, _, Some(class), _) => class.clone(),
            (.., Some(skeleton)) => Pdag::from(skeleton),
            _ => Pdag::empty(n),
        };
        Ok(Graphs { graph, class, skeleton })
    }
}

/// A question about a report.
struct EdgeQuestion<'a> {
    findings: &'a Findings,
    graphs: &'a Graphs,
    a: Var,
    b: Var,
    rows: Option<(&'a Dataset, &'a Settings)>,
}

impl EdgeQuestion<'_> {
    fn name(&self, v: Var) -> &str {
        &self.findings.nodes[v.index()]
    }

    fn names(&self, vars: &[Var]) -> String {
        let names: Vec<&str> = vars.iter().map(|&v| self.name(v)).collect();
        names.join(", ")
    }

    // An edge.

    fn edge(&self, why: &mut Why, mark: Mark) {
        let (from, to) = if mark == Mark::Backward { (self.b, self.a) } else { (self.a, self.b) };
        let open = self.graphs.class.as_ref().is_some_and(|c| c.mark(from, to) == Mark::Undirected);
        match mark {
            Mark::Undirected => {
                why.say(format!("{} and {} are adjacent.", why.x, why.y));
                why.direction = Some(format!("{} - {}", why.x, why.y));
            }
            _ => {
                let arc = format!("{} -> {}", self.name(from), self.name(to));
                why.say(format!("The network has the arc {arc}."));
                why.direction = Some(if open { format!("{} - {}", why.x, why.y) } else { arc });
            }
        }
        let loss = self.loss(from, to).or_else(|| self.loss(to, from));
        if let Some(loss) = &loss {
            why.strength = Some(loss.without);
            why.say(match loss.without > 0.0 {
                true => {
                    format!("Without it the score{} would be {} lower.", self.score(), decimal(loss.without))
                }
                false => format!("Without it the score{} would not be lower.", self.score()),
            });
        }
        if let Some(outcome) = self.test(&[]) {
            why.outcome(outcome.statistic, outcome.df, outcome.p(), outcome.has_power);
            why.say(format!("Unconditionally the two are {}.", self.verdict(&outcome)));
        }
        if self.findings.separations.is_some() {
            why.say("No set of other variables was found that separates them.");
        }
        if self.findings.result != "skeleton" {
            self.direction(why, from, to, open, loss.as_ref());
        }
    }

    fn loss(&self, from: Var, to: Var) -> Option<Loss> {
        let losses = self.findings.losses.as_ref()?;
        losses.iter().find(|l| l.from == self.name(from) && l.to == self.name(to)).cloned()
    }

    fn score(&self) -> String {
        self.findings.score.as_ref().map(|s| format!(" ({})", s.name)).unwrap_or_default()
    }

    fn direction(&self, why: &mut Why, from: Var, to: Var, open: bool, loss: Option<&Loss>) {
        let arc = |x: Var, y: Var| format!("{} -> {}", self.name(x), self.name(y));
        if self.listed("whitelist", from, to) {
            why.orientation = Some("required");
            return why.say("The arc is required by prior knowledge.");
        }
        if self.opposite_forbidden(from, to) {
            why.orientation = Some("known");
            return why.say(format!("{} is ruled out by prior knowledge.", arc(to, from)));
        }
        if open || self.graphs.graph.mark(from, to) == Mark::Undirected {
            why.orientation = Some("open");
            why.say(match self.findings.result.as_str() {
                "pdag" => {
                    "The direction is open: neither the tests nor prior knowledge determine it. The graph is a PDAG, \
                     not an equivalence class."
                }
                _ => {
                    "The direction is open: in the same equivalence class there is a network with the arc \
                     reversed, and the data cannot distinguish the two."
                }
            });
            return;
        }
        let class = self.graphs.class.as_ref().unwrap_or(&self.graphs.graph);
        let colliders: Vec<Var> =
            class.parents(to).iter().filter(|&z| z != from && class.mark(from, z) == Mark::Absent).collect();
        if let Some(&z) = colliders.first() {
            why.orientation = Some("collider");
            let others = match colliders.len() {
                1 => String::new(),
                n => format!(" (and {} more)", n - 1),
            };
            why.say(format!(
                "The direction is part of a collider{others}: {} <- {}, and {} and {} are not adjacent.",
                arc(from, to),
                self.name(z),
                self.name(from),
                self.name(z)
            ));
            if let Some((_, _, given, _, _, ln_p, _)) = self.separation(from, z)
                && !given.contains(&to.index())
            {
                let given: Vec<Var> = given.iter().map(|&v| Var::new(v)).collect();
                why.say(format!(
                    "{} and {} are independent given {}, without {} (p {}).",
                    self.name(from),
                    self.name(z),
                    self.names(&given),
                    self.name(to),
                    p_value(libm::exp(*ln_p))
                ));
            }
        } else {
            why.orientation = Some("others");
            why.say("The direction follows from those of other arcs: reversed, the arc would make a new collider or close a cycle.");
        }
        match loss.map(|l| l.turned) {
            Some(Some(lost)) if lost > 0.0 => {
                why.say(format!(
                    "With the arc reversed, the score{} would be {} lower.",
                    self.score(),
                    decimal(lost)
                ));
            }
            Some(Some(_)) => why.say("With the arc reversed, the score would not be lower."),
            Some(None) => why.say("Reversed, the arc would close a cycle with the other arcs."),
            None => {}
        }
    }

    // No edge.

    fn no_edge(&self, why: &mut Why) -> Result<()> {
        let (x, y) = (why.x.clone(), why.y.clone());
        why.say(format!("{x} and {y} are not adjacent."));
        if self.edge_forbidden() {
            why.say("Their edge is forbidden by prior knowledge.");
            return Ok(());
        }
        if let Some((_, _, given, statistic, df, ln_p, has_power)) = self.separation(self.a, self.b) {
            let given: Vec<Var> = given.iter().map(|&v| Var::new(v)).collect();
            why.separated_by = Some(given.iter().map(|&v| self.name(v).to_owned()).collect());
            why.outcome(*statistic, *df, libm::exp(*ln_p), *has_power);
            let names = self.names(&given);
            why.say(match has_power {
                true => format!(
                    "They are independent given {names}: {}.",
                    figures(*statistic, *df, libm::exp(*ln_p))
                ),
                false => format!(
                    "Given {names} there were too few rows for a test with power, so independence was assumed."
                ),
            });
        } else if self.findings.separations.is_some() {
            self.given_nothing(why);
        }
        let possible = self.graphs.skeleton.as_ref().is_none_or(|s| s.contains(self.a, self.b));
        if possible && self.findings.result != "skeleton" {
            self.not_added(why)?;
        }
        Ok(())
    }

    /// If no set was kept, either none was needed or the neighbourhood was complete without the other
    /// variable.
    fn given_nothing(&self, why: &mut Why) {
        let Some(outcome) = self.test(&[]) else {
            return why.say(
                "No separating set was kept, so they were unconditionally independent, or left out of each other's \
                 neighbourhood; with the rows, the test can be repeated.",
            );
        };
        why.outcome(outcome.statistic, outcome.df, outcome.p(), outcome.has_power);
        let independent = !outcome.has_power || outcome.p() > self.alpha();
        if independent {
            why.separated_by = Some(Vec::new());
        }
        why.say(format!("Unconditionally they are {}.", self.verdict(&outcome)));
        if !independent {
            why.say("No single set separated them; one end did not keep the other among its neighbours.");
        }
    }

    /// What an arc that the search could have added would have gained.
    fn not_added(&self, why: &mut Why) -> Result<()> {
        let (Some((data, settings)), Some(arcs)) = (self.rows, &self.findings.arcs) else { return Ok(()) };
        if self.findings.score.is_none() || data.is_for_em() {
            return Ok(());
        }
        let score = settings.for_table(data)?.score().build(data)?;
        let parents = |v: Var| {
            let of = arcs.iter().filter(|(_, to)| to == self.name(v));
            of.filter_map(|(from, _)| data.var(from)).collect::<Vec<Var>>()
        };
        for (from, to) in [(self.a, self.b), (self.b, self.a)] {
            let mut with = parents(to);
            let before = score.local(to, &with);
            with.push(from);
            let gain = score.local(to, &with) - before;
            let word = if gain > 0.0 { "higher" } else { "lower" };
            why.say(format!(
                "With the arc {} -> {} the score{} would be {} {word}{}.",
                self.name(from),
                self.name(to),
                self.score(),
                decimal(gain.abs()),
                if gain > 0.0 { ", if the other arcs and the limits allow it" } else { "" }
            ));
        }
        Ok(())
    }

    fn separation(&self, x: Var, y: Var) -> Option<&SeparationReport> {
        let pair = (x.min(y).index(), x.max(y).index());
        self.findings.separations.as_ref()?.iter().find(|s| (s.0, s.1) == pair)
    }

    // The rows and what was known.

    /// The test of the two, if the rows are available and the learner runs tests.
    fn test(&self, z: &[Var]) -> Option<Outcome> {
        let (data, settings) = self.rows?;
        self.findings.separations.as_ref()?;
        Some(settings.for_table(data).ok()?.test().build(data).ok()?.test(self.a, self.b, z))
    }

    fn alpha(&self) -> f64 {
        self.findings.settings["alpha"].as_f64().unwrap_or(0.05)
    }

    fn verdict(&self, outcome: &Outcome) -> String {
        if !outcome.has_power {
            return "assumed to be independent: there were too few rows for a test with power".into();
        }
        let word = if outcome.p() <= self.alpha() { "dependent" } else { "independent" };
        format!("{word}: {}", figures(outcome.statistic, outcome.df, outcome.p()))
    }

    fn listed(&self, list: &str, from: Var, to: Var) -> bool {
        let Some(arcs) = self.findings.settings[list].as_array() else { return false };
        arcs.iter().any(|arc| arc[0] == self.name(from) && arc[1] == self.name(to))
    }

    fn opposite_forbidden(&self, from: Var, to: Var) -> bool {
        match self.rows {
            Some((data, settings)) => constraints(settings, data).is_ok_and(|known| !known.may_add(to, from)),
            None => self.listed("blacklist", to, from),
        }
    }

    fn edge_forbidden(&self) -> bool {
        match self.rows {
            Some((data, settings)) => {
                constraints(settings, data).is_ok_and(|known| known.edge_forbidden(self.a, self.b))
            }
            None => self.listed("blacklist", self.a, self.b) && self.listed("blacklist", self.b, self.a),
        }
    }
}

fn figures(statistic: f64, df: f64, p: f64) -> String {
    let degrees = if df == 1.0 { "degree" } else { "degrees" };
    format!("statistic {}, {df} {degrees} of freedom, p {}", decimal(statistic), p_value(p))
}

fn decimal(x: f64) -> String {
    if x != 0.0 && x.abs() < 0.005 { format!("{x:.1e}") } else { format!("{x:.2}") }
}

fn p_value(p: f64) -> String {
    match p {
        p if p < 1e-300 => "< 1e-300".into(),
        p if p < 1e-4 => format!("= {p:.1e}"),
        p => format!("= {p:.4}"),
    }
}

impl ArcLoss {
    /// Whether the reversed arc would be equally good.
    pub fn is_open(&self) -> bool {
        self.turned.is_some_and(|lost| lost <= 0.0)
    }
}
