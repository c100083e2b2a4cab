"""Converts arguments into what the library takes, or refuses them in the library's words."""

from __future__ import annotations

import functools
import inspect
import operator
import os
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, Literal, ParamSpec, TypeVar, get_args

import numpy as np

from . import _ossature
from .errors import DataError, SettingsError

MOST = 2**64 - 1
"""The largest whole number that the library takes."""

KINDS = {keyword: kind for keyword, _, kind in _ossature.settings()}
"""What each setting of the library takes, by keyword: number, whole, word, pairs or tiers."""

RENAMED = {key: keyword for keyword, key, _ in _ossature.settings() if keyword != key}
"""What reports and the command call otherwise, and which keyword it is."""

Missing = Literal["error", "drop", "level", "available", "em"]
"""What is done about missing values."""

Kinds = Mapping[str, Literal["discrete", "continuous"]]
"""The kinds of columns by name."""

P = ParamSpec("P")
R = TypeVar("R")


def refuse_renamed(called: str, given: Iterable[str]) -> None:
    """Refuses the keyword that reports and the command would suggest, if it has another name here."""
    for wrong in RENAMED.keys() & set(given):
        raise TypeError(f"{called}() got an unexpected keyword argument {wrong!r}; it is called {RENAMED[wrong]!r}")


def says_what_is_renamed(function: Callable[P, R]) -> Callable[P, R]:
    """The same function, with an error for a keyword that has another name here."""

    @functools.wraps(function)
    def call(*args: P.args, **given: P.kwargs) -> R:
        refuse_renamed(function.__name__, given)
        return function(*args, **given)

    return call


def has_keywords_of(kind: type) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Gives a function that passes its keywords on to a class the signature of that class."""

    def shown(function: Callable[P, R]) -> Callable[P, R]:
        first = inspect.signature(function).parameters["X"]
        _, *keywords = inspect.signature(kind.__init__).parameters.values()  # type: ignore[misc]
        function.__signature__ = inspect.signature(function).replace(parameters=[first, *keywords])  # type: ignore[attr-defined]
        return function

    return shown


def refusal(setting: str, value: object, needed: str) -> SettingsError:
    """The error for an invalid setting."""
    return SettingsError(f"{setting} is {value!r}; {needed} is needed")


def word(setting: str, value: Any) -> str:
    """A setting that is a word; the library checks which words are valid."""
    if not isinstance(value, str):
        raise refusal(setting, value, "a word")
    return text(value)


def words(setting: str, value: Any) -> list[str]:
    """A setting that is a list of words."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise refusal(setting, value, "a list of words")
    return [word(setting, one) for one in value]


def number(setting: str, value: Any) -> float:
    """A setting that is a number."""
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            pass
    raise refusal(setting, value, "a number")


def whole(setting: str, value: Any, *, least: int = 0, most: int = MOST) -> int:
    """A setting that is a whole number."""
    try:
        found = operator.index(value)
    except TypeError:
        found = None
    if found is None or isinstance(value, bool) or not least <= found <= most:
        raise refusal(setting, value, f"a whole number, {least} or more and not too large,")
    return found


def seconds(time_limit: Any) -> float | None:
    """A time limit; an infinite one is no limit."""
    limit = None if time_limit is None else number("time_limit", time_limit)
    return None if limit == float("inf") else limit


def missing_policy(missing: Any) -> str:
    """How missing values are treated."""
    if not isinstance(missing, str) or missing not in get_args(Missing):
        raise SettingsError(f"missing is {missing!r}; error, drop, level, available and em are accepted")
    return missing


def kinds_of(kinds: Any) -> dict[str, str]:
    """The kinds of columns by name."""
    given = mapping("kinds", kinds)
    for column, kind in given.items():
        if kind not in ("discrete", "continuous"):
            raise SettingsError(f"the kind of {column!r} is {kind!r}; discrete and continuous are accepted")
    return given


def mapping(setting: str, value: Any) -> dict[str, Any]:
    """A setting that maps the names of columns to values."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise refusal(setting, value, "a mapping with the names of columns")
    return {name(column): what for column, what in value.items()}


def path(value: Any) -> str:
    """The name of a file."""
    try:
        return os.fsdecode(value)
    except TypeError:
        raise refusal("path", value, "the name of a file") from None


def paths(value: Any) -> list[str]:
    """The names of files; a single one need not be in a list."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, os.PathLike)):
        return [path(one) for one in value]
    return [path(value)]


def name(value: Any) -> str:
    """The name of a variable: a text, or what Python prints for a number and the like."""
    if is_missing(value):
        raise DataError(f"{value!r} was given for a name; a text is needed")
    # A string of numpy is a string, but does not read as one.
    return text(str.__str__(value) if isinstance(value, str) else str(value))


def names(setting: str, value: Any) -> list[str]:
    """The names of variables; a single one need not be in a list."""
    if isinstance(value, (str, int, np.integer)):
        return [name(value)]
    if isinstance(value, (bytes, Mapping)) or not isinstance(value, Iterable):
        raise refusal(setting, value, "a list of names")
    return [name(one) for one in value]


def is_missing(value: object) -> bool:
    """Whether a value is missing: None, NaN, pandas' NA and NaT, or masked in numpy."""
    if isinstance(value, (float, np.floating)):
        return bool(value != value)
    if isinstance(value, Decimal):
        return value.is_nan()
    return value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType")


def text(value: str) -> str:
    """A text that can be encoded: Python allows lone surrogates."""
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise DataError(f"{value!r} has half of a surrogate pair; a text in Unicode is needed") from None
    return value
