"""What a reader must be able to tell from the pages, and where a newcomer is led next."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils.html import escape, strip_tags

from people.models import User
from stables.models import Asset, Fixture, ReputationEntry, Season
from stables.presenters import season_parts
from stables.presenters.market.assets import pilot_description
from stables.selectors.definitions import catalogue_of

from .conftest import World, found, open_season


def text_of(page: str) -> str:
    return " ".join(strip_tags(page).split())


def shown(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_market_links_every_asset_to_its_place_in_the_seasons_catalogue(
    world: World, clients: dict[str, Client]
) -> None:
    for kind in ("pilot", "gear", "rally_card", "unit"):
        page = clients["player"].get(f"{world.stable.get_absolute_url()}market/", {"kind": kind})
        html = page.content.decode()
        assert {offer["kind"] for offer in page.context["shelf"]} == {kind}
        for offer in (row.offer for row in page.context["page"]):
            assert f'href="{escape(offer["url"])}&amp;' in html
            assert world.recruiting.release.content_hash in offer["url"]
            assert offer["key"] in shown(clients["player"], offer["url"])
    market = html.split('id="market-heading"')[1].split("</section>")[0]
    assert market.count("House statistics") == 1
    assert market.index("House statistics") < market.index("<table")


def test_the_market_says_what_a_pilot_adds_and_asks(world: World, clients: dict[str, Client]) -> None:
    text = text_of(shown(clients["player"], f"{world.stable.get_absolute_url()}market/?kind=pilot"))
    pilot = catalogue_of(world.recruiting).pilots["P-001"]
    assert pilot_description(pilot).endswith(" Fits light ’Mechs.")
    assert pilot_description(pilot) in text


def test_nobody_leads_before_there_is_reputation(release: Any, people: dict[str, User], client: Client) -> None:
    season = open_season(release, "Fresh season", people["organiser"])
    stable = found(season, "Early Bird")
    entry = {"stable": stable, "cycle": season.cycles.get(), "cause": "loss"}
    ReputationEntry.objects.create(**entry, amount=0, matches=1, idempotency_key="nothing")
    assert "In the lead" not in shown(client, season.get_absolute_url())
    ReputationEntry.objects.create(**entry, amount=5, matches=1, idempotency_key="something")
    assert "In the lead: Early Bird" in text_of(shown(client, season.get_absolute_url()))


@pytest.mark.parametrize(
    ("reputation", "tie_break", "ended_by", "decided_by"),
    [
        ((0, 0), "total", "time_limit", "lower build total"),
        ((5, 5), "die", "time_limit", "roll of a die"),
        ((0, 0), None, "last_side", "only one side was left"),
        ((5, 0), None, "time_limit", ""),
        ((0, 0), None, "forfeit", ""),
    ],
)
def test_a_win_at_even_reputation_says_how_it_was_decided(
    reputation: tuple[int, int], tie_break: str | None, ended_by: str, decided_by: str
) -> None:
    document = {
        "winner": "red", "tie_break": tie_break, "ended_by": ended_by,
        "sides": {side: {"reputation": amount} for side, amount in zip(("red", "blue"), reputation, strict=True)},
    }  # fmt: skip
    assert season_parts.decided_by(document) == decided_by
    view = {"fixture": Fixture(pk=1), "sides": [], "decided_by": decided_by}
    line = render_to_string("stables/fixture.html", {"fixture_view": view, "season": SimpleNamespace(slug="x")})
    assert (f"decided by: {decided_by}" in line) == bool(decided_by)


def test_a_fixture_without_a_result_is_decided_by_nothing() -> None:
    assert season_parts.decided_by({}) == ""


def test_the_match_page_says_what_the_loser_keeps(world: World, client: Client) -> None:
    page = client.get(world.finished.get_absolute_url()).context["page"]
    loser = next(side for side in page.sides if not side.won)
    winner = next(side for side in page.sides if side.won)
    assert winner.kept is None
    assert loser.kept == (0 if loser.result["reputation"] else None)
    html = shown(client, world.finished.get_absolute_url())
    assert ("(kept: 0)" in html) == bool(loser.result["reputation"])


def test_records_stand_where_they_are_earned(world: World, client: Client) -> None:
    """R-STB-03: a unit with a variant has a pilot, and what they earn together is the pilot's (Q-162)."""
    page = client.get(world.machines.get_absolute_url())
    assert page.context["units"]
    assert not any(view["earns_reputation"] for view in page.context["units"])
    assert all(view["earns_reputation"] for view in page.context["pilots"])
    html = page.content.decode()
    units = html.split('id="units-heading"')[1].split('id="pilots-heading"')[0]
    assert "kills" in units
    assert "reputation" not in units


