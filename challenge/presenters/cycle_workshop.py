"""The steps of the off-board cycle that are about 'Mechs and wounds: repair, heal, sell, change, buy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from challenge.presenters.offers import Field, Offer, offer, pressed, price_words
from challenge.text.amounts import figures, percent_words
from rules.challenge.book.setup import affordable
from rules.challenge.custom import may_add
from rules.challenge.mechs import COUNTED, PARTS, Mech
from rules.challenge.memberships import team_of
from rules.challenge.quotes.repair import (
    MODES,
    Modifier,
    RepairQuote,
    healing_price,
    most_repair_cp,
    repair_quote,
    with_cockpit,
)
from rules.challenge.quotes.trade import purchase_quote, sale_quote
from rules.challenge.shared_checks import spendable
from rules.challenge.state import Event, Pilot
from rules.challenge.tables import Membership, read_data
from rules.challenge.worth import Worth
from rules.wording import challenge_words as words
from web.languages.reader import translate
from web.languages.words import contains, sort_key

MOST_SHOWN = 12
"""How many 'Mechs of the list a page shows at once."""


@dataclass(frozen=True)
class CycleQuery:
    """What the page was asked for beside its step: damage by the sheet, what of it to mend, CP, a coupon, a sale, a
    search.
    """

    damage: Mapping[str, int] | None = None
    parts: Mapping[str, int] | None = None
    cp: int = 0
    coupon: bool = False
    before_sale: bool = False
    search: str = ""


@dataclass(frozen=True)
class PartLine:
    """A part that a spot repair counts: how often it is damaged, how much of it to mend, what one costs."""

    part: str
    name: str
    count: int
    chosen: int | None
    price: str


@dataclass(frozen=True)
class RepairSheet:
    """The damage of a 'Mech as the form of the repair shows it."""

    mech: str
    state: str
    parts: tuple[PartLine, ...]
    most_cp: int
    cp: int
    coupon: bool
    before_sale: bool


def _damage(mech: Mech, asked: CycleQuery) -> Mapping[str, int]:
    return with_cockpit(mech).damage if asked.damage is None else asked.damage


def repair_sheet(state: Event, pilot: Pilot, asked: CycleQuery) -> RepairSheet | None:
    """Return the form that says what is broken, None for a pilot without a 'Mech."""
    mech = pilot.mech
    if mech is None:
        return None
    damage, lines = _damage(mech, asked), []
    for part in COUNTED:
        price = ""
        if part in PARTS:
            one = Mech(mech.model, mech.book, mech.paid, damage={part: 1})
            price = figures(int(repair_quote(state, Pilot(pilot.id, ""), one, "spot").lines[0].c_bills))
        elif state.switches.weapon_crit_unit != "weapon":
            continue
        chosen = None if asked.parts is None else asked.parts.get(part)
        lines.append(PartLine(part, translate(words.REPAIR_PARTS[part]), damage.get(part, 0), chosen, price))
    return RepairSheet(
        words.mech_name(state, mech.model.id),
        translate(words.MECH_STATES[mech.state]),
        tuple(lines),
        most_repair_cp(pilot),
        asked.cp,
        asked.coupon,
        asked.before_sale,
    )


def repair_offers(state: Event, pilot: Pilot, asked: CycleQuery) -> Iterator[Offer]:
    """Yield both repairs of the 'Mech with every modifier, with the coupon beside them where the pilot has one."""
    mech = pilot.mech
    if mech is None:
        return
    damage = dict(_damage(mech, asked))
    seen = Mech(mech.model, mech.book, mech.paid, mech.state, mech.ejected, damage)
    if not seen.is_damaged:
        return
    for mode in MODES:
        for coupon in dict.fromkeys((False, asked.coupon or pilot.coupon)):
            document: dict[str, Any] = {"do": "repair", "mode": mode, "damage": damage}
            chosen = seen
            if mode == "spot" and asked.parts:
                document["parts"] = dict(asked.parts)
                chosen = Mech(mech.model, mech.book, mech.paid, mech.state, mech.ejected, dict(asked.parts))
            quote = repair_quote(state, pilot, chosen, mode, asked.cp, coupon)
            document |= {"cp": quote.cp, "coupon": coupon, "before_sale": asked.before_sale}
            title = capfirst(translate(words.REPAIR_MODES[mode]))
            if coupon:
                title = _("%(repair)s (with the coupon)") % {"repair": title}
            press = pressed(title, Worth(0, quote.cp, quote.c_bills))
            notes = list(_repair_notes(state, quote))
            yield offer(state, pilot, title, press, document, _payer(state, pilot), notes)


