"""One plain sentence for each row of a Challenge's book: what somebody entered, whether it counts or not.

    entry_sentence(state, row)        # "Ross does 40 damage to Jo."

What followed from it stands in the lines of the book (`rules.wording.challenge_lines`). Turn, phase, table and who
entered it stand beside the sentence on a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.challenge.book.rows import MECHS, SESSION, SETUP, UNDO, Row
from rules.challenge.entries import Entry
from rules.challenge.state import Event
from rules.challenge.worth import Worth
from rules.core.messages import gettext_noop
from rules.wording import challenge_words as words
from rules.wording.challenge_surprises import SURPRISES, surprise_words
from rules.wording.filling import fitting, joined, say
from rules.wording.language import Translate, identity

DEEDS: Mapping[str, tuple[str, ...]] = {
    # In the arena and out of it.
    # Translators: {who} may be several pilots in all of these
    "enter": (gettext_noop("{who} enters by the portal {portal}."), gettext_noop("{who} enters the arena.")),
    "exit": (gettext_noop("{who} leaves by the portal {portal}."), gettext_noop("{who} leaves the arena.")),
    # Attacks.
    "damage": (
        gettext_noop("{who} does {points} damage to {at}."),
        gettext_noop("{who} does {band} damage to {at}."),
        gettext_noop("{who} does {points} damage."),
        gettext_noop("{who} does {band} damage."),
    ),
    "sustained": (gettext_noop("{subject} takes {points} damage in all."),),
    "head_hit": (gettext_noop("{who} hits the head of the 'Mech of {at}."),),
    "critical": (gettext_noop("{who} scores a critical hit on {at}: {part}."),),
    "blown_off": (gettext_noop("{who} blows a limb or the head off the 'Mech of {at}."),),
    "melee": (
        gettext_noop("{who} hits {at} with a physical attack."),
        gettext_noop("{who} hits with a physical attack."),
    ),
    "melee_weapon": (
        gettext_noop("{who} hits {at} with a melee weapon."),
        gettext_noop("{who} hits with a melee weapon."),
    ),
    "charge": (gettext_noop("{who} charges {at} and hits."), gettext_noop("{who} charges and hits.")),
    "death_from_above": (
        gettext_noop("{who} tries a death from above on {at}."),
        gettext_noop("{who} tries a death from above."),
    ),
    "secondary_target": (gettext_noop("{who} hits the primary and the secondary target."),),
    "rear_attack": (gettext_noop("{who} attacks {at} from behind."), gettext_noop("{who} attacks from behind.")),
    "crowd": (gettext_noop("The crowd goes wild for {who}."),),
    "standing_after_50": (gettext_noop("{subject} takes 50 in one phase and still stands."),),
    "turret": (gettext_noop("A turret is destroyed by {who}."),),
    "edge": (gettext_noop("{who} spends an Edge card on this: {on}."), gettext_noop("{who} spends an Edge card.")),
    "token": (gettext_noop("{who} uses an ability: {ability}."),),
    # What befalls a pilot and a 'Mech.
    "cripple": (
        gettext_noop("The 'Mech of {at} is crippled by {claimants}: {method}."),
        gettext_noop("The 'Mech of {at} is crippled by {claimants}."),
        gettext_noop("The 'Mech of {at} is crippled: {method}."),
        gettext_noop("The 'Mech of {at} is crippled."),
    ),
    "kill": (
        gettext_noop("The 'Mech of {at} is destroyed by {claimants}: {method}."),
        gettext_noop("The 'Mech of {at} is destroyed by {claimants}."),
        gettext_noop("The 'Mech of {at} is destroyed: {method}."),
        gettext_noop("The 'Mech of {at} is destroyed."),
    ),
    "eject": (gettext_noop("{subject} ejects."),),
    "wound": (gettext_noop("{subject} is hit, and this ability rests: {ability}."), gettext_noop("{subject} is hit.")),
    "knocked_out": (gettext_noop("{at} is knocked out by {claimants}."), gettext_noop("{at} is knocked out.")),
    "unconscious": (gettext_noop("{subject} is unconscious."),),
    "conscious": (gettext_noop("{subject} is awake again."),),
    "death": (gettext_noop("{subject} dies."),),
    "overrun": (gettext_noop("{subject} takes longer than a minute to move."),),
    "rebar": (gettext_noop("{subject} picks up rebar."),),
    # The desk.
    "initiative": (gettext_noop("The initiative order: {order}."), gettext_noop("The initiative order is drawn.")),
    "bet": (gettext_noop("{who} bets with {other} on this: {on}. The chip is {chip}."),),
    "settle_bet": (gettext_noop("The bet {bet} is settled."), gettext_noop("A bet is settled.")),
    "noted": (gettext_noop("A note: {text}."), gettext_noop("A note for the story.")),
    "give": (
        gettext_noop("The GM gives {subject} {worth}: {reason}."),
        gettext_noop("The GM gives {subject} {worth}."),
    ),
    "new_pilot": (gettext_noop("{who} comes, played by {player}."), gettext_noop("{who} comes.")),
    "approve": (
        gettext_noop("A judge approves {subject}, who gets card {card}."), gettext_noop("A judge approves {subject}."),
    ),
    "sheets_in": (gettext_noop("The judges have the sheets of {subject}."),),
    "forfeit": (gettext_noop("{subject} forfeits: {reason}."), gettext_noop("{subject} forfeits.")),
    "stage": (gettext_noop("The {stage} begins with {finalists}."), gettext_noop("The {stage} begins.")),
    "end_turn": (gettext_noop("Turn {turn} ends."), gettext_noop("The turn ends.")),
    "end_day": (gettext_noop("The day ends."),),
    # Off the board.
    "cash_chips": (gettext_noop("{who} cashes these chips: {chips}."), gettext_noop("{who} cashes all chips.")),
    "verify_sponsors": (
        gettext_noop("The sponsors of {who} look at what was earned; to be kept first: {keep}."),
        gettext_noop("The sponsors of {who} look at what was earned."),
    ),
    "favour": (gettext_noop("{who} keeps {sponsor} with a favour."),),
    "drop_sponsor": (gettext_noop("{who} leaves the sponsor {sponsor}."),),
    "drop_stable": (gettext_noop("{who} leaves the stable."),),
    "repair": (gettext_noop("{who} has the 'Mech repaired: {mode}."),),
    "heal": (gettext_noop("{who} has wounds healed: {wounds}."), gettext_noop("{who} has all wounds healed.")),
    "replace_weapon": (gettext_noop("{who} rolls {dice} for a Clan weapon of O'Neals."),),
    "sell": (gettext_noop("{who} sells the {mech}."), gettext_noop("{who} sells the 'Mech.")),
    "join_sponsor": (gettext_noop("{who} signs with the sponsor {sponsor}."),),
    "join_stable": (gettext_noop("{who} joins the stable {stable}."),),
    "buy_ability": (gettext_noop("{who} learns {ability}: {choice}."), gettext_noop("{who} learns {ability}.")),
    "verify_stable": (gettext_noop("The stable of {who} looks at their Fame."),),
    "buy_mech": (gettext_noop("{who} buys a {mech}, changed by {builder}."), gettext_noop("{who} buys a {mech}.")),
    "buy_back": (gettext_noop("{who} buys the {mech} back."),),
    "give_back": (gettext_noop("{who} gives the {mech} back."), gettext_noop("{who} gives the 'Mech back.")),
    "customise": (gettext_noop("{who} has the 'Mech changed by {builder}; it now costs {cost} C-bills."),),
    "approve_cycle": (gettext_noop("A judge approves the off-board cycle of {who}."),),
    "buy_edge": (gettext_noop("{who} buys Edge cards: {cards}."), gettext_noop("{who} buys an Edge card.")),
    "declare_house": (gettext_noop("{who} declares for a house: {house}."),),
    "change_house": (gettext_noop("{who} changes the house: {house}."),),
    "special_ammunition": (gettext_noop("{who} loads a ton of special ammunition: {ammunition}."),),
    "loan": (gettext_noop("{who} takes out a loan of up to {amount} C-bills."),),
    "repay": (gettext_noop("{who} repays {c_bills} C-bills."), gettext_noop("{who} repays what is owed.")),
    "lend": (gettext_noop("{who} lends {to} {c_bills} C-bills."),),
    "team_up": (gettext_noop("{who} joins the team {team}."),),
    "join_team_sponsor": (gettext_noop("The team of {who} signs with the sponsor {sponsor}."),),
    "deposit": (gettext_noop("{who} gives the team {worth}."),),
    "split": (gettext_noop("The team of {who} breaks up."),),
    "prison_roll": (gettext_noop("Solaris Prison rolls {dice} for {who}."),),
}  # fmt: skip
"""Templates by kind of deed: the first one counts whose facts are all there. Surprises have their own sentences."""

TRUTHS: Mapping[tuple[str, bool], str] = {
    ("one_location", True): gettext_noop("All of it hits one location."),
    ("hit", True): gettext_noop("It hits."),
    ("hit", False): gettext_noop("It misses."),
    ("push", True): gettext_noop("It is a push."),
    ("success", True): gettext_noop("It works."),
    ("success", False): gettext_noop("It fails."),
    ("won", True): gettext_noop("The one who offered it wins."),
    ("won", False): gettext_noop("The one who offered it loses."),
    ("automatic", True): gettext_noop("The 'Mech does it by itself."),
    ("auto_eject", False): gettext_noop("Automatic ejection is off."),
    ("approved", False): gettext_noop("A judge has yet to approve them."),
    ("early", True): gettext_noop("It is before the least turns."),
    ("held", False): gettext_noop("It is laid down again."),
    ("coupon", True): gettext_noop("The coupon pays a part."),
    ("before_sale", True): gettext_noop("It is on credit before a sale."),
    ("from_team", True): gettext_noop("The team pays."),
    ("unrepaired", True): gettext_noop("It goes as it stands."),
    ("partial", True): gettext_noop("It shares a bin."),
    ("physical_cost", True): gettext_noop("The change costs a physical weapon."),
    ("same_location", False): gettext_noop("What came in is in another location."),
}
"""What a fact that is true or false adds; a pair that is not here goes without saying."""

NOTE = gettext_noop("Note: {note}.")
OVERRULED = gettext_noop("The GM overrules the rules: {overruled}.")
BEFORE = gettext_noop("It counts before entry {before}.")
STAGES: Mapping[str, str] = {"qualifier": gettext_noop("qualifier"), "final": gettext_noop("final")}
HOUSE = gettext_noop("the house")
EMPTY_SEATS = (gettext_noop("Empty seats: {pilots} ({reason})."), gettext_noop("Empty seats: {pilots}."))
DRAWN = gettext_noop("Drawn by lot: {pilots}.")

UNDONE = gettext_noop("Entry {entry} is undone.")
SETTINGS = gettext_noop("The settings of the event are written. Tables: {tables}.")
LIMITS = gettext_noop("Limits from now on. Most C-bills for a 'Mech: {most}. Turns before an exit: {turns}.")
LIMITS_WITHOUT_VALUE = gettext_noop("Limits from now on. Turns before an exit: {turns}.")
LIST = gettext_noop("The list of 'Mechs changes: {mechs}.")


def entry_sentence(state: Event, row: Row, translate: Translate = identity) -> str:
    """Return what a row says, as a sentence or several. `state` lends the names. It never raises for a row."""
    if row.entry is not None:
        return " ".join([*_deed(state, row.entry, row.document, translate), *_place(row, translate)])
    return " ".join([_other(state, row, translate), *_place(row, translate)])


def _place(row: Row, translate: Translate) -> list[str]:
    return [] if row.before is None else [say(BEFORE, {"before": row.before}, translate)]


def _deed(state: Event, entry: Entry, document: Mapping[str, Any], translate: Translate) -> list[str]:
    if entry.what in SURPRISES:
        found = [surprise_words(entry, translate)]
    else:
        values = _values(state, entry, translate)
        found = [say(fitting(DEEDS[entry.what], values), values, translate)]
    found += seats_and_lots(entry, translate)
    found += [
        translate(TRUTHS[name, value])
        for name, value in entry.facts.items()
        if isinstance(value, bool) and (name, value) in TRUTHS
    ]
    if document.get("note"):
        found.append(say(NOTE, {"note": document["note"]}, translate))
    if entry.overruled is not None:
        found.append(say(OVERRULED, {"overruled": words.reason_words(entry.overruled, translate)}, translate))
    return found


def seats_and_lots(entry: Entry, translate: Translate = identity) -> list[str]:
    """Return what a call of the final says about seats that pass down and lots that are drawn, [] for nothing."""
    absent, drawn, found = entry.facts.get("absent"), entry.facts.get("drawn"), []
    if absent:
        values = {"pilots": absent}
        if entry.facts.get("reason"):
            values["reason"] = words.reason_words(entry.facts["reason"], translate)
        found.append(say(fitting(EMPTY_SEATS, values), values, translate))
    if drawn:
        found.append(say(DRAWN, {"pilots": drawn}, translate))
    return found


def _values(state: Event, entry: Entry, translate: Translate) -> dict[str, Any]:
    """Return what the templates may name; what an entry leaves open is missing."""
    facts = entry.facts
    who = joined(entry.by, translate)
    values: dict[str, Any] = {
        name: value for name, value in facts.items() if isinstance(value, (str, int)) and not isinstance(value, bool)
    }
    values |= {"who": who or entry.at, "claimants": who, "at": entry.at, "subject": entry.subject, "turn": entry.turn}
    values |= {name: _named(state, name, value, translate) for name, value in facts.items() if name in _NAMED}
    values["other"] = translate(HOUSE) if facts.get("with") == "house" else facts.get("with")
    values["builder"] = words.member_name(state, facts.get("with"), translate) if "with" in facts else None
    values["order"] = facts.get("cards") or list(entry.by)
    values["worth"] = _worth(facts, translate)
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def _worth(facts: Mapping[str, Any], translate: Translate) -> str:
    figures = {name: facts.get(name, 0) for name in ("fame", "cp", "c_bills")}
    worth = Worth(**{name: value if isinstance(value, int) else 0 for name, value in figures.items()})
    return words.worth_words(worth, translate, with_sign=True)


def _named(state: Event, name: str, value: Any, translate: Translate) -> Any:
    """Return how people call a fact that the rules know by an id."""
    if isinstance(value, (list, tuple)):
        return [_named(state, name, each, translate) for each in value]
    return _NAMED[name](state, value, translate)


def _word(names: Mapping[str, str]) -> Any:
    return lambda _state, value, translate: translate(names.get(str(value), str(value)))


def _row(_state: Event, value: str, translate: Translate) -> str:
    return words.row_name(value, translate)


def _amount(_state: Event, value: int, translate: Translate) -> str:
    return words.amount(value, translate)


def _as_it_is(_state: Event, value: Any, _translate: Translate) -> Any:
    return value


_NAMED: Mapping[str, Any] = {
    "part": _word(words.CRITICALS),
    "method": _word(words.METHODS),
    "band": _word(words.BANDS),
    "mode": _word(words.REPAIR_MODES),
    "stage": _word(STAGES),
    "ability": words.ability_name,
    "sponsor": words.member_name,
    "stable": words.member_name,
    "house": words.house_name,
    "mech": lambda state, value, _translate: words.mech_name(state, value),
    "ammunition": lambda _state, value, translate: words.ammunition_name(value, translate),
    "chip": _row,
    "chips": _row,
    "keep": words.member_name,
    "reason": lambda _state, value, translate: words.reason_words(value, translate),
    "amount": _amount,
    "c_bills": _amount,
    "cost": _amount,
    "finalists": _as_it_is,
    "dice": _as_it_is,
}


def _other(state: Event, row: Row, translate: Translate) -> str:
    document = row.document
    if row.kind == UNDO:
        return say(UNDONE, {"entry": row.undoes}, translate)
    if row.kind == SETUP:
        return say(SETTINGS, {"tables": [table["id"] for table in document["tables"]]}, translate)
    if row.kind == SESSION:
        most, turns = document.get("most_value"), document.get("minimum_turns", state.minimum_turns)
        if most is None:
            return say(LIMITS_WITHOUT_VALUE, {"turns": turns}, translate)
        return say(LIMITS, {"most": words.amount(most, translate), "turns": turns}, translate)
    if row.kind == MECHS:
        names = [(each or {}).get("name", name) for name, each in document["mechs"].items()]
        shown = [*names[:MOST_NAMED], "…"] if len(names) > MOST_NAMED else names
        return say(LIST, {"mechs": shown}, translate)
    return str(row.kind)


MOST_NAMED = 6
"""'Mechs that a sentence about a long list names."""
