//! The tables as LaTeX, for a paper: they need the package booktabs and nothing else.

use super::Attached;
use super::text::push;
use crate::claims::number;
use crate::manifest::Manifest;
use crate::plan::ALL;
use crate::summary::{How, MEASURES, Summary};

/// The p-value below which a difference is marked.
const SIGNIFICANT: f64 = 0.05;

/// The tables of a study; none for a single learner.
pub(super) fn tables(manifest: &Manifest, summary: &Summary) -> Vec<Attached> {
    let mut all = Vec::new();
    if manifest.learners.len() > 1 {
        let content = increases(manifest, summary);
        all.push(Attached { name: "increases.tex", title: "Increases over all networks, in LaTeX", content });
        if manifest.timing {
            let content = times(manifest, summary);
            all.push(Attached { name: "table2.tex", title: "Table 2, in LaTeX", content });
        }
    }
    if summary.values.iter().any(|v| v.measure.key == "shd") {
        all.push(Attached {
            name: "shd.tex",
            title: "SHD by network, in LaTeX",
            content: shd(manifest, summary),
        });
    }
    all
}

/// Each measure over all networks, with its interval; a star marks a significant difference.
fn increases(manifest: &Manifest, summary: &Summary) -> String {
    let mut out = String::from(
        "% Mean increase over the networks with its 95 % interval; * where p <= 0.05, signed-rank test over the\n\
         % networks' means, adjusted by Holm's method for the sizes and learners of the measure.\n",
    );
    let first = manifest.learners.first().map_or("", |l| l.name.as_str());
    for other in manifest.learners.iter().skip(1) {
        let rows = MEASURES.iter().filter_map(|measure| {
            let cell = |&size: &usize| {
                let c = summary.get(&other.name, measure.key, None, size)?;
                let mean = number(c.increase?.mean);
                let star = if c.adjusted.is_some_and(|p| p <= SIGNIFICANT) { "$^*$" } else { "" };
                let interval = c.interval.map(|(low, high)| format!(" [{}, {}]", number(low), number(high)));
                Some(format!("{mean}{star}{}", interval.unwrap_or_default()))
            };
            let cells: Vec<Option<String>> = manifest.sizes.iter().map(cell).collect();
            let sign = if measure.how == How::Difference { " (difference)" } else { "" };
            let named = |cells: Vec<Option<String>>| (format!("{}{sign}", measure.title), cells);
            cells.iter().any(Option::is_some).then(|| named(cells))
        });
        let title = format!("{first} against {}", other.name);
        out.push_str(&tabular(&title, "measure", &manifest.sizes, rows.collect()));
    }
    out
}

/// The ratios of running times.
fn times(manifest: &Manifest, summary: &Summary) -> String {
    let mut out = String::from("% Running time, mean ratio and standard deviation over the samples.\n");
    let first = manifest.learners.first().map_or("", |l| l.name.as_str());
    for other in manifest.learners.iter().skip(1) {
        let networks = manifest.networks.iter().map(|n| Some(n.name.as_str())).chain([None]);
        let rows = networks.map(|network| {
            let cell = |&size: &usize| {
                let spread = summary.get(&other.name, "seconds_total", network, size)?.increase?;
                let sd = spread.sd.map(|sd| format!(" $\\pm$ {sd:.2}")).unwrap_or_default();
                Some(format!("{:.2}{sd}", spread.mean))
            };
            (network.unwrap_or(ALL).to_owned(), manifest.sizes.iter().map(cell).collect())
        });
        out.push_str(&tabular(
            &format!("{first} / {}", other.name),
            "network",
            &manifest.sizes,
            rows.collect(),
        ));
    }
    out
}

/// The mean SHD of each learner on each network.
fn shd(manifest: &Manifest, summary: &Summary) -> String {
    let mut out = String::from("% Mean structural Hamming distance over the samples.\n");
    for learner in &manifest.learners {
        let rows = manifest.networks.iter().map(|n| {
            let cell = |&size: &usize| {
                Some(format!("{:.1}", summary.value(&n.name, &learner.name, "shd", size)?.mean))
            };
            (n.name.clone(), manifest.sizes.iter().map(cell).collect())
        });
        out.push_str(&tabular(&learner.name, "network", &manifest.sizes, rows.collect()));
    }
    out
}

fn tabular(title: &str, corner: &str, sizes: &[usize], rows: Vec<(String, Vec<Option<String>>)>) -> String {
    let mut out =
        format!("\n% {}\n\\begin{{tabular}}{{l{}}}\n\\toprule\n{corner}", title, "r".repeat(sizes.len()));
    sizes.iter().for_each(|size| push(&mut out, format_args!(" & {size}")));
    out.push_str(" \\\\\n\\midrule\n");
    for (name, cells) in rows {
        out.push_str(&escaped(&name));
        for cell in cells {
            push(
                &mut out,
                format_args!(" & {}", cell.map_or_else(|| "--".into(), |c| c.replace('−', "$-$"))),
            );
        }
        out.push_str(" \\\\\n");
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
    out
}

/// Text without special meaning in TeX.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::example;

    #[test]
    fn tables_are_latex() {
        let (mut manifest, mut rows) = example(|key| Some(key.sample as f64));
        rows.iter_mut().for_each(|row| row.shd = Some(row.sample));
        manifest.networks[1].name = "a_b&c".into();
        for row in rows.iter_mut().filter(|row| row.network == "cancer") {
            row.network = "a_b&c".into();
        }
        let found = tables(&manifest, &Summary::of(&manifest, &rows));
        assert_eq!(
            found.iter().map(|t| t.name).collect::<Vec<_>>(),
            ["increases.tex", "table2.tex", "shd.tex"]
        );
        for table in &found {
            let text = &table.content;
            assert_eq!(text.matches("\\begin{tabular}{lrr}").count(), text.matches("\\end{tabular}").count());
            for line in text.lines().filter(|line| line.contains(" & ")) {
                assert_eq!(line.matches(" & ").count(), 2, "{line}");
                assert!(line.ends_with("\\\\"), "{line}");
            }
        }
        assert!(found[2].content.contains("a\\_b\\&c & 2.0 & 2.0 \\\\"), "{}", found[2].content);
        assert_eq!(escaped("50 % ~ \\"), "50 \\% \\textasciitilde{} \\textbackslash{}");
    }
}
