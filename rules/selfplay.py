"""Let bots play each other: `python -m rules.selfplay`, see `rules.measuring.self_play`."""

import sys

from rules.measuring.self_play import main

if __name__ == "__main__":
    sys.exit(main())
