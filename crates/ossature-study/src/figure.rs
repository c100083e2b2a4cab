//! The counterparts of the paper's Figures 1 and 2, drawn as SVG.
//!
//! A panel shows one measure against the sample size: the mean increase over all networks with its standard
//! deviation, and faintly beside it the mean of each network. Colours of the light scheme are attributes,
//! which every program understands; the style sheet overrides them for dark screens only. They are from the
//! palette of Okabe and Ito, which colour-blind readers can distinguish, and every series has a mark of a
//! different shape.

mod axis;
mod panel;
mod ranks;
mod scatter;

use self::panel::{HEIGHT, Panel, WIDTH};
pub(crate) use self::ranks::diagram;
pub(crate) use self::scatter::Scatter;
use crate::manifest::Manifest;
use crate::report::text::escaped;
use crate::statistics::Ranking;
use crate::summary::Summary;

/// The measures of Figure 1.
const FIGURE_1: [&str; 6] = ["fp_ratio", "fn_ratio", "precision", "recall", "distance", "tests"];
/// The measures of Figure 2; the sixth is the running time, which the paper has in its Table 2.
const FIGURE_2: [&str; 6] = ["bdeu_train", "bic_train", "bdeu_new", "bic_new", "shd", "seconds_total"];

/// The look on dark screens, for a page or a file.
pub(crate) const STYLE: &str = "\
@media screen and (prefers-color-scheme: dark) {
  .chart .paper { fill: #151a21 }
  .chart .ink { fill: #e8edf3 }
  .chart .faint { fill: #a3afbd }
  .chart .grid { stroke: #2a323d }
  .chart .rule { stroke: #8793a3 }
  .chart .s0 { color: #56b4e9 } .chart .s1 { color: #e69f00 } .chart .s2 { color: #2ec4a0 }
  .chart .s3 { color: #d98cc0 } .chart .s4 { color: #f0e442 }
  .chart .ring, .chart .ink-line { stroke: #e8edf3 }
}
";

/// A figure of six panels.
pub(crate) struct Figure {
    /// 1 or 2.
    pub(crate) number: usize,
    /// What it shows.
    pub(crate) caption: String,
    /// Its panels.
    pub(crate) panels: Vec<Panel>,
}

impl Figure {
    /// Both figures of a study.
    pub(crate) fn both(manifest: &Manifest, summary: &Summary) -> [Figure; 2] {
        let panels = |keys: [&str; 6]| {
            keys.iter().zip('a'..).map(|(key, letter)| Panel::new(key, letter, manifest, summary)).collect()
        };
        let first = manifest.learners.first().map_or("", |l| l.name.as_str());
        let n = manifest.networks.len();
        let over = if n == 1 { manifest.networks[0].name.clone() } else { format!("{n} networks") };
        let others = match manifest.learners.get(1..) {
            Some([only]) => only.name.as_str(),
            _ => "the other learners",
        };
        let caption = |what: &str| {
            format!(
                "{what}: {first} against {others}, averaged over {over}, or over those with a \
                 ratio if ratios to 0 are left out. Bars are standard deviations, dots single networks."
            )
        };
        [
            Figure {
                number: 1,
                caption: caption("Quality of the skeleton before the search"),
                panels: panels(FIGURE_1),
            },
            Figure {
                number: 2,
                caption: caption("Quality of the final structure"),
                panels: panels(FIGURE_2),
            },
        ]
    }

    /// The figure as a separate file, with two panels side by side.
    pub(crate) fn file(&self) -> String {
        side_by_side(
            &format!("Figure {}", self.number),
            &self.caption,
            self.panels.iter().map(Panel::content),
        )
    }
}

/// SHD by network, with a panel for each size.
pub(crate) struct ByNetwork {
    pub(crate) panels: Vec<Scatter>,
}

impl ByNetwork {
    pub(crate) const CAPTION: &str = "The structural Hamming distance of each network, mean over its samples; both axes are \
                                      logarithmic, and a distance below a half is drawn at a half.";

    pub(crate) fn new(manifest: &Manifest, summary: &Summary) -> ByNetwork {
        ByNetwork { panels: Scatter::all(manifest, summary) }
    }

    /// The figure as a separate file.
    pub(crate) fn file(&self) -> String {
        side_by_side("Figure 3", ByNetwork::CAPTION, self.panels.iter().map(Scatter::content))
    }
}

/// The rankings to draw: of SHD, or of the skeleton's distance if SHD is not measured.
pub(crate) fn drawn_rankings(summary: &Summary) -> Vec<&Ranking> {
    let of = |key: &str| summary.rankings.iter().filter(|r| r.measure.key == key).collect::<Vec<_>>();
    let mut rankings = of("shd");
    if rankings.is_empty() {
        rankings = of("distance");
    }
    rankings.sort_by_key(|ranking| ranking.size);
    rankings
}

/// The diagrams of mean ranks as a file.
pub(crate) fn ranks_file(rankings: &[&Ranking]) -> String {
    ranks::file(rankings)
}

/// Panels in two columns.
fn side_by_side(title: &str, caption: &str, panels: impl ExactSizeIterator<Item = String>) -> String {
    let height = panels.len().div_ceil(2) as f64 * HEIGHT;
    let mut body = String::new();
    for (i, panel) in panels.enumerate() {
        let (x, y) = ((i % 2) as f64 * WIDTH, (i / 2) as f64 * HEIGHT);
        body.push_str(&format!("<g transform=\"translate({x} {y})\">\n{panel}</g>\n"));
    }
    document(title, caption, 2.0 * WIDTH, height, &body)
}

/// A picture as a separate file.
fn document(title: &str, description: &str, width: f64, height: f64, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\">\n<title>{}</title>\n<desc>{}</desc>\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{body}</svg>\n",
        escaped(title),
        escaped(description),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::example;

    #[test]
    fn a_panel_has_a_mark_for_each_size_and_a_dot_for_each_network() {
        let (manifest, rows) = example(|key| Some(key.sample as f64 / 4.0));
        let figures = Figure::both(&manifest, &Summary::of(&manifest, &rows));
        let recall = figures[0].panels.iter().find(|p| p.measure.key == "recall").unwrap().inline();
        assert_eq!(recall.matches("class=\"point\"").count(), 2);
        assert_eq!(recall.matches("class=\"dot\"").count(), 4);
        assert!(recall.contains("50 rows: 1.000 ± 0"), "{recall}");
        let empty = figures[1].panels.iter().find(|p| p.measure.key == "shd").unwrap().inline();
        assert!(empty.contains("not measured") && !empty.contains("class=\"point\""));
        let time = figures[1].panels.last().unwrap().inline();
        assert_eq!(time.matches("the paper, ").count(), 0, "it does not have these networks");
        let mut renamed = manifest.clone();
        renamed.networks.truncate(1);
        renamed.networks[0].name = "child".into();
        let rows: Vec<_> = rows.iter().map(|r| crate::Row { network: "child".into(), ..r.clone() }).collect();
        let time = Figure::both(&renamed, &Summary::of(&renamed, &rows))[1].panels.last().unwrap().inline();
        assert_eq!(time.matches("the paper, ").count(), 2, "at 50 and 500 rows");
        assert_eq!(figures[0].file().matches("translate(").count(), 6);
    }

    #[test]
    fn a_learner_looks_the_same_in_every_panel() {
        let (mut manifest, rows) = example(|key| Some(key.sample as f64));
        // A learner without rows stands before the one that has them.
        let tabu = crate::LearnerFacts { name: "tabu".into(), ..manifest.learners[1].clone() };
        manifest.learners.insert(1, tabu);
        let figures = Figure::both(&manifest, &Summary::of(&manifest, &rows));
        let recall = figures[0].panels[3].inline();
        assert!(recall.contains("class=\"s1\"") && !recall.contains("class=\"s0\""), "{recall}");
    }
}
