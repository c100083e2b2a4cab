"""Notebook output: pictures and tables that fit the cell."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .comparing import Comparison
    from .functions import Bootstrap
    from .networks import Network
    from .table import Table

MOST_ROWS = 12
"""Longer tables are cut short."""


def picture(svg: str, *, height: int = 480) -> str:
    """A drawing that is never larger than the cell, nor than it needs to be."""
    width = re.search(r' width="([0-9.]+)"', svg)
    most = f"max-width:min(100%,{width[1]}px);" if width else ""
    return svg.replace("<svg ", f'<svg style="{most}max-height:{height}px;height:auto" ', 1)


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table, or its first rows if it is long."""
    listed = list(rows)
    shown = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{html.escape(_plain(cell))}</td>" for cell in row) + "</tr>"
        for row in listed[:MOST_ROWS]
    )
    top = "".join(f"<th style='text-align:left'>{html.escape(name)}</th>" for name in head)
    more = f"<p>and {len(listed) - MOST_ROWS:,} more</p>" if len(listed) > MOST_ROWS else ""
    return f"<table><thead><tr>{top}</tr></thead><tbody>{shown}</tbody></table>{more}"


def _plain(cell: Any) -> str:
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def _block(title: str, *parts: str) -> str:
    return f"<div class='ossature-cell'><p><b>{html.escape(title)}</b></p>{''.join(parts)}</div>"


def learner(given: Any) -> str:
    """A learner: its result, or its settings."""
    if "report_" not in vars(given):
        return f"<code>{html.escape(repr(given))}</code>"
    report = given.report_
    facts = [f"{report['data']['rows']:,} rows of {report['data']['variables']:,} variables"]
    if report["score"] is not None:
        facts.append(f"{report['score']['name']} {report['score']['total']:.1f}")
    if report["tests"]["asked"]:
        facts.append(f"{report['tests']['asked']:,} tests")
    concerns = "".join(f"<p>{html.escape(said)}</p>" for said in report["concerns"])
    return _block(f"{given!r}: {', '.join(facts)}", picture(given._graph().to_svg()), concerns)


def network(given: Network) -> str:
    """A network: its structure and its content."""
    return _block(repr(given).strip("<>"), picture(given.to_svg()))


def comparison(given: Comparison) -> str:
    """A comparison: both structures overlaid, and the differences."""
    facts = [
        ("SHD", given.shd), ("precision", given.precision), ("recall", given.recall), ("F1", given.f1),
        ("alike", len(given.same)), ("only in the truth", len(given.missing)), ("only in the other", len(given.extra)),
        ("other direction", len(given.reversed) + len(given.undirected) + len(given.directed)),
    ]
    return _block("Comparison (A is the truth)", table(["", ""], facts), picture(given.to_svg()))


def bootstrap(given: Bootstrap) -> str:
    """A bootstrap: the averaged network with line widths for strengths, and the strengths."""
    rows = [(arc.start, arc.end, arc.strength, arc.direction) for arc in given.arcs]
    return _block(
        f"Bootstrap of {given.samples} samples, threshold {given.threshold:.2f}",
        picture(given.to_svg()), picture(given.plot()), table(["from", "to", "strength", "direction"], rows),
    )


def rows(given: Table) -> str:
    """A table: its first rows, and the levels of its columns."""
    columns = given.columns[:MOST_ROWS]
    first = min(5, len(given))
    head = [given.head(column, first) for column in columns]
    levels = [(column, len(given.levels(column)), ", ".join(given.levels(column)[:6])) for column in given.columns]
    return _block(
        repr(given).strip("<>"),
        table(columns, zip(*head)), table(["column", "levels", "the first of them"], levels),
    )
