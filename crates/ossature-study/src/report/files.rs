//! The tables as files for programs: every number in full.

use super::Attached;
use super::text::{csv, full};
use crate::claims::Claim;
use crate::manifest::Manifest;
use crate::pair::paper_time;
use crate::plan::ALL;
use crate::summary::{How, Summary};

/// The tables beside the rows.
pub(super) fn tables(manifest: &Manifest, summary: &Summary, claims: &[Claim]) -> Vec<Attached> {
    let first = manifest.learners.first().map_or("", |l| l.name.as_str());
    let mut all = vec![
        Attached {
            name: "summary.csv",
            title: "Increases with spread and significance",
            content: comparisons(first, summary),
        },
        Attached { name: "values.csv", title: "Each learner by itself", content: values(summary) },
        Attached { name: "table2.csv", title: "Table 2", content: table_2(manifest, summary) },
        Attached { name: "claims.csv", title: "The paper's sentences", content: sentences(claims) },
    ];
    if !summary.rankings.is_empty() {
        all.push(Attached {
            name: "ranks.csv",
            title: "Mean ranks of the learners",
            content: ranks(summary),
        });
    }
    all
}

fn ranks(summary: &Summary) -> String {
    let rows = summary.rankings.iter().flat_map(|r| {
        r.ranks.iter().map(move |(learner, rank)| {
            vec![
                r.size.to_string(),
                r.measure.key.to_owned(),
                learner.clone(),
                full(Some(*rank)),
                r.networks.to_string(),
                full(Some(r.p)),
                full(r.critical),
            ]
        })
    });
    let head = ["size", "measure", "learner", "mean_rank", "networks", "friedman_p", "critical_difference"];
    csv([line(&head)].into_iter().chain(rows))
}

fn line(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

fn comparisons(first: &str, summary: &Summary) -> String {
    let head = [
        "network",
        "size",
        "measure",
        "learner",
        "against",
        "as",
        "mean",
        "sd",
        "low",
        "high",
        "pairs",
        "left_out",
        "differ",
        "p",
        "p_adjusted",
    ];
    let rows = summary.comparisons.iter().map(|c| {
        vec![
            c.network.clone().unwrap_or_else(|| ALL.into()),
            c.size.to_string(),
            c.measure.key.to_owned(),
            first.to_owned(),
            c.other.clone(),
            if c.measure.how == How::Ratio { "ratio".into() } else { "difference".into() },
            full(c.increase.map(|s| s.mean)),
            full(c.increase.and_then(|s| s.sd)),
            full(c.interval.map(|(low, _)| low)),
            full(c.interval.map(|(_, high)| high)),
            c.increase.map_or(0, |s| s.n).to_string(),
            c.left_out.to_string(),
            c.differ.to_string(),
            full(c.p),
            full(c.adjusted),
        ]
    });
    csv([line(&head)].into_iter().chain(rows))
}

fn values(summary: &Summary) -> String {
    let rows = summary.values.iter().map(|v| {
        vec![
            v.network.clone(),
            v.size.to_string(),
            v.measure.key.to_owned(),
            v.learner.clone(),
            full(Some(v.spread.mean)),
            full(v.spread.sd),
            v.spread.n.to_string(),
        ]
    });
    csv([line(&["network", "size", "measure", "learner", "mean", "sd", "samples"])].into_iter().chain(rows))
}

fn table_2(manifest: &Manifest, summary: &Summary) -> String {
    let head = ["network", "size", "against", "mean", "sd", "paper_mean", "paper_sd"];
    let lines = summary.comparisons.iter().filter(|c| c.measure.key == "seconds_total").map(|c| {
        let paper = paper_time(manifest, &c.other, c.network.as_deref(), c.size);
        vec![
            c.network.clone().unwrap_or_else(|| ALL.into()),
            c.size.to_string(),
            c.other.clone(),
            full(c.increase.map(|s| s.mean)),
            full(c.increase.and_then(|s| s.sd)),
            full(paper.map(|(mean, _)| mean)),
            full(paper.and_then(|(_, sd)| sd)),
        ]
    });
    csv([line(&head)].into_iter().chain(lines))
}

fn sentences(claims: &[Claim]) -> String {
    let rows = claims.iter().map(|c| {
        let numbers: Vec<String> = c.numbers.iter().map(|(at, x)| format!("{at}: {x}")).collect();
        vec![
            c.title.to_owned(),
            c.verdict.to_string(),
            c.exceptions.join("; "),
            c.question.to_owned(),
            numbers.join("; "),
            c.sentence.to_owned(),
        ]
    });
    csv([line(&["claim", "verdict", "not_at", "question", "numbers", "paper"])].into_iter().chain(rows))
}
