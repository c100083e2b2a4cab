"""Queries to a network."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _ossature
from .errors import SettingsError
from .given import Kinds, is_missing, name, names, number, refusal, text, whole
from .progress import threads
from .table import Frame, Table, as_data


@dataclass(frozen=True)
class Answer:
    """The answer to a query; :meth:`Network.query` returns it.

    ``posteriors`` has the probability of each level of each queried variable, ``p_evidence`` is the probability of the
    evidence and ``ln_evidence`` its logarithm, which never underflows. If the answer is an estimate,
    ``standard_errors`` gives its accuracy, and ``effective`` the equivalent number of independent samples from the
    posterior.

    >>> import ossature
    >>> answer = ossature.load_network("asia").query("lung", given={"smoke": "yes"})
    >>> answer["lung"]["yes"], answer.p_evidence
    (0.1, 0.5)
    """

    posteriors: dict[str, dict[str, float]]
    ln_evidence: float
    standard_errors: dict[str, dict[str, float]] | None = None
    effective: float | None = None

    __hash__ = None  # type: ignore[assignment]

    @property
    def p_evidence(self) -> float:
        """The probability of the evidence, after the interventions."""
        return math.exp(self.ln_evidence)

    def __getitem__(self, target: str) -> dict[str, float]:
        return self.posteriors[target]


@dataclass(frozen=True)
class Effect:
    """The effect of setting a variable if it has these parents; an item of :class:`Effects`.

    ``distributions`` has, for each level that the variable may be set to, the distribution of the other one, or
    ``None`` if the level never occurs with some levels of the parents.

    >>> import ossature
    >>> ossature.load_network("asia").effects("smoke", "lung").effects[0].parents
    ()
    """

    parents: tuple[str, ...]
    distributions: dict[str, dict[str, float] | None]

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Effects:
    """The effects of setting one variable on another in all members of an equivalence class;
    :meth:`Network.effects` returns it.

    >>> import ossature
    >>> asia = ossature.load_network("asia")
    >>> asia.effects("either", "xray").identified, asia.effects("smoke", "lung").identified
    (True, False)
    """

    of: str
    on: str
    identified: bool
    effects: tuple[Effect, ...]

    __hash__ = None  # type: ignore[assignment]


def query(
    network: _ossature.Network, targets: Any, given: Any, do: Any, samples: Any, seed: Any, n_jobs: int | None
) -> Answer:
    """The distributions of some variables."""
    asked = names("targets", sorted(targets) if isinstance(targets, (set, frozenset)) else targets)
    twice = {one for one in asked if asked.count(one) > 1}
    if twice or not asked:
        raise SettingsError(f"targets are {asked!r}; at least one is needed, and each once")
    known, likely = _evidence(network, given)
    p_ln, found, errors = _ossature.query(
        network, asked, known, likely, [(name(of), _label("do", level)) for of, level in _items("do", do)],
        samples=None if samples is None else whole("samples", samples, least=1),
        seed=whole("seed", seed), threads=threads(n_jobs),
    )
    levels = [network.levels(target) for target in asked]

    def by_level(numbers: list[list[float]]) -> dict[str, dict[str, float]]:
        return {target: dict(zip(of, p)) for target, of, p in zip(asked, levels, numbers)}

    if errors is None:
        return Answer(by_level(found), p_ln)
    return Answer(by_level(found), p_ln, by_level(errors[0]), errors[1])


def _items(what: str, given: Any) -> Iterable[tuple[Any, Any]]:
    if given is None:
        return ()
    if not isinstance(given, Mapping):
        raise refusal(what, given, 'a mapping of names to levels, such as {"smoke": "yes"},')
    return given.items()


def _evidence(
    network: _ossature.Network, given: Any
) -> tuple[list[tuple[str, str]], list[tuple[str, list[float]]]]:
    known: list[tuple[str, str]] = []
    likely: list[tuple[str, list[float]]] = []
    for of, what in _items("given", given):
        variable = name(of)
        if not isinstance(what, Mapping):
            known.append((variable, _label(f"given of {variable!r}", what)))
            continue
        levels = network.levels(variable)
        numbers = {_label("given", level): number(f"given of {variable!r}", p) for level, p in what.items()}
        if numbers.keys() != set(levels):
            raise SettingsError(f"the likelihoods of {variable!r} are for {sorted(numbers)}; its levels are {levels}")
        likely.append((variable, [numbers[level] for level in levels]))
    return known, likely


def _label(what: str, value: Any) -> str:
    if is_missing(value):
        raise refusal(what, value, "a level; leave out what is not known, which")
    return text(str.__str__(value) if isinstance(value, str) else str(value))


def effects(network: _ossature.Network, of: Any, on: Any) -> Effects:
    """The effects of setting one variable on another in all members of the class."""
    of, on = name(of), name(on)
    if of == on:
        raise SettingsError(f"the effect of {of!r} on itself was asked; another variable is needed")
    found = json.loads(_ossature.effects(network, of, on))
    of_levels, on_levels = network.levels(of), network.levels(on)

    def effect(one: dict[str, Any]) -> Effect:
        rows = [None if p is None else dict(zip(on_levels, p)) for p in one["distributions"]]
        return Effect(tuple(one["parents"]), dict(zip(of_levels, rows)))

    return Effects(of, on, found["identified"], tuple(effect(one) for one in found["effects"]))


def predict(
    network: _ossature.Network, X: Frame, target: Any, unseen: Any, n_jobs: int | None
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.float64]]:
    """The index of the most probable level in each row, and the probability of each level."""
    variable = name(target)
    levels = network.levels(variable)
    found, flat = _ossature.predict(
        network, rows_for(network, X), variable, unseen_policy(unseen), threads=threads(n_jobs)
    )
    return found, flat.reshape(-1, len(levels))


def unseen_policy(unseen: Any) -> str:
    """How a level that the network does not know is treated."""
    if not isinstance(unseen, str) or unseen not in ("error", "missing"):
        raise SettingsError(f"unseen is {unseen!r}; error and missing are accepted")
    return unseen


def rows_for(network: _ossature.Network, X: Frame, missing: str = "level") -> _ossature.Data:
    """The coded form of rows, for the columns that the network has, with its cuts."""
    if isinstance(X, Table):
        return as_data(X, missing=missing)
    kinds: Kinds = {node: "continuous" if network.is_continuous(node) else "discrete" for node in network.nodes()}
    return as_data(X, missing=missing, only=network.nodes(), cuts=network.cuts(), kinds=kinds)
