"""Sheets to print: what stands on them, and that line-ups, hands and what a garage hides reach their owner alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from stables.models import Asset, Fixture, Season, Stable
from stables.selectors.definitions import catalogue_of, definition_of
from stables.services.ai import owners
from stables.services.line_ups import line_ups
from stables.services.line_ups.sealing import CrewChoice
from tests.markup import closed_up
from tests.stables.conftest import first_round, open_with, pair, play_out_typed
from tests.stables.line_ups.test_line_ups import Called, submit
from tests.stables.tabletop_matches import person

pytestmark = pytest.mark.django_db

MOST_QUERIES = 15


def owned_by(stable: Stable, name: str) -> Client:
    """A client of this person, who owns the stable from now on."""
    user = person(name)
    Stable.objects.filter(pk=stable.pk).update(owner=user, is_ai=False)
    client = Client()
    client.force_login(user)
    return client


def get(name: str, *arguments: Any, client: Client | None = None, **asked: Any) -> Any:
    answer = (client or Client()).get(reverse(f"stables:{name}", args=arguments), asked)
    assert answer.status_code == 200
    return answer


def text_of(answer: Any) -> str:
    """The words of a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def sheets(answer: Any) -> list[str]:
    """The unit cards of a page."""
    return re.findall(r'<article class="sheet.*?</article>', answer.content.decode(), re.S)


@pytest.fixture
def waiting(two_called: Called) -> Called:
    """Two stables that are called for line-ups; the first has handed in its own, with two rally cards."""
    season, mine, other, owned = two_called
    submit(mine, season, CrewChoice(owned["unit"], owned["pilot"], None, (owned["card"], owned["card_2"])))
    return season, mine, other, owned


# A stable --------------------------------------------------------------------------------------------------------


def test_a_roster_lists_everything_that_a_stable_has(stocked: Season) -> None:
    stable = stocked.stables.get(number=1)
    shown = text_of(get("print_roster", stocked.slug, stable.slug))
    for asset in stable.assets.all():
        assert asset.name.replace('"', "&quot;") in shown
    assert f"Capital (Stones): {stable.capital}" in shown
    assert stocked.name in shown
    sold = stable.assets.filter(kind=Asset.Kind.PILOT).order_by("id").last()
    assert sold is not None
    from django.utils import timezone

    Asset.objects.filter(pk=sold.pk).update(died_at=timezone.now(), assigned_to=None)
    alive = stable.assets.filter(name=sold.name, died_at=None).count()
    assert text_of(get("print_roster", stocked.slug, stable.slug)).count(sold.name) == alive


def test_what_a_unit_carries_is_printed_for_its_owner_alone(two_called: Called) -> None:
    season, side, _, owned = two_called
    unit, gear = Asset.objects.get(pk=owned["unit"]), Asset.objects.get(pk=owned["gear"])
    client = owned_by(side.stable, "owner")
    label = f"On: {unit.label}"
    own = get("print_roster", season.slug, side.stable.slug, client=client)
    [row] = [view for view in own.context["units"] if view["asset"] == unit]
    assert [view["asset"] for view in row["mounted"]["gear"]] == [gear]
    assert [view["on"] for view in own.context["gear"]] == [unit.label]
    rival = owned_by(season.stables.get(number=2), "rival")
    for other in (Client(), rival):
        foreign = get("print_roster", season.slug, side.stable.slug, client=other)
        assert all(view["mounted"] is None for view in foreign.context["units"])
        gear_rows = foreign.content.decode().split("Gear</h2>")[1].split("</table>")[0]
        assert unit.name.replace('"', "&quot;") not in gear_rows
        assert label not in text_of(foreign)
        cards = get("print_stable_cards", season.slug, side.stable.slug, client=other)
        assert gear.name not in "".join(sheets(cards))
    assert gear.name in "".join(sheets(get("print_stable_cards", season.slug, side.stable.slug, client=client)))
    bare = get("print_stable_cards", season.slug, side.stable.slug, client=client, bare="yes")
    assert gear.name not in "".join(sheets(bare))


