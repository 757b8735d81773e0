"""Measure how strong the bots are: `python -m rules.strengths`, see `rules.tools.strengths`."""

import sys

from rules.tools.strengths import main

if __name__ == "__main__":
    sys.exit(main())
