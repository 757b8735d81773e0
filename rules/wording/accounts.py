"""The sentences of refusals about accounts, tokens, jobs and studies."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop, ngettext_noop

REFUSALS: Mapping[str, str] = {
    # Accounts and jobs.
    "account_taken": gettext_noop("There is already an account with the name {username} or with this e-mail address."),
    "address_taken": gettext_noop("Another account has confirmed this e-mail address in the meantime."),
    "password_wrong": gettext_noop("This is not the password of the account."),
    "only_organiser": gettext_noop(
        "Nobody else organises {season}. Name a co-organiser on its console first, who then leads it, or cancel it."
    ),
    "title_waits_for_you": gettext_noop(
        "{stable} is tied for a title of {season}. Fight the sudden death first, or wait until it is decided."
    ),
    "too_often": ngettext_noop(
        "This was asked too often from here. Try again in {minutes} minute.",
        "This was asked too often from here. Try again in {minutes} minutes.",
        by="minutes",
    ),
    "token_name_taken": gettext_noop("You have a token named {name} already. Give this one another name."),
    "too_many_tokens": gettext_noop("You have {most} tokens, and there can be no more. Revoke one first."),
    "unknown_token": gettext_noop("You have no such token."),
    "request_at_work": gettext_noop("A request with this idempotency key is still at work. Ask again in a moment."),
    "job_not_failed": gettext_noop("Only a failed job can be restarted, and job {job} is not failed."),
    # Studies, by processes of this machine and on workers.
    "study_processes_died": gettext_noop(
        "Processes that played the study were killed {times} times in a row, as they are when memory runs out; "
        "{done} of {parts} parts were done. Look what ended them, or use fewer processes (--jobs)."
    ),
    "study_needs_servers": gettext_noop(
        "Workers can share a study only by servers: CELERY_BROKER_URL must name Redis or RabbitMQ, and "
        "CELERY_RESULT_BACKEND a Redis. Without them use processes of this machine (--jobs)."
    ),
    "study_servers_gone": gettext_noop(
        "The queue or the place of the results does not answer. See that both servers run, and ask again."
    ),
    "study_no_workers": gettext_noop(
        "No worker that takes parts of studies answers (queue {queue}). Start one, or use processes of this machine "
        "(--jobs)."
    ),
    "study_too_slow": gettext_noop(
        "After {seconds} seconds {done} of {parts} parts were done; the study was called back. Start more workers, or "
        "allow a longer time."
    ),
    "study_part_failed": gettext_noop("The part of {work} that begins with number {first} failed: {error}."),
    "study_not_merged": gettext_noop(
        "The answers of the study's parts could not be put together, so nothing was kept: {error}. "
        "Where one part came to two results, look whether all workers run the same version."
    ),
    "study_other_code": gettext_noop(
        "A worker has other rules than this command, so its play-outs would differ. Bring all to one version and start "
        "the workers anew."
    ),
}
