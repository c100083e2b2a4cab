//! One panel: axes, marks, bars, dots and rings.

use super::axis::{Ticks, Y, log, number, ticks};
use crate::claims::{left_out, number as shown, spread};
use crate::manifest::Manifest;
use crate::pair::{paper_pair, paper_time};
use crate::report::text::{escaped, push};
use crate::row::Kind;
use crate::summary::{Better, How, Measure, Summary, measure, neutral};

pub(super) const WIDTH: f64 = 380.0;
pub(super) const HEIGHT: f64 = 270.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 42.0;
/// The distance from one line of the legend to the next.
const LINE: f64 = 15.0;
/// Free space inside the axes.
const INSET: f64 = 18.0;

pub(super) const FONTS: &str =
    "Helvetica, Arial, 'Liberation Sans', 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

/// The colours of the series on paper.
const COLOURS: [&str; 5] = ["#0072b2", "#d55e00", "#007a5a", "#a8518a", "#8a6d00"];

/// One measure against the sample size.
pub(crate) struct Panel {
    pub(crate) measure: &'static Measure,
    /// Its letter in the figure.
    letter: char,
    /// What is compared with what.
    against: String,
    sizes: Vec<usize>,
    series: Vec<Series>,
    /// The paper's values, if it has numbers.
    rings: Vec<(usize, f64)>,
}

struct Series {
    name: String,
    /// Its index among the other learners, which determines colour and mark, the same in every
    /// panel.
    place: usize,
    points: Vec<Point>,
    dots: Vec<Dot>,
}

/// A mark, its name, and the position of both in the legend.
struct Entry<'a> {
    drawn: String,
    name: &'a str,
    x: f64,
    line: usize,
}

struct Point {
    size: usize,
    mean: f64,
    sd: Option<f64>,
    /// What is left out of the mean, in words.
    left_out: String,
}

struct Dot {
    size: usize,
    mean: f64,
    network: String,
}

impl Panel {
    pub(super) fn new(key: &str, letter: char, manifest: &Manifest, summary: &Summary) -> Panel {
        let measure = measure(key);
        let mut sizes = manifest.sizes.clone();
        sizes.sort_unstable();
        let (first, others) = match manifest.learners.split_first() {
            Some((first, others)) => (first.name.as_str(), others),
            None => ("", &[][..]),
        };
        let series = others
            .iter()
            .enumerate()
            .map(|(place, l)| Series::new(&l.name, place, measure, &sizes, manifest, summary));
        let series: Vec<Series> = series.filter(|s| !s.points.is_empty()).collect();
        let sign = if measure.how == How::Ratio { "/" } else { "−" };
        let other = if let [only] = others { only.name.as_str() } else { "other" };
        let ring = |&size: &usize| Some((size, paper_time(manifest, paper_pair(manifest)?, None, size)?.0));
        let as_paper = key == "seconds_total" && !series.is_empty();
        Panel {
            measure,
            letter,
            against: format!("{first} {sign} {other}"),
            rings: if as_paper { sizes.iter().filter_map(ring).collect() } else { Vec::new() },
            sizes,
            series,
        }
    }

    /// The panel as a picture in a page.
    pub(crate) fn inline(&self) -> String {
        format!(
            "<svg class=\"chart\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             data-measure=\"{}\">\n{}</svg>\n",
            escaped(&self.description()),
            self.measure.key,
            self.content()
        )
    }

    /// The panel in words, for those who cannot see it.
    fn description(&self) -> String {
        let mut text = format!("({}) {}, {}", self.letter, self.measure.title, self.against);
        for series in &self.series {
            let point = |p: &Point| format!("{} rows: {}{}", p.size, spread(p.mean, p.sd), p.left_out);
            let points: Vec<String> = series.points.iter().map(point).collect();
            push(&mut text, format_args!("; {}: {}", series.name, points.join(", ")));
        }
        text
    }

