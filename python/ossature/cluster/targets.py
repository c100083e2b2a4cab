"""The targets of a first half on a cluster, and the neighbourhoods of many variables."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Sequence
from typing import Any

from .. import _ossature
from ..progress import Told
from ..table import Table
from .work import Client, Cluster, still_wanted


def learn(
    client: Client,
    data: _ossature.Data,
    asked: Any,
    *,
    threads: int,
    time_limit: float | None,
    progress: Told | None,
) -> str:
    """Learns a structure; returns the report of :func:`_ossature.learn`.

    The workers process the targets, in as many rounds as the first half has; their results are joined here, and the
    search runs here.
    """
    rounds = _ossature.Rounds()
    # Before anything is sent: whether the work of this learner can be divided at all.
    costs = _ossature.costs(data, asked, rounds, threads=threads)
    with Cluster(client, time_limit) as cluster:
        table = cluster.send(Table._of(data))
        while costs is not None:
            began = time.monotonic()
            parts = blocks(costs, cluster.threads())
            told = _telling(progress, len(rounds), [len(part) for part in parts])
            before = cluster.send(rounds.for_looking())
            found = cluster.run(_look, [(asked, part) for part in parts], shared=[table, before], told=told)
            rounds = rounds.with_round(found, time.monotonic() - began)
            costs = _ossature.costs(data, asked, rounds, threads=threads)
        left = cluster.time_left()
    return _ossature.learn_found(data, asked, rounds, threads=threads, time_limit=left, progress=progress)


def neighbours(
    client: Client,
    data: _ossature.Data,
    targets: Sequence[str],
    blanket: bool,
    asked: Any,
    *,
    time_limit: float | None,
    progress: Told | None,
) -> list[str]:
    """The neighbourhoods of some variables, as :func:`_ossature.neighbours` returns them."""
    with Cluster(client, time_limit) as cluster:
        table = cluster.send(Table._of(data))
        parts = blocks([1] * len(targets), cluster.threads())
        told = _telling(progress, 0, [len(part) for part in parts])
        calls = [([targets[t] for t in part], blanket, asked) for part in parts]
        found = cluster.run(_neighbours, calls, shared=[table], told=told)
    by_target = {t: text for part, texts in zip(parts, found) for t, text in zip(part, texts)}
    return [by_target[t] for t in range(len(targets))]


def blocks(costs: Sequence[int], threads: int) -> list[list[int]]:
    """Targets in blocks of about equal cost: several for each thread, since costs are a guess, and at most 256 targets
    each.

    >>> blocks([9, 1, 1, 1, 1, 1, 1, 1, 1, 1], 1)
    [[0], [1, 8], [2, 9], [3], [4], [5], [6], [7]]
    >>> len(blocks([1] * 3000, 2)), len(blocks([1] * 100_000, 2))
    (16, 391)
    """
    number = min(len(costs), max(8 * threads, -(-len(costs) // 256)))
    loads = [(0, block) for block in range(number)]
    dealt: list[list[int]] = [[] for _ in loads]
    for target in sorted(range(len(costs)), key=lambda target: -costs[target]):
        load, block = heapq.heappop(loads)
        dealt[block].append(target)
        heapq.heappush(loads, (load + costs[target], block))
    return dealt


def _telling(progress: Told | None, rounds: int, sizes: Sequence[int]) -> Callable[[int], object] | None:
    """Reports the number of finished targets after each block."""
    if progress is None:
        return None
    tell, done, total = progress, 0, sum(sizes)
    phase = "skeleton" if rounds == 0 else f"skeleton, round {rounds + 1}"

    def told(block: int) -> None:
        nonlocal done
        done += sizes[block]
        tell(phase, done, total)

    return told


def _look(table: Table, rounds: _ossature.Rounds, asked: Any, targets: list[int]) -> str:
    return _ossature.look(table._data, asked, rounds, targets, threads=1, progress=still_wanted())


def _neighbours(table: Table, targets: list[str], blanket: bool, asked: Any) -> list[str]:
    return _ossature.neighbours(table._data, targets, blanket, asked, threads=1, progress=still_wanted())
