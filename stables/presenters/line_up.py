"""The form of a line-up: what its owner may field in the match that calls for one, or keep for later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Prefetch
from django.utils.translation import gettext

from catalogue.text import labels
from rules.campaign.line_ups.checks import Crew as OwnedCrew
from rules.campaign.line_ups.checks import MatchTerms, crews, must_play
from rules.campaign.line_ups.stand_ins import Wish
from rules.campaign.states import FIXTURE
from rules.core.pilot_costs import pilot_points
from rules.solaris.cards import HAND_SIZE
from rules.wording.isolation import name_of
from stables.forms.line_up import LineUpForm, TokenOption, written
from stables.models import Asset, Crew, CrewCard, Fixture, FixtureSide, LineUp, SavedLineUp, Stable
from stables.presenters.market.assets import rally_card_description
from stables.selectors.assets import Holding
from stables.selectors.definitions import catalogue_of, definition_of
from stables.selectors.seeds import fixture_commitment
from stables.selectors.windows import Window
from stables.services.line_ups.saved import mended_holding, terms_by_name
from stables.services.line_ups.sealing import called_of, token_choices
from stables.services.line_ups.stand_ins import Choice, choice_by_wish, proposed_to, saved_wish
from stables.text import names as words
from web.languages.words import sort_key

Typed = Mapping[str, str] | None

FEW = 8
"""The most crews that a select shows in one row; more stand in a group for each unit."""


def line_up_form(stable: Stable, window: Window, typed: Typed = None) -> dict[str, Any] | None:
    """Return what the owner may field in the match that calls for a line-up, or what they handed in.

    None when no match calls for a line-up. The form shows `typed`, the fields of a refused answer, again. At most
    seven queries.
    """
    side = called_side(stable, window)
    if side is None:
        return None
    fixture = side.fixture
    facts = {
        "round": window.next_round,
        "fixture": fixture,
        "commitment": fixture_commitment(stable.season, window.cycle, window.next_round, fixture.number),
    }
    if hasattr(side, "line_up"):
        can_take_back = FIXTURE.may("take_back", fixture.state)
        return facts | {"sealed": sealed_view(stable, side.line_up), "can_take_back": can_take_back}
    sides = list(FixtureSide.objects.filter(fixture=fixture))
    called = called_of(fixture, side, stable, sides)
    fitting = crews(called.holding.units.values(), called.holding.pilots.values(), called.terms)
    is_duty = must_play(called.holding.units.values(), called.holding.pilots.values(), called.terms)
    form = _form(stable, called.holding, called.terms, fitting, proposed_to(called), typed)
    return facts | form | {"may_forfeit": not is_duty, "class": window.match_class, "format": window.format}


def called_side(stable: Stable, window: Window) -> FixtureSide | None:
    """Return the stable's side of the match that calls for a line-up, or has it already; None when there is none.

    At most one query.
    """
    if window.is_market or window.in_break:
        return None
    return (
        FixtureSide.objects.filter(stable=stable, fixture__kind=Fixture.Kind.MATCH, forfeits="")
        .filter(fixture__round__number=window.next_round, fixture__round__cycle__number=window.cycle)
        .exclude(fixture__state=Fixture.State.SETTLED)
        .select_related("fixture__round__cycle__season__release", "line_up")
        .first()
    )


def saved_form(
    stable: Stable, match_class: str, format_name: str, saved: SavedLineUp | None, typed: Typed = None
) -> dict[str, Any]:
    """Return the form of a line-up kept for matches of a class and format, as if all units were repaired; one query.

    The form shows `typed`, the fields of a refused answer, again. `saved` is the line-up kept so far, None without
    one. Raises Malformed (bad_field) for an unknown class or format.
    """
    terms = terms_by_name(stable.season, match_class, format_name)
    holding = mended_holding(stable)
    fitting = crews(holding.units.values(), holding.pilots.values(), terms)
    wish = saved_wish(saved.document, holding) if saved is not None else Wish()
    chosen = choice_by_wish(wish, fitting, terms, holding, token_choices(stable.season, terms))
    names = {
        "class": match_class,
        "format": format_name,
        "class_name": words.word(words.CLASSES, match_class),
        "format_name": words.word(words.FORMATS, format_name),
    }
    return _form(stable, holding, terms, fitting, chosen, typed) | names


def _form(
    stable: Stable,
    holding: Holding,
    terms: MatchTerms,
    fitting: Sequence[OwnedCrew],
    chosen: Choice | None,
    typed: Typed,
) -> dict[str, Any]:
    """Return the form of a line-up, filled in with the legal line-up `chosen`; None leaves it empty."""
    crew_choices = [crew_option(crew, holding) for crew in fitting]
    cards = [(asset_id, f"{name_of(card)}: {shown}") for asset_id, (card, shown) in cards_by_name(holding).items()]
    tokens = catalogue_of(stable.season).target_tokens.values()
    return {
        "form": LineUpForm(
            typed,
            by_unit(fitting, crew_choices),
            cards,
            [token_option(token) for token in sorted(tokens, key=lambda each: (-each["rp"], sort_key(name_of(each))))],
            chosen,
            size=terms.size,
            hand_size=min(HAND_SIZE, len(cards)) if terms.takes_hands else 0,
        ),
        "crews": crew_choices,
        "ceiling": terms.ceiling,
        "pool": terms.house_rules.token_pool_rp,
    }


def token_option(token: Mapping[str, Any]) -> TokenOption:
    """Return a target token as one line of text: its worth and how it is earned, its defense and its armor."""
    defense = gettext("defense %(value)s") % {"value": token["defense"]}
    parts = [f"{token['rp']}: {name_of(token)}", labels.earned_by(token), defense]
    parts += [labels.name(token["armor"])] if token["armor"] else []
    return TokenOption(token["id"], " · ".join(parts), token["rp"])


def by_unit(fitting: Sequence[OwnedCrew], choices: Sequence[tuple[str, str]]) -> list[tuple[str, Any]]:
    """Return more than FEW choices of crews in groups, one for each unit; fewer as they are."""
    if len(choices) <= FEW:
        return list(choices)
    groups: dict[str, list[tuple[str, str]]] = {}
    for crew, choice in zip(fitting, choices, strict=True):
        groups.setdefault(crew.unit, []).append(choice)
    return [(listed[0][1].partition(" (")[0], listed) for listed in groups.values()]


def crew_option(crew: OwnedCrew, holding: Holding) -> tuple[str, str]:
    """Return a crew as the form sends it, and as one line of text: every card with its points, and their sum."""
    unit_id = next(key for key, unit in holding.units.items() if unit.key == crew.unit)
    pilot_id = next((key for key, pilot in holding.pilots.items() if pilot.key == crew.pilot), None)
    gear = [key for key, card in holding.gear.items() if card.key in crew.gear]
    unit = holding.units[unit_id]
    parts = [(name_of(unit.definition), _copy(unit.key), int(unit.definition["points"]))]
    if pilot_id is not None:
        pilot = holding.pilots[pilot_id]
        parts.append(
            (name_of(pilot.definition), _copy(pilot.key), pilot_points(pilot.definition, str(unit.definition["id"])))
        )
    for key in gear:
        card = holding.gear[key]
        parts.append((name_of(card.definition), _copy(card.key), int(card.definition["points"])))
    text = " + ".join(f"{name}{copy} ({points})" for name, copy, points in parts)
    if len(parts) > 1:
        text += f" = {crew.points}"
    if len(gear) < len(unit.gear):
        text += " " + gettext("(gear stays at home)")
    return written(unit_id, pilot_id, gear), text


def _copy(code: str) -> str:
    """Return the number of a copy from the second on, as in Asset.label; empty for the first."""
    serial = code.rpartition(":")[2]
    return "" if serial == "1" else f" #{serial}"


def cards_by_name(holding: Holding) -> dict[int, tuple[Mapping[str, Any], str]]:
    """Return one copy of each of the stable's rally cards by asset id: its definition, and its effect in words.

    A hand holds no two alike (R-RAL-02).
    """
    found: dict[str, int] = {}
    for asset_id, card in holding.cards.items():
        found.setdefault(str(card.definition["id"]), asset_id)
    return {
        asset_id: (holding.cards[asset_id].definition, rally_card_description(dict(holding.cards[asset_id].definition)))
        for asset_id in found.values()
    }


def sealed_view(stable: Stable, line_up: LineUp) -> dict[str, Any]:
    """Return what the owner handed in, for them alone until the reveal; two queries."""
    cards = Prefetch("cards", queryset=CrewCard.objects.select_related("asset").order_by("id"))
    crewed = Crew.objects.filter(line_up=line_up).select_related("unit", "pilot").prefetch_related(cards)
    tokens = catalogue_of(stable.season).target_tokens
    views = []
    for crew in crewed.order_by("position"):
        listed = [card.asset for card in crew.cards.all()]
        views.append(
            {
                "crew": crew,
                "definition": definition_of(stable.season, crew.unit),
                "gear": [asset for asset in listed if asset.kind == Asset.Kind.GEAR],
                "hand": [asset for asset in listed if asset.kind == Asset.Kind.RALLY_CARD],
            }
        )
    return {
        "crews": views,
        "tokens": [name_of(tokens[key]) for key in line_up.tokens],
        "flag": "" if line_up.source == LineUp.Source.OWNER else line_up.get_source_display(),
    }
