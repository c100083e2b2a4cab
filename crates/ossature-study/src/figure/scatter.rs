//! SHD by network: the first learner against the others, with a panel for each size.

use super::axis::{log, log_ticks, number};
use super::panel::{FONTS, HEIGHT, WIDTH, look, mark};
use crate::manifest::Manifest;
use crate::report::text::{escaped, push};
use crate::summary::Summary;

const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 44.0;
/// The distance between names that would otherwise overlap.
const LINE: f64 = 11.0;

/// One size.
pub(crate) struct Scatter {
    letter: char,
    size: usize,
    first: String,
    /// The others that have values.
    others: Vec<(usize, String)>,
    dots: Vec<ScatterDot>,
}

struct ScatterDot {
    network: String,
    /// The index of the learner among the others.
    place: usize,
    first: f64,
    other: f64,
}

impl Scatter {
    /// A panel for each size at which there is something to show.
    pub(super) fn all(manifest: &Manifest, summary: &Summary) -> Vec<Scatter> {
        let Some((first, others)) = manifest.learners.split_first() else { return Vec::new() };
        let mut sizes = manifest.sizes.clone();
        sizes.sort_unstable();
        let panels = sizes.iter().map(|&size| {
            let shd = |network: &str, learner: &str| Some(summary.value(network, learner, "shd", size)?.mean);
            let mut dots = Vec::new();
            for (place, other) in others.iter().enumerate() {
                dots.extend(manifest.networks.iter().filter_map(|n| {
                    let (a, b) = (shd(&n.name, &first.name)?, shd(&n.name, &other.name)?);
                    Some(ScatterDot { network: n.name.clone(), place, first: a, other: b })
                }));
            }
            let named = others.iter().enumerate().map(|(place, other)| (place, other.name.clone()));
            let others = named.filter(|(place, _)| dots.iter().any(|d| d.place == *place)).collect();
            Scatter { letter: 'a', size, first: first.name.clone(), others, dots }
        });
        let shown = panels.filter(|panel| !panel.dots.is_empty());
        shown.zip('a'..='z').map(|(panel, letter)| Scatter { letter, ..panel }).collect()
    }

    /// The panel as a picture in a page.
    pub(crate) fn inline(&self) -> String {
        format!(
            "<svg class=\"chart\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\n{}</svg>\n",
            escaped(&self.description()),
            self.content()
        )
    }

    fn description(&self) -> String {
        let dot = |d: &ScatterDot| {
            format!("{}: {:.1} and {:.1} with {}", d.network, d.first, d.other, self.name(d.place))
        };
        let dots: Vec<String> = self.dots.iter().map(dot).collect();
        format!("({}) SHD at {} rows with {}: {}", self.letter, self.size, self.first, dots.join("; "))
    }

    fn name(&self, place: usize) -> &str {
        self.others.iter().find(|(p, _)| *p == place).map_or("", |(_, name)| name)
    }

    pub(super) fn content(&self) -> String {
        let other = if let [(_, only)] = &self.others[..] { only.as_str() } else { "the others" };
        let mut out = format!(
            "<g font-family=\"{FONTS}\"><text class=\"ink\" x=\"12\" y=\"22\" fill=\"#17202b\" font-size=\"14\" \
             font-weight=\"600\">({}) SHD at {} rows</text>\n<text class=\"faint\" x=\"12\" y=\"40\" \
             fill=\"#5c6875\" font-size=\"12\">below the line {} is closer to the truth</text></g>\n",
            self.letter,
            self.size,
            escaped(&self.first),
        );
        let scale = Scale::over(self.dots.iter().flat_map(|d| [d.first, d.other]));
        self.axes(&mut out, &scale, other);
        self.marks(&mut out, &scale);
        out
    }

    fn axes(&self, out: &mut String, scale: &Scale, other: &str) {
        let (right, bottom) = (number(WIDTH - RIGHT), number(HEIGHT - BOTTOM));
        let ticks = log_ticks(scale.low, scale.high);
        out.push_str("<g class=\"grid\" stroke=\"#e3e8ee\" stroke-width=\"1\">\n");
        for &tick in &ticks {
            push(
                out,
                format_args!(
                    "<path d=\"M{LEFT} {}H{right}M{} {TOP}V{bottom}\"/>\n",
                    number(scale.y(tick)),
                    number(scale.x(tick))
                ),
            );
        }
        push(
            out,
            format_args!(
                "</g>\n<path class=\"rule\" d=\"M{LEFT} {bottom}L{right} {TOP}\" fill=\"none\" stroke=\"#5c6875\" \
                 stroke-width=\"1.2\" stroke-dasharray=\"5 4\"/>\n<g class=\"faint\" fill=\"#5c6875\" \
                 font-family=\"{FONTS}\" font-size=\"11.5\">\n"
            ),
        );
        for &tick in &ticks {
            push(
                out,
                format_args!(
                    "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{tick}</text>\n<text x=\"{}\" y=\"{}\" \
                     text-anchor=\"middle\">{tick}</text>\n",
                    LEFT - 8.0,
                    number(scale.y(tick) + 4.0),
                    number(scale.x(tick)),
                    number(HEIGHT - BOTTOM + 18.0),
                ),
            );
        }
        push(
            out,
            format_args!(
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n<text transform=\"translate(14 {}) \
                 rotate(-90)\" text-anchor=\"middle\">{}</text>\n</g>\n",
                number(f64::midpoint(LEFT, WIDTH - RIGHT)),
                number(HEIGHT - BOTTOM + 35.0),
                escaped(other),
                number(f64::midpoint(TOP, HEIGHT - BOTTOM)),
                escaped(&self.first),
            ),
        );
    }

