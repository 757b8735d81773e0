"""What an ability costs and who may buy it (MC-ABIL-01 to 11, MC-STAB-09, MC-SPON-05)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from rules.challenge.shared_checks import cannot_pay, owes, too_little_fame
from rules.challenge.state import Event, Pilot
from rules.challenge.tables import Ability
from rules.challenge.worth import Worth
from rules.core.refusals import Refusal

COUNTED_TIERS = (1, 2, 3)
AMMUNITION_WEAPONS = ("ATM", "MML")
"""Weapons whose specialist names the ammunition too (MC-ABIL-09)."""


@dataclass(frozen=True, slots=True)
class AbilityQuote:
    """The price of an ability: surcharge for a fourth or later one, discounts, what is paid."""

    ability: Ability
    surcharge_cp: int
    stable_cp: int
    discount_percent: int
    cp: int
    c_bills: int


def counted(pilot: Pilot) -> int:
    """Return how many abilities of tiers 1 to 3 a pilot has bought, suspended ones too (MC-ABIL-03, MCQ-ABIL-02)."""
    return sum(1 for owned in pilot.abilities if owned.ability.tier in COUNTED_TIERS)


def ability_quote(event: Event, pilot: Pilot, ability: Ability) -> AbilityQuote:
    """Return the price of an ability for this pilot."""
    if ability.tier not in COUNTED_TIERS:
        return AbilityQuote(ability, 0, 0, 0, ability.cp, ability.c_bills)
    number = counted(pilot) + 1
    extra = event.printed.extra_ability_cp
    surcharge = extra.get(number, max(extra.values()) if number > max(extra) else 0)
    relief = sum(effects.extra_ability_cp for effects in pilot.effects) if number in extra else 0
    cp = Fraction(max(0, ability.cp + surcharge + relief))
    percent = sum(effects.ability_cp_percent for effects in pilot.effects)
    if event.switches.warner_round == "price":
        paid = ceil(cp * (100 + percent) / 100)
    else:
        paid = int(cp) + floor(cp * percent / 100)
    return AbilityQuote(ability, surcharge, relief, percent, paid, ability.c_bills)


def why_not_learn(event: Event, pilot: Pilot, ability: Ability, choice: str | None) -> Iterator[Refusal]:
    """Yield why a pilot may not buy an ability of tiers 1 to 3."""
    tier = event.printed.tiers[ability.tier]
    named = {"ability": ability.id}
    if any(owned.ability.id == ability.id for owned in pilot.abilities):
        yield Refusal("ability_owned", named)
    of_tier = sum(1 for owned in pilot.abilities if owned.ability.tier == ability.tier)
    if tier.most is not None and of_tier >= tier.most:
        yield Refusal("tier_full", {"tier": ability.tier, "most": tier.most})
    if counted(pilot) >= event.switches.max_abilities:
        yield Refusal("too_many_abilities", {"most": event.switches.max_abilities})
    if tier.fame is not None:
        yield from too_little_fame(pilot, tier.fame)
    if ability.needs is not None and not any(owned.ability.id == ability.needs for owned in pilot.abilities):
        yield Refusal("ability_needs", {**named, "needs": ability.needs})
    yield from _choice_faults(ability, choice)
    blocks = event.switches.specialist_block == "purchase" and "gunnery_bonus" in ability.not_with
    if blocks and pilot.stable is not None and pilot.stable.gunnery_bonus:
        yield Refusal("ability_not_with", {**named, "membership": pilot.stable.id})
    yield from owes(pilot)
    quote = ability_quote(event, pilot, ability)
    yield from cannot_pay(event, pilot, Worth(0, quote.cp, quote.c_bills))


def _choice_faults(ability: Ability, choice: str | None) -> Iterator[Refusal]:
    """Refuse a specialist who names no weapon, or of an ATM or MML no ammunition (MC-ABIL-09)."""
    if ability.choice == "weapon":
        if not choice:
            yield Refusal("choice_missing", {"ability": ability.id})
        elif choice.upper().startswith(AMMUNITION_WEAPONS) and "/" not in choice:
            yield Refusal("ammunition_missing", {"ability": ability.id})


def works_together(event: Event, pilot: Pilot, ability: Ability) -> bool:
    """Return whether an ability adds to the effect of the pilot's stable (MC-ABIL-10, MC-ABIL-11)."""
    stable = pilot.stable
    if stable is None:
        return True
    return stable.id not in ability.not_with and not (stable.gunnery_bonus and "gunnery_bonus" in ability.not_with)
