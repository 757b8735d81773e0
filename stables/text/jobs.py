"""Names, for people, of the jobs of a season."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

JOBS: dict[str, str | Promise] = {
    "stables.start_cycle": _("starting the cycle"),
    "stables.pair_round": _("pairing a round"),
    "stables.prepare_round": _("repairs and line-ups of the AI"),
    "stables.play_fixture": _("playing a match"),
    "stables.nominate": _("the line-up of a side that all others forfeit to"),
    "stables.settle_fixture": _("settling a match"),
    "stables.advance_round": _("going on to the next round"),
    "stables.close_cycle": _("closing the cycle"),
    "stables.award_titles": _("deciding the titles"),
    "stables.close_season": _("closing the season"),
    "stables.chase": _("what follows a deadline"),
    "stables.confirm": _("reminding of a report, or confirming it"),
    "stables.tell_failed": _("saying that work has failed"),
    "stables.remind_of_match": _("reminding of a match"),
    "stables.deliver": _("posting news to a webhook"),
    "stables.forecast": _("counting who is likelier to win"),
    "stables.forecast_afterwards": _("counting who was likelier to win"),
    "stables.follow_hand_over": _("acting for an absent owner"),
}


def label_of(name: str) -> str:
    """Return the name of a job on pages; for an unknown job the last part of its code, with blanks for underscores."""
    return str(JOBS.get(name, name.rpartition(".")[2].replace("_", " ")))
