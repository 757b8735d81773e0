"""The command `python -m rules.bench`, which measures the engine (`rules.tools.bench`)."""

import sys

from rules.tools.bench import main

if __name__ == "__main__":
    sys.exit(main())
