from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.utils.translation import gettext_lazy as _

from people.models import User


@cache
def time_zone_choices() -> list[tuple[str, str]]:
    """Return the choices of time zones, (name, label): UTC, and every zone whose name has a region and a place.

    Old short names are left out: each has such a zone too.
    """
    names = sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return [("UTC", "UTC"), *((name, name.replace("_", " ")) for name in names)]


class UniqueEmail(forms.ModelForm):
    """A form that refuses an e-mail address that another account has, in any case of letters."""

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if User.objects.filter(email__iexact=email).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(_("There is already an account with this e-mail address."), code="unique")
        return email


def time_zone_field(label: Any = None) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label or _("Time zone"),
        choices=time_zone_choices,
        initial="UTC",
        # Names of places in a database, the same in every language.
        widget=forms.Select(attrs={"translate": "no"}),
    )


class SignUpForm(UniqueEmail, UserCreationForm):
    """The form of a new account: name, e-mail address, password twice, time zone."""

    time_zone = time_zone_field()

    class Meta:
        model = User
        fields = ["username", "email"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].widget.attrs["autocomplete"] = "email"


class LeaveForm(forms.Form):
    """The form that deletes an account: the password, which the service checks, and whether the texts go too."""

    password = forms.CharField(
        label=_("Your password"), strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )
    delete_texts = forms.BooleanField(label=_("Delete what I wrote about matches as well"), required=False)
    sure = forms.BooleanField(label=_("I know that this cannot be undone"))


class AccountForm(UniqueEmail):
    """The form of what a person may change about their account, including mails and the ladder."""

    time_zone = time_zone_field()
    digest_hour = forms.TypedChoiceField(
        label=_("Hour of that mail"),
        coerce=int,
        choices=[(hour, f"{hour:02d}:00") for hour in range(24)],
        help_text=_("In your time zone."),
        required=False,
        empty_value=None,
    )

    class Meta:
        model = User
        fields = [
            "email",
            "time_zone",
            "mail_digest",
            "digest_hour",
            "mail_your_turn",
            "mail_reports",
            "mail_match_near",
            "ladder",
        ]

    def clean_digest_hour(self) -> int:
        """Return the hour that was chosen; without a choice, the current one."""
        chosen: int | None = self.cleaned_data["digest_hour"]
        return self.instance.digest_hour if chosen is None else chosen
