"""The command that comes with the package gives the same answers."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import sysconfig

import pandas as pd
import polars as pl
import pytest
from conftest import PATIENCE

import ossature
from ossature._learners import BY_NAME

COMMAND = pathlib.Path(sysconfig.get_path("scripts")) / ("ossature.exe" if os.name == "nt" else "ossature")


def run(*words: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == code, done.stderr
    return done


def test_the_command_is_installed(tmp_path: pathlib.Path) -> None:
    assert run("--version").stdout.split()[:2] == ["ossature", ossature.__version__]
    module = subprocess.run([sys.executable, "-m", "ossature", "--version"], capture_output=True, text=True)
    assert module.stdout == run("--version").stdout
    assert "error" in run("learn", tmp_path / "nowhere.csv", code=3).stderr
    assert "Usage" in run("learn", code=2).stderr


@pytest.mark.parametrize("learner", BY_NAME)
def test_the_same_file_gives_the_same_answer(learner: str, alarm_csv: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = alarm_csv
    if learner == "exact":  # its proof needs few variables
        path = tmp_path / "asia.csv"
        run("sample", "asia", "-n", 300, "-o", path)
    command = json.loads(run("learn", path, "--learner", learner, "--seed", 3, "--json", "--quiet").stdout)
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    for given in (frame, pl.read_csv(path, infer_schema=False), ossature.read_table(path)):
        found = BY_NAME[learner](seed=3, n_jobs=2).fit(given).report_
        for key in ("arcs", "cpdag", "skeleton", "score", "settings", "data", "learner", "complete", "version"):
            assert found[key] == command[key], key
        assert found["tests"]["asked"] == command["tests"]["asked"]


def test_declared_levels_give_the_same_answer(alarm_csv: pathlib.Path) -> None:
    command = json.loads(run("learn", alarm_csv, "--levels", "alarm", "--test", "mi", "--json", "--quiet").stdout)
    alarm = ossature.load_network("alarm")
    frame = pd.read_csv(alarm_csv, dtype=str, keep_default_na=False)
    declared = frame.apply(lambda column: pd.Categorical(column, categories=alarm.levels(column.name)))
    levels = {node: alarm.levels(node) for node in alarm.nodes}
    for given in (declared, ossature.read_table(alarm_csv, levels=levels)):
        found = ossature.H2PC(test="mi").fit(given).report_
        assert (found["arcs"], found["score"], found["data"]) == (command["arcs"], command["score"], command["data"])


def test_the_same_seed_gives_the_same_rows(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "rows.csv"
    run("sample", "child", "-n", 100, "--seed", 4, "-o", path)
    rows = ossature.load_network("child").sample(100, seed=4)
    assert rows.to_pandas().astype(object).equals(pd.read_csv(path, dtype=str, keep_default_na=False).astype(object))


def test_bootstrap_neighbours_test_score_compare(alarm_csv: pathlib.Path) -> None:
    table = ossature.read_table(alarm_csv)
    answer = json.loads(run("learn", alarm_csv, "--bootstrap", 3, "--seed", 2, "--json", "--quiet").stdout)
    sure = ossature.bootstrap(table, 3, learner=ossature.H2PC(seed=2))
    assert (sure.report["arcs"], sure.report["bootstrap"]) == (answer["arcs"], answer["bootstrap"])
    answer = json.loads(run("neighbours", alarm_csv, "--target", "HR", "--blanket", "--json", "--quiet").stdout)
    near = ossature.neighbours(table, "HR", blanket=True)
    assert list(near.parents_and_children) == answer["parents_and_children"]
    assert list(near.blanket or ()) == answer["blanket"]
    answer = json.loads(run("test", alarm_csv, "HR", "BP", "CO", "--json", "--quiet").stdout)
    result = ossature.ci_test(table, "HR", "BP", ["CO"])
    assert {key: getattr(result, key) for key in ("statistic", "df", "p", "ln_p", "has_power", "independent")} == {
        key: answer[key] for key in ("statistic", "df", "p", "ln_p", "has_power", "independent")
    }
    answer = json.loads(run("score", alarm_csv, "alarm", "--by-node", "--json", "--quiet").stdout)
    assert ossature.score_by_node(table, ossature.load_network("alarm")) == answer["by_node"]


def test_reasons_and_the_catalogue(alarm_csv: pathlib.Path) -> None:
    assert json.loads(run("learners", "--json").stdout) == ossature.learners()
    table = ossature.read_table(alarm_csv)
    pairs = {"h2pc": ("HR", "BP"), "mmhc": ("CO", "HR"), "hc": ("HR", "HRBP"), "hpc": ("HR", "HRBP")}
    for learner, pair in pairs.items():
        words = ("why", alarm_csv, *pair, "--learner", learner, "--json", "--quiet")
        why = dataclasses.asdict(BY_NAME[learner]().fit(table).why(*pair, X=table))
        answer = json.loads(run(*words).stdout)
        assert {key: list(value) if isinstance(value, tuple) else value for key, value in why.items()} == {
            key: answer[key] for key in why
        }


def test_halves_give_the_same_answer(alarm_csv: pathlib.Path, tmp_path: pathlib.Path) -> None:
    table, alarm = ossature.read_table(alarm_csv), ossature.load_network("alarm")
    path = tmp_path / "alarm.csv"
    path.write_text(alarm.dag.skeleton().to_csv(), encoding="utf-8")
    for restrict, word in (("mmpc", "mmpc"), (alarm, path)):
        words = ("learn", alarm_csv, "--restrict", word, "--maximise", "hc", "--score", "bic", "--json", "--quiet")
        command = json.loads(run(*words).stdout)
        found = ossature.Hybrid(restrict=restrict, maximise="hc", criterion="bic").fit(table).report_
        for key in ("arcs", "cpdag", "skeleton", "score", "learner", "result"):
            assert found[key] == command[key], key
    words = ("learn", alarm_csv, "--learner", "hpc", "--bootstrap", 3, "--json", "--quiet")
    answer = json.loads(run(*words).stdout)
    sure = ossature.bootstrap(table, 3, learner=ossature.HPC())
    assert (sure.report["skeleton"], sure.report["bootstrap"]) == (answer["skeleton"], answer["bootstrap"])


if os.name != "nt":  # Windows cannot send a signal to a single process

    def test_ctrl_c_ends_the_command() -> None:
        words = ["learn", "alarm", "--learner", "hc", "--restarts", "1000000000", "--progress", "always"]
        child = subprocess.Popen([COMMAND, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            assert child.stderr is not None
            assert any(line.startswith("search: ") for line in child.stderr), "it ended by itself"
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=PATIENCE)
        finally:
            child.kill()
        assert child.returncode == 130
