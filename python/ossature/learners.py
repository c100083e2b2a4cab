"""The six learners.

The constructor only stores its keywords, which are named like the options of the command and have the same
defaults; ``fit`` learns and returns the learner; what was learned is in attributes that end in ``_``.
"""

from __future__ import annotations

from typing import Any

from .base import DagLearner, Learner
from .progress import Progress


class H2PC(DagLearner):
    """H2PC: the skeleton by HPC, then the directions by tabu search inside it.

    The tests:

    - ``alpha``: their level of significance; dependent if p is at most this
    - ``test``: mi, mi-adf, x2, x2-adf, mi-sh, mc-mi or sp-mi
    - ``power_rule``: rows needed for each cell of a table (None: 5 for the -adf tests, else 0)
    - ``underpowered``: what a test without power means, independent or skip
    - ``max_conditioning``: the most variables to condition on
    - ``symmetry``: and, if both ends of an edge must find it, or or
    - ``weak_learner``: inside HPC, inter-iapc or fdr-iapc (None: the preset's, inter-iapc)

    The search:

    - ``score``: bdeu, bic, aic, loglik, k2, bds or bdj
    - ``iss``: the weight of the prior of bdeu and bds as a number of imaginary rows
    - ``tabu``: how many structures are remembered, and not visited again
    - ``patience``: so many changes without a new best score end the search
    - ``tie_orders``: so many searches with different orders among changes that gain the same; the best
      score wins (None: the preset's, 10)
    - ``start``: the graph to start from
    - ``restarts``: so many times, search again from the best structure after random changes
    - ``max_parents``: the most parents of a node

    What is known beforehand:

    - ``whitelist``, ``blacklist``: arcs that must and must not be there, as a list of pairs of names, as a directed
      graph or as a frame with the columns from and to
    - ``tiers``: a number for each variable, as a mapping, as a list of pairs or as a frame with the columns
      variable and tier; no arc runs from a higher number to a lower one

    How it is run:

    - ``preset``: paper, or bnlearn for what resembles that package
    - ``missing``: what becomes of missing values, error, drop or level
    - ``seed``: of everything random
    - ``n_jobs``: threads, as in scikit-learn (None is 1, -1 all cores); never changes a result
    - ``time_limit``: seconds after which the search ends with its best structure so far
    - ``progress``: True for a bar, or a function that is told the phase, how much of it is done and of how
      much (None where that is not known)

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> learner = ossature.H2PC().fit(rows)
    >>> learner.dag_
    <Dag: 8 nodes, 6 arcs>
    >>> learner.cpdag_.undirected
    [('asia', 'tub'), ('bronc', 'dysp'), ('bronc', 'smoke')]
    """

    _learner = "h2pc"

    def __init__(
        self,
        *,
        alpha: float = 0.05,
        test: str = "mi-adf",
        power_rule: int | None = None,
        underpowered: str = "independent",
        max_conditioning: int | None = None,
        symmetry: str = "and",
        weak_learner: str | None = None,
        score: str = "bdeu",
        iss: float = 10.0,
        tabu: int = 100,
        patience: int = 15,
        tie_orders: int | None = None,
        start: Any = None,
        restarts: int = 0,
        max_parents: int | None = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: str = "paper",
        missing: str = "error",
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self._store(locals())


class MMHC(DagLearner):
    """MMHC: the skeleton by MMPC, then the directions by tabu search inside it.

    The keywords are explained in :class:`H2PC`.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.MMHC().fit(rows).dag_.parents("either")
    ['lung', 'tub']
    """

    _learner = "mmhc"

    def __init__(
        self,
        *,
        alpha: float = 0.05,
        test: str = "mi-adf",
        power_rule: int | None = None,
        underpowered: str = "independent",
        max_conditioning: int | None = None,
        symmetry: str = "and",
        score: str = "bdeu",
        iss: float = 10.0,
        tabu: int = 100,
        patience: int = 15,
        tie_orders: int | None = None,
        start: Any = None,
        restarts: int = 0,
        max_parents: int | None = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: str = "paper",
        missing: str = "error",
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self._store(locals())


class HC(DagLearner):
    """Hill climbing without a skeleton, up to the first structure that no change improves.

    The keywords are explained in :class:`H2PC`.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> learner = ossature.HC(score="bic", max_parents=2).fit(rows)
    >>> round(learner.score_ - ossature.score(rows, learner.dag_, score="bic"), 9)
    0.0
    """

    _learner = "hc"

    def __init__(
        self,
        *,
        score: str = "bdeu",
        iss: float = 10.0,
        tie_orders: int | None = None,
        start: Any = None,
        restarts: int = 0,
        max_parents: int | None = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: str = "paper",
        missing: str = "error",
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self._store(locals())


class Tabu(DagLearner):
    """Tabu search without a skeleton.

    The keywords are explained in :class:`H2PC`.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.Tabu().fit(rows).score_ >= ossature.H2PC().fit(rows).score_
    True
    """

    _learner = "tabu"

    def __init__(
        self,
        *,
        score: str = "bdeu",
        iss: float = 10.0,
        tabu: int = 100,
        patience: int = 15,
        tie_orders: int | None = None,
        start: Any = None,
        restarts: int = 0,
        max_parents: int | None = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: str = "paper",
        missing: str = "error",
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self._store(locals())


class HPC(Learner):
    """HPC: the skeleton alone.

    The keywords are explained in :class:`H2PC`.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.HPC().fit(rows).skeleton_.neighbours("bronc")
    ['dysp', 'smoke']
    """

    _learner = "hpc"

    def __init__(
        self,
        *,
        alpha: float = 0.05,
        test: str = "mi-adf",
        power_rule: int | None = None,
        underpowered: str = "independent",
        max_conditioning: int | None = None,
        symmetry: str = "and",
        weak_learner: str | None = None,
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: str = "paper",
        missing: str = "error",
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self._store(locals())


class MMPC(Learner):
    """MMPC: the skeleton alone.

    The keywords are explained in :class:`H2PC`.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.MMPC(alpha=0.01).fit(rows).skeleton_
    <Skeleton: 8 nodes, 4 edges>
    """

    _learner = "mmpc"

    def __init__(
        self,
        *,
        alpha: float = 0.05,
        test: str = "mi-adf",
        power_rule: int | None = None,
        underpowered: str = "independent",
        max_conditioning: int | None = None,
        symmetry: str = "and",
        whitelist: Any = None,
        blacklist: Any = None,
        tiers: Any = None,
        preset: str = "paper",
        missing: str = "error",
        seed: int = 0,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: Progress = False,
    ) -> None:
        self._store(locals())
