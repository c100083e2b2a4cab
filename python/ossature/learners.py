"""The learners, in scikit-learn's manner but without scikit-learn.

The constructor only stores its keywords, which are named like the options of the command and have the same
defaults; ``fit`` learns and returns the learner; what was learned is in attributes that end in ``_``.
"""

from __future__ import annotations

import inspect
import json
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from . import _ossature
from .errors import IncompleteWarning, OssatureError, SettingsError
from .graphs import Cpdag, Dag, Skeleton, pairs, tiers
from .networks import Network
from .progress import Progress, telling, threads
from .table import Frame, as_data

Self = TypeVar("Self", bound="Learner")

_NOT_SETTINGS = {"preset", "missing", "n_jobs", "time_limit", "progress"}


class NotFittedError(OssatureError, ValueError, AttributeError):
    """A learner was asked for what it has not learned yet.

    >>> import ossature
    >>> ossature.H2PC().fit_parameters({"a": ["x"]})
    Traceback (most recent call last):
    ossature.learners.NotFittedError: this H2PC has learned nothing yet; call fit first
    """


@dataclass(frozen=True)
class Tests:
    """The independence tests of a run.

    ``asked`` is part of the answer and the same everywhere; ``computed`` is how many tables were counted.

    >>> import ossature
    >>> ossature.HC().fit(ossature.load_network("asia").sample(100, seed=1)).tests_.asked
    0
    """

    __test__ = False

    asked: int
    computed: int
    without_power: int
    by_order: tuple[int, ...]

    @classmethod
    def _of(cls, report: dict[str, Any]) -> Tests:
        return cls(report["asked"], report["computed"], report["without_power"], tuple(report["by_order"]))


