//! How sure the edges of a bootstrap are: their strengths from the strongest to the weakest, with the
//! threshold above which an edge is kept.

use ossature::text::count;

use crate::svg::{FONTS, number, push};

/// The sizes of the picture: its plot area, and the margins for text at its left, top, right and
/// bottom.
const PLANE: (f64, f64) = (520.0, 240.0);
const ROOM: [f64; 4] = [52.0, 34.0, 16.0, 40.0];

const STYLE: &str = "<style>
@media screen and (prefers-color-scheme: dark) {
  .ossature .paper { fill: #12161c }
  .ossature .words { fill: #eef2f6 }
  .ossature .grid { stroke: #394654 }
  .ossature .in { fill: #6cc0ff; stroke: #6cc0ff }
  .ossature .out { fill: #12161c; stroke: #7f91a8 }
  .ossature .threshold { stroke: #f0a35e }
}
</style>
";

/// Draws strengths between 0 and 1 as an SVG picture: a point for each, the strongest first, and a line at
/// the threshold.
///
/// ```
/// let svg = ossature_draw::strength_plot(&[1.0, 0.2, 0.9, 0.05], 0.5);
/// assert!(svg.contains("threshold 0.50: 2 edges of 4 are above it"));
/// ```
pub fn strength_plot(strengths: &[f64], threshold: f64) -> String {
    let mut sorted = strengths.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let [left, top, right, bottom] = ROOM;
    let (width, height) = (PLANE.0 + left + right, PLANE.1 + top + bottom);
    let y = |s: f64| number(top + PLANE.1 * (1.0 - s.clamp(0.0, 1.0)));
    let x = |i: usize| number(left + PLANE.0 * (i as f64 + 0.5) / sorted.len().max(1) as f64);
    let above = sorted.iter().filter(|&&s| s > threshold).count();
    let verb = if above == 1 { "is" } else { "are" };
    let words =
        format!("threshold {threshold:.2}: {} of {} {verb} above it", count(above, "edge"), sorted.len());
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ossature\" role=\"img\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"{FONTS}\" font-size=\"12\">\n\
         <title>Strengths of edges</title>\n<desc>{words}</desc>\n{STYLE}\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <g class=\"grid\" stroke=\"#d5dce5\">\n"
    );
    let ticks = [0.0, 0.25, 0.5, 0.75, 1.0];
    for tick in ticks {
        push(&mut out, format_args!("<path d=\"M{left} {}h{}\"/>\n", y(tick), PLANE.0));
    }
    out.push_str("</g>\n<g class=\"words\" fill=\"#17202b\">\n");
    for tick in ticks {
        let base = top + PLANE.1 * (1.0 - tick) + 4.0;
        push(
            &mut out,
            format_args!("<text x=\"{}\" y=\"{base}\" text-anchor=\"end\">{tick:.2}</text>\n", left - 8.0),
        );
    }
    push(
        &mut out,
        format_args!(
            "<text x=\"{left}\" y=\"18\">share of the samples with the edge; {words}</text>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">edges, the strongest first</text>\n</g>\n",
            left + PLANE.0 / 2.0,
            height - 14.0
        ),
    );
    let radius = if sorted.len() > 150 { "2" } else { "3.2" };
    for (i, &s) in sorted.iter().enumerate() {
        let (class, look) = if s > threshold {
            ("in", "fill=\"#0b6bb3\" stroke=\"#0b6bb3\"")
        } else {
            ("out", "fill=\"#ffffff\" stroke=\"#5d7087\"")
        };
        let (cx, cy) = (x(i), y(s));
        push(
            &mut out,
            format_args!("<circle class=\"{class}\" cx=\"{cx}\" cy=\"{cy}\" r=\"{radius}\" {look}/>\n"),
        );
    }
    push(
        &mut out,
        format_args!(
            "<path class=\"threshold\" d=\"M{left} {}h{}\" stroke=\"#b3500b\" stroke-width=\"1.5\" \
             stroke-dasharray=\"6 4\"/>\n</svg>\n",
            y(threshold),
            PLANE.0
        ),
    );
    out
}
