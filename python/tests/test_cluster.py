"""A cluster of two processes: the same answers as on one machine, to the last bit, whatever happens to the workers."""

from __future__ import annotations

import csv
import functools
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import distributed
import numpy as np
import pytest
from conftest import PATIENCE
from distributed import Client, LocalCluster

import ossature
import ossature.cluster
from ossature import HC, HPC, MMHC, MMPC, PC, H2PC, StoppedError, Table
from ossature.cluster.work import Cluster, _in_task

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
ENDLESS = HC(restarts=10**9)


def machines(workers: int) -> LocalCluster:
    return LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0")


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with machines(2) as cluster:
        with Client(cluster) as client:
            yield cluster
            left = list(client.run(os.getpid).values())
    # Nothing is left running: the last workers end with the cluster.
    wait_for(lambda: not any(is_there(pid) for pid in left))


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        # A worker that a test has killed is started again by its nanny.
        client.wait_for_workers(2, timeout=PATIENCE)
        yield client


@pytest.fixture(scope="module")
def alarm() -> Table:
    return ossature.load_network("alarm").sample(300, seed=1)


def wait_for(holds: Callable[[], bool]) -> None:
    """Waits for a condition that only the system and Dask know, with a deadline that no load can reach."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def tasks_running(client: Client) -> int:
    """The number of tasks that worker threads are running, cancelled or not."""
    return sum(client.run(lambda dask_worker: len(dask_worker.active_threads)).values())


def kill_one(client: Client) -> None:
    pids = client.run(os.getpid)
    os.kill(pids[min(pids)], KILL)


def timeless(report: dict[str, Any]) -> dict[str, Any]:
    """A report without its figures of performance."""
    tests = {name: value for name, value in report["tests"].items() if name != "computed"}
    return {**{name: value for name, value in report.items() if name != "seconds"}, "tests": tests}


LEARNERS = [
    H2PC(),
    H2PC(preset="paper", whitelist=[("HR", "SAO2")], blacklist=[("HR", "CO")]),
    H2PC(symmetry="or", test="mi-sh"),
    MMHC(),
    HPC(),
    MMPC(max_conditioning=2),
    PC(),
    PC(collider_rule="sepset", alpha=0.01),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_targets(learner: ossature.Learner, alarm: Table, client: Client) -> None:
    here = learner.fit(alarm)
    expected, skeleton = timeless(here.report_), here.skeleton_
    there = learner.fit(alarm, client=client)
    assert timeless(there.report_) == expected
    assert there.skeleton_ == skeleton and there.tests_.asked == expected["tests"]["asked"]
    assert there.why("HR", "SAO2") == type(learner)(**learner.get_params()).fit(alarm).why("HR", "SAO2")


def test_targets_of_other_tables(client: Client) -> None:
    numbers = ossature.load_network("asia").linear_gaussian(seed=1).sample(200, seed=2)
    chosen = np.random.default_rng(1)
    labels = ossature.load_network("asia").sample(300, seed=1)
    gaps = {
        name: [None if chosen.random() < 0.05 else label for label in labels.labels(name)] for name in labels.columns
    }
    mixed = {**{name: numbers.numbers(name) for name in numbers.columns[:4]}, "b": labels.labels("bronc")[:200]}
    for table, learner in [(numbers, H2PC()), (gaps, H2PC(missing="available")), (mixed, PC()), (mixed, MMHC())]:
        expected = timeless(learner.fit(table).report_)
        assert timeless(learner.fit(table, client=client).report_) == expected


def count_tables() -> None:
    """Starts counting how often a worker makes a table from the data it was sent."""
    from ossature import table

    made, table.tables_made = table._rebuilt, 0  # type: ignore[attr-defined]

    @functools.wraps(made)
    def counted(*given: Any) -> Table:
        table.tables_made += 1  # type: ignore[attr-defined]
        return made(*given)

    table._rebuilt = counted


def tables_made() -> int:
    """Stops counting, and returns the number of tables."""
    from ossature import table

    table._rebuilt = table._rebuilt.__wrapped__  # type: ignore[attr-defined]
    made: int = table.tables_made  # type: ignore[attr-defined]
    return made


def test_a_table_is_not_sent_again_for_each_round(alarm: Table, client: Client) -> None:
    client.run(count_tables)
    PC().fit(alarm, client=client)
    # Dask may send a copy twice if workers are slow to report that they have it; there are 80 tasks in at least five rounds.
    assert all(1 <= made < 5 for made in client.run(tables_made).values())


def test_neighbourhoods(alarm: Table, client: Client) -> None:
    targets = ["HR", "CATECHOL", "BP", "HR"]
    for learner, blanket in [("hpc", True), ("mmpc", False)]:
        expected = [ossature.neighbours(alarm, target, blanket=blanket, learner=learner) for target in targets]
        assert ossature.neighbours(alarm, targets, blanket=blanket, learner=learner, n_jobs=2) == expected
        assert ossature.neighbours(alarm, targets, blanket=blanket, learner=learner, client=client) == expected
    assert ossature.neighbours(alarm, "HR", client=client) == ossature.neighbours(alarm, "HR")
    assert ossature.neighbours(alarm, [], client=client) == []


@pytest.mark.parametrize("learner", [H2PC(seed=3), HPC()], ids=repr)
def test_bootstrap(learner: ossature.Learner, alarm: Table, client: Client) -> None:
    here = ossature.bootstrap(alarm, 5, learner=learner)
    there = ossature.bootstrap(alarm, 5, learner=learner, client=client)
    assert timeless(there.report) == timeless(here.report)
    assert there.arcs == here.arcs and there.graph == here.graph


@pytest.mark.parametrize("target", [None, "HR"])
def test_cross_validation(target: str | None, alarm: Table, client: Client) -> None:
    learners = {"one": H2PC(), "other": HC()}
    here = ossature.cross_validate(alarm, learners, folds=3, target=target, seed=5)
    assert ossature.cross_validate(alarm, learners, folds=3, target=target, seed=5, client=client) == here


STUDY = ["--networks", "asia,own.bif", "--sizes", "50,100", "--samples", "2", "--new-rows", "100", "--learners", "h2pc,hc"]


def rows_of(folder: pathlib.Path) -> list[dict[str, str]]:
    with open(folder / "rows.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [{name: value for name, value in row.items() if "seconds" not in name} for row in rows]


def test_a_study(client: Client, tmp_path: pathlib.Path) -> None:
    (tmp_path / "own.bif").write_text(ossature.load_network("cancer").to_bif(), encoding="utf-8")
    command = [sys.executable, "-m", "ossature", "study", *STUDY, "-o", "here"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=PATIENCE)
    there = tmp_path / "there"
    # More shards than samples, so some shards have nothing to do.
    told: list[Any] = []
    done = ossature.cluster.study(
        STUDY, client=client, out=there, shards=9, files=[tmp_path / "own.bif"], progress=lambda *news: told.append(news)
    )
    assert (done["cells"], done["failed"], done["missing"], done["complete"]) == (16, 0, 0, True)
    assert rows_of(there) == rows_of(tmp_path / "here")
    assert (there / "report.html").exists()
    assert told[-1] == ("shards", 9, 9)
    with pytest.raises(ossature.SettingsError, match="joined in a new folder"):
        ossature.cluster.study(STUDY, client=client, out=there)


def test_a_study_that_is_wrong_says_so(client: Client, tmp_path: pathlib.Path) -> None:
    with pytest.raises(ossature.DataError, match="nonsense"):
        ossature.cluster.study(["--networks", "nonsense"], client=client, out=tmp_path / "out", shards=2)
    with pytest.raises(ossature.SettingsError, match="'--shard=1/2', which study"):
        ossature.cluster.study(["--shard=1/2"], client=client, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_shard_ends_with_the_worker(tmp_path: pathlib.Path) -> None:
    # The paper's whole study, which takes a long time.
    command = [sys.executable, "-m", "ossature.cluster.shard", "study", "-o", str(tmp_path / "out")]
    shard = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert shard.stdin is not None and shard.stderr is not None
        assert "to do" in shard.stderr.readline()
        shard.stdin.close()
        assert shard.wait(PATIENCE) == 1
    finally:
        shard.kill()
        shard.stderr.close()


def test_a_worker_that_is_killed_changes_nothing(alarm: Table, client: Client) -> None:
    expected = timeless(H2PC().fit(alarm).report_)
    told: list[Any] = []

    def kill(*news: Any) -> None:
        if not told:
            kill_one(client)
        told.append(news)

    assert timeless(H2PC(progress=kill).fit(alarm, client=client).report_) == expected
    assert told[0][0] == "skeleton" and told[0][1] < told[0][2] == 37
    told.clear()
    client.wait_for_workers(2, timeout=PATIENCE)
    sure = ossature.bootstrap(alarm, 6, learner=H2PC(progress=kill), client=client)
    assert timeless(sure.report) == timeless(ossature.bootstrap(alarm, 6).report)


def die_once(flag: str, number: int) -> int:
    """A task whose worker dies the first time."""
    try:
        pathlib.Path(flag).touch(exist_ok=False)
    except FileExistsError:
        return number
    os.kill(os.getpid(), KILL)
    raise AssertionError("killed")


def test_a_worker_that_dies_costs_its_task_only(client: Client, tmp_path: pathlib.Path) -> None:
    calls = [(str(tmp_path / str(number)), number) for number in range(2)]
    with Cluster(client) as work:
        assert work.run(die_once, calls) == [0, 1]


def test_the_table_is_sent_again_if_all_who_had_it_are_gone(alarm: Table) -> None:
    expected = timeless(MMHC().fit(alarm).report_)
    told: list[Any] = []

    with machines(1) as cluster, Client(cluster) as client:

        def kill(*news: Any) -> None:
            if not told:
                kill_one(client)
            told.append(news)

        assert timeless(MMHC(progress=kill).fit(alarm, client=client).report_) == expected


def test_workers_that_come_later_are_waited_for(rows: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = timeless(MMPC().fit(rows).report_)
    with machines(0) as cluster, Client(cluster) as client:
        look = Cluster._look

        def ask_for_one(work: Cluster) -> None:
            # Only once something waits for it; it takes a while to start.
            cluster.scale(1)
            look(work)

        monkeypatch.setattr(Cluster, "_look", ask_for_one)
        assert client.nthreads() == {}
        assert timeless(MMPC().fit(rows, client=client).report_) == expected


def test_a_client_that_is_closed_says_so(alarm: Table, client: Client, cluster: LocalCluster) -> None:
    for call in (
        lambda other, close: H2PC(progress=close).fit(alarm, client=other),
        lambda other, close: ossature.bootstrap(alarm, 5, learner=H2PC(progress=close), client=other),
    ):
        other = Client(cluster, set_as_default=False)
        with pytest.raises(StoppedError, match="client of the cluster was closed"):
            call(other, lambda *news, other=other: other.close())
        with pytest.raises(StoppedError, match="client of the cluster was closed"):
            call(other, False)
    wait_for(lambda: tasks_running(client) == 0)


def test_a_client_that_is_closed_by_another_thread(alarm: Table, client: Client, cluster: LocalCluster) -> None:
    other = Client(cluster, set_as_default=False)

    def close() -> None:
        wait_for(lambda: tasks_running(client) == 2)
        other.close()

    thread = threading.Thread(target=close)
    thread.start()
    try:
        with pytest.raises(StoppedError, match="client of the cluster was closed"):
            ossature.bootstrap(alarm, 4, learner=ENDLESS, client=other)
    finally:
        thread.join()
    # The tasks of the workers, which would run for years, have ended.
    wait_for(lambda: tasks_running(client) == 0)


def test_ctrl_c_cancels_the_tasks(alarm: Table, client: Client) -> None:
    def interrupt() -> None:
        wait_for(lambda: tasks_running(client) == 2)
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            ossature.bootstrap(alarm, 4, learner=ENDLESS, client=client)
    finally:
        thread.join()
    wait_for(lambda: tasks_running(client) == 0)
    wait_for(lambda: not any(client.processing().values()))


def test_a_time_limit(alarm: Table, client: Client) -> None:
    learner = HC(restarts=10**9, time_limit=0.1)
    with pytest.raises(StoppedError, match="time limit of 0.1 s was reached before there was a result"):
        ossature.bootstrap(alarm, 4, learner=learner, client=client)
    wait_for(lambda: tasks_running(client) == 0)
    with pytest.raises(ossature.SettingsError, match="time_limit is -1; a number of seconds above 0 is needed"):
        H2PC(time_limit=-1).fit(alarm, client=client)
    with Cluster(client, PATIENCE) as work:
        left = work.time_left()
        assert left is not None and 0 < left <= PATIENCE


def test_a_time_limit_in_the_search(alarm: Table, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    # The skeleton took nearly all the time. The search runs here, and its result is the best structure so far.
    monkeypatch.setattr(Cluster, "time_left", lambda work: 1e-9)
    with pytest.warns(ossature.IncompleteWarning):
        limited = H2PC(restarts=10**9, time_limit=PATIENCE).fit(alarm, client=client)
    assert not limited.complete_ and limited.skeleton_ == H2PC().fit(alarm).skeleton_


def test_what_is_wrong_is_said_as_on_one_machine(alarm: Table, client: Client) -> None:
    learner = H2PC(whitelist=[("HR", "nobody")])
    with pytest.raises(ossature.SettingsError) as here:
        learner.fit(alarm)
    with pytest.raises(ossature.SettingsError) as there:
        learner.fit(alarm, client=client)
    assert str(there.value) == str(here.value)
    # In the task: a variable that does not exist.
    with pytest.raises(ossature.SettingsError, match='"nobody"'):
        ossature.neighbours(alarm, ["HR", "nobody"], client=client)


def test_what_cannot_be_divided_is_refused(alarm: Table, client: Client) -> None:
    for learner in (HC(), ossature.TPDA(), ossature.SparseCandidate()):
        with pytest.raises(ossature.SettingsError, match="variable by variable; .* h2pc, mmhc"):
            learner.fit(alarm, client=client)


def test_clients_that_are_none(alarm: Table) -> None:
    with pytest.raises(ossature.SettingsError, match="client is 'tcp://nowhere'; a client of dask.distributed"):
        H2PC().fit(alarm, client="tcp://nowhere")


def test_workers_have_the_same_version() -> None:
    assert _in_task(len, ossature.__version__, ("ab",)) == 2
    with pytest.raises(ossature.SettingsError, match="0.0.1, the version of the client, is needed"):
        _in_task(len, "0.0.1", ("ab",))


def test_what_travels_is_exact(alarm: Table) -> None:
    data = alarm._data
    asked = H2PC()._asked()
    rounds = ossature._ossature.Rounds()
    assert len(rounds) == 0
    part = ossature._ossature.look(data, asked, rounds, list(range(37)), threads=1)
    rounds = rounds.with_round([part], 0.0)
    again = pickle.loads(pickle.dumps(rounds))
    assert len(again) == 1 and again.__reduce__() == rounds.__reduce__()
    with pytest.raises(ossature.SettingsError, match="cannot be read"):
        ossature._ossature.Rounds("nonsense")


def test_the_client_may_be_used_for_other_things_meanwhile(alarm: Table, client: Client) -> None:
    other = client.submit(sum, [1, 2])
    H2PC().fit(alarm, client=client)
    assert other.result() == 3
    assert distributed.default_client() is client
