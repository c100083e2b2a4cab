//! The sections of the page.

use std::fmt::Write;

use super::Contents;
use super::files::paper_time;
use super::text::{count, escaped, listed};
use crate::claims::{ENOUGH, Verdict, number, p_value};
use crate::manifest::{NetworkFacts, Session};
use crate::paper;
use crate::row::Kind;
use crate::summary::{Better, Comparison, How, MEASURES, Measure, Spread};

/// Below this a difference counts as more than chance.
const SIGNIFICANT: f64 = 0.05;

/// What a reader must know before believing anything else.
pub(super) fn warnings(contents: &Contents) -> String {
    let mut lines = Vec::new();
    if contents.missing > 0 {
        lines.push(format!(
            "{} of this study are missing: it is not complete.",
            count(contents.missing, "cell")
        ));
    }
    if let Some(shard) = contents.manifest.shard {
        lines.push(format!("This is shard {shard} of a study; the others are needed for the whole."));
    }
    let failed: Vec<_> = contents.rows.iter().filter(|row| row.error.is_some()).collect();
    if let Some(row) = failed.first() {
        let why = row.error.as_deref().unwrap_or_default();
        let first = escaped(&format!("{}: {why}", row.key()));
        lines.push(format!(
            "{} failed and {} left out; the first: {first}",
            count(failed.len(), "cell"),
            if failed.len() == 1 { "is" } else { "are" }
        ));
    }
    let lines: Vec<String> = lines.into_iter().map(|line| format!("<p>{line}</p>")).collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!("<aside class=\"warning\">{}</aside>\n", lines.concat())
    }
}

/// The paper's sentences, one by one.
pub(super) fn claims(contents: &Contents) -> String {
    let mut out = String::from(
        "<section id=\"claims\">\n<h2>What the paper says, and what we find</h2>\n<p>Each statement is turned into \
         a question that the rows answer. The increase factor of a measure is its value with the first \
         learner over that with the other, taken for each sample and averaged over the networks.</p>\n",
    );
    if crate::claims::paper_pair(contents.manifest).is_none() {
        out.push_str("<p>The paper compares H2PC with MMHC, which this study does not do.</p>\n</section>\n");
        return out;
    }
    out.push_str("<div class=\"claims\">\n");
    for claim in &contents.claims {
        let (class, sign) = match claim.verdict {
            Verdict::Holds => ("holds", "✓"),
            Verdict::InPart => ("part", "~"),
            Verdict::DoesNotHold => ("fails", "✗"),
            Verdict::NotMeasured => ("open", "–"),
        };
        let except = match claim.verdict {
            Verdict::InPart => format!(", not for {}", listed(&claim.exceptions)),
            _ => String::new(),
        };
        push(
            &mut out,
            format_args!(
                "<article class=\"claim {class}\">\n<p class=\"verdict\"><span aria-hidden=\"true\">{sign}</span> \
                 {}{}</p>\n<h3>{}</h3>\n<p class=\"quote\">{}</p>\n<p class=\"faint\">Asked here: {}.</p>\n",
                claim.verdict,
                escaped(&except),
                escaped(claim.title),
                escaped(claim.sentence),
                escaped(claim.question),
            ),
        );
        if !claim.numbers.is_empty() {
            out.push_str("<dl class=\"numbers\">");
            for (at, shown) in &claim.numbers {
                let odd = if claim.exceptions.contains(at) { " class=\"odd\"" } else { "" };
                push(
                    &mut out,
                    format_args!("<div{odd}><dt>{}</dt><dd>{}</dd></div>", escaped(at), escaped(shown)),
                );
            }
            out.push_str("</dl>\n");
        }
        out.push_str("</article>\n");
    }
    out.push_str("</div>\n</section>\n");
    out
}

/// One of the two figures, each panel beside what the paper says of it.
pub(super) fn figure(contents: &Contents, which: usize) -> String {
    let figure = &contents.figures[which];
    let n = figure.number;
    let mut out = format!(
        "<section id=\"figure{n}\">\n<h2>Figure {n}</h2>\n<p>{} The counterpart of Figure {n} of the paper, whose \
         own curves are pictures; its sentence stands below each panel.</p>\n<div class=\"panels\">\n",
        escaped(&figure.caption)
    );
    for panel in &figure.panels {
        push(
            &mut out,
            format_args!(
                "<figure>\n{}<figcaption><span class=\"faint\">The paper:</span> {}</figcaption>\n</figure>\n",
                panel.inline(),
                escaped(paper::sentence(panel.measure.key))
            ),
        );
    }
    if n == 2 {
        out.push_str(
            "</div>\n<p class=\"faint\">BDeu and BIC are logarithms and negative: a ratio below 1 is a better \
             score. The sixth panel is the running time; its rings are the line “all” of the paper's Table 2.</p>\n</section>\n",
        );
    } else {
        out.push_str("</div>\n</section>\n");
    }
    out
}

