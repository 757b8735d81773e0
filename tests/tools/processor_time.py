"""Run a command and print the processor time that it took: `make test` and `.ci/run` end with that figure.

    python -m tests.tools.processor_time COMMAND [ARGUMENT...]

Counts user and system time of the command and of every process below it that has ended, also of those whose parent
died first (on Linux). Servers that ran before are not below it: their share shows in what the whole machine spent.
"""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Become the parent of processes below this one whose own parent dies; does nothing where the system cannot."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def run(command: list[str]) -> int:
    """Run a command, collect every process below it that ends meanwhile, and return its exit status."""
    child = subprocess.Popen(command)
    while True:
        pid, status = os.wait()
        if pid == child.pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            break
    while _collect_one():
        pass
    return child.returncode


def _collect_one() -> bool:
    """Collect an orphan that has ended; False when there is none."""
    try:
        pid, _ = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    return pid != 0


def machine_seconds() -> float | None:
    """Return what all processors of this machine have worked since it started, None where the system does not say."""
    try:
        first = Path("/proc/stat").read_text(encoding="ascii").partition("\n")[0]
    except OSError:
        return None
    user, nice, system = map(int, first.split()[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def spoken(seconds: float) -> str:
    """Return a time in minutes and seconds: `9 min 05 s`."""
    return f"{int(seconds) // 60} min {int(seconds) % 60:02d} s"


def main() -> int:
    """Run the command of the arguments; return its exit status."""
    adopt_orphans()
    began, machine_began = time.monotonic(), machine_seconds()
    status = run(sys.argv[1:])
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    machine_ended = machine_seconds()
    sentence = f"Processor time: {spoken(used.ru_utime + used.ru_stime)} (user {used.ru_utime:.0f} s, "
    sentence += f"system {used.ru_stime:.0f} s); elapsed time {spoken(time.monotonic() - began)}"
    if machine_began is not None and machine_ended is not None:
        sentence += f"; the whole machine {spoken(machine_ended - machine_began)}"
    print(f"{sentence}.", flush=True)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