def test_unit_cards_cross_out_what_is_lost_and_print_what_was_chosen(stocked: Season) -> None:
    stable = stocked.stables.get(number=1)
    units = list(stable.assets.filter(kind=Asset.Kind.UNIT).order_by("id"))
    Asset.objects.filter(pk=units[0].pk).update(damage=3)
    shown = get("print_stable_cards", stocked.slug, stable.slug)
    assert len(sheets(shown)) == len(units)
    first = sheets(shown)[0]
    assert len(re.findall(r'<tr class="[^"]*lost', first)) == 3
    assert first.count("✕") == 3
    assert "<b>3</b>of" in closed_up(first)
    assert "House statistics" in first
    chosen = get("print_stable_cards", stocked.slug, stable.slug, unit=units[-1].pk)
    assert len(sheets(chosen)) == 1
    assert len(re.findall(r'name="unit"[^>]* checked', chosen.content.decode())) == 1
    Asset.objects.filter(pk=units[0].pk).update(damage=3, is_eliminated=True)
    dead = sheets(get("print_stable_cards", stocked.slug, stable.slug, unit=units[0].pk))[0]
    assert len(re.findall(r'<tr class="[^"]*lost', dead)) == len(definition_of(stocked, units[0])["dial"])


def test_two_copies_of_a_unit_differ(stocked: Season) -> None:
    stable = stocked.stables.get(number=1)
    unit = stable.assets.filter(kind=Asset.Kind.UNIT).order_by("id")[0]
    Asset.objects.create(
        stable=stable, kind="unit", catalogue_key=unit.catalogue_key, content_hash="", name=unit.name, serial=7,
        price_paid=1, damage=2,
    )  # fmt: skip
    cards = sheets(get("print_stable_cards", stocked.slug, stable.slug))
    assert sum("#7</b>" in card for card in cards) == 1


# A match ---------------------------------------------------------------------------------------------------------


def test_a_sealed_line_up_is_printed_for_its_owner_alone(waiting: Any) -> None:
    season, mine, other, owned = waiting
    owner, rival = owned_by(mine.stable, "owner"), owned_by(other.stable, "rival")
    organiser = Client()
    organiser.force_login(person("organiser"))
    Season.objects.filter(pk=season.pk).update(organiser=person("organiser"))
    staff = Client()
    user = person("staff")
    user.is_staff = user.is_superuser = True
    user.save()
    staff.force_login(user)
    cards = get("print_fixture_cards", season.slug, mine.fixture_id, client=owner)
    assert len(sheets(cards)) == 1
    assert "keep them to yourself" in text_of(cards)
    names = [Asset.objects.get(pk=owned[key]).name for key in ("unit", "pilot", "card", "card_2")]
    form = text_of(get("print_fixture_report", season.slug, mine.fixture_id, client=owner))
    assert names[1] in form
    for client in (Client(), rival, organiser, staff):
        for page in ("print_fixture_cards", "print_fixture_report"):
            answer = get(page, season.slug, mine.fixture_id, client=client)
            assert sheets(answer) == []
            assert not [name for name in names if name in text_of(answer)]
    asked = get("print_fixture_cards", season.slug, mine.fixture_id, client=rival, stable=mine.stable.slug)
    assert sheets(asked) == []


def test_open_line_ups_are_everybodys_and_hands_their_owners(waiting: Any) -> None:
    season, mine, other, owned = waiting
    owner, rival = owned_by(mine.stable, "owner"), owned_by(other.stable, "rival")
    line_ups.submit_nearest_legal(stable_id=other.stable_id, fixture_id=other.fixture_id)
    hand = [Asset.objects.get(pk=owned[key]).name for key in ("card", "card_2")]
    pilot = Asset.objects.get(pk=owned["pilot"]).name
    for client, has_hand in ((owner, True), (rival, False), (Client(), False)):
        answer = get("print_fixture_cards", season.slug, mine.fixture_id, client=client)
        assert len(sheets(answer)) == 2
        [shown] = [sheet for sheet in sheets(answer) if f"{mine.stable.name} · " in sheet]
        assert pilot in shown
        assert [name for name in hand if name in shown] == (hand if has_hand else [])
    [own_card] = sheets(get("print_fixture_cards", season.slug, mine.fixture_id, client=rival, stable=mine.stable.slug))
    assert pilot in own_card


def test_a_report_form_has_a_box_for_each_click_and_strikes_what_was_lost(waiting: Any) -> None:
    season, mine, other, owned = waiting
    unit = Asset.objects.get(pk=owned["unit"])
    line_ups.submit_nearest_legal(stable_id=other.stable_id, fixture_id=other.fixture_id)
    mine.line_up.crews.update(damage=2)
    form = get("print_fixture_report", season.slug, mine.fixture_id)
    sides = {side.name: side for side in form.context["sides"]}
    [printed] = sides[mine.stable.name].units
    clicks = len(definition_of(season, unit)["dial"])
    assert [number for number, _ in printed.boxes] == list(range(1, clicks + 1))
    assert [number for number, is_lost in printed.boxes if is_lost] == [1, 2]
    shown = form.content.decode()
    assert shown.count('class="lost"') == 2
    for words in ("Signature", "Winner", "eliminations", "target tokens", "surrendered", "Kills"):
        assert words in shown
    assert "flags" not in shown