    /// The sizes at which the mean does not cover all samples, for a caption.
    pub(crate) fn holes(&self) -> String {
        let several = self.series.len() > 1;
        let of = |s: &Series, p: &Point| {
            let name = if several { format!("{}, ", s.name) } else { String::new() };
            format!("{name}{} rows{}", p.size, p.left_out)
        };
        let points = self.series.iter().flat_map(|s| s.points.iter().map(move |p| (s, p)));
        let holes: Vec<String> =
            points.filter(|(_, p)| !p.left_out.is_empty()).map(|(s, p)| of(s, p)).collect();
        holes.join(", ")
    }

    pub(super) fn content(&self) -> String {
        let mut out = self.head();
        if self.series.is_empty() {
            let why = if self.measure.kind == Kind::Timing { "not timed (--timing)" } else { "not measured" };
            push(
                &mut out,
                format_args!(
                    "<text class=\"faint\" x=\"{}\" y=\"{}\" fill=\"#5c6875\" font-size=\"13\" \
                     text-anchor=\"middle\" font-family=\"{FONTS}\">{why}</text>\n",
                    WIDTH / 2.0,
                    HEIGHT / 2.0
                ),
            );
            return out;
        }
        let y = self.y();
        self.axes(&mut out, &y);
        for (i, series) in self.series.iter().enumerate() {
            self.series(&mut out, series, i, &y);
        }
        self.paper_rings(&mut out, &y);
        self.legend(&mut out);
        out
    }

    fn head(&self) -> String {
        let hint = match self.measure.better {
            Better::Higher => ", higher is better ↑",
            Better::Lower => ", lower is better ↓",
            Better::Neither => "",
        };
        format!(
            "<g font-family=\"{FONTS}\"><text class=\"ink\" x=\"12\" y=\"22\" fill=\"#17202b\" font-size=\"14\" \
             font-weight=\"600\">({}) {}</text>\n<text class=\"faint\" x=\"12\" y=\"40\" fill=\"#5c6875\" \
             font-size=\"12\">{}{hint}</text></g>\n",
            self.letter,
            escaped(self.measure.title),
            escaped(&self.against),
        )
    }

    /// The scale that covers everything that is drawn.
    fn y(&self) -> Y {
        let around = |p: &Point| {
            let sd = p.sd.unwrap_or(0.0);
            [p.mean - sd, p.mean + sd]
        };
        let points = self.series.iter().flat_map(|s| s.points.iter().flat_map(around));
        let dots = self.series.iter().flat_map(|s| s.dots.iter().map(|d| d.mean));
        let rings = self.rings.iter().map(|(_, x)| *x);
        let all = points.chain(dots).chain(rings).chain([neutral(self.measure.how)]);
        let more_lines = self.legend_entries().last().map_or(0, |entry| entry.line);
        Y::over(all, TOP + LINE * more_lines as f64, HEIGHT - BOTTOM)
    }

    /// The position of a size, by its logarithm, since sizes grow by factors.
    fn x(&self, size: usize) -> f64 {
        let (least, most) = (log(self.sizes[0] as f64), log(self.sizes[self.sizes.len() - 1] as f64));
        let (from, to) = (LEFT + INSET, WIDTH - RIGHT - INSET);
        if most <= least {
            return f64::midpoint(from, to);
        }
        from + (log(size as f64) - least) / (most - least) * (to - from)
    }

