"""Words of the help: links in sentences, the glossary, the search, and where other pages lead into it."""

from __future__ import annotations

import ast
import re
from html import unescape
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template import Context, Template
from django.test import Client, RequestFactory
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, override

from help.presenters import rules as help_pages
from help.text import documents, markup
from help.text.content import cards, glossary, introductions
from help.text.content.events import EVENT_RULES
from help.text.content.who_sees_what import SHEETS
from help.text.documents import IDENTIFIER, books
from rules.catalogue.loader import load_builtin
from rules.competition.attacks.fixed_modifiers import RULE_OF
from rules.competition.state import events as _every_kind  # noqa: F401 - declares the kinds
from rules.competition.state.event_kinds import KIND_OF
from rules.core.equipment import EQUIPMENT
from rules.core.pilot_hooks import ABILITIES
from rules.core.refusals import SeasonRefused
from rules.core.words import HEAT_EFFECTS
from rules.solaris.house_rules import ROUNDS_BY_FORMAT
from rules.wording import all_codes, sentence
from rules.wording.refusals import templates
from rules.wording.vocabulary import MODIFIERS
from solaris_site.middleware import refusal_response
from tests.architecture.imports import ROOMS, source_files
from tests.markup import closed_up
from tests.web.help_pages import (
    GROUPS,
    ROOT,
    anchors,
    assert_leads_somewhere,
    help_links,
    links,
    page,
)
from web.languages import offer

from .conftest import World

# Links in sentences ---------------------------------------------------------------------------------------------------


def test_rules_in_a_sentence_become_links_and_the_rest_is_escaped() -> None:
    html = markup.linked("<b>R-MOV-02</b> & (Q-34), R-XXX-99, AR-MOV-02")
    assert "&lt;b&gt;" in html
    assert "&amp;" in html
    assert links(html) == ["/help/rules/mov/#R-MOV-02", "/help/rulings/#Q-34"]
    assert "R-XXX-99" in html


def test_markup_that_is_safe_stays_whole() -> None:
    safe = '<p title="R-MOV-02">R-MOV-02 <a href="/x/R-MOV-03">R-MOV-03</a> <button>Q-34</button></p>'
    assert links(markup.linked(mark_safe(safe))) == ["/help/rules/mov/#R-MOV-02", "/x/R-MOV-03"]
    assert '<p title="R-MOV-02">' in markup.linked(mark_safe(safe))
    assert "<button>Q-34</button>" in markup.linked(mark_safe(safe))


def test_lines_of_docs_are_escaped_and_their_markdown_is_shown() -> None:
    html = markup.prose("`R-MOV-02 <i>` *deals* [r](rulings.md) [x](javascript:alert) <script>")
    assert html == (
        '<code translate="no">R-MOV-02 &lt;i&gt;</code> <em>deals</em> <a href="/help/rulings/">r</a> x &lt;script&gt;'
    )


def test_rules_are_linked_in_emphasis_and_never_inside_another_link() -> None:
    html = markup.prose("*R-MOV-02* **Q-34** [Q-34](rules.md) 2 * 3 * 4 \\*x\\* <https://example.org> ![y](rules.md)")
    assert links(html) == ["/help/rules/mov/#R-MOV-02", "/help/rulings/#Q-34", "/help/rules/", "/help/rules/"]
    assert "2 * 3 * 4 *x* &lt;https://example.org&gt; !" in html
    assert "<em><a" in html
    assert "<strong><a" in html


def test_tags_link_a_rule_and_show_an_unknown_one_as_it_is() -> None:
    template = Template(
        '{% load help %}{% rule "R-MOV-02" %}{% rule "" %}{% rule odd %}{% filter linked %}x Q-34{% endfilter %}'
    )
    html = template.render(Context({"odd": "<R>"}))
    assert links(html) == ["/help/rules/mov/#R-MOV-02", "/help/rulings/#Q-34"]
    assert "&lt;R&gt;" in html


def test_every_refusal_that_names_a_rule_links_to_its_anchor() -> None:
    named = 0
    for code in all_codes():
        for text in (*templates(code), sentence(code, {"rule": "R-AST-12 / Q-161"})):
            wanted = documents.identifiers([text])
            found = links(markup.linked(text))
            assert len(found) == len(IDENTIFIER.findall(text)), code
            assert {link.partition("#")[2] for link in found} == set(wanted), code
            for link in found:
                assert_leads_somewhere(link)
            named += bool(wanted)
    assert named > 80


