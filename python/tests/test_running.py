"""During a run: Ctrl-C, other threads, progress."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import PATIENCE

import ossature
from ossature import HC, H2PC, Table

# Work that would take years; it prints when it has started, and exits with 42 after Ctrl-C.
ENDLESS = """
import sys, ossature
rows = ossature.load_network("alarm").sample(2000, seed=1)
began = []
def told(phase, done, total):
    if not began:
        began.append(True)
        print("searching", flush=True)
try:
    {call}
except KeyboardInterrupt:
    sys.exit(42)
"""

CALLS = {
    "search": "ossature.HC(restarts=10**9, n_jobs=2, progress=told).fit(rows)",
    "bootstrap": "ossature.bootstrap(rows, 10**6, learner=ossature.H2PC(progress=told))",
}

if os.name != "nt":  # Windows cannot send a signal to a single process

    @pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
    def test_ctrl_c_ends_it(call: str) -> None:
        child = subprocess.Popen([sys.executable, "-c", ENDLESS.format(call=call)], stdout=subprocess.PIPE, text=True)
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "searching\n"
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=PATIENCE)
        finally:
            child.kill()
        assert child.returncode == 42


def test_other_threads_go_on_meanwhile(rows: Table) -> None:
    begin = threading.Event()

    def interrupt() -> None:
        begin.wait()
        signal.raise_signal(signal.SIGINT)

    other = threading.Thread(target=interrupt)
    interval = sys.getswitchinterval()
    # No thread is forced to release the interpreter: the other thread runs only if the search releases it, and
    # then it ends the search. Otherwise the limit does.
    sys.setswitchinterval(2 * PATIENCE)
    try:
        other.start()
        with pytest.raises(KeyboardInterrupt):
            begin.set()
            HC(restarts=10**9, time_limit=PATIENCE).fit(rows)
    finally:
        sys.setswitchinterval(interval)
        other.join()


def test_other_threads_go_on_while_a_table_goes_out() -> None:
    table = ossature.load_network("alarm").sample(200_000, seed=1)
    steps = 0
    over = threading.Event()

    def count() -> None:
        nonlocal steps
        while not over.is_set():
            steps += 1
            time.sleep(0.0001)

    other = threading.Thread(target=count)
    interval = sys.getswitchinterval()
    # No thread is forced to release the interpreter: the other thread runs only because it was released.
    sys.setswitchinterval(2 * PATIENCE)
    other.start()
    try:
        before = steps
        deadline = time.monotonic() + PATIENCE / 10
        # A busy system may not run the other thread the first time.
        while steps == before and time.monotonic() < deadline:
            table.__arrow_c_stream__()
        assert steps > before
    finally:
        over.set()
        other.join()
        sys.setswitchinterval(interval)


def test_learning_in_many_threads_at_once(rows: Table) -> None:
    expected = H2PC().fit(rows).dag_
    found: list[ossature.Dag] = []
    threads = [threading.Thread(target=lambda: found.append(H2PC(n_jobs=2).fit(rows).dag_)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


if hasattr(os, "fork"):

    def test_learning_before_and_after_a_fork() -> None:
        code = (
            "import os, ossature\n"
            "rows = ossature.load_network('asia').sample(500, seed=1)\n"
            "before = ossature.h2pc(rows, n_jobs=2)\n"
            "child = os.fork()\n"
            "if child == 0:\n"
            "    os._exit(0 if ossature.h2pc(rows, n_jobs=2) == before else 1)\n"
            "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
        )
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
        assert done.stdout == "0\n"


TASKS = pathlib.Path("/proc/self/task")

if TASKS.is_dir():
    EXITING = 4  # Linux's PF_EXITING

    def flags(task: pathlib.Path) -> int:
        """The flags of a thread; see proc(5). The name before them may contain any character."""
        return int((task / "stat").read_text().rpartition(")")[2].split()[6])

    def threads_of_ours() -> list[str]:
        """Our threads that have not ended. One that has ended is still listed for a moment, as exiting."""
        names = []
        for task in TASKS.iterdir():
            try:
                if not flags(task) & EXITING:
                    names.append((task / "comm").read_text().strip())
            except OSError:
                pass  # it has ended
        return [name for name in names if name.startswith("ossature-")]

    def test_no_thread_is_left_after_a_call(rows: Table) -> None:
        # On a system without these flags, wait for the threads to disappear.
        patience = 0 if flags(TASKS / str(threading.get_native_id())) else PATIENCE
        for _ in range(50):
            ossature.score(rows, [], n_jobs=8)
            deadline = time.monotonic() + patience
            while (left := threads_of_ours()) and time.monotonic() < deadline:
                time.sleep(0.01)
            assert left == []


def test_a_likelihood_can_be_stopped(asia: ossature.Network, rows: Table) -> None:
    # A limit that has passed when the first part is done; Ctrl-C takes the same path.
    with pytest.raises(ossature.StoppedError):
        asia._network.log_likelihood(rows._data, threads=1, time_limit=1e-9)


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int | None]] = []
    rows = ossature.load_network("alarm").sample(5000, seed=1)
    H2PC(progress=lambda *news: told.append(news), n_jobs=2).fit(rows)
    assert told, "at least the last word"
    assert {phase for phase, _, _ in told} <= {"skeleton", "candidates", "search"}
    ossature.bootstrap(rows, 3, learner=H2PC(progress=lambda *news: told.append(news)))
    assert told[-1][0] == "bootstrap"
    ossature.load_network("asia").sample(10, progress=lambda *news: told.append(news))
    assert told[-1] == ("sampling", 10, 10)


def test_what_progress_raises_ends_it(rows: Table, asia: ossature.Network) -> None:
    def stop(*news: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        HC(restarts=10**9, progress=stop).fit(rows)
    with pytest.raises(RuntimeError, match="enough"):
        ossature.bootstrap(rows, 10**6, learner=HC(progress=stop))
    with pytest.raises(RuntimeError, match="enough"):
        asia.sample(100_000, progress=stop)


@pytest.mark.parametrize("bar", ["tqdm", "text"])
def test_a_bar_is_shown_on_stderr_and_silence_is_the_default(bar: str, tmp_path: pathlib.Path) -> None:
    if bar == "text":
        (tmp_path / "tqdm.py").write_text("raise ImportError")
    code = (
        "import sys, ossature\n"
        "rows = ossature.load_network('alarm').sample(2000, seed=1)\n"
        "ossature.H2PC(progress=len(sys.argv) > 1).fit(rows)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", code, *words]
        return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE, check=True)

    silent, loud = run(), run("progress")
    assert silent.stderr == silent.stdout == loud.stdout == ""
    assert "search" in loud.stderr or "skeleton" in loud.stderr