    fn marks(&self, out: &mut String, scale: &Scale) {
        // Names stand beside their dots, on the side with more room; one that would cover another moves down.
        let mut taken: Vec<(f64, f64, f64)> = Vec::new();
        let mut dots: Vec<&ScatterDot> = self.dots.iter().collect();
        dots.sort_by(|a, b| b.first.total_cmp(&a.first).then_with(|| a.network.cmp(&b.network)));
        for dot in dots {
            let (class, colour) = look(dot.place);
            let (x, y) = (scale.x(dot.other), scale.y(dot.first));
            let width = 5.6 * dot.network.chars().count() as f64;
            let to_left = x + 8.0 + width > WIDTH - RIGHT;
            let from = if to_left { x - 8.0 - width } else { x + 8.0 };
            let mut at = y + 3.5;
            while taken.iter().any(|&(a, b, t)| from < b && a < from + width && (t - at).abs() < LINE) {
                at += 1.0;
            }
            taken.push((from, from + width, at));
            push(
                out,
                format_args!(
                    "<g class=\"s{class}\" color=\"{colour}\"><path class=\"named\" d=\"{}\" fill=\"currentColor\">\
                     <title>{}</title></path></g>\n<text class=\"ink\" x=\"{}\" y=\"{}\" fill=\"#17202b\" \
                     font-family=\"{FONTS}\" font-size=\"10\"{}>{}</text>\n",
                    mark(dot.place, x, y),
                    escaped(&format!(
                        "{}: {:.1} with {}, {:.1} with {}",
                        dot.network,
                        dot.first,
                        self.first,
                        dot.other,
                        self.name(dot.place)
                    )),
                    number(if to_left { x - 8.0 } else { x + 8.0 }),
                    number(at),
                    if to_left { " text-anchor=\"end\"" } else { "" },
                    escaped(&dot.network),
                ),
            );
        }
    }
}

/// The same logarithmic scale in both directions. A distance of 0 is drawn at a half.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn over(values: impl Iterator<Item = f64>) -> Scale {
        let (low, high) =
            values.map(|x| x.max(0.5)).fold((f64::MAX, 0.5f64), |(l, h), x| (l.min(x), h.max(x)));
        Scale { low: low / 1.3, high: high * 1.3 }
    }

    fn share(&self, value: f64) -> f64 {
        (log(value.max(0.5)) - log(self.low)) / (log(self.high) - log(self.low))
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + self.share(value) * (WIDTH - RIGHT - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.share(value) * (HEIGHT - BOTTOM - TOP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::example;

    #[test]
    fn every_network_has_its_name_on_its_dot() {
        let (manifest, mut rows) = example(|_| None);
        for row in &mut rows {
            row.shd = Some(if row.learner == "h2pc" { 0 } else { 4 });
        }
        let panels = Scatter::all(&manifest, &Summary::of(&manifest, &rows));
        assert_eq!(panels.len(), 2, "a panel for each size");
        let picture = panels[1].inline();
        assert!(picture.contains("(b) SHD at 500 rows"), "{picture}");
        assert_eq!(picture.matches("class=\"named\"").count(), 2);
        for name in ["asia", "cancer"] {
            assert!(picture.contains(&format!(">{name}</text>")), "{picture}");
        }
        // The two dots are in one place; their names are not.
        let places: Vec<&str> =
            picture.lines().filter(|l| l.ends_with("</text>") && l.contains("font-size=\"10\"")).collect();
        let place = |line: &str| line.split(" fill=").next().unwrap().to_owned();
        assert_ne!(place(places[0]), place(places[1]));
        let (manifest, rows) = example(|_| None);
        assert!(Scatter::all(&manifest, &Summary::of(&manifest, &rows)).is_empty(), "nothing was measured");
    }
}
