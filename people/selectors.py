"""Reads of people's notices, and of accounts by their names."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext

from people.models import Notice, User
from people.text.notices import notice_sentence
from rules.wording.isolation import bare

NOTICES_A_PAGE = 30


def account_named(name: str) -> User | None:
    """Return the account that a person names, in any case of letters; one query. Guests are none: nobody names them."""
    accounts = User.objects.filter(is_active=True, is_guest=False)
    return accounts.filter(username__iexact=bare(name).strip()).first()


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
