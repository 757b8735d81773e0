from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from people.models import User
from people.services import accounts, mails

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
