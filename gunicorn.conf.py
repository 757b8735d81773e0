"""Read by gunicorn itself, which starts in this folder: the counts of requests that its processes add up.

Without PROMETHEUS_MULTIPROC_DIR nothing happens here, and each process counts for itself.
"""

import os
from pathlib import Path
from typing import Any

from prometheus_client import multiprocess

FOLDER = os.environ.get("PROMETHEUS_MULTIPROC_DIR", "")


def on_starting(server: Any) -> None:
    """Begin at nothing: what is left from before belongs to processes that are gone."""
    if FOLDER:
        Path(FOLDER).mkdir(parents=True, exist_ok=True)
        for path in Path(FOLDER).glob("*.db"):
            path.unlink(missing_ok=True)


def child_exit(server: Any, worker: Any) -> None:
    """Keep in the sums what a process that ended has counted."""
    if FOLDER:
        multiprocess.mark_process_dead(worker.pid)
