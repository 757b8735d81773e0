"""What is written for a person who is not there: in their language, and with times in their zone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.utils import timezone
from django.utils.translation import override

from people.models import Notice, User
from people.text.notices import room_of
from web.languages import offer
from web.moments import zone_named

ROOM = "people"


@contextmanager
def as_read_by(person: User, rooms: Iterable[str] = (ROOM,), *, otherwise: str = "") -> Iterator[None]:
    """Speak the language and the time zone of a person while the block runs.

    The language is that of the account, where it is finished in all `rooms` from which the words come. An account
    without one reads that of its last log-in, else `otherwise`, a code, or English.
    """
    own = (code for code in (person.language, person.browser_language) if offer.is_offered(code))
    wanted = next(own, otherwise)
    with override(offer.spoken(wanted, *rooms)), timezone.override(zone_named(person.time_zone)):
        yield


def rooms_of(notices: Iterable[Notice]) -> set[str]:
    """Return the rooms from which the words of a mail with these notices come, that of mails included."""
    return {ROOM, *(room_of(notice.code) for notice in notices)}
