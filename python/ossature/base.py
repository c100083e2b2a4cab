"""The base of the learners: scikit-learn's conventions, without scikit-learn."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from . import _ossature, show
from .asking import rows_for
from .cluster import rows as rows_elsewhere, targets
from .cluster.work import Client
from .errors import DataError, DataWarning, IncompleteWarning, NotFittedError, SettingsError, warn
from .files import save
from .given import KINDS, RENAMED, Kinds, Missing, number, refuse_renamed, seconds, word
from .graph import Graph
from .graph_like import edges, pairs, tiers
from .graphs import Cpdag, Dag, Skeleton
from .matrix import Matrix
from .networks import Network
from .progress import Progress, telling, threads
from .report import ArcStrength, Tests, graphs_of, strengths_of
from .table import Frame, Table, as_data
from .why import Why, why_of

Self = TypeVar("Self", bound="Learner")

Asked = tuple["str | None", "str | None", "str | None", str, dict[str, Any]]
"""The learner by name or its two halves, the preset, and the settings by keyword."""

_CONVERT = {"pairs": pairs, "tiers": tiers}
_FOUND = ("dag_", "cpdag_", "skeleton_", "adjacency_matrix_", "score_", "strengths_")


class Learner:
    """The base class of all learners.

    >>> import ossature
    >>> learner = ossature.H2PC(alpha=0.01)
    >>> learner.set_params(criterion="bic")
    H2PC(alpha=0.01, criterion='bic')
    >>> learner.get_params()["alpha"]
    0.01
    """

    _learner: ClassVar[str | None]

    preset: Any
    missing: Missing
    kinds: Kinds | None
    n_jobs: int | None
    time_limit: float | None
    progress: Progress

    feature_names_in_: npt.NDArray[np.object_]
    n_features_in_: int
    skeleton_: Skeleton
    adjacency_matrix_: Matrix
    tests_: Tests
    complete_: bool
    report_: dict[str, Any]

    if not TYPE_CHECKING:

        def __new__(cls, *args: Any, **given: Any) -> Any:
            refuse_renamed(cls.__name__, given)
            return super().__new__(cls)

    def fit(self: Self, X: Frame, y: object = None, *, client: Client | None = None) -> Self:
        """Learns from a table; ``y`` is ignored.

        With a ``client`` of ``dask.distributed`` its cluster finds the skeleton, for learners that work variable by
        variable such as :class:`H2PC`, :class:`MMHC`, :class:`HPC`, :class:`MMPC` and :class:`PC`. The result is the
        same; ``n_jobs`` then only applies to the search, which runs locally. If the rows are a Dask DataFrame or a list
        of files they stay where they are, and the workers count them.

        Sets ``dag_`` (for a learner of equivalence classes one of the DAGs of the class, if it has any) and ``cpdag_``
        (learners that find directions), ``score_`` (learners that maximise one), ``strengths_`` (how sure each arc is,
        for learners that know: :class:`Best` and :class:`BestQuick`), ``skeleton_`` (the one that restricted the
        search; that of the graph if the search was free), ``adjacency_matrix_`` (in the order of ``feature_names_in_``,
        and with these names), ``tests_``, ``complete_`` (whether no time limit cut the search short) and ``report_``,
        everything that the command reports.
        """
        for kept in ("_rows", "_network"):
            vars(self).pop(kept, None)
        if client is not None and rows_elsewhere.are_elsewhere(X):
            return self._fit_elsewhere(X, client)
        data = as_data(X, missing=self.missing, kinds=None if isinstance(X, Table) else self.kinds)
        with telling(self.progress) as tell:
            learn = _ossature.learn if client is None else partial(targets.learn, client)
            text = learn(
                data,
                self._asked(),
                threads=threads(self.n_jobs),
                time_limit=seconds(self.time_limit),
                progress=tell,
            )
        self._take(json.loads(text), data.names())
        self._keep(data)
        return self._said(data.concerns(threads=threads(self.n_jobs)))

    def _fit_elsewhere(self: Self, X: Frame, client: Client) -> Self:
        """Learns from rows on other machines."""
        with telling(self.progress) as tell:
            report, names = rows_elsewhere.learn(
                client, X, self._asked(), missing=self.missing, kinds=self.kinds,
                time_limit=seconds(self.time_limit), progress=tell,
            )
        self._take(report, names)
        return self._said([])

    def _said(self: Self, concerns: list[str]) -> Self:
        """Warns of problems to know about before trusting the result."""
        for said in [*concerns, *self.report_["concerns"]]:
            warn(said, DataWarning)
        if not self.complete_:
            warn("the time limit was reached in the search; the best structure so far is the result", IncompleteWarning)
        return self

    def _keep(self, data: _ossature.Data) -> None:
        """Keeps the rows, if they will be needed."""

    def why(self, x: str, y: str, X: Frame = None) -> Why:
        """Why two variables are adjacent in the result, or not.

        The answer comes from ``report_``; with ``X``, the rows that were learned from, it has more: unconditional
        separations, and the gain of an arc that is absent.

        >>> import ossature
        >>> rows = ossature.load_network("asia").sample(2000, seed=1)
        >>> learner = ossature.H2PC().fit(rows)
        >>> why = learner.why("either", "xray")
        >>> why.direction, why.orientation, round(why.strength, 2)
        ('either -> xray', 'others', 283.47)
        >>> print(learner.why("smoke", "dysp"))
        smoke and dysp are not adjacent.
        They are independent given bronc, either: statistic 3.82, 4 degrees of freedom, p = 0.4316.
        """
        report = self._learned("report_")
        only = None if X is None else report["nodes"]
        data = None if X is None else as_data(X, missing=self.missing, only=only, kinds=None if isinstance(X, Table) else self.kinds)
        return why_of(report, x, y, data, threads(self.n_jobs))

    def _graph(self) -> Graph:
        """The graph to draw: the equivalence class, or the skeleton."""
        drawn: Graph = vars(self).get("cpdag_", self._learned("skeleton_"))
        return drawn

    def to_html(self, title: str | None = None) -> str:
        """The result as an interactive page: the drawing, the evidence for each edge, and what-if.

        One self-contained HTML document.

        >>> import ossature
        >>> learner = ossature.H2PC().fit(ossature.load_network("asia").sample(1000, seed=1))
        >>> learner.to_html().startswith("<!doctype html>")
        True
        """
        report = json.dumps(self._learned("report_"))
        return _ossature.to_html(title or type(self).__name__, self._graph()._parts(), report=report)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the result; the extension determines the format: ``.html``, ``.svg``, ``.json`` (the report),
        ``.dot``, ``.graphml`` or ``.csv``; ``.bif`` for learners that find directions.

        >>> import ossature, pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "asia.html"
        >>> ossature.H2PC().fit(ossature.load_network("asia").sample(1000, seed=1)).save(path)
        >>> path.read_text(encoding="utf-8").startswith("<!doctype html>")
        True
        """
        graph = vars(self).get("dag_", self._learned("skeleton_"))
        texts = {
            "html": self.to_html, "svg": self._graph().to_svg, "json": lambda: json.dumps(self.report_),
            "dot": graph.to_dot, "graphml": graph.to_graphml, "csv": graph.to_csv,
        }
        save(path, {**texts, **self._more_texts()})

    def _more_texts(self) -> dict[str, Any]:
        """Additional formats, by extension."""
        return {}

    def _repr_html_(self) -> str:
        """Notebook output: the result, or the settings."""
        return show.learner(self)

    def _take(self, report: dict[str, Any], names: list[str]) -> None:
        for attribute in _FOUND:
            vars(self).pop(attribute, None)
        self.report_ = report
        self.feature_names_in_ = np.array(names, dtype=object)
        self.n_features_in_ = len(names)
        self.tests_ = Tests._of(report["tests"])
        self.complete_ = report["complete"]
        found = graphs_of(report, names)
        skeleton = found.get("skeleton")
        graph = found[report["result"]] if report["result"] in found else found["skeleton"]
        vars(self).update({f"{kind}_": graph for kind, graph in found.items() if kind != "pdag"})
        self.skeleton_ = graph.skeleton() if skeleton is None else skeleton
        self.adjacency_matrix_ = graph.to_matrix()
        if report["score"] is not None:
            vars(self)["score_"] = report["score"]["total"]
        if report["strengths"] is not None:
            vars(self)["strengths_"] = strengths_of(report["strengths"])

    def _learned(self, attribute: str) -> Any:
        if not hasattr(self, "report_"):
            raise NotFittedError(f"this {type(self).__name__} has learned nothing yet; call fit first")
        if not hasattr(self, attribute):
            raise DataError(f"what this {type(self).__name__} has learned has no DAG; its edges contradict each other")
        return getattr(self, attribute)

    def _asked(self) -> Asked:
        """The request to the library."""
        return self._learner, None, None, word("preset", self.preset), self._given()

    def _given(self) -> dict[str, Any]:
        """The settings that differ from their defaults; the others are left to the library."""
        # The keywords of the learner of this package, whatever a class that is derived from it adds.
        own = next(kind for kind in type(self).__mro__ if issubclass(kind, Learner) and "_learner" in vars(kind))
        given = {}
        for name, default in own._defaults().items():
            value = getattr(self, name)
            if name not in KINDS or _same(value, default):
                continue
            given[name] = _converted(name, value)
        return given

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        """The keywords of the constructor, and those of the next one if it passes any on."""
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
                hint = f" {name!r} is called {RENAMED[name]!r}." if name in RENAMED else ""
                raise SettingsError(
                    f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {sorted(known)}.{hint}"
                )
            setattr(self, name, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "report_")

    def __sklearn_tags__(self) -> Any:
        """The tags that scikit-learn asks for."""
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


