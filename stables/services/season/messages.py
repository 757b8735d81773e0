"""What organisers write in a season: its own page, and messages to all in the season."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from matches.services.finished.write_ups import cleaned
from people.models import Notice
from people.services.accounts import Limit, TooOften, count_attempt, notify, notify_newest
from rules.campaign.states import SEASON
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Season
from stables.selectors.offices import everybody_in
from stables.selectors.standing_in import people_standing_in
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from web.bounds import MOST_MESSAGES
from web.names import is_visible

LONGEST_PAGE = 8000
LONGEST_MESSAGE = 1000
MESSAGES_OF_A_SEASON = Limit("season_message", MOST_MESSAGES)
CHANGES_OF_A_SEASON = Limit("season_change", MOST_MESSAGES)


@transaction.atomic
def write_page(*, season_id: int, text: str, actor: Any = None, seen: str | None = None) -> str:
    """Set the season's own page in Markdown at any time, "" to remove it, log it, and return the text.

    Everybody in the season hears of it (`tell_of_change`). Control characters and signs that turn the direction of
    text are left out. The same text changes and logs nothing.
    `seen` is the seal of the page that the writer changed (`seal_of`), None to write over any. Raises Malformed
    (page_too_long) or SeasonRefused (page_changed).
    """
    text = cleaned(text)
    if len(text) > LONGEST_PAGE:
        raise Malformed("page_too_long", longest=LONGEST_PAGE, length=len(text))
    text = text if is_visible(text) else ""
    season = lock_season(season_id)
    if seen is not None and seen != seal_of(season.page) and season.page != text:
        raise SeasonRefused("page_changed")
    if season.page != text:
        season.page = text
        season.save(update_fields=["page"])
        record(season, "season_page_changed" if text else "season_page_removed", actor=actor)
        tell_of_change(season, "season_page_changed", actor, instead_of=["season_page_changed"])
    return text


def tell_of_change(season: Season, code: str, actor: Any, *, instead_of: Collection[str]) -> None:
    """Write a notice of a change for everybody in the season but the actor, in the place of older unread ones.

    A draft tells nobody. `instead_of` are the codes of one kind of change. Beyond CHANGES_OF_A_SEASON of a kind it goes
    through all the same, and its notice only takes the place of those that nobody has read: they may no longer be true,
    and nobody gets one more.
    """
    if season.state == Season.State.DRAFT:
        return
    told, where = everybody_in(season, [None if actor is None else actor.pk]), season.get_absolute_url()
    try:
        count_attempt(CHANGES_OF_A_SEASON, f"{season.pk} {min(instead_of)}")
    except TooOften:
        unread = Notice.objects.filter(user__in=told, code__in=instead_of, url=where, read_at=None)
        waiting = set(unread.values_list("user", flat=True))
        told = [person for person in told if person.pk in waiting]
    notify_newest(told, code, {"season": season.name}, where, instead_of=instead_of)


def seal_of(text: str) -> str:
    """Return a short text that stands for the page: another one for another page."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@transaction.atomic
def write_to_all(*, season_id: int, text: str, actor: Any = None) -> int:
    """Send a message to all, log it for everybody to read, and return the number of people who got a notice.

    All are those of `readers_of`, except the writer. Each gets one notice, and the webhooks get the line of the log.
    The message becomes one paragraph.

    Raises TooOften (too_often), SeasonRefused (nobody_to_write_to) or Malformed (message_missing).
    """
    text = " ".join(cleaned(text).split())
    if not is_visible(text) or len(text) > LONGEST_MESSAGE:
        raise Malformed("message_missing", longest=LONGEST_MESSAGE)
    season = lock_season(season_id)
    SEASON.require("write_to_all", season.state, "nobody_to_write_to")
    people = readers_of(season, actor)
    if not people:
        raise SeasonRefused("nobody_to_write_to")
    count_attempt(MESSAGES_OF_A_SEASON, f"{season.pk}")
    record(season, "season_message", {"text": text}, actor=actor)
    notify(people, "season_message", {"season": season.name, "text": text}, season.get_absolute_url())
    return len(people)


def readers_of(season: Season, writer: Any = None) -> list[Any]:
    """Return the people whom a message to all reaches, apart from its writer, by id; two queries.

    They own a stable that has not left, wait for a place, have an office, or stand in for somebody.
    """
    known = everybody_in(season, [None if writer is None else writer.pk])
    others = {None if writer is None else writer.pk, *(person.pk for person in known)}
    standing_in = get_user_model().objects.filter(pk__in=people_standing_in(season), is_active=True)
    return sorted([*known, *(each for each in standing_in if each.pk not in others)], key=lambda each: each.pk)
