"""How long work reports progress: not at all, as a bar, or to the caller's function."""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Union

from .given import refusal

Told = Callable[[str, int, "int | None"], object]
"""Called with the phase, how much of it is done, and the total if that is known."""

Progress = Union[bool, Told]
"""``False`` for silence, ``True`` for a bar, or a function that is called."""


@contextmanager
def telling(progress: Progress) -> Iterator[Told | None]:
    """What the work reports to while it runs."""
    if progress is False or progress is None:
        yield None
    elif callable(progress):
        yield progress
    elif progress is not True:
        raise refusal("progress", progress, "True, False or a function")
    else:
        bar = _bar()
        try:
            yield bar
        finally:
            bar.close()


def _bar() -> _Bar | _Text:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Text()
    return _Bar(tqdm)


class _Bar:
    """A tqdm bar for each phase."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None
        self._phase = ""

    def __call__(self, phase: str, done: int, total: int | None) -> None:
        if phase != self._phase:
            self.close()
            self._bar = self._tqdm(total=total, desc=phase)
            self._phase = phase
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
            self._phase = ""


class _Text:
    """A line on stderr that is overwritten."""

    def __init__(self) -> None:
        self._said = False

    def __call__(self, phase: str, done: int, total: int | None) -> None:
        of = "" if total is None else f" of {total:,}"
        sys.stderr.write(f"\r\x1b[K{phase}: {done:,}{of}")
        sys.stderr.flush()
        self._said = True

    def close(self) -> None:
        if self._said:
            sys.stderr.write("\n")
            self._said = False


def threads(n_jobs: int | None) -> int:
    """The number of threads, by scikit-learn's rule: None is 1, -1 is all cores, -2 all but one.

    More threads than cores bring nothing, and a very large pool takes long to start.
    """
    if n_jobs is None:
        return 1
    try:
        wanted = 0 if isinstance(n_jobs, bool) else operator.index(n_jobs)
    except TypeError:
        wanted = 0
    if wanted == 0:
        raise refusal("n_jobs", n_jobs, "a number of threads, or -1 for all cores,")
    return min(wanted, max(64, _cores())) if wanted > 0 else max(1, _cores() + 1 + wanted)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
