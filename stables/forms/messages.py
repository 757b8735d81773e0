"""The forms of what organisers write: the season's own page, and a message to all."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from stables.forms.coded import CodedForm
from stables.services.season.messages import LONGEST_MESSAGE, LONGEST_PAGE


class PageForm(CodedForm):
    """The season's own page."""

    text = forms.CharField(
        label=_("Place, time, prizes: what everybody should know"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "maxlength": LONGEST_PAGE}),
        help_text=_("Markdown: # a heading, * a point of a list, **bold**, [a link](https://…). Empty: no page."),
    )
    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)


class MessageForm(CodedForm):
    """A message to all."""

    text = forms.CharField(
        label=_("Message"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": LONGEST_MESSAGE}),
    )
