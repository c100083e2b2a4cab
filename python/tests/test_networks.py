"""Networks: tables, rows, likelihoods, texts."""

from __future__ import annotations

import pathlib
import pickle

import numpy as np
import pandas as pd
import pytest

import ossature
from ossature import Network, Table


def test_every_embedded_network_loads() -> None:
    names = ossature.network_names()
    assert len(names) == 24 and names == sorted(names)
    assert ossature.load_network("child").dag.nodes[0] == "Age"
    with pytest.raises(ossature.DataError, match='did you mean "alarm"'):
        ossature.load_network("alram")


def test_tables_have_an_axis_for_each_parent(asia: Network) -> None:
    cpt = asia.table("dysp")
    assert cpt.parents == ("bronc", "either")
    assert cpt.values.shape == (2, 2, 2)
    assert np.allclose(cpt.values.sum(axis=-1), 1)
    assert cpt.values[0, 1].tolist() == [0.8, 0.2], "bronchitis, neither of the others"
    frame = cpt.to_pandas()
    assert frame.loc[("yes", "no"), "yes"] == 0.8
    assert asia.table("smoke").to_pandas().shape == (1, 2)
    with pytest.raises(ossature.DataError, match='did you mean "dysp"'):
        asia.table("dyps")


def test_text_and_pickle_are_exact(tmp_path: pathlib.Path) -> None:
    rows = ossature.load_network("insurance").sample(300, seed=2)
    fitted = Network.fit(rows, ossature.load_network("insurance"))
    path = tmp_path / "net.bif"
    path.write_text(fitted.to_bif(), encoding="utf-8")
    for again in (ossature.read_bif(path), Network(fitted.to_bif()), pickle.loads(pickle.dumps(fitted))):
        assert again == fitted
    assert fitted != ossature.load_network("insurance")
    assert fitted != 3
    with pytest.raises(ossature.DataError, match="the text, line 1"):
        Network("network {")


def test_samples_are_the_same_for_a_seed(asia: Network) -> None:
    rows = asia.sample(200, seed=5)
    assert asia.sample(200, seed=5, n_jobs=3) == rows
    assert asia.sample(200, seed=6) != rows
    assert asia.sample(300, seed=5).to_pandas().head(200).equals(rows.to_pandas())
    assert pickle.loads(pickle.dumps(rows)) == rows
    with pytest.raises(ossature.TooLargeError):
        asia.sample(10**12)
    with pytest.raises(ossature.SettingsError, match="n is -1; a whole number, 1 or more"):
        asia.sample(-1)


def test_likelihood_of_rows(asia: Network, rows: Table) -> None:
    logs = asia.log_likelihood(rows)
    by_hand = sum(
        np.log(asia.table(node).values[tuple(rows.codes(n)[0] for n in (*asia.table(node).parents, node))])
        for node in asia.nodes
    )
    assert logs[0] == pytest.approx(by_hand, rel=1e-12)
    frame = rows.to_pandas()
    assert np.array_equal(asia.log_likelihood(frame.astype(object), n_jobs=2), logs), "levels by name"
    assert np.array_equal(asia.log_likelihood(frame.assign(more="x")), logs)
    with pytest.raises(ossature.DataError, match='there is no column "xray"'):
        asia.log_likelihood(frame.drop(columns="xray"))
    strange = frame.astype(object)
    strange.loc[3, "smoke"] = "perhaps"
    with pytest.raises(ossature.DataError, match='column smoke, row 4: "perhaps" is not a level of smoke'):
        asia.log_likelihood(strange)
    impossible = frame.astype(object).head(1).assign(lung="yes", either="no")
    assert asia.log_likelihood(impossible)[0] == -np.inf


def test_fit_by_maximum_likelihood() -> None:
    frame = pd.DataFrame({"rain": ["no", "no", "no", "yes"], "wet": ["no", "no", "yes", "yes"]})
    network = Network.fit(frame, [("rain", "wet")], iss=None)
    assert network.table("wet").values.tolist() == [[2 / 3, 1 / 3], [0.0, 1.0]]
    assert Network.fit(frame, []).dag.nodes == ("rain", "wet")
    with pytest.raises(ossature.OssatureError, match='there is no column "snow"'):
        Network.fit(frame, [("snow", "wet")])
    with pytest.raises(ossature.SettingsError, match="imaginary sample size is -1"):
        Network.fit(frame, [], iss=-1.0)
