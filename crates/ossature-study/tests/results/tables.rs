//! Tables from rows that are not those of a study.

use std::fmt::Write;

use crate::{Lines, number, row};

/// The values of a column in the order in which they first appear.
fn distinct<'a>(lines: &'a Lines, column: &str) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for line in lines {
        if !found.contains(&line[column].as_str()) {
            found.push(&line[column]);
        }
    }
    found
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn head(corner: &str, columns: &[&str]) -> String {
    format!("| {corner} | {} |\n|---|{}\n", columns.join(" | "), "---|".repeat(columns.len()))
}

/// Score, SHD and time of the learners that score, and what is proven.
pub(crate) fn scorers(lines: &Lines) -> String {
    const NETWORKS: [&str; 8] =
        ["child", "insurance", "alarm", "mildew", "hailfinder", "munin1", "pigs", "link"];
    const LEARNERS: [&str; 13] = [
        "h2pc",
        "optimum inside hpc",
        "mmhc",
        "optimum inside mmpc",
        "ecos",
        "tabu",
        "ges",
        "xges",
        "boss",
        "sparse-candidate",
        "optimal-reinsertion",
        "exact, 3 parents",
        "best-quick",
    ];
    let mut out = head("learner", &NETWORKS);
    for learner in LEARNERS {
        let cell = |network: &&str| {
            let line = lines.iter().find(|line| line["network"] == *network && line["learner"] == learner);
            let Some((line, score)) = line.and_then(|line| Some((line, number(&line["score"])?))) else {
                return "-".into();
            };
            let mut cell =
                format!("{score:.0} · {} · {:.1} s", line["shd"], number(&line["seconds"]).unwrap());
            match (line["optimal"].as_str(), number(&line["bound"])) {
                ("True", _) => cell += " · proven",
                (_, Some(bound)) => {
                    write!(cell, " · gap {:.2} %", (bound - score) / score.abs() * 100.0).unwrap();
                }
                _ if line["complete"] == "False" => cell += " · cut short",
                _ => {}
            }
            cell
        };
        row(&mut out, learner, NETWORKS.iter().map(cell));
    }
    out
}

/// How much likelier new rows are with the prior `backoff` than with others, for the structures of `best`.
pub(crate) fn held_out(lines: &Lines) -> String {
    let networks = distinct(lines, "network");
    let mut out = String::new();
    for prior in ["bdeu 10", "bdeu 1"] {
        let title = format!("`backoff` less BDeu with iss {}", prior.trim_start_matches("bdeu "));
        let columns: Vec<&str> = networks.iter().copied().chain(["mean", "wins"]).collect();
        out += if out.is_empty() { "" } else { "\n" };
        out += &head(&title, &columns);
        for (i, size) in distinct(lines, "rows").into_iter().enumerate() {
            let of = |network: &str, prior: &str| -> Vec<f64> {
                let mine = lines.iter().filter(|line| {
                    line["network"] == network
                        && line["rows"] == size
                        && line["structure"] == "best"
                        && line["prior"] == prior
                });
                mine.map(|line| number(&line["log_likelihood"]).unwrap()).collect()
            };
            let gains: Vec<Vec<f64>> = networks
                .iter()
                .map(|network| {
                    of(network, "backoff").iter().zip(of(network, prior)).map(|(a, b)| a - b).collect()
                })
                .collect();
            let means: Vec<f64> = gains.iter().map(|gains| mean(gains)).collect();
            let all = gains.concat();
            let wins = all.iter().filter(|gain| **gain > 0.0).count();
            let cells = means.iter().map(|&gain| signed(gain));
            let last = [format!("**{}**", signed(mean(&means))), format!("{wins} of {}", all.len())];
            let name = if i == 0 { format!("{size} rows") } else { size.to_owned() };
            row(&mut out, &name, cells.chain(last));
        }
    }
    out
}

/// With its sign, and without the zero before the point.
fn signed(x: f64) -> String {
    let digits = format!("{:.3}", x.abs());
    format!("{}{}", if x < 0.0 { "−" } else { "+" }, digits.strip_prefix('0').unwrap_or(&digits))
}

/// Mean SHD by policy for missing values.
pub(crate) fn missing(lines: &Lines) -> String {
    const COMPLETE: [&str; 3] = ["complete", "complete, pnal", "complete, bic"];
    const POLICIES: [&str; 4] = ["drop", "level", "available", "em"];
    let columns: Vec<&str> = ["learner", "missing"].into_iter().chain(COMPLETE).chain(POLICIES).collect();
    let mut out = head("network", &columns);
    for network in distinct(lines, "network") {
        for learner in distinct(lines, "learner") {
            for share in [0.05, 0.1, 0.2] {
                let cell = |policy: &str, share: f64| {
                    let mine = lines.iter().filter(|line| {
                        line["network"] == network
                            && line["learner"] == learner
                            && line["policy"] == policy
                            && number(&line["share"]) == Some(share)
                    });
                    let known: Option<Vec<f64>> = mine.map(|line| number(&line["shd"])).collect();
                    let known = known.filter(|known| !known.is_empty());
                    known.map_or_else(|| "–".into(), |known| format!("{:.1}", mean(&known)))
                };
                let cells =
                    COMPLETE.iter().map(|p| cell(p, 0.0)).chain(POLICIES.iter().map(|p| cell(p, share)));
                let first = [learner.to_owned(), format!("{:.0}%", share * 100.0)];
                row(&mut out, network, first.into_iter().chain(cells));
            }
        }
    }
    out
}
