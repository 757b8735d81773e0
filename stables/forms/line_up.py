"""The form of a line-up: for each ’Mech a crew and a hand of rally cards, then the target tokens.

A crew is written "unit-pilot-gear" with ids of assets: "12-34" with all gear that the garage put on, "12-" without a
pilot, "12-34-56.57" with only the gear 56 and 57, "12-34-0" without its gear.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules.campaign.line_ups.tokens import TOKENS_PER_SIDE
from rules.solaris.cards import HAND_SIZE
from stables.services.line_ups.sealing import CrewChoice
from stables.services.line_ups.stand_ins import Choice
from web.reading import number_of, text_of

CREWS = ("crew", "crew_2")
"""The fields of the crews, in the order of the ’Mechs."""


def hand_of(place: int, size: int = HAND_SIZE) -> list[str]:
    """Return the names of the fields of a hand of `size` cards, for the first ’Mech (place 0) or the second (1)."""
    return [f"hand_{HAND_SIZE * place + number}" for number in range(1, size + 1)]


def written(unit_id: int, pilot_id: int | None, gear: Iterable[int] | None) -> str:
    """Return the text of a crew for its field; empty or None `gear` means that all gear stays at home."""
    return f"{unit_id}-{pilot_id or ''}-{'.'.join(map(str, gear or ())) or 0}"


@dataclass(frozen=True)
class TokenOption:
    """A target token to choose: its id, what it is in one line of text, and its worth in reputation."""

    key: str
    text: str
    worth: int


class TokenSelect(forms.Select):
    """A choice of target tokens. Each option has its worth, which `js/worth.js` adds up."""

    def __init__(self, worths: Mapping[str, int]) -> None:
        super().__init__(attrs={"translate": "no", "aria-describedby": "line-up-tokens-help"})
        self.worths = worths

    def create_option(self, name: str, value: Any, *others: Any, **keys: Any) -> dict[str, Any]:
        """Return an option with its worth."""
        option: dict[str, Any] = super().create_option(name, value, *others, **keys)
        option["attrs"]["data-worth"] = self.worths[value]
        return option


class LineUpForm(forms.Form):
    """A line-up of `size` ’Mechs with choices from `crews`, `cards` and `tokens`: `chosen` filled in, or `data`.

    A hand shows `hand_size` cards. The form asks for as many tokens as `chosen` has, and for none without it.
    """

    def __init__(
        self,
        data: Mapping[str, str] | None,
        crews: Sequence[tuple[str, Any]],
        cards: Sequence[tuple[int, str]],
        tokens: Sequence[TokenOption],
        chosen: Choice | None,
        *,
        size: int,
        hand_size: int,
    ) -> None:
        super().__init__(data, auto_id="line-up-%s", label_suffix="")
        self.hands = [hand_of(place, hand_size) for place in range(size)]
        for place, name in enumerate(CREWS[:size]):
            label = _("Second ’Mech, pilot and gear (points)") if place else _("’Mech, pilot and gear (points)")
            self._offer(name, label, [("", "–"), *crews] if place else crews, is_required=not place)
            for number, card in enumerate(self.hands[place], 1):
                self._offer(card, _("Card %(number)s") % {"number": number}, [("", "–"), *cards])
        self.worths = {token.key: token.worth for token in tokens}
        for number, token in enumerate(chosen.tokens if chosen is not None else (), 1):
            name = f"token_{number}"
            self.fields[name] = forms.ChoiceField(
                label=_("Token %(number)s") % {"number": number},
                choices=[(each.key, each.text) for each in tokens],
                widget=TokenSelect(self.worths),
            )
            self.initial[name] = token
        for place, crew in enumerate(chosen.crews[:size] if chosen is not None else ()):
            self.initial[CREWS[place]] = written(crew.unit_id, crew.pilot_id, crew.gear_ids)
            self.initial.update(zip(self.hands[place], crew.hand_ids, strict=False))

    def _offer(self, name: str, label: Any, choices: Sequence[tuple[Any, str]], *, is_required: bool = False) -> None:
        select = forms.Select(attrs={"translate": "no"})
        self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=is_required, widget=select)

    @property
    def places(self) -> list[tuple[forms.BoundField, list[forms.BoundField]]]:
        """The field of the crew and the fields of the hand, for each ’Mech."""
        return [(self[name], [self[card] for card in hand]) for name, hand in zip(CREWS, self.hands, strict=False)]

    @property
    def tokens(self) -> list[forms.BoundField]:
        """The fields of the target tokens."""
        return [self[name] for name in self.fields if name.startswith("token_")]

    @property
    def tokens_worth(self) -> int:
        """The worth of the target tokens in the form together; one that nobody knows counts for nothing."""
        return sum(self.worths.get(field.value(), 0) for field in self.tokens)


def crews_of(typed: Mapping[str, Any]) -> list[CrewChoice]:
    """Return the typed crews with their hands.

    Raises Malformed (not_a_number, also for a missing first crew; bad_field).
    """
    return [_crew(typed, name, place) for place, name in enumerate(CREWS) if typed.get(name) or not place]


def _crew(typed: Mapping[str, Any], name: str, place: int) -> CrewChoice:
    unit, pilot, gear = (*text_of(typed, name).split("-", 2), "", "")[:3]
    listed = [number_of({"gear": each}, "gear") for each in gear.split(".")] if gear else None
    hand = [number_of(typed, card) for card in hand_of(place) if typed.get(card)]
    return CrewChoice(
        number_of({"unit": unit}, "unit"),
        number_of({"pilot": pilot}, "pilot") if pilot else None,
        None if listed is None else tuple(each for each in listed if each),
        tuple(hand),
    )


def tokens_of(typed: Mapping[str, Any]) -> list[str]:
    """Return the typed target tokens. Raises Malformed (bad_field)."""
    names = [f"token_{number}" for number in range(1, TOKENS_PER_SIDE + 1)]
    return [text_of(typed, name) for name in names if typed.get(name)]
