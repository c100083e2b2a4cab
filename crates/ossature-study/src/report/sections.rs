//! The sections of the page.

use super::Contents;
use super::tables::table;
use super::text::{count, escaped, listed, push};
use crate::claims::Verdict;
use crate::figure::{ByNetwork, diagram, drawn_rankings};
use crate::learner::LearnerFacts;
use crate::manifest::{NetworkFacts, RunInfo};
use crate::pair::{deviations, paper_pair};
use crate::paper;
use crate::row::Kind;

/// Warnings that a reader should see first.
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

/// The paper's claims, one by one.
pub(super) fn claims(contents: &Contents) -> String {
    let mut out = String::from(
        "<section id=\"claims\">\n<h2>What the paper says, and what we find</h2>\n<p>Each statement is turned into \
         questions that the rows answer; each card quotes only the part it checks. The increase factor of a measure \
         is its value with the first learner over that with the other, taken for each sample and averaged over the networks; \
         a ratio to 0 is left out.</p>\n",
    );
    let Some(other) = paper_pair(contents.manifest) else {
        out.push_str("<p>The paper compares H2PC with MMHC, which this study does not do.</p>\n</section>\n");
        return out;
    };
    push(
        &mut out,
        format_args!(
            "<p>As H2PC and MMHC: <b>{}</b> and <b>{}</b>. {}</p>\n",
            escaped(&contents.manifest.learners[0].name),
            escaped(other),
            escaped(&unlike_the_paper(contents)),
        ),
    );
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
                 {}{}</p>\n<h3>{}</h3>\n<p class=\"quote\">{}</p>\n<p class=\"faint\">Check: {}.</p>\n",
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

/// Whether grid and settings equal the paper's, in a sentence.
fn unlike_the_paper(contents: &Contents) -> String {
    let deviations = deviations(contents.manifest);
    let orders = |l: &LearnerFacts| l.settings.get("tie_orders")?.as_u64();
    let ties = match contents.manifest.learners.first().and_then(orders).unwrap_or(1) {
        0 | 1 => "Ties of the search are broken in one order.".to_owned(),
        k => format!(
            "Ties of the search are broken in {k} orders, and the best counts; the paper does not mention ties."
        ),
    };
    if deviations.is_empty() {
        return format!("Networks, sizes, samples and settings are those of the paper. {ties}");
    }
    format!("Not as in the paper: {}. {ties}", deviations.join("; "))
}

/// One of the two figures, each panel beside the paper's sentence about it.
pub(super) fn figure(contents: &Contents, which: usize) -> String {
    let figure = &contents.figures[which];
    let n = figure.number;
    let mut out = format!(
        "<section id=\"figure{n}\">\n<h2>Figure {n}</h2>\n<p>{} The counterpart of Figure {n} of the paper, whose \
         own curves are pictures; its sentence is below each panel.</p>\n<div class=\"panels\">\n",
        escaped(&figure.caption)
    );
    for panel in &figure.panels {
        let holes = match panel.holes() {
            none if none.is_empty() => none,
            holes => format!("<br><span class=\"faint\">Not over all samples: {}.</span>", escaped(&holes)),
        };
        push(
            &mut out,
            format_args!(
                "<figure>\n{}<figcaption><span class=\"faint\">The paper:</span> {}{holes}</figcaption>\n\
                 </figure>\n",
                panel.inline(),
                escaped(paper::sentence(panel.measure.key))
            ),
        );
    }
    if n == 2 {
        out.push_str(
            "</div>\n<p class=\"faint\">BDeu and BIC are logarithms and negative: a ratio below 1 is a better \
             score. The sixth panel is the running time; its rings are the means of the paper's Table 2 over the same networks.</p>\n</section>\n",
        );
    } else {
        out.push_str("</div>\n</section>\n");
    }
    out
}

/// SHD by network.
pub(super) fn by_network(contents: &Contents) -> String {
    let mut out = format!(
        "<section id=\"figure3\">\n<h2>Figure 3: SHD by network</h2>\n<p>{}</p>\n<div class=\"panels\">\n",
        ByNetwork::CAPTION
    );
    for panel in &contents.by_network.panels {
        push(&mut out, format_args!("<figure>\n{}</figure>\n", panel.inline()));
    }
    out.push_str("</div>\n</section>\n");
    out
}

/// The learners by their mean ranks, if there are three or more.
pub(super) fn ranks(contents: &Contents) -> String {
    let mut out = String::from(
        "<section id=\"ranks\">\n<h2>Ranks</h2>\n<p>The learners ranked on each network by the mean over its samples, and \
         the ranks averaged. Friedman's test says whether the ranks differ at all; learners that a bar joins do not differ \
         by more than Nemenyi's critical difference at 5 % (Demšar 2006, JMLR 7). With few networks only large differences \
         can be shown: that no bar is missing does not mean that learners are equal.</p>\n",
    );
    for (ranking, letter) in drawn_rankings(&contents.summary).into_iter().zip('a'..='z') {
        push(&mut out, format_args!("<figure>\n{}</figure>\n", diagram(ranking, letter)));
    }
    out.push_str("</section>\n");
    out
}

/// What was run.
pub(super) fn what_was_run(contents: &Contents) -> String {
    let m = contents.manifest;
    let accuracy = contents.rows.iter().filter(|r| r.kind == Kind::Accuracy).count();
    let timing = contents.rows.len() - accuracy;
    let sizes: Vec<String> = m.sizes.iter().map(ToString::to_string).collect();
    let learners: String = m
        .learners
        .iter()
        .map(|l| format!("<li><b>{}</b>: {}</li>\n", escaped(&l.name), escaped(&l.in_words())))
        .collect();
    let seen = match m.learners.len() {
        1 => "",
        2 => "; both learners see the same rows",
        _ => "; all learners see the same rows",
    };
    let mut out = format!(
        "<section id=\"run\">\n<h2>What was run</h2>\n<ul>\n<li>Samples of {} rows, {} of each size and \
         network{seen}.</li>\n{learners}<li>Scores on new data: {} new rows for each \
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

/// How to reproduce the study.
pub(super) fn reproduce(contents: &Contents) -> String {
    let m = contents.manifest;
    let run_info = |s: &RunInfo| {
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
    let runs: String = m.runs.iter().map(run_info).collect();
    format!(
        "<section id=\"reproduce\">\n<h2>Reproduce</h2>\n<p>Ossature {}, seed {}. All columns of the rows but times \
         and memory come out the same on every machine and with any number of threads; each sample is derived \
         from the seed, the network, the size and its number alone. All settings are in \
         <a href=\"study.json\">study.json</a>.</p>\n<ul class=\"runs\">\n{runs}</ul>\n</section>\n",
        escaped(&m.version),
        m.seed
    )
}
