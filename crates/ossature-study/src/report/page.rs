//! The page as a whole: head, sections in order, foot.

use super::text::{count, data_link, escaped, listed};
use super::{Contents, sections, tables};
use crate::claims::Verdict;
use crate::figure;
use crate::pair::{deviations, paper_pair};
use crate::paper;

const STYLE: &str = include_str!("style.css");

/// The page.
pub(super) fn html(contents: &Contents) -> String {
    let style = format!("{STYLE}{}", figure::STYLE);
    let mut body = header(contents) + &sections::warnings(contents);
    sections(contents).iter().for_each(|(_, _, section)| body.push_str(&section(contents)));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n{style}</style>\n\
         </head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(&title(contents))
    )
}

/// A section: its anchor, its title, and the function that makes it.
type Section = (&'static str, &'static str, fn(&Contents) -> String);

/// The sections in order. A study of one learner has no comparisons.
fn sections(contents: &Contents) -> Vec<Section> {
    let mut all: Vec<Section> = Vec::new();
    if contents.compares() {
        all.push(("figure1", "Figure 1", |contents| sections::figure(contents, 0)));
        all.push(("figure2", "Figure 2", |contents| sections::figure(contents, 1)));
        if !contents.by_network.panels.is_empty() {
            all.push(("figure3", "SHD by network", sections::by_network));
        }
        if !figure::drawn_rankings(&contents.summary).is_empty() {
            all.push(("ranks", "Ranks", sections::ranks));
        }
    }
    all.push(("claims", "Statements", sections::claims));
    if contents.compares() {
        all.push(("table2", "Table 2", tables::table_2));
        all.push(("significance", "Significance", tables::significance));
    }
    all.push(("networks", "Networks", tables::networks));
    all.push(("run", "What was run", sections::what_was_run));
    all.push(("downloads", "Downloads", downloads));
    all.push(("reproduce", "Reproduce", sections::reproduce));
    all
}

fn title(contents: &Contents) -> String {
    let names: Vec<String> = contents.manifest.learners.iter().map(|l| l.name.clone()).collect();
    match names.split_first() {
        Some((first, others)) if !others.is_empty() => format!("{first} against {}", listed(others)),
        _ => listed(&names),
    }
}

fn header(contents: &Contents) -> String {
    let m = contents.manifest;
    let verdict = |v: Verdict| contents.claims.iter().filter(|c| c.verdict == v).count();
    let judged = contents.claims.len() - verdict(Verdict::NotMeasured);
    let outcome = if judged == 0 {
        String::new()
    } else {
        format!(
            " {judged} of its claims could be checked: <b>{} hold</b>, {} hold in part \
             and {} do not.",
            verdict(Verdict::Holds),
            verdict(Verdict::InPart),
            verdict(Verdict::DoesNotHold),
        )
    };
    let links: Vec<String> =
        sections(contents).iter().map(|(id, name, _)| format!("<a href=\"#{id}\">{name}</a>")).collect();
    let again = match paper_pair(m) {
        None => "with other learners",
        Some(_) if deviations(m).is_empty() => "run again",
        Some(_) => "on <a href=\"#claims\">another grid or with other settings</a>",
    };
    format!(
        "<header>\n<p class=\"kicker\">Ossature study</p>\n<h1>{}</h1>\n<p class=\"lead\">{}, {}, {} of each: \
         the experiment of <a href=\"https://doi.org/{}\">{}</a>, {again}.{outcome}</p>\n<nav>{}</nav>\n\
         </header>\n",
        escaped(&title(contents)),
        count(m.networks.len(), "network"),
        count(m.sizes.len(), "sample size"),
        count(m.samples, "sample"),
        paper::DOI,
        escaped(paper::CITATION),
        links.join(""),
    )
}

fn downloads(contents: &Contents) -> String {
    let mut items = String::new();
    for table in &contents.tables {
        items.push_str(&format!(
            "<li><a href=\"{}\" download=\"{name}\">{name}</a> <span class=\"faint\">{}, {}; also <a \
             href=\"{name}\">beside this page</a></span></li>\n",
            data_link(table.name, &table.content),
            table.title,
            count(table.content.lines().count().saturating_sub(1), "line"),
            name = table.name,
        ));
    }
    let mut pictures = Vec::new();
    if contents.compares() {
        pictures.extend(["figure1.svg", "figure2.svg"]);
        pictures.extend((!contents.by_network.panels.is_empty()).then_some("figure3.svg"));
        pictures.extend((!figure::drawn_rankings(&contents.summary).is_empty()).then_some("ranks.svg"));
    }
    if !pictures.is_empty() {
        let links: Vec<String> =
            pictures.iter().map(|name| format!("<a href=\"{name}\">{name}</a>")).collect();
        items.push_str(&format!(
            "<li>{} <span class=\"faint\">the figures, beside this page</span></li>\n",
            listed(&links)
        ));
    }
    format!(
        "<section id=\"downloads\">\n<h2>Downloads</h2>\n<p>Every number of this page is in these tables, in full; \
         those that end in .tex are for LaTeX, with the package booktabs. They are part of the page, and are also files \
         beside it.</p>\n<ul class=\"files\">\n{items}</ul>\n</section>\n"
    )
}
