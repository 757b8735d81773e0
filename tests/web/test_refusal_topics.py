"""Every refusal has its place in the help, and the page that says no leads there."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.http import HttpRequest
from django.test import Client
from django.urls import path, reverse

from help.text.documents import IDENTIFIER
from help.text.help_pages import help_page_of
from help.text.markup import address_of
from rules.core.refusals import SeasonRefused
from rules.wording import all_codes
from rules.wording.refusals import templates
from rules.wording.topics import TOPIC_OF, topic
from solaris_site.urls import urlpatterns as site
from tests.markup import closed_up

from .help_pages import assert_leads_somewhere

CODES = sorted(all_codes())
PARAMETERS = {"market_closed": {"rule": "R-AST-01"}}


def refuse(request: HttpRequest, code: str) -> None:
    raise SeasonRefused(code, **PARAMETERS.get(code, {}))


urlpatterns = [path("refuse/<code>", refuse), *site]


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_place_that_exists(code: str) -> None:
    place = help_page_of(code, {})
    assert place is not None
    assert_leads_somewhere(place.address)
    assert urlsplit(place.address).path != reverse("help:index")
    assert place.is_rule == ("/rules/" in place.address or "/rulings/" in place.address)


def test_codes_whose_sentence_names_a_rule_lead_to_it() -> None:
    named = {code: found[0] for code in CODES if (found := IDENTIFIER.search(" ".join(templates(code))))}
    assert len(named) > 80
    for code, rule in named.items():
        place = help_page_of(code, {})
        assert place is not None
        assert place.address == address_of(rule), code


def test_the_rule_that_comes_with_a_refusal_goes_before_its_topic() -> None:
    for parameters, address in (
        ({"rule": "Q-144"}, address_of("Q-144")),
        ({"rule": "R-XXX-99"}, "/help/glossary/#market"),
        ({"rule": 7}, "/help/glossary/#market"),
    ):
        place = help_page_of("market_closed", parameters)
        assert place is not None
        assert place.address == address


def test_the_table_names_codes_that_exist_and_none_that_name_a_rule_themselves() -> None:
    for code in TOPIC_OF:
        sentences = " ".join(templates(code))
        assert sentences, code
        assert not IDENTIFIER.search(sentences), code
    assert topic("no_code_of_ours") == ""
    assert help_page_of("no_code_of_ours", {"rule": "R-MOV-02"}) is None


@pytest.mark.urls(__name__)
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "address", "words"),
    [
        ("path_not_adjacent", "/help/rules/mov/#R-MOV-02", "What the rules say about this"),
        ("token_twice", "/help/rulings/#Q-123", "What the rules say about this"),
        ("not_your_decision", "/help/rules/rnd/", "What the rules say about this"),
        ("market_closed", "/help/rules/ast/#R-AST-01", "What the rules say about this"),
        ("basket_sealed", "/help/glossary/#basket", "What the help says about this"),
        ("write_up_empty", "/help/who-sees-what/#write-up", "What the help says about this"),
        ("no_code_of_ours", "/help/", "Help"),
    ],
)
def test_the_page_of_a_refusal_leads_to_its_place(code: str, address: str, words: str) -> None:
    answer = Client().get(f"/refuse/{code}", headers={"accept": "text/html"})
    assert answer.status_code == 409
    assert f'<a class="button" href="{address}">{words}</a>' in closed_up(answer.content.decode())