    fn axes(&self, out: &mut String, y: &Y) {
        let (right, bottom) = (number(WIDTH - RIGHT), HEIGHT - BOTTOM);
        let Ticks { values, decimals } = ticks(y.low, y.high);
        out.push_str("<g class=\"grid\" stroke=\"#e3e8ee\" stroke-width=\"1\">\n");
        for &tick in &values {
            push(out, format_args!("<path d=\"M{LEFT} {}H{right}\"/>\n", number(y.place(tick))));
        }
        let one = number(y.place(neutral(self.measure.how)));
        push(
            out,
            format_args!(
                "</g>\n<path class=\"rule\" d=\"M{LEFT} {one}H{right}\" fill=\"none\" stroke=\"#5c6875\" \
                 stroke-width=\"1.2\" stroke-dasharray=\"5 4\"/>\n<g class=\"faint\" fill=\"#5c6875\" \
                 font-family=\"{FONTS}\" font-size=\"11.5\">\n"
            ),
        );
        for &tick in &values {
            let (x, at) = (LEFT - 8.0, number(y.place(tick) + 4.0));
            let label = format!("{tick:.decimals$}").replace('-', "−");
            push(out, format_args!("<text x=\"{x}\" y=\"{at}\" text-anchor=\"end\">{label}</text>\n"));
        }
        let mut free_from = f64::NEG_INFINITY;
        for &size in &self.sizes {
            let (x, label) = (self.x(size), size.to_string());
            let half = 3.4 * label.len() as f64;
            if x - half >= free_from {
                let at = bottom + 18.0;
                push(
                    out,
                    format_args!(
                        "<text x=\"{}\" y=\"{at}\" text-anchor=\"middle\">{label}</text>\n",
                        number(x)
                    ),
                );
                free_from = x + half + 4.0;
            }
        }
        let middle = number(f64::midpoint(LEFT, WIDTH - RIGHT));
        let at = bottom + 35.0;
        push(out, format_args!("<text x=\"{middle}\" y=\"{at}\" text-anchor=\"middle\">rows</text>\n</g>\n"));
    }

    fn series(&self, out: &mut String, series: &Series, i: usize, y: &Y) {
        // Series stand a little apart, so that their bars can be told from each other.
        let shift = (i as f64 - (self.series.len() - 1) as f64 / 2.0) * 7.0;
        let x = |size: usize| self.x(size) + shift;
        let (class, colour) = look(series.place);
        push(out, format_args!("<g class=\"s{class}\" color=\"{colour}\" stroke-width=\"1.6\">\n"));
        for dot in &series.dots {
            let (at, tall) = (number(x(dot.size) + 7.0), number(y.place(dot.mean)));
            let title = escaped(&format!("{}, {} rows: {}", dot.network, dot.size, shown(dot.mean)));
            push(
                out,
                format_args!(
                    "<circle class=\"dot\" cx=\"{at}\" cy=\"{tall}\" r=\"2.3\" fill=\"currentColor\" \
                     fill-opacity=\"0.4\"><title>{title}</title></circle>\n"
                ),
            );
        }
        let line: Vec<String> = series
            .points
            .iter()
            .map(|p| format!("{} {}", number(x(p.size)), number(y.place(p.mean))))
            .collect();
        push(
            out,
            format_args!(
                "<path class=\"line\" d=\"M{}\" fill=\"none\" stroke=\"currentColor\"/>\n",
                line.join("L")
            ),
        );
        for point in &series.points {
            let at = number(x(point.size));
            if let Some(sd) = point.sd {
                let (low, high) = (number(y.place(point.mean - sd)), number(y.place(point.mean + sd)));
                let (left, right) = (number(x(point.size) - 3.5), number(x(point.size) + 3.5));
                push(
                    out,
                    format_args!(
                        "<path class=\"bar\" d=\"M{at} {low}V{high}M{left} {low}H{right}M{left} {high}H{right}\" \
                         fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.2\"/>\n"
                    ),
                );
            }
            let value = spread(point.mean, point.sd);
            let title = format!("{}, {} rows: {value}{}", series.name, point.size, point.left_out);
            let mark = mark(series.place, x(point.size), y.place(point.mean));
            push(
                out,
                format_args!(
                    "<path class=\"point\" d=\"{mark}\" fill=\"currentColor\"><title>{}</title></path>\n",
                    escaped(&title)
                ),
            );
        }
        out.push_str("</g>\n");
    }

    fn paper_rings(&self, out: &mut String, y: &Y) {
        for &(size, value) in &self.rings {
            let (x, at) = (number(self.x(size) - 7.0), number(y.place(value)));
            push(
                out,
                format_args!(
                    "<circle class=\"ring\" cx=\"{x}\" cy=\"{at}\" r=\"4\" fill=\"none\" stroke=\"#17202b\" \
                     stroke-width=\"1.3\"><title>the paper, {size} rows: {value:.2}</title></circle>\n"
                ),
            );
        }
    }

