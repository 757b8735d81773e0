"""What a GM may set for an event: how a silent or doubtful rule is read, and which optional rules are in play.

Each switch names the ruling that it turns; docs/challenge-rulings.md gives the reasons. The defaults are the rulings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

OPTIONS = (
    "advanced_sponsors",  # sponsors want to see earnings (MC-ADVSP)
    "advanced_stables",  # a stable drops a pilot who falls below its Fame (MC-ADVST)
    "betting",  # awards are chips until they are cashed (MC-BET)
    "clan_mechs",  # Clan 'Mechs for members of stables with the Clan mark, half as much again (MC-CLAN)
    "knock_outs",  # a 'Mech whose pilot stays unconscious is removed (MC-KO)
    "last_man_standing",  # the last survivor wins the final (MC-LMS)
    "newcomers",  # who comes later starts with more (MC-NEW)
    "several_mechs",  # a pilot may own more than one 'Mech (MC-MECH-01)
    "teams",  # pilots share a log (MC-TEAM)
)


@dataclass(frozen=True, slots=True)
class Switches:
    """How this event reads the rules; each default is the ruling named beside it."""

    table_printing: str = "body"
    """body or reference: which printing of a differing row counts (MCQ-DIF-01, MCQ-DIF-02)."""
    round_proceeds: bool = False
    """Round awards down to 10,000 too, not only costs and sales (MCQ-GEN-01)."""
    repair_round: str = "total"
    """total, item or none: what of a repair is rounded down (MCQ-GEN-02)."""
    fame_floor: bool = False
    """Keep Fame from falling below 0 (MCQ-GEN-04)."""
    reset_period: str = "day"
    """day or event: when Edge and tokens are dealt again (MCQ-GEN-06)."""
    max_abilities: int = 6
    """The most abilities of tiers 1 to 3 (MCQ-ABIL-01)."""
    warner_round: str = "price"
    """price or discount: what of Warner's fifth is rounded up (MCQ-ABIL-05)."""
    suspend_dependents: bool = True
    """A wound that suspends an ability suspends what needs it (MCQ-ABIL-06)."""
    specialist_block: str = "use"
    """use or purchase: a Weapon Specialist in a stable with a gunnery bonus (MCQ-ABIL-07)."""
    strict_tier4_order: bool = False
    """Tier 4 is bought only at its step of the cycle (MCQ-ABIL-08)."""
    toughness: str = "since_healthy"
    """since_healthy or once: which hit Toughness takes (MCQ-WOUND-01)."""
    prison_save: str = "one_below_fatal"
    """one_below_fatal or unhurt: how a saved pilot goes on (MCQ-DEATH-02)."""
    loan_model: str = "overdraft"
    """overdraft or separate: what a loan is (MCQ-LOAN-01)."""
    loan_erased_above_zero: bool = False
    """A loan ends only when cash is above 0, not at 0 (MCQ-LOAN-02)."""
    stablemate_loan_blocks_all: bool = False
    """A stablemate's loan bars another loan and Edge too (MCQ-LOAN-07)."""
    stack: str = "add"
    """add or multiply: how repair modifiers meet (MCQ-REP-01)."""
    weapon_crit_unit: str = "slot"
    """slot or weapon: what of a damaged weapon is paid for (MCQ-REP-06)."""
    ejected_on: str = "book"
    """book or bill: what the five percent for an ejection are of (MCQ-REP-02)."""
    clan_base: str = "raised"
    """raised or list: the price of a Clan 'Mech that repairs and sales go by (MCQ-REP-08)."""
    larzellier_book: bool = False
    """Larzellier's discount lowers the book cost too (MCQ-REP-09)."""
    bromley_pays: bool = True
    """Who Bromley dismisses pays for leaving (MCQ-MEM-03)."""
    equipment_rows: str = "replace"
    """replace or add: a stable's own list of equipment beside that of all stables (MCQ-MEM-08)."""
    effective_class_limits: bool = True
    """Limits and discounts by class take a Clan 'Mech as one class higher (MCQ-MEM-09)."""
    sale_capped_at_paid: bool = False
    """A sale brings no more than the 'Mech was bought for (MCQ-MEM-10)."""
    cycle_approval: bool = False
    """Who comes back needs a judge's approval of the off-board cycle (MC-ABIL-18, MC-REP-13)."""
    stable_drop: str = "at_entry"
    """at_entry or at_once: when a pilot below the stable's Fame is dropped (MCQ-ADVST-01)."""
    minimum_after_rejoining: bool = True
    """A sponsor joined again, without its gain, still wants its minimum (MCQ-ADV-04)."""
    penalty_rows: bool = True
    """Rows that take Fame are compulsory (MCQ-AWD-01)."""
    famous: str = "solo"
    """solo or all: who earns the row for a famous pilot (MCQ-AWD-02)."""
    clan_light_band: bool = False
    """A light Clan 'Mech earns the row for 10 to 19 damage (MCQ-AWD-04)."""
    secondary_per_turn: bool = True
    """The row for secondary targets is earned once a turn (MCQ-AWD-06)."""
    assist_weight: float = 1
    """What an assisted kill counts among all kills (MCQ-RANK-01)."""
    dead_keep_seats: bool = False
    """A dead pilot may take a seat in the final (MCQ-RANK-03)."""
    tie_break_kills: str = "tournament"
    """tournament or final: which kills break a tie of the final (MCQ-RANK-04)."""
    fame_breaks_places: bool = False
    """Fame breaks ties for second and third too (MCQ-RANK-05)."""
    net_worth_value: str = "book"
    """book or sale: what a 'Mech adds to its owner's worth (MCQ-RANK-06)."""
    off_board_turns: str = "whole"
    """whole or with_leaving: whether the turn of leaving counts as off the board (MCQ-OBC-01)."""
    exit_turns: str = "completed"
    """completed or begun: the turns on the field before an exit (MCQ-EXIT-01)."""
    bet_event: str = "free"
    """free or must_differ: whether the two chips of a bet may show the same event (MCQ-BET-01)."""
    team_deposits_leave: bool = True
    """What a member gives to the team leaves their own log (MCQ-TEAM-01)."""
    partial_loads: bool = False
    """Ammunition bins may be loaded in part (MCQ-DIF-07)."""

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Switches:
        """Return the switches of a document in which any may be missing. Its form has been checked."""
        return cls(**document)


WORDS: Mapping[str, tuple[str, ...]] = {
    "table_printing": ("body", "reference"),
    "repair_round": ("total", "item", "none"),
    "reset_period": ("day", "event"),
    "warner_round": ("price", "discount"),
    "specialist_block": ("use", "purchase"),
    "toughness": ("since_healthy", "once"),
    "prison_save": ("one_below_fatal", "unhurt"),
    "loan_model": ("overdraft", "separate"),
    "stack": ("add", "multiply"),
    "weapon_crit_unit": ("slot", "weapon"),
    "ejected_on": ("book", "bill"),
    "clan_base": ("raised", "list"),
    "equipment_rows": ("replace", "add"),
    "stable_drop": ("at_entry", "at_once"),
    "famous": ("solo", "all"),
    "tie_break_kills": ("tournament", "final"),
    "net_worth_value": ("book", "sale"),
    "off_board_turns": ("whole", "with_leaving"),
    "exit_turns": ("completed", "begun"),
    "bet_event": ("free", "must_differ"),
}
"""The words that a switch may be; every other switch is on or off, or a number."""

TRUTHS = tuple(found.name for found in fields(Switches) if isinstance(found.default, bool))
"""The switches that are on or off."""
