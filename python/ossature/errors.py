"""One family of exceptions, with the messages of the library.

>>> import ossature
>>> ossature.load_network("alram")
Traceback (most recent call last):
ossature.errors.DataError: there is no network "alram" (did you mean "alarm"?)
"""

from __future__ import annotations

import inspect
import warnings


class OssatureError(Exception):
    """The base class of every exception that this package raises on purpose.

    >>> import ossature
    >>> issubclass(ossature.DataError, ossature.OssatureError)
    True
    """


class DataError(OssatureError, ValueError):
    """A table, a graph or a network is invalid.

    >>> import ossature
    >>> ossature.h2pc({"rain": ["yes", None], "wet": ["yes", "no"]})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ossature.errors.DataError: the table, column rain, row 2: 1 missing value, in "rain" (1); ...
    """


class SettingsError(OssatureError, ValueError):
    """A setting has an invalid value, or does not fit the data.

    >>> import ossature
    >>> ossature.h2pc({"rain": ["yes", "no"]}, alpha=2)
    Traceback (most recent call last):
    ossature.errors.SettingsError: alpha is 2; a number above 0 and below 1 is accepted
    """


class FileError(OssatureError, OSError):
    """A file could not be read.

    >>> import ossature
    >>> ossature.read_bif("nowhere.bif")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ossature.errors.NoFileError: cannot read nowhere.bif: ...
    """

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class NoFileError(FileError, FileNotFoundError):
    """There is no such file; ``filename`` is its name.

    >>> import ossature
    >>> try:
    ...     ossature.read_table("nowhere.csv")
    ... except FileNotFoundError as error:
    ...     print(error.filename)
    nowhere.csv
    """


class TooLargeError(OssatureError, OverflowError):
    """An answer would need more memory than is reasonable.

    >>> import ossature
    >>> ossature.load_network("asia").sample(10**12)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ossature.errors.TooLargeError: a sample of 1,000,000,000,000 rows would need 8,000,000,000,000 entries; ...
    """


class StoppedError(OssatureError, TimeoutError):
    """The time limit was reached before there was a result.

    >>> import ossature
    >>> rows = ossature.load_network("alarm").sample(1000, seed=1)
    >>> ossature.h2pc(rows, time_limit=1e-9)
    Traceback (most recent call last):
    ossature.errors.StoppedError: the time limit of 0.000000001 s was reached before there was a result
    """


class NotFittedError(OssatureError, ValueError, AttributeError):
    """A learner was asked for what it has not learned yet.

    >>> import ossature
    >>> ossature.H2PC().fit_parameters({"a": ["x"]})
    Traceback (most recent call last):
    ossature.errors.NotFittedError: this H2PC has learned nothing yet; call fit first
    """


class DataWarning(UserWarning):
    """Something to know about the rows before trusting what was learned from them.

    The command's warnings: columns with only one value, levels with few rows, rows that were left out, tests that could
    not find anything.

    >>> import ossature, warnings
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     dag = ossature.h2pc({"a": ["x"] * 10, "b": ["y", "z"] * 5})
    >>> print(said[0].message)
    1 column with only one value, and so without information: a
    """


class IncompleteWarning(UserWarning):
    """The time limit ended a search; the best structure so far is the result.

    >>> import ossature
    >>> issubclass(ossature.IncompleteWarning, UserWarning)
    True
    """


def warn(said: str, kind: type[Warning]) -> None:
    """Warns at the line that called the package: a warning is shown once for each line."""
    frame, level = inspect.currentframe(), 1
    while frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(said, kind, stacklevel=level)
