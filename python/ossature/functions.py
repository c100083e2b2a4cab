"""Functions that learn, query and compare in one line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

from . import _ossature, show
from ._learners import BY_NAME, H2PC, CriterionWord, LevelsOfWord, TestWord
from .base import Learner
from .cluster import samples as by_sample, targets as by_target
from .cluster.work import Client
from .errors import DataWarning, SettingsError, warn
from .files import save
from .given import Kinds, Missing, name, names, refusal, says_what_is_renamed, seconds, whole, word
from .graph_like import GraphLike, parts_of
from .graphs import Dag, Skeleton
from .progress import Progress, telling, threads
from .report import ArcStrength, Tests, strengths_of
from .table import Frame, Table, as_data

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Neighbourhood:
    """The result for one variable; :func:`neighbours` returns it.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.neighbours(rows, "bronc")  # doctest: +ELLIPSIS
    Neighbourhood(target='bronc', parents_and_children=('dysp', 'smoke'), blanket=None, tests=...)
    """

    target: str
    parents_and_children: tuple[str, ...]
    blanket: tuple[str, ...] | None
    tests: Tests


@overload
def neighbours(
    X: Frame, target: str, *, blanket: bool = ..., learner: str = ..., missing: Missing = ..., kinds: Kinds | None = ...,
    n_jobs: int | None = ..., time_limit: float | None = ..., progress: Progress = ..., client: Client | None = ...,
    **settings: Any,
) -> Neighbourhood: ...


@overload
def neighbours(
    X: Frame, target: list[str] | tuple[str, ...], *, blanket: bool = ..., learner: str = ..., missing: Missing = ...,
    kinds: Kinds | None = ..., n_jobs: int | None = ..., time_limit: float | None = ..., progress: Progress = ...,
    client: Client | None = ..., **settings: Any,
) -> list[Neighbourhood]: ...


def neighbours(
    X: Frame,
    target: str | list[str] | tuple[str, ...],
    *,
    blanket: bool = False,
    learner: str = "hpc",
    missing: Missing = "error",
    kinds: Kinds | None = None,
    n_jobs: int | None = None,
    time_limit: float | None = None,
    progress: Progress = False,
    client: Client | None = None,
    **settings: Any,
) -> Neighbourhood | list[Neighbourhood]:
    """The parents and children of one variable, and with ``blanket`` its Markov blanket; for a list of variables, a list.

    Never builds the whole network, so it is fast on very wide tables. ``learner`` is hpc, mmpc or another that works
    variable by variable; the other keywords are those of its class, :class:`HPC` and so on. Several variables are
    divided among ``n_jobs`` threads, or with a ``client`` of ``dask.distributed`` among the workers of its cluster.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> found = ossature.neighbours(rows, "either", blanket=True)
    >>> found.parents_and_children, found.blanket
    (('lung', 'tub', 'xray'), ('lung', 'tub', 'xray'))
    >>> [one.parents_and_children for one in ossature.neighbours(rows, ["xray", "bronc"])]
    [('either',), ('dysp', 'smoke')]
    """
    if word("learner", learner) not in BY_NAME:
        raise SettingsError(f"there is no learner {learner!r}; {', '.join(BY_NAME)} are")
    asked = BY_NAME[learner](**settings)._asked()
    several = isinstance(target, Iterable) and not isinstance(target, (str, bytes))
    targets = names("target", target) if several else [name(target)]
    data = as_data(X, missing=missing, kinds=kinds)
    with telling(progress) as tell:
        if client is None:
            texts = _ossature.neighbours(
                data, targets, bool(blanket), asked,
                threads=threads(n_jobs), time_limit=seconds(time_limit), progress=tell,
            )
        else:
            texts = by_target.neighbours(
                client, data, targets, bool(blanket), asked, time_limit=seconds(time_limit), progress=tell
            )
    found = [_neighbourhood(json.loads(text)) for text in texts]
    return found if several else found[0]


def _neighbourhood(found: dict[str, Any]) -> Neighbourhood:
    spouses = found["blanket"]
    return Neighbourhood(
        found["target"],
        tuple(found["parents_and_children"]),
        None if spouses is None else tuple(spouses),
        Tests._of(found["tests"]),
    )


@dataclass(frozen=True)
class CiResult:
    """The outcome of an independence test; :func:`ci_test` returns it.

    ``ln_p`` is exact even where ``p`` underflows to 0. A test without power counts as independent.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> result = ossature.ci_test(rows, "smoke", "dysp")
    >>> round(result.statistic, 4), result.df, result.has_power
    (56.1267, 1.0, True)
    """

    statistic: float
    df: float
    p: float
    ln_p: float
    has_power: bool
    independent: bool


def ci_test(
    X: Frame,
    x: str,
    y: str,
    z: Sequence[str] = (),
    *,
    test: TestWord | None = None,
    alpha: float = 0.05,
    power_rule: int | None = None,
    missing: Missing = "error",
    kinds: Kinds | None = None,
    seed: int = 0,
) -> CiResult:
    """Tests whether ``x`` and ``y`` are independent given ``z``.

    The default ``test`` is mi-adf for discrete columns, zf for continuous ones and dg for both kinds.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.ci_test(rows, "smoke", "dysp").independent
    False
    >>> round(ossature.ci_test(rows, "smoke", "dysp", ["bronc", "lung"]).p, 4)
    0.554
    """
    return CiResult(
        *_ossature.ci_test(
            as_data(X, missing=missing, kinds=kinds),
            name(x),
            name(y),
            names("z", z),
            {"alpha": alpha, "power_rule": power_rule, "seed": seed, **({} if test is None else {"test": test})},
            threads=1,
        )
    )


@says_what_is_renamed
def score_by_node(
    X: Frame,
    graph: GraphLike,
    *,
    criterion: CriterionWord | None = None,
    iss: float | None = None,
    arc_price: float | None = None,
    levels_of: LevelsOfWord | None = None,
    missing: Missing = "error",
    kinds: Kinds | None = None,
    n_jobs: int | None = None,
) -> dict[str, float]:
    """The contribution of each node of a structure to its score; the keywords are those of
    :func:`score`.

    >>> import ossature
    >>> asia = ossature.load_network("asia")
    >>> values = ossature.score_by_node(asia.sample(1000, seed=1), asia)
    >>> round(values["smoke"], 2)
    -695.35
    """
    settings = {"criterion": criterion, "iss": iss, "arc_price": arc_price, "levels_of": levels_of}
    asked = {name: value for name, value in settings.items() if value is not None}
    values = _ossature.score_by_node(as_data(X, missing=missing, kinds=kinds), parts_of(graph), asked, threads=threads(n_jobs))
    return dict(values)


@says_what_is_renamed
def score(
    X: Frame,
    graph: GraphLike,
    *,
    criterion: CriterionWord | None = None,
    iss: float | None = None,
    arc_price: float | None = None,
    levels_of: LevelsOfWord | None = None,
    missing: Missing = "error",
    kinds: Kinds | None = None,
    n_jobs: int | None = None,
) -> float:
    """How well a structure explains the rows; higher is better.

    ``criterion`` is bdeu, bic, aic or another score; by default, bdeu for discrete columns, bic-g for continuous ones,
    bic-dg for both kinds, and pnal, pnal-g or pnal-cg if values are missing. ``iss`` is the weight of the prior of bdeu
    and bds, 10 by default; ``arc_price`` is the price of each arc, in units of the logarithm of the number of
    variables, and ``levels_of`` is "declared" or "data", the levels that count; bdh has its own price and uses those of
    the data. An equivalence class is scored by one of its DAGs, and columns that the graph does not have count as
    isolated nodes.

    >>> import ossature
    >>> asia = ossature.load_network("asia")
    >>> round(ossature.score(asia.sample(1000, seed=1), asia), 4)
    -2332.885
    """
    # On the library's grid the sum is exact, so its order does not matter.
    values = score_by_node(
        X, graph, criterion=criterion, iss=iss, arc_price=arc_price, levels_of=levels_of, missing=missing, kinds=kinds, n_jobs=n_jobs
    )
    return sum(values.values())


@dataclass(frozen=True)
class Bootstrap:
    """How sure the arcs are, and the averaged network; :func:`bootstrap` returns it.

    ``directed`` says whether the learner finds directions. If it does, ``dag`` is the averaged network; ``skeleton``
    always exists.

    >>> import ossature
    >>> sure = ossature.bootstrap(ossature.load_network("asia").sample(500, seed=1), 10)
    >>> sure.samples, sure.directed, sure.arcs[0].strength > sure.threshold
    (10, True, True)
    """

    arcs: list[ArcStrength]
    threshold: float
    samples: int
    graph: Dag | Skeleton
    report: dict[str, Any]

    __hash__ = None  # type: ignore[assignment]

    @property
    def directed(self) -> bool:
        """Whether the learner finds directions."""
        return isinstance(self.graph, Dag)

    @property
    def dag(self) -> Dag:
        """The averaged network."""
        if not isinstance(self.graph, Dag):
            raise AttributeError("this bootstrap is of a learner without directions; the edges are in skeleton")
        return self.graph

    @property
    def skeleton(self) -> Skeleton:
        """The edges of the averaged network, without their directions."""
        return self.graph.skeleton() if isinstance(self.graph, Dag) else self.graph

    def to_svg(self) -> str:
        """The averaged network, with line widths for the strengths of edges.

        >>> import ossature
        >>> sure = ossature.bootstrap(ossature.load_network("asia").sample(500, seed=1), 10)
        >>> "(strength 1.00)" in sure.to_svg()
        True
        """
        strengths = [(arc.start, arc.end, arc.strength) for arc in self.arcs]
        graph = self.graph.cpdag() if isinstance(self.graph, Dag) else self.graph
        return _ossature.to_svg(graph._parts(), strengths)

    def plot(self) -> str:
        """The strengths of all edges found, with the threshold, as an SVG picture.

        >>> import ossature
        >>> sure = ossature.bootstrap(ossature.load_network("asia").sample(500, seed=1), 10)
        >>> "threshold" in sure.plot()
        True
        """
        return _ossature.strength_plot([arc.strength for arc in self.arcs], self.threshold)

    def to_html(self, title: str | None = None) -> str:
        """The averaged network as an interactive page, with how sure each edge is."""
        graph = self.graph.cpdag() if isinstance(self.graph, Dag) else self.graph
        return _ossature.to_html(title or "Bootstrap", graph._parts(), report=json.dumps(self.report))

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the averaged network; the extension determines the format: ``.svg``, ``.html``, ``.json`` (the
        report), ``.dot``, ``.graphml`` or ``.csv``."""
        texts = {"svg": self.to_svg, "html": self.to_html, "json": lambda: json.dumps(self.report)}
        save(path, {**self.graph._texts(), **texts})

    def _repr_html_(self) -> str:
        """Notebook output: the averaged network and how sure it is."""
        return show.bootstrap(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame with the columns from, to, strength and direction, the surest arc first."""
        import pandas

        rows = [(arc.start, arc.end, arc.strength, arc.direction) for arc in self.arcs]
        return pandas.DataFrame(rows, columns=["from", "to", "strength", "direction"])


def bootstrap(
    X: Frame, samples: int = 200, *, learner: Learner | None = None, client: Client | None = None
) -> Bootstrap:
    """Learns from samples of the rows and averages, to find how sure each arc is.

    Each sample has as many rows as the table, drawn with replacement. ``learner`` is any learner with the settings to
    use, by default H2PC. With a ``client`` of ``dask.distributed`` each sample is a task on its cluster.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> sure = ossature.bootstrap(rows, 20, learner=ossature.H2PC(seed=7))
    >>> sure.arcs[0].strength, sure.dag.nodes[0]
    (1.0, 'asia')
    >>> ossature.bootstrap(rows, 20, learner=ossature.HPC()).skeleton.neighbours("xray")
    ['either']
    """
    learner = H2PC() if learner is None else learner
    if not isinstance(learner, Learner):
        raise refusal("learner", learner, "a learner, such as H2PC(),")
    data = as_data(X, missing=learner.missing, kinds=None if isinstance(X, Table) else learner.kinds)
    with telling(learner.progress) as tell:
        draw = _ossature.bootstrap if client is None else partial(by_sample.bootstrap, client)
        text = draw(
            data, learner._asked(), whole("samples", samples, least=1),
            threads=threads(learner.n_jobs), time_limit=seconds(learner.time_limit), progress=tell,
        )
    report = json.loads(text)
    for said in [*data.concerns(threads=threads(learner.n_jobs)), *report["concerns"]]:
        warn(said, DataWarning)
    sure, nodes = report["bootstrap"], data.names()
    arcs = strengths_of(sure["arcs"])
    graph = Skeleton(report["skeleton"], nodes=nodes) if report["arcs"] is None else Dag(report["arcs"], nodes=nodes)
    return Bootstrap(arcs, sure["threshold"], sure["samples"], graph, report)


def learners() -> list[dict[str, Any]]:
    """The available learners: ``name``, ``title``, ``citation``, ``restrict``, ``maximise`` (their halves, if they have
    any), ``result`` (dag, cpdag or skeleton) and ``settings``, by the names that reports use.

    >>> import ossature
    >>> [learner["name"] for learner in ossature.learners() if learner["restrict"] == "hpc"]
    ['h2pc', 'hpc']
    """
    found: list[dict[str, Any]] = json.loads(_ossature.learners())
    return found
