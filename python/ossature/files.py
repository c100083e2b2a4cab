"""Files, written completely or not at all."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Callable, Mapping

from .errors import SettingsError
from .given import path as path_of


def save(path: str | os.PathLike[str], texts: Mapping[str, Callable[[], str]]) -> None:
    """Writes the text for the extension of a path; a final ``.gz`` compresses it.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.txt.gz"
    >>> save(path, {"txt": lambda: "hello"})
    >>> gzip.decompress(path.read_bytes())
    b'hello'
    """
    file = path_of(path)
    stem = file[: -len(".gz")] if file.lower().endswith(".gz") else file
    extension = os.path.splitext(stem)[1].lstrip(".").lower()
    if extension not in texts:
        raise SettingsError(
            f"{file!r}: unknown output format; the name must end in {', '.join(f'.{e}' for e in texts)} (each also .gz)"
        )
    content = texts[extension]().encode()
    content = gzip.compress(content, mtime=0) if stem != file else content
    # Beside its target, then moved there: what is there already is never left half written.
    handle, beside = tempfile.mkstemp(dir=os.path.dirname(file) or ".", prefix=".ossature")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
        os.chmod(beside, 0o666 & ~_umask())
        os.replace(beside, file)
    except BaseException:
        os.unlink(beside)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
