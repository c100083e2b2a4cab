"""Learners compared on held-out rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from . import _ossature
from .base import DagLearner, Learner
from .cluster import samples
from .cluster.work import Client
from .given import Kinds, name, refusal, seconds, whole
from .progress import Progress, telling, threads
from .table import Frame, as_data


@dataclass(frozen=True)
class HeldOut:
    """How well one learner predicts held-out rows; :func:`cross_validate` returns one for each learner.

    ``mean`` and ``sd`` are over the folds of ``by_fold``; higher is better.

    >>> import ossature
    >>> found = ossature.HeldOut("hc", mean=-2.0, sd=0.1, by_fold=(-1.9, -2.1))
    >>> found.mean
    -2.0
    """

    name: str
    mean: float
    sd: float
    by_fold: tuple[float, ...]


def cross_validate(
    X: Frame,
    learners: Learner | Sequence[Learner] | Mapping[str, Learner],
    *,
    folds: int = 10,
    target: str | None = None,
    missing: str = "error",
    kinds: Kinds | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    progress: Progress = False,
    client: Client | None = None,
) -> list[HeldOut]:
    """Compares learners on held-out rows: the mean log-likelihood of a row or, for a ``target``, minus its log loss.
    Higher is better.

    All learners get the same folds, which depend on the seed and on the set of rows, not on their order. With a
    ``client`` of ``dask.distributed`` each fold of each learner is a task on its cluster.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(500, seed=1)
    >>> found = ossature.cross_validate(rows, {"tests": ossature.H2PC(), "none": ossature.HC(max_parents=0)}, folds=5)
    >>> [one.name for one in found], found[0].mean > found[1].mean
    (['tests', 'none'], True)
    """
    if isinstance(learners, Learner):
        learners = [learners]
    if isinstance(learners, Mapping):
        called, given = [str(who) for who in learners], list(learners.values())
    else:
        given = list(learners)
        called = [repr(one) for one in given]
    if not given or not all(isinstance(one, DagLearner) for one in given):
        raise refusal("learners", learners, "a learner that finds directions, or a list or mapping of such,")
    data, asked = as_data(X, missing=missing, kinds=kinds), [one._asked() for one in given]
    number, variable = whole("folds", folds, least=2), None if target is None else name(target)
    with telling(progress) as tell:
        if client is not None:
            found = samples.cross_validate(
                client, data, asked, number, variable, whole("seed", seed), time_limit=seconds(time_limit), progress=tell
            )
            return [HeldOut(who, *one) for who, one in zip(called, found)]
        text = _ossature.cross_validate(
            data, asked, number, variable, whole("seed", seed),
            threads=threads(n_jobs), time_limit=seconds(time_limit), progress=tell,
        )
    return [
        HeldOut(who, one["mean"], one["sd"], tuple(one["by_fold"]))
        for who, one in zip(called, json.loads(text)["learners"])
    ]
