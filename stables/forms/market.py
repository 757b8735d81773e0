"""The form of the market's filters."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms
from django.utils.translation import gettext_lazy as _

from rules.campaign.classes import WEIGHT_CLASSES
from rules.campaign.market.prices import ASSET_KINDS
from stables.text import names as words

LONGEST_SEARCH = 60


class MarketFilter(forms.Form):
    """The filters of the market from an address; an unknown word filters nothing.

    Without a class in the address the class is `usual_class`.
    """

    kind = forms.ChoiceField(
        label=_("Kind"),
        required=False,
        choices=lambda: [("", _("everything")), *((kind, words.word(words.ASSET_KINDS, kind)) for kind in ASSET_KINDS)],
    )
    q = forms.CharField(
        label=_("Name or number"),
        required=False,
        max_length=LONGEST_SEARCH,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    shelf = forms.BooleanField(label=_("Only units on my shelf"), required=False)

    def __init__(self, asked: Mapping[str, str], usual_class: str, *, has_shelf: bool) -> None:
        super().__init__({"class": usual_class, **asked}, auto_id="market-%s", label_suffix="")
        classes = [("all", _("all classes")), *((name, words.word(words.CLASSES, name)) for name in WEIGHT_CLASSES)]
        self.fields["class"] = forms.ChoiceField(label=_("Class"), required=False, choices=classes)
        self.order_fields(["kind", "class"])
        if not has_shelf:
            del self.fields["shelf"]

    @property
    def wanted(self) -> dict[str, str]:
        """The values of kind, class, q and shelf as texts; "" lets everything pass."""
        self.full_clean()
        wanted = {name: str(self.cleaned_data.get(name) or "") for name in ("kind", "class", "q", "shelf")}
        return wanted | {"class": wanted["class"].removeprefix("all"), "q": " ".join(wanted["q"].split())}