def test_the_page_of_a_refusal_links_its_rule() -> None:
    request = RequestFactory().get("/", headers={"accept": "text/html"})
    request.user = AnonymousUser()
    html = refusal_response(
        request, HTTPStatus.CONFLICT, SeasonRefused("market_closed", rule="R-AST-03")
    ).content.decode()
    assert "/help/rules/ast/#R-AST-03" in links(html)


def test_every_modifier_of_the_engine_has_a_rule_with_an_anchor() -> None:
    rules = [*RULE_OF.values(), *(row.rule for row in EQUIPMENT.values()), "R-GER-10", "R-RAL-03", "R-PLT-04"]
    for rule in rules:
        assert_leads_somewhere(markup.address_of(rule))
    # Impact is a kind of damage; every other word for a modifier is one of an attack.
    assert set(MODIFIERS) - {"impact"} <= set(RULE_OF)


def test_lines_of_a_log_lead_to_the_rule_behind_them() -> None:
    assert set(EVENT_RULES) <= set(KIND_OF)
    for rule in EVENT_RULES.values():
        assert_leads_somewhere(markup.address_of(rule))
    html = Template("{% load help %}{% event_rule 'initiative_rolled' %}{% event_rule 'moved' %}").render(Context())
    assert links(html) == ["/help/rules/ini/#R-INI-01"]


def test_every_rule_that_the_source_names_exists() -> None:
    unknown = set()
    for room in ROOMS:
        for path in source_files(ROOT, room):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    named = documents.identifiers([node.value])
                    unknown |= {(str(path), name) for name in named if not books().knows(name)}
    assert unknown == set()


def test_every_rule_that_a_template_names_exists() -> None:
    for path in (ROOT / "templates").rglob("*.html"):
        for name in IDENTIFIER.findall(path.read_text(encoding="utf-8")):
            assert books().knows(name), (path, name)


# Words of our own -----------------------------------------------------------------------------------------------------


def test_every_group_has_an_introduction() -> None:
    assert set(introductions.INTRODUCTIONS) == set(GROUPS)


def test_the_glossary_has_sixty_words_each_once_with_links_that_lead_somewhere() -> None:
    keys = [term.key for term in glossary.TERMS]
    assert len(keys) == len(set(keys)) >= 60
    names = [str(term.name) for term in glossary.TERMS]
    assert len(names) == len(set(names))
    assert set(keys) <= set(anchors("/help/glossary/"))
    for term in glossary.TERMS:
        assert set(term.related) <= set(keys), term.key
        assert all(books().knows(rule) for rule in term.rules), term.key


def test_every_question_mark_asks_for_a_word_of_the_glossary() -> None:
    asked = set()
    for path in (ROOT / "templates").rglob("*.html"):
        asked |= set(re.findall(r'help_link\.html" with key="([^"]+)"', path.read_text(encoding="utf-8")))
    assert asked
    assert asked <= set(glossary.TERM_OF)
    html = Template('{% include "components/help_link.html" with key="capital" only %}').render(Context())
    assert links(html) == ["/help/glossary/#capital"]
    assert "What does “Capital” mean?" in html


def test_everything_on_a_dial_and_every_card_is_explained() -> None:
    assert set(cards.EQUIPMENT_WORDS) == set(EQUIPMENT) <= set(anchors("/help/equipment/"))
    effects = {key for keys in HEAT_EFFECTS.values() for key in keys}
    assert set(cards.HEAT_WORDS) == set(cards.HEAT_RULES) == effects <= set(anchors("/help/heat/"))
    formats = set(ROUNDS_BY_FORMAT)
    assert set(cards.FORMAT_WORDS) == set(cards.FORMAT_RULES) == formats <= set(anchors("/help/formats/"))
    catalogue = load_builtin()
    assert {*ABILITIES, *catalogue.gear, *catalogue.rally_cards} <= set(anchors("/help/cards/"))


@pytest.mark.parametrize(("key", "rule"), [*((key, row.rule) for key, row in EQUIPMENT.items())])
def test_equipment_is_shown_in_the_words_of_its_rule(key: str, rule: str) -> None:
    html = page("/help/equipment/")
    entry = html[html.index(f'id="{key}"') :].partition("</dd>")[0]
    assert str(help_pages.exact_words(rule, 1)) in entry
    assert markup.address_of(rule) in links(entry)


