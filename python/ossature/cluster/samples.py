"""The samples of a bootstrap and the folds of a comparison on a cluster: a task for each."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from .. import _ossature
from ..progress import Told
from ..table import Table
from .work import Client, Cluster, still_wanted


def bootstrap(
    client: Client,
    data: _ossature.Data,
    asked: Any,
    samples: int,
    *,
    threads: int,
    time_limit: float | None,
    progress: Told | None,
) -> str:
    """Learns from samples of the rows; returns the report of :func:`_ossature.bootstrap`."""
    began = time.monotonic()
    with Cluster(client, time_limit) as cluster:
        table = cluster.send(Table._of(data))
        calls = [(asked, samples, sample) for sample in range(samples)]
        found = cluster.run(_sample, calls, shared=[table], told=_counting(progress, "bootstrap", samples))
    return _ossature.bootstrap_of(data, asked, found, time.monotonic() - began, threads=threads)


def cross_validate(
    client: Client,
    data: _ossature.Data,
    asked: Sequence[Any],
    folds: int,
    target: str | None,
    seed: int,
    *,
    time_limit: float | None,
    progress: Told | None,
) -> list[tuple[float, float, tuple[float, ...]]]:
    """For each learner the mean over the folds, their standard deviation, and the folds."""
    with Cluster(client, time_limit) as cluster:
        table = cluster.send(Table._of(data))
        calls = [(one, fold, folds, target, seed) for one in asked for fold in range(folds)]
        told = _counting(progress, "folds", len(calls))
        found = cluster.run(_fold, calls, shared=[table], told=told)
    by_learner = [tuple(found[first : first + folds]) for first in range(0, len(found), folds)]
    return [(*_ossature.over_folds(list(by_fold)), by_fold) for by_fold in by_learner]


def _counting(progress: Told | None, phase: str, total: int) -> Callable[[int], object] | None:
    """Reports the number of finished tasks after each one."""
    if progress is None:
        return None
    tell, done = progress, 0

    def told(_: int) -> None:
        nonlocal done
        done += 1
        tell(phase, done, total)

    return told


def _sample(table: Table, asked: Any, samples: int, sample: int) -> str:
    return _ossature.bootstrap_sample(table._data, asked, samples, sample, threads=1, progress=still_wanted())


def _fold(table: Table, asked: Any, fold: int, folds: int, target: str | None, seed: int) -> float:
    data = table._data
    return _ossature.cross_validate_fold(data, asked, fold, folds, target, seed, threads=1, progress=still_wanted())
