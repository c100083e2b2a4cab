//! The page as a whole: head, sections in order, foot.

use super::text::{count, data_link, escaped, listed};
use super::{Contents, sections, tables};
use crate::claims::Verdict;
use crate::figure;
use crate::paper;

const STYLE: &str = include_str!("style.css");

/// The page.
pub(super) fn html(contents: &Contents) -> String {
    let style = format!("{STYLE}{}", figure::STYLE);
    let body = [
        header(contents),
        sections::warnings(contents),
        sections::claims(contents),
        sections::figure(contents, 0),
        sections::figure(contents, 1),
        tables::table_2(contents),
        tables::significance(contents),
        tables::networks(contents),
        sections::what_was_run(contents),
        downloads(contents),
        sections::reproduce(contents),
    ]
    .concat();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n{style}</style>\n\
         </head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(&title(contents))
    )
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
            " Of the {judged} statements of the paper that could be checked, <b>{} hold</b>, {} hold in part and \
             {} do not.",
            verdict(Verdict::Holds),
            verdict(Verdict::InPart),
            verdict(Verdict::DoesNotHold),
        )
    };
    let links = [
        ("claims", "Statements"),
        ("figure1", "Figure 1"),
        ("figure2", "Figure 2"),
        ("table2", "Table 2"),
        ("significance", "Significance"),
        ("networks", "Networks"),
        ("run", "What was run"),
        ("downloads", "Downloads"),
        ("reproduce", "Reproduce"),
    ];
    let links: Vec<String> = links.iter().map(|(id, text)| format!("<a href=\"#{id}\">{text}</a>")).collect();
    format!(
        "<header>\n<p class=\"kicker\">Ossature study</p>\n<h1>{}</h1>\n<p class=\"lead\">{}, {}, {} of each: \
         the experiment of <a href=\"https://doi.org/{}\">{}</a>, run again.{outcome}</p>\n<nav>{}</nav>\n\
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
            data_link(&table.content),
            table.title,
            count(table.content.lines().count().saturating_sub(1), "line"),
            name = table.name,
        ));
    }
    format!(
        "<section id=\"downloads\">\n<h2>Downloads</h2>\n<p>Every number of this page is in these tables, in full. \
         They are part of the page, and lie beside it as files.</p>\n<ul class=\"files\">\n{items}<li><a \
         href=\"figure1.svg\">figure1.svg</a> and <a href=\"figure2.svg\">figure2.svg</a> <span \
         class=\"faint\">the figures, beside this page</span></li>\n</ul>\n</section>\n"
    )
}
