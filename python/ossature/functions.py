"""One line each: learn, ask, compare."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _ossature
from .base import DagLearner, Tests
from .errors import SettingsError
from .given import name, names, number, seconds, whole, word
from .graphs import Dag, GraphLike, Pair, Skeleton, parts_of
from .learners import HC, H2PC, HPC, MMHC, MMPC, Tabu
from .progress import Progress, telling, threads
from .table import Frame, as_data

if TYPE_CHECKING:
    import pandas


def h2pc(X: Frame, **settings: Any) -> Dag:
    """Learns a DAG by H2PC; the keywords are those of :class:`H2PC`.

    >>> import ossature
    >>> print(ossature.h2pc(ossature.load_network("asia").sample(1000, seed=1)))
    Dag of 8 nodes, 6 arcs
      bronc -> smoke
      dysp -> bronc
      either -> xray
      lung -> either
      tub -> asia
      tub -> either
    """
    return H2PC(**settings).fit(X).dag_


def mmhc(X: Frame, **settings: Any) -> Dag:
    """Learns a DAG by MMHC; the keywords are those of :class:`MMHC`.

    >>> import ossature
    >>> ossature.mmhc(ossature.load_network("asia").sample(1000, seed=1))
    <Dag: 8 nodes, 5 arcs>
    """
    return MMHC(**settings).fit(X).dag_


def hc(X: Frame, **settings: Any) -> Dag:
    """Learns a DAG by hill climbing; the keywords are those of :class:`HC`.

    >>> import ossature
    >>> ossature.hc(ossature.load_network("asia").sample(1000, seed=1), score="bic").nodes[0]
    'asia'
    """
    return HC(**settings).fit(X).dag_


def tabu(X: Frame, **settings: Any) -> Dag:
    """Learns a DAG by tabu search; the keywords are those of :class:`Tabu`.

    >>> import ossature
    >>> ossature.tabu(ossature.load_network("asia").sample(1000, seed=1), max_parents=1).parents("xray")
    ['either']
    """
    return Tabu(**settings).fit(X).dag_


def hpc(X: Frame, **settings: Any) -> Skeleton:
    """Learns a skeleton by HPC; the keywords are those of :class:`HPC`.

    >>> import ossature
    >>> ossature.hpc(ossature.load_network("asia").sample(1000, seed=1)).neighbours("xray")
    ['either']
    """
    return HPC(**settings).fit(X).skeleton_


def mmpc(X: Frame, **settings: Any) -> Skeleton:
    """Learns a skeleton by MMPC; the keywords are those of :class:`MMPC`.

    >>> import ossature
    >>> ossature.mmpc(ossature.load_network("asia").sample(1000, seed=1)).neighbours("bronc")
    ['dysp', 'smoke']
    """
    return MMPC(**settings).fit(X).skeleton_


@dataclass(frozen=True)
class Neighbourhood:
    """What was found about one variable; :func:`neighbours` returns it.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.neighbours(rows, "bronc")  # doctest: +ELLIPSIS
    Neighbourhood(target='bronc', parents_and_children=('dysp', 'smoke'), blanket=None, tests=...)
    """

    target: str
    parents_and_children: tuple[str, ...]
    blanket: tuple[str, ...] | None
    tests: Tests


def neighbours(
    X: Frame,
    target: str,
    *,
    blanket: bool = False,
    learner: str = "hpc",
    missing: str = "error",
    n_jobs: int | None = None,
    time_limit: float | None = None,
    progress: Progress = False,
    **settings: Any,
) -> Neighbourhood:
    """The parents and children of one variable, and with ``blanket`` its Markov blanket.

    Never builds the whole network, so it is quick on very wide tables. ``learner`` is hpc or mmpc; the
    other keywords are those of :class:`HPC` and :class:`MMPC`.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> found = ossature.neighbours(rows, "either", blanket=True)
    >>> found.parents_and_children, found.blanket
    (('lung', 'tub', 'xray'), ('lung', 'tub', 'xray'))
    """
    kinds = {"hpc": HPC, "mmpc": MMPC}
    if word("learner", learner) not in kinds:
        raise SettingsError(f"there is no local learner {learner!r}; hpc and mmpc are")
    asked = kinds[learner](**settings)
    variable = name(target)
    with telling(progress) as tell:
        text = _ossature.neighbours(
            as_data(X, missing=missing), variable, bool(blanket), learner, word("preset", asked.preset),
            asked._settings(), threads=threads(n_jobs), time_limit=seconds(time_limit), progress=tell,
        )
    found = json.loads(text)
    spouses = found["blanket"]
    return Neighbourhood(
        variable,
        tuple(found["parents_and_children"]),
        None if spouses is None else tuple(spouses),
        Tests._of(found["tests"]),
    )


@dataclass(frozen=True)
class CiResult:
    """The outcome of an independence test; :func:`ci_test` returns it.

    ``ln_p`` is exact far below where ``p`` is 0. A test without power counts as independent.

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
    test: str = "mi-adf",
    alpha: float = 0.05,
    power_rule: int | None = None,
    missing: str = "error",
    seed: int = 0,
) -> CiResult:
    """Tests whether ``x`` and ``y`` are independent given ``z``.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> ossature.ci_test(rows, "smoke", "dysp").independent
    False
    >>> round(ossature.ci_test(rows, "smoke", "dysp", ["bronc", "lung"]).p, 4)
    0.554
    """
    return CiResult(
        *_ossature.ci_test(
            as_data(X, missing=missing),
            name(x),
            name(y),
            names("z", z),
            test=word("test", test),
            alpha=number("alpha", alpha),
            power_rule=None if power_rule is None else whole("power_rule", power_rule, most=2**32 - 1),
            seed=whole("seed", seed),
            threads=1,
        )
    )


