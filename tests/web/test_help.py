"""The help: every rule, ruling and decision has its place, every link leads somewhere, nothing asks the database."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from help.templatetags.help import help_crumbs
from help.text import documents, markup
from help.text.documents import books
from rules.competition.state import events as _every_kind  # noqa: F401 - declares the kinds
from tests.architecture.pseudo_locale import speak_pseudo, untranslated
from tests.web.help_pages import (
    ADDRESSES,
    DECISIONS,
    GROUPS,
    PAGES,
    RULES,
    RULINGS,
    anchors,
    assert_leads_somewhere,
    links,
    page,
)

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


def test_crumbs_lead_from_the_start_to_the_page_itself() -> None:
    assert help_crumbs("index") == []
    above = [("Help", "/help/"), ("Rules", "/help/rules/")]
    assert [(each.label, each.url) for each in help_crumbs("rules", "Moving")] == [*above, ("Moving", "")]
    assert [(each.label, each.url) for each in help_crumbs("heat")] == [("Help", "/help/"), ("Heat", "")]


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
    assert [identifier for identifier in books().lines if not documents.IDENTIFIER.fullmatch(identifier)] == []


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
        for named in documents.identifiers([line.text]):
            if named.startswith("Q-"):
                assert markup.address_of(named) in links(markup.prose(line.text))
                article = rulings[rulings.index(f'id="{named}"') :].partition("</article>")[0]
                assert markup.address_of(line.id) in links(article), (line.id, named)


def test_every_decision_has_its_anchor() -> None:
    rows = [row for row in DECISIONS.splitlines() if row.startswith("| ") and not row.startswith("| decision |")]
    ids = [anchor for anchor in anchors("/help/decisions/") if re.search(r"-\d\d\d?$", anchor)]
    assert len(rows) == len(ids) > 100
    for title in re.findall(r"^## (.+)$", DECISIONS, re.MULTILINE):
        assert documents.slug(title) in anchors("/help/decisions/")


def test_decisions_are_linked_from_the_rules_that_they_name() -> None:
    for identifier, named in books().decided_in.items():
        if identifier in books().lines:
            address = markup.address_of(identifier).partition("#")[0]
            assert {f"/help/decisions/#{anchor}" for anchor in named} <= set(links(page(address)))


def test_groups_lead_from_one_to_the_next() -> None:
    addresses = [f"/help/rules/{key.lower()}/" for key in GROUPS]
    for address, following in zip(addresses, [*addresses[1:], None], strict=True):
        found = re.search(r'rel="next" href="([^"]+)"', page(address))
        assert (found[1] if found else None) == following


def test_tables_keep_escaped_bars_and_have_as_many_cells_as_their_head() -> None:
    chapter, empty = documents.parse_chapters(
        "# T\n\nlead\n\n## A b\n\ntwo\nrows\n\n<b>words</b>\n\n| x | y |\n|---|---|\n| a \\| `b` | c |\n| d |\n\n## E\n"
    )
    assert (chapter.title, chapter.slug, chapter.paragraphs) == ("A b", "a-b", ("two rows", "<b>words</b>"))
    assert chapter.rows == (("a | `b`", "c"), ("d", ""))
    assert (empty.paragraphs, empty.rows) == ((), ())


def test_lists_are_rules_under_their_headings_and_paragraphs_are_remarks() -> None:
    (group,) = documents.parse_rules(
        "lead\n\n## MOV Move *far*\nsaid\nhere\n\n"
        "- R-MOV-01 One\n\n- R-MOV-02 *Two*\n  lines\n### More\n- R-MOV-03 Three\n"
    )
    assert (group.key, group.title, group.remark) == ("MOV", "Move *far*", "said here")
    assert [(part.title, [(line.id, line.text) for line in part.lines]) for part in group.sections] == [
        ("", [("R-MOV-01", "One"), ("R-MOV-02", "*Two* lines")]),
        ("More", [("R-MOV-03", "Three")]),
    ]
