"""The jobs for the staff: what ran, what failed and why. Superusers can restart failed jobs; nobody can edit any."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from jobs import services
from jobs.models import Job, JobStep
from web.admin import ReadOnly, ReadOnlyAdmin


class JobStepInline(ReadOnly, admin.TabularInline):
    model = JobStep
    # Outputs stay out: a step may hold what is sealed until its reveal.
    fields = ("name", "attempt", "created_at")
    readonly_fields = ("name", "attempt", "created_at")


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = ["id", "name", "state", "attempt", "created_at", "finished_at", "error_code"]
    list_filter = ["state", "name"]
    search_fields = ["name", "unique_key", "error_code"]
    # The payload stays out for the same reason as the outputs.
    fields = (
        ("name", "unique_key", "turn"),
        ("state", "attempt", "last_attempt"),
        ("lease_until", "not_before", "woken_at"),
        "planned",
        ("created_at", "started_at", "finished_at"),
        "error_code",
        "error_text",
    )
    inlines = [JobStepInline]
    actions = ["restart"]

    @admin.action(description=_("Restart the selected failed jobs"), permissions=["restart"])
    def restart(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        count = 0
        for job in queryset.filter(state=Job.State.FAILED):
            services.restart(job)
            count += 1
        self.message_user(
            request,
            ngettext("%(count)d job restarted.", "%(count)d jobs restarted.", count) % {"count": count},
            messages.SUCCESS if count else messages.WARNING,
        )

    def has_restart_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)
