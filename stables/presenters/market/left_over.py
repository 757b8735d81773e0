"""What a stable has bought and does not take into its next match as things stand, said before its owner is ready."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext

from rules.campaign.classes import units_a_side
from rules.solaris.cards import HAND_SIZE
from rules.solaris.house_rules import HouseRules
from stables.models import Asset, Season


def left_over(season: Season, cycle: int, assets: Iterable[Asset]) -> list[str]:
    """Return sentences about gear on no ’Mech, pilots beyond the ’Mechs, and rally cards beyond the hands of a match.

    `assets` are those of a stable; [] when nothing is left over. No query.
    """
    listed = [asset for asset in assets if asset.sold_at is None and asset.died_at is None]
    kinds = {kind: [asset for asset in listed if asset.kind == kind] for kind in Asset.Kind}
    found = []
    loose = [asset.label for asset in kinds[Asset.Kind.GEAR] if asset.assigned_to_id is None]
    if loose:
        text = gettext("On no ’Mech, so not in the match: {gear}. Put it on one.")
        found.append(text.format(gear=", ".join(loose)))
    units, pilots = kinds[Asset.Kind.UNIT], kinds[Asset.Kind.PILOT]
    if len(pilots) > len(units):
        # Those who sit in a ’Mech already have one.
        idle = sorted(pilots, key=lambda pilot: pilot.assigned_to_id is None)[len(units) :]
        found.append(gettext("Without a ’Mech: {pilots}.").format(pilots=", ".join(each.label for each in idle)))
    rules = HouseRules.from_json(season.rules.house_rules)
    hands = HAND_SIZE * units_a_side(season.rules.cycles[cycle - 1]) if rules.rally_cards else 0
    cards = len(kinds[Asset.Kind.RALLY_CARD])
    if cards > hands:
        text = gettext("There are more rally cards than a match takes. Yours: {cards}. A match takes: {hands}.")
        found.append(text.format(cards=cards, hands=hands))
    return found
