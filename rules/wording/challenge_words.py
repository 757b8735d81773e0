"""The words of the Challenge for what its rules know by ids: rows, parts, states, phases, steps, houses, memberships.

Proper names (a stable, a sponsor, a 'Mech) stand in the data and go through `translate`, too.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.challenge.state import Event
from rules.challenge.worth import Worth
from rules.core.messages import gettext_noop, pgettext_noop
from rules.wording.filling import joined, say, signed
from rules.wording.language import Translate, identity

ROWS: Mapping[str, str] = {
    "kills": pgettext_noop("Challenge", "Kill"),
    "kills.O": gettext_noop("Turret destroyed"),
    "kills.P": gettext_noop("Famous pilot killed"),
    "crippling": gettext_noop("Cripple"),
    "special.A": gettext_noop("Major critical hit"),
    "special.B": gettext_noop("Medium critical hit"),
    "special.C": gettext_noop("Other critical hit"),
    "special.D": gettext_noop("Limb or torso blown off"),
    "special.E": gettext_noop("Head hit"),
    "special.F": gettext_noop("Physical attack"),
    "special.G": gettext_noop("Melee weapon"),
    "special.H": gettext_noop("Charge or death from above"),
    "special.I": gettext_noop("Death from above that missed"),
    "special.J": gettext_noop("Fifty points in one location"),
    "flashy.A": gettext_noop("Damage of 10 to 19 by a light 'Mech"),
    "flashy.B": gettext_noop("Damage of 20 or more"),
    "flashy.C": gettext_noop("Each 20 more points of damage"),
    "flashy.D": gettext_noop("David against Goliath"),
    "flashy.E": gettext_noop("Pilot knocked out"),
    "flashy.F": gettext_noop("Secondary targets"),
    "flashy.G": gettext_noop("The crowd goes wild"),
    "flashy.H": gettext_noop("Standing after 50 points"),
}
"""The rows of the event table; those of kills and cripples share a name and differ in their classes."""

AWARD_TABLES: Mapping[str, str] = {
    "kills": pgettext_noop("Challenge", "Kills"),
    "crippling": gettext_noop("Crippling"),
    "special": gettext_noop("Special"),
    "flashy": gettext_noop("Flashy"),
}
COLOURS: Mapping[str, str] = {
    "black": gettext_noop("black"),
    "blue": gettext_noop("blue"),
    "white": gettext_noop("white"),
    "red": gettext_noop("red"),
}
WEIGHT_CLASSES: Mapping[str, str] = {
    "light": gettext_noop("light"),
    "medium": gettext_noop("medium"),
    "heavy": gettext_noop("heavy"),
    "assault": gettext_noop("assault"),
}
TECHNOLOGIES: Mapping[str, str] = {
    "inner_sphere": gettext_noop("Inner Sphere"),
    "clan": gettext_noop("Clan"),
}
MECH_STATES: Mapping[str, str] = {
    "intact": gettext_noop("intact"),
    "crippled": gettext_noop("crippled"),
    "destroyed": gettext_noop("destroyed"),
}
CRITICALS: Mapping[str, str] = {
    "engine": gettext_noop("engine"),
    "gyro": gettext_noop("gyro"),
    "hip": gettext_noop("hip"),
    "head": gettext_noop("head"),
    "actuator": gettext_noop("actuator"),
    "weapon": gettext_noop("weapon"),
    "ammo": gettext_noop("ammunition"),
    "other": gettext_noop("other part"),
}
METHODS: Mapping[str, str] = {
    "fire": gettext_noop("fire"),
    "melee": gettext_noop("physical attack"),
    "melee_weapon": gettext_noop("melee weapon"),
    "charge": pgettext_noop("Challenge", "charge"),
    "death_from_above": gettext_noop("death from above"),
    "heat": gettext_noop("heat"),
    "ammunition": gettext_noop("ammunition explosion"),
    "fall": gettext_noop("fall"),
    "other": gettext_noop("something else"),
}
PHASES: Mapping[str, str] = {
    "initiative": gettext_noop("Initiative"),
    "movement": gettext_noop("Movement"),
    "fire": gettext_noop("Fire"),
    "physical": gettext_noop("Physical attacks"),
    "end": gettext_noop("End"),
}
CYCLE_PHASES: Mapping[str, str] = {
    "exit": gettext_noop("Arena exit"),
    "maintenance": gettext_noop("Maintenance"),
    "entrance": gettext_noop("Arena entrance"),
}
CYCLE_STEPS: Mapping[int, str] = {
    1: gettext_noop("Cash chips"),
    2: gettext_noop("Sponsors look"),
    3: gettext_noop("Leave a sponsor or the stable"),
    4: gettext_noop("Repair and heal"),
    5: gettext_noop("Sell the 'Mech"),
    6: gettext_noop("Join a stable or a sponsor"),
    7: gettext_noop("Abilities, Edge and house"),
    8: gettext_noop("The stable looks"),
    9: gettext_noop("Buy a 'Mech"),
}
"""The steps of the off-board cycle (MC-OBC-02 to 05) by their numbers."""

REPAIR_PARTS: Mapping[str, str] = {
    "structure": gettext_noop("structure, by location"),
    "weapon": gettext_noop("weapon critical hit"),
    "actuator": gettext_noop("actuator"),
    "engine_gyro": gettext_noop("engine or gyro"),
    "other": gettext_noop("other critical hit"),
    "weapons": gettext_noop("weapons hit"),
    "intact": gettext_noop("full repair of an intact 'Mech"),
    "crippled": gettext_noop("full repair of a crippled 'Mech"),
    "destroyed": gettext_noop("full repair of a destroyed 'Mech"),
    "ejected": gettext_noop("cockpit after an ejection"),
}
"""What a spot repair counts, and the lines of a full one."""

REPAIR_MODES: Mapping[str, str] = {"full": gettext_noop("full repair"), "spot": gettext_noop("spot repair")}
BANDS: Mapping[str, str] = {
    "5-9": gettext_noop("5 to 9"),
    "10-19": gettext_noop("10 to 19"),
    "20-39": gettext_noop("20 to 39"),
    "40-59": gettext_noop("40 to 59"),
    "60-79": gettext_noop("60 to 79"),
    "80-99": gettext_noop("80 to 99"),
    "100-119": gettext_noop("100 to 119"),
    "120-139": gettext_noop("120 to 139"),
}
HAPPENINGS: Mapping[str, str] = {
    "melee_success": gettext_noop("a physical attack that hit"),
    "melee_weapon_success": gettext_noop("a hit with a melee weapon"),
    "solo_kill": gettext_noop("a kill without help"),
    "attacked_rear": gettext_noop("an attack from behind"),
    "pilot_wound": gettext_noop("a wound"),
    "sustained_damage_in_phase": gettext_noop("much damage taken in one phase"),
    "manual_eject": gettext_noop("an ejection by hand"),
    "own_mech_destroyed": gettext_noop("the loss of the own 'Mech"),
}
"""What stables and sponsors give or take for."""

DIFFERENCES: Mapping[int, str] = {
    # Translators: words for {classes} in “it is {classes}”
    -3: gettext_noop("3 or more classes lower"),
    -2: gettext_noop("2 classes lower"),
    -1: gettext_noop("1 class lower"),
    0: gettext_noop("of the same class"),
    1: gettext_noop("1 class higher"),
    2: gettext_noop("2 classes higher"),
    3: gettext_noop("3 or more classes higher"),
}
EQUIPMENT: Mapping[str, str] = {
    "a_pods": gettext_noop("A-pods"),
    "b_pods": gettext_noop("B-pods"),
    "ammunition": gettext_noop("ammunition"),
    "ammo": gettext_noop("ammunition"),
    "anti_missile_system": gettext_noop("anti-missile systems"),
    "active_probes": gettext_noop("active probes"),
    "armor": gettext_noop("armor"),
    "c3_computers": gettext_noop("C3 computers"),
    "c3_slave": gettext_noop("C3 slave"),
    "c3i": gettext_noop("C3i"),
    "cargo_space": gettext_noop("cargo space"),
    "ecm": gettext_noop("ECM"),
    "heat_sinks": gettext_noop("heat sinks"),
    "jump_jets": gettext_noop("jump jets"),
    "physical_weapons": gettext_noop("physical weapons"),
    "ranged_weapons": gettext_noop("ranged weapons"),
    "tag": gettext_noop("TAG"),
    "targeting_computer": gettext_noop("targeting computer"),
    "weapons": gettext_noop("weapons"),
}
"""What may come out of a 'Mech and go into it (MC-CUST-01, MC-CUST-02)."""

