"""Tables with missing values."""

import pickle

import numpy as np
import pytest

import ossature
from ossature.errors import SettingsError

ASIA = ossature.load_network("asia")


def gappy(rows=800):
    frame = ASIA.sample(rows, seed=3).to_pandas().astype(object)
    chance = np.random.default_rng(1)
    return frame.mask(chance.random(frame.shape) < 0.1)


def test_each_test_and_family_uses_the_available_rows():
    frame = gappy()
    assert ossature.H2PC(missing="available").fit(frame).dag_.arcs
    learner = ossature.Tabu(missing="available").fit(frame)
    assert ("smoke", "bronc") in learner.dag_.arcs or ("bronc", "smoke") in learner.dag_.arcs
    assert -4 < ossature.score(frame, learner.dag_, missing="available") < -2
    found = ossature.ci_test(frame, "smoke", "bronc", missing="available")
    assert not found.independent
    assert "smoke" in ossature.neighbours(frame, "bronc", missing="available").parents_and_children
    assert -3.5 < learner.score(frame) < -1.5


def test_em_learns_and_fits():
    frame = gappy()
    learner = ossature.Tabu(missing="em").fit(frame)
    assert len(learner.dag_.arcs) >= 4
    fitted = ossature.Network.fit(frame, ASIA, iss=None, missing="em")
    counted = ossature.Network.fit(frame, ASIA, iss=None, missing="available")
    assert fitted.table("smoke").values.sum() == pytest.approx(1)
    assert not np.allclose(fitted.table("bronc").values, counted.table("bronc").values, atol=1e-9)
    assert -3.5 < learner.score(frame) < -1.5
    with pytest.raises(SettingsError, match="tabu"):
        ossature.H2PC(missing="em").fit(frame)
    with pytest.raises(SettingsError, match="available and em are accepted"):
        ossature.Tabu(missing="guess").fit(frame)


def test_a_table_keeps_what_is_missing():
    frame = gappy(50)
    for policy in ("available", "em"):
        table = ossature.Table(frame, missing=policy)
        again = pickle.loads(pickle.dumps(table))
        assert again == table
        back = table.to_pandas()
        assert (back.isna().to_numpy() == frame.isna()[back.columns].to_numpy()).all()
        assert (table.labels("smoke") == None).sum() == frame["smoke"].isna().sum()  # noqa: E711
        assert table.to_arrow().column("smoke").null_count == frame["smoke"].isna().sum()
    em = pickle.loads(pickle.dumps(ossature.Table(frame, missing="em")))
    with pytest.raises(SettingsError, match="tabu"):
        ossature.H2PC().fit(em)