@pytest.mark.parametrize("language", [each.code for each in offer.offered()])
def test_the_words_of_a_rule_are_the_readers_without_what_stands_before_them(language: str) -> None:
    cut = [(row.rule, 1) for row in EQUIPMENT.values()] + [(rule, 2) for rule in cards.HEAT_RULES.values()]
    with override(language):
        for rule, headings in cut:
            line = gettext(books().lines[rule].text)
            assert line.count(": ") >= headings, (rule, line)
            assert help_pages.exact_words(rule, headings) == help_pages.prose(line.split(": ", headings)[-1])


def test_who_sees_what_has_an_anchor_for_everything() -> None:
    keys = [row.key for sheet in SHEETS for row in sheet.rows]
    assert len(keys) == len(set(keys))
    assert set(keys) <= set(anchors("/help/who-sees-what/"))


# Search ---------------------------------------------------------------------------------------------------------------


def test_the_search_finds_lines_rulings_decisions_and_words() -> None:
    assert "/help/rules/mov/#R-MOV-02" in links(page("/help/rules/?q=r-mov-02"))
    assert "/help/rulings/#Q-34" in links(page("/help/rules/?q=range+neighbour"))
    assert "/help/glossary/#basket" in links(page("/help/rules/?q=BASKET"))
    assert any(link.startswith("/help/decisions/#") for link in links(page("/help/rules/?q=drawn+token+shuffled")))
    for link in help_links(page("/help/rules/?q=the")):
        assert_leads_somewhere(link)


def test_the_search_escapes_what_was_asked_and_finds_nothing_for_nonsense() -> None:
    html = page('/help/rules/?q="><script>alert(1)</script>')
    assert "<script>alert" not in html
    assert "Nothing holds all of these words" in html
    assert "places found" not in page("/help/rules/?q=+")
    assert help_pages.search("x" * 500) is not None


# Elsewhere ------------------------------------------------------------------------------------------------------------


def test_docs_are_shipped() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert not [pattern for pattern in ignored if pattern.lstrip("/*").startswith(("docs", ".md", "md"))]
    assert "COPY . ." in (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_pages_of_a_season_lead_into_the_help(world: World, clients: dict[str, Client]) -> None:
    client = clients["player"]
    own = world.running_stable.get_absolute_url()
    found: dict[str, list[str]] = {}
    for name, address in {
        "match": f"{world.finished.get_absolute_url()}?step=6",
        "market": f"{own}market/",
        "garage": f"{own}garage/",
        "stable": own,
        "play": f"{world.open.get_absolute_url()}play/",
        "unit": "/catalogue/units/SOL002/",
        "log": f"{world.running.get_absolute_url()}log/",
    }.items():
        answer = client.get(address)
        assert answer.status_code == 200, address
        found[name] = help_links(answer.content.decode())
        for link in found[name]:
            assert_leads_somewhere(link)
    assert "/help/rules/ast/#R-AST-03" in found["market"]
    assert {"/help/glossary/#market", "/help/glossary/#capital"} <= set(found["market"])
    assert "/help/glossary/#garage" in found["garage"]
    assert "/help/glossary/#line-up" in found["stable"]
    assert any("#R-" in link for link in found["play"])
    assert any(link.startswith("/help/equipment/#") for link in found["unit"])
    assert any(link.startswith("/help/heat/#") for link in found["match"])


def test_a_season_tells_the_rules_by_which_it_is_played(world: World, client: Client) -> None:
    world.recruiting.settings |= {"absence_pays": 0, "house_rules": {"pilot_death": True}}
    world.recruiting.save()
    html = closed_up(client.get(world.recruiting.get_absolute_url()).content.decode())
    section = html[html.index('id="season-rules"') :].partition("</details>")[0]
    entries = {
        unescape(re.sub(r"(<[^>]+>)+", " ", label)).strip(): value
        for label, value in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", section, re.DOTALL)
    }
    assert entries["Pilots of eliminated units may die house rule"] == "yes"
    assert entries["Reputation for a stable that does not appear house rule"] == "0"
    assert entries["Target tokens"] == "yes"
    assert "2 house rules" in section


def test_the_sums_of_a_match_link_the_rule_of_every_modifier(world: World, client: Client) -> None:
    address = world.finished.get_absolute_url()
    steps = 0
    named: set[str] = set()
    for number in range(1, 40):
        html: Any = client.get(f"{address}?step={number}").content.decode()
        assert '<span class="rule"' not in html
        chips = re.findall(r'<a class="rule" href="([^"]+)"', html)
        for link in chips:
            assert_leads_somewhere(link)
        named |= set(chips)
        steps += 1
        if len(named) >= 2:
            break
    assert named, f"no modifier in {steps} steps"