COUPON = gettext_noop("coupon of a charge or a death from above")


def row_name(row: str, translate: Translate = identity) -> str:
    """Return the name of a row of the event table; a row that nobody knows keeps its letter."""
    found = ROWS.get(row) or ROWS.get(row.partition(".")[0])
    return translate(found) if found else row


def class_words(difference: int, translate: Translate = identity) -> str:
    """Return how a target's class stands to one's own, as `1 class higher`."""
    return translate(DIFFERENCES[max(-3, min(3, difference))])


def pilot_called(state: Event, pilot: str | None) -> str:
    """Return what a pilot is called: their name, with the number of their initiative card where they have one."""
    found = state.pilots.get(pilot or "")
    if found is None or found.card is None:
        return pilot or ""
    return f"{pilot} ({found.card})"


def member_name(state: Event, membership: str | None, translate: Translate = identity) -> str:
    """Return the name of a stable or a sponsor; an unknown id keeps its own word."""
    found = state.printed.memberships.get(membership or "")
    return translate(found.name) if found else str(membership or "").replace("_", " ")


def ability_name(state: Event, ability: str | None, translate: Translate = identity) -> str:
    """Return the name of an ability, or of another thing that pilots buy."""
    found = state.printed.abilities.get(ability or "")
    return translate(found.name) if found else str(ability or "").replace("_", " ")


