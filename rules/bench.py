"""Measure the engine: `python -m rules.bench`, see `rules.tools.bench`."""

import sys

from rules.tools.bench import main

if __name__ == "__main__":
    sys.exit(main())
