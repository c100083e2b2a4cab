"""Graphs: what they refuse, and every conversion."""

from __future__ import annotations

import json
import pathlib
import pickle
import xml.etree.ElementTree

import networkx as nx
import numpy as np
import pytest

import ossature
from ossature import Cpdag, Dag, Skeleton

DAG = Dag([("a", "c"), ("b", "c"), ("d", "a")], nodes=["e", "d", "c", "b", "a"])
GRAPHS = [DAG, DAG.cpdag(), DAG.skeleton()]


def test_the_order_of_nodes_is_kept_and_does_not_matter() -> None:
    assert DAG.nodes == ("e", "d", "c", "b", "a")
    assert DAG == Dag(reversed(DAG.arcs), nodes="abcde")
    assert hash(DAG) == hash(Dag(DAG.arcs, nodes="abcde"))
    assert DAG != Dag(DAG.arcs)
    assert DAG != DAG.cpdag()
    assert DAG.cpdag().nodes == DAG.skeleton().nodes == DAG.nodes


def test_class_and_back() -> None:
    cpdag = DAG.cpdag()
    assert (cpdag.directed, cpdag.undirected) == ([("a", "c"), ("b", "c")], [("a", "d")])
    assert cpdag.dag().cpdag() == cpdag
    assert cpdag.skeleton() == DAG.skeleton()
    assert DAG.skeleton().edges == [("a", "c"), ("a", "d"), ("b", "c")]
    with pytest.raises(ossature.DataError, match="cannot be directed"):
        Cpdag(undirected=[("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]).dag()


@pytest.mark.parametrize("graph", GRAPHS)
def test_pickled_graphs_are_the_same(graph: ossature.Graph) -> None:
    again = pickle.loads(pickle.dumps(graph))
    assert again == graph
    assert again.nodes == graph.nodes


@pytest.mark.parametrize("graph", GRAPHS)
def test_text_is_read_back(graph: ossature.Graph, tmp_path: pathlib.Path) -> None:
    for form in ("dot", "graphml", "json"):
        path = tmp_path / f"graph.{form}"
        path.write_text(getattr(graph, f"to_{form}")(), encoding="utf-8")
        assert ossature.shd(ossature.read_graph(path), graph) == 0
    assert sorted(json.loads(graph.to_json())["nodes"]) == sorted(graph.nodes)
    assert graph.to_csv().splitlines()[0] == "from,to"


@pytest.mark.parametrize("graph", GRAPHS)
def test_drawings(graph: ossature.Graph) -> None:
    root = xml.etree.ElementTree.fromstring(graph._repr_svg_())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert set(graph.nodes) <= {"".join(e.itertext()).strip() for e in root.iter()}


def test_networkx_and_back() -> None:
    graph = DAG.to_networkx()
    assert isinstance(graph, nx.DiGraph)
    assert set(graph.nodes) == set(DAG.nodes)
    assert set(graph.edges) == set(DAG.arcs)
    both = DAG.cpdag().to_networkx()
    assert both.has_edge("a", "d") and both.has_edge("d", "a")
    for other in (graph, both, nx.DiGraph(DAG.arcs), DAG.arcs):
        assert ossature.shd(DAG, other) == 0
    assert ossature.compare(DAG.skeleton(), nx.Graph(DAG.arcs)).shd == 0


def test_matrices() -> None:
    frame = DAG.to_pandas()
    assert frame.loc["a", "c"] == 1 and frame.loc["c", "a"] == 0
    assert np.array_equal(frame.to_numpy(), DAG.to_numpy())
    assert DAG.cpdag().to_pandas().loc["d", "a"] == DAG.cpdag().to_pandas().loc["a", "d"] == 1
    assert DAG.skeleton().to_numpy().sum() == 6


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Dag([("a", "b"), ("b", "a")]), "cycle: "),
        (lambda: Dag([("a", "a")]), "cycle: a -> a"),
        (lambda: Dag([("a", "b"), ("b", "c"), ("c", "a")]), "cycle: "),
        (lambda: Cpdag([("a", "b")], [("b", "a")]), '"a" and "b" are joined twice'),
        (lambda: Dag([("a", "b")], nodes=["a"]), 'there is no node "b"'),
        (lambda: Dag(["ab"]), "'ab' is not a pair of names"),
        (lambda: Dag([("a", "b", "c")]), "is not a pair"),
        (lambda: Skeleton([("a", "a")]), "cycle"),
        (lambda: DAG.parents("z"), "there is no node 'z'"),
        (lambda: DAG.skeleton().neighbours("z"), "there is no node 'z'"),
    ],
)
def test_what_is_no_graph_is_refused(make: object, said: str) -> None:
    with pytest.raises(ossature.DataError, match=said):
        make()  # type: ignore[operator]


def test_files_that_are_not_there(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ossature.FileError, match="cannot read"):
        ossature.read_graph(tmp_path / "nowhere.dot")
    with pytest.raises(OSError):
        ossature.read_bif(tmp_path / "nowhere.bif")