def house_name(state: Event, house: str | None, translate: Translate = identity) -> str:
    """Return the name of a house by its code."""
    found = state.printed.houses.get(house or "")
    return translate(found) if found else str(house or "")


def mech_name(state: Event, mech: str | None) -> str:
    """Return the name of a 'Mech of the event's list."""
    found = state.models.get(mech or "")
    return (found.name or found.id) if found else str(mech or "")


AMMUNITION: Mapping[str, str] = {
    "armor_piercing": pgettext_noop("ammunition", "armor-piercing"),
    "arrow_iv": gettext_noop("Arrow IV"),
    "fascam": gettext_noop("FASCAM"),
    "inferno": pgettext_noop("ammunition", "inferno"),
    "narc_capable": pgettext_noop("ammunition", "Narc-capable"),
    "smoke": pgettext_noop("ammunition", "smoke"),
    "swarm": pgettext_noop("ammunition", "swarm"),
    "swarm_i": gettext_noop("swarm-I"),
    "thunder": gettext_noop("Thunder"),
}
"""The special loads that the tables know."""


def ammunition_name(kind: str, translate: Translate = identity) -> str:
    """Return the name of a special load; an unknown one keeps its own word."""
    return translate(AMMUNITION[kind]) if kind in AMMUNITION else kind.replace("_", " ")


def equipment_name(item: str, translate: Translate = identity) -> str:
    """Return the name of what may come out of a 'Mech or go into it.

    >>> equipment_name("c3_computers")
    'C3 computers'
    """
    return translate(EQUIPMENT.get(item, item.replace("_", " ")))


REASONS: Mapping[str, str] = {
    "wrong click": gettext_noop("wrong click"),
    "forgotten": gettext_noop("forgotten"),
    "judge's ruling": gettext_noop("judge’s ruling"),
    "wrong pilot": gettext_noop("wrong pilot"),
    "paper says so": gettext_noop("paper says so"),
    "agreed": gettext_noop("agreed"),
    "prize": gettext_noop("prize"),
    "penalty": gettext_noop("penalty"),
    "has left": pgettext_noop("a finalist", "has left"),
    "does not want to": gettext_noop("does not want to"),
    "not found": gettext_noop("not found"),
}
"""Reasons that pages offer, as the book keeps them, and what people call them."""


def reason_words(reason: str, translate: Translate = identity) -> str:
    """Return why somebody did something: a reason that pages offer by its name, own words as they stand."""
    return translate(REASONS[reason]) if reason in REASONS else reason


def source_name(state: Event, source: str, translate: Translate = identity) -> str:
    """Return who gives a modifier of a price: a stable, a sponsor, an ability, the coupon."""
    if source == "coupon":
        return translate(COUPON)
    if source in state.printed.abilities:
        return ability_name(state, source, translate)
    return member_name(state, source, translate)


def amount(c_bills: int, translate: Translate = identity) -> str:
    """Return an amount with marks between thousands and a true minus sign.

    >>> amount(-2500000)
    '−2,500,000'
    """
    return f"{'−' if c_bills < 0 else ''}{translate.money(abs(c_bills))}"


PERCENT = gettext_noop("{percent} %")


def percent_words(percent: int, translate: Translate = identity) -> str:
    """Return percentage points with their sign: `−20 %`."""
    return say(PERCENT, {"percent": signed(percent)}, translate)


FAME, CP, C_BILLS = gettext_noop("{fame} Fame"), gettext_noop("{cp} CP"), gettext_noop("{c_bills} C-bills")
NOTHING = gettext_noop("nothing")


def worth_words(worth: Worth, translate: Translate = identity, with_sign: bool = False) -> str:
    """Return an amount in three currencies as words, those that are 0 left out.

    >>> worth_words(Worth(1, 0, 2500000))
    '1 Fame and 2,500,000 C-bills'
    """

    def figure(value: int) -> str:
        return f"{'+' if with_sign and value > 0 else ''}{amount(value, translate)}"

    named = {"fame": (FAME, worth.fame), "cp": (CP, worth.cp), "c_bills": (C_BILLS, worth.c_bills)}
    parts = [say(words, {name: figure(value)}, translate) for name, (words, value) in named.items() if value]
    return joined(parts, translate) or translate(NOTHING)
