"""The ceremony of a season: podium, story in pictures, the card of each stable, and pictures to share."""

from __future__ import annotations

import html
import re
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from matches.selectors.matches import stored_steps
from rules.competition.story import Luck, story_of
from stables.models import Asset, Fixture, Season
from stables.presenters.ceremony.cards import Gains
from stables.presenters.ceremony.ceremony import best_units, ceremony
from stables.presenters.ceremony.posters import season_poster, stable_poster
from stables.selectors.leaders import champions_of, ranks_of
from tests.stables.ai.test_solo import own, play_on, player, press_play

__all__ = ["player"]
pytestmark = pytest.mark.django_db


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", html.unescape(answer.content.decode()))


def test_an_evening_ends_with_a_ceremony_of_all_stables(player: Any) -> None:
    presser, season = press_play(player, ready_made="yes")
    early = presser.client.get(reverse("stables:ceremony", args=[season.slug]))
    assert early["Location"] == season.get_absolute_url()
    play_on(presser, season)
    season = Season.objects.select_related("release").get(pk=season.pk)
    cache.clear()
    page = ceremony(season)
    cards = page["cards"]
    assert {card.stable for card in cards} == set(season.stables.all())
    champions = {title.stable_id for title in champions_of(season) if title.kind == "stable"}
    assert {card.stable.pk for card in cards if card.is_champion} == champions
    assert cards[0].is_champion
    assert [step.place for step in page["podium"]] == [2, 1, 3]
    for card in cards:
        earned: Counter[str] = Counter()
        for entry in card.stable.reputation.exclude(asset=None).select_related("asset"):
            earned[entry.asset.code] += entry.amount
        assert {code: gains.reputation for code, gains in card.gains.items()} == earned
    # The luck of all stables is that of all matches, each side's rolls once.
    total = Luck()
    for fixture in Fixture.objects.filter(round__cycle__season=season, match__isnull=False).select_related("match"):
        assert fixture.match is not None
        events = [event for step in stored_steps(fixture.match) for event in step.events]
        for luck in story_of(fixture.match.setup, events).luck.values():
            total += luck
    assert sum(card.luck.rolls for card in cards) == total.rolls > 0
    assert sum(card.luck.hits for card in cards) == total.hits
    assert sum(card.luck.expected for card in cards) == pytest.approx(total.expected)
    # What is kept says the same as what was read.
    assert ceremony(season)["cards"] == cards
    _, answer = presser.go_on()
    shown = text_of(answer)
    drawn = shown.split('id="podium"')[1].split("</figure>")[0]
    assert drawn.count('class="figure"') == sum(step.miniature is not None for step in page["podium"])
    for card in cards:
        assert card.stable.name in shown
        assert card.best in shown
        assert card.luck_in_words in shown
        assert card.best_url
        if card.nemesis:
            assert card.nemesis.name in shown
    for chapter in page["chapters"]:
        assert f'src="{chapter.picture_url}"' in shown
        assert presser.client.get(chapter.picture_url)["Content-Type"] == "image/png"
    assert 'id="play-again"' in shown
    picture = reverse("stables:season_picture", args=[season.slug])
    assert f'property="og:image" content="http://testserver{picture}"' in shown
    poster = season_poster(season)
    assert (poster.is_podium, poster.columns[0].name) == (True, cards[0].stable.name)
    about = text_of(presser.client.get(season.get_absolute_url())).split('property="og:description" content="')[1]
    assert all(name in about.split('"')[0] for line in page["titles"] for name in line.names)
    stable = own(season)
    place, about = ranks_of(season)[stable.number], text_of(presser.client.get(stable.get_absolute_url()))
    assert f'content="{season.name}: reputation {place.reputation}"' in about
    mine = next(card for card in cards if card.stable == stable)
    assert mine.best[:20] in stable_poster(stable).sentence


def test_the_podium_shows_the_mech_that_earned_most(player: Any) -> None:
    _, season = press_play(player)
    stable = own(season)
    for key in ("SOL001", "SOL002", "SOL003"):
        Asset.objects.create(stable=stable, kind="unit", catalogue_key=key, name=key, price_paid=1)
    gains = {"unit:SOL002:1": Gains(5, kills=2), "unit:SOL003:1": Gains(5, kills=1)}
    card: Any = SimpleNamespace(stable=stable, gains=gains)
    assert best_units(season, [card])[stable.pk].alt.startswith("Hellion")


def test_a_stable_lost_to_its_nemesis_most_often(player: Any) -> None:
    presser, season = press_play(player, ready_made="yes")
    play_on(presser, season)
    season = Season.objects.select_related("release").get(pk=season.pk)
    for card in ceremony(season)["cards"]:
        lost = [
            fixture
            for fixture in Fixture.objects.filter(sides__stable=card.stable, result__isnull=False)
            if fixture.result.current["ended_by"] != "forfeit"
            and not fixture.result.current["stables"].get(str(card.stable.number), {"won": True})["won"]
        ]
        assert (card.nemesis is not None) == bool(lost)
        assert card.nemesis is None or 1 <= card.nemesis.lost <= len(lost)


@pytest.mark.parametrize("visibility", [Season.Visibility.PUBLIC, Season.Visibility.PRIVATE])
def test_pictures_of_seasons_and_stables_have_the_rights_of_the_season(player: Any, visibility: str) -> None:
    presser, season = press_play(player)
    Season.objects.filter(pk=season.pk).update(visibility=visibility)
    stable = own(season)
    addresses = [
        reverse("stables:season_picture", args=[season.slug]),
        reverse("stables:stable_picture", args=[season.slug, stable.slug]),
    ]
    is_open = visibility == Season.Visibility.PUBLIC
    for address in addresses:
        answer = Client().get(address)
        assert answer.status_code == (200 if is_open else 404), address
        inside = presser.client.get(address)
        assert inside["Content-Type"] == "image/png"
        assert ("public" in inside["Cache-Control"]) == is_open
    for page in (season.get_absolute_url(), stable.get_absolute_url()):
        shown = Client().get(page).content.decode()
        assert ("og:image" in shown) == is_open
        for address in (f'href="{page}picture.png" download', f'value="http://testserver{page}"'):
            assert (address in shown) == is_open
        assert "og:image" in presser.client.get(page).content.decode()
