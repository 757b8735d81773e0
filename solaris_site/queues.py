"""What the queue that notifies workers needs of its transport, by its address."""

from __future__ import annotations

from pathlib import Path
from typing import Any

OF_FILES = "jobs.file_queue:Transport"


def default_address(has_file_locks: bool) -> str:
    """Return the address of the queue for a site that names none: files, or no queue where nothing can lock them."""
    return "filesystem://localhost/" if has_file_locks else "memory://localhost/"


def transport_options(address: str, folder: Path, seconds: int, prefix: str) -> dict[str, Any]:
    """Return the options of the transport: of the queue of files below `folder`, or of a Redis whose keys get `prefix`.

    `seconds` is the time for a connection. One short try is enough for people who wait; workers try on.
    """
    options: dict[str, Any] = {"max_retries": 0}
    if address.startswith("filesystem:"):
        options |= {
            "data_folder_in": str(folder / "queue"),
            "data_folder_out": str(folder / "queue"),
            "control_folder": str(folder / "control"),
            "polling_interval": 0.1,
        }
    elif address.startswith(("redis:", "rediss:")):
        # Redis returns a killed worker's message only after this timeout and a scan; the job lease does not wait for
        # it.
        options |= {
            "socket_connect_timeout": seconds,
            "visibility_timeout": 900,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            # Two sites on one Redis need two prefixes.
            "global_keyprefix": prefix,
        }
    return options