def test_what_is_not_known_yet_is_left_to_write(stocked: Season) -> None:
    Season.objects.filter(pk=stocked.pk).update(state=Season.State.RUNNING)
    from stables.services.fixtures import pairing

    drawn = pairing.pair_round(cycle_id=stocked.cycles.get().pk, number=1)
    form = get("print_fixture_report", stocked.slug, drawn.fixture_ids[0])
    assert [len(side.units) for side in form.context["sides"]] == [1, 1]
    assert all(unit.name == "" for side in form.context["sides"] for unit in side.units)


@pytest.mark.parametrize(("sides", "units", "blocks"), [("2", "1", 2), ("2", "2", 4), ("8", "1", 8)])
def test_a_blank_report_has_as_many_units_as_asked_for(season: Season, sides: str, units: str, blocks: int) -> None:
    shown = get("print_report", season.slug, sides=sides, units=units).content.decode()
    assert shown.count('class="boxes"') == blocks
    assert "flags" in shown


@pytest.mark.parametrize("asked", [{"sides": "9"}, {"sides": "1"}, {"units": "0"}, {"units": "x"}, {"units": "99999"}])
def test_a_report_of_impossible_size_is_not_found(season: Season, asked: dict[str, str]) -> None:
    assert Client().get(reverse("stables:print_report", args=[season.slug]), asked).status_code == 404


# The season ------------------------------------------------------------------------------------------------------


def test_the_standings_sheet_has_the_numbers_of_the_page(stocked: Season) -> None:
    play_out_typed(stocked)
    from stables.services.standings import closing

    closing.close_cycle(cycle_id=stocked.cycles.get().pk)
    page = Client().get(reverse("stables:standings", args=[stocked.slug])).context["rows"]
    sheet = get("print_standings", stocked.slug)
    rows = re.findall(r"<tr>(.*?)</tr>", sheet.content.decode().split("<tbody>")[1], re.S)
    for row, line in zip(page, rows, strict=False):
        found = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", line)).split()
        total = row.total
        a_match = f"{total.reputation_a_match:.2f}".removesuffix(".00")
        score = [total.matches, total.reputation, a_match, total.kills, total.wins, total.losses]
        wanted = [*score, row.stable.capital, row.placings[1].purse]
        assert found == [f"{row.standing.rank}{'=' if row.standing.is_shared else ''}", row.stable.name] + [
            str(number) for number in wanted
        ]
    for fixture in Fixture.objects.filter(round__cycle__season=stocked, kind="match"):
        assert fixture.pk in [row.fixture.pk for row, _ in sheet.context["fixtures"]]


def test_o_m6_the_standings_sheet_says_in_which_arena_and_when_each_match_is_played(sealed: Season) -> None:
    first, second = first_round(sealed)
    at = datetime(2030, 1, 1, 20, tzinfo=UTC)
    Fixture.objects.filter(pk=first.pk).update(arena_key="plaza", scheduled_at=at)
    Fixture.objects.filter(pk=second.pk).update(arena_key="plaza+wildwood", scheduled_at=None)
    matches = get("print_standings", sealed.slug).content.decode().split("<tbody>")[2]
    rows = re.findall(r"<tr>(.*?)</tr>", matches, re.S)
    [dated] = [row for row in rows if "<time" in row]
    [undated] = [row for row in rows if "<time" not in row]
    names = {key: arena["name"] for key, arena in catalogue_of(sealed).arenas.items()}
    assert f">{names['plaza']}<" in dated
    assert f'datetime="{at.isoformat()}"' in dated
    assert f">{names['plaza']} + {names['wildwood']}<" in undated


def test_the_desk_offers_every_sheet_the_readers_own_first(sealed: Season) -> None:
    mine = sealed.stables.get(number=3)
    client = owned_by(mine, "owner")
    desk = get("print_desk", sealed.slug, client=client)
    assert desk.context["stables"][0].pk == mine.pk
    links = set(re.findall(r'href="(/(?:seasons/[^"]*print|catalogue/sheets)[^"]*)"', desk.content.decode()))
    assert len(links) >= 3 + 1 + 2 * 4 + 3 * 2 + 1
    for link in links:
        assert client.get(link.replace("&amp;", "&")).status_code == 200, link
    assert "unit cards" in text_of(desk)
    assert get("print_desk", sealed.slug).context["own_units"] == []


