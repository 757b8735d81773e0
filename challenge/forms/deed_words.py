"""What the kinds of deed and their facts are called where somebody chooses or fills them in."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = Mapping[str, "str | Promise"]

GROUPS: Mapping[str, tuple[str | Promise, Words]] = {
    "fire": (
        _("Attacks"),
        {
            "damage": _("Damage"), "critical": _("Critical hit"), "head_hit": _("Head hit"),
            "blown_off": _("Limb or head blown off"), "melee": _("Physical attack"),
            "melee_weapon": _("Melee weapon"), "charge": _("Charge"), "death_from_above": _("Death from above"),
            "secondary_target": _("Secondary target"), "rear_attack": _("Attack from behind"),
            "turret": _("Turret destroyed"),
        },
    ),
    "falls": (
        _("What befell somebody"),
        {
            "cripple": _("Crippled"), "kill": _("Destroyed"), "sustained": _("Damage taken"),
            "standing_after_50": _("Standing after 50"), "wound": _("Pilot hit"), "knocked_out": _("Knocked out"),
            "unconscious": _("Unconscious"), "conscious": _("Awake again"), "eject": _("Ejected"),
            "death": _("Death"), "crowd": _("The crowd goes wild"),
        },
    ),
    "board": (
        _("On the board"),
        {
            "enter": _("Enters"), "exit": _("Leaves"), "initiative": _("Initiative order"),
            "edge": _("Edge spent"), "token": _("Ability used"), "rebar": _("Rebar"),
            "overrun": _("Overran the minute"), "bet": _("Bet"), "settle_bet": _("Bet settled"), "noted": _("Note"),
        },
    ),
    "desk": (
        _("At the desk"),
        {
            "new_pilot": _("New pilot"), "approve": _("Approved"), "sheets_in": _("Sheets in"),
            "forfeit": _("Forfeit"), "give": _("Give or take"), "end_turn": _("End of the turn"),
            "end_day": _("End of the day"), "stage": _("Stage"),
        },
    ),
    "off_board": (
        _("Off the board"),
        {
            "cash_chips": _("Cash chips"), "verify_sponsors": _("Sponsors look"), "favour": _("Favour"),
            "drop_sponsor": _("Leave a sponsor"), "drop_stable": _("Leave the stable"), "repair": _("Repair"),
            "heal": _("Heal"), "replace_weapon": _("Roll for a weapon"), "sell": _("Sell"),
            "join_sponsor": _("Sign with a sponsor"), "join_stable": _("Join a stable"),
            "buy_ability": _("Learn an ability"), "verify_stable": _("The stable looks"), "buy_mech": _("Buy a ’Mech"),
            "buy_back": _("Buy back"), "give_back": _("Give back"), "customise": _("Change the ’Mech"),
            "approve_cycle": _("Approve the cycle"), "buy_edge": _("Buy Edge"), "declare_house": _("Declare a house"),
            "change_house": _("Change the house"), "special_ammunition": _("Special ammunition"), "loan": _("Loan"),
            "repay": _("Repay"), "lend": _("Lend"), "team_up": _("Join a team"),
            "join_team_sponsor": _("The team’s sponsor"), "deposit": _("Deposit"), "split": _("Split the team"),
            "prison_roll": _("Solaris Prison’s roll"),
        },
    ),
}  # fmt: skip
"""All kinds of deed, in the groups of the page that offers them."""

KIND_NAMES: Words = {kind: name for _label, kinds in GROUPS.values() for kind, name in kinds.items()}

FACT_NAMES: Words = {
    "ability": _("Ability"), "added": _("What came in"), "against_chip": _("Chip against it"),
    "ammunition": _("Ammunition"), "amount": _("Amount, in C-bills"), "approved": _("Approved"),
    "auto_eject": _("Automatic ejection is on"), "automatic": _("By itself"), "band": _("Damage, as a band"),
    "before_sale": _("On credit before a sale"), "bet": _("Name of the bet"), "bets": _("Bets that are off"),
    "c_bills": _("C-bills"), "card": _("Card"), "cards": _("Cards"), "chip": _("Chip"), "chips": _("Chips"),
    "choice": _("Which one"), "class": _("Class"), "cost": _("New cost, in C-bills"), "coupon": _("With the coupon"),
    "cp": _("CP"), "damage": _("Damage on the sheet"), "dice": _("Both dice"), "early": _("Before the least turns"),
    "fame": _("Fame"), "finalists": _("Finalists"), "for": _("For"), "from_team": _("The team pays"), "held": _("Held"),
    "hit": _("It hit"), "house": _("House"), "keep": _("Keep first"), "mech": _("’Mech"), "method": _("How"),
    "mode": _("How"), "on": _("On what"), "one_location": _("All in one location"), "part": _("What it hit"),
    "partial": _("It shares a bin"), "parts": _("To mend now"), "physical_cost": _("Cost of a physical weapon"),
    "player": _("Player"), "points": _("Points"), "portal": _("Portal"), "push": _("It was a push"),
    "reason": _("Reason"), "removed": _("What went out"), "restore": _("Abilities that come back first"),
    "same_location": _("In the same location"), "spent": _("Movement points spent"), "sponsor": _("Sponsor"),
    "stable": _("Stable"), "stage": _("Stage"), "success": _("It worked"), "team": _("Team"), "text": _("Text"),
    "to": _("To whom"), "unrepaired": _("As it stands"), "way": _("Way out"), "weight_added": _("Weight that came in"),
    "weight_removed": _("Weight that went out"), "with": _("With whom"), "won": _("Won"), "wounds": _("Wounds"),
    # Words of closed lists.
    "final": _("final"), "qualifier": _("qualifier"), "full": _("full"), "spot": _("spot"), "gate": _("gate"),
    "elevator": _("elevator"), "walk": _("walking"), "run": _("running"), "jump": _("jumping"), "loan": _("a loan"),
    "leaving": _("a dismissal"),
}  # fmt: skip
"""What the facts of deeds are called, and the words of their closed lists that no other table has."""
