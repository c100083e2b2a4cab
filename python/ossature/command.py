"""The command ``ossature``, which comes with the package; also ``python -m ossature``."""

from __future__ import annotations

import signal
import sys

from . import _ossature


def main() -> int:
    """Runs the command with the words of the command line; returns its exit code.

    >>> import subprocess, sys
    >>> subprocess.run([sys.executable, "-m", "ossature", "--version"], capture_output=True, text=True).stdout[:14]
    'ossature 0.1.0'
    """
    # The command has its own way with Ctrl-C, but leaves a handler alone that is there already.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _ossature.run_command(["ossature", *sys.argv[1:]])
