"""The help: every rule, ruling and decision has its place, every link leads somewhere, nothing asks the database."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from html import unescape
from http import HTTPStatus
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.template import Context, Template
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils.safestring import mark_safe

from rules.catalogue.loader import load_builtin
from rules.competition import events as _every_kind  # noqa: F401 - declares the kinds
from rules.competition.event_kinds import KIND_OF
from rules.competition.modifiers import RULE_OF
from rules.core.equipment import EQUIPMENT
from rules.core.house_rules import ROUNDS_BY_FORMAT
from rules.core.pilot_hooks import ABILITIES
from rules.core.refusals import SeasonRefused
from rules.core.words import HEAT_EFFECTS
from rules.wording import all_codes, sentence
from rules.wording.refusals import templates
from rules.wording.vocabulary import MODIFIERS
from solaris_site import help_cards, help_documents, help_glossary, help_introductions, help_markup, help_pages
from solaris_site.help_documents import IDENTIFIER, books
from solaris_site.help_events import EVENT_RULES
from solaris_site.help_who import SHEETS
from solaris_site.middleware import refusal_response
from tests.architecture.imports import ROOMS, source_files
from tests.architecture.pseudo_locale import speak_pseudo, untranslated

from .conftest import World

ROOT = settings.BASE_DIR
RULES, RULINGS, DECISIONS = (
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("rules.md", "rulings.md", "decisions.md")
)
PAGES = ("index", "rules", "rulings", "decisions", "glossary", "equipment", "heat", "formats", "cards", "who_sees_what")
GROUPS = re.findall(r"^## ([A-Z]{3}) ", RULES, re.MULTILINE)
ADDRESSES = [
    *(f"/help/{'' if page == 'index' else page.replace('_', '-') + '/'}" for page in PAGES),
    *(f"/help/rules/{key.lower()}/" for key in GROUPS),
]


@cache
def page(address: str) -> str:
    """The page as a stranger gets it. Tests without the database show that none is asked."""
    answer = Client().get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def anchors(address: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', page(address))


def links(html: str) -> list[str]:
    return [unescape(found) for found in re.findall(r'<a\b[^>]*?\bhref="([^"]+)"', html)]


def assert_leads_somewhere(link: str, source: str = "") -> None:
    """A link to the help has its page, and its fragment an anchor there."""
    path, _, fragment = link.partition("#")
    path = (path or source).partition("?")[0]
    assert path in ADDRESSES, f"{source}: {link}"
    assert not fragment or fragment in anchors(path), f"{source}: {link}"


def help_links(html: str) -> list[str]:
    return [link for link in links(html) if link.startswith("/help/")]


# Pages ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_every_page_has_its_address(name: str) -> None:
    assert reverse(f"help:{name}") in ADDRESSES


@pytest.mark.parametrize("address", ADDRESSES)
def test_pages_answer_strangers_without_a_query_and_their_anchors_are_unique(address: str) -> None:
    # Not marked for the database: a query would fail the test.
    assert [anchor for anchor, times in Counter(anchors(address)).items() if times > 1] == []


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_link_into_the_help_leads_to_an_anchor(address: str) -> None:
    for link in links(page(address)):
        if link.startswith(("/help/", "#")):
            assert_leads_somewhere(link, address)


@pytest.mark.parametrize("address", [*ADDRESSES, "/help/rules/?q=token"])
def test_every_text_of_the_help_can_be_translated(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    speak_pseudo(monkeypatch)
    assert untranslated(Client().get(address).content.decode()) == []


def test_people_get_the_same_pages(clients: dict[str, Client]) -> None:
    for role, client in clients.items():
        for address in ("/help/", "/help/rules/mov/", "/help/rulings/", "/help/who-sees-what/"):
            assert client.get(address).status_code == 200, (role, address)


def test_unknown_groups_and_other_methods_are_refused(client: Client) -> None:
    assert client.get("/help/rules/xyz/").status_code == 404
    assert client.post("/help/rules/mov/").status_code == 405


# Rules, rulings, decisions --------------------------------------------------------------------------------------------


def test_every_rule_line_stands_on_exactly_one_page_with_its_anchor_and_all_its_words() -> None:
    lines = re.findall(r"^- \*{0,2}(R-([A-Z]{3})-\d\d)\*{0,2} +(.+)$", RULES, re.MULTILINE)
    assert len(lines) > 500
    found = Counter(
        anchor for key in GROUPS for anchor in anchors(f"/help/rules/{key.lower()}/") if anchor.startswith("R-")
    )
    assert found == Counter(identifier for identifier, _, _ in lines)
    for identifier, key, text in lines:
        html = page(f"/help/rules/{key.lower()}/")
        item = html[html.index(f'id="{identifier}"') :].partition("</li>")[0]
        plain = unescape(re.sub(r"<[^>]+>", "", item))
        assert re.sub(r"(?<!\*)\*([^*]+)\*", r"\1", text) in plain, identifier


def test_every_list_item_of_the_rules_is_read() -> None:
    assert len(re.findall(r"^- ", RULES, re.MULTILINE)) == len(books().lines)


def test_headings_and_remarks_of_groups_are_kept() -> None:
    assert [group.key for group in books().groups] == GROUPS
    assert "Format: colour" in page("/help/rules/sed/")
    assert ">Energy damage value</h2>" in page("/help/rules/sed/")
    assert "/help/rulings/#Q-29" in links(page("/help/rules/fac/"))


def test_every_ruling_has_its_anchor_and_is_linked_both_ways() -> None:
    numbers = re.findall(r"^\| (Q-\d+) \|", RULINGS, re.MULTILINE)
    assert len(numbers) == len(set(numbers)) > 150
    assert [anchor for anchor in anchors("/help/rulings/") if anchor.startswith("Q-")] == numbers
    rulings = page("/help/rulings/")
    for line in books().lines.values():
        for named in help_documents.identifiers([line.text]):
            if named.startswith("Q-"):
                assert help_markup.address_of(named) in links(help_markup.prose(line.text))
                article = rulings[rulings.index(f'id="{named}"') :].partition("</article>")[0]
                assert help_markup.address_of(line.id) in links(article), (line.id, named)


def test_every_decision_has_its_anchor() -> None:
    rows = [row for row in DECISIONS.splitlines() if row.startswith("| ") and not row.startswith("| decision |")]
    ids = [anchor for anchor in anchors("/help/decisions/") if re.search(r"-\d\d\d?$", anchor)]
    assert len(rows) == len(ids) > 100
    for title in re.findall(r"^## (.+)$", DECISIONS, re.MULTILINE):
        assert help_documents.slug(title) in anchors("/help/decisions/")


def test_decisions_are_linked_from_the_rules_that_they_name() -> None:
    for identifier, named in books().decided_in.items():
        if identifier in books().lines:
            address = help_markup.address_of(identifier).partition("#")[0]
            assert {f"/help/decisions/#{anchor}" for anchor in named} <= set(links(page(address)))


def test_groups_lead_from_one_to_the_next() -> None:
    addresses = [f"/help/rules/{key.lower()}/" for key in GROUPS]
    for address, following in zip(addresses, [*addresses[1:], None], strict=True):
        found = re.search(r'rel="next" href="([^"]+)"', page(address))
        assert (found[1] if found else None) == following


def test_the_parser_keeps_what_markdown_tables_hide() -> None:
    chapter = help_documents.parse_chapters("# T\n\nlead\n\n## A b\n\nwords\n\n| x | y |\n|---|---|\n| a \\| b | c |\n")
    assert chapter[0].rows == (("a | b", "c"),)
    assert (chapter[0].slug, chapter[0].paragraphs, chapter[0].head) == ("a-b", ("words",), ("x", "y"))


# Links in sentences ---------------------------------------------------------------------------------------------------


def test_rules_in_a_sentence_become_links_and_the_rest_is_escaped() -> None:
    html = help_markup.linked("<b>R-MOV-02</b> & (Q-34), R-XXX-99, AR-MOV-02")
    assert "&lt;b&gt;" in html
    assert "&amp;" in html
    assert links(html) == ["/help/rules/mov/#R-MOV-02", "/help/rulings/#Q-34"]
    assert "R-XXX-99" in html


def test_markup_that_is_safe_stays_whole() -> None:
    safe = '<p title="R-MOV-02">R-MOV-02 <a href="/x/R-MOV-03">R-MOV-03</a> <button>Q-34</button></p>'
    assert links(help_markup.linked(mark_safe(safe))) == ["/help/rules/mov/#R-MOV-02", "/x/R-MOV-03"]
    assert '<p title="R-MOV-02">' in help_markup.linked(mark_safe(safe))
    assert "<button>Q-34</button>" in help_markup.linked(mark_safe(safe))


def test_lines_of_docs_are_escaped_and_their_markdown_is_shown() -> None:
    html = help_markup.prose("`R-MOV-02 <i>` *deals* [r](rulings.md) [x](javascript:alert) <script>")
    assert html == (
        '<code translate="no">R-MOV-02 &lt;i&gt;</code> <em>deals</em> <a href="/help/rulings/">r</a> x &lt;script&gt;'
    )


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
            wanted = help_documents.identifiers([text])
            found = links(help_markup.linked(text))
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
        assert_leads_somewhere(help_markup.address_of(rule))
    # Impact is a kind of damage; every other word for a modifier is one of an attack.
    assert set(MODIFIERS) - {"impact"} <= set(RULE_OF)


def test_lines_of_a_log_lead_to_the_rule_behind_them() -> None:
    assert set(EVENT_RULES) <= set(KIND_OF)
    for rule in EVENT_RULES.values():
        assert_leads_somewhere(help_markup.address_of(rule))
    html = Template("{% load help %}{% event_rule 'initiative_rolled' %}{% event_rule 'moved' %}").render(Context())
    assert links(html) == ["/help/rules/ini/#R-INI-01"]


def test_every_rule_that_the_source_names_exists() -> None:
    unknown = set()
    for room in ROOMS:
        for path in source_files(ROOT, room):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    named = help_documents.identifiers([node.value])
                    unknown |= {(str(path), name) for name in named if not books().knows(name)}
    assert unknown == set()


def test_every_rule_that_a_template_names_exists() -> None:
    for path in (ROOT / "templates").rglob("*.html"):
        for name in IDENTIFIER.findall(path.read_text(encoding="utf-8")):
            assert books().knows(name), (path, name)


# Words of our own -----------------------------------------------------------------------------------------------------


def test_every_group_has_an_introduction() -> None:
    assert set(help_introductions.INTRODUCTIONS) == set(GROUPS)


def test_the_glossary_has_sixty_words_each_once_with_links_that_lead_somewhere() -> None:
    keys = [term.key for term in help_glossary.TERMS]
    assert len(keys) == len(set(keys)) >= 60
    names = [str(term.name) for term in help_glossary.TERMS]
    assert len(names) == len(set(names))
    assert set(keys) <= set(anchors("/help/glossary/"))
    for term in help_glossary.TERMS:
        assert set(term.related) <= set(keys), term.key
        assert all(books().knows(rule) for rule in term.rules), term.key


def test_every_question_mark_asks_for_a_word_of_the_glossary() -> None:
    asked = set()
    for path in (ROOT / "templates").rglob("*.html"):
        asked |= set(re.findall(r'help_link\.html" with key="([^"]+)"', path.read_text(encoding="utf-8")))
    assert asked
    assert asked <= set(help_glossary.TERM_OF)
    html = Template('{% include "components/help_link.html" with key="capital" only %}').render(Context())
    assert links(html) == ["/help/glossary/#capital"]
    assert "What does “Capital” mean?" in html


def test_everything_on_a_dial_and_every_card_is_explained() -> None:
    assert set(help_cards.EQUIPMENT_WORDS) == set(EQUIPMENT) <= set(anchors("/help/equipment/"))
    effects = {key for keys in HEAT_EFFECTS.values() for key in keys}
    assert set(help_cards.HEAT_WORDS) == set(help_cards.HEAT_RULES) == effects <= set(anchors("/help/heat/"))
    formats = set(ROUNDS_BY_FORMAT)
    assert set(help_cards.FORMAT_WORDS) == set(help_cards.FORMAT_RULES) == formats <= set(anchors("/help/formats/"))
    catalogue = load_builtin()
    assert {*ABILITIES, *catalogue.gear, *catalogue.rally_cards} <= set(anchors("/help/cards/"))


@pytest.mark.parametrize(("key", "rule"), [*((key, row.rule) for key, row in EQUIPMENT.items())])
def test_equipment_is_told_in_the_words_of_its_rule(key: str, rule: str) -> None:
    html = page("/help/equipment/")
    entry = html[html.index(f'id="{key}"') :].partition("</dd>")[0]
    assert str(help_pages.exact_words(rule, 1)) in entry
    assert help_markup.address_of(rule) in links(entry)


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
    html = client.get(world.recruiting.get_absolute_url()).content.decode()
    told = html[html.index('id="season-rules"') :].partition("</details>")[0]
    entries = {
        unescape(re.sub(r"<[^>]+>", "", label)).strip(): value
        for label, value in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", told, re.DOTALL)
    }
    assert entries["Pilots of eliminated units may die house rule"] == "yes"
    assert entries["Reputation for a stable that does not appear house rule"] == "0"
    assert entries["Target tokens"] == "yes"
    assert "2 other than in the book" in told


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
