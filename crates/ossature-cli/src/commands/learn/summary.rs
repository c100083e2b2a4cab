//! The result of learning, for people to read.

use std::fmt;
use std::time::Duration;

use ossature::Report;
use ossature::learn::catalogue::rows;
use ossature::learn::{AlternativeReport, ArcLoss, ArcStrength, BootstrapReport, TruthReport};
use ossature::word::Word;

use crate::render::{self, Align, count, decimal, thousands};

/// The largest number of arcs shown.
const SHOWN: usize = 10;

/// A direction with at most this share is a coin toss; and the largest number of these to name.
const COIN_TOSS: f64 = 0.6;
const NAMED: usize = 5;

/// A report.
pub(super) struct Summary<'a> {
    pub(super) report: &'a Report,
    pub(super) verbose: bool,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<Vec<String>> =
            self.facts().into_iter().map(|(what, value)| vec![what.to_owned(), value]).collect();
        f.write_str(&render::table(&[Align::Left, Align::Left], &rows))?;
        match &self.report.bootstrap {
            Some(sure) => surest(sure, f)?,
            None => self.strongest(f)?,
        }
        match &self.report.alternatives {
            Some(classes) => alternatives(classes, f),
            None => Ok(()),
        }
    }
}

impl Summary<'_> {
    fn facts(&self) -> Vec<(&'static str, String)> {
        let r = self.report;
        let (rows, variables) = (r.data.rows as u64, r.data.variables as u64);
        let mut facts = vec![
            ("data", format!("{} of {}", count(rows, "row"), count(variables, "variable"))),
            ("learner", self.learner()),
        ];
        facts.extend(self.kinds().map(|kinds| ("columns", kinds)));
        facts.extend(self.structure());
        facts.extend(self.coin_tosses());
        if let Some(score) = &r.score {
            let iss = score
                .iss
                .map(|iss| format!(", imaginary sample size {}", render::plain(iss)))
                .unwrap_or_default();
            facts.push(("score", format!("{} ({}{iss})", decimal(score.total, 2), score.name)));
            facts.extend(proven(score.total, r.bound));
        }
        if r.settings.uses(&rows::TEST) {
            facts.push(("tests", render::tests(&r.tests)));
            if self.verbose {
                facts.push(("tests by order", by_order(&r.tests.by_order)));
            }
        }
        facts.push(("time", self.time()));
        if let Some(truth) = &r.truth {
            facts.extend(against(truth));
        }
        facts
    }

    /// The kinds of the columns and their missing values, if there are numbers or gaps.
    fn kinds(&self) -> Option<String> {
        let (data, s) = (&self.report.data, &self.report.settings);
        let (numbers, labels) = (data.continuous.len(), data.variables - data.continuous.len());
        let kinds = match (numbers, labels) {
            (0, _) if data.missing == 0 => return None,
            (0, _) => "discrete".to_owned(),
            (_, 0) => "continuous".to_owned(),
            (numbers, labels) => {
                format!("{} continuous, {} discrete", thousands(numbers as u64), thousands(labels as u64))
            }
        };
        let missing = match data.missing {
            0 => String::new(),
            n => format!(", {} missing", count(n as u64, "value")),
        };
        let test = s.uses(&rows::TEST).then(|| format!("test {}", s.test().kind.word()));
        let score = s.uses(&rows::SCORE).then(|| format!("score {}", s.score().kind.word()));
        let by: Vec<String> = test.into_iter().chain(score).collect();
        Some(format!("{kinds}{missing}; {}", by.join(", ")))
    }

    fn learner(&self) -> String {
        let s = &self.report.settings;
        let search = s.maximise().map(|name| if name == "hc" { "hill climbing" } else { name });
        let halves = match (s.restrict(), search) {
            (None, None) => String::new(),
            (None, Some(search)) => format!(": {search} without a skeleton"),
            (Some("given"), Some(search)) => format!(": the skeleton as given, the directions by {search}"),
            (Some(local), None) => format!(": the skeleton by {local}"),
            (Some(local), Some(search)) => format!(": the skeleton by {local}, the directions by {search}"),
        };
        let cut = if self.report.complete { "" } else { "; cut short by the time limit" };
        format!("{}{halves}{cut}", self.report.learner)
    }

    fn structure(&self) -> Option<(&'static str, String)> {
        let r = self.report;
        match (&r.arcs, &r.cpdag, &r.skeleton) {
            (Some(arcs), Some(class), _) => {
                // Where tests or what is known beforehand say more than a class can hold.
                let (within, kind) = match r.result {
                    "pdag" => ("", "; a PDAG, not an equivalence class"),
                    _ => (" in the equivalence class", ""),
                };
                let open = match (class.undirected.len(), arcs.len()) {
                    (_, 0) => String::new(),
                    (0, _) => format!(", directed{within}{kind}"),
                    (1, 1) => format!(", without direction{within}{kind}"),
                    (open, _) => {
                        let open = thousands(open as u64);
                        format!(", {open} of them without direction{within}{kind}")
                    }
                };
                Some(("structure", format!("{}{open}", count(arcs.len() as u64, "arc"))))
            }
            (_, _, Some(edges)) if r.result == "skeleton" => {
                Some(("skeleton", count(edges.len() as u64, "edge")))
            }
            _ => None,
        }
    }

    /// The edges of the structure whose direction is a coin toss, if the learner says how sure it is.
    fn coin_tosses(&self) -> Option<(&'static str, String)> {
        let r = self.report;
        let (Some(arcs), Some(strengths), None) = (&r.arcs, &r.strengths, &r.bootstrap) else { return None };
        let there = |s: &&ArcStrength| {
            arcs.iter().any(|(from, to)| (from, to) == (&s.from, &s.to) || (from, to) == (&s.to, &s.from))
        };
        let open: Vec<String> = (strengths.iter().filter(|s| s.direction <= COIN_TOSS))
            .filter(there)
            .map(|s| format!("{} - {}", s.from, s.to))
            .collect();
        let named = open[..open.len().min(NAMED)].join(", ");
        match open.len() {
            0 => None,
            n if n <= NAMED => Some(("coin toss", format!("the direction of {named}"))),
            n => {
                let rest = thousands((n - NAMED) as u64);
                Some(("coin toss", format!("the direction of {named} and {rest} more")))
            }
        }
    }

    fn time(&self) -> String {
        let r = self.report;
        let seconds = |s: f64| render::seconds(Duration::from_secs_f64(s));
        let total = seconds(r.seconds.total);
        if let Some(sure) = &r.bootstrap {
            return format!("{total} for {}", count(sure.samples as u64, "sample"));
        }
        match (r.settings.restrict(), r.settings.maximise()) {
            (None | Some("given"), _) | (_, None) => total,
            _ => format!(
                "{total} ({} for the skeleton, {} for the search)",
                seconds(r.seconds.restrict),
                seconds(r.seconds.maximise)
            ),
        }
    }

    fn strongest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut arcs: Vec<&ArcLoss> = self.report.losses.iter().flatten().collect();
        if arcs.is_empty() {
            return Ok(());
        }
        // The sort keeps arcs of the same loss in the order of their names.
        arcs.sort_by(|a, b| b.without.total_cmp(&a.without));
        let row = |arc: &&ArcLoss| vec![format!("  {} -> {}", arc.from, arc.to), decimal(arc.without, 2)];
        let rows: Vec<Vec<String>> = arcs.iter().take(SHOWN).map(row).collect();
        f.write_str("\nThe strongest arcs, and what the score would lose without them:\n")?;
        f.write_str(&render::table(&[Align::Left, Align::Right], &rows))?;
        more(arcs.len(), f)
    }
}