class Learner:
    """What all learners have in common.

    >>> import ossature
    >>> learner = ossature.H2PC(alpha=0.01)
    >>> learner.set_params(score="bic")
    H2PC(alpha=0.01, score='bic')
    >>> learner.get_params()["alpha"]
    0.01
    """

    _learner: ClassVar[str]

    preset: str
    missing: str
    n_jobs: int | None
    time_limit: float | None
    progress: Progress

    feature_names_in_: npt.NDArray[np.object_]
    n_features_in_: int
    skeleton_: Skeleton
    adjacency_matrix_: npt.NDArray[np.int8]
    tests_: Tests
    complete_: bool
    report_: dict[str, Any]

    def fit(self: Self, X: Frame, y: object = None) -> Self:
        """Learns from a table; ``y`` is not looked at.

        Sets ``dag_``, ``cpdag_`` and ``score_`` (learners that find directions), ``skeleton_``,
        ``adjacency_matrix_`` (in the order of ``feature_names_in_``), ``tests_``, ``complete_`` (whether
        no time limit cut the search short) and ``report_``, everything that the command reports.
        """
        data = as_data(X, missing=self.missing)
        with telling(self.progress) as tell:
            text = _ossature.learn(
                data,
                self._learner,
                self.preset,
                self._settings(),
                threads=threads(self.n_jobs),
                time_limit=self.time_limit,
                progress=tell,
            )
        self._take(json.loads(text), data.names())
        if not self.complete_:
            said = "the time limit was reached in the search; the best structure so far is the result"
            warnings.warn(said, IncompleteWarning, stacklevel=2)
        return self

    def _take(self, report: dict[str, Any], names: list[str]) -> None:
        self.report_ = report
        self.feature_names_in_ = np.array(names, dtype=object)
        self.n_features_in_ = len(names)
        self.tests_ = Tests._of(report["tests"])
        self.complete_ = report["complete"]
        if report["skeleton"] is not None:
            self.skeleton_ = Skeleton(report["skeleton"], nodes=names)
            self.adjacency_matrix_ = self.skeleton_.to_numpy()

    def _settings(self) -> dict[str, Any]:
        """The settings for the library; what is None is left to it."""
        settings = {name: value for name, value in self.get_params().items() if name not in _NOT_SETTINGS}
        if isinstance(settings.get("start"), Cpdag):
            settings["start"] = settings["start"].dag()
        for name in ("whitelist", "blacklist", "start"):
            if settings.get(name) is not None:
                settings[name] = pairs(settings[name])
        if settings.get("tiers") is not None:
            settings["tiers"] = tiers(settings["tiers"])
        return settings

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        parameters = inspect.signature(cls.__init__).parameters.values()
        return {p.name: p.default for p in parameters if p.name != "self"}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The keywords of the constructor and their values; ``deep`` makes no difference."""
        return {name: getattr(self, name) for name in self._defaults()}

    def set_params(self: Self, **params: Any) -> Self:
        """Sets keywords of the constructor."""
        known = self._defaults()
        for name, value in params.items():
            if name not in known:
                raise SettingsError(
                    f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {sorted(known)}."
                )
            setattr(self, name, value)
        return self

    def _store(self, given: dict[str, Any]) -> None:
        for name in self._defaults():
            setattr(self, name, given[name])

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "report_")

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn wants to know; only scikit-learn asks."""
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            input_tags=InputTags(categorical=True, string=True, allow_nan=self.missing != "error"),
        )

    def __repr__(self) -> str:
        defaults = self._defaults()
        changed = [
            f"{name}={value!r}" for name, value in self.get_params().items() if repr(value) != repr(defaults[name])
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


class DagLearner(Learner):
    """A learner that finds directions.

    >>> import ossature
    >>> issubclass(ossature.HC, ossature.learners.DagLearner)
    True
    """

    score: str
    iss: float

    dag_: Dag
    cpdag_: Cpdag
    score_: float

    def _take(self, report: dict[str, Any], names: list[str]) -> None:
        super()._take(report, names)
        self.dag_ = Dag(report["arcs"], nodes=names)
        self.cpdag_ = Cpdag(report["cpdag"]["directed"], report["cpdag"]["undirected"], nodes=names)
        self.score_ = report["score"]["total"]
        self.adjacency_matrix_ = self.dag_.to_numpy()
        if report["skeleton"] is None:
            self.skeleton_ = self.dag_.skeleton()

    def fit_parameters(self, X: Frame, *, prior: str = "bdeu") -> Network:
        """The learned structure with tables estimated from rows.

        ``prior="bdeu"`` has the weight ``iss`` of this learner; ``prior="mle"`` is maximum likelihood.

        >>> import ossature
        >>> rows = ossature.load_network("asia").sample(1000, seed=1)
        >>> ossature.H2PC().fit(rows).fit_parameters(rows)
        <Network: 8 nodes, 6 arcs, 15 parameters>
        """
        if not hasattr(self, "dag_"):
            raise NotFittedError(f"this {type(self).__name__} has learned nothing yet; call fit first")
        if prior not in ("bdeu", "mle"):
            raise SettingsError(f"there is no prior {prior!r}; bdeu and mle are")
        iss = self.iss if prior == "bdeu" else None
        return Network.fit(X, self.dag_, iss=iss, missing=self.missing, n_jobs=self.n_jobs)


class H2PC(DagLearner):
    """H2PC: the skeleton by HPC, then the directions by tabu search inside it.

    The tests: ``alpha`` is their level of significance; ``test`` is one of mi, mi-adf, x2, x2-adf, mi-sh,
    mc-mi, sp-mi; ``power_rule`` the rows needed for each cell of a table (None: 5 for the -adf tests, else
    0); ``underpowered`` says what a test without power means, independent or skip; ``max_conditioning`` the
    most variables to condition on; ``symmetry`` whether both ends must find an edge, and or or.
    ``weak_learner`` is inter-iapc or fdr-iapc (None: the preset's, inter-iapc).

    The search: ``score`` is one of bdeu, bic, aic, loglik, k2, bds, bdj, and ``iss`` the weight of the prior
    of bdeu and bds in imaginary rows; ``tie_orders`` is the number of searches with different orders among
    changes that gain the same (None: the preset's, 10); ``start`` the graph to start from; ``restarts`` how
    often to search again from the best structure after random changes; ``max_parents`` the most parents.
    ``tabu`` is how many structures are remembered, ``patience`` how many changes without a new best score
    end the search.

    What is known: arcs in ``whitelist`` are there and arcs in ``blacklist`` are not, as pairs or a frame with
    the columns from and to; ``tiers`` maps variables to numbers, and no arc runs to a lower one.

    ``preset`` is paper or bnlearn; ``missing`` is error, drop or level; ``seed`` is that of everything random;
    ``n_jobs`` the number of threads as in scikit-learn (None is 1, -1 all cores), which never changes a
    result; ``time_limit`` in seconds ends the search with its best structure so far; ``progress`` is True
    for a bar, or a function that is told the phase, how much is done and of how much.

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

    The tests: ``alpha`` is their level of significance; ``test`` is one of mi, mi-adf, x2, x2-adf, mi-sh,
    mc-mi, sp-mi; ``power_rule`` the rows needed for each cell of a table (None: 5 for the -adf tests, else
    0); ``underpowered`` says what a test without power means, independent or skip; ``max_conditioning`` the
    most variables to condition on; ``symmetry`` whether both ends must find an edge, and or or.

    The search: ``score`` is one of bdeu, bic, aic, loglik, k2, bds, bdj, and ``iss`` the weight of the prior
    of bdeu and bds in imaginary rows; ``tie_orders`` is the number of searches with different orders among
    changes that gain the same (None: the preset's, 10); ``start`` the graph to start from; ``restarts`` how
    often to search again from the best structure after random changes; ``max_parents`` the most parents.
    ``tabu`` is how many structures are remembered, ``patience`` how many changes without a new best score
    end the search.

    What is known: arcs in ``whitelist`` are there and arcs in ``blacklist`` are not, as pairs or a frame with
    the columns from and to; ``tiers`` maps variables to numbers, and no arc runs to a lower one.

    ``preset`` is paper or bnlearn; ``missing`` is error, drop or level; ``seed`` is that of everything random;
    ``n_jobs`` the number of threads as in scikit-learn (None is 1, -1 all cores), which never changes a
    result; ``time_limit`` in seconds ends the search with its best structure so far; ``progress`` is True
    for a bar, or a function that is told the phase, how much is done and of how much.

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

    The search: ``score`` is one of bdeu, bic, aic, loglik, k2, bds, bdj, and ``iss`` the weight of the prior
    of bdeu and bds in imaginary rows; ``tie_orders`` is the number of searches with different orders among
    changes that gain the same (None: the preset's, 10); ``start`` the graph to start from; ``restarts`` how
    often to search again from the best structure after random changes; ``max_parents`` the most parents.

    What is known: arcs in ``whitelist`` are there and arcs in ``blacklist`` are not, as pairs or a frame with
    the columns from and to; ``tiers`` maps variables to numbers, and no arc runs to a lower one.

    ``preset`` is paper or bnlearn; ``missing`` is error, drop or level; ``seed`` is that of everything random;
    ``n_jobs`` the number of threads as in scikit-learn (None is 1, -1 all cores), which never changes a
    result; ``time_limit`` in seconds ends the search with its best structure so far; ``progress`` is True
    for a bar, or a function that is told the phase, how much is done and of how much.

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

    The search: ``score`` is one of bdeu, bic, aic, loglik, k2, bds, bdj, and ``iss`` the weight of the prior
    of bdeu and bds in imaginary rows; ``tie_orders`` is the number of searches with different orders among
    changes that gain the same (None: the preset's, 10); ``start`` the graph to start from; ``restarts`` how
    often to search again from the best structure after random changes; ``max_parents`` the most parents.
    ``tabu`` is how many structures are remembered, ``patience`` how many changes without a new best score
    end the search.

    What is known: arcs in ``whitelist`` are there and arcs in ``blacklist`` are not, as pairs or a frame with
    the columns from and to; ``tiers`` maps variables to numbers, and no arc runs to a lower one.

    ``preset`` is paper or bnlearn; ``missing`` is error, drop or level; ``seed`` is that of everything random;
    ``n_jobs`` the number of threads as in scikit-learn (None is 1, -1 all cores), which never changes a
    result; ``time_limit`` in seconds ends the search with its best structure so far; ``progress`` is True
    for a bar, or a function that is told the phase, how much is done and of how much.

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

    The tests: ``alpha`` is their level of significance; ``test`` is one of mi, mi-adf, x2, x2-adf, mi-sh,
    mc-mi, sp-mi; ``power_rule`` the rows needed for each cell of a table (None: 5 for the -adf tests, else
    0); ``underpowered`` says what a test without power means, independent or skip; ``max_conditioning`` the
    most variables to condition on; ``symmetry`` whether both ends must find an edge, and or or.
    ``weak_learner`` is inter-iapc or fdr-iapc (None: the preset's, inter-iapc).

    What is known: arcs in ``whitelist`` are there and arcs in ``blacklist`` are not, as pairs or a frame with
    the columns from and to; ``tiers`` maps variables to numbers, and no arc runs to a lower one.

    ``preset`` is paper or bnlearn; ``missing`` is error, drop or level; ``seed`` is that of everything random;
    ``n_jobs`` the number of threads as in scikit-learn (None is 1, -1 all cores), which never changes a
    result; ``time_limit`` in seconds ends the search with its best structure so far; ``progress`` is True
    for a bar, or a function that is told the phase, how much is done and of how much.

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

    The tests: ``alpha`` is their level of significance; ``test`` is one of mi, mi-adf, x2, x2-adf, mi-sh,
    mc-mi, sp-mi; ``power_rule`` the rows needed for each cell of a table (None: 5 for the -adf tests, else
    0); ``underpowered`` says what a test without power means, independent or skip; ``max_conditioning`` the
    most variables to condition on; ``symmetry`` whether both ends must find an edge, and or or.

    What is known: arcs in ``whitelist`` are there and arcs in ``blacklist`` are not, as pairs or a frame with
    the columns from and to; ``tiers`` maps variables to numbers, and no arc runs to a lower one.

    ``preset`` is paper or bnlearn; ``missing`` is error, drop or level; ``seed`` is that of everything random;
    ``n_jobs`` the number of threads as in scikit-learn (None is 1, -1 all cores), which never changes a
    result; ``time_limit`` in seconds ends the search with its best structure so far; ``progress`` is True
    for a bar, or a function that is told the phase, how much is done and of how much.

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
