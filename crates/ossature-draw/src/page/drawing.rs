//! The drawing of a page: the same picture, in parts that a script can find.

use ossature::text::escaped;
use ossature::{NamedGraph, Var};

use crate::svg::{MARGIN, corner, label, number, path, push};
use crate::{BOX_HEIGHT, Picture};

/// Edges and nodes as groups with their numbers; `class` is an additional class for an edge, and `continuous` has a
/// note on each continuous variable.
pub(super) fn svg(
    graph: &NamedGraph,
    picture: &Picture,
    class: &dyn Fn(Var, Var) -> &'static str,
    continuous: &dyn Fn(Var) -> Option<String>,
) -> String {
    let (width, height) =
        (number((picture.width + 2.0 * MARGIN).ceil()), number((picture.height + 2.0 * MARGIN).ceil()));
    let mut out = format!(
        "<svg id=\"drawing\" class=\"drawing\" role=\"group\" aria-label=\"Drawing of the graph. Arrow keys go from \
         node to node, Enter selects.\" data-width=\"{width}\" data-height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"xMidYMid meet\">\n<defs>\n"
    );
    for head in ["plain", "near", "missing", "extra", "turned"] {
        push(
            &mut out,
            format_args!(
                "<marker id=\"head-{head}\" class=\"head {head}\" viewBox=\"0 0 10 8\" refX=\"10\" refY=\"4\" \
                 markerWidth=\"12\" markerHeight=\"10\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
                 <path d=\"M0 0L10 4L0 8L2.5 4z\"/></marker>\n"
            ),
        );
    }
    out.push_str("</defs>\n<g id=\"world\">\n<g id=\"edges\">\n");
    for (i, curve) in picture.curves.iter().enumerate() {
        let between = if curve.directed { '→' } else { '–' };
        let direction = if curve.directed { "arc" } else { "open" };
        let (from, to) = (escaped(graph.name(curve.from)), escaped(graph.name(curve.to)));
        let (d, kind) = (path(&curve.knots), class(curve.from, curve.to));
        push(
            &mut out,
            format_args!(
                "<g class=\"edge {direction} {kind}\" data-edge=\"{i}\"><path class=\"hit\" d=\"{d}\"/>\
                 <path class=\"line\" d=\"{d}\"/><title>{from} {between} {to}</title></g>\n"
            ),
        );
    }
    out.push_str("</g>\n<g id=\"nodes\">\n");
    for (i, (name, rect)) in graph.names().iter().zip(&picture.boxes).enumerate() {
        let (x, y, width) = (number(rect.x + MARGIN), number(rect.y + MARGIN), number(rect.width));
        let (middle, base) =
            (number(rect.x + rect.width / 2.0 + MARGIN), number(rect.y + MARGIN + BOX_HEIGHT / 2.0 + 4.5));
        let (label, height, name) = (escaped(&label(name)), number(BOX_HEIGHT), escaped(name));
        let note = continuous(Var::new(i));
        let corner = corner(note.is_some());
        let title = note.map_or(name.clone(), |note| format!("{name}: {}", escaped(&note)));
        push(
            &mut out,
            format_args!(
                "<g class=\"node\" data-node=\"{i}\" role=\"button\" tabindex=\"-1\" aria-label=\"{name}\">\
                 <rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{corner}\"/>\
                 <text x=\"{middle}\" y=\"{base}\">{label}</text><title>{title}</title></g>\n"
            ),
        );
    }
    out.push_str("</g>\n</g>\n</svg>");
    out
}
