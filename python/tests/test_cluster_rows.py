"""Rows that stay on the workers: the answer of one table, for any partitions, whatever happens to the workers."""

from __future__ import annotations

import json
import pathlib
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import dask.dataframe
import numpy as np
import pandas
import pytest
from distributed import Client, LocalCluster
from test_cluster import kill_one, machines, wait_for

import ossature
from ossature import GES, HC, H2PC, MMHC, PC, DataError, NotFittedError, SettingsError, SparseCandidate, StoppedError, Table
from ossature.cluster import rows as rows_elsewhere
from ossature.cluster.work import Cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with machines(2) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        client.wait_for_workers(2)
        yield client


@pytest.fixture(scope="module")
def frame() -> pandas.DataFrame:
    # Labels, so that no single partition knows all levels.
    return ossature.load_network("alarm").sample(400, seed=1).to_pandas().astype(str)


def divided(frame: pandas.DataFrame, ends: list[int]) -> Any:
    """A Dask DataFrame with partitions that end at these rows."""
    starts = [0, *ends]
    parts = [frame.iloc[start:end] for start, end in zip(starts, [*ends, len(frame)])]
    return dask.dataframe.from_map(lambda part: part, parts, meta=frame.iloc[:0])


def structure(learner: Any) -> dict[str, Any]:
    """A report without the details of the run."""
    report = json.loads(json.dumps(learner.report_))
    report.pop("cluster", None)
    report["seconds"] = report["data"]["sha256"] = report["tests"]["computed"] = None
    return report


@pytest.mark.parametrize("ends", [[], [150], [1, 1, 60, 200, 201, 390]], ids=["one", "two", "seven, one of them empty"])
def test_the_answer_is_that_of_one_table(client: Client, frame: pandas.DataFrame, ends: list[int]) -> None:
    elsewhere = divided(frame, ends)
    assert elsewhere.npartitions == len(ends) + 1
    for learner in (H2PC, MMHC) if ends else (H2PC, PC, HC, GES):
        found, expected = learner().fit(elsewhere, client=client), learner().fit(frame)
        assert structure(found) == structure(expected), learner
        assert list(found.feature_names_in_) == list(expected.feature_names_in_)
        spent = found.report_["cluster"]
        assert spent["partitions"] == len(ends) + 1 and 1 <= spent["groups"] <= 2
        assert spent["rounds"] > 0 and spent["bytes_received"] > 0 and spent["bytes_sent"] > 0


def test_categories_and_missing_values_are_those_of_one_table(client: Client) -> None:
    asia = ossature.load_network("asia").sample(300, seed=2).to_pandas()
    found = H2PC().fit(divided(asia, [100, 250]), client=client)
    assert structure(found) == structure(H2PC().fit(asia))
    gappy = asia.astype(object).mask(np.random.default_rng(1).random(asia.shape) < 0.05)
    found = MMHC(missing="available").fit(divided(gappy, [120]), client=client)
    assert structure(found) == structure(MMHC(missing="available").fit(gappy))
    with pytest.warns(ossature.DataWarning, match="left out"):
        found = MMHC(missing="drop").fit(divided(gappy, [120]), client=client)
    with pytest.warns(ossature.DataWarning, match="left out"):
        assert structure(found) == structure(MMHC(missing="drop").fit(gappy))


def test_workers_read_files(client: Client, frame: pandas.DataFrame, tmp_path: pathlib.Path) -> None:
    paths = [tmp_path / "a.parquet", tmp_path / "b.csv"]
    frame.iloc[:100].to_parquet(paths[0])
    frame.iloc[100:].to_csv(paths[1], index=False)
    assert structure(MMHC().fit(paths, client=client)) == structure(MMHC().fit(frame))


def test_a_worker_that_dies_changes_nothing(client: Client, frame: pandas.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    killed = on_round(3, lambda: kill_one(client), monkeypatch)
    found = H2PC().fit(divided(frame, [100, 200, 300]), client=client)
    assert killed and structure(found) == structure(H2PC().fit(frame))


def test_a_client_that_is_closed_is_a_clear_error(cluster: LocalCluster, frame: pandas.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(cluster)
    on_round(2, client.close, monkeypatch)
    with pytest.raises(StoppedError, match="closed before there was a result"):
        H2PC().fit(divided(frame, [200]), client=client)


def test_what_a_progress_function_raises_ends_the_run(client: Client, frame: pandas.DataFrame) -> None:
    def enough(*_: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        H2PC(progress=enough).fit(divided(frame, [200]), client=client)
    # Nothing of it is left on the cluster.
    wait_for(lambda: not any(client.run(lambda dask_worker: len(dask_worker.data)).values()))


def test_what_cannot_be_is_refused(client: Client, frame: pandas.DataFrame) -> None:
    small = frame[["HR", "CO"]]
    with pytest.raises(DataError, match="column 'x' is continuous"):
        H2PC().fit(divided(small.assign(x=0.5), [200]), client=client)
    with pytest.raises(SettingsError, match='missing is "em"'):
        HC(missing="em").fit(divided(small, [200]), client=client)
    with pytest.raises(SettingsError, match="on other machines"):
        SparseCandidate().fit(divided(small, [200]), client=client)
    with pytest.raises(DataError, match="no rows in any partition"):
        H2PC().fit(divided(small.iloc[:0], []), client=client)
    found = H2PC().fit(divided(small, [200]), client=client)
    assert found.to_html().startswith("<!doctype html>")
    with pytest.raises(NotFittedError, match="the rows stayed on the workers"):
        found.network_
    assert sorted(found.fit_parameters(small).nodes) == ["CO", "HR"]


def test_a_part_can_be_sent(frame: pandas.DataFrame) -> None:
    table = Table(frame[["HR", "CO"]])
    levels = [(name, table.levels(name)) for name in table.columns]
    questions = np.array([0, 0, 1, 1], dtype=np.uint32)
    part = rows_elsewhere.Part(table, levels)
    again = pickle.loads(pickle.dumps(part))
    for one, other in zip(rows_elsewhere._answer([part], questions), rows_elsewhere._answer([again], questions)):
        assert np.array_equal(one, other)
    nothing = pickle.loads(pickle.dumps(rows_elsewhere.Part(None, levels)))
    assert not rows_elsewhere._answer([nothing], questions)[0].any()
    with pytest.raises(DataError, match="not about the variables"):
        rows_elsewhere._answer([part], np.array([0, 0, 1, 7], dtype=np.uint32))


def on_round(number: int, do: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Calls `do` before the round with this number; the returned list is not empty once it was called."""
    done: list[int] = []
    rounds = 0
    run = Cluster.run

    def counted(self: Cluster, work: Any, *args: Any, **given: Any) -> Any:
        nonlocal rounds
        if work is rows_elsewhere._answer:
            rounds += 1
            if rounds == number:
                do()
                done.append(number)
        return run(self, work, *args, **given)

    monkeypatch.setattr(Cluster, "run", counted)
    return done