def test_the_record_names_the_opponents(world: World, client: Client) -> None:
    other = world.played.stables.select_related("season").get(number=2)
    page = client.get(world.machines.get_absolute_url())
    record = page.content.decode().split('id="record-heading"')[1].split("</section>")[0]
    assert record.count(f'href="{other.get_absolute_url()}"') == len(page.context["record"]) > 0


def test_the_line_up_lists_crews_that_fit_with_their_points(world: World, clients: dict[str, Client]) -> None:
    page = clients["player"].get(world.running_stable.get_absolute_url())
    form, text = page.context["line_up"], text_of(page.content.decode())
    unit = Asset.objects.get(stable=world.running_stable, kind="unit")
    pilot = Asset.objects.get(stable=world.running_stable, kind="pilot")
    [(crew, line)] = form["crews"]
    assert crew == f"{unit.pk}-{pilot.pk}-0"
    points, cost, total = map(int, re.findall(r"\((\d+)\).*\((\d+)\) = (\d+)", line)[0])
    assert points + cost == total <= form["ceiling"]
    assert f"{unit.label} ({points}) + {pilot.label} ({cost}) = {total}" == line
    assert f"+ {pilot.label} ({cost}) = {total}" in text
    assert f"may come to {form['ceiling']} points together" in text
    assert f"worth exactly {form['pool']} reputation" in text
    tokens = catalogue_of(world.running).target_tokens
    assert sum(tokens[token.value()]["rp"] for token in form["form"].tokens) == form["pool"]
    assert [len(token.field.choices) for token in form["form"].tokens] == [len(tokens)] * 3


def test_clicks_count_from_the_start_marker_on_both_pages(world: World, client: Client) -> None:
    unit = world.finished.setup["sides"][0]["units"][0]["unit"]
    of_match = [click.number for click in client.get(world.finished.get_absolute_url()).context["page"].sheets[0].dial]
    of_unit = [row.click for row in client.get(reverse("catalogue:unit", args=[unit["id"]])).context["dial"]]
    assert of_match == of_unit == list(range(1, len(unit["dial"]) + 1))


@pytest.mark.parametrize("name", ["log_in", "sign_up"])
def test_who_logs_in_comes_back_to_where_they_were(world: World, client: Client, name: str) -> None:
    door = reverse(f"people:{name}")
    season = world.played.get_absolute_url()
    assert f'href="{door}?next={season}"' in shown(client, season)
    assert f'href="{door}?next={season}standings/"' in shown(client, f"{season}standings/")
    assert f'href="{door}"' in shown(client, "/")
    assert f'href="{door}?next={season}"' in shown(client, f"{reverse('people:log_in')}?next={season}")


def test_a_recruiting_season_offers_both_doors(world: World, client: Client) -> None:
    season = world.recruiting.get_absolute_url()
    page = shown(client, season).split("This season is recruiting.")[1].split("</p>")[0]
    for name in ("log_in", "sign_up"):
        assert f'href="{reverse(f"people:{name}")}?next={season}"' in page


def test_who_has_signed_up_hears_what_comes_next(world: World, client: Client) -> None:
    fields = {
        "username": "fresh", "email": "fresh@example.org", "time_zone": "UTC",
        "password1": "a long pass phrase", "password2": "a long pass phrase",
    }  # fmt: skip
    page = client.post(reverse("people:sign_up"), fields, follow=True).content.decode()
    assert "Found a stable in a season that is recruiting, or open a season" in text_of(page)
    steps = page.split('id="next-heading"')[1].split("</section>")[0]
    assert f'href="{world.recruiting.get_absolute_url()}"' in steps
    assert steps.index(f'href="{reverse("stables:solo")}"') < steps.index(world.recruiting.get_absolute_url())
    assert f'href="{world.running.get_absolute_url()}"' not in steps
    assert f'href="{reverse("stables:open_season")}"' in page


def test_who_has_a_stable_does_not_hear_so(world: World, clients: dict[str, Client]) -> None:
    assert "next-heading" not in shown(clients["player"], "/")
    Season.objects.filter(pk=world.recruiting.pk).update(state=Season.State.CANCELLED)
    assert "No season is recruiting now" in text_of(shown(clients["spectator"], "/"))


def test_the_newest_season_stands_first(world: World, client: Client) -> None:
    listed = [line.season for line in client.get("/").context["listed"]]
    assert listed == [world.recruiting, world.running, world.played]
