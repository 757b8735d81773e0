"""The form of a new collection: its name, and who may use it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalogue.models import Collection
from catalogue.services.collections import LONGEST_NAME
from rules.core.refusals import Malformed

# A collection of a season is made from the season's own page: only the season knows its organiser.
AUDIENCES = [choice for choice in Collection.Audience.choices if choice[0] != Collection.Audience.SEASON]


class CollectionForm(forms.Form):
    """A new collection, or what was typed. The service refuses a name that is empty or too long."""

    name = forms.CharField(
        label=_("Name"),
        required=False,
        widget=forms.TextInput(attrs={"maxlength": LONGEST_NAME, "required": True}),
    )
    audience = forms.ChoiceField(label=_("Who may use it in seasons"), required=False, choices=AUDIENCES)

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="collection-%s", label_suffix="")

    def asked(self) -> dict[str, str]:
        """Return name and audience. Without an answer the audience is the keeper alone.

        Raises Malformed (collection_name_missing, collection_audience).
        """
        if "name" in self.errors:
            raise Malformed("collection_name_missing", longest=LONGEST_NAME)
        if "audience" in self.errors:
            raise Malformed("collection_audience", audience=self["audience"].data)
        return {
            "name": self.cleaned_data["name"],
            "audience": self.cleaned_data["audience"] or Collection.Audience.KEEPER,
        }
