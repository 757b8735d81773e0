"""The form that takes the address to which the news of an event go."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from webhooks.addresses import LONGEST


class WebhookForm(forms.Form):
    """An outside address. What may be asked is checked by the service."""

    url = forms.CharField(
        label=_("Address"),
        max_length=LONGEST,
        help_text=_("It begins with https:// and leads to a public place."),
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"}),
    )
