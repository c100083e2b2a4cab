"""Networks to and from pgmpy and pyAgrum."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _ossature
from .errors import DataError
from .given import name

if TYPE_CHECKING:
    from .networks import Network

Family = tuple[str, list[str], list[str], npt.NDArray[np.float64]]
"""A variable, its levels, its parents, and its table: an axis for each parent, the last one for the variable."""


def to_pgmpy(network: Network) -> Any:
    """A ``DiscreteBayesianNetwork``."""
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork

    made = DiscreteBayesianNetwork()
    made.add_nodes_from(network.nodes)
    made.add_edges_from(network.dag.arcs)
    for node in network.nodes:
        cpt = network.table(node)
        levels = {node: list(cpt.levels), **{p: list(of) for p, of in zip(cpt.parents, cpt.parent_levels)}}
        made.add_cpds(
            TabularCPD(
                node, len(cpt.levels), cpt.values.reshape(-1, len(cpt.levels)).T, evidence=list(cpt.parents) or None,
                evidence_card=[len(of) for of in cpt.parent_levels] or None, state_names=levels,
            )
        )
    return made


def model_of_pgmpy(given: Any) -> str:
    """The text of a model file for a pgmpy network."""
    if not hasattr(given, "get_cpds"):
        raise DataError(f"a {type(given).__name__} was given; a network of pgmpy is needed")
    families: list[Family] = []
    for node in given.nodes():
        cpd = given.get_cpds(node)
        if cpd is None:
            raise DataError(f"the node {node!r} has no table; every node needs one")
        parents = list(cpd.variables[1:])
        # Its first axis is the variable, ours the last.
        values = np.moveaxis(np.asarray(cpd.values, dtype=np.float64), 0, -1)
        families.append((name(node), [name(level) for level in cpd.state_names[node]], list(map(name, parents)), values))
    return _model(families)


def to_pyagrum(network: Network) -> Any:
    """A ``BayesNet``."""
    import pyagrum

    library: Any = pyagrum
    made = library.BayesNet()
    for node in network.nodes:
        made.add(library.LabelizedVariable(node, node, network.levels(node)))
    for x, y in network.dag.arcs:
        made.addArc(x, y)
    for node in network.nodes:
        cpt = network.table(node)
        table = made.cpt(node)
        rows = cpt.values.reshape(-1, len(cpt.levels)).tolist()
        if not cpt.parents:
            table.fillWith(rows[0])
            continue
        places = itertools.product(*(range(len(of)) for of in cpt.parent_levels))
        for place, row in zip(places, rows):
            table[dict(zip(cpt.parents, place))] = row
    return made


def model_of_pyagrum(given: Any) -> str:
    """The text of a model file for a pyAgrum network."""
    if not (hasattr(given, "cpt") and hasattr(given, "variable")):
        raise DataError(f"a {type(given).__name__} was given; a BayesNet of pyAgrum is needed")
    families: list[Family] = []
    for node in given.nodes():
        variable, table = given.variable(node), given.cpt(node)
        own = variable.name()
        # The axes of its array are its variables from the last to the first.
        axes = list(reversed(table.names))
        parents = [axis for axis in axes if axis != own]
        values = np.asarray(table.toarray(), dtype=np.float64)
        values = np.transpose(values, [axes.index(axis) for axis in [*parents, own]])
        families.append((own, list(variable.labels()), parents, values))
    return _model(families)


def _model(families: list[Family]) -> str:
    """The text of a model file, whose variables and parents are in bytewise order."""
    families = sorted(families, key=lambda family: family[0].encode())
    variables = []
    for node, levels, parents, values in families:
        ordered = sorted(parents, key=str.encode)
        values = np.transpose(values, [*(parents.index(p) for p in ordered), len(parents)])
        rows = values.reshape(-1, len(levels)).tolist()
        variables.append({
            "name": node, "kind": "discrete", "levels": levels, "cuts": None, "missing_level": None,
            "parents": ordered, "table": rows,
        })
    return json.dumps({
        "model": "ossature", "format": 1, "version": _ossature.__version__,
        "nodes": [family[0] for family in families],
        "arcs": [[parent, family[0]] for family in families for parent in family[2]],
        "missing_tokens": [], "variables": variables,
    })
