"""The command `python -m rules.selfplay`, which lets bots play each other (`rules.measuring.self_play`)."""

import sys

from rules.measuring.self_play import main

if __name__ == "__main__":
    sys.exit(main())