def test_the_desk_leads_to_each_arena_and_the_tokens_at_true_size(stocked: Season) -> None:
    desk = get("print_desk", stocked.slug).content.decode()
    links = re.findall(r'href="(/catalogue/[^"]*true-size[^"]*)"', desk)
    wanted = {reverse("catalogue:arena_tiles", args=[key]) for key in catalogue_of(stocked).arenas}
    wanted.add(reverse("catalogue:token_sheet"))
    assert {link.split("?")[0] for link in links} == wanted
    assert len(links) == len(wanted)
    for link in links:
        assert Client().get(link).status_code == 200, link


def test_a_grand_melees_map_is_its_four_arenas(sealed: Season) -> None:
    [fixture, *_] = first_round(sealed)
    Fixture.objects.filter(pk=fixture.pk).update(arena_key="plaza+wildwood+plaza+factory")
    desk = get("print_desk", sealed.slug).content.decode()
    [link] = set(re.findall(r'href="(/catalogue/sheets/[^"]*arena=plaza&amp;arena=wildwood[^"]*)"', desk))
    answer = Client().get(link.replace("&amp;", "&"))
    assert len(re.findall(r'<article class="sheet map"', answer.content.decode())) == 4
    assert "Starting hexes" in text_of(answer)
    assert "hindering" in text_of(answer)


def addresses(season: Season) -> list[str]:
    stable = season.stables.get(number=1)
    fixture = Fixture.objects.filter(round__cycle__season=season, kind="match").order_by("id")[0]
    return [
        reverse("stables:print_desk", args=[season.slug]),
        reverse("stables:print_roster", args=[season.slug, stable.slug]),
        reverse("stables:print_stable_cards", args=[season.slug, stable.slug]),
        reverse("stables:print_fixture_cards", args=[season.slug, fixture.pk]),
        reverse("stables:print_fixture_report", args=[season.slug, fixture.pk]),
        reverse("stables:print_report", args=[season.slug]),
        reverse("stables:print_standings", args=[season.slug]),
    ]


def test_sheets_have_no_frame_and_say_how_to_print(sealed: Season) -> None:
    for address in addresses(sealed)[1:]:
        shown = Client().get(address).content.decode()
        assert "masthead" not in shown
        assert "print (Ctrl+P)" in shown
        assert "<script" not in shown
        assert " style=" not in shown
        assert reverse("stables:print_desk", args=[sealed.slug]) in shown


def test_drafts_and_private_seasons_print_nothing_for_strangers(sealed: Season) -> None:
    inside = owned_by(sealed.stables.get(number=1), "owner")
    outside = Client()
    outside.force_login(person("stranger"))
    Season.objects.filter(pk=sealed.pk).update(visibility=Season.Visibility.PRIVATE)
    for address in addresses(sealed):
        assert inside.get(address).status_code == 200
        assert outside.get(address).status_code == 404
        assert Client().get(address).status_code in (302, 404)
    Season.objects.filter(pk=sealed.pk).update(state=Season.State.DRAFT)
    for address in addresses(sealed):
        assert inside.get(address).status_code == 404


def test_a_fixture_of_another_season_is_not_found(release: Any, sealed: Season) -> None:
    [fixture, *_] = first_round(sealed)
    other = open_with(release, ["Elm", "Fir"], secret=b"x" * 32)
    for name in ("print_fixture_cards", "print_fixture_report"):
        assert Client().get(reverse(f"stables:{name}", args=[other.slug, fixture.pk])).status_code == 404
    stable = sealed.stables.get(number=1)
    assert Client().get(reverse("stables:print_roster", args=[other.slug, stable.slug])).status_code == 404


def test_sheets_take_few_queries_whatever_the_size_of_the_season(release: Any) -> None:
    reader = Client()
    reader.force_login(person("reader"))

    def taken(names: list[str]) -> list[int]:
        season = open_with(release, names)
        for stable in season.stables.order_by("number"):
            owners.shop(stable_id=stable.pk, cycle_id=season.cycles.get().pk)
        pair(season)
        Stable.objects.filter(season=season, number=1).update(owner=person("reader"), is_ai=False)
        for address in addresses(season):
            reader.get(address)
        counts = []
        for address in addresses(season):
            with CaptureQueriesContext(connection) as queries:
                assert reader.get(address).status_code == 200
            counts.append(len(queries))
        return counts

    few = taken(["Ash", "Birch"])
    many = taken(["Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir"])
    assert many == few
    assert max(many) <= MOST_QUERIES
