//! A laid-out picture as SVG text.
//!
//! Colours of the light scheme are attributes, which every program understands; the style sheet only
//! overrides them for dark screens, so paper stays light. Its rules apply only inside `.ossature`,
//! so that pictures can be put into a page without affecting the rest of it.

use std::fmt::Write;

use ossature::text::{count, escaped, printable};
use ossature::{NamedGraph, Var};

use crate::route::Knot;
use crate::{BOX_HEIGHT, Curve, Look, Picture, Rect, text};

/// The space around the picture.
pub(crate) const MARGIN: f64 = 20.0;

/// The height of the legend with the space above it, and its width.
const LEGEND: (f64, f64) = (36.0, 210.0);

pub(crate) const FONTS: &str =
    "Helvetica, Arial, 'Liberation Sans', 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

const STYLE: &str = "\
<style>
@media screen and (prefers-color-scheme: dark) {
  .ossature .paper { fill: #12161c }
  .ossature .box { fill: #222b36; stroke: #7f91a8 }
  .ossature .name { fill: #eef2f6 }
  .ossature .arc { stroke: #a3b3c6 }
  .ossature .head { fill: #a3b3c6 }
  .ossature .edge { stroke: #f0a35e }
}
</style>
<defs>
<marker id=\"ossature-head\" viewBox=\"0 0 10 8\" refX=\"10\" refY=\"4\" markerWidth=\"10\" markerHeight=\"8\" \
markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"head\" d=\"M0 0L10 4L0 8L2.5 4z\" \
fill=\"#44546a\"/></marker>
</defs>
";

/// The groups that define the look of their members.
const ARCS: &str = "<g class=\"arc\" fill=\"none\" stroke=\"#44546a\" stroke-width=\"1.3\">\n";
const EDGES: &str = "<g class=\"edge\" fill=\"none\" stroke=\"#b3500b\" stroke-width=\"1.5\" \
stroke-dasharray=\"6 4\">\n";
const BOXES: &str = "<g class=\"box\" fill=\"#eef3f9\" stroke=\"#5d7087\" stroke-width=\"1.2\">\n";

/// The SVG of a picture of a graph with this look.
pub(crate) fn write(graph: &NamedGraph, picture: &Picture, look: &Look<'_>) -> String {
    let (arcs, edges): (Vec<&Curve>, Vec<&Curve>) = picture.curves.iter().partition(|c| c.directed);
    let legend = !arcs.is_empty() && !edges.is_empty();
    let room = if legend { LEGEND } else { (0.0, 0.0) };
    let mut out = open(picture, room, &description(graph, arcs.len(), edges.len()), STYLE);
    curves(&mut out, graph, &edges, EDGES, look.strength);
    curves(&mut out, graph, &arcs, ARCS, look.strength);
    boxes(&mut out, graph, &picture.boxes, look.continuous);
    if legend {
        write_legend(&mut out, picture.height + MARGIN + LEGEND.0 - 8.0);
    }
    out.push_str("</svg>\n");
    out
}

/// The beginning of a picture, with room for a legend of this height and width below it.
pub(crate) fn open(picture: &Picture, legend: (f64, f64), description: &str, style: &str) -> String {
    let width = number((picture.width.max(legend.1) + 2.0 * MARGIN).ceil());
    let height = number((picture.height + 2.0 * MARGIN + legend.0).ceil());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ossature\" role=\"img\" \
         viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <title>Graph</title>\n<desc>{description}</desc>\n{style}\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
    )
}

/// The line width for an edge of this strength.
fn line_width(strength: f64) -> String {
    number(0.6 + 3.4 * strength.clamp(0.0, 1.0))
}

/// The text in the box of a node.
pub(crate) fn label(name: &str) -> String {
    text::shortened(&printable(name))
}

fn description(graph: &NamedGraph, arcs: usize, edges: usize) -> String {
    let nodes = count(graph.names().len(), "node");
    format!("{nodes}, {}, {}", count(arcs, "directed edge"), count(edges, "undirected edge"))
}

fn curves(
    out: &mut String,
    graph: &NamedGraph,
    curves: &[&Curve],
    group: &str,
    strength: &dyn Fn(Var, Var) -> Option<f64>,
) {
    if curves.is_empty() {
        return;
    }
    out.push_str(group);
    for curve in curves {
        let (marker, between) =
            if curve.directed { (" marker-end=\"url(#ossature-head)\"", '→') } else { ("", '–') };
        let (from, to) = (escaped(graph.name(curve.from)), escaped(graph.name(curve.to)));
        let d = path(&curve.knots);
        let (width, note) = match strength(curve.from, curve.to) {
            Some(s) => (format!(" stroke-width=\"{}\"", line_width(s)), format!(" (strength {s:.2})")),
            None => Default::default(),
        };
        push(
            out,
            format_args!(
                "<path d=\"{d}\"{width}{marker}><title>{from} {between} {to}{note}</title></path>\n"
            ),
        );
    }
    out.push_str("</g>\n");
}

/// The corner radius of a box: the ends of a continuous variable are half circles.
pub(crate) fn corner(is_continuous: bool) -> String {
    number(if is_continuous { BOX_HEIGHT / 2.0 } else { 6.0 })
}

/// The boxes with the names in them; `continuous` has a note on each continuous variable.
pub(crate) fn boxes(
    out: &mut String,
    graph: &NamedGraph,
    boxes: &[Rect],
    continuous: &dyn Fn(Var) -> Option<String>,
) {
    if boxes.is_empty() {
        return;
    }
    let size = number(text::FONT_SIZE);
    push(out, format_args!("<g font-family=\"{FONTS}\" font-size=\"{size}\" text-anchor=\"middle\">\n"));
    out.push_str(BOXES);
    for (i, (name, rect)) in graph.names().iter().zip(boxes).enumerate() {
        let (x, y, width) = (number(rect.x + MARGIN), number(rect.y + MARGIN), number(rect.width));
        let (mut title, height) = (escaped(name), number(BOX_HEIGHT));
        let note = continuous(Var::new(i));
        let corner = corner(note.is_some());
        note.iter().for_each(|note| title.push_str(&format!(": {}", escaped(note))));
        push(
            out,
            format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{corner}\">\
                 <title>{title}</title></rect>\n"
            ),
        );
    }
    out.push_str("</g>\n<g class=\"name\" fill=\"#17202b\" pointer-events=\"none\">\n");
    for (name, rect) in graph.names().iter().zip(boxes) {
        let x = number(rect.x + rect.width / 2.0 + MARGIN);
        let y = number(rect.y + MARGIN + BOX_HEIGHT / 2.0 + 0.35 * text::FONT_SIZE);
        push(out, format_args!("<text x=\"{x}\" y=\"{y}\">{}</text>\n", escaped(&label(name))));
    }
    out.push_str("</g>\n</g>\n");
}

fn write_legend(out: &mut String, y: f64) {
    let (line, base) = (number(y), number(y + 0.35 * 12.0));
    let x = |offset: f64| number(MARGIN + offset);
    push(
        out,
        format_args!(
            "<g font-family=\"{FONTS}\" font-size=\"12\">\n\
             {ARCS}<path d=\"M{} {line}H{}\" marker-end=\"url(#ossature-head)\"/>\n</g>\n\
             {EDGES}<path d=\"M{} {line}H{}\"/>\n</g>\n\
             <g class=\"name\" fill=\"#17202b\"><text x=\"{}\" y=\"{base}\">directed</text>\
             <text x=\"{}\" y=\"{base}\">undirected</text></g>\n</g>\n",
            x(0.0),
            x(32.0),
            x(104.0),
            x(136.0),
            x(40.0),
            x(144.0),
        ),
    );
}

/// A curve as path data: straight lines where it is straight, cubics elsewhere.
pub(crate) fn path(knots: &[Knot]) -> String {
    let mut d = String::new();
    let point = |x: f64, y: f64| format!("{} {}", number(x + MARGIN), number(y + MARGIN));
    for (i, knot) in knots.iter().enumerate() {
        if i == 0 {
            push(&mut d, format_args!("M{}", point(knot.x, knot.y)));
            continue;
        }
        let last = &knots[i - 1];
        let run = knot.y - last.y;
        let end = point(knot.x, knot.y);
        let off = |slope: f64| (last.x + slope * run - knot.x).abs();
        if off(last.slope) < 0.05 && off(knot.slope) < 0.05 {
            push(&mut d, format_args!("L{end}"));
        } else {
            let third = run / 3.0;
            let leave = point(last.x + last.slope * third, last.y + third);
            let arrive = point(knot.x - knot.slope * third, knot.y - third);
            push(&mut d, format_args!("C{leave} {arrive} {end}"));
        }
    }
    d
}

/// A number with at most one decimal.
pub(crate) fn number(x: f64) -> String {
    let text = format!("{x:.1}");
    let short = text.strip_suffix(".0").unwrap_or(&text);
    if short == "-0" { "0".into() } else { short.into() }
}

pub(crate) fn push(out: &mut String, args: std::fmt::Arguments<'_>) {
    out.write_fmt(args).expect("a string takes all text");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(["0", "12.3", "-7", "0"].to_vec(), [0.0, 12.34, -7.0, -0.01].map(number).to_vec());
    }

    #[test]
    fn straight_and_curved_pieces() {
        let knot = |x, y, slope| Knot { x, y, slope };
        assert_eq!(path(&[knot(0.0, 0.0, 0.0), knot(0.0, 30.0, 0.0)]), "M20 20L20 50");
        assert_eq!(path(&[knot(0.0, 0.0, 0.0), knot(30.0, 30.0, 0.0)]), "M20 20C20 30 50 40 50 50");
    }
}