def _payer(state: Event, pilot: Pilot) -> list[Field]:
    """Return the field that lets a team pay for one of its members (MC-TEAM-03), none for a pilot without a team."""
    if team_of(state, pilot) is None:
        return []
    return [Field("from_team", _("The team pays, by the terms of its own sponsor"), "mark")]


def _repair_notes(state: Event, quote: RepairQuote) -> Iterator[str]:
    for line in quote.lines:
        yield _("%(times)s × %(part)s: %(c_bills)s C-bills") % {
            "times": line.times,
            "part": translate(words.REPAIR_PARTS[line.what]),
            "c_bills": figures(int(line.c_bills)),
        }
    yield from modifier_notes(state, quote.modifiers)


def modifier_notes(state: Event, modifiers: tuple[Modifier, ...]) -> Iterator[str]:
    """Yield a sentence for each modifier of a price: who gives it and how much."""
    for source, percent in modifiers:
        yield f"{words.source_name(state, source, translate)}: {percent_words(percent)}"


def healing_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield the healing of all wounds, or of some, with the choice of the abilities that come back."""
    if not pilot.wounds:
        return
    suspended = tuple(
        (owned.ability.id, _(owned.ability.name)) for owned in pilot.abilities if owned.suspended and not owned.waits
    )
    restore = (Field("restore", _("Give back first"), "marks", choices=suspended),) if suspended else ()
    for wounds in dict.fromkeys((pilot.wounds, 1)):
        price = Worth(c_bills=healing_price(state, pilot, wounds))
        title = _("Heal all wounds (%(wounds)s)") if wounds == pilot.wounds else _("Heal one wound of %(wounds)s")
        title %= {"wounds": pilot.wounds}
        yield offer(state, pilot, title, pressed(_("Heal"), price), {"do": "heal", "wounds": wounds}, restore)


def weapon_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield O'Neals' roll for each disabled weapon that has had none."""
    disabled = pilot.mech.damage.get("weapon", 0) if pilot.mech else 0
    if any(effects.clan_weapons_on for effects in pilot.effects) and len(pilot.replacement_rolls) < disabled:
        document = {"do": "replace_weapon", "dice": [1, 1]}
        title = _("Roll for a Clan weapon")
        yield offer(state, pilot, title, _("Enter the roll: free"), document, dice_fields())


def dice_fields() -> tuple[Field, ...]:
    """Return the fields of two dice."""
    first, second = _("First die"), _("Second die")
    return (
        Field("dice", first, "number", "", least=1, most=6),
        Field("dice", second, "number", "", least=1, most=6),
    )


def sale_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield the sale of each 'Mech, repaired, or as it stands where somebody buys it so."""
    for mech in pilot.mechs:
        name = words.mech_name(state, mech.model.id)
        for repaired in (True, False):
            quote = sale_quote(state, pilot, mech, repaired)
            if not repaired and not (quote.percent and mech.is_damaged):
                continue
            title = _("Sell the %(mech)s") if repaired else _("Sell the %(mech)s as it stands")
            notes = [
                _("%(percent)s %% of the book cost of %(book)s C-bills.")
                % {"percent": quote.percent, "book": figures(mech.book)}
            ]
            if quote.repair is not None:
                notes.append(
                    _("The repair before it costs %(repair)s C-bills; %(net)s stay.")
                    % {"repair": figures(quote.repair.c_bills), "net": figures(quote.net)}
                )
            document = {"do": "sell", "mech": mech.model.id, "unrepaired": not repaired}
            yield offer(
                state, pilot, title % {"mech": name}, pressed(_("Sell"), Worth(c_bills=-quote.c_bills)), document,
                notes=notes,
            )  # fmt: skip