/// The running times, beside the paper's.
pub(super) fn table_2(contents: &Contents) -> String {
    let m = contents.manifest;
    let mut out = String::from("<section id=\"table2\">\n<h2>Table 2: total running time</h2>\n");
    if !m.timing {
        out.push_str("<p>Not measured: the study ran without <code>--timing</code>.</p>\n</section>\n");
        return out;
    }
    out.push_str(
        "<p>The time of the first learner over that of the other, mean ± standard deviation over the samples; each \
         cell timed alone on one thread. Small and grey: what the paper reports, from its own programs in R.</p>\n",
    );
    for other in m.learners.iter().skip(1) {
        let head: Vec<String> = m.sizes.iter().map(ToString::to_string).collect();
        let networks = m.networks.iter().map(|n| Some(n.name.as_str())).chain([None]);
        let rows = networks.map(|network| {
            let name = network.unwrap_or("all");
            let cells = m.sizes.iter().map(|&size| {
                let ours = contents
                    .summary
                    .get(&other.name, "seconds_total", network, size)
                    .and_then(|c| c.increase);
                let paper = paper_time(m, &other.name, name, size)
                    .map(|(mean, sd)| format!("<small>{mean:.2} ± {sd:.1}</small>"));
                format!("{}{}", spread(ours, 2), paper.unwrap_or_default())
            });
            (escaped(name), cells.collect())
        });
        push(
            &mut out,
            format_args!("<h3>{} / {}</h3>\n", escaped(&m.learners[0].name), escaped(&other.name)),
        );
        out.push_str(&table("network", &head, rows.collect(), true));
    }
    out.push_str("</section>\n");
    out
}

/// Whether differences are more than chance.
pub(super) fn significance(contents: &Contents) -> String {
    let m = contents.manifest;
    let mut out = String::from(
        "<section id=\"significance\">\n<h2>Significance</h2>\n<p>The signed-rank test of Wilcoxon over pairs: both \
         learners saw the same sample. All networks together: the mean increase, and the p-value of its \
         deviation from none; with six samples or more also on how many networks the first learner is \
         significantly (p ≤ 0.05) better and worse. P-values are exact and not adjusted for the number of tests.</p>\n",
    );
    for other in m.learners.iter().skip(1) {
        let head: Vec<String> = m.sizes.iter().map(ToString::to_string).collect();
        let rows =
            MEASURES.iter().filter(|measure| measured(contents, &other.name, measure)).map(|measure| {
                let cells = m.sizes.iter().map(|&size| {
                    let all = contents.summary.get(&other.name, measure.key, None, size);
                    let Some((c, increase)) = all.and_then(|c| Some((c, c.increase?))) else {
                        return "–".into();
                    };
                    let p = c.p.map_or_else(|| "equal".into(), |p| format!("p {}", p_value(p)));
                    let bold = c.p.is_some_and(|p| p <= SIGNIFICANT);
                    let shown = if bold {
                        format!("<b>{}</b>", number(increase.mean))
                    } else {
                        number(increase.mean)
                    };
                    let (better, worse) = on_networks(contents, &other.name, measure, size);
                    let tally = match measure.better {
                        Better::Neither => String::new(),
                        // Not even samples that all agree would reach it.
                        _ if m.samples < ENOUGH => String::new(),
                        _ => format!("<small>{better} better, {worse} worse</small>"),
                    };
                    format!("{shown} <small>{p}</small>{tally}")
                });
                let sign = if measure.how == How::Difference { " (difference)" } else { "" };
                (format!("{}{sign}", escaped(measure.title)), cells.collect())
            });
        push(
            &mut out,
            format_args!("<h3>{} against {}</h3>\n", escaped(&m.learners[0].name), escaped(&other.name)),
        );
        out.push_str(&table("measure", &head, rows.collect(), false));
    }
    out.push_str("</section>\n");
    out
}

/// On how many networks the first learner is significantly better, and worse.
fn on_networks(contents: &Contents, other: &str, measure: &Measure, size: usize) -> (usize, usize) {
    let of = |sign: f64| {
        let counts = |c: &Comparison| {
            let step = c.increase.map_or(0.0, |s| s.mean - crate::summary::neutral(measure.how));
            c.p.is_some_and(|p| p <= SIGNIFICANT) && step * sign > 0.0
        };
        let names = contents.manifest.networks.iter();
        names
            .filter_map(|n| contents.summary.get(other, measure.key, Some(&n.name), size))
            .filter(|c| counts(c))
            .count()
    };
    match measure.better {
        Better::Higher => (of(1.0), of(-1.0)),
        _ => (of(-1.0), of(1.0)),
    }
}

