"""A study on a cluster: a task for each shard."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from os import PathLike
from typing import Any

from ..errors import DataError, SettingsError
from ..given import path as path_of, whole, words
from ..progress import Progress, telling
from .samples import _counting
from .work import Client, Cluster, still_wanted

OURS = ("-o", "--output", "--shard", "--json", "merge")
"""Words of the command that are said here."""

KEPT = ("study.json", "rows.csv")
"""What is joined of a shard."""

LOOK = 0.1
"""Seconds between two looks at whether the shard is still wanted; one that is done is noticed at once."""


def study(
    options: Sequence[str] = (),
    *,
    client: Client,
    out: str | PathLike[str],
    shards: int | None = None,
    files: Sequence[str | PathLike[str]] = (),
    time_limit: float | None = None,
    progress: Progress = False,
) -> dict[str, Any]:
    """Runs ``ossature study`` on a cluster, one task per shard, and joins the shards in the new folder ``out``.

    ``options`` are words of that command, such as ``["--networks", "asia,child", "--samples", "20"]``; its rows are the
    same as on one machine, except for times. ``shards`` is the number of tasks, by default four per thread of the
    cluster; networks × sizes × samples shards make one task per sample. ``files`` are copied to where the command runs:
    a file for ``--config`` or networks in ``.bif`` files, which the options name without a folder. Returns what the
    command prints with ``--json``.

    >>> import ossature.cluster, tempfile
    >>> from distributed import Client, LocalCluster
    >>> with LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as machines, Client(machines) as client:
    ...     words = ["--networks", "asia", "--sizes", "100", "--samples", "2", "--new-rows", "50"]
    ...     done = ossature.cluster.study(words, client=client, out=tempfile.mkdtemp() + "/out", shards=2)
    >>> done["cells"], done["failed"], done["missing"]
    (4, 0, 0)
    """
    given = words("options", options)
    for word in given:
        if word.partition("=")[0] in OURS:
            raise SettingsError(f"options has {word!r}, which study() sets itself; only options that describe the study are accepted")
    folder = pathlib.Path(path_of(out))
    if folder.exists():
        raise SettingsError(f"{folder} exists; the shards are joined in a new folder")
    contents = {pathlib.Path(file).name: pathlib.Path(file).read_bytes() for file in files}
    with Cluster(client, time_limit) as cluster, telling(progress) as tell, tempfile.TemporaryDirectory() as place:
        number = 4 * cluster.threads() if shards is None else whole("shards", shards, least=1)
        calls = [(given, index, number, contents) for index in range(1, number + 1)]
        found = cluster.run(_shard, calls, told=_counting(tell, "shards", number))
        parts = []
        for index, kept in enumerate(found, start=1):
            part = pathlib.Path(place, str(index))
            part.mkdir()
            for name, content in kept.items():
                (part / name).write_bytes(content)
            parts.append(str(part))
        command = [sys.executable, "-m", "ossature", "study", "merge", *parts, "-o", str(folder), "--json"]
        joined = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if not joined.stdout:
        raise DataError(_said(joined.stderr))
    outcome: dict[str, Any] = json.loads(joined.stdout)
    return outcome


def _shard(options: list[str], index: int, number: int, files: dict[str, bytes]) -> dict[str, bytes]:
    """Runs a shard in a separate folder; returns its rows and its manifest."""
    wanted = still_wanted()
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for name, content in files.items():
            (folder / name).write_bytes(content)
        command = [sys.executable, "-m", "ossature.cluster.shard", "study", *options]
        command += ["--shard", f"{index}/{number}", "-o", "shard", "--threads", "1"]
        with open(folder / "said", "w+b") as said:
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
            with subprocess.Popen(
                command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said
            ) as process:
                try:
                    while process.poll() is None:
                        wanted()
                        with contextlib.suppress(subprocess.TimeoutExpired):
                            process.wait(LOOK)
                finally:
                    process.kill()
            kept = {name: folder / "shard" / name for name in KEPT}
            # Where cells failed, their rows say so and the exit code is 1.
            if process.returncode not in (0, 1) or not all(path.exists() for path in kept.values()):
                said.seek(0)
                raise DataError(_said(said.read().decode(errors="replace")))
            return {name: path.read_bytes() for name, path in kept.items()}


def _said(text: str) -> str:
    lines = [line.removeprefix("error: ") for line in text.splitlines() if line.strip()]
    return "\n".join(lines) or "the study printed nothing"
