"""The documentation as pages: an overview, and a page for each topic with its operations.

The pages come from the OpenAPI document alone, without a query and without a script, so that people read the same as
programs. A schema becomes a list of fields, each with its path, its type and its bounds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from api import documents
from api.description import PROBLEMS
from api.topics import slug_of
from people.services.tokens import SCOPES

DEEPEST = 4
"""The levels of a body that a page shows; deeper levels are only in the OpenAPI document."""
MOST_WORDS = 12
"""The words of a closed list that a page shows."""
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Field:
    """One field or parameter: its dotted path (`[]` for each element of an array), its type in words, its purpose."""

    path: str
    type: str
    text: str = ""
    is_needed: bool = False


@dataclass(frozen=True)
class Sample:
    """An example of a body, as text."""

    name: str
    body: str


@dataclass(frozen=True)
class Answer:
    """The answer with one status and media type, "" without a body. A problem document has no fields here."""

    status: str
    media_type: str
    text: str
    fields: list[Field]
    samples: list[Sample]


@dataclass(frozen=True)
class Operation:
    """A method at an address. `scopes` are the scopes that a token needs. `is_open` says that no login is needed,
    `is_once` that an idempotency key is accepted. `sent` are examples of the body.
    """

    id: str
    method: str
    path: str
    summary: str
    paragraphs: list[str]
    scopes: list[str]
    is_open: bool
    is_once: bool
    parameters: list[Field]
    body: list[Field]
    sent: list[Sample]
    answers: list[Answer]
    refusals: list[Answer]


@dataclass(frozen=True)
class Topic:
    """A topic with its operations, on a page of its own."""

    slug: str
    name: str
    text: str
    operations: list[Operation] = field(default_factory=list)


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Show the page about the interface as a whole: how to begin, scopes, rates, refusals, and every operation."""
    rates: list[tuple[str | Promise, str]] = [
        (_("Reading, an account"), settings.API_RATES["reads"]),
        (_("Changing, an account"), settings.API_RATES["writes"]),
        (_("Who sends no token, an address"), settings.API_RATES["strangers"]),
    ]
    context = {
        "page": "api",
        "topics": topics(),
        "scopes": SCOPES.items(),
        "rates": [(label, *rate.partition("/")) for label, rate in rates],
        "problems": PROBLEMS.items(),
        "root": request.build_absolute_uri("/api/v1/"),
    }
    return render(request, "api/overview.html", context)


@require_safe
def topic(request: HttpRequest, topic: str) -> HttpResponse:
    """Show the page of one topic with its operations; 404 for an unknown topic."""
    every = topics()
    found = next((number for number, each in enumerate(every) if each.slug == topic), None)
    if found is None:
        raise Http404
    context = {
        "page": "api",
        "topic": every[found],
        "previous": every[found - 1] if found else None,
        "next": every[found + 1] if found + 1 < len(every) else None,
        "root": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "api/topic.html", context)