fn measured(contents: &Contents, other: &str, measure: &Measure) -> bool {
    let m = contents.manifest;
    m.sizes.iter().any(|&size| {
        contents.summary.get(other, measure.key, None, size).is_some_and(|c| c.increase.is_some())
    })
}

/// Every network by itself.
pub(super) fn networks(contents: &Contents) -> String {
    let m = contents.manifest;
    let mut out = String::from(
        "<section id=\"networks\">\n<h2>Network by network</h2>\n<p>Increases with ± standard deviation, bold where \
         the pairs of samples differ significantly; then the values of each learner.</p>\n",
    );
    for network in &m.networks {
        push(
            &mut out,
            format_args!(
                "<details>\n<summary>{} <span class=\"faint\">{} variables, {} edges</span></summary>\n",
                escaped(&network.name),
                network.variables,
                network.edges
            ),
        );
        let head: Vec<String> = m.sizes.iter().map(ToString::to_string).collect();
        for other in m.learners.iter().skip(1) {
            push(
                &mut out,
                format_args!("<h3>{} against {}</h3>\n", escaped(&m.learners[0].name), escaped(&other.name)),
            );
            let rows =
                MEASURES.iter().filter(|measure| measured(contents, &other.name, measure)).map(|measure| {
                    let cells = m.sizes.iter().map(|&size| {
                        match contents.summary.get(&other.name, measure.key, Some(&network.name), size) {
                            Some(c) => comparison(c),
                            None => "–".into(),
                        }
                    });
                    (escaped(measure.title), cells.collect())
                });
            out.push_str(&table("measure", &head, rows.collect(), false));
        }
        out.push_str("<h3>Values</h3>\n");
        let rows = MEASURES.iter().flat_map(|measure| {
            m.learners
                .iter()
                .filter_map(move |learner| value_line(contents, &network.name, measure, &learner.name))
        });
        out.push_str(&table("measure", &head, rows.collect(), false));
        out.push_str("</details>\n");
    }
    out.push_str("</section>\n");
    out
}

fn value_line(
    contents: &Contents,
    network: &str,
    measure: &Measure,
    learner: &str,
) -> Option<(String, Vec<String>)> {
    let at = |size: usize| {
        let found = contents.summary.values.iter().find(|v| {
            v.network == network && v.measure.key == measure.key && v.learner == learner && v.size == size
        });
        found.map(|v| v.spread)
    };
    let spreads: Vec<Option<Spread>> = contents.manifest.sizes.iter().map(|&size| at(size)).collect();
    let any = spreads.iter().any(Option::is_some);
    let name = format!("{} <small>{}</small>", escaped(measure.title), escaped(learner));
    any.then(|| (name, spreads.into_iter().map(spread_by_size).collect()))
}

/// What was run.
pub(super) fn what_was_run(contents: &Contents) -> String {
    let m = contents.manifest;
    let accuracy = contents.rows.iter().filter(|r| r.kind == Kind::Accuracy).count();
    let timing = contents.rows.len() - accuracy;
    let sizes: Vec<String> = m.sizes.iter().map(ToString::to_string).collect();
    let learner = |l: &crate::NamedLearner| {
        let s = &l.settings;
        let by_score = format!(
            "{} (iss {}), {} with list {} and patience {}, {} tie orders",
            s.score, s.iss, s.maximise, s.tabu, s.patience, s.tie_orders
        );
        let by_tests = format!("{} with {}, alpha {}", s.restrict, s.test, s.alpha);
        format!("<li><b>{}</b>: {}; {}</li>", escaped(&l.name), escaped(&by_tests), escaped(&by_score))
    };
    let learners: String = m.learners.iter().map(learner).collect();
    let mut out = format!(
        "<section id=\"run\">\n<h2>What was run</h2>\n<ul>\n<li>Samples of {} rows, {} of each size and network; \
         both learners see the same rows.</li>\n{learners}\n<li>Scores on new data: {} new rows for each \
         sample.</li>\n<li>Variables have random names in each sample, and the levels that the network \
         declares.</li>\n<li>{} and {}.</li>\n</ul>\n<h3>The networks</h3>\n",
        listed(&sizes),
        m.samples,
        m.new_rows,
        count(accuracy, "accuracy row"),
        count(timing, "timing row"),
    );
    let head =
        ["variables", "edges", "in/out degree", "levels", "PC min/med/max", "as in the paper's Table 1"];
    let rows = m.networks.iter().map(|n| (escaped(&n.name), facts(n)));
    out.push_str(&table("network", &head.map(String::from), rows.collect(), false));
    out.push_str("</section>\n");
    out
}

