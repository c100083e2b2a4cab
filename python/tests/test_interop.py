"""Networks to and from pgmpy and pyAgrum, and BIF that both read."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

import ossature

pytestmark = pytest.mark.filterwarnings("ignore")

NETWORKS = ossature.network_names()
SMALL = ["asia", "alarm", "insurance", "child", "hailfinder"]


def same(one: ossature.Network, other: ossature.Network) -> None:
    """Asserts the same structure, levels and tables, to the precision that the text formats of others keep."""
    assert one.dag == other.dag
    for node in one.nodes:
        mine, theirs = one.table(node), other.table(node)
        assert (mine.levels, mine.parents) == (theirs.levels, theirs.parents)
        assert np.allclose(mine.values, theirs.values, atol=1e-7, rtol=0)


@pytest.mark.parametrize("name", SMALL)
def test_networks_go_there_and_come_back(name: str) -> None:
    network = ossature.load_network(name)
    same(network, ossature.Network.from_pgmpy(network.to_pgmpy()))
    same(network, ossature.Network.from_pyagrum(network.to_pyagrum()))


def test_answers_are_the_same_there() -> None:
    import pyagrum
    from pgmpy.inference import VariableElimination

    network = ossature.load_network("child")
    given = {"CO2Report": "<7.5", "XrayReport": "Oligaemic"}
    ours = network.query("Disease", given=given)["Disease"]
    theirs = VariableElimination(network.to_pgmpy()).query(["Disease"], evidence=given, show_progress=False)
    for level, p in ours.items():
        assert abs(theirs.get_value(Disease=level) - p) < 1e-9
    engine = pyagrum.LazyPropagation(network.to_pyagrum())
    engine.setEvidence(given)
    engine.makeInference()
    assert np.allclose(engine.posterior("Disease").toarray(), list(ours.values()))


def test_a_structure_of_pyagrum_is_understood() -> None:
    import pyagrum

    asia = ossature.load_network("asia")
    theirs = asia.to_pyagrum()
    assert ossature.shd(asia, theirs) == 0
    assert ossature.shd(theirs, asia) == 0
    other = asia.to_pyagrum()
    other.eraseArc("smoke", "lung")
    assert ossature.compare(asia, other).missing == [("lung", "smoke")]
    with pytest.raises(ossature.DataError, match="a BayesNet, which has their names"):
        ossature.shd(asia, theirs.dag())
    rows = asia.sample(500, seed=1)
    assert ossature.score(rows, theirs) == ossature.score(rows, asia)
    assert isinstance(theirs, pyagrum.BayesNet)


def test_a_structure_of_pgmpy_is_understood() -> None:
    asia = ossature.load_network("asia")
    assert ossature.shd(asia, asia.to_pgmpy()) == 0


def test_what_is_no_network_is_refused() -> None:
    from pgmpy.models import DiscreteBayesianNetwork

    for read in (ossature.Network.from_pgmpy, ossature.Network.from_pyagrum):
        with pytest.raises(ossature.DataError, match="a list was given"):
            read([])
    with pytest.raises(ossature.DataError, match="has no table"):
        ossature.Network.from_pgmpy(DiscreteBayesianNetwork([("a", "b")]))


def pyagrum_reads(text: str, folder: pathlib.Path) -> Any:
    import pyagrum

    (folder / "net.bif").write_text(text, encoding="utf-8")
    return pyagrum.loadBN(str(folder / "net.bif"))


def safe_names(network: ossature.Network) -> ossature.Network:
    """The network as others see it: without the original names that are kept beside the safe ones."""
    lines = network.to_bif("safe").splitlines()
    return ossature.Network("\n".join(line for line in lines if "property" not in line))


@pytest.mark.parametrize("name", NETWORKS)
def test_safe_bif_of_every_network_is_read_by_pyagrum(name: str, tmp_path: pathlib.Path) -> None:
    network = ossature.load_network(name)
    assert ossature.Network(network.to_bif("safe")) == network
    theirs = pyagrum_reads(network.to_bif("safe"), tmp_path)
    same(safe_names(network), ossature.Network.from_pyagrum(theirs))


@pytest.mark.parametrize("name", NETWORKS)
def test_safe_bif_of_every_network_is_read_by_pgmpy(name: str) -> None:
    from pgmpy.readwrite import BIFReader

    network = ossature.load_network(name)
    theirs = BIFReader(string=network.to_bif("safe")).get_model()
    same(safe_names(network), ossature.Network.from_pgmpy(theirs))


def discretised() -> ossature.Network:
    random = np.random.default_rng(1)
    age = random.normal(50, 20, 500)
    frame = {
        "age of patient": age, "dose, mg": age + random.normal(0, 5, 500), "ill?": np.where(age > 55, "yes", "not yet"),
        "table": random.integers(-2, 3, 500),
    }
    rows = ossature.discretise(frame, {"age of patient": "quantile:3", "dose, mg": [-0.5, 40, 60.25]})
    return ossature.Network.fit(rows, [("age of patient", "dose, mg"), ("age of patient", "ill?"), ("table", "ill?")])


def test_bif_of_a_discretised_table_is_read_by_both(tmp_path: pathlib.Path) -> None:
    from pgmpy.readwrite import BIFReader

    network = discretised()
    text = network.to_bif()
    assert text == network.to_bif("safe") != network.to_bif("quoted")
    for labels in ("auto", "safe", "quoted"):
        assert ossature.Network(network.to_bif(labels)) == network
    same(safe_names(network), ossature.Network.from_pyagrum(pyagrum_reads(text, tmp_path)))
    same(safe_names(network), ossature.Network.from_pgmpy(BIFReader(string=text).get_model()))
    with pytest.raises(ossature.SettingsError, match="auto, safe and quoted"):
        network.to_bif("loud")  # type: ignore[arg-type]
