"""Tasks on a Dask cluster: sent, waited for, and cancelled together."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

from .._ossature import __version__
from ..errors import SettingsError, StoppedError
from ..given import refusal, seconds

Client = Any
"""A client of ``dask.distributed``."""

INSTALL = "a client needs the package distributed: pip install 'ossature[cluster]'"

CLOSED = "the client of the cluster was closed before there was a result"

LOST = "the workers of the cluster were lost repeatedly; their logs say why (is ossature installed there?)"

LOOK = 0.1
"""Seconds between two looks at the client and the clock; a task that is done is noticed at once."""

LOSSES = 10
"""What the tasks need is sent this often again when workers that held it are gone."""


class Sent:
    """An object that every worker has a copy of."""

    def __init__(self, client: Client, thing: Any) -> None:
        self._client, self._thing = client, thing
        self.future: Any = None

    def again(self) -> None:
        """Sends it to all current workers."""
        for attempt in range(1, LOSSES + 1):
            try:
                self.future = self._client.scatter(self._thing, broadcast=True, hash=False)
                return
            except (OSError, asyncio.TimeoutError) as error:
                # Workers were lost meanwhile, and are not known to be. Or none can take it.
                if attempt == LOSSES:
                    raise StoppedError(LOST) from error
                time.sleep(LOOK * attempt)


class Cluster:
    """A client at work. Unfinished tasks are cancelled when the block ends."""

    def __init__(self, client: Client, time_limit: float | None = None) -> None:
        self._client = checked(client)
        self._limit = seconds(time_limit)
        if self._limit is not None and not self._limit > 0:
            raise SettingsError(f"time_limit is {self._limit:g}; a number of seconds above 0 is needed")
        self._deadline = None if self._limit is None else time.monotonic() + self._limit
        self._waiting: dict[int, Any] = {}

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        if self._waiting:
            # A client that is closed has nothing left to cancel.
            with contextlib.suppress(Exception):
                self._client.cancel(list(self._waiting.values()))
            self._waiting.clear()

    def threads(self) -> int:
        """The number of threads of all workers. Waits if there is no worker yet."""
        with self._open():
            while True:
                threads: dict[str, int] = self._client.nthreads()
                if threads:
                    return sum(threads.values())
                self._look()
                time.sleep(LOOK)

    def time_left(self) -> float | None:
        """The seconds left of the limit; ``None`` without a limit."""
        return None if self._deadline is None else max(self._deadline - time.monotonic(), 1e-9)

    def send(self, thing: Any) -> Sent:
        """Sends something to every worker, once."""
        sent = Sent(self._client, thing)
        self._again(sent)
        return sent

    def _again(self, sent: Sent) -> None:
        self.threads()
        with self._open():
            sent.again()

    def run(
        self,
        work: Callable[..., Any],
        calls: Sequence[tuple[Any, ...]],
        *,
        shared: Sequence[Sent] = (),
        told: Callable[[int], object] | None = None,
    ) -> list[Any]:
        """The results of ``work(*shared, *call)`` for each of the calls, in order.

        ``told`` is called with the index of each finished call. A task runs again elsewhere if its worker is gone.
        """
        done: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        name = f"ossature-{work.__name__.strip('_')}-{uuid.uuid4().hex}"
        losses = 0

        def submit(place: int) -> None:
            copies = [sent.future for sent in shared]
            key = f"{name}-{place}-{losses}"
            future = self._client.submit(_in_task, work, __version__, calls[place], *copies, key=key, pure=False)
            self._waiting[place] = future
            future.add_done_callback(lambda future: done.put((place, future)))

        results: list[Any] = [None] * len(calls)
        with self._open():
            for place in range(len(calls)):
                submit(place)
        while self._waiting:
            self._look()
            try:
                place, future = done.get(timeout=LOOK)
            except queue.Empty:
                continue
            if place not in self._waiting or self._waiting[place] is not future:
                continue
            with self._open():
                try:
                    results[place] = future.result()
                except CancelledError as error:
                    # Not by us: unless the client was closed, what the tasks need went with the last worker that held it.
                    self._look()
                    losses += 1
                    if losses > LOSSES:
                        raise StoppedError(LOST) from error
                    self._client.cancel(list(self._waiting.values()))
                    for sent in shared:
                        self._again(sent)
                    for waiting in list(self._waiting):
                        submit(waiting)
                    continue
            del self._waiting[place]
            if told is not None:
                told(place)
        return results

    def keep(self, work: Callable[..., Any], calls: Sequence[tuple[Any, ...]], *, where: str | None = None) -> list[Any]:
        """Futures of ``work(*call)`` for each of the calls, which stay on the workers; on this one, while it exists.

        If a worker is lost, Dask recomputes what it held.
        """
        name = f"ossature-{work.__name__.strip('_')}-{uuid.uuid4().hex}"
        place = {} if where is None else {"workers": [where], "allow_other_workers": True}
        with self._open():
            return [
                self._client.submit(_in_task, work, __version__, call, key=f"{name}-{i}", pure=False, **place)
                for i, call in enumerate(calls)
            ]

    def keep_each(self, work: Callable[..., Any], frames: Sequence[Any], *more: Any) -> list[Any]:
        """Futures of ``work(frame, *more)`` for each of these delayed Dask values, which are not kept themselves."""
        from dask.delayed import delayed

        task = delayed(_in_task, pure=False)
        with self._open():
            futures: list[Any] = self._client.compute([task(work, __version__, (frame, *more)) for frame in frames])
            return futures

    def by_worker(self, futures: Sequence[Any]) -> list[tuple[str, list[Any]]]:
        """The workers that hold some of these, each with the ones it holds."""
        from distributed import wait

        with self._open():
            with contextlib.suppress(TimeoutError):
                wait(futures, timeout=self.time_left())  # type: ignore[no-untyped-call]
            self._look()
            held = self._client.who_has(futures)
        found: dict[str, list[Any]] = {}
        for future in futures:
            if future.status == "error":
                future.result()
            found.setdefault(next(iter(held.get(future.key, ())), ""), []).append(future)
        return sorted(found.items())

    def _look(self) -> None:
        """Checks that the client is open and time is left."""
        if self._client.status in ("closing", "closed"):
            raise StoppedError(CLOSED)
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise StoppedError(f"the time limit of {self._limit:g} s was reached before there was a result")

    @contextlib.contextmanager
    def _open(self) -> Iterator[None]:
        """Turns any error that occurs after the client was closed into an error that says so."""
        self._look()
        try:
            yield
        except Exception as error:
            if self._client.status in ("closing", "closed"):
                raise StoppedError(CLOSED) from error
            raise


def checked(client: Client) -> Client:
    """A client that can be waited for."""
    try:
        from distributed import Client as DaskClient
    except ImportError as error:
        raise ImportError(INSTALL, name="distributed") from error
    if not isinstance(client, DaskClient):
        raise refusal("client", client, "a client of dask.distributed, such as Client(),")
    if client.asynchronous:
        raise SettingsError("client is asynchronous; a synchronous one is needed, Client(asynchronous=False)")
    if client.status in ("closing", "closed"):
        raise StoppedError(CLOSED)
    return client


def still_wanted() -> Callable[..., None]:
    """A function for the work inside a task to call regularly: it raises once the task is no longer wanted."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def tell(*_: object) -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise StoppedError("this task is no longer needed")

    return tell


def _in_task(work: Callable[..., Any], version: str, call: tuple[Any, ...], *shared: Any) -> Any:
    """What a worker does."""
    if version != __version__:
        raise SettingsError(f"a worker of the cluster has ossature {__version__}; {version}, the version of the client, is needed")
    return work(*shared, *call)
