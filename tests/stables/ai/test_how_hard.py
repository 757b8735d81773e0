"""How hard stables of the AI play in seasons that people organise: chosen in both forms, kept, shown, and played."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from jobs.services import run_pending
from matches.models import MatchSeat
from rules import bots
from rules.bots.owners.evenings import DIFFICULTIES
from stables.models import FixtureSide, Season, Stable
from stables.presenters.solo import DIFFICULTY_WORDS
from stables.services.season import opening
from tests.stables.conftest import open_with
from tests.stables.shown_again import says

OPEN = "/open-a-season/"
FIELDS = {"name": "Club night", "weight_class": "light", "ai_stables": "2"}
REFUSED = ["nobody", "Greedy", "program:7", "strong", "easy"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(release: Any) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("organiser", "organiser@example.org", "-"))
    return client


def opened(client: Client, **fields: str) -> Season:
    answer = client.post(OPEN, {**FIELDS, **fields})
    assert answer.status_code == 302, answer.content
    return Season.objects.latest("pk")


def found(client: Client, season: Season, **fields: Any) -> Any:
    return client.post(reverse("stables:found_ai_stable", args=[season.slug]), fields)


def bots_of(season: Season) -> list[str]:
    return list(season.stables.order_by("number").values_list("bot", flat=True))


def offered(html: str, field: str) -> tuple[list[tuple[str, str]], list[str]]:
    """The options of a list of choices, value and label, and which of them are selected."""
    select = html.split(f'name="{field}"')[1].split("</select>")[0]
    options = [option.split("</option>")[0] for option in select.split("<option ")[1:]]
    listed = [(option.split('"')[1], option.split(">")[1]) for option in options]
    return listed, [option.split('"')[1] for option in options if " selected" in option]


IN_SOLO_WORDS = [(level.bot, str(DIFFICULTY_WORDS[name][0])) for name, level in DIFFICULTIES.items()]


def test_both_forms_offer_the_difficulties_of_solo_seasons_and_propose_fair(organiser: Client) -> None:
    season = opened(organiser)
    console = organiser.get(reverse("stables:console", args=[season.slug])).content.decode()
    for html, field in ((organiser.get(OPEN).content.decode(), "ai_bot"), (console, "bot")):
        assert offered(html, field) == (IN_SOLO_WORDS, ["greedy"])
        assert "Hard plans the whole round." in html


@pytest.mark.parametrize("bot", [level.bot for level in DIFFICULTIES.values()])
def test_what_is_chosen_is_kept_in_the_stables(organiser: Client, bot: str) -> None:
    season = opened(organiser, ai_bot=bot)
    assert bots_of(season) == [bot, bot]
    assert found(organiser, season, character="reckless", bot=bot).status_code == 302
    newest = season.stables.get(number=3)
    assert (newest.is_ai, newest.character, newest.bot) == (True, "reckless", bot)


def test_who_does_not_choose_gets_the_greedy_bot(organiser: Client) -> None:
    season = opened(organiser)
    assert found(organiser, season).status_code == 302
    assert found(organiser, season, bot="").status_code == 302
    assert bots_of(season) == ["greedy"] * 4


@pytest.mark.parametrize("bot", REFUSED)
def test_other_bots_are_refused_and_nothing_is_opened(organiser: Client, bot: str) -> None:
    for count in ("0", "2"):
        answer = organiser.post(OPEN, {**FIELDS, "ai_stables": count, "ai_bot": bot})
        assert (answer.status_code, says(answer, "unknown_bot")) == (400, True)
        assert f"{bot} here; known are random, greedy, quick" in answer.context["problem"]
    assert not Season.objects.exists()


@pytest.mark.parametrize("bot", REFUSED)
def test_other_bots_are_refused_and_no_stable_is_founded(organiser: Client, bot: str) -> None:
    season = opened(organiser)
    answer = found(organiser, season, bot=bot)
    assert (answer.status_code, answer.context["code"]) == (400, "unknown_bot")
    assert bots_of(season) == ["greedy", "greedy"]


def test_a_refused_form_keeps_the_choice(organiser: Client) -> None:
    answer = organiser.post(OPEN, {**FIELDS, "ai_stables": "9", "ai_bot": "tactical"})
    assert answer.status_code == 400
    assert offered(answer.content.decode(), "ai_bot") == (IN_SOLO_WORDS, ["tactical"])


def test_a_round_is_played_by_the_bots_that_were_chosen(organiser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    season = opened(organiser, ai_bot="random", format_standard="yes", matches_per_cycle="1")
    for _ in range(2):
        assert found(organiser, season, bot="quick").status_code == 302
    assert organiser.post(reverse("stables:start_season", args=[season.slug])).status_code == 302
    asked = set()
    get = bots.get
    monkeypatch.setattr(bots, "get", lambda name: (asked.add(name), get(name))[1])
    run_pending()
    sides = list(FixtureSide.objects.select_related("fixture", "stable"))
    assert sorted(side.stable.bot for side in sides) == ["quick", "quick", "random", "random"]
    for side in sides:
        assert MatchSeat.objects.get(match=side.fixture.match_id, side=side.side).bot == side.stable.bot
        assert side.fixture.result is not None
    assert {"quick", "random"} <= asked


PLAYED = [
    ("random", "Easy", "pick legal orders at random."),
    ("greedy", "Fair", "take the best order they see and do not plan further."),
    ("quick", "Firm", "compare a few orders before choosing."),
    ("tactical", "Hard", "plan the whole round before they give an order."),
]


@pytest.mark.parametrize(("bot", "how_hard", "words"), PLAYED)
def test_the_stables_page_says_how_hard_it_plays(
    client: Client, release: Any, bot: str, how_hard: str, words: str
) -> None:
    season = open_with(release, [])
    opening.found_ai_stable(season_id=season.pk, bot=bot)
    shown = client.get(season.stables.get().get_absolute_url()).content.decode()
    assert f"<dt>How hard</dt><dd>{how_hard}</dd>" in shown
    assert f"Its ’Mechs {words}" in shown


def test_a_bot_that_is_not_offered_is_shown_in_words_alone(client: Client, release: Any) -> None:
    season = open_with(release, ["Ash", "Birch"])
    for name, bot, words in (("Ash", "strong", "Its ’Mechs think as long as they may"), ("Birch", "lost", "Balanced:")):
        stable = season.stables.get(name=name)
        Stable.objects.filter(pk=stable.pk).update(bot=bot)
        shown = client.get(stable.get_absolute_url()).content.decode()
        assert words in shown
        assert "<dt>How hard</dt>" not in shown


def test_the_page_of_a_persons_stable_says_nothing_of_bots(client: Client, season: Season) -> None:
    stable = season.stables.get(number=1)
    owner = get_user_model().objects.create_user("owner", "owner@example.org", "-")
    Stable.objects.filter(pk=stable.pk).update(is_ai=False, owner=owner)
    shown = client.get(stable.get_absolute_url()).content.decode()
    assert "How hard" not in shown
    assert "Its ’Mechs" not in shown
