"""Better words that people propose for texts in their language: kept for the operator, and bounded."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from people.models import User, Wording
from people.services.accounts import Limit, count_attempt
from web.bounds import MOST_WORDINGS

# Enough for a club behind one address that reads a whole room; a flood needs far more.
PROPOSALS_OF_A_PLACE = Limit("wording", 20)


def propose(*, place: str, user: User | None, language: str, page: str, text: str, proposal: str, remark: str) -> None:
    """Keep a proposal from a network address. The same one sent again changes nothing.

    Where MOST_WORDINGS are kept already, the oldest of those that are done goes, else the oldest. Raises TooOften
    (too_often).
    """
    count_attempt(PROPOSALS_OF_A_PLACE, place)
    values = {"language": language, "page": page, "text": text, "proposal": proposal}
    if Wording.objects.filter(**values, done_at=None).exists():
        return
    with transaction.atomic():
        _make_room()
        Wording.objects.create(user=user, remark=remark, **values)


def _make_room() -> None:
    too_many = Wording.objects.count() - MOST_WORDINGS + 1
    if too_many > 0:
        done_first = Wording.objects.order_by(F("done_at").asc(nulls_last=True), "pk").values_list("pk", flat=True)
        Wording.objects.filter(pk__in=list(done_first[:too_many])).delete()