    /// The legend if there is more than one kind of mark, in as many lines as needed.
    fn legend_entries(&self) -> Vec<Entry<'_>> {
        let mut entries: Vec<(String, &str)> = Vec::new();
        if self.series.len() > 1 || !self.rings.is_empty() {
            for series in &self.series {
                let (class, colour) = look(series.place);
                let name = if self.series.len() > 1 { series.name.as_str() } else { "here" };
                let drawn = format!(
                    "<g class=\"s{class}\" color=\"{colour}\"><path d=\"{}\" fill=\"currentColor\"/></g>",
                    mark(series.place, 0.0, -4.0)
                );
                entries.push((drawn, name));
            }
        }
        if !self.rings.is_empty() {
            let ring = "<circle class=\"ring\" cx=\"0\" cy=\"-4\" r=\"4\" fill=\"none\" stroke=\"#17202b\" \
                        stroke-width=\"1.3\"/>";
            entries.push((ring.to_owned(), "the paper"));
        }
        let (left, mut line) = (LEFT + 4.0, 0);
        let mut free_from = left;
        let mut placed = Vec::with_capacity(entries.len());
        for (drawn, name) in entries {
            let width = 26.0 + 6.6 * name.chars().count() as f64;
            if free_from > left && free_from + width > WIDTH {
                (free_from, line) = (left, line + 1);
            }
            placed.push(Entry { drawn, name, x: free_from, line });
            free_from += width;
        }
        placed
    }

    fn legend(&self, out: &mut String) {
        for Entry { drawn, name, x, line } in self.legend_entries() {
            push(
                out,
                format_args!(
                    "<g transform=\"translate({} {})\">{drawn}<text class=\"faint\" x=\"9\" fill=\"#5c6875\" \
                     font-family=\"{FONTS}\" font-size=\"11.5\">{}</text></g>\n",
                    number(x),
                    number(57.0 + LINE * line as f64),
                    escaped(name)
                ),
            );
        }
    }
}

impl Series {
    fn new(
        other: &str,
        place: usize,
        measure: &Measure,
        sizes: &[usize],
        manifest: &Manifest,
        summary: &Summary,
    ) -> Series {
        let at =
            |network: Option<&str>, size: usize| summary.get(other, measure.key, network, size)?.increase;
        let point = |&size: &usize| {
            let all = summary.get(other, measure.key, None, size)?;
            let (spread, left_out) = (all.increase?, left_out(all, manifest));
            Some(Point { size, mean: spread.mean, sd: spread.sd, left_out })
        };
        let dot = |size: usize, network: &str| {
            Some(Dot { size, mean: at(Some(network), size)?.mean, network: network.to_owned() })
        };
        let several = manifest.networks.len() > 1;
        Series {
            name: other.to_owned(),
            place,
            points: sizes.iter().filter_map(point).collect(),
            dots: sizes
                .iter()
                .flat_map(|&size| manifest.networks.iter().filter_map(move |n| dot(size, &n.name)))
                .filter(|_| several)
                .collect(),
        }
    }
}

/// The class and the colour of a series.
pub(super) fn look(place: usize) -> (usize, &'static str) {
    let class = place % COLOURS.len();
    (class, COLOURS[class])
}

/// The mark of a series as path data: a disc, a square, a triangle, a diamond.
pub(super) fn mark(series: usize, x: f64, y: f64) -> String {
    let p = |dx: f64, dy: f64| format!("{} {}", number(x + dx), number(y + dy));
    match series % 4 {
        0 => format!("M{}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", p(-4.0, 0.0)),
        1 => format!("M{}h7v7h-7z", p(-3.5, -3.5)),
        2 => format!("M{}L{}L{}z", p(0.0, -4.5), p(4.3, 3.3), p(-4.3, 3.3)),
        _ => format!("M{}L{}L{}L{}z", p(0.0, -5.0), p(4.5, 0.0), p(0.0, 5.0), p(-4.5, 0.0)),
    }
}

#[cfg(test)]
mod tests;
