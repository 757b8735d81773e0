"""The steps of the off-board cycle that are about people: chips, sponsors, stables, abilities, Edge, houses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.utils.translation import gettext as _

from challenge.presenters.offers import Field, Offer, offer, pressed
from challenge.text.amounts import figures, percent_words
from rules.challenge.memberships import SPONSORS_LOOKED, least_earnings, price_of_joining
from rules.challenge.off_board.learning import CHANGE_OF_HOUSE, bound_to_another_house, next_seller
from rules.challenge.quotes.learning import COUNTED_TIERS, ability_quote, works_together
from rules.challenge.state import Event, Pilot
from rules.challenge.tables import Membership
from rules.challenge.worth import Worth
from rules.wording import challenge_words as words
from web.languages.reader import translate
from web.languages.words import sort_key


def chip_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield the cashing of all chips, and of one of each row."""
    if not pilot.chips:
        return
    everything = Worth(*(sum(chip.worth[place] for chip in pilot.chips) for place in range(3)))
    title = _("Cash all chips (%(count)s)") % {"count": len(pilot.chips)}
    yield offer(state, pilot, title, pressed(_("Cash all"), everything.times(-1)), {"do": "cash_chips"})
    worths = {chip.row: chip.worth for chip in pilot.chips}
    if len(pilot.chips) > 1:
        for row, count in Counter(chip.row for chip in pilot.chips).items():
            title = _("Cash one chip: %(row)s (%(count)s)") % {"row": words.row_name(row, translate), "count": count}
            press = pressed(_("Cash one"), worths[row].times(-1))
            yield offer(state, pilot, title, press, {"do": "cash_chips", "chips": [row]})


