"""The form of a webhook: its address, the format of its documents, and which news it gets."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from people.forms import language_field
from rules.core.refusals import SeasonRefused
from stables.forms.coded import CodedForm
from stables.models import Season, Webhook
from stables.text import webhook_kinds
from web.languages import offer
from webhooks.addresses import LONGEST


class LanguageForm(CodedForm):
    """The language of what a season posts, "" for that of its organiser."""

    def __init__(self, season: Season | None = None, data: QueryDict | None = None) -> None:
        chosen = "" if season is None or not offer.is_offered(season.language) else season.language
        super().__init__(data, initial={"language": chosen}, auto_id="posts-%s", label_suffix="")
        self.fields["language"] = language_field(_("Language of what the season posts"), _("That of the organiser"))


class WebhookForm(CodedForm):
    """A new webhook, the `known` one to change, or the typed `data`. The codes count only if `everything` is empty."""

    url = forms.CharField(
        label=_("Address"),
        # The service refuses a longer address with its own code, as it does for programs.
        widget=forms.URLInput(
            attrs={"maxlength": LONGEST, "autocomplete": "off", "spellcheck": "false", "placeholder": "https://"}
        ),
        help_text=_(
            "A public https:// address. Who knows it may be able to post there, so it is shown to the organisers alone."
        ),
    )
    format = forms.ChoiceField(
        label=_("Format"),
        choices=Webhook.Format.choices,
        help_text=_(
            "Discord gets one message for the matches of a round. It mentions people who must act, if their account "
            "has a Discord user id. Programs get one document for each piece of news."
        ),
    )
    everything = forms.BooleanField(
        label=_("Everything that the log of the season tells"),
        required=False,
        widget=forms.CheckboxInput(attrs={"value": "yes"}),
    )
    code = forms.MultipleChoiceField(
        required=False, choices=lambda: [(code, code) for code in webhook_kinds.all_codes()]
    )

    def __init__(self, known: Webhook | None = None, data: QueryDict | None = None) -> None:
        shown: dict[str, Any] = {"everything": True, "code": []}
        if known is not None:
            shown = {"url": known.url, "format": known.format, "everything": not known.codes, "code": known.codes}
        super().__init__(data, initial=shown, auto_id="webhook-%s", label_suffix="")

    @property
    def groups(self) -> list[webhook_kinds.Group]:
        """All kinds of news in groups, to choose from."""
        return webhook_kinds.groups()

    def asked(self) -> dict[str, Any]:
        """Return url, format and codes; no codes mean everything.

        Raises SeasonRefused (webhook_nothing_chosen), Malformed (bad_field).
        """
        sent = self.read()
        if not sent["everything"] and not sent["code"]:
            raise SeasonRefused("webhook_nothing_chosen")
        return {"url": sent["url"], "format": sent["format"], "codes": [] if sent["everything"] else sent["code"]}
