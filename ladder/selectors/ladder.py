"""Reads of the ladder that everybody may see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.db import models
from django.db.models import Case, F, Q, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext_lazy as _

from ladder.models import LadderPlayer
from people.models import User
from rules.measuring.ladder import REPORT, Standing, standings_in
from rules.measuring.ratings import Rating


class Kind(models.TextChoices):
    BOT = "bot", _("bot of the house")
    PERSON = "person", _("person")
    PROGRAM = "program", _("external bot")


SIGNS = {Kind.BOT: "⚙", Kind.PERSON: "●", Kind.PROGRAM: "⇄"}
"""A sign for each kind, shown next to its name."""


@dataclass(frozen=True)
class Line:
    """A player on the ladder; `place` counts from 1. `rules_version` is "" for an account."""

    place: int
    name: str
    kind: Kind
    rules_version: str
    rating: Rating
    matches: int
    last_match_at: datetime

    @property
    def sign(self) -> str:
        return SIGNS[self.kind]

    @property
    def margin(self) -> float:
        """The distance from the mean within which the strength lies with a chance of about 95%."""
        return 2 * self.rating.deviation


def shown() -> QuerySet[Any]:
    """Return the players whom everybody may see, the best first, annotated with `kind` and `place`.

    Places count from 1. A further filter of this query numbers the players that it leaves.

    The players are bots, and active accounts that want to be shown, in the order of the lower end of their strength. An
    account is an external bot when its owner says so, or when it has played for somebody's stable.
    """
    wishes = Q(user__is_active=True, user__left_at=None) & ~Q(user__ladder=User.Ladder.HIDDEN)
    kind = Case(
        When(user=None, then=Value(Kind.BOT)),
        When(Q(has_been_program=True) | Q(user__ladder=User.Ladder.PROGRAM), then=Value(Kind.PROGRAM)),
        default=Value(Kind.PERSON),
    )
    low = F("mean") - 2 * F("deviation")
    place = Window(RowNumber(), order_by=[low.desc(), F("id").asc()])
    found = LadderPlayer.objects.filter(Q(user=None) | wishes).select_related("user")
    return found.annotate(kind=kind, place=place).order_by("place")


def lines(players: Iterable[Any]) -> list[Line]:
    """Return the ladder's lines for players of `shown`."""
    return [
        Line(
            row.place,
            row.bot or row.user.get_username(),
            Kind(row.kind),
            row.rules_version,
            row.rating,
            row.matches,
            row.last_match_at,
        )
        for row in players
    ]


@cache
def house_standings() -> list[Standing]:
    """Return the standings of the house's bots among themselves, from docs/ladder.md; empty without docs/."""
    try:
        return standings_in(REPORT.read_text(encoding="utf-8"))
    except OSError:
        return []
