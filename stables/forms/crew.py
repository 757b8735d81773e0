"""The form in which an owner puts a crew together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

Choices = Sequence[tuple[str, str]]


class CrewForm(forms.Form):
    """A unit, a pilot, gear and rally cards from an address; what is not offered is not chosen."""

    unit = forms.ChoiceField(label=_("’Mech"), required=False)
    pilot = forms.ChoiceField(label=_("Pilot"), required=False)
    gear = forms.ChoiceField(label=_("Gear"), required=False)
    rally_card = forms.MultipleChoiceField(label=_("Rally cards"), required=False)

    def __init__(self, asked: QueryDict, choices: Mapping[str, Choices]) -> None:
        super().__init__(asked, auto_id="crew-%s", label_suffix="")
        for name, found in choices.items():
            is_many = name == "rally_card"
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.error_messages["invalid_choice"] = gettext("Something chosen here is not for sale now.")
            field.choices = list(found) if is_many else [("", "–"), *found]
            field.widget.attrs |= {"translate": "no"} | ({"size": "6"} if is_many else {})

    @property
    def chosen(self) -> dict[str, list[str]]:
        """The values that were chosen, by field, each once."""
        self.full_clean()
        found = {name: self.cleaned_data.get(name) or [] for name in self.fields}
        return {
            name: [value] if isinstance(value, str) else list(dict.fromkeys(value)) for name, value in found.items()
        }