def purchase_offers(state: Event, pilot: Pilot, asked: CycleQuery) -> Iterator[Offer]:
    """Yield 'Mechs of the list, affordable ones first, and what the pilot may buy back."""
    for mech in pilot.forced_sales:
        name = words.mech_name(state, mech.model.id)
        document = {"do": "buy_back", "mech": mech.model.id}
        title = _("Buy the %(mech)s back") % {"mech": name}
        yield offer(state, pilot, title, _("Buy back at its price now"), document)
    if pilot.mechs and not state.plays("several_mechs"):
        return
    there = pilot.c_bills + (pilot.loan.limit if pilot.loan else 0)
    wanted = asked.search
    models = [model for model in affordable(state.models.values(), there) if contains(model.name, wanted)]
    offers = []
    for model in models:
        if state.most_value is not None and model.cost > state.most_value and not wanted:
            continue
        quote = purchase_quote(state, pilot, model)
        notes = [
            _("%(tons)s tons, %(class)s, book cost %(book)s C-bills.")
            % {"tons": model.tons, "class": translate(words.WEIGHT_CLASSES[model.weight_class]),
               "book": figures(quote.book)},
            *modifier_notes(state, quote.modifiers),
        ]  # fmt: skip
        press = pressed(_("Buy"), Worth(c_bills=quote.c_bills))
        document = {"do": "buy_mech", "mech": model.id}
        offers.append(offer(state, pilot, model.name, press, document, _payer(state, pilot), notes))
        if sum(each.allowed for each in offers) >= MOST_SHOWN or (wanted and len(offers) >= 3 * MOST_SHOWN):
            break
    yield from sorted(offers, key=lambda each: not each.allowed)[:MOST_SHOWN]


def limit_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield the giving back of a 'Mech that is dearer than the session allows (MC-LIMIT-02)."""
    for mech in pilot.mechs:
        if state.most_value is not None and mech.model.cost > state.most_value:
            title = _("Give the %(mech)s back at the price paid") % {"mech": words.mech_name(state, mech.model.id)}
            press = pressed(_("Give back"), Worth(c_bills=-mech.paid))
            yield offer(state, pilot, title, press, {"do": "give_back", "mech": mech.model.id})


def change_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield the change of the 'Mech by each stable or sponsor that builds for the pilot (MC-CUST)."""
    mech = pilot.mech
    if mech is None:
        return
    for member in _builders(pilot):
        fields = _change_fields(state, member, str(mech.book))
        document = {"do": "customise", "with": member.id, "mech": mech.model.id, "cost": mech.book}
        title = _("Have the %(mech)s changed by %(member)s") % {
            "mech": words.mech_name(state, mech.model.id),
            "member": member.name,
        }
        yield offer(state, pilot, title, _("Change it: what it is dearer by"), document, fields)


def changed_purchase_offers(state: Event, pilot: Pilot, asked: CycleQuery) -> Iterator[Offer]:
    """Yield the purchase of a 'Mech that each builder changes at once, for its cost when it is changed (MC-CUST-05)."""
    if pilot.mechs and not state.plays("several_mechs"):
        return
    models = [
        model
        for model in affordable(state.models.values(), spendable(state, pilot))
        if contains(model.name, asked.search) and not model.omni
    ]
    if not models:
        return
    choices = tuple((model.id, model.name) for model in sorted(models, key=lambda model: sort_key(model.name)))
    for member in _builders(pilot):
        document = {"do": "buy_mech", "with": member.id, "mech": models[0].id, "cost": models[0].cost}
        fields = (
            Field("mech", _("’Mech"), "choice", models[0].id, choices),
            *_change_fields(state, member, ""),
            *_payer(state, pilot),
        )
        title = _("Buy a ’Mech and have it changed at once: %(member)s") % {"member": member.name}
        yield offer(state, pilot, title, _("Buy it changed, in one press"), document, fields)


def _builders(pilot: Pilot) -> list[Membership]:
    """Return the stable and the sponsors that change 'Mechs for a pilot (MC-CUST-02, MC-SPON-07)."""
    return [member for member in pilot.memberships if member.is_stable or member.effects.customises]


def _change_fields(state: Event, member: Membership, cost: str) -> tuple[Field, ...]:
    """Return the fields of a change; `cost` stands in the field of the cost at first."""
    removable = tuple((item, words.equipment_name(item, translate)) for item in read_data("equipment")["removable"])
    named = ((item, words.equipment_name(item, translate)) for item in may_add(state, member.id))
    added = tuple(sorted(named, key=lambda each: sort_key(each[1])))
    places = (("yes", _("where something came out")), ("no", _("elsewhere")))
    return (
        Field("cost", _("Cost of the ’Mech when it is changed, C-bills"), "number", cost, least=1),
        Field("removed", _("Comes out"), "marks", choices=removable),
        Field("added", _("Goes in"), "marks", choices=added),
        Field("same_location", _("Where it goes (MC-CUST-04)"), "choice", "yes", places),
        Field("weight_removed", _("Weight that comes out, kg"), "number", "", least=0),
        Field("weight_added", _("Weight that goes in, kg"), "number", "", least=0),
        Field("physical_cost", _("Of the cost, the physical weapon"), "number", "", least=0),
    )


def price_of(c_bills: int) -> str:
    """Return C-bills as the words of a price."""
    return price_words(Worth(c_bills=c_bills))
