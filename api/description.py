"""The description of endpoints in OpenAPI, by one decorator, so that each endpoint lists all its possible answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from api import idempotency
from api.definitions import with_definitions
from api.fields import Problem
from api.topics import with_topics
from web.problems import PROBLEM_TYPE

Response = type[serializers.Serializer] | serializers.BaseSerializer | OpenApiResponse | Any

PROBLEMS: Mapping[int, str] = {
    400: "The request cannot be read, or does not have the form described here.",
    401: "Nobody is logged in, or the token is not known.",
    403: "You may not do this, or the token lacks the scope.",
    404: "There is nothing here, or nothing that you may see.",
    406: "This address cannot answer in a form that you accept.",
    409: "The rules or the season say no; nothing has changed. `code` says why.",
    413: "The request is larger than this site accepts.",
    415: "This address reads only JSON, in UTF-8, UTF-16 or UTF-32.",
    422: "The idempotency key was already used for another request.",
    429: "Too many requests; `Retry-After` says when to try again.",
}
ALWAYS = (401, 403, 404, 406, 429)


def describes(
    name: str,
    summary: str,
    topic: str,
    *,
    answers: Response,
    status: int = 200,
    sends: Any = None,
    asks: type[serializers.Serializer] | None = None,
    more: Mapping[Any, Response] | None = None,
    parameters: Sequence[OpenApiParameter] = (),
    examples: Sequence[OpenApiExample] = (),
    tagged: bool = False,
) -> Callable[[Any], Any]:
    """Describe one method of an endpoint. Put it above `idempotent`.

    `name` is the operation's id, `topic` the chapter of the documentation. `answers` describes the answer with
    `status`; `more` has further answers by status, or by (status, media type). `sends` describes the body, `asks` the
    query. `tagged` says that the answer has an entity tag, so that 304 is possible. The handler's docstring becomes the
    description. The usual refusals are added.
    """

    def described(handler: Any) -> Any:
        is_write = bool(getattr(handler, "is_kept", False))
        numbers = {*ALWAYS, 400}
        if is_write or sends is not None:
            numbers |= {409, 413, 415}
        known: list[Any] = list(parameters) + ([asks] if asks is not None else [])
        if is_write:
            numbers |= {422}
            known.append(
                OpenApiParameter(
                    idempotency.HEADER,
                    {"type": "string", "pattern": "^[!-~]{1,80}$"},
                    OpenApiParameter.HEADER,
                    description="Your key for this request: sent again with it, it happens once. Kept for a day.",
                )
            )
        responses: dict[Any, Any] = {status: answers, **(more or {})}
        if tagged:
            responses[304] = OpenApiResponse(
                description="The answer that you named in `If-None-Match` is still current."
            )
            known.append(OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER))
        for number in sorted(numbers - set(responses)):
            responses[(number, PROBLEM_TYPE)] = OpenApiResponse(Problem, description=PROBLEMS[number])
        return extend_schema(
            operation_id=name,
            summary=summary,
            tags=[topic],
            request=sends,
            responses=responses,
            parameters=known,
            examples=list(examples),
        )(handler)

    return described


def example(name: str, value: Any, *, sent: bool = False, status: int = 200) -> OpenApiExample:
    """Return an example of a sent body, or of an answer with this status."""
    if sent:
        return OpenApiExample(name, value, request_only=True)
    return OpenApiExample(name, value, response_only=True, status_codes=[str(status)])


def tidy(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Finish the given OpenAPI document and return it: say that bodies refuse unknown fields, and add
    the catalogue's published schemas and the topics' sentences.
    """
    for name, part in result.get("components", {}).get("schemas", {}).items():
        if name.endswith("Input") or name.endswith("InputRequest"):
            part["additionalProperties"] = False
    return with_topics(with_definitions(result))
