"""Output to look at: pages, files and notebook cells."""

from __future__ import annotations

import gzip
import json
import pathlib
import re

import pytest

import ossature


def data_of(page: str) -> dict[str, object]:
    """The data that a page gives its scripts."""
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, object] = json.loads(found[1])
    return data


def test_pages_hold_what_is_known(rows: ossature.Table, asia: ossature.Network) -> None:
    of_graph = data_of(asia.dag.to_html("asia"))
    assert of_graph["title"] == "asia" and of_graph["tree"] is None
    assert data_of(asia.to_html())["tree"] is not None
    learned = data_of(ossature.H2PC().fit(rows).to_html())
    assert learned["tree"] is not None
    assert learned["edges"][0]["sentences"] and learned["strength"]["name"] == "loss of score"  # type: ignore[index]
    assert data_of(ossature.HPC().fit(rows).to_html())["tree"] is None
    sure = ossature.bootstrap(rows, 10)
    assert data_of(sure.to_html())["strength"]["name"] == "share of bootstrap samples"  # type: ignore[index]
    assert data_of(ossature.compare(asia, sure).to_html())["comparison"] is True


def test_names_cannot_break_a_page() -> None:
    evil = "</script><script>alert(1)</script>"
    page = ossature.Dag([(evil, "<!--title-->")]).to_html(evil)
    assert page.count("<script") == 2
    assert evil in [node["name"] for node in data_of(page)["nodes"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize("extension", ["dot", "graphml", "json", "csv", "svg", "html", "html.gz"])
def test_everything_can_be_saved(
    extension: str, rows: ossature.Table, asia: ossature.Network, tmp_path: pathlib.Path
) -> None:
    things = {
        "graph": asia.dag, "network": asia, "learner": ossature.H2PC().fit(rows), "skeleton": ossature.HPC().fit(rows),
        "bootstrap": ossature.bootstrap(rows, 5),
    }
    for name, thing in things.items():
        path = tmp_path / f"{name}.{extension}"
        thing.save(path)
        content = path.read_bytes()
        content = gzip.decompress(content) if extension.endswith("gz") else content
        assert b"either" in content
    assert not list(tmp_path.glob(".ossature*"))


def test_a_format_that_does_not_exist_is_refused(asia: ossature.Network, tmp_path: pathlib.Path) -> None:
    with pytest.raises(ossature.SettingsError, match=r"must end in .*\.bif"):
        asia.save(tmp_path / "asia.png")
    with pytest.raises(ossature.SettingsError, match=r"\.svg, \.html"):
        ossature.compare(asia, asia).save(tmp_path / "asia.bif")
    with pytest.raises(FileNotFoundError):
        asia.save(tmp_path / "nowhere" / "asia.bif")


def test_what_is_saved_can_be_read(asia: ossature.Network, rows: ossature.Table, tmp_path: pathlib.Path) -> None:
    asia.save(tmp_path / "asia.json")
    assert ossature.read_network(tmp_path / "asia.json") == asia
    learner = ossature.H2PC().fit(rows)
    learner.save(tmp_path / "learned.bif")
    assert ossature.read_network(tmp_path / "learned.bif").dag == learner.dag_
    ossature.compare(asia, learner).save(tmp_path / "diff.svg")
    assert "only in A" in (tmp_path / "diff.svg").read_text(encoding="utf-8")


def test_strengths_are_line_widths(rows: ossature.Table) -> None:
    sure = ossature.bootstrap(rows, 10)
    drawn = re.findall(r'stroke-width="([0-9.]+)"[^>]*><title>[^<]*\(strength ([0-9.]+)\)', sure.to_svg())
    assert len(drawn) == len(sure.graph.directed)
    assert all(abs(float(width) - (0.6 + 3.4 * float(strength))) < 0.06 for width, strength in drawn)
    weak = ossature.Bootstrap([ossature.ArcStrength("a", "b", 0.5, 1.0)], 0.1, 10, ossature.Dag([("a", "b")]), {})
    assert 'stroke-width="2.3"' in weak.to_svg()
    assert f"threshold {sure.threshold:.2f}" in sure.plot()


def test_a_notebook_shows_pictures_and_tables(rows: ossature.Table, asia: ossature.Network) -> None:
    learner = ossature.H2PC().fit(rows)
    sure = ossature.bootstrap(rows, 5)
    comparison = ossature.compare(asia, learner)
    for thing in (learner, ossature.HPC().fit(rows), asia, asia.dag, learner.cpdag_, comparison, sure):
        shown = thing._repr_html_()
        assert "<svg" in shown and "max-height" in shown
    for thing in (comparison, sure, rows, asia.table("dysp")):
        assert "<table>" in thing._repr_html_()
    assert ossature.H2PC(alpha=0.01)._repr_html_() == "<code>H2PC(alpha=0.01)</code>"
    assert "<b>" not in ossature.Table({"<b>": ["<i>", "x"]})._repr_html_().replace("<b>Table", "")


def test_large_graphs_fit_the_cell() -> None:
    shown = ossature.load_network("link")._repr_html_()
    assert re.search(r'<svg style="max-width:min\(100%,\d+px\);max-height:480px;height:auto"', shown)
