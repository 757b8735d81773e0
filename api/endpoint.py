"""The base of every endpoint: reading query and body, pages of lists, entity tags, and idempotency keys."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.core.paginator import EmptyPage, Paginator
from django.db.models import QuerySet
from django.http import Http404
from django.utils.cache import get_conditional_response, patch_vary_headers
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.permissions import SAFE_METHODS
from rest_framework.response import Response
from rest_framework.views import APIView

from api import idempotency
from api.fields import Output, Query, StrictInteger
from rules.core.refusals import Malformed, Refused

Handler = Callable[..., Response]


class Endpoint(APIView):
    """One address of the interface. With `open_to_all` anonymous people may read here, too, if they may see the season.

    `write_scope` is the scope that a token needs for changes: "play" or "organise". Reading needs "read". `secrets` are
    fields of answers that are given once: they are None when an idempotency key repeats the answer. With `token_only`
    sessions are refused: reading here leaves a note, and a link that somebody posts could make a session leave one.
    """

    open_to_all: ClassVar[bool] = True
    write_scope: ClassVar[str] = "play"
    secrets: ClassVar[tuple[str, ...]] = ()
    token_only: ClassVar[bool] = False

    def scope_of(self, method: str) -> str:
        return "read" if method in SAFE_METHODS else self.write_scope

    def recheck_permission(self, **names: Any) -> None:
        """Raise unless the asker may still make this request. It is called before an idempotency key repeats an answer.

        `names` are the parameters of the address. The season's visibility is checked already. Here it does nothing.
        Endpoints that need an office, a stable or a seat look it up as their handlers do, and raise the same errors.
        They must not look for a thing that the request itself removed.
        """

    def sent(self, form: type[serializers.Serializer]) -> dict[str, Any]:
        """Return the valid values of the body. Raises ValidationError, and ParseError for unreadable JSON."""
        reader = form(data=self.request.data)
        reader.is_valid(raise_exception=True)
        return dict(reader.validated_data)

    def asked(self, form: type[Query]) -> dict[str, Any]:
        """Return the valid values of the query string. Raises ValidationError, also for a name that is given twice."""
        given: dict[str, Any] = {}
        for name, values in self.request.query_params.lists():
            if len(values) > 1:
                raise serializers.ValidationError({name: ["This can be given once only."]}, code="given_twice")
            given[name] = values[0]
        reader = form(data=given)
        reader.is_valid(raise_exception=True)
        return dict(reader.validated_data)

    def page_of(
        self, rows: QuerySet[Any] | Sequence[Any], asked: Mapping[str, Any], tell: Callable[[list[Any]], Iterable[Any]]
    ) -> Response:
        """Return one page of a list: the count of all rows, the number of this page and of the last page, and the rows.

        `tell` makes the output of the page's rows. Two queries for a query set, and those of `tell`. The first page
        always exists. Raises Http404 beyond the last page.
        """
        pages = Paginator(rows, asked["page_size"])
        try:
            page = pages.page(asked["page"])
        except EmptyPage as error:
            raise Http404 from error
        output = list(tell(list(page.object_list)))
        return Response({"count": pages.count, "page": page.number, "pages": pages.num_pages, "results": output})

    def tagged(self, version: str, answer: Callable[[], Response]) -> Response:
        """Return an answer with an entity tag made of `version`. When the asker has sent this tag, return 304 without
        making the answer.

        The tag depends on address and language, too, because answers contain sentences.
        """
        language = getattr(self.request, "LANGUAGE_CODE", "")
        tag = f'"{hashlib.sha256(f"{language}:{self.request.get_full_path()}:{version}".encode()).hexdigest()[:32]}"'
        known = get_conditional_response(self.request._request, etag=tag)
        if known is not None and known.status_code == 304:
            return Response(status=304, headers={"ETag": tag})
        given = answer()
        given.headers["ETag"] = tag
        return given

    def finalize_response(self, request: Any, response: Any, *arguments: Any, **names: Any) -> Any:
        """Mark an answer as the asker's own, so that no shared cache keeps it for others."""
        done = super().finalize_response(request, response, *arguments, **names)
        patch_vary_headers(done, ("Authorization", "Cookie"))
        done.headers.setdefault("Cache-Control", "private, no-cache")
        return done


def idempotent(*, atomic: bool) -> Callable[[Handler], Handler]:
    """Make a handler answer each idempotency key once. Put this decorator below `describes`.

    With `atomic`, a request with a key is one transaction, its kept answer included. Use it for changes of money,
    results and seasons. Without it, the work runs outside transactions, and the answer is kept afterwards, as matches
    need it.
    """
    way = idempotency.answer_in_transaction if atomic else idempotency.answer_outside_transactions

    def decorate(handler: Handler) -> Handler:
        @wraps(handler)
        def answered(view: Endpoint, request: Any, *arguments: Any, **names: Any) -> Response:
            def answer() -> Response:
                try:
                    return handler(view, request, *arguments, **names)
                except (Refused, Malformed, APIException, Http404, PermissionDenied) as raised:
                    return view.handle_exception(raised)

            return way(request, answer, lambda: view.recheck_permission(**names), view.secrets)

        answered.is_kept = True  # type: ignore[attr-defined]
        return answered

    return decorate


class Pages(Query):
    """Which page of a list."""

    page = StrictInteger(min_value=1, max_value=1_000_000, default=1, help_text="Number of the page, from 1.")
    page_size = StrictInteger(min_value=1, max_value=100, default=25, help_text="Rows on a page.")


def pages_of(row: type[Output]) -> type[Output]:
    """Return the serializer class of a page of such rows."""
    name = f"{row.__name__.removesuffix('Output')}Page"
    return type(
        name,
        (Output,),
        {
            "__doc__": "One page of a list: the number of all rows, of this page from 1, and of the last page.",
            "count": serializers.IntegerField(),
            "page": serializers.IntegerField(),
            "pages": serializers.IntegerField(),
            "results": row(many=True),
        },
    )
