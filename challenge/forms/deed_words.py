"""The kinds of deed in groups, and what their facts are called where somebody chooses or fills them in."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rules.wording.challenge_deeds import deed_name
from web.languages.reader import translate

Words = Mapping[str, "str | Promise"]

GROUPS: tuple[tuple[str | Promise, tuple[str, ...]], ...] = (
    (
        _("Attacks"),
        (
            "damage", "critical", "head_hit", "blown_off", "melee", "melee_weapon", "charge", "death_from_above",
            "secondary_target", "rear_attack", "turret",
        ),
    ),
    (
        _("What befell somebody"),
        (
            "cripple", "kill", "sustained", "standing_after_50", "wound", "knocked_out", "unconscious", "conscious",
            "eject", "death", "crowd",
        ),
    ),
    (
        _("On the board"),
        (
            "enter", "exit", "initiative", "edge", "token", "rebar", "overrun", "bet", "settle_bet", "noted",
            "turret_search", "turret_damage", "tank_damage", "minefield",
        ),
    ),
    (
        _("At the desk"),
        (
            "new_pilot", "approve", "sheets_in", "forfeit", "give", "end_turn", "end_day", "stage",
        ),
    ),
    (
        _("Off the board"),
        (
            "cash_chips", "verify_sponsors", "favour", "drop_sponsor", "drop_stable", "repair", "heal",
            "replace_weapon", "sell", "join_sponsor", "join_stable", "buy_ability", "verify_stable", "buy_mech",
            "buy_back", "give_back", "customise", "approve_cycle", "buy_edge", "declare_house", "change_house",
            "special_ammunition", "loan", "repay", "lend", "team_up", "join_team_sponsor", "deposit", "split",
            "prison_roll",
        ),
    ),
)  # fmt: skip
"""All kinds of deed, in the groups of the page that offers them. `rules.wording.challenge_deeds` has their names."""

FACT_NAMES: Words = {
    "ability": _("Ability"), "absent": _("Empty seats"), "added": _("What came in"),
    "against_chip": _("Chip against it"), "ammunition": _("Ammunition"), "amount": _("Amount, in C-bills"),
    "approved": _("Approved"), "auto_eject": _("Automatic ejection is on"), "automatic": _("By itself"),
    "band": _("Damage, as a band"), "before_sale": _("On credit before a sale"), "bet": _("Name of the bet"),
    "bets": _("Bets that are off"), "c_bills": _("C-bills"), "card": _("Card"), "cards": _("Cards"), "chip": _("Chip"),
    "chips": _("Chips"), "choice": _("Which one"), "class": _("Class"), "contents": _("What it holds"),
    "cost": _("New cost, in C-bills"), "coupon": _("With the coupon"), "cp": _("CP"),
    "damage": _("Damage on the sheet"), "density": _("Density"), "dice": _("Both dice"),
    "die": _("Die of its armament"), "drawn": _("Drawn by lot"), "early": _("Before the least turns"),
    "fame": _("Fame"), "finalists": _("Finalists"), "for": pgettext_lazy("what is repaid", "For"),
    "from_team": _("The team pays"), "held": _("In the hand"),
    "hit": _("It hit"), "house": _("House"), "joins": _("Shares a kill that is entered"), "keep": _("Keep first"),
    "mech": _("’Mech"), "method": _("How"),
    "mode": _("How"), "on": _("On what"), "one_location": _("All in one location"), "part": _("What it hit"),
    "partial": _("It shares a bin"), "parts": _("To mend now"), "physical_cost": _("Cost of a physical weapon"),
    "place": _("Where"), "player": _("Player"), "points": _("Points"), "portal": _("Portal"),
    "push": _("It was a push"), "reason": _("Reason"), "removed": _("What went out"),
    "restore": _("Abilities that come back first"), "same_location": _("In the same location"),
    "spent": _("Movement points spent"), "sponsor": _("Sponsor"), "stable": _("Stable"), "stage": _("Stage"),
    "success": _("It worked"), "team": _("Team"), "text": _("Text"), "to": _("To whom"),
    "unrepaired": _("As it stands"), "way": _("Way out"), "weapon": _("Weapon"),
    "weight_added": _("Weight that came in"), "weight_removed": _("Weight that went out"), "with": _("With whom"),
    "won": pgettext_lazy("a bet", "Won"), "wounds": _("Wounds"),
    # Words of closed lists.
    "final": _("final"), "qualifier": _("qualifier"), "full": _("full"), "spot": _("spot"), "gate": _("gate"),
    "elevator": _("elevator"), "walk": _("walking"), "run": pgettext_lazy("movement", "running"),
    "jump": _("jumping"), "loan": _("a loan"),
    "leaving": _("a dismissal"),
}  # fmt: skip
"""What the facts of deeds are called, and the words of their closed lists that no other table has."""


def kinds_to_choose() -> list[tuple[str, dict[str, str]]]:
    """Return the groups of deeds, each with the names of its kinds, in the reader's language."""
    return [(str(label), {kind: deed_name(kind, translate) for kind in kinds}) for label, kinds in GROUPS]
