"""What matches keep about a person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from matches.models import AskedAdvice, Match, MatchSeat, StandingAnswers, WriteUp
from matches.services.finished.turning_points import asked_by
from people.models import User
from people.services.kept import Kept, register
from web.retention import UNFINISHED_DUELS

EVERYBODY_OF_MATCH = _("Everybody who may see the match.")


def _seats(user: User) -> Iterable[Any]:
    seats = MatchSeat.objects.filter(user=user).select_related("match").defer("match__setup", "match__seed")
    for seat in seats.order_by("-pk").iterator():
        yield {"match": str(seat.match.public_id), "side": seat.side, "begun": seat.match.created_at}


def _standing(user: User) -> Iterable[Any]:
    rows = StandingAnswers.objects.filter(seat__user=user).order_by("-pk")
    for row in rows.values("seat__match__public_id", "unit", "answers").iterator():
        yield {"match": str(row["seat__match__public_id"]), "unit": row["unit"], "answers": row["answers"]}


def _advice(user: User) -> Iterable[Any]:
    rows = AskedAdvice.objects.filter(user=user).order_by("-pk")
    for row in rows.values("match__public_id", "side", "created_at").iterator():
        yield {"match": str(row["match__public_id"]), "side": row["side"], "asked": row["created_at"]}


def _turning_points(user: User) -> Iterable[Any]:
    jobs = list(asked_by(user).order_by("-pk").values_list("payload__match", "created_at"))
    matches = dict(Match.objects.filter(pk__in=[match for match, _asked in jobs]).values_list("pk", "public_id"))
    for match, asked in jobs:
        if match in matches:
            yield {"match": str(matches[match]), "asked": asked}


def _write_ups(user: User) -> Iterable[Any]:
    for each in WriteUp.objects.filter(author=user).order_by("-pk").defer("photo").iterator():
        yield {
            "number": each.pk,
            "subject": each.subject,
            "text": each.text,
            "photo_shows": each.photo_told,
            "written": each.created_at,
            "changed": each.changed_at,
            "taken_down": each.taken_down_at,
        }


def _photos(user: User) -> Iterable[tuple[str, bytes]]:
    """Yield the photos of the person's write-ups, the newest first, each named by the number of its write-up."""
    rows = WriteUp.objects.filter(author=user, photo__isnull=False).order_by("-pk")
    for number, photo in rows.values_list("pk", "photo").iterator(chunk_size=10):
        yield f"write-up-{number}.jpg", bytes(photo or b"")


register(
    "matches",
    (
        Kept(
            "seats",
            _("Matches that you played"),
            _("In which matches you played which side, each step of them, and when."),
            EVERYBODY_OF_MATCH,
            format_lazy(
                _("For good. Duels that guests do not finish: {days} days after the last step."),
                days=UNFINISHED_DUELS.days,
            ),
            _("They stay without your name when you delete your account."),
            fields=("matches.MatchSeat.user",),
            data=_seats,
            stays=_("A match belongs to both sides, and results and ratings follow from it."),
        ),
        Kept(
            "standing_answers",
            _("Standing answers"),
            _("How your units answer by themselves in a match that goes on."),
            _("You alone, until they answer."),
            _("As long as you have the seat."),
            _("They are deleted with your account."),
            fields=("matches.StandingAnswers.seat",),
            data=_standing,
        ),
        Kept(
            "advice",
            _("Advice that you asked for"),
            _("In which match against the AI you asked, when, and what the answer was."),
            _("You alone."),
            _("As long as the match."),
            _("It is deleted with your account."),
            fields=("matches.AskedAdvice.user",),
            data=_advice,
        ),
        Kept(
            "turning_points",
            _("Your turning points"),
            _("In which finished matches you asked which decisions cost you most, when, and what was found."),
            _("You alone."),
            _("As long as your account."),
            _("They are deleted with your account."),
            data=_turning_points,
        ),
        Kept(
            "write_ups",
            _("Write-ups and photos"),
            _("What you wrote about matches, with one photo each, without the notes that cameras put into files."),
            EVERYBODY_OF_MATCH,
            _("Until you delete them."),
            _("When you delete your account you choose: they go, or stay without your name."),
            fields=("matches.WriteUp.author",),
            data=_write_ups,
            files=_photos,
            stays=_("You may leave them to the match; pages then show no name."),
        ),
    ),
)
