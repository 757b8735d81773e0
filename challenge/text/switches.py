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
        _("Where the two printings differ, follow"), ("MCQ-DIF-01", "MCQ-DIF-02"),
        {"body": _("the tables in the text"), "reference": _("the reference sheets at the end")},
    ),
    "round_proceeds": SwitchText(_("Awards are rounded down to 10,000, not only costs and sales"), ("MCQ-GEN-01",)),
    "repair_round": SwitchText(
        _("What of a repair is rounded down"), ("MCQ-GEN-02",),
        {"total": _("the total, once"), "item": _("each item"), "none": _("nothing")},
    ),
    "fame_floor": SwitchText(_("Fame never falls below 0"), ("MCQ-GEN-04",)),
    "reset_period": SwitchText(
        _("Edge and tokens are dealt again"), ("MCQ-GEN-06",),
        {"day": _("every day"), "event": _("once for the whole event")},
    ),
    "loan_model": SwitchText(
        _("A loan is"), ("MCQ-LOAN-01",),
        {"overdraft": _("leave to fall below 0 C-bills"), "separate": _("money paid out and owed")},
    ),
    "loan_erased_above_zero": SwitchText(_("A loan ends only above 0 C-bills, not at 0"), ("MCQ-LOAN-02",)),
    "stablemate_loan_blocks_all": SwitchText(
        _("A stablemate’s loan bars another loan and Edge too"), ("MCQ-LOAN-07",)
    ),
    "net_worth_value": SwitchText(
        _("A ’Mech adds to its owner’s worth"), ("MCQ-RANK-06",),
        {"book": _("its book cost"), "sale": _("what its sale would bring")},
    ),
}  # fmt: skip

_PILOTS: Mapping[str, SwitchText] = {
    "max_abilities": SwitchText(_("Most abilities of tiers 1 to 3"), ("MCQ-ABIL-01",)),
    "warner_round": SwitchText(
        _("With Warner the CP are rounded up"), ("MCQ-ABIL-05",),
        {"price": _("in the price that is left"), "discount": _("in the discount")},
    ),
    "suspend_dependents": SwitchText(
        _("A wound that suspends an ability suspends those that need it"), ("MCQ-ABIL-06",)
    ),
    "specialist_block": SwitchText(
        _("A Weapon Specialist in a stable with a gunnery bonus"), ("MCQ-ABIL-07",),
        {"use": _("chooses one of the two for each attack"), "purchase": _("cannot buy the ability")},
    ),
    "strict_tier4_order": SwitchText(_("Tier 4 is bought only at its step of the cycle"), ("MCQ-ABIL-08",)),
    "toughness": SwitchText(
        _("Toughness takes"), ("MCQ-WOUND-01",),
        {"since_healthy": _("the first hit since the pilot had no wounds"), "once": _("one hit in all")},
    ),
    "prison_save": SwitchText(
        _("Saved from death by Solaris Prison, a pilot goes on"), ("MCQ-DEATH-02",),
        {"one_below_fatal": _("one wound short of death"), "unhurt": _("unhurt")},
    ),
}  # fmt: skip

_MECHS: Mapping[str, SwitchText] = {
    "stack": SwitchText(
        _("Percentages of a repair"), ("MCQ-REP-01",), {"add": _("add up"), "multiply": _("multiply")}
    ),
    "weapon_crit_unit": SwitchText(
        _("A weapon critical is paid"), ("MCQ-REP-06",),
        {"slot": _("for each damaged slot"), "weapon": _("for each damaged weapon")},
    ),
    "ejected_on": SwitchText(
        _("The 5 % for an ejection are of"), ("MCQ-REP-02",),
        {"book": _("the book cost"), "bill": _("the bill")},
    ),
    "clan_base": SwitchText(
        _("Repair and sale of a Clan ’Mech go by"), ("MCQ-REP-08",),
        {"raised": _("the raised price"), "list": _("the price in the list")},
    ),
    "larzellier_book": SwitchText(_("Larzellier’s discount lowers the book cost too"), ("MCQ-REP-09",)),
    "sale_capped_at_paid": SwitchText(_("A sale brings no more than was paid"), ("MCQ-MEM-10",)),
    "partial_loads": SwitchText(_("Ammunition bins may be loaded in part"), ("MCQ-DIF-07",)),
}  # fmt: skip

_MEMBERS: Mapping[str, SwitchText] = {
    "bromley_pays": SwitchText(_("Whom Bromley dismisses pays for leaving"), ("MCQ-MEM-03",)),
    "equipment_rows": SwitchText(
        _("A stable’s own list of equipment"), ("MCQ-MEM-08",),
        {"replace": _("replaces that of all stables"), "add": _("adds to that of all stables")},
    ),
    "effective_class_limits": SwitchText(
        _("Limits and discounts by class take a Clan ’Mech as one class higher"), ("MCQ-MEM-09",)
    ),
    "stable_drop": SwitchText(
        _("With advanced stables, a pilot with too little Fame is dropped"), ("MCQ-ADVST-01",),
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
        _("The row for a famous pilot goes to"), ("MCQ-AWD-02",),
        {"solo": _("a solo killer alone"), "all": _("all who share the kill")},
    ),
    "clan_light_band": SwitchText(_("A light Clan ’Mech earns the row for 10 to 19 damage"), ("MCQ-AWD-04",)),
    "secondary_per_turn": SwitchText(_("The row for secondary targets is earned once a turn"), ("MCQ-AWD-06",)),
    "bet_event": SwitchText(
        _("The two chips of a bet"), ("MCQ-BET-01",),
        {"free": _("may show the same event"), "must_differ": _("show different events")},
    ),
}  # fmt: skip

_TIME: Mapping[str, SwitchText] = {
    "off_board_turns": SwitchText(
        _("Turns off the board"), ("MCQ-OBC-01",),
        {"whole": _("are whole turns after that of leaving"), "with_leaving": _("begin with the turn of leaving")},
    ),
    "exit_turns": SwitchText(
        _("The turns on the field before an exit are"), ("MCQ-EXIT-01",),
        {"completed": _("completed"), "begun": _("begun")},
    ),
    "cycle_approval": SwitchText(
        _("A judge approves every off-board cycle before the pilot comes back"), ("MC-ABIL-18", "MC-REP-13")
    ),
    "assist_weight": SwitchText(_("An assisted kill counts among all kills as"), ("MCQ-RANK-01",)),
    "dead_keep_seats": SwitchText(_("A dead pilot may have a seat in the final"), ("MCQ-RANK-03",)),
    "tie_break_kills": SwitchText(
        _("Ties of the final are broken by the kills of"), ("MCQ-RANK-04",),
        {"tournament": _("the whole tournament"), "final": _("the final alone")},
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
