"""The OpenAPI document and its pages: the file is what the code says, nothing is left undescribed, and it can be read
without a script and without a network.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from html import unescape
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from api import document_pages, documents
from api.topics import TOPICS
from people.services.tokens import SCOPES
from tests.architecture.pseudo_locale import speak_pseudo

METHODS = ("get", "post", "put", "patch", "delete")
HOW = "`make openapi` writes it again; read the difference before you commit it"


@cache
def document() -> dict[str, Any]:
    """What the code says now."""
    with translation.override("en"):
        found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


def operations() -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path, methods in document()["paths"].items():
        for method in METHODS:
            if method in methods:
                yield f"{method.upper()} {path}", methods[method]


def bodies(operation: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What is sent, and what is answered when all is well, each by a name."""
    for media_type, body in operation.get("requestBody", {}).get("content", {}).items():
        yield f"sent {media_type}", body
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            for media_type, body in answer.get("content", {}).items():
                yield f"{status} {media_type}", body


def lacking(found: list[str]) -> str:
    return "\n".join(found)


# The file ------------------------------------------------------------------------------------------------------------


def test_the_file_is_what_the_code_says() -> None:
    if not documents.PATH.exists() or documents.PATH.read_text(encoding="utf-8") != documents.made():
        pytest.fail(f"docs/openapi.json is out of date: {HOW}", pytrace=False)


