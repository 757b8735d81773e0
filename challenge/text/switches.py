"""The switches of an event in words: what each asks, its answers, and the rulings that it turns.

The first answer of a switch with words, and the default of every other one, is the ruling (docs/challenge-rulings.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise


@dataclass(frozen=True)
class SwitchText:
    """A switch in words: a statement or a question, the rulings and rules that it turns, and its answers by value."""

    title: Text
    rulings: tuple[str, ...]
    answers: Mapping[str, Text] = field(default_factory=dict)


_MONEY: Mapping[str, SwitchText] = {
    "table_printing": SwitchText(
        _("Which tables count where the two printings differ"), ("MCQ-DIF-01", "MCQ-DIF-02"),
        {"body": _("the tables in the text"), "reference": _("the reference sheets at the end")},
    ),
    "round_proceeds": SwitchText(_("Awards are rounded down to 10,000, not only costs and sales"), ("MCQ-GEN-01",)),
    "repair_round": SwitchText(
        _("What of a repair is rounded down"), ("MCQ-GEN-02",),
        {"total": _("the total, once"), "item": _("each item"), "none": _("nothing")},
    ),
    "fame_floor": SwitchText(_("Fame never falls below 0"), ("MCQ-GEN-04",)),
    "reset_period": SwitchText(
        _("When Edge and tokens are dealt again"), ("MCQ-GEN-06",),
        {"day": _("every day"), "event": _("once for the whole event")},
    ),
    "loan_model": SwitchText(
        _("What a loan is"), ("MCQ-LOAN-01",),
        {"overdraft": _("leave to fall below 0 C-bills"), "separate": _("money paid out and owed")},
    ),
    "loan_erased_above_zero": SwitchText(_("A loan ends only above 0 C-bills, not at 0"), ("MCQ-LOAN-02",)),
    "stablemate_loan_blocks_all": SwitchText(
        _("A stablemate’s loan bars another loan and Edge too"), ("MCQ-LOAN-07",)
    ),
    "net_worth_value": SwitchText(
        _("What a ’Mech adds to its owner’s worth"), ("MCQ-RANK-06",),
        {"book": _("its book cost"), "sale": _("what its sale would bring")},
    ),
}  # fmt: skip

_PILOTS: Mapping[str, SwitchText] = {
    "max_abilities": SwitchText(_("Most abilities of tiers 1 to 3"), ("MCQ-ABIL-01",)),
    "warner_round": SwitchText(
        _("Where the CP are rounded up with Warner"), ("MCQ-ABIL-05",),
        {"price": _("in the price that is left"), "discount": _("in the discount")},
    ),
    "suspend_dependents": SwitchText(
        _("A wound that suspends an ability suspends those that need it"), ("MCQ-ABIL-06",)
    ),
    "specialist_block": SwitchText(
        _("What holds for a Weapon Specialist in a stable with a gunnery bonus"), ("MCQ-ABIL-07",),
        {"use": _("they choose one of the two for each attack"), "purchase": _("they cannot buy the ability")},
    ),
    "strict_tier4_order": SwitchText(_("Tier 4 is bought only at its step of the cycle"), ("MCQ-ABIL-08",)),
    "toughness": SwitchText(
        _("Which hits Toughness takes"), ("MCQ-WOUND-01",),
        {"since_healthy": _("the first hit since the pilot had no wounds"), "once": _("one hit in all")},
    ),
    "prison_save": SwitchText(
        _("How a pilot goes on whom Solaris Prison saved from death"), ("MCQ-DEATH-02",),
        {"one_below_fatal": _("one wound short of death"), "unhurt": _("unhurt")},
    ),
}  # fmt: skip

_MECHS: Mapping[str, SwitchText] = {
    "stack": SwitchText(
        _("How percentages of a repair are combined"), ("MCQ-REP-01",),
        {"add": _("they add up"), "multiply": _("they multiply")},
    ),
    "weapon_crit_unit": SwitchText(
        _("What a weapon critical is paid for"), ("MCQ-REP-06",),
        {"slot": _("each damaged slot"), "weapon": _("each damaged weapon")},
    ),
    "ejected_on": SwitchText(
        _("What an ejection costs 5 % of"), ("MCQ-REP-02",),
        {"book": _("the book cost"), "bill": _("the bill")},
    ),
    "clan_base": SwitchText(
        _("Which price counts for repair and sale of a Clan ’Mech"), ("MCQ-REP-08",),
        {"raised": _("the raised price"), "list": _("the price in the list")},
    ),
    "larzellier_book": SwitchText(_("Larzellier’s discount lowers the book cost too"), ("MCQ-REP-09",)),
    "sale_capped_at_paid": SwitchText(_("A sale brings no more than was paid"), ("MCQ-MEM-10",)),
    "partial_loads": SwitchText(_("Ammunition bins may be loaded in part"), ("MCQ-DIF-07",)),
}  # fmt: skip

_MEMBERS: Mapping[str, SwitchText] = {
    "bromley_pays": SwitchText(_("Whom Bromley dismisses pays for leaving"), ("MCQ-MEM-03",)),
    "equipment_rows": SwitchText(
        _("What a stable’s own list of equipment does"), ("MCQ-MEM-08",),
        {"replace": _("it replaces that of all stables"), "add": _("it adds to that of all stables")},
    ),
    "effective_class_limits": SwitchText(
        _("Limits and discounts by class take a Clan ’Mech as one class higher"), ("MCQ-MEM-09",)
    ),
    "stable_drop": SwitchText(
        _("When a pilot with too little Fame is dropped, with advanced stables"), ("MCQ-ADVST-01",),
        {"at_entry": _("at the check before entry"), "at_once": _("at once")},
    ),
    "minimum_after_rejoining": SwitchText(
        _("A sponsor joined again wants its minimum all the same"), ("MCQ-ADV-04",)
    ),
    "team_deposits_leave": SwitchText(
        _("What a member gives to the team leaves the member’s own log"), ("MCQ-TEAM-01",)
    ),
}  # fmt: skip

_AWARDS: Mapping[str, SwitchText] = {
    "penalty_rows": SwitchText(_("Rows that take Fame are compulsory"), ("MCQ-AWD-01",)),
    "famous": SwitchText(
        _("Who earns the row for a famous pilot"), ("MCQ-AWD-02",),
        {"solo": _("a solo killer alone"), "all": _("all who share the kill")},
    ),
    "clan_light_band": SwitchText(_("A light Clan ’Mech earns the row for 10 to 19 damage"), ("MCQ-AWD-04",)),
    "secondary_per_turn": SwitchText(_("The row for secondary targets is earned once a turn"), ("MCQ-AWD-06",)),
    "bet_event": SwitchText(
        _("What the two chips of a bet show"), ("MCQ-BET-01",),
        {"free": _("the same event or two"), "must_differ": _("two different events")},
    ),
}  # fmt: skip

_TIME: Mapping[str, SwitchText] = {
    "off_board_turns": SwitchText(
        _("How turns off the board count"), ("MCQ-OBC-01",),
        {"whole": _("whole turns, after that of leaving"), "with_leaving": _("from the turn of leaving on")},
    ),
    "exit_turns": SwitchText(
        _("Which turns on the field count before an exit"), ("MCQ-EXIT-01",),
        {"completed": _("completed ones"), "begun": _("begun ones")},
    ),
    "cycle_approval": SwitchText(
        _("A judge approves every off-board cycle before the pilot comes back"), ("MC-ABIL-18", "MC-REP-13")
    ),
    "assist_weight": SwitchText(_("What an assisted kill counts among all kills"), ("MCQ-RANK-01",)),
    "dead_keep_seats": SwitchText(_("A dead pilot may have a seat in the final"), ("MCQ-RANK-03",)),
    "tie_break_kills": SwitchText(
        _("Which kills break ties of the final"), ("MCQ-RANK-04",),
        {"tournament": _("those of the whole tournament"), "final": _("those of the final alone")},
    ),
    "fame_breaks_places": SwitchText(_("Fame breaks ties for second and third place too"), ("MCQ-RANK-05",)),
}  # fmt: skip

GROUPS: tuple[tuple[Text, Mapping[str, SwitchText]], ...] = (
    (_("Money, Fame, loans"), _MONEY),
    (_("Abilities and wounds"), _PILOTS),
    (_("Repair and sale"), _MECHS),
    (_("Stables, sponsors, teams"), _MEMBERS),
    (_("Awards and bets"), _AWARDS),
    (_("Time and places"), _TIME),
)
"""All switches by topic."""
SWITCH_TEXTS: Mapping[str, SwitchText] = {name: text for _title, group in GROUPS for name, text in group.items()}
"""Each switch in words, by its name."""
