"""The form that takes an event's document."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class DocumentForm(forms.Form):
    """A document that this site or another laptop wrote."""

    file = forms.FileField(
        label=_("Document of an event"),
        help_text=_("The file that the log offers, or that was written to the second place. JSON."),
    )
