"""Distributed rows: a Dask DataFrame, or files that the workers read.

Each worker codes its partitions once, after the client has merged the levels. The learner runs on the client and asks
for tables of counts in rounds, which carry the questions of all targets; each worker answers with the sums over its
partitions.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike, fspath
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _ossature
from ..errors import DataError, DataWarning, SettingsError, warn
from ..given import Kinds
from ..progress import Told
from ..table import Table, as_data, read_table
from .work import Client, Cluster

MOST_THREADS = 256
"""The largest number of threads; each target waits for its answers in a separate thread."""

Numbers = npt.NDArray[np.uint32]
Levels = list[tuple[str, list[str]]]


def are_elsewhere(X: Any) -> bool:
    """Whether these are distributed rows: a Dask DataFrame, or a list of files."""
    if type(X).__module__.startswith("dask") and hasattr(X, "to_delayed"):
        return True
    return isinstance(X, (list, tuple)) and len(X) > 0 and all(isinstance(path, (str, PathLike)) for path in X)


def learn(
    client: Client,
    X: Any,
    asked: Any,
    *,
    missing: str,
    kinds: Kinds | None,
    time_limit: float | None,
    progress: Told | None,
) -> tuple[dict[str, Any], list[str]]:
    """The report of :func:`_ossature.learn`, with the cost on the cluster under ``cluster``, and the names of the
    columns."""
    if missing == "em":
        raise SettingsError('missing is "em", which needs the rows in one place; "available" does not')
    with Cluster(client, time_limit) as cluster:
        tables = _tables(cluster, X, missing, kinds)
        said = cluster.run(_levels, [(table,) for table in tables])
        names, variables, rows = _agreed([levels for levels in said if levels is not None])
        dropped = sum(levels.dropped for levels in said if levels is not None)
        if dropped:
            warn(f"left out {dropped:,} of {rows + dropped:,} rows because of missing values", DataWarning)
        groups = _groups(cluster, tables, [(name, _occurring(levels, totals)) for name, levels, totals in variables])
        del tables

        def ask(questions: Numbers) -> list[tuple[Numbers, Numbers]]:
            answers = cluster.run(_answer, [(group, questions) for group in groups])
            return [(_aligned(dense), _aligned(listed)) for dense, listed in answers]

        text, (rounds, asked_for, sent, received) = _ossature.learn_rows(
            variables,
            rows,
            ask,
            asked,
            threads=max(1, min(len(variables), MOST_THREADS)),
            time_limit=cluster.time_left(),
            progress=progress,
        )
    report = json.loads(text)
    report["cluster"] = {
        "partitions": len(said),
        "groups": len(groups),
        "rounds": rounds,
        "tables": asked_for,
        "bytes_sent": sent,
        "bytes_received": received,
    }
    return report, names


class Part:
    """Some of the rows, coded with the levels of all. It can be pickled, for Dask."""

    def __init__(self, table: Table | None, levels: Levels) -> None:
        self._levels = levels
        self._rows = _ossature.Rows(None if table is None else table._data, levels)

    def __reduce__(self) -> tuple[Any, ...]:
        data = self._rows.data()
        return Part, (None if data is None else Table._of(data), self._levels)


class _Said:
    """The description of a partition."""

    def __init__(self, table: Table) -> None:
        data = table._data
        self.rows, self.dropped = data.total(), data.rows_dropped()
        self.names = data.names()
        self.levels = {name: data.levels(name) for name in self.names}
        self.totals = {name: data.level_counts(name) for name in self.names}


def _tables(cluster: Cluster, X: Any, missing: str, kinds: Kinds | None) -> list[Any]:
    """Futures of the coded partitions, each where its rows are."""
    if isinstance(X, (list, tuple)):
        return cluster.keep(_read, [(fspath(path), missing, kinds) for path in X])
    return cluster.keep_each(_code, X.to_delayed(), missing, kinds)


def _groups(cluster: Cluster, tables: list[Any], levels: Levels) -> list[Any]:
    """Futures of the partitions of each worker, with the levels of all: one task per worker answers for them."""
    parts = cluster.keep(_part, [(table, levels) for table in tables])
    return [cluster.keep(_group, [(together,)], where=worker)[0] for worker, together in cluster.by_worker(parts)]


def _agreed(said: list[_Said]) -> tuple[list[str], list[tuple[str, list[str], list[int]]], int]:
    """The names of the columns, each with its levels and how often they occur, and the number of rows."""
    if not said:
        raise DataError("there are no rows in any partition")
    names = said[0].names
    for one in said:
        stranger = next(iter(set(names) ^ set(one.names)), None)
        if stranger is not None:
            raise DataError(f"column {stranger!r} is in some partitions and not in others")
    variables = []
    for name in names:
        all_levels = [one.levels[name] for one in said]
        # Levels that were declared are the same everywhere, in their order; labels that occur are in bytewise order.
        same = all(levels == all_levels[0] for levels in all_levels)
        levels = all_levels[0] if same else sorted(set().union(*all_levels), key=str.encode)
        counts = dict.fromkeys(levels, 0)
        for one in said:
            for level, count in zip(one.levels[name], one.totals[name]):
                counts[level] += count
        variables.append((name, levels, list(counts.values())))
    return names, variables, sum(one.rows for one in said)


def _occurring(levels: Sequence[str], totals: Sequence[int]) -> list[str]:
    return [level for level, total in zip(levels, totals) if total > 0]


def _code(frame: Any, missing: str, kinds: Kinds | None) -> Table | None:
    if len(frame) == 0:
        return None
    return _discrete(Table._of(as_data(frame, missing=missing, kinds=kinds)))


def _read(path: str, missing: Any, kinds: Kinds | None) -> Table:
    continuous = [name for name, kind in (kinds or {}).items() if kind == "continuous"]
    return _discrete(read_table(path, missing=missing, continuous=continuous or None))


def _discrete(table: Table) -> Table:
    for name in table.columns:
        if table.is_continuous(name):
            raise DataError(
                f"column {name!r} is continuous, and distributed rows need levels; "
                f'cut it into intervals first, or treat its numbers as labels: kinds={{{name!r}: "discrete"}}'
            )
    return table


def _levels(table: Table | None) -> _Said | None:
    return None if table is None else _Said(table)


def _part(table: Table | None, levels: Levels) -> Part:
    return Part(table, levels)


def _group(parts: list[Part]) -> list[Part]:
    return parts


def _answer(parts: list[Part], questions: Numbers) -> tuple[Numbers, Numbers]:
    return _ossature.Rows.answer([part._rows for part in parts], _aligned(questions))


def _aligned(numbers: Numbers) -> Numbers:
    """Aligned numbers: received bytes may start at any address."""
    return np.require(numbers, np.uint32, ["C", "A"])
