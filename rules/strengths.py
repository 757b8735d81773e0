"""The command `python -m rules.strengths`, which measures how strong the bots are (`rules.tools.strengths`)."""

import sys

from rules.tools.strengths import main

if __name__ == "__main__":
    sys.exit(main())
