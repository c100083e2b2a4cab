"""What the learners have in common: the manners of scikit-learn, without scikit-learn."""

from __future__ import annotations

import inspect
import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from . import _ossature
from .errors import IncompleteWarning, NotFittedError, SettingsError
from .given import seconds, word
from .graphs import Cpdag, Dag, Skeleton, pairs, tiers
from .networks import Network
from .progress import Progress, telling, threads
from .table import Frame, as_data

Self = TypeVar("Self", bound="Learner")

_NOT_SETTINGS = {"preset", "missing", "n_jobs", "time_limit", "progress"}


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

        Sets ``dag_``, ``cpdag_`` and ``score_`` (learners that find directions), ``skeleton_`` (to which the
        search was restricted; that of the DAG where it was free), ``adjacency_matrix_`` (in the order of
        ``feature_names_in_``), ``tests_``, ``complete_`` (whether no time limit cut the search short) and
        ``report_``, everything that the command reports.
        """
        data = as_data(X, missing=self.missing)
        with telling(self.progress) as tell:
            text = _ossature.learn(
                data,
                self._learner,
                word("preset", self.preset),
                self._settings(),
                threads=threads(self.n_jobs),
                time_limit=seconds(self.time_limit),
                progress=tell,
            )
        self._take(json.loads(text), data.names())
        if not self.complete_:
            _warn("the time limit was reached in the search; the best structure so far is the result")
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
        # The keywords of the learner of this package, whatever a class that is derived from it adds.
        own = next(kind for kind in type(self).__mro__ if issubclass(kind, Learner) and "_learner" in vars(kind))
        settings = {name: getattr(self, name) for name in own._defaults() if name not in _NOT_SETTINGS}
        if isinstance(settings.get("start"), Cpdag):
            settings["start"] = settings["start"].dag()
        for name, convert in (("whitelist", pairs), ("blacklist", pairs), ("start", pairs), ("tiers", tiers)):
            value = settings.get(name)
            if isinstance(value, Iterator):
                raise SettingsError(f"{name} is an iterator, empty after the first run; a list is needed")
            if value is not None:
                settings[name] = convert(value)
        return settings

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        """The keywords of the constructor; also those of the next one, where it passes any on."""
        found: dict[str, Any] = {}
        for kind in cls.__mro__:
            if "__init__" not in vars(kind) or kind is object:
                continue
            _, *parameters = inspect.signature(vars(kind)["__init__"]).parameters.values()
            for p in parameters:
                if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                    found.setdefault(p.name, p.default)
            if not any(p.kind == p.VAR_KEYWORD for p in parameters):
                break
        return found

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
        for name, value in given.items():
            if name != "self":
                setattr(self, name, value)

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


def _warn(said: str) -> None:
    """Warns at the line that called the package: a warning is shown once for each line."""
    frame, level = inspect.currentframe(), 1
    while frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(said, IncompleteWarning, stacklevel=level)


class DagLearner(Learner):
    """A learner that finds directions.

    >>> import ossature
    >>> hasattr(ossature.HC, "fit_parameters"), hasattr(ossature.HPC, "fit_parameters")
    (True, False)
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
        if word("prior", prior) not in ("bdeu", "mle"):
            raise SettingsError(f"there is no prior {prior!r}; bdeu and mle are")
        iss = self.iss if prior == "bdeu" else None
        return Network.fit(X, self.dag_, iss=iss, missing=self.missing, n_jobs=self.n_jobs)
