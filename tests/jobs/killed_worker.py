"""A worker process for the test that kills it: `python -m tests.jobs.killed_worker JOB ATTEMPT MARK MOMENT`.

It does one job of three steps, each of which asks for a `test.effect` job as its effect. At MOMENT, `before:N` or
`after:N` the commit of step N (or `never`), it creates the file MARK and waits to be killed.
"""

import os
import signal
import sys
from pathlib import Path

STEPS = ("1", "2", "3")


def main(job_id: int, attempt: int, mark: Path, moment: str) -> None:
    import django

    django.setup()
    from jobs import services
    from jobs.models import Job
    from jobs.registry import job
    from jobs.run import Run

    def pause_at(now: str) -> None:
        if now == moment:
            mark.touch()
            signal.pause()

    @job("test.three_steps")
    def three_steps(run: Run) -> None:
        for step in STEPS:

            def effect(step: str = step) -> str:
                Job.objects.create(name="test.effect", payload={"step": step}, last_attempt=1, state=Job.State.DONE)
                pause_at(f"before:{step}")
                return step

            run.once(step, effect)
            pause_at(f"after:{step}")

    print(services.run_job(job_id, attempt), flush=True)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "solaris_site.settings")
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])
