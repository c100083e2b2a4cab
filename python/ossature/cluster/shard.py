"""A shard of a study as a separate process: the command, which ends with the worker that started it.

The command handles signals and measures the memory of its process, so it does not run inside a worker. The
process that starts ``python -m ossature.cluster.shard study ...`` keeps its standard input open; when that
closes, because the starter is gone for whatever reason, the shard ends.
"""

from __future__ import annotations

import os
import sys
import threading

from .. import _ossature


def main() -> int:
    """Runs the command with the words of the command line; returns its exit code."""
    threading.Thread(target=_end_with_the_starter, daemon=True).start()
    return _ossature.run_command(["ossature", *sys.argv[1:]])


def _end_with_the_starter() -> None:
    # Without the buffer of sys.stdin, which must be free when the interpreter ends.
    while os.read(0, 1024):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
