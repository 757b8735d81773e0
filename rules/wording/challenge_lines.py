"""One plain sentence for each line of a Challenge's book: what happened, to whom, with the figures that explain it.

The amounts of a line stand beside it on a page; the sentence says why. It is in the present tense and names the pilot
first. A row of the event table that was paid as a chip says what the chip is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules.challenge.state import Event, Line
from rules.core.messages import gettext_noop, ngettext_noop
from rules.wording import challenge_words as words
from rules.wording.filling import joined, say, shown
from rules.wording.language import Translate, identity

# Translators: {classes} is one of “of the same class”, “1 class higher” and so on
KILL_ALONE = gettext_noop("{pilot} destroys the 'Mech of {at} alone; it is {classes}.")
# Translators: {classes} is one of “of the same class”, “1 class higher” and so on
KILL_SHARED = gettext_noop("{pilot} has a share in destroying the 'Mech of {at}; it is {classes}.")
# Translators: {classes} is one of “of the same class”, “1 class higher” and so on
CRIPPLE = gettext_noop("{pilot} cripples the 'Mech of {at}; it is {classes}.")
RAISED = gettext_noop("A Clan 'Mech counts one class higher.")
SHIFTED = ngettext_noop("The stable counts {shift} class higher.", "The stable counts {shift} classes higher.", "shift")
CHIP = gettext_noop("It is a chip worth {worth}.")
MODIFIED = gettext_noop("Modifiers: {modifiers}.")
MODIFIER = gettext_noop("{source} {percent}")
FROM_TEAM = gettext_noop("The team {team} pays {paid} C-bills.")
TO_TEAM = gettext_noop("The team {team} receives {paid} C-bills.")
SURCHARGE = gettext_noop("The number of abilities adds {surcharge} CP.")
UNKNOWN = gettext_noop("{pilot}: {reason}.")

ROW_SENTENCES: Mapping[str, str] = {
    "kills.O": gettext_noop("{pilot} destroys a turret."),
    "kills.P": gettext_noop("{pilot} brings down a famous pilot: {at} is {lead} Fame ahead."),
    "special.A": gettext_noop("{pilot} scores a critical hit of the highest kind."),
    "special.B": gettext_noop("{pilot} scores a critical hit on an actuator, a weapon or ammunition."),
    "special.C": gettext_noop("{pilot} scores a critical hit on another part."),
    "special.D": gettext_noop("{pilot} blows a limb or a torso off."),
    "special.E": gettext_noop("{pilot} hits the head."),
    "special.F": gettext_noop("{pilot} hits with a physical attack."),
    "special.G": gettext_noop("{pilot} hits with a melee weapon."),
    "special.H": gettext_noop("{pilot} hits with a charge or a death from above."),
    "special.I": gettext_noop("{pilot} tries a death from above and misses."),
    "special.J": gettext_noop("{pilot} puts fifty points or more into one location ({damage} in all)."),
    "flashy.A": gettext_noop("{pilot} does {damage} damage with a light 'Mech."),
    "flashy.B": gettext_noop("{pilot} does {damage} damage, which is 20 or more."),
    "flashy.C": gettext_noop("{pilot} does {damage} damage; each full 20 beyond the first 20 count again."),
    "flashy.D": gettext_noop("{pilot} does {damage} damage to a 'Mech at least two classes higher."),
    "flashy.E": gettext_noop("{pilot} knocks out the pilot {at}."),
    "flashy.F": gettext_noop("{pilot} hits secondary targets."),
    "flashy.G": gettext_noop("{pilot} makes the crowd go wild."),
    "flashy.H": gettext_noop("{pilot} takes 50 points or more in a phase and still stands."),
}
"""A row without a target, or whose sentence names it."""

AT_SENTENCES: Mapping[str, str] = {
    "special.A": gettext_noop("{pilot} scores a critical hit on {at}: {part}."),
    "special.B": gettext_noop("{pilot} scores a critical hit on {at}: {part}."),
    "special.C": gettext_noop("{pilot} scores a critical hit on {at}: {part}."),
    "special.D": gettext_noop("{pilot} blows a limb or a torso off the 'Mech of {at}."),
    "special.E": gettext_noop("{pilot} hits the head of the 'Mech of {at}."),
    "special.F": gettext_noop("{pilot} hits {at} with a physical attack."),
    "special.G": gettext_noop("{pilot} hits {at} with a melee weapon."),
    "special.H": gettext_noop("{pilot} hits {at} with a charge or a death from above."),
    "special.I": gettext_noop("{pilot} tries a death from above on {at} and misses."),
    "special.J": gettext_noop("{pilot} puts fifty points or more into one location of {at} ({damage} in all)."),
    "flashy.A": gettext_noop("{pilot} does {damage} damage to {at} with a light 'Mech."),
    "flashy.B": gettext_noop("{pilot} does {damage} damage to {at}, which is 20 or more."),
    "flashy.C": gettext_noop("{pilot} does {damage} damage to {at}; each full 20 beyond the first 20 count again."),
    "flashy.D": gettext_noop("{pilot} does {damage} damage to {at}, whose 'Mech is at least two classes higher."),
}
"""A row whose entry names a target."""

SENTENCES: Mapping[str, str] = {
    "death": gettext_noop("{pilot} is killed; the last award closes the record (MC-DEATH-01)."),
    "stable_mech_destroyed": gettext_noop("The stable of {pilot} takes Fame for the loss of the 'Mech (MC-STSP-02)."),
    "stable_manual_eject": gettext_noop("The stable of {pilot} takes Fame for an ejection by hand (MC-STSP-01)."),
    "rebar_surrendered": gettext_noop("{pilot} hands in the rebar on leaving the arena (MC-REBAR-02)."),
    "left_early": gettext_noop("{pilot} leaves the arena before the least turns and pays for it (MC-EXIT-02)."),
    "forfeited": gettext_noop("{pilot} forfeits: {reason}."),
    "edge_spent": gettext_noop("{pilot} spends an Edge card: {on}."),
    "given": gettext_noop("The GM gives or takes this for {pilot}: {reason}."),
    "murdock": gettext_noop("Murdock Brokers add CP for each full million of prize money of {pilot}."),
    "cycle_bonus": gettext_noop("CP from {member} for what {pilot} earned in the arena cycle."),
    "chip": gettext_noop("{pilot} cashes a chip: {row}."),
    "loan": gettext_noop("{pilot} takes out a loan of up to {amount} C-bills (MC-LOAN-01)."),
    "repaid": gettext_noop("{pilot} repays a loan."),
    "repaid_by": gettext_noop("{other} repays {pilot} a loan; the stable keeps its share (MC-STSP-05)."),
    "repaid_leaving": gettext_noop("{pilot} pays what a dismissal still cost."),
    "lent": gettext_noop("{pilot} lends money to {to}."),
    "borrowed": gettext_noop("{pilot} borrows money from {by}; a fifth more is to be repaid (MC-STSP-05)."),
    "favour": gettext_noop("{pilot} keeps {member} with a favour (MC-ADVSP-05)."),
    "join_stable": gettext_noop("{pilot} joins the stable {member}."),
    "join_sponsor": gettext_noop("{pilot} signs with the sponsor {member}."),
    "leave_stable": gettext_noop("{pilot} withdraws from the stable {member}, which takes nobody back (MC-MEM-08)."),
    "leave_sponsor": gettext_noop("{pilot} withdraws from the sponsor {member}, who takes nobody back (MC-MEM-08)."),
    "dismissed": gettext_noop("{pilot} is dismissed and pays as for a withdrawal as far as it reaches: {member}."),
    "dropped_by_stable": gettext_noop("{pilot} is dropped for too little Fame, with a refund (MC-ADVST-02): {member}."),
    "dropped_by_sponsor": gettext_noop("{pilot} is dropped for earning too little (MC-ADVSP-03): {member}."),
    "ability": gettext_noop("{pilot} learns {ability}."),
    "edge": gettext_noop("{pilot} buys Edge cards: {cards}."),
    "affiliation_declare": gettext_noop("{pilot} declares for a house: {house} (MC-ABIL-17)."),
    "affiliation_change": gettext_noop("{pilot} changes the house: {house} (MC-ABIL-17)."),
    "ammunition": gettext_noop("{pilot} loads one ton of special ammunition: {ammunition}."),
    "prison_failed": gettext_noop("Solaris Prison cannot save {pilot}: {dice} (MC-DEATH-03)."),
    "prison_saved": gettext_noop("Solaris Prison saves {pilot}: {dice}; the award of the death goes back."),
    "healing": gettext_noop("{pilot} has wounds healed: {wounds}."),
    "repair": gettext_noop("{pilot} has the {mech} repaired: {mode}."),
    "sale": gettext_noop("{pilot} sells the {mech} for {percent} % of its book cost."),
    "forced_sale": gettext_noop("{pilot} has left the builders of the {mech}, and it is sold for half (MC-MEM-09)."),
    "purchase": gettext_noop("{pilot} buys a {mech}."),
    "bought_back": gettext_noop("{pilot} buys the {mech} back (MC-MEM-09)."),
    "given_back": gettext_noop("{pilot} gives the {mech} back at the price paid: it is above the limit (MC-LIMIT-02)."),
    "customised": gettext_noop("{pilot} has the {mech} changed by {by}."),
    "clan_weapon": gettext_noop("{pilot} gets a Clan weapon from O'Neals: {dice}."),
    "no_clan_weapon": gettext_noop("{pilot} gets no Clan weapon from O'Neals: {dice}."),
    "deposit": gettext_noop("{pilot} gives to the log of the team {team}."),
    "team_split": gettext_noop("The team {team} breaks up, and {pilot} receives an equal part."),
}
"""Codes that are not rows of the event table."""

WITHOUT_REASON: Mapping[str, tuple[str, str]] = {
    "forfeited": ("reason", gettext_noop("{pilot} forfeits.")),
    "edge_spent": ("on", gettext_noop("{pilot} spends an Edge card.")),
    "given": ("reason", gettext_noop("The GM gives or takes this for {pilot}.")),
}
"""The figure that a code may lack, and its sentence then."""

REPAID_STABLEMATE = gettext_noop("{pilot} repays {lender}, and the stable has its share (MC-STSP-05).")
# Translators: {member} is a stable or a sponsor, {happening} such as “a wound”
MEMBER_GIVES = gettext_noop("From {member}, for {pilot}: {happening}.")
MEMBER_DAMAGE = gettext_noop("From {member}, for the damage that {pilot} took in one phase: {damage}.")


def line_sentence(state: Event, line: Line, translate: Translate = identity) -> str:
    """Return why a line of the book is there, as a sentence or several. It never raises for a line of this event.

    Pilots are called by name with the number of their initiative card.
    """
    values = _values(state, line, translate)
    return " ".join([say(_template(state, line), values, translate), *_further(state, line, translate)])


def _template(state: Event, line: Line) -> str:
    """Return the template that says what happened."""
    reason, why = line.reason, line.why
    if "." in reason:
        return _row_template(reason, why)
    if reason == "repaid" and why.get("lender"):
        return REPAID_STABLEMATE
    if reason in WITHOUT_REASON and not why.get(WITHOUT_REASON[reason][0]):
        return WITHOUT_REASON[reason][1]
    if reason in SENTENCES:
        return SENTENCES[reason]
    if reason in state.printed.memberships:
        return MEMBER_DAMAGE if "damage" in why else MEMBER_GIVES
    return UNKNOWN


def _row_template(row: str, why: Mapping[str, Any]) -> str:
    if (
        row in AT_SENTENCES
        and why.get("at")
        and (why.get("part") or row not in ("special.A", "special.B", "special.C"))
    ):
        return AT_SENTENCES[row]
    if row in ROW_SENTENCES:
        return ROW_SENTENCES[row]
    if row.startswith("crippling."):
        return CRIPPLE
    return KILL_ALONE if why.get("solo") else KILL_SHARED


def _values(state: Event, line: Line, translate: Translate) -> dict[str, Any]:
    """Return what the template may name, with ids as names and amounts with commas."""
    why = line.why
    values: dict[str, Any] = {
        **why,
        "reason": words.reason_words(why.get("reason", ""), translate) or line.reason.replace("_", " "),
        "pilot": words.pilot_called(state, line.pilot),
        "other": words.pilot_called(state, why.get("pilot")),
        "member": words.member_name(state, why.get("membership") or line.reason, translate),
        "happening": translate(words.HAPPENINGS.get(str(why.get("on")), str(why.get("on", "")))),
        "row": words.row_name(str(why.get("row", "")), translate),
    }
    for name in ("at", "to", "lender"):
        if name in why:
            values[name] = words.pilot_called(state, why[name])
    if "by" in why:
        is_pilot = line.reason == "borrowed"
        values["by"] = (
            words.pilot_called(state, why["by"]) if is_pilot else words.member_name(state, why["by"], translate)
        )
    for name, naming in NAMINGS.items():
        if name in why:
            values[name] = naming(state, why[name], translate)
    if "difference" in why:
        values["classes"] = words.class_words(why["difference"], translate)
    if "dice" in why:
        values["dice"] = " + ".join(shown(die) for die in why["dice"])
    for name in ("amount", "paid"):
        if name in why:
            values[name] = words.amount(abs(why[name]), translate)
    return values


NAMINGS: Mapping[str, Callable[[Event, Any, Translate], str]] = {
    "ability": words.ability_name,
    "house": words.house_name,
    "mech": lambda state, mech, translate: words.mech_name(state, mech),
    "mode": lambda state, mode, translate: translate(words.REPAIR_MODES.get(mode, mode)),
    "part": lambda state, part, translate: translate(words.CRITICALS.get(part, part)),
    "ammunition": lambda state, kind, translate: words.ammunition_name(kind, translate),
}
"""Figures of a line that are ids, and how each gets its name."""


def _further(state: Event, line: Line, translate: Translate) -> Iterator[str]:
    """Yield the sentences with the figures that explain an amount."""
    why = line.why
    if why.get("clan"):
        yield translate(RAISED)
    if why.get("shift"):
        yield say(SHIFTED, {"shift": why["shift"]}, translate)
    if why.get("chip") and line.reason in state.printed.rows:
        worth = state.printed.rows[line.reason].worth
        yield say(CHIP, {"worth": words.worth_words(worth, translate)}, translate)
    if why.get("modifiers"):
        named = [
            say(
                MODIFIER,
                {
                    "source": words.source_name(state, source, translate),
                    "percent": words.percent_words(percent, translate),
                },
                translate,
            )
            for source, percent in why["modifiers"]
        ]
        yield say(MODIFIED, {"modifiers": joined(named, translate)}, translate)
    if why.get("surcharge"):
        yield say(SURCHARGE, {"surcharge": why["surcharge"]}, translate)
    if "paid" in why:
        template = FROM_TEAM if why["paid"] >= 0 else TO_TEAM
        yield say(template, {"team": why.get("team"), "paid": words.amount(abs(why["paid"]), translate)}, translate)