/// What is proven of a score.
fn proven(score: f64, bound: Option<f64>) -> Option<(&'static str, String)> {
    let bound = bound?;
    Some((
        "optimum",
        match score >= bound {
            true => "proven: no structure scores better".to_owned(),
            false => format!(
                "not proven: no structure scores above {}, which is {} more",
                decimal(bound, 2),
                decimal(bound - score, 2)
            ),
        },
    ))
}

/// The best equivalence classes.
fn alternatives(classes: &[AlternativeReport], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let best = classes.first().map_or(0.0, |class| class.score);
    let mut rows =
        vec![["  ", "score", "below the best", "edges", "without direction"].map(str::to_owned).to_vec()];
    rows.extend(classes.iter().enumerate().map(|(i, class)| {
        let edges = class.directed.len() + class.undirected.len();
        vec![
            format!("  {}", i + 1),
            decimal(class.score, 2),
            decimal(best - class.score, 2),
            thousands(edges as u64),
            thousands(class.undirected.len() as u64),
        ]
    }));
    f.write_str("\nThe best equivalence classes:\n")?;
    f.write_str(&render::table(&[Align::Left, Align::Right, Align::Right, Align::Right, Align::Right], &rows))
}

fn by_order(tests: &[u64]) -> String {
    let orders = tests.iter().enumerate().map(|(order, n)| format!("{order}: {}", thousands(*n)));
    orders.collect::<Vec<_>>().join(", ")
}

/// How the result compares with the truth.
fn against(truth: &TruthReport) -> Vec<(&'static str, String)> {
    let s = &truth.skeleton;
    let mut facts = Vec::new();
    if let Some(shd) = truth.shd {
        facts.push(("SHD", format!("{} from the true structure", thousands(shd as u64))));
    }
    facts.push((
        "edges",
        format!(
            "{} correct, {} extra, {} missing (precision {:.3}, recall {:.3})",
            thousands(s.tp as u64),
            thousands(s.fp as u64),
            thousands(s.fn_ as u64),
            truth.precision,
            truth.recall
        ),
    ));
    facts
}

/// How sure the arcs of the averaged network are.
fn surest(sure: &BootstrapReport, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let above = sure.arcs.iter().filter(|arc| arc.strength > sure.threshold);
    let mut rows = vec![["  arc", "strength", "direction"].map(str::to_owned).to_vec()];
    rows.extend(above.clone().take(SHOWN).map(|arc| {
        vec![
            format!("  {} -> {}", arc.from, arc.to),
            format!("{:.3}", arc.strength),
            format!("{:.3}", arc.direction),
        ]
    }));
    let samples = count(sure.samples as u64, "sample");
    writeln!(
        f,
        "\nHow certain the arcs are, from {samples}; those above {:.3} are in the network:",
        sure.threshold
    )?;
    f.write_str(&render::table(&[Align::Left, Align::Right, Align::Right], &rows))?;
    more(above.count(), f)
}

fn more(arcs: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match arcs.saturating_sub(SHOWN) {
        0 => Ok(()),
        rest => writeln!(f, "  and {}", count(rest as u64, "more arc").replace("more arcs", "more")),
    }
}
