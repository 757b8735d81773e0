"""Durable work: a Job row is the truth about a piece of work, a JobStep row about a part of it that is done.

Only `jobs.services`, `jobs.runner` and `jobs.run` write here. Others may delete rows of jobs
that are done, and of those that a person leaves behind.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """One piece of work for the function registered under `name`.

    `attempt` is the number of the present attempt, from 1. Each new attempt has the next number, except after the
    function has put the job off. The number is a fence: a worker of an older attempt can commit nothing.

    `turn` names those for whom the work is done: workers take the names in turn. There is one row for each
    `unique_key`; it is None for jobs that may be asked for again. `started_at` is when the
    last attempt began, None before the first. `finished_at` is None unless the job is done or failed.

    `not_before` and `lease_until` are database time. No worker takes a queued job before `not_before`; None: at once.
    `lease_until` is None unless the job is running. `planned` is the number of steps that the function announced, so
    that people see how far it is; None before that.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    name = models.CharField(_("name"), max_length=100)
    payload = models.JSONField(_("payload"), default=dict, blank=True)
    unique_key = models.CharField(_("unique key"), max_length=200, unique=True, null=True, blank=True)
    turn = models.CharField(
        _("turn"), max_length=100, blank=True, default="", help_text=_("Workers take jobs by turns of these names.")
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.QUEUED)
    attempt = models.PositiveIntegerField(_("attempt"), default=1)
    last_attempt = models.PositiveIntegerField(
        _("last attempt"), help_text=_("The attempt after which the job counts as failed.")
    )
    lease_until = models.DateTimeField(_("lease until"), null=True, blank=True)
    not_before = models.DateTimeField(_("not before"), null=True, blank=True)
    woken_at = models.DateTimeField(
        _("woken at"), null=True, blank=True, help_text=_("When workers were last told of this job.")
    )
    planned = models.PositiveIntegerField(_("planned steps"), null=True, blank=True)
    error_code = models.CharField(_("error code"), max_length=100, blank=True)
    error_text = models.TextField(_("error text"), blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    started_at = models.DateTimeField(_("started at"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ["id"]
        indexes = [
            # Done jobs only accumulate; queries look for the few others. Not a partial index: SQLite would use it only
            # for a query that repeats its condition word by word.
            models.Index(fields=["state", "id"], name="jobs_by_state"),
            # When a turn was last taken, without a look at all its done jobs.
            models.Index(fields=["turn", "started_at"], name="jobs_by_turn"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(state="running") | models.Q(lease_until__isnull=False),
                name="jobs_running_has_lease",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} #{self.pk}"


class JobStep(models.Model):
    """A part of a job that is done, with its output; written in the transaction that did it."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="steps", verbose_name=_("job"))
    name = models.CharField(_("name"), max_length=150)
    output = models.JSONField(_("output"), null=True, blank=True)
    attempt = models.PositiveIntegerField(_("attempt"))
    created_at = models.DateTimeField(_("done at"), auto_now_add=True)

    class Meta:
        verbose_name = _("job step")
        verbose_name_plural = _("job steps")
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["job", "name"], name="jobs_step_once")]

    def __str__(self) -> str:
        return self.name