def score_by_node(
    X: Frame,
    graph: GraphLike,
    *,
    score: str = "bdeu",
    iss: float = 10.0,
    missing: str = "error",
    n_jobs: int | None = None,
) -> dict[str, float]:
    """What each node of a structure contributes to its score.

    >>> import ossature
    >>> asia = ossature.load_network("asia")
    >>> values = ossature.score_by_node(asia.sample(1000, seed=1), asia)
    >>> round(values["smoke"], 2)
    -695.35
    """
    values = _ossature.score_by_node(
        as_data(X, missing=missing), parts_of(graph),
        score=word("score", score), iss=number("iss", iss), threads=threads(n_jobs),
    )
    return dict(values)


def score(
    X: Frame,
    graph: GraphLike,
    *,
    score: str = "bdeu",
    iss: float = 10.0,
    missing: str = "error",
    n_jobs: int | None = None,
) -> float:
    """How well a structure explains the rows; higher is better.

    An equivalence class is scored by one of its DAGs, and columns that the graph does not have count as
    isolated nodes.

    >>> import ossature
    >>> asia = ossature.load_network("asia")
    >>> round(ossature.score(asia.sample(1000, seed=1), asia), 4)
    -2332.885
    """
    # On the library's grid the sum is exact, so its order does not matter.
    return sum(score_by_node(X, graph, score=score, iss=iss, missing=missing, n_jobs=n_jobs).values())


@dataclass(frozen=True)
class Comparison:
    """How a structure differs from the truth; :func:`compare` returns it.

    >>> import ossature
    >>> ossature.compare([("a", "b")], [("b", "c")]).extra
    [('b', 'c')]
    """

    shd: int
    true_positives: int
    false_positives: int
    false_negatives: int
    precision: float
    recall: float
    f1: float
    same: list[Pair]
    missing: list[Pair]
    extra: list[Pair]
    reversed: list[Pair]
    undirected: list[Pair]
    directed: list[Pair]

    __hash__ = None  # type: ignore[assignment]