def _same(value: object, default: object) -> bool:
    """Whether a keyword still has its default, as far as that can be determined."""
    plain = isinstance(value, (str, int, float, np.number)) and not isinstance(value, bool)
    return value is default or (plain and default is not None and bool(value == default))


def _converted(setting: str, value: Any) -> Any:
    """A setting in the form that the library takes."""
    if setting == "start" and isinstance(value, Cpdag):
        value = value.dag()
    convert = _CONVERT.get(KINDS[setting])
    return value if convert is None or value is None else convert(_lasting(setting, value))


def _lasting(setting: str, value: Any) -> Any:
    if isinstance(value, Iterator):
        raise SettingsError(f"{setting} is an iterator, empty after the first run; a list is needed")
    return value


class DagLearner(Learner):
    """A learner that finds directions.

    >>> import ossature
    >>> hasattr(ossature.HC, "fit_parameters"), hasattr(ossature.HPC, "fit_parameters")
    (True, False)
    """

    dag_: Dag
    cpdag_: Cpdag
    score_: float
    strengths_: list[ArcStrength]

    def _keep(self, data: _ossature.Data) -> None:
        self._rows = Table._of(data)

    @property
    def network_(self) -> Network:
        """The learned structure with tables fitted to the same rows: BDeu, with the weight ``iss`` of this learner, or
        the prior ``backoff`` for structures chosen by the score ``bdh``, as with :class:`Best`.

        Made on first use, from the coded rows, which are kept until then.

        >>> import ossature
        >>> learner = ossature.H2PC().fit(ossature.load_network("asia").sample(1000, seed=1))
        >>> round(learner.network_.query("lung", given={"xray": "yes"})["lung"]["yes"], 3)
        0.458
        """
        dag = self._learned("dag_")
        if not self._has_tables():
            raise NotFittedError("the rows stayed on the workers; fit_parameters(rows) estimates tables from local rows")
        if "_network" not in vars(self):
            self._network = self._fitted(self._rows, dag, self._prior(), self._weight())
            del self._rows
        return self._network

    def to_html(self, title: str | None = None) -> str:
        """The result as an interactive page: the drawing, the evidence for each edge, and what-if.

        One self-contained HTML document. The tables are those of ``network_``.

        >>> import ossature
        >>> learner = ossature.H2PC().fit(ossature.load_network("asia").sample(1000, seed=1))
        >>> learner.to_html().startswith("<!doctype html>")
        True
        """
        report = json.dumps(self._learned("report_"))
        network = self.network_._network if "dag_" in vars(self) and self._has_tables() else None
        title = title or type(self).__name__
        return _ossature.to_html(title, self._graph()._parts(), network=network, report=report)

    def _has_tables(self) -> bool:
        """Whether there are tables, or rows to estimate them from."""
        return "_network" in vars(self) or "_rows" in vars(self)

    def _more_texts(self) -> dict[str, Any]:
        return {"bif": lambda: self.network_.to_bif()}

    def score(self, X: Frame, y: object = None) -> float:
        """The mean natural log-probability of rows under ``network_``; ``y`` is ignored.

        Higher is better, so that scikit-learn's tools choose what predicts held-out rows best. Levels that the
        training rows did not have are an error; this cannot happen with categoricals, whose levels are declared.

        >>> import ossature
        >>> asia = ossature.load_network("asia")
        >>> learner = ossature.H2PC().fit(asia.sample(1000, seed=1))
        >>> -2.4 < learner.score(asia.sample(1000, seed=2)) < -2.2
        True
        """
        network, wide = self.network_, self.n_features_in_
        summed = self.missing in ("available", "em")
        rows = Table._of(rows_for(network._network, X, "level" if summed else self.missing))
        if len(rows.columns) < wide:
            # The words in which scikit-learn says this.
            has = f"X has {len(rows.columns)} features, but {type(self).__name__} is expecting {wide} features as input"
            lacking = next(column for column in network.nodes if column not in rows.columns)
            raise DataError(f"{has}; there is no column {lacking!r}")
        missing = "sum" if summed else self.missing
        return float(network.log_likelihood(X if summed else rows, missing=missing, n_jobs=self.n_jobs).mean())

    def _weight(self) -> float:
        return number("iss", getattr(self, "iss", 10.0))

    def _prior(self) -> str:
        score = self.report_["score"]
        return "backoff" if score is not None and score["name"] == "bdh" else "bdeu"

    def _fitted(self, X: Frame, dag: Dag, prior: str, weight: float) -> Network:
        iss = weight if prior == "bdeu" else None
        kind = "bdeu" if prior == "mle" else prior
        kinds = None if isinstance(X, Table) else self.kinds
        return Network.fit(X, dag, iss=iss, prior=kind, missing=self.missing, kinds=kinds, n_jobs=self.n_jobs)

    def __getstate__(self) -> dict[str, Any]:
        # The tables are smaller than the rows.
        if "_rows" in vars(self) and "dag_" in vars(self):
            self.network_  # noqa: B018
        return vars(self).copy()

    def fit_parameters(self, X: Frame, *, prior: str | None = None, iss: float | None = None) -> Network:
        """The learned structure with tables estimated from rows.

        ``prior="bdeu"`` has the weight ``iss``, by default that of this learner; with ``prior="backoff"`` tables
        shrink towards those of fewer parents; ``prior="mle"`` is maximum likelihood. The default is ``backoff`` for
        structures chosen by the score ``bdh``, as with :class:`Best`, and otherwise ``bdeu``.

        >>> import ossature
        >>> rows = ossature.load_network("asia").sample(1000, seed=1)
        >>> ossature.H2PC().fit(rows).fit_parameters(rows)
        <Network: 8 nodes, 6 arcs, 15 parameters>
        """
        dag = self._learned("dag_")
        if prior is None:
            prior = self._prior() if iss is None else "bdeu"
        if word("prior", prior) not in ("bdeu", "backoff", "mle"):
            raise SettingsError(f"unknown prior {prior!r}; use bdeu, backoff or mle")
        if prior != "bdeu" and iss is not None:
            raise SettingsError(f"iss is not used with the prior {prior}; bdeu has it")
        weight = self._weight() if iss is None else number("iss", iss)
        return self._fitted(X, dag, prior, weight)


class Halves(DagLearner):
    """A learner of two halves chosen by name, or of a skeleton and a second half, such as :class:`Hybrid`.

    >>> import ossature
    >>> issubclass(ossature.Hybrid, ossature.base.Halves)
    True
    """

    restrict: Any
    maximise: str | None

    def _asked(self) -> Asked:
        second = "none" if self.maximise is None else word("maximise", self.maximise)
        preset, given = word("preset", self.preset), self._given()
        if self.restrict is None:
            return None, "none", second, preset, given
        if isinstance(self.restrict, str):
            if self.restrict == "given":
                raise SettingsError("restrict is 'given'; the skeleton itself is needed, a graph or a list of edges")
            return None, word("restrict", self.restrict), second, preset, given
        given["skeleton"] = edges(_lasting("restrict", self.restrict))
        return None, "given", second, preset, given