fn facts(n: &NetworkFacts) -> Vec<String> {
    let ours =
        [n.variables, n.edges, n.max_in, n.max_out, n.min_levels, n.max_levels, n.pc_min].map(|x| x as f64);
    let same = |line: &[f64; 9]| ours == line[..7] && n.pc_median == line[7] && n.pc_max as f64 == line[8];
    let as_in_paper = match paper::TABLE_1.iter().find(|(name, _)| *name == n.name) {
        Some((_, line)) if same(line) => "yes",
        Some(_) => "no",
        None => "not in it",
    };
    vec![
        n.variables.to_string(),
        n.edges.to_string(),
        format!("{}/{}", n.max_in, n.max_out),
        format!("{}–{}", n.min_levels, n.max_levels),
        format!("{}/{}/{}", n.pc_min, n.pc_median, n.pc_max),
        as_in_paper.into(),
    ]
}

/// How to get the same again.
pub(super) fn reproduce(contents: &Contents) -> String {
    let m = contents.manifest;
    let session = |s: &Session| {
        let machine = &s.machine;
        let processor = machine.processor.clone().unwrap_or_else(|| machine.architecture.clone());
        let took = s.seconds.map(|t| format!(", {t:.0} s")).unwrap_or_default();
        format!(
            "<li><code>{}</code><br><span class=\"faint\">{}{took}; {} on {} ({}), {}</span></li>\n",
            escaped(&s.command),
            escaped(&s.started),
            count(s.threads, "thread"),
            escaped(&processor),
            count(machine.cores, "core"),
            escaped(&machine.system),
        )
    };
    let sessions: String = m.sessions.iter().map(session).collect();
    format!(
        "<section id=\"reproduce\">\n<h2>Reproduce</h2>\n<p>Ossature {}, seed {}. All columns of the rows but times \
         and memory come out the same on every machine and with any number of threads; each sample is derived \
         from the seed, the network, the size and its number alone. All settings are in \
         <a href=\"study.json\">study.json</a>.</p>\n<ul class=\"sessions\">\n{sessions}</ul>\n</section>\n",
        escaped(&m.version),
        m.seed
    )
}

fn comparison(c: &Comparison) -> String {
    let Some(increase) = c.increase else { return "–".into() };
    let shown = spread_text(increase.mean, increase.sd);
    let left_out =
        if c.left_out > 0 { format!("<small>{} left out</small>", c.left_out) } else { String::new() };
    match c.p {
        Some(p) if p <= SIGNIFICANT => format!("<b>{shown}</b>{left_out}"),
        _ => format!("{shown}{left_out}"),
    }
}

fn spread_by_size(spread: Option<Spread>) -> String {
    spread.map_or_else(|| "–".into(), |s| spread_text(s.mean, s.sd))
}

fn spread_text(mean: f64, sd: Option<f64>) -> String {
    sd.map_or_else(|| number(mean), |sd| format!("{} ± {}", number(mean), number(sd)))
}

fn spread(spread: Option<Spread>, digits: usize) -> String {
    match spread {
        None => "–".into(),
        Some(Spread { mean, sd: None, .. }) => format!("{mean:.digits$}"),
        Some(Spread { mean, sd: Some(sd), .. }) => format!("{mean:.digits$} ± {sd:.digits$}"),
    }
}

/// A table whose cells are HTML already.
fn table(corner: &str, head: &[String], rows: Vec<(String, Vec<String>)>, last_is_total: bool) -> String {
    let mut out = String::from("<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>");
    push(&mut out, format_args!("<th scope=\"col\">{corner}</th>"));
    head.iter().for_each(|name| push(&mut out, format_args!("<th scope=\"col\">{}</th>", escaped(name))));
    out.push_str("</tr></thead>\n<tbody>\n");
    let last = rows.len().saturating_sub(1);
    for (i, (name, cells)) in rows.into_iter().enumerate() {
        let class = if last_is_total && i == last { " class=\"total\"" } else { "" };
        push(&mut out, format_args!("<tr{class}><th scope=\"row\">{name}</th>"));
        cells.iter().for_each(|cell| push(&mut out, format_args!("<td>{cell}</td>")));
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

fn push(out: &mut String, args: std::fmt::Arguments<'_>) {
    out.write_fmt(args).expect("a string takes all text");
}
