"""``python -m ossature`` is the command ``ossature``."""

import sys

from .command import main

sys.exit(main())
