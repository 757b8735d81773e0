"""The line-up that is chosen for an owner who hands in none (rules.campaign.line_ups.stand_ins)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.campaign.line_ups.checks import Crew as OwnedCrew
from rules.campaign.line_ups.checks import MatchTerms
from rules.campaign.line_ups.checks import crews as owned_crews
from rules.campaign.line_ups.stand_ins import Wish, WishedCrew, nearest
from rules.campaign.line_ups.tokens import TokenChoices
from rules.solaris.building import unique_keys
from stables.models import Asset, LineUp, SavedLineUp
from stables.selectors.assets import Holding
from stables.selectors.seeds import season_dice
from stables.services.line_ups.sealing import Called, CrewChoice


@dataclass(frozen=True)
class Choice:
    """A legal line-up: its crews with gear and hand, its tokens, and where it comes from (LineUp.Source)."""

    crews: tuple[CrewChoice, ...]
    tokens: tuple[str, ...]
    source: str


def stand_in_for(called: Called, without: Collection[str] = ()) -> Choice | None:
    """Return a stable's saved line-up if it is legal now, else the nearest legal one; None when none is legal.

    Without a saved line-up it is the one nearest to the stable's last line-up, whoever chose that. `without` holds the
    collector's numbers of Uniques that it may not field. One query with a saved line-up, at most five without.
    """
    saved = SavedLineUp.objects.filter(
        stable=called.stable, match_class=called.cycle.match_class, format=called.cycle.format
    ).first()
    wish = saved_wish(saved.document, called.holding) if saved is not None else _last_wish(called)
    found = _nearest_to(wish, called, without)
    return found if saved is not None or found is None else replace(found, source=LineUp.Source.NEAREST)


def proposed_to(called: Called) -> Choice | None:
    """Return the line-up that its owner's form begins with; None when none is legal.

    It is the legal one nearest to what was taken back, else the one that would stand in.
    """
    if called.side.taken_back is None:
        return stand_in_for(called)
    return _nearest_to(saved_wish(called.side.taken_back, called.holding), called, ())


def source_of_stand_in(called: Called, saved: Mapping[str, Any] | None) -> str:
    """Return the source of the line-up that would be chosen (LineUp.Source), "" if the stable can field nothing.

    `saved` is the document of its saved line-up for the match, None without one. The last line-up is not read: it
    decides which line-up is nearest, not whether there is one. No query.
    """
    found = _nearest_to(Wish() if saved is None else saved_wish(saved, called.holding), called, ())
    if found is None:
        return ""
    return found.source if saved is not None else LineUp.Source.NEAREST


def _nearest_to(wish: Wish, called: Called, without: Collection[str]) -> Choice | None:
    holding = called.holding
    choices = [
        crew
        for crew in owned_crews(holding.units.values(), holding.pilots.values(), called.terms)
        if crew.combatant is None or not unique_keys([crew.combatant]) & set(without)
    ]
    triples = called.triples()
    if not wish.tokens and triples:
        # Nobody chose tokens, so the season draws them.
        dice = season_dice(
            called.cycle.season, "line-up", called.cycle.number, called.fixture.round.number, called.stable.number
        )
        wish = Wish(wish.crews, triples[dice.draw(len(triples), "tokens")])
    return choice_by_wish(wish, choices, called.terms, holding, triples)


def choice_by_wish(
    wish: Wish,
    choices: Sequence[OwnedCrew],
    terms: MatchTerms,
    holding: Holding,
    triples: TokenChoices,
) -> Choice | None:
    """Return the line-up nearest to the wish, of the crews that may be fielded; None when there is none."""
    found = nearest(wish, choices, terms, list(holding.cards.values()), triples)
    if found is None:
        return None
    return Choice(
        tuple(by_keys(crew, hand, holding) for crew, hand in zip(found.crews, found.hands, strict=True)),
        found.tokens,
        LineUp.Source.SAVED if found.is_as_wished else LineUp.Source.NEAREST,
    )


def by_keys(crew: OwnedCrew, hand: Collection[str], holding: Holding) -> CrewChoice:
    """Return a crew and its hand by asset ids; the rules name them by keys."""
    return CrewChoice(
        _id_of(crew.unit, holding.units),
        None if crew.pilot is None else _id_of(crew.pilot, holding.pilots),
        tuple(_id_of(key, holding.gear) for key in crew.gear),
        tuple(_id_of(key, holding.cards) for key in hand),
    )


def _id_of(key: str, owned: Mapping[int, Any]) -> int:
    return next(asset_id for asset_id, one in owned.items() if one.key == key)


def saved_wish(document: Mapping[str, Any], holding: Holding) -> Wish:
    """Return the wish of a saved line-up (SavedLineUp.document)."""
    return Wish(
        tuple(
            WishedCrew(
                _key_of(crew["unit"], holding.units),
                None if crew.get("pilot") is None else _key_of(crew["pilot"], holding.pilots),
                None if crew.get("gear") is None else tuple(_key_of(one, holding.gear) for one in crew["gear"]),
                tuple(_key_of(one, holding.cards) for one in crew.get("hand", ())),
            )
            for crew in document["crews"]
        ),
        tuple(document["tokens"]),
    )


def _key_of(asset_id: int, owned: Mapping[int, Any]) -> str:
    """Return the key of an asset, or a key that matches nothing if the stable no longer has the asset."""
    return owned[asset_id].key if asset_id in owned else f"gone:{asset_id}"


def _last_wish(called: Called) -> Wish:
    last = (
        LineUp.objects.filter(side__stable=called.stable)
        .prefetch_related("crews__cards__asset")
        .order_by("-id")
        .first()
    )
    if last is None:
        return Wish()
    holding = called.holding
    found = []
    for crew in last.crews.all():
        hand = [card.asset_id for card in crew.cards.all() if card.asset.kind == Asset.Kind.RALLY_CARD]
        found.append(
            WishedCrew(
                _key_of(crew.unit_id, holding.units),
                None if crew.pilot_id is None else _key_of(crew.pilot_id, holding.pilots),
                None,
                tuple(_key_of(one, holding.cards) for one in hand),
            )
        )
    return Wish(tuple(found), tuple(last.tokens))
