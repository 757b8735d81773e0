"""Play conformance scenarios: `python -m rules.scenario`, see `rules.scenario.command`."""

import os
import sys

from rules.scenario.command import main

if __name__ == "__main__":
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe, as `head` does. Python flushes again at its end and needs a place to write to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status)
