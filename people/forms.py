from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, UserCreationForm
from django.utils.translation import gettext_lazy as _

from people.models import User, Wording
from people.selectors import is_taken
from people.services.mails import are_sent
from web.languages import offer
from web.names import NamesSelect, is_visible
from web.own_pages import own_page


@cache
def time_zone_choices() -> list[tuple[str, str]]:
    """Return the choices of time zones, (name, label): UTC, and every zone whose name has a region and a place.

    Old short names are left out: each has such a zone too.
    """
    names = sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return [("UTC", "UTC"), *((name, name.replace("_", " ")) for name in names)]


LONGEST_ADDRESS = 254


def time_zone_field(label: Any = None) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label or _("Time zone"),
        choices=time_zone_choices,
        initial="UTC",
        # Names of places in a database, the same in every language.
        widget=forms.Select(attrs={"translate": "no"}),
    )


def language_field(label: Any, empty: Any) -> forms.ChoiceField:
    """Return the field of one of the offered languages; `empty` is the words for no choice, whose value is ""."""
    return forms.ChoiceField(
        label=label,
        choices=lambda: [("", empty), *offer.choices()],
        required=False,
        widget=NamesSelect,
    )


def address_field(label: Any, help_text: Any = "") -> forms.EmailField:
    """Return the field of an e-mail address. It takes one that another account has: nobody may learn that here."""
    widget = forms.EmailInput(attrs={"autocomplete": "email"})
    return forms.EmailField(label=label, help_text=help_text, max_length=LONGEST_ADDRESS, widget=widget)


def password_field() -> forms.CharField:
    """Return the field of the password of the person who is logged in; the view checks it."""
    widget = forms.PasswordInput(attrs={"autocomplete": "current-password"})
    return forms.CharField(label=_("Your password"), strip=False, widget=widget)


class SignUpForm(UserCreationForm):
    """The form of a new account: name, e-mail address if they like, password twice, language, time zone."""

    email = address_field(
        _("E-mail address"),
        _(
            "You can leave it empty. It is for a new password when you forget yours, and for mails when it is your "
            "turn. We send a link there to confirm it."
        ),
    )
    language = forms.ChoiceField(label=_("Language"), choices=offer.choices, required=False, widget=NamesSelect)
    time_zone = time_zone_field()
    field_order = ("username", "email")

    class Meta:
        model = User
        fields = ["username"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].required = False
        self.fields["username"].help_text = _("Other players read it. Letters, digits and @ . + - _ are allowed.")
        self.fields["password1"].help_text = _("At least 8 characters, not only digits, and nothing that many use.")
        self.fields["password2"].help_text = ""
        if not are_sent():
            self.fields["email"].help_text = _("This site sends no mails. You can leave it empty.")
        if len(offer.offered()) == 1:
            del self.fields["language"]

    def clean_username(self) -> str:
        """Refuse a name without anything to see, and one that looks like another account's or differs only in case."""
        # As it is stored: compatible forms folded, which may change the look.
        username = User.normalize_username(self.cleaned_data["username"])
        if not is_visible(username):
            raise forms.ValidationError(_("A name needs a sign that can be seen."), code="invisible")
        if is_taken(username):
            problem = _("There is already an account with this name, or with one that looks the same.")
            raise forms.ValidationError(problem, code="unique")
        return username

    def clean_email(self) -> str:
        """Keep the address on the account that is not stored yet, so that no password may be like it."""
        email: str = self.cleaned_data["email"]
        self.instance.email = email
        return email


class ChangePasswordForm(PasswordChangeForm):
    """The form of a new password: the old one, the new one twice, and whether what opens things without it ends too."""

    end_tokens = forms.BooleanField(
        label=_("End all my tokens for programs, addresses of calendars and links to stables"),
        required=False,
        help_text=_("Do so if somebody else may know your password: these open things without it."),
    )


class AddressForm(forms.Form):
    """The form of a new e-mail address for an account."""

    email = address_field(_("New e-mail address"))
    password = password_field()


class LeaveForm(forms.Form):
    """The form that deletes an account: the password, which the service checks, and whether the texts go too."""

    password = password_field()
    delete_texts = forms.BooleanField(label=_("Delete what I wrote about matches as well"), required=False)
    sure = forms.BooleanField(label=_("I know that this cannot be undone"))


class WordingForm(forms.ModelForm):
    """The form of better words for a text: the language, the page, the words there, the proposal, and a remark."""

    language = forms.ChoiceField(
        label=_("Language"),
        choices=lambda: [choice for choice in offer.choices() if choice[0] != offer.ENGLISH],
        widget=NamesSelect,
    )

    class Meta:
        model = Wording
        fields = ["language", "page", "text", "proposal", "remark"]
        labels = {
            "page": _("Page"),
            "text": _("The words as they stand"),
            "proposal": _("Better words"),
            "remark": _("Remark"),
        }
        help_texts = {
            "page": _("Its address on this site. You can leave it empty."),
            "remark": _("Why your words are better. You can leave it empty."),
        }
        widgets = {name: forms.Textarea(attrs={"rows": 3}) for name in ("text", "proposal", "remark")}

    def clean_page(self) -> str:
        """Return the path of a page of this site, without its secrets; "" for none."""
        typed: str = self.cleaned_data["page"]
        page = own_page(typed) if typed else ""
        if page is None:
            raise forms.ValidationError(_("This site has no such page."), code="page")
        return page


class AccountForm(forms.ModelForm):
    """The form of what a person may change about their account, including mails and the ladder."""

    time_zone = time_zone_field()
    language = language_field(_("Language"), _("As your browser asks"))
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
            "time_zone",
            "language",
            "mail_digest",
            "digest_hour",
            "mail_your_turn",
            "mail_dates",
            "mail_reports",
            "mail_match_near",
            "mail_messages",
            "mail_organising",
            "ladder",
            "discord_id",
        ]
        widgets = {"discord_id": forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(offer.offered()) == 1:
            del self.fields["language"]
        elif not offer.is_offered(self.initial["language"]):
            self.initial["language"] = ""

    def clean_digest_hour(self) -> int:
        """Return the hour that was chosen; without a choice, the current one."""
        chosen: int | None = self.cleaned_data["digest_hour"]
        return self.instance.digest_hour if chosen is None else chosen
