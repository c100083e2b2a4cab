"""Questions to graphs: ancestors, blankets, d-separation, why; and their matrices with names."""

from __future__ import annotations

import copy
import itertools
import pickle
import random

import networkx as nx
import numpy as np
import pytest

import ossature


@pytest.fixture(scope="module")
def alarm() -> ossature.Dag:
    return ossature.load_network("alarm").dag


def test_ancestors_descendants_and_blankets_are_those_of_networkx(alarm: ossature.Dag) -> None:
    graph = alarm.to_networkx()
    for node in alarm.nodes:
        assert alarm.ancestors(node) == sorted(nx.ancestors(graph, node))
        assert alarm.descendants(node) == sorted(nx.descendants(graph, node))
        children = set(graph.successors(node))
        spouses = {p for child in children for p in graph.predecessors(child)}
        assert set(alarm.markov_blanket(node)) == (set(graph.predecessors(node)) | children | spouses) - {node}


def test_d_separation_is_that_of_networkx(alarm: ossature.Dag) -> None:
    graph, chosen = alarm.to_networkx(), random.Random(1)
    answers = set()
    for _ in range(200):
        x, y, *given = chosen.sample(alarm.nodes, chosen.randint(2, 6))
        answer = alarm.d_separated(x, y, given)
        answers.add(answer)
        assert answer == nx.is_d_separator(graph, {x}, {y}, set(given))
        assert alarm.cpdag().d_separated(x, y, given) == answer
    assert answers == {True, False}


def test_what_separates_two_nodes_does(alarm: ossature.Dag) -> None:
    for x, y in itertools.combinations(alarm.nodes[:20], 2):
        why = alarm.why(x, y)
        if why.adjacent:
            assert why.direction in (f"{x} -> {y}", f"{y} -> {x}")
        else:
            assert why.separated_by is not None
            assert alarm.d_separated(x, y, why.separated_by)
            for node in why.separated_by:
                assert not alarm.d_separated(x, y, set(why.separated_by) - {node})


def test_a_class_answers_as_its_members_do() -> None:
    dag = ossature.Dag([("a", "b"), ("b", "c"), ("d", "c")])
    assert dag.cpdag().markov_blanket("b") == dag.markov_blanket("b") == ["a", "c", "d"]
    assert dag.cpdag().why("a", "b").orientation == "open"
    assert dag.cpdag().neighbours("a") == ["b"]
    assert dag.cpdag().parents("c") == ["b", "d"]


def test_nodes_that_are_not_there_are_refused() -> None:
    dag = ossature.Dag([("a", "b")])
    for ask in (dag.ancestors, dag.descendants, dag.markov_blanket):
        with pytest.raises(ossature.DataError, match="there is no node 'z'"):
            ask("z")
    with pytest.raises(ossature.DataError, match='"z"'):
        dag.d_separated("a", "b", ["z"])
    with pytest.raises(ossature.DataError, match="given twice"):
        dag.why("a", "a")


def test_an_adjacency_matrix_has_names(rows: ossature.Table) -> None:
    learner = ossature.H2PC().fit(rows)
    matrix = learner.adjacency_matrix_
    assert matrix.names == tuple(learner.feature_names_in_)
    assert {(x, y) for x in matrix.names for y in matrix.names if matrix[x, y]} == set(learner.dag_.arcs)
    assert matrix.to_pandas().loc["either", "xray"] == 1
    # It is still an array.
    assert isinstance(matrix, np.ndarray) and matrix.dtype == np.int8
    assert np.array_equal(matrix @ matrix, np.asarray(matrix) @ np.asarray(matrix))
    assert matrix[0].shape == (8,)
    assert matrix[:2].names is None
    with pytest.raises(ossature.DataError, match="no row 'nobody'"):
        matrix["nobody", "xray"]
    for again in (pickle.loads(pickle.dumps(matrix)), copy.deepcopy(matrix)):
        assert again.names == matrix.names
        assert np.array_equal(again, matrix)
    assert "either" in matrix._repr_html_()