def topics() -> list[Topic]:
    """Return every topic of docs/openapi.json with its operations, in the order of the document. The file is read again
    when it changes.
    """
    return _topics(documents.PATH.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _topics(_written: int) -> list[Topic]:
    return topics_of(documents.stored())


def topics_of(document: Mapping[str, Any]) -> list[Topic]:
    """Return the topics of an OpenAPI document with their operations, both in its order."""
    reader = _Reader(document)
    found = {
        tag["name"]: Topic(slug_of(tag["name"]), tag["name"], tag.get("description", ""))
        for tag in document.get("tags", ())
    }
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method in methods:
                operation = reader.operation(method, path, methods[method])
                for name in methods[method]["tags"]:
                    found[name].operations.append(operation)
    return list(found.values())


class _Reader:
    """A reader of the operations and schemas of one document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.schemas: Mapping[str, Any] = document.get("components", {}).get("schemas", {})

    def operation(self, method: str, path: str, facts: Mapping[str, Any]) -> Operation:
        security = facts.get("security", [])
        scopes = sorted({scope for way in security for scope in way.get("token", ())})
        sent = facts.get("requestBody", {}).get("content", {}).get("application/json", {})
        answers = [
            self.answer(status, media_type, answer, body)
            for status, answer in facts["responses"].items()
            for media_type, body in (answer.get("content") or {"": {}}).items()
        ]
        parameters = facts.get("parameters", [])
        return Operation(
            id=facts["operationId"],
            method=method.upper(),
            path=path,
            summary=facts.get("summary", ""),
            paragraphs=[" ".join(part.split()) for part in facts.get("description", "").split("\n\n") if part.strip()],
            scopes=scopes,
            is_open={} in security,
            is_once=any(each["name"] == "Idempotency-Key" for each in parameters),
            parameters=[self.parameter(each) for each in parameters],
            body=list(self.fields(sent.get("schema", {}))),
            sent=_samples(sent),
            answers=[each for each in answers if each.status < "400"],
            refusals=[each for each in answers if each.status >= "400"],
        )

    def answer(self, status: str, media_type: str, facts: Mapping[str, Any], body: Mapping[str, Any]) -> Answer:
        is_problem = media_type.startswith("application/problem")
        fields = [] if is_problem else list(self.fields(body.get("schema", {})))
        return Answer(status, media_type, facts.get("description", ""), fields, _samples(body))

    def parameter(self, facts: Mapping[str, Any]) -> Field:
        schema = facts.get("schema", {})
        words = ", ".join(word for word in (facts["in"], self.type_of(schema)) if word)
        text = facts.get("description", "") or schema.get("description", "")
        return Field(facts["name"], words, text, bool(facts.get("required")))

    def fields(self, schema: Mapping[str, Any], path: str = "", depth: int = 0) -> Iterator[Field]:
        """Yield the fields of a body, each followed by its inner fields, down to DEEPEST levels."""
        schema, _is_nullable = self.plain(schema)
        if schema.get("type") == "array" or "items" in schema:
            yield from self.fields(schema.get("items", {}), f"{path}[]", depth)
            return
        needed = schema.get("required", ())
        for name, own in schema.get("properties", {}).items():
            step = f"{path}.{name}" if path else name
            inner, _can_be_null = self.plain(own)
            text = " ".join((own.get("description") or inner.get("description") or "").split())
            yield Field(step, self.type_of(own), text, name in needed)
            if depth + 1 < DEEPEST:
                yield from self.fields(own, step, depth + 1)

    def plain(self, schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool]:
        """Return a schema with its reference followed, and whether it can be null."""
        can_be_null = False
        for _step in range(9):
            parts = [each for each in schema.get("oneOf") or schema.get("anyOf") or () if each != {"type": "null"}]
            if "$ref" in schema:
                schema = self.schemas.get(schema["$ref"].rpartition("/")[2], {})
            elif len(parts) == 1:
                can_be_null, schema = True, parts[0]
            elif len(schema.get("allOf", ())) == 1 and "properties" not in schema:
                schema = schema["allOf"][0]
            else:
                break
        kind = schema.get("type")
        if isinstance(kind, list):
            kinds = [each for each in kind if each != "null"]
            can_be_null = can_be_null or "null" in kind
            schema = {**schema, "type": kinds[0] if len(kinds) == 1 else kinds}
        return schema, can_be_null

    def type_of(self, schema: Mapping[str, Any]) -> str:
        """Return type and bounds in the words of JSON Schema, such as `integer, 1–100`."""
        plain, can_be_null = self.plain(schema)
        kind = plain.get("type")
        if "const" in plain:
            words = [json.dumps(plain["const"])]
        elif "enum" in plain:
            listed = [json.dumps(word) for word in plain["enum"]]
            words = [" | ".join(listed[:MOST_WORDS]) + (" | …" if len(listed) > MOST_WORDS else "")]
        elif kind == "array":
            words = [f"array of {self.type_of(plain.get('items', {}))}"]
        elif plain.get("oneOf") or plain.get("anyOf"):
            words = [" | ".join(self.type_of(each) for each in plain.get("oneOf") or plain["anyOf"])]
        elif isinstance(kind, list):
            words = [" | ".join(kind)]
        else:
            words = [kind or ("object" if "properties" in plain else "any"), *_bounds(plain)]
        if "default" in schema:
            words.append(f"default {json.dumps(schema['default'], ensure_ascii=False)}")
        return ", ".join([*words, *(["or null"] if can_be_null else [])])


def _bounds(schema: Mapping[str, Any]) -> Iterator[str]:
    if "format" in schema:
        yield str(schema["format"])
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None or most is not None:
        yield f"{'' if least is None else least}–{'' if most is None else most}"
    fewest, longest = schema.get("minLength"), schema.get("maxLength")
    if fewest is not None or longest is not None:
        yield f"{fewest or 0}–{'' if longest is None else longest} characters"
    if "pattern" in schema:
        yield f"like {schema['pattern']}"


def _samples(body: Mapping[str, Any]) -> list[Sample]:
    return [
        Sample(sample.get("summary") or name, _readable(sample.get("value")))
        for name, sample in body.get("examples", {}).items()
    ]


def _readable(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False)
