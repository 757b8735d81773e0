"""Whether people have played the turns of which they have a notice (people.services.acts)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Max
from django.urls import Resolver404, resolve

from matches.models import Match, MatchAction
from people.models import Notice
from people.services import acts


def turns_done(notices: Sequence[Notice]) -> Iterable[int]:
    """Return the notices of turns that were played since, by the person or for them, and of finished matches.

    Three queries.
    """
    match_of = {notice.pk: _match_in(notice) for notice in notices}
    wanted = {public_id for public_id in match_of.values() if public_id is not None}
    running = Match.objects.filter(public_id__in=wanted).exclude(state__in=Match.OVER).values_list("pk", "public_id")
    open_matches = {str(public_id): pk for pk, public_id in running}
    seats = Match.objects.filter(pk__in=open_matches.values()).values_list("pk", "seats__user", "seats__side")
    sides: dict[tuple[int, int], set[str]] = {}
    for pk, user_id, side in seats:
        sides.setdefault((pk, user_id), set()).add(side)
    newest = MatchAction.objects.filter(match__in=open_matches.values()).values("match", "side").order_by()
    played = {
        (pk, side): at for pk, side, at in newest.annotate(at=Max("created_at")).values_list("match", "side", "at")
    }
    for notice in notices:
        pk = open_matches.get(str(match_of[notice.pk]), 0)
        own = sides.get((pk, notice.user_id), set())
        if not own or any((pk, side) in played and played[pk, side] > notice.created_at for side in own):
            yield notice.pk


def _match_in(notice: Notice) -> str | None:
    try:
        return str(resolve(notice.url).kwargs.get("public_id"))
    except Resolver404:
        return None


def register() -> None:
    """Register this check."""
    acts.register(["your_turn"], turns_done)
