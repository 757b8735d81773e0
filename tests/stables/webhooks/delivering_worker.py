"""A worker that a test kills while it posts: `python -m tests.stables.webhooks.delivering_worker JOB ATTEMPT`."""

import os
import sys


def main(job_id: int, attempt: int) -> None:
    import django

    django.setup()
    from jobs import services
    from tests.stables.webhooks.receiver import be_patient

    be_patient(setattr)
    print(services.run_job(job_id, attempt), flush=True)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "solaris_site.settings")
    main(int(sys.argv[1]), int(sys.argv[2]))
