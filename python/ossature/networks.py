"""Networks: a DAG with a distribution at each node."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _ossature, asking, interop, show
from .asking import Answer, Effects
from .cpt import Cpt
from .errors import SettingsError
from .files import save
from .given import Kinds, Missing, name, number, path as path_of, whole, word
from .graph_like import GraphLike, parts_of
from .graphs import Dag
from .progress import Progress, telling, threads
from .regression import Regression
from .table import Frame, Table, as_data
from .why import Why


Kind = Literal["discrete", "continuous"]
"""The kind of a variable."""


class Network:
    """A Bayesian network: a probability table at each discrete node, linear regressions at each continuous one.

    Get one from :func:`load_network`, from :func:`read_network`, or from a structure and data.

    >>> import ossature
    >>> asia = ossature.load_network("asia")
    >>> asia
    <Network: 8 nodes, 8 arcs, 18 parameters>
    >>> ossature.Network.fit(asia.sample(100, seed=1), asia.dag).dag == asia.dag
    True
    """

    __slots__ = ("_network",)
    _network: _ossature.Network

    def __init__(self, bif: str) -> None:
        """A network from a text in BIF."""
        self._network = _ossature.Network.parse_bif(word("bif", bif))

    @classmethod
    def _of(cls, network: _ossature.Network) -> Network:
        made = cls.__new__(cls)
        made._network = network
        return made

    @classmethod
    def fit(
        cls,
        X: Frame,
        graph: GraphLike,
        *,
        iss: float | None = 10.0,
        prior: str = "bdeu",
        missing: Missing = "error",
        kinds: Kinds | None = None,
        n_jobs: int | None = None,
    ) -> Network:
        """Estimates the distributions of a structure from rows.

        ``iss`` is the weight of the BDeu prior of tables as a number of imaginary rows; ``None`` is maximum likelihood.
        With ``prior="backoff"`` a table shrinks towards those of fewer parents, as in the score ``bdh``: it predicts
        new rows best if rows are few. Continuous columns get regressions on their continuous parents by least squares,
        one for each configuration of their discrete parents; a discrete column with a continuous parent is refused.
        Columns that the graph does not have become isolated nodes.

        >>> import ossature
        >>> rows = {"rain": ["no", "no", "no", "yes"], "wet": ["no", "no", "yes", "yes"]}
        >>> ossature.Network.fit(rows, [("rain", "wet")], iss=None).table("rain").values
        array([0.75, 0.25])
        """
        data = as_data(X, missing=missing, kinds=kinds)
        weight = 10.0 if iss is None else number("iss", iss)
        kind = "mle" if iss is None and prior == "bdeu" else word("prior", prior)
        if kind != "bdeu" and iss is not None and weight != 10.0:
            raise SettingsError(f"iss is not used with the prior {kind}; bdeu has it")
        return cls._of(_ossature.Network.fit(data, parts_of(graph), kind, weight, threads=threads(n_jobs)))

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes, sorted."""
        return tuple(self._network.nodes())

    @property
    def dag(self) -> Dag:
        """The structure."""
        return Dag(self._network.arcs(), nodes=self.nodes)

    @property
    def parameters(self) -> int:
        """The number of free parameters."""
        return self._network.parameters()

    def levels(self, node: str) -> list[str]:
        """The levels of a node; none for a continuous one."""
        return self._network.levels(name(node))

    @property
    def kinds(self) -> dict[str, Kind]:
        """The kind of each node: ``"discrete"`` or ``"continuous"``."""
        return {node: "continuous" if self._network.is_continuous(node) else "discrete" for node in self.nodes}

    def regression(self, node: str) -> Regression:
        """How the mean of a continuous node depends on its parents.

        >>> import ossature
        >>> asia = ossature.load_network("asia").linear_gaussian(seed=1)
        >>> smoke = asia.regression("smoke")
        >>> float(smoke.intercept), smoke.parents, float(smoke.sd)
        (0.0, (), 1.0)
        """
        node = name(node)
        given, parents, rows = self._network.regressions(node)
        levels = tuple(tuple(self.levels(parent)) for parent in given)
        shape = tuple(map(len, levels))
        return Regression(
            node, tuple(parents), tuple(given), levels,
            np.array([row[0] for row in rows]).reshape(shape),
            np.array([row[1] for row in rows], dtype=np.float64).reshape(*shape, len(parents)),
            np.array([row[2] for row in rows]).reshape(shape),
        )

    def linear_gaussian(self, seed: int = 0) -> Network:
        """The same structure with every node continuous, for studies of learners on continuous rows.

        Each node is the sum of its parents, each times a coefficient, and a standard normal error. The coefficients are
        drawn uniformly from 0.5 to 1.5, with either sign; ``ossature sample --linear-gaussian`` draws the same.

        >>> import ossature
        >>> rows = ossature.load_network("asia").linear_gaussian(seed=1).sample(100, seed=1)
        >>> rows.numbers("xray").dtype
        dtype('float64')
        """
        return Network._of(self._network.linear_gaussian(whole("seed", seed)))

    def table(self, node: str) -> Cpt:
        """The table of a node."""
        node = name(node)
        levels = tuple(self.levels(node))
        parents, flat = self._network.table(node)
        of_parents = tuple(tuple(self.levels(parent)) for parent in parents)
        shape = [*map(len, of_parents), len(levels)]
        return Cpt(node, levels, tuple(parents), of_parents, flat.reshape(shape))

    def sample(self, n: int, seed: int = 0, *, n_jobs: int | None = None, progress: Progress = False) -> Table:
        """Draws rows. The same seed gives the same rows on every machine, also with ``ossature
        sample``.

        The rows are a :class:`Table`, which every function here accepts, and which
        ``.to_pandas()``, ``.to_polars()`` or ``.to_arrow()`` converts.

        >>> import ossature
        >>> ossature.load_network("asia").sample(1000, seed=1)
        <Table: 1,000 rows of 8 variables>
        """
        rows = whole("n", n, least=1)
        with telling(progress) as tell:
            return Table._of(self._network.sample(rows, whole("seed", seed), threads=threads(n_jobs), progress=tell))

    def query(
        self,
        targets: Any,
        given: Mapping[str, Any] | None = None,
        *,
        do: Mapping[str, Any] | None = None,
        samples: int | None = None,
        seed: int = 0,
        n_jobs: int | None = None,
    ) -> Answer:
        """The distributions of some variables, given others.

        ``given`` has the level of each known variable, or for soft evidence a mapping of all its levels to the
        likelihood of the observation at each. ``do`` sets variables by intervention: the arcs into them are removed,
        and the answer is the effect of that action if the arcs of the network are causes and no common cause is left
        out of it. Evidence that the network rules out is a :class:`DataError`; an answer that would be too expensive
        is a :class:`TooLargeError`, before any work, and ``samples`` then estimates it by likelihood weighting.

        >>> import ossature
        >>> asia = ossature.load_network("asia")
        >>> round(asia.query({"lung"}, given={"dysp": "yes", "smoke": "yes"})["lung"]["yes"], 6)
        0.148334
        >>> asia.query("smoke", do={"bronc": "no"})["smoke"]
        {'yes': 0.5, 'no': 0.5}
        >>> estimate = asia.query("lung", given={"smoke": {"yes": 0.9, "no": 0.1}}, samples=10_000, seed=1)
        >>> abs(estimate["lung"]["yes"] - 0.091) < 4 * estimate.standard_errors["lung"]["yes"] < 0.02
        True
        """
        return asking.query(self._network, targets, given, do, samples, seed, n_jobs)

    def effects(self, of: str, on: str) -> Effects:
        """The effects of setting one variable on another in all members of the network's equivalence class
        (IDA).

        Rows distinguish classes of networks, not networks; if all members of the class agree, the effect is
        identified.

        >>> import ossature
        >>> found = ossature.load_network("asia").effects("smoke", "lung")
        >>> [(effect.parents, effect.distributions["yes"]["yes"]) for effect in found.effects]
        [((), 0.1), (('bronc',), 0.1), (('lung',), 0.055)]
        """
        return asking.effects(self._network, of, on)

    def predict(
        self, X: Frame, target: str, *, unseen: str = "error", n_jobs: int | None = None
    ) -> npt.NDArray[np.object_]:
        """The most probable level of a variable in each row, given the other fields of the row.

        Missing fields are not part of the evidence, and the column of the target itself is ignored. A level that
        the network does not know is an error, or missing with ``unseen="missing"``.

        >>> import ossature
        >>> asia = ossature.load_network("asia")
        >>> asia.predict({"smoke": ["yes", None], "dysp": ["yes", "no"]}, "bronc").tolist()
        ['yes', 'no']
        """
        places, _ = asking.predict(self._network, X, target, unseen, n_jobs)
        return np.array(self.levels(target), dtype=object)[places]

    def predict_proba(
        self, X: Frame, target: str, *, unseen: str = "error", n_jobs: int | None = None
    ) -> npt.NDArray[np.float64]:
        """The probability of each level of a variable, in the order of ``levels(target)``, in each row.

        >>> import ossature
        >>> ossature.load_network("asia").predict_proba({"smoke": ["yes", "no"]}, "lung")
        array([[0.1 , 0.9 ],
               [0.01, 0.99]])
        """
        return asking.predict(self._network, X, target, unseen, n_jobs)[1]

    def log_likelihood(
        self, X: Frame, *, missing: str = "error", unseen: str = "error", n_jobs: int | None = None
    ) -> npt.NDArray[np.float64]:
        """The natural logarithm of the probability of each row; the sum is that of the table.

        Columns and levels are matched by name. Columns that the network does not have are ignored, whatever they
        contain. With ``missing="sum"`` values may be missing and are summed over, and a level that the network does
        not know may count as missing, with ``unseen="missing"``.

        >>> import ossature
        >>> asia = ossature.load_network("asia")
        >>> rows = asia.log_likelihood(asia.sample(1000, seed=1))
        >>> rows.shape, bool(rows.sum() < 0)
        ((1000,), True)
        """
        if missing == "sum":
            rows = asking.rows_for(self._network, X)
            return _ossature.row_logs(self._network, rows, asking.unseen_policy(unseen), threads=threads(n_jobs))
        if asking.unseen_policy(unseen) == "missing":
            raise SettingsError('unseen="missing" makes missing values; missing="sum" says what to do with them')
        data = asking.rows_for(self._network, X, missing)
        return self._network.log_likelihood(data, threads=threads(n_jobs))

    def to_model(self) -> str:
        """The network as the text of a model file: the content of BIF, and how its rows are read.

        >>> import ossature
        >>> asia = ossature.load_network("asia")
        >>> ossature.Network.from_model(asia.to_model()) == asia
        True
        """
        return self._network.to_model()

    @classmethod
    def from_model(cls, text: str) -> Network:
        """A network from the text of a model file."""
        return cls._of(_ossature.Network.parse_model(word("text", text)))

    def to_bif(self, labels: Literal["auto", "safe", "quoted"] = "auto") -> str:
        """The network as a text in BIF.

        ``labels="safe"`` writes names with letters, digits and underscores, which other programs can read, and keeps
        the originals beside them; ``"quoted"`` writes names unchanged, in quotes if necessary; ``"auto"`` writes them
        unchanged, or safe if one of them would need quotes.

        >>> import ossature
        >>> rows = ossature.Table({"age": [20, 60, 30, 70]}, discretise={"age": "cuts:40"})
        >>> network = ossature.Network.fit(rows, ossature.Dag(nodes=["age"]))
        >>> "{ inf_40, l_40_inf }" in network.to_bif(), ossature.Network(network.to_bif()) == network
        (True, True)
        """
        return self._network.to_bif(word("labels", labels))

    def to_svg(self) -> str:
        """A drawing of the structure; continuous nodes have round ends."""
        return self._network.to_svg()

    def to_html(self, title: str | None = None) -> str:
        """An interactive page: the drawing, the tables, and what-if: choosing levels shows the effect on the others.

        One self-contained HTML document.

        >>> import ossature
        >>> ossature.load_network("asia").to_html("asia").startswith("<!doctype html>")
        True
        """
        return _ossature.to_html(title or "Network", self.dag._parts(), network=self._network)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the network; the extension determines the format: ``.bif``, ``.json`` (the model file), ``.html``, or
        as much of it as ``.svg``, ``.dot``, ``.graphml`` and ``.csv`` can hold.

        >>> import ossature, pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "asia.bif.gz"
        >>> ossature.load_network("asia").save(path)
        >>> ossature.read_bif(path) == ossature.load_network("asia")
        True
        """
        texts = {"bif": self.to_bif, "json": self.to_model, "html": self.to_html}
        save(path, {**self.dag._texts(), **texts, "svg": self.to_svg})

    def to_pgmpy(self) -> Any:
        """The network as a pgmpy ``DiscreteBayesianNetwork``.

        >>> import ossature
        >>> asia = ossature.load_network("asia")
        >>> ossature.Network.from_pgmpy(asia.to_pgmpy()) == asia
        True
        """
        return interop.to_pgmpy(self)

    @classmethod
    def from_pgmpy(cls, model: Any) -> Network:
        """A network from a pgmpy network with a table for each node."""
        return cls.from_model(interop.model_of_pgmpy(model))

    def to_pyagrum(self) -> Any:
        """The network as a pyAgrum ``BayesNet``.

        >>> import ossature
        >>> asia = ossature.load_network("asia")
        >>> ossature.Network.from_pyagrum(asia.to_pyagrum()) == asia
        True
        """
        return interop.to_pyagrum(self)

    @classmethod
    def from_pyagrum(cls, model: Any) -> Network:
        """A network from a pyAgrum network."""
        return cls.from_model(interop.model_of_pyagrum(model))

    def why(self, x: str, y: str) -> Why:
        """Why two variables are adjacent in the structure, or what separates them.

        >>> import ossature
        >>> print(ossature.load_network("asia").why("smoke", "xray"))
        smoke and xray are not adjacent.
        They are d-separated given either.
        """
        return self.dag.why(x, y)

    def _repr_svg_(self) -> str:
        """Output for notebooks without HTML."""
        return self.to_svg()

    def _repr_html_(self) -> str:
        """Notebook output: the drawing, within the cell."""
        return show.network(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Network) and self._network == other._network

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        arcs = len(self._network.arcs())
        return f"<Network: {len(self.nodes):,} nodes, {arcs:,} arcs, {self.parameters:,} parameters>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Network.from_model, (self.to_model(),)


def load_network(name: str) -> Network:
    """One of the benchmark networks that come with the package; :func:`network_names` lists them.

    >>> import ossature
    >>> ossature.load_network("alarm")
    <Network: 37 nodes, 46 arcs, 509 parameters>
    """
    return Network._of(_ossature.Network.load(word("name", name)))


def network_names() -> list[str]:
    """The names of the networks that come with the package.

    >>> import ossature
    >>> len(ossature.network_names())
    24
    """
    return _ossature.Network.embedded()


def read_bif(path: str | PathLike[str]) -> Network:
    """Reads a network from a ``.bif`` or ``.bif.gz`` file.

    >>> import ossature, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "asia.bif"
    >>> _ = path.write_text(ossature.load_network("asia").to_bif(), encoding="utf-8")
    >>> ossature.read_bif(path) == ossature.load_network("asia")
    True
    """
    return Network._of(_ossature.Network.read_bif(path_of(path)))


def read_network(path: str | PathLike[str]) -> Network:
    """Reads a network from a file: ``.bif``, or the model file ``.json`` that ``ossature fit`` writes; each also ``.gz``.

    >>> import ossature, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "asia.json"
    >>> _ = path.write_text(ossature.load_network("asia").to_model(), encoding="utf-8")
    >>> ossature.read_network(path)
    <Network: 8 nodes, 8 arcs, 18 parameters>
    """
    file = path_of(path)
    if file.lower().removesuffix(".gz").endswith(".json"):
        return Network._of(_ossature.Network.read_model(file))
    return read_bif(path)
