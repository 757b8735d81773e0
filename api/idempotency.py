"""Idempotency keys: a request that is sent twice happens once and gets the same answer twice.

The header `Idempotency-Key` names a request of an account. A successful answer or a refusal with 409 is kept for a day.
There are two ways:

- `answer_in_transaction`, for requests that change money, results and seasons: the key, the work and the answer are one
  transaction. The same request sent again at that moment waits for the end of the first.
- `answer_outside_transactions`, for matches, which are not played inside transactions: the key is taken first and the
  answer kept last. An action names the step that the player has seen, so that it happens once in any case. When a
  process dies in between, the same request sent again is refused because that step is stale.

Before a kept answer is repeated, `recheck_permission` checks that its account may still make the request: a person who
has lost an office or a stable since then learns nothing by asking again. The secrets of an answer are not kept
(`_keep`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from rest_framework.response import Response

from api.problems import Unprocessable
from api.rendering import BareRenderer
from people.models import KeptAnswer
from rules.core.refusals import Malformed, Refused
from web.problems import PROBLEM_TYPE
from web.retention import KEPT_ANSWERS

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
LONGEST_KEY = 80
KEPT_FOR = KEPT_ANSWERS
AT_WORK_FOR = timedelta(minutes=2)
"""A first request without an answer counts as dead after this time."""

KEPT_HEADERS = ("Location",)
KEPT_REFUSALS = (409,)
"""The status codes of refusals that are kept, as successful answers are. After any other refusal the request may be
tried again.
"""


def key_of(request: Any) -> str:
    """Return the key of a request, "" without the header. Raises Malformed (bad_field), also for a header without a
    key.
    """
    key: str = request.headers.get(HEADER, "")
    is_empty = not key and HEADER in request.headers
    if is_empty or len(key) > LONGEST_KEY or not all("!" <= letter <= "~" for letter in key):
        raise Malformed("bad_field", field=HEADER)
    return key


def request_hash(request: Any) -> str:
    """Return the SHA-256 of a request's method, address and body as 64 hex digits. The order of the body's fields does
    not matter.
    """
    body = json.dumps(request.data, sort_keys=True, default=str)
    text = "\n".join((request.method, request.get_full_path(), body))
    return hashlib.sha256(text.encode()).hexdigest()


def answer_in_transaction(
    request: Any, answer: Callable[[], Response], recheck_permission: Callable[[], None], secrets: Collection[str]
) -> Response:
    """Answer a request once; the key and the request's work are one transaction. A refused request changes nothing. A
    request without a key is answered each time, without a transaction of this function.

    `recheck_permission` raises for a person who may not read the kept answer. `secrets` are fields of the answer that
    are not kept. Raises Malformed (bad_field) for a bad key, Unprocessable (idempotency_key_reused), Refused
    (request_at_work), and the errors of `recheck_permission`.
    """
    key = key_of(request)
    if not key:
        return answer()
    asked = request_hash(request)
    with transaction.atomic():
        row = _take(request.user, key, asked)
        if row is None:
            return _kept(request.user, key, asked, recheck_permission)
        with transaction.atomic():
            given = answer()
            is_kept = _is_kept(given)
            if not 200 <= given.status_code < 300:
                # A refused request must change nothing.
                transaction.set_rollback(True)
        if is_kept:
            _keep(row, given, secrets)
        else:
            row.delete()
    return given


def answer_outside_transactions(
    request: Any, answer: Callable[[], Response], recheck_permission: Callable[[], None], secrets: Collection[str]
) -> Response:
    """Answer a request once, and keep the answer after the request's work. Call it outside transactions. A request
    without a key is answered each time.

    `recheck_permission` raises for a person who may not read the kept answer. `secrets` are fields of the answer that
    are not kept. Raises Malformed (bad_field) for a bad key, Unprocessable (idempotency_key_reused), Refused
    (request_at_work), and the errors of `recheck_permission`.
    """
    key = key_of(request)
    if not key:
        return answer()
    asked = request_hash(request)
    row = _take(request.user, key, asked)
    if row is None:
        return _kept(request.user, key, asked, recheck_permission)
    try:
        given = answer()
    except BaseException:
        row.delete()
        raise
    if _is_kept(given):
        _keep(row, given, secrets)
    else:
        row.delete()
    return given


def forget_old_answers() -> int:
    """Remove the answers that are older than a day, and return their number."""
    return KeptAnswer.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()[0]


def _take(user: Any, key: str, asked: str) -> KeptAnswer | None:
    """Take a key for a request and return its row; None when the key is taken, by another request or by this one sent
    earlier. A key whose request has had no answer for AT_WORK_FOR is taken over by the same request.
    """
    now = timezone.now()
    KeptAnswer.objects.filter(user=user, key=key, created_at__lt=now - KEPT_FOR).delete()
    KeptAnswer.objects.filter(
        user=user, key=key, request_hash=asked, status=None, created_at__lt=now - AT_WORK_FOR
    ).delete()
    try:
        with transaction.atomic():
            return KeptAnswer.objects.create(user=user, key=key, request_hash=asked)
    except IntegrityError:
        return None


def _kept(user: Any, key: str, asked: str, recheck_permission: Callable[[], None]) -> Response:
    """Return the first answer again. Raises Unprocessable (idempotency_key_reused) when the key belongs to another
    request, Refused (request_at_work) while this one sent earlier is at work or has just failed, and the errors of
    `recheck_permission`.
    """
    row = KeptAnswer.objects.filter(user=user, key=key).first()
    if row is None:
        # The first request failed a moment ago, so the asker may try again.
        raise Refused("request_at_work")
    if row.request_hash != asked:
        raise Unprocessable
    if row.status is None:
        raise Refused("request_at_work")
    recheck_permission()
    kind = None if row.status < 400 else PROBLEM_TYPE
    body = json.loads(row.body) if row.body else None
    return Response(body, status=row.status, headers={**row.headers, REPLAYED: "true"}, content_type=kind)


def _is_kept(given: Response) -> bool:
    return 200 <= given.status_code < 300 or given.status_code in KEPT_REFUSALS


def _keep(row: KeptAnswer, given: Response, secrets: Collection[str]) -> None:
    """Keep an answer. Its secrets become None, so that no secret is stored in the table of kept answers."""
    body = None if given.data is None else json.loads(BareRenderer().render(given.data))
    if isinstance(body, dict):
        body = {name: None if name in secrets else value for name, value in body.items()}
    headers = {name: given.headers[name] for name in KEPT_HEADERS if name in given.headers}
    kept = {"status": given.status_code, "body": "" if body is None else json.dumps(body), "headers": headers}
    # The row is gone if the request took so long that the same one, sent again, took the key over.
    KeptAnswer.objects.filter(pk=row.pk).update(**kept)