def compare(truth: GraphLike, other: GraphLike) -> Comparison:
    """Compares a structure with the true one, by their equivalence classes.

    Nodes are matched by name; one that a side lacks is an isolated node there. The lists of edges are those
    of ``ossature compare``: ``missing`` are only in the truth, ``extra`` only in the other.

    >>> import ossature
    >>> asia = ossature.load_network("asia")
    >>> found = ossature.compare(asia, ossature.h2pc(asia.sample(1000, seed=1)))
    >>> found.shd, found.true_positives, found.missing
    (3, 6, [('either', 'dysp'), ('lung', 'smoke')])
    """
    found = json.loads(_ossature.compare(parts_of(truth), parts_of(other)))
    counts = found["skeleton"]
    edges = {kind: [(x, y) for x, y in pairs] for kind, pairs in found["arcs"].items()}
    return Comparison(
        found["shd"], counts["tp"], counts["fp"], counts["fn"],
        found["precision"], found["recall"], found["f1"], **edges,
    )


def shd(truth: GraphLike, other: GraphLike) -> int:
    """The structural Hamming distance of two structures: pairs of nodes joined differently.

    It is that of the equivalence classes, so directions that no data can tell do not count.

    >>> import ossature
    >>> ossature.shd([("a", "b"), ("b", "c")], [("b", "a"), ("b", "c")])
    0
    """
    return compare(truth, other).shd


@dataclass(frozen=True)
class ArcStrength:
    """How sure an arc is; one of those in :class:`Bootstrap`.

    ``strength`` is the share of the samples in which the two ends are adjacent, ``direction`` of those the share with
    this direction, in which an edge without direction counts half.

    >>> import ossature
    >>> ossature.ArcStrength("rain", "wet", strength=0.9, direction=0.5).end
    'wet'
    """

    start: str
    end: str
    strength: float
    direction: float


@dataclass(frozen=True)
class Bootstrap:
    """How sure the arcs are, and the averaged network; :func:`bootstrap` returns it.

    >>> import ossature
    >>> sure = ossature.bootstrap(ossature.load_network("asia").sample(500, seed=1), 10)
    >>> sure.samples, sure.arcs[0].strength > sure.threshold
    (10, True)
    """

    arcs: list[ArcStrength]
    threshold: float
    samples: int
    dag: Dag
    report: dict[str, Any]

    __hash__ = None  # type: ignore[assignment]

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame with the columns from, to, strength and direction, the surest arc first."""
        import pandas

        rows = [(arc.start, arc.end, arc.strength, arc.direction) for arc in self.arcs]
        return pandas.DataFrame(rows, columns=["from", "to", "strength", "direction"])


def bootstrap(X: Frame, samples: int = 200, *, learner: DagLearner | None = None) -> Bootstrap:
    """Learns from samples of the rows and averages: how sure is each arc?

    Each sample has as many rows as the table, drawn with replacement. ``learner`` is an :class:`H2PC`,
    :class:`MMHC`, :class:`Tabu` or :class:`HC` with the settings to use; H2PC unless given.

    >>> import ossature
    >>> rows = ossature.load_network("asia").sample(1000, seed=1)
    >>> sure = ossature.bootstrap(rows, 20, learner=ossature.H2PC(seed=7))
    >>> sure.arcs[0].strength, sure.dag.nodes[0]
    (1.0, 'asia')
    """
    learner = H2PC() if learner is None else learner
    if not isinstance(learner, DagLearner):
        raise SettingsError("a bootstrap needs a learner that finds directions; H2PC, MMHC, Tabu and HC do")
    data = as_data(X, missing=learner.missing)
    with telling(learner.progress) as tell:
        text = _ossature.bootstrap(
            data, learner._learner, word("preset", learner.preset), learner._settings(),
            whole("samples", samples, least=1, most=2**32 - 1),
            threads=threads(learner.n_jobs), time_limit=seconds(learner.time_limit), progress=tell,
        )
    report = json.loads(text)
    sure = report["bootstrap"]
    arcs = [ArcStrength(arc["from"], arc["to"], arc["strength"], arc["direction"]) for arc in sure["arcs"]]
    return Bootstrap(arcs, sure["threshold"], sure["samples"], Dag(report["arcs"], nodes=data.names()), report)
