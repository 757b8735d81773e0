"""What the ladder keeps about a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from ladder.models import LadderPlayer
from people.models import User
from people.services.kept import Kept, register


def rating(user: User) -> Mapping[str, Any]:
    """Return the person's rating, even one that others do not see; {} for a person without one."""
    row = LadderPlayer.objects.filter(user=user).first()
    if row is None:
        return {}
    return {
        "mean": row.mean,
        "deviation": row.deviation,
        "matches": row.matches,
        "last_match": row.last_match_at,
        "has_been_program": row.has_been_program,
    }


register(
    "ladder",
    (
        Kept(
            "rating",
            _("Your rating"),
            _("A rating that is worked out from your matches, how many they were, and when the last one was."),
            _("You. Everybody, if you say in your account that you want to be shown."),
            _("As long as the matches stay, from which it follows."),
            _("The ladder shows nobody who has left."),
            fields=("ladder.LadderPlayer.user",),
            data=rating,
            stays=_("The ratings of your opponents follow from it; it belongs to the nameless row."),
        ),
    ),
)
