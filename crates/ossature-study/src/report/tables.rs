//! The tables of the page: times, significance, and each network.

use super::Contents;
use super::text::{count, escaped, push};
use crate::claims::{self, ENOUGH, number, p_value};
use crate::pair::paper_time;
use crate::plan::ALL;
use crate::summary::{Better, Comparison, How, MEASURES, Measure, Spread};

/// The p-value below which a difference counts as more than chance.
const SIGNIFICANT: f64 = 0.05;

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
         cell timed alone on one thread. Small and grey: the paper's values, from its own programs in R; for all, over \
         the same networks.</p>\n",
    );
    for other in m.learners.iter().skip(1) {
        let head: Vec<String> = m.sizes.iter().map(ToString::to_string).collect();
        let networks = m.networks.iter().map(|n| Some(n.name.as_str())).chain([None]);
        let rows = networks.map(|network| {
            let name = network.unwrap_or(ALL);
            let cells = m.sizes.iter().map(|&size| {
                let ours = contents
                    .summary
                    .get(&other.name, "seconds_total", network, size)
                    .and_then(|c| c.increase);
                let paper = paper_time(m, &other.name, network, size).map(|(mean, sd)| {
                    let sd = sd.map(|sd| format!(" ± {sd:.1}")).unwrap_or_default();
                    format!("<small>{mean:.2}{sd}</small>")
                });
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
    let mut out = format!(
        "<section id=\"significance\">\n<h2>Significance</h2>\n<p>The signed-rank test of Wilcoxon. Over all networks it uses \
         one value per network: the means over its samples, of both learners, which saw the same rows. Below the mean \
         increase are its 95 % interval, by the t distribution over the means of the networks, and the p-value, \
         adjusted by Holm's method for the {} that each measure is compared in; bold is p ≤ 0.05. {}{}</p>\n",
        count(comparisons(contents), "comparison"),
        escaped(&what_can_be_shown(contents)),
        match m.samples < ENOUGH {
            true => "",
            false =>
                " Then, on how many networks the first learner is significantly better and worse: by the pairs of \
                 samples of that network, adjusted for the number of networks.",
        },
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
                    let p = c.adjusted.map_or_else(|| "equal".into(), |p| format!("p {}", p_value(p)));
                    let bold = c.adjusted.is_some_and(|p| p <= SIGNIFICANT);
                    let interval = c.interval.map_or_else(String::new, |(low, high)| {
                        format!("<small>{} to {}</small>", number(low), number(high))
                    });
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
                    format!("{shown} {interval}<small>{p}</small>{tally}{}", left_out(c))
                });
                (compared(measure), cells.collect())
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

/// The number of comparisons of a measure: sizes times other learners.
fn comparisons(contents: &Contents) -> usize {
    contents.manifest.sizes.len() * contents.manifest.learners.len().saturating_sub(1)
}

/// The smallest possible p-value for this number of networks, and whether it is small enough.
fn what_can_be_shown(contents: &Contents) -> String {
    let (networks, tests) = (contents.manifest.networks.len(), comparisons(contents));
    let least = 2.0 / 2f64.powi(i32::try_from(networks).unwrap_or(i32::MAX));
    let adjusted = (least * tests as f64).min(1.0);
    let all = count(networks, "network");
    match adjusted <= SIGNIFICANT {
        true => format!(
            "With {all} the smallest possible p-value is {}, if all differ in one direction.",
            p_value(least)
        ),
        false => format!(
            "With {all} the smallest possible p-value is {}, if all differ in one direction, and {} after the \
             adjustment: so few networks cannot show a difference at 5 % in all of these comparisons at once.",
            p_value(least),
            p_value(adjusted)
        ),
    }
}

/// The numbers of networks on which the first learner is significantly better and worse.
fn on_networks(contents: &Contents, other: &str, measure: &Measure, size: usize) -> (usize, usize) {
    let of = |sign: f64| {
        let counts = |c: &Comparison| {
            let step = c.increase.map_or(0.0, |s| s.mean - crate::summary::neutral(measure.how));
            c.adjusted.is_some_and(|p| p <= SIGNIFICANT) && step * sign > 0.0
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

/// What is compared; a ratio unless stated otherwise.
fn compared(measure: &Measure) -> String {
    let sign = if measure.how == How::Difference { " (difference)" } else { "" };
    format!("{}{sign}", escaped(measure.title))
}

fn measured(contents: &Contents, other: &str, measure: &Measure) -> bool {
    let m = contents.manifest;
    m.sizes.iter().any(|&size| {
        contents.summary.get(other, measure.key, None, size).is_some_and(|c| c.increase.is_some())
    })
}

/// Each network separately.
pub(super) fn networks(contents: &Contents) -> String {
    let m = contents.manifest;
    let mut out = String::from(
        "<section id=\"networks\">\n<h2>Network by network</h2>\n<p>Increases (ratios unless stated otherwise) with ± standard deviation, bold where \
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
                    (compared(measure), cells.collect())
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
    let at = |size: usize| contents.summary.value(network, learner, measure.key, size);
    let spreads: Vec<Option<Spread>> = contents.manifest.sizes.iter().map(|&size| at(size)).collect();
    let any = spreads.iter().any(Option::is_some);
    let name = format!("{} <small>{}</small>", escaped(measure.title), escaped(learner));
    any.then(|| (name, spreads.into_iter().map(spread_by_size).collect()))
}

fn comparison(c: &Comparison) -> String {
    let Some(increase) = c.increase else { return "–".into() };
    let shown = claims::spread(increase.mean, increase.sd);
    match c.adjusted {
        Some(p) if p <= SIGNIFICANT => format!("<b>{shown}</b>{}", left_out(c)),
        _ => format!("{shown}{}", left_out(c)),
    }
}

/// The number of ratios with a denominator of 0.
fn left_out(c: &Comparison) -> String {
    if c.left_out == 0 { String::new() } else { format!("<small>{} left out</small>", c.left_out) }
}

fn spread_by_size(spread: Option<Spread>) -> String {
    spread.map_or_else(|| "–".into(), |s| claims::spread(s.mean, s.sd))
}

fn spread(spread: Option<Spread>, digits: usize) -> String {
    match spread {
        None => "–".into(),
        Some(Spread { mean, sd: None, .. }) => format!("{mean:.digits$}"),
        Some(Spread { mean, sd: Some(sd), .. }) => format!("{mean:.digits$} ± {sd:.digits$}"),
    }
}

/// A table whose cells are HTML already.
pub(super) fn table(
    corner: &str,
    head: &[String],
    rows: Vec<(String, Vec<String>)>,
    last_is_total: bool,
) -> String {
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