def sponsor_looks(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield favours and the look of the sponsors, where the advanced rule is in play (MC-ADVSP)."""
    if not state.plays("advanced_sponsors") or not pilot.sponsors or pilot.did(SPONSORS_LOOKED):
        return
    for sponsor in pilot.sponsors:
        if sponsor.id not in pilot.favours:
            title = _("Keep %(sponsor)s with a favour") % {"sponsor": sponsor.name}
            press = pressed(_("Favour"), Worth(fame=sponsor.favour))
            yield offer(state, pilot, title, press, {"do": "favour", "sponsor": sponsor.id})
    note = _("Earned: %(earned)s C-bills. They want to see %(wanted)s.") % {
        "earned": figures(pilot.earned),
        "wanted": figures(least_earnings(state, pilot, pilot.sponsors)),
    }
    keep = Field("keep", _("Keep first"), "marks", choices=tuple((each.id, each.name) for each in pilot.sponsors))
    yield offer(
        state, pilot, _("Let the sponsors look"), _("Let them look: free"), {"do": "verify_sponsors"}, [keep], [note]
    )


def drop_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield the withdrawal from the stable and from each sponsor, and what it costs (MC-MEM-07)."""
    for member in pilot.memberships:
        price = state.printed.leaving[member.kind].times(-1)
        title = _("Leave %(member)s") % {"member": member.name}
        document = {"do": f"drop_{member.kind}"}
        if not member.is_stable:
            document["sponsor"] = member.id
        notes = [_("They never take the pilot back.")]
        notes += [
            _("The %(mech)s is sold for half of its book cost.") % {"mech": words.mech_name(state, mech.model.id)}
            for mech in pilot.mechs
            if mech.built_by == member.id
        ]
        yield offer(state, pilot, title, pressed(_("Leave"), price), document, notes=notes)


def join_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield all stables and sponsors that the pilot is not with, those that take the pilot now first."""
    found = []
    for member in state.printed.memberships.values():
        if member not in pilot.memberships:
            kind = _("Stable") if member.is_stable else _("Sponsor")
            title = _("%(kind)s: %(member)s") % {"kind": kind, "member": member.name}
            press = pressed(_("Join"), price_of_joining(pilot, member).times(-1))
            document = {"do": f"join_{member.kind}", member.kind: member.id}
            found.append(offer(state, pilot, title, press, document, notes=list(member_notes(member))))
    yield from sorted(found, key=lambda each: (not each.allowed, sort_key(each.title)))


def member_notes(member: Membership) -> Iterator[str]:
    """Yield what a stable or a sponsor asks for and changes on the board."""
    if member.fame:
        yield _("Asks for %(fame)s Fame.") % {"fame": member.fame}
    if member.house:
        yield _("Of the house %(house)s.") % {"house": member.house}
    yield from (_(each) for each in member.text)


def ability_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield the abilities that the pilot has not, affordable ones first."""
    owned, found = {each.ability.id for each in pilot.abilities}, []
    for ability in state.printed.abilities.values():
        if ability.tier not in COUNTED_TIERS or ability.id in owned:
            continue
        quote = ability_quote(state, pilot, ability)
        notes = [_("Tier %(tier)s.") % {"tier": ability.tier}, *([_(ability.text)] if ability.text else [])]
        if quote.surcharge_cp:
            notes.append(_("The number of abilities adds %(cp)s CP.") % {"cp": quote.surcharge_cp})
        if quote.stable_cp or quote.discount_percent:
            notes.append(
                _("The memberships change it by %(cp)s CP and %(percent)s.")
                % {"cp": figures(quote.stable_cp), "percent": percent_words(quote.discount_percent)}
            )
        if not works_together(state, pilot, ability):
            notes.append(_("It does not add to what the stable gives."))
        fields = [Field("choice", _("The one weapon; for ATM and MML with its ammunition behind a slash"), "text",
                        "PPC")] if ability.choice else []  # fmt: skip
        document = {"do": "buy_ability", "ability": ability.id, **({"choice": "PPC"} if ability.choice else {})}
        press = pressed(_("Learn"), Worth(0, quote.cp, quote.c_bills))
        found.append(offer(state, pilot, _(ability.name), press, document, fields, notes))
    yield from sorted(found, key=lambda each: not each.allowed)


def other_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield Edge cards, the house and special ammunition: tier 4."""
    price = Worth(cp=state.printed.abilities["edge"].cp)
    room = pilot.most_edge - pilot.edge
    title = _("Edge card (%(held)s of %(most)s held)") % {"held": pilot.edge, "most": pilot.most_edge}
    yield offer(state, pilot, title, pressed(_("Buy one"), price), {"do": "buy_edge", "cards": 1})
    if room > 1:
        press = pressed(_("Buy %(count)s") % {"count": room}, price.times(room))
        yield offer(state, pilot, title, press, {"do": "buy_edge", "cards": room})
    yield from house_offers(state, pilot)
    sellers = [member for member in pilot.memberships if member.effects.ammunition_cp or member.ammunition]
    if sellers:
        seller = next_seller(pilot)
        own = tuple(kind for member in sellers for kind in member.ammunition)
        fields = [Field("ammunition", _("Special ammunition"), "text", own[0] if own else "")]
        document = {"do": "special_ammunition", "ammunition": own[0] if own else "special"}
        kinds = ", ".join(words.ammunition_name(kind, translate) for kind in own)
        notes = [_("Free from the stable: %(kinds)s.") % {"kinds": kinds}] if own else []
        cp = Worth(cp=seller.effects.ammunition_cp) if seller else Worth()
        yield offer(state, pilot, _("Special ammunition"), pressed(_("Load a ton"), cp), document, fields, notes)


def house_offers(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield the declaration for each house, or the change to it."""
    what = "declare_house" if pilot.house is None else "change_house"
    row = state.printed.abilities["affiliation_declare" if pilot.house is None else "affiliation_change"]
    for house, name in state.printed.houses.items():
        if house == pilot.house:
            continue
        leaving = [state.printed.leaving[each.kind] for each in bound_to_another_house(pilot, house)]
        fame = 0 if pilot.house is None else -CHANGE_OF_HOUSE.fame
        price = Worth(
            fame - sum(each.fame for each in leaving),
            row.cp - sum(each.cp for each in leaving),
            row.c_bills - sum(each.c_bills for each in leaving),
        )
        title = _("House: %(house)s (%(code)s)") % {"house": _(name), "code": house}
        notes = [
            _("Leaves %(member)s and pays as for a withdrawal.") % {"member": each.name}
            for each in bound_to_another_house(pilot, house)
        ]
        press = pressed(_("Declare") if pilot.house is None else _("Change"), price)
        yield offer(state, pilot, title, press, {"do": what, "house": house}, notes=notes)


def stable_looks(state: Event, pilot: Pilot) -> Iterator[Offer]:
    """Yield the look of the stable, where the advanced rule is in play (MC-ADVST-01)."""
    if state.plays("advanced_stables") and pilot.stable is not None:
        note = _("%(stable)s asks for %(needed)s Fame; there are %(there)s.") % {
            "stable": pilot.stable.name,
            "needed": pilot.stable.fame,
            "there": pilot.fame,
        }
        yield offer(
            state, pilot, _("Let the stable look"), _("Let it look: free"), {"do": "verify_stable"}, notes=[note]
        )
