"""Read by gunicorn itself, which starts in this folder: no control socket, and the counts of requests that its
processes add up. Without PROMETHEUS_MULTIPROC_DIR each process counts for itself.
"""

import os
from pathlib import Path
from typing import Any

from prometheus_client import multiprocess

# Nobody asks it, and its place in the home folder is read-only in a container: each start would report an error.
control_socket_disable = True

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
