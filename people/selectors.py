"""Reads of people's notices."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext

from people.models import Notice, User
from people.text.notices import notice_sentence

NOTICES_A_PAGE = 30


@dataclass(frozen=True)
class WordedNotice:
    """A notice with its sentence in the reader's language."""

    notice: Notice
    sentence: str


def notices_page(user: User, number: str | int) -> Page[Notice]:
    """Return one page of the person's notices, newest first; a number out of range gives the nearest page."""
    return Paginator(user.notices.all(), NOTICES_A_PAGE).get_page(number)


def worded(notices: Page[Notice]) -> list[WordedNotice]:
    return [WordedNotice(notice, notice_sentence(notice.code, notice.parameters, gettext)) for notice in notices]


def unread_count(user: User) -> int:
    return user.notices.filter(read_at=None).count()
