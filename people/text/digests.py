"""The digest: unread notices grouped by their season and by what they are about, dated, the newest first.

Of a topic with many notices only the newest are written out; the others are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from people.models import Notice
from people.text.notices import notice_sentence, quoted, topic_of
from web.languages.reader import translate

SHOWN_OF_A_TOPIC = 3
LINES_OF_A_DIGEST = 40
"""The most notices that a digest writes out, in all."""

Count = Callable[[int], str]

TOPICS: Mapping[str, Count] = {
    "organising": lambda count: ngettext(
        "{count} notice for those who run the season", "{count} notices for those who run the season", count
    ),
    "matches": lambda count: ngettext("{count} match that calls you", "{count} matches that call you", count),
    "dates": lambda count: ngettext("{count} proposal or date", "{count} proposals and dates", count),
    "results": lambda count: ngettext("{count} result", "{count} results", count),
    "market": lambda count: ngettext("{count} notice about the market", "{count} notices about the market", count),
    "season": lambda count: ngettext(
        "{count} piece of news of the season", "{count} pieces of news of the season", count
    ),
    "challenge": lambda count: ngettext(
        "{count} piece of news of a Melee Challenge", "{count} pieces of news of Melee Challenges", count
    ),
    "account": lambda count: ngettext("{count} notice about your account", "{count} notices about your account", count),
    "": lambda count: ngettext("{count} other notice", "{count} other notices", count),
}
"""Topic -> how so many notices of it are counted. The digest has the topics in this order."""

NAMES: Mapping[str, str | Promise] = {
    "organising": _("For those who run the season"),
    "matches": _("Matches"),
    "dates": _("Dates"),
    "results": _("Results"),
    "market": _("Market"),
    "season": _("The season"),
    "challenge": _("Melee Challenges"),
    "account": _("Your account"),
    "": _("Other notices"),
}
"""Topic -> its heading on the page of notices."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Line:
    """A notice as the digest writes it: when, what, and the address of its page, "" for none."""

    at: str
    sentence: str
    address: str


@dataclass(frozen=True)
class Topic:
    """What a season's notices of one topic are counted as, the newest of them, and how many earlier ones there are.

    `first` and `last` are the times of the oldest and the newest notice.
    """

    count: str
    first: str
    last: str
    lines: tuple[Line, ...]
    earlier: int


@dataclass(frozen=True)
class Group:
    """The notices of one season; `season` is "" for those of none."""

    season: str
    topics: tuple[Topic, ...]


def by_season_and_topic(items: Iterable[Item], notice_of: Callable[[Item], Notice]) -> dict[str, dict[str, list[Item]]]:
    """Return season -> topic -> items, the newest first; the topics in the order of TOPICS.

    The season with the newest notice comes first, "" for those of none last.
    """
    found: dict[str, dict[str, list[Item]]] = {}
    for item in sorted(items, key=lambda each: -notice_of(each).pk):
        notice = notice_of(item)
        # A stranger may have named the season: the name must not be a link.
        season = quoted(notice.parameters.get("season") or "")
        topic = topic_of(notice.code)
        found.setdefault(season, {}).setdefault(topic if topic in TOPICS else "", []).append(item)
    return {
        season: {name: topics[name] for name in TOPICS if name in topics}
        for season, topics in sorted(found.items(), key=lambda each: not each[0])
    }


def grouped(notices: Iterable[Notice], full_address: Callable[[str], str]) -> tuple[list[Group], int]:
    """Return the groups of a digest, and how many notices have no place in it. Times are in the current time zone.

    The season with the newest notice comes first, notices of no season last. `full_address` makes an address of a path.
    """
    groups: list[Group] = []
    left_out, room = 0, LINES_OF_A_DIGEST
    for season, topics in by_season_and_topic(notices, lambda notice: notice).items():
        listed = []
        for name, found in topics.items():
            shown = found[: min(SHOWN_OF_A_TOPIC, room)]
            room -= len(shown)
            if shown:
                listed.append(_topic(TOPICS[name], found, shown, full_address))
            else:
                left_out += len(found)
        if listed:
            groups.append(Group(season, tuple(listed)))
    return groups, left_out


def _topic(count: Count, found: list[Notice], shown: list[Notice], full_address: Callable[[str], str]) -> Topic:
    lines = tuple(
        Line(
            when(notice.created_at),
            notice_sentence(notice.code, notice.parameters, translate, for_mail=True),
            full_address(notice.url) if notice.url else "",
        )
        for notice in shown
    )
    counted = count(len(found)).format(count=len(found))
    return Topic(counted, when(found[-1].created_at), when(found[0].created_at), lines, len(found) - len(shown))


def when(at: datetime) -> str:
    """Return a time in the current time zone, which the digest names once."""
    return date_format(localtime(at), "DATETIME_FORMAT")
