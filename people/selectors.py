"""Reads of people's notices, and of accounts by their names."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import F, Q
from django.utils.functional import Promise

from people.models import OPEN_ACT, Notice, User
from people.text.digests import NAMES, by_season_and_topic
from people.text.notices import notice_sentence
from rules.wording.isolation import bare
from web.languages.reader import translate
from web.names import name_key

NOTICES_A_PAGE = 30
ACTS_SHOWN = 100


def account_named(name: str) -> User | None:
    """Return the account that a person names, in any case of letters; one query. Guests are none: nobody names them."""
    accounts = User.objects.filter(is_active=True, is_guest=False)
    return accounts.filter(username__iexact=bare(name).strip()).first()


def is_taken(username: str) -> bool:
    """Return whether an account has this name, in any case of letters, or one that looks the same; one query.

    `username` is as `User.normalize_username` returns it.
    """
    # A key follows the look of some Greek capitals and not their case, and SQLite knows case in ASCII alone.
    in_other_case = Q() if username.isascii() else Q(username__iregex=f"^{re.escape(username)}$")
    return User.objects.filter(Q(name_key=name_key(username)) | in_other_case).exists()


@dataclass(frozen=True)
class WordedNotice:
    """A notice with its sentence in the reader's language."""

    notice: Notice
    sentence: str


@dataclass(frozen=True)
class Topic:
    """The notices of one topic of a season, the newest first; `name` is for a heading."""

    name: str | Promise
    notices: list[WordedNotice]


@dataclass(frozen=True)
class Group:
    """The notices of one season; `season` is "" for those of none."""

    season: str
    topics: list[Topic]


def acts_page(user: User) -> list[WordedNotice]:
    """Return what asks the person for an act that is not done, read or not, at most ACTS_SHOWN; one query.

    The nearest deadline comes first, then what has none, the newest first.
    """
    waiting = user.notices.filter(OPEN_ACT)
    return worded(waiting.order_by(F("due_at").asc(nulls_last=True), "-pk")[:ACTS_SHOWN])


def notices_page(user: User, number: str | int) -> Page[Notice]:
    """Return one page of the person's other notices, newest first; a number out of range gives the nearest page."""
    others = user.notices.exclude(OPEN_ACT)
    return Paginator(others, NOTICES_A_PAGE).get_page(number)


def worded(notices: Iterable[Notice]) -> list[WordedNotice]:
    return [WordedNotice(notice, notice_sentence(notice.code, notice.parameters, translate)) for notice in notices]


def in_groups(notices: Iterable[WordedNotice]) -> list[Group]:
    """Return notices grouped by season and topic. The season with the newest notice comes first, those of none last."""
    sorted_out = by_season_and_topic(notices, lambda each: each.notice)
    return [
        Group(season, [Topic(NAMES[topic], listed) for topic, listed in topics.items()])
        for season, topics in sorted_out.items()
    ]


def unread_count(user: User) -> int:
    """Return how many notices the person has not read, whatever they ask for; one query."""
    return user.notices.filter(read_at=None).count()
