from datetime import datetime
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from people.models import User, Wording
from people.services import accounts, mails
from web.admin import FiltersShown
from web.tables import lines_of

admin.site.site_header = _("Solaris Circuit administration")
admin.site.site_title = _("Solaris Circuit")


@admin.register(User)
class PersonAdmin(admin.ModelAdmin):
    """Accounts to look at: nobody gets into another's account here, nor to another's hand, basket or line-up.

    It is not Django's own admin of users, which sets passwords. The staff may change whether somebody can log in, and
    superusers also who is staff and in which groups. Deleted accounts stay as they are.
    """

    list_display = ("username", "email", "is_active", "is_staff", "is_superuser", "last_login")
    list_filter = ("is_staff", "is_superuser", "is_active", "groups")
    search_fields = ("username", "email")
    ordering = ("username",)
    fields = (
        "username",
        ("email", "new_email"),
        "time_zone",
        "language",
        ("is_active", "is_staff", "is_superuser"),
        "groups",
        ("date_joined", "last_login", "left_at"),
    )
    readonly_fields = (
        "username",
        "email",
        "new_email",
        "time_zone",
        "language",
        "is_superuser",
        "date_joined",
        "last_login",
        "left_at",
    )
    filter_horizontal = ("groups",)
    actions = ("send_reset_mail",)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        may_give = bool(getattr(request.user, "is_superuser", False))
        return self.readonly_fields if may_give else (*self.readonly_fields, "is_staff", "groups")

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Allow only filters that the list shows: else an address could guess password hashes letter by letter."""
        return lookup.split("__")[0] in self.list_filter

    def has_add_permission(self, request: HttpRequest) -> bool:
        # People sign up, with a password that they alone know; the first superuser comes from the command.
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return (obj is None or obj.left_at is None) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        # Books and results keep their authors: an account is deleted on its own page, or deactivated here.
        return False

    @admin.action(description=_("Send the mail by which a forgotten password is replaced"), permissions=["change"])
    def send_reset_mail(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Mail each person a link for choosing a new password, to their own address."""
        count = 0
        for person in queryset.filter(left_at=None, is_active=True).exclude(email=""):
            try:
                accounts.count_attempt(accounts.RESETS_OF_A_MAILBOX, person.email)
            except accounts.TooOften:
                text = gettext("%(name)s was sent enough of these mails within the hour.")
                self.message_user(request, text % {"name": person.username}, messages.WARNING)
            else:
                count += mails.send_reset(person, request)
        self.message_user(
            request,
            ngettext("%(count)d mail sent.", "%(count)d mails sent.", count) % {"count": count},
            messages.SUCCESS if count else messages.WARNING,
        )


@admin.register(Wording)
class WordingAdmin(FiltersShown, admin.ModelAdmin):
    """Proposals of better wording: to look at, to mark as done, to delete, and to take along as a table."""

    list_display = ("language", "page", "text", "proposal", "remark", "created_at", "done_at")
    list_display_links = ("text",)
    list_filter: ClassVar[Any] = ("language", ("done_at", admin.EmptyFieldListFilter))
    search_fields = ("page", "text", "proposal", "remark")
    fields = ("language", "page", "text", "proposal", "remark", "user", ("created_at", "done_at"))
    actions = ("mark_as_done", "as_table")
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Wording | None = None) -> bool:
        """Let staff who may change proposals run the actions, and nobody rewrite what somebody proposed."""
        return obj is None and super().has_change_permission(request, obj)

    @admin.action(description=_("Mark as done"), permissions=["change"])
    def mark_as_done(self, request: HttpRequest, queryset: QuerySet[Wording]) -> None:
        queryset.filter(done_at=None).update(done_at=timezone.now())

    @admin.action(description=_("As a table (CSV)"))
    def as_table(self, request: HttpRequest, queryset: QuerySet[Wording]) -> HttpResponse:
        """Send the selected proposals as a file for spreadsheets, without who proposed them."""
        head = ("language", "page", "text", "proposal", "remark", "sent", "done")
        rows = (
            (
                each.language,
                each.page,
                each.text,
                each.proposal,
                each.remark,
                *map(_written, (each.created_at, each.done_at)),
            )
            for each in queryset
        )
        answer = HttpResponse(b"".join(lines_of(head, rows)), content_type="text/csv; charset=utf-8")
        answer.headers["Content-Disposition"] = 'attachment; filename="better-wording.csv"'
        return answer


def _written(at: datetime | None) -> str:
    return "" if at is None else at.isoformat(timespec="seconds")
