"""The form of the market's filters, and what of a market's address is kept when something is bought."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules.campaign.classes import WEIGHT_CLASSES
from rules.campaign.market.prices import ASSET_KINDS
from rules.solaris.cards import HAND_SIZE
from stables.text import names as words

LONGEST_SEARCH = 60
LONGEST_QUERY = 1000
EVERYTHING = "all"
MOST_COMPARED = 4
"""How many units stand side by side."""

KEPT = ("kind", "class", "q", "shelf", "afford", "sort", "page", "compare", "view")
"""The parameters of a market's address that its forms and links keep."""

OF_CREW = ("unit", "pilot", "gear", "rally_card")
"""Those of the crew builder."""

SORTS = {
    "price": _("price"),
    "name": _("name"),
    "arc": _("front arc"),
    "primary": _("primary damage"),
    "secondary": _("secondary damage"),
    "speed": _("speed"),
    "attack": _("attack"),
    "defense": _("defense"),
    "clicks": _("clicks"),
}
"""What goods are sorted by. With "-" before it the most comes first; all except price and name are of units alone."""


def _sorts() -> list[tuple[str, str]]:
    found = [("", gettext("number"))]
    for key, label in SORTS.items():
        if key != "name":
            found.append((f"-{key}", gettext("{value}, most first").format(value=label)))
        found.append((key, str(label) if key == "name" else gettext("{value}, least first").format(value=label)))
    return [*found, ("-name", gettext("name, backwards"))]


def kept_query(query: QueryDict) -> str:
    """Return what of an address of the market or the crew builder their forms keep, as a query without the "?".

    "" if it is longer than usual.
    """
    kept = QueryDict(mutable=True)
    several = {"compare": MOST_COMPARED, "rally_card": HAND_SIZE}
    for name in (*KEPT, *OF_CREW):
        if name in query:
            values = query.getlist(name)
            kept.setlist(name, values[: several[name]] if name in several else values[-1:])
    text = kept.urlencode()
    return text if len(text) <= LONGEST_QUERY else ""


class MarketFilter(forms.Form):
    """The filters of the market from an address; an unknown word filters nothing.

    Without a class in the address the class is `usual_class`, without a known kind it is that of the ’Mechs.
    """

    kind = forms.ChoiceField(
        label=_("Kind"),
        required=False,
        choices=lambda: [
            *((kind, words.word(words.ASSET_KINDS, kind)) for kind in ASSET_KINDS),
            (EVERYTHING, _("everything")),
        ],
    )
    q = forms.CharField(
        label=_("Name or number"),
        required=False,
        max_length=LONGEST_SEARCH,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    sort = forms.ChoiceField(label=_("Sort by"), required=False, choices=_sorts)
    afford = forms.BooleanField(label=_("Only what I can buy or have"), required=False)
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
        """The values of kind, class, q, sort, afford and shelf as texts; "" lets everything pass."""
        self.full_clean()
        names = ("kind", "class", "q", "sort", "afford", "shelf")
        wanted = {name: str(self.cleaned_data.get(name) or "") for name in names}
        kind = wanted["kind"] or ASSET_KINDS[0]
        return wanted | {
            "kind": kind.removeprefix(EVERYTHING),
            "class": wanted["class"].removeprefix("all"),
            "q": " ".join(wanted["q"].split()),
        }