def test_the_command_writes_it_and_tells_a_difference(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(documents, "PATH", tmp_path / "openapi.json")
    with pytest.raises(CommandError, match="make openapi"):
        call_command("openapi", "--check", stdout=StringIO())
    call_command("openapi", stdout=StringIO())
    output = StringIO()
    call_command("openapi", "--check", stdout=output)
    assert output.getvalue() == "openapi.json is up to date.\n"
    assert documents.stored()["openapi"].startswith("3.1")


def test_the_language_of_the_reader_changes_nothing() -> None:
    first = documents.made()
    with translation.override("de"):
        assert documents.made() == first


def test_it_is_made_without_a_warning_and_valid() -> None:
    GENERATOR_STATS.reset()
    with GENERATOR_STATS.silence():
        found = SchemaGenerator().get_schema(request=None, public=True)
    assert [*GENERATOR_STATS._warn_cache, *GENERATOR_STATS._error_cache] == []
    validate_schema(found)


@pytest.mark.django_db
def test_it_is_handed_out_with_an_entity_tag() -> None:
    first = Client().get("/api/v1/openapi.json")
    assert first.status_code == 200
    assert first.headers["Content-Type"] == "application/json"
    assert first.json() == documents.stored()
    again = Client().get("/api/v1/openapi.json", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


# What everybody describes --------------------------------------------------------------------------------------------


def test_every_operation_says_what_it_is() -> None:
    missing = [
        f"{name} lacks {part}"
        for name, operation in operations()
        for part in ("operationId", "summary", "description", "tags")
        if not operation.get(part)
    ]
    assert not missing, lacking(missing)


def test_every_operation_has_a_name_of_its_own() -> None:
    counted = Counter(operation["operationId"] for _name, operation in operations())
    assert [name for name, times in counted.items() if times > 1] == []


def test_every_topic_has_a_sentence() -> None:
    used = {topic for _name, operation in operations() for topic in operation["tags"]}
    assert used - set(TOPICS) == set(), "write a sentence for it in api/topics.py"
    assert [tag["name"] for tag in document()["tags"]] == [topic for topic in TOPICS if topic in used]
    assert all(tag["description"] for tag in document()["tags"])


def test_every_operation_has_an_example() -> None:
    """What neither sends nor answers a body can have none, and a packed file would tell nobody anything."""
    missing = []
    for name, operation in operations():
        found = {place: body for place, body in bodies(operation) if body.get("schema", {}).get("format") != "binary"}
        if found and not any(body.get("examples") for body in found.values()):
            missing.append(f"{name} ({operation['operationId']}, {operation['tags'][0]})")
    assert not missing, f"{len(missing)} operations without an example:\n{lacking(missing)}"


def test_examples_are_what_they_are_examples_of() -> None:
    whole = Resource(contents=document(), specification=DRAFT202012)
    registry: Registry[Any] = Registry().with_resource("urn:document", whole)
    wrong = []
    for name, operation in operations():
        for place, body in bodies(operation):
            schema = _pointed(body.get("schema", {}))
            checker = Draft202012Validator(schema, registry=registry)
            for title, example in body.get("examples", {}).items():
                fault = next(checker.iter_errors(example["value"]), None)
                if fault is not None:
                    wrong.append(f"{name}, {place}, “{title}”: {fault.json_path} {fault.message[:160]}")
    assert not wrong, lacking(wrong)


def _pointed(schema: Any) -> Any:
    """A part of the document whose references lead into the whole."""
    if isinstance(schema, dict):
        return {key: f"urn:document{value}" if key == "$ref" else _pointed(value) for key, value in schema.items()}
    return [_pointed(each) for each in schema] if isinstance(schema, list) else schema


READ_TO_PLAY = {"GET /api/v1/matches/{public_id}/advice/"}
"""Readings for who plays alone: advice is part of playing, and how often somebody had it is noted."""


def test_every_operation_says_which_scope_a_token_needs() -> None:
    for name, operation in operations():
        [scopes] = [way["token"] for way in operation["security"] if "token" in way]
        assert scopes, name
        assert set(scopes) <= set(SCOPES), name
        assert ({"session": []} in operation["security"]) == (name not in READ_TO_PLAY), name
        if name.startswith("GET "):
            assert scopes == (["play"] if name in READ_TO_PLAY else ["read"]), name


# The pages -----------------------------------------------------------------------------------------------------------


@cache
def page(address: str) -> str:
    """The page as a stranger gets it; no database is there to be asked."""
    answer = Client().get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def test_every_operation_of_the_file_stands_on_the_page_of_its_topic() -> None:
    for topic in document_pages.topics():
        text = unescape(page(reverse("api_help:topic", args=[topic.slug])))
        assert topic.text in text
        for operation in topic.operations:
            assert f'id="{operation.id}"' in text, operation.id
            assert operation.path in text
            assert operation.summary in text
    listed = {operation.id for topic in document_pages.topics() for operation in topic.operations}
    stored = documents.stored()["paths"].values()
    assert listed == {methods[each]["operationId"] for methods in stored for each in METHODS if each in methods}


def test_a_page_says_bounds_bodies_answers_and_scopes() -> None:
    text = unescape(re.sub(r"<[^>]+>", " ", page(reverse("api_help:topic", args=["collections"]))))
    for phrase in (
        "POST /api/v1/catalogue/collections/",
        "name needed string, 1–80 characters",
        'audience "keeper" | "everybody", default "keeper"',
        "Idempotency-Key header, string",
        "Needs a token with the scope play",
        "201 application/json",
        "The idempotency key was already used for another request.",
        '"name": "My shelf"',
    ):
        assert phrase in re.sub(r"\s+", " ", text), phrase


def test_the_overview_says_how_one_begins(settings: Any) -> None:
    settings.API_RATES = {"reads": "1200/min", "writes": "600/min", "strangers": ""}
    text = unescape(Client().get("/api/").content.decode())
    assert "as often as you like" in text
    for phrase in (
        "curl -H",
        "Authorization: Bearer",
        "Idempotency-Key",
        "If-None-Match",
        "page_size",
        "409",
        "1200 / min",
    ):
        assert phrase in text, phrase
    for name in ("people:tokens", "api:openapi", "help:glossary", "help:who_sees_what"):
        assert f'href="{reverse(name)}"' in text, name
    for scope in SCOPES:
        assert f">{scope}</code>" in text
    for topic in document_pages.topics():
        assert reverse("api_help:topic", args=[topic.slug]) in text


def test_pages_need_neither_a_script_nor_another_site() -> None:
    for address in ("/api/", *(reverse("api_help:topic", args=[each.slug]) for each in document_pages.topics())):
        text = page(address)
        assert "<script" not in text
        assert " style=" not in text
        assert not re.findall(r'(?:src|href)="(?:https?:)?//', text), address
        ids = re.findall(r' id="([^"]+)"', text)
        assert len(ids) == len(set(ids)), address
        for anchor in re.findall(r'href="#([^"]+)"', text):
            assert anchor in ids, (address, anchor)


def test_the_frame_of_the_pages_can_be_translated(monkeypatch: Any) -> None:
    plain = re.findall(r"<h[23][^>]*>([A-Z][^<]+)</h", page("/api/"))
    assert len(plain) > 5
    speak_pseudo(monkeypatch)
    translated = Client().get("/api/").content.decode()
    assert not [heading for heading in plain if f">{heading}</h" in translated]


def test_the_help_leads_here_and_a_topic_that_is_none_is_a_page() -> None:
    assert 'href="/api/"' in page("/help/")
    answer = Client().get("/api/topics/none/", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert answer.headers["Content-Type"].startswith("text/html")


def test_what_has_no_form_yet_is_read_too() -> None:
    """Schemas that our endpoints do not make now, but may."""
    loop = {"$ref": "#/components/schemas/Loop"}
    topics = document_pages.topics_of(
        {
            "tags": [{"name": "A topic"}],
            "components": {
                "schemas": {"Loop": {"type": "object", "properties": {"own": {"$ref": "#/components/schemas/Loop"}}}}
            },
            "paths": {
                "/x/": {
                    "get": {
                        "operationId": "x",
                        "tags": ["A topic"],
                        "responses": {
                            "200": {
                                "content": {
                                    "text/csv": {"schema": {"type": "string"}, "examples": {"a": {"value": "b,c"}}}
                                }
                            },
                            "204": {"description": "Nothing."},
                            "409": {
                                "content": {
                                    "application/json": {"schema": loop},
                                }
                            },
                        },
                    }
                }
            },
        }
    )
    [operation] = topics[0].operations
    assert [(answer.status, answer.media_type) for answer in operation.answers] == [("200", "text/csv"), ("204", "")]
    assert operation.answers[0].samples[0].body == "b,c"
    assert [field.path for field in operation.refusals[0].fields][:2] == ["own", "own.own"]
    assert len(operation.refusals[0].fields) == document_pages.DEEPEST
