"""The small parts that many pages have."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.core.paginator import Paginator
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import timezone, translation

from tests.architecture.codes_in_source import ROOT
from web.languages.reader import in_stones


def shown(source: str, **context: object) -> str:
    return Template("{% load parts %}" + source).render(Context(context))


@pytest.mark.parametrize(
    ("tag", "html"),
    [
        (
            "{% moment at %}",
            '<time datetime="2026-11-23T00:30:00+01:00">Mon 23 Nov 2026, 00:30 '
            '<abbr title="Europe/Berlin" translate="no">CET</abbr></time>',
        ),
        ('{% moment at "DATE_FORMAT" %}', '<time datetime="2026-11-23T00:30:00+01:00">Mon 23 Nov 2026</time>'),
        ('{% moment at "TIME_FORMAT" %}', '<time datetime="2026-11-23T00:30:00+01:00">00:30</time>'),
        (
            '{% moment at look="small quiet" %}',
            '<time class="small quiet" datetime="2026-11-23T00:30:00+01:00">Mon 23 Nov 2026, 00:30 '
            '<abbr title="Europe/Berlin" translate="no">CET</abbr></time>',
        ),
    ],
)
def test_a_moment_is_shown_in_the_time_zone_of_the_reader(tag: str, html: str) -> None:
    with timezone.override("Europe/Berlin"):
        assert shown(tag, at=datetime(2026, 11, 22, 23, 30, tzinfo=UTC)) == html


@pytest.mark.parametrize(
    ("zone", "name"),
    [
        ("UTC", "UTC"),
        ("Europe/Berlin", "CET"),
        ("America/Sao_Paulo", "UTC-3"),
        ("Asia/Kathmandu", "UTC+5:45"),
        ("Pacific/Chatham", "UTC+13:45"),
    ],
)
def test_a_moment_names_the_zone_of_the_reader_as_it_is_at_that_moment(zone: str, name: str) -> None:
    with timezone.override(zone):
        html = shown("{% moment at %}", at=datetime(2026, 11, 22, 23, 30, tzinfo=UTC))
    assert f'<abbr title="{zone.replace("_", " ")}" translate="no">{name}</abbr></time>' in html


def test_a_button_posts_its_fields_with_the_token_to_a_named_address() -> None:
    html = shown(
        """{% button "stables:sell" "s" slug asset=7 back=back look="primary" id="go" about=name inline=True %}
          Sell for <b>{{ price }}</b>
        {% endbutton %}""",
        slug="the-own", back="<garage>", name="A & B", price=9, csrf_token="t",
    )  # fmt: skip
    assert html == (
        '<form class="inline-form" method="post" action="/seasons/s/stables/the-own/sell">'
        '<input type="hidden" name="csrfmiddlewaretoken" value="t">'
        '<input type="hidden" name="asset" value="7"><input type="hidden" name="back" value="&lt;garage&gt;">'
        '<button class="primary" id="go" type="submit">Sell for <b>9</b>'
        '<span class="visually-hidden" translate="no">: A &amp; B</span></button></form>'
    )


@pytest.mark.parametrize(("is_too_dear", "state"), [(True, " disabled"), (False, "")])
def test_a_button_may_lead_to_a_known_address_and_be_out_of_use(is_too_dear: bool, state: str) -> None:
    html = shown("{% button address disabled=dear %}Go{% endbutton %}", address="/x/?a=1&b=2", dear=is_too_dear)
    assert html == f'<form method="post" action="/x/?a=1&amp;b=2"><button type="submit"{state}>Go</button></form>'


@pytest.mark.parametrize(
    ("number", "is_by_time", "words"),
    [
        (1, True, ["Older"]),
        (2, True, ["Newer", "Older"]),
        (2, False, ["Before", "Page 2 of 3", "Next"]),
        (3, False, ["Before", "Page 3 of 3"]),
    ],
)
def test_a_pager_leads_to_the_pages_beside_it_and_keeps_what_was_asked(
    number: int, is_by_time: bool, words: list[str]
) -> None:
    request = RequestFactory().get("/", {"cycle": "4", "page": number})
    context = {"page": Paginator(range(3), 1).page(number), "is_by_time": is_by_time}
    html = render_to_string("components/pager.html", context, request)
    every = ["Newer", "Older", "Before", "Next", "Page 2 of 3", "Page 3 of 3"]
    assert [word for word in every if word in html] == sorted(words, key=every.index)
    assert ('rel="prev" href="?cycle=4&amp;page=' in html) is (number > 1)
    assert ('rel="next" href="?cycle=4&amp;page=' in html) is (number < 3)


def test_a_list_of_one_page_has_no_pager() -> None:
    request = RequestFactory().get("/")
    assert not render_to_string("components/pager.html", {"page": Paginator([1], 9).page(1)}, request).strip()


@pytest.mark.parametrize(
    ("amount", "html"),
    [
        (1, '<span class="in-stones">1<span class="visually-hidden"> Stone</span></span>'),
        (12500, '<span class="in-stones">12,500<span class="visually-hidden"> Stones</span></span>'),
    ],
)
def test_an_amount_of_stones_is_a_sign_and_a_number_and_has_its_word_for_screen_readers(amount: int, html: str) -> None:
    assert shown("{{ amount|stones }}", amount=amount) == html


def test_a_sentence_says_an_amount_of_stones_with_its_word() -> None:
    assert (in_stones(1), in_stones(0), in_stones(12500)) == ("1 Stone", "0 Stones", "12,500 Stones")


@pytest.mark.parametrize(("language", "said"), [("en", "−2,500,000"), ("de", "−2.500.000"), ("pl", "−2\xa0500\xa0000")])
def test_money_is_written_as_the_language_of_the_reader_writes_it(language: str, said: str) -> None:
    with translation.override(language):
        assert shown("{{ amount|money }}", amount=-2_500_000) == said
        assert shown("{{ amount|money }}", amount=50) == "50"


def test_no_template_chooses_the_form_of_money_itself() -> None:
    templates = [path for path in (ROOT / "templates").rglob("*.html") if 'floatformat:"0g"' in path.read_text()]
    assert templates == []


def test_names_in_a_sentence_are_not_translated_by_browsers_and_stay_escaped() -> None:
    class Named:
        name = "<Ash>"

    assert shown("{{ it|name }}", it="<Ash>") == '<span translate="no">&lt;Ash&gt;</span>'
    assert shown("{{ all|names }}", all=[Named, Named]) == ", ".join(['<span translate="no">&lt;Ash&gt;</span>'] * 2)
