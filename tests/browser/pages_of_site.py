"""Every page of the site that a person may open, read from the resolver, and who opens it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.test import Client
from django.urls import resolve, reverse

from catalogue.services import miniatures
from matches.models import Match
from matches.selectors.permissions import subject_of
from matches.selectors.puzzles import shipped
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.finishing import finish_for
from matches.services.matches import create_match
from people.services.mails import KINDS, unsubscribe_address
from stables.models import Fixture, Season, Stable, StableIdentity, Title
from stables.services.ai import solo
from stables.services.market import baskets
from stables.services.results import reports
from stables.services.season import seasons
from tests.matches.pictures import picture
from tests.stables import tabletop_matches
from tests.web.roles.addresses import address_of, named_patterns
from tests.web.roles.world import World, _open, _world
from tests.worlds import Worlds

OWN_SPACES = ("api_help:", "catalogue:", "help:", "ladder:", "matches:", "people:", "puzzles:", "stables:")
ASKED_AS = ("player", "organiser", "anonymous")
"""Who tries to open a page, in this order: the first to whom it is shown is the one whose page is looked at."""
GROUPS = (
    *("api_help", "catalogue", "help", "ladder", "people", "puzzles"),
    *("matches anonymous", "matches player", "matches rival"),
    *(f"stables {role}" for role in ("anonymous", "organiser", "player", "rival", "spectator")),
)
METHOD_NOT_ALLOWED = 405
OK = 200
SEED = b"a seed of 32 bytes, for browsers"
LONG = "Unbreakably-long-stable-name-of-sixty-letters-without-a-space"[:60]

NOT_PAGES: Mapping[str, str] = {
    "catalogue:export_csv": "a file",
    "catalogue:export_json": "a file",
    "catalogue:mapping": "a file",
    "catalogue:miniature_photo": "a photograph",
    "catalogue:unit_picture": "a picture to share",
    "matches:changes": "asked by a script, answers without a page",
    "matches:download": "a file",
    "matches:picture": "a picture to share",
    "matches:shared_picture": "a picture to share",
    "matches:shared_download": "a file",
    "matches:shared_unit_photo": "a photograph",
    "matches:shared_write_up_photo": "a photograph",
    "matches:unit_photo": "a photograph",
    "matches:write_up_photo": "a photograph",
    "people:own_data": "takes POST only, and answers a file",
    "people:log_out": "takes POST only",
    "puzzles:newest": "leads on",
    "stables:claim_stable": "a guest's alone; test_season_of_five.py looks at it",
    "stables:calendar_feed": "a file for calendars",
    "stables:evening_changes": "asked by a script, answers JSON",
    "stables:enter_code": "leads on to the page of the invitation, or refuses",
    "stables:solo_continue": "leads on",
    "stables:open_link": "leads on to the page that confirms it",
    "stables:miniature_photo": "a photograph",
    "stables:season_picture": "a picture to share",
    "stables:stable_picture": "a picture to share",
    "stables:picture": "a file, the same drawing as stands on the page of pictures",
    "stables:season_next_changes": "asked by a script, answers without a page",
    "stables:table_marks": "asked by a script, answers JSON",
    "stables:table_worker": "a script",
    "stables:take_over": "shown once a link was opened, as the stop at `open_link` does",
}
"""What can be got and is no page, with the reason."""


@dataclass(frozen=True, order=True)
class Stop:
    """A page to look at: as whom, where, and what it answers."""

    role: str
    address: str
    status: int = OK

    @property
    def name(self) -> str:
        return resolve(self.address.partition("?")[0]).view_name

    @property
    def group(self) -> str:
        """With which pages it is looked at: those of its part of the site; of the seasons' part, of its reader too."""
        space = self.name.partition(":")[0]
        return f"{space} {self.role}" if space in ("matches", "stables") else space


@dataclass(frozen=True)
class House:
    """The world of all roles, and what only the look of some pages needs.

    `alone` is played against the AI, `ended` was; `settled` was reported at a table; in `waiting` the site is at work
    for its person, the spectator; `honoured` has its champion, the player's stable; in `dealt` Uniques are bought from
    baskets. `stops` are the pages to look at.
    """

    world: World
    alone: Match
    ended: Match
    settled: Fixture
    waiting: str
    dealt: Season
    honoured: Fixture
    stops: list[Stop] = field(default_factory=list)


def entered(worlds: Worlds) -> House:
    """Make the house all that the database holds."""
    return worlds.replace("every page", lambda: _built(worlds))


def _built(worlds: Worlds) -> House:
    world = worlds.enter("all roles", _world)
    player, release = world.people["player"], world.seasons["table"].release
    seats = [Seat("red", player.pk), Seat("blue", bot="greedy")]
    alone, ended = (create_match(demonstration_setup("light"), SEED, None, seats) for _ in range(2))
    ended = finish_for(ended, player)
    settled = tabletop_matches.fixture_of(tabletop_matches.tables(release, ["Ash", "Birch"]))
    for side in tabletop_matches.sides_of(settled):
        reports.file_report(fixture_id=settled.pk, stable_id=side.stable_id, document=tabletop_matches.red_wins())
    evening = solo.open_evening(player=world.people["spectator"], stable_name="Evening Works", ready_made=True)
    dealt = _open(release, world.people, "Dealt season", unique_market="one_in_campaign")
    mine = seasons.found_stable(season_id=dealt.pk, name="Dealt Works", owner=player)
    baskets.put_in(stable_id=mine.stable_id, kind="unit", key="SOL002")
    honoured = _honoured(release)
    miniatures.put_photo(player, "SOL002", LONG, picture())
    _give_long_names(world)
    house = House(world, alone, ended, settled, reverse("stables:season_next", args=[evening.slug]), dealt, honoured)
    house.stops.extend(dict.fromkeys([*stops_of_the_resolver(world), *further_stops(house)]))
    # A client that has asked for something cannot be stored.
    for role, used in world.clients.items():
        world.clients[role] = Client()
        world.clients[role].cookies = used.cookies
    return house


def _honoured(release: Any) -> Fixture:
    """The settled match of a season that is over: the player's stable holds its title."""
    season = tabletop_matches.tables(release, ["Player", "Cedar"])
    fixture = tabletop_matches.fixture_of(season)
    for side in tabletop_matches.sides_of(fixture):
        reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=tabletop_matches.red_wins())
    champion = season.stables.get(name="Player")
    Title.objects.create(season=season, kind="stable", stable=champion, reputation=30, kills=1, decided_by="kills")
    Season.objects.filter(pk=season.pk).update(state=Season.State.FINISHED)
    return fixture


def _give_long_names(world: World) -> None:
    """The player's stables and one season get names that no line can break."""
    Stable.objects.filter(owner=world.people["player"]).update(name=LONG)
    StableIdentity.objects.filter(pk=world.values["identity_id"]).update(name=LONG)
    for season in Season.objects.all():
        Season.objects.filter(pk=season.pk).update(name=f"{season.name} <b> {LONG}"[:80])


def names() -> dict[str, list[str]]:
    """The names of the addresses of the site's own parts, with their parameters."""
    return {name: own for name, own in named_patterns() if name.startswith(OWN_SPACES)}


def only_changes_something(world: World, name: str, parameters: list[str]) -> bool:
    """True for what takes POST only."""
    address = address_of(world, name, parameters)
    return all(world.clients[role].get(address).status_code == METHOD_NOT_ALLOWED for role in ASKED_AS[:2])


def shows_a_page(client: Client, address: str) -> bool:
    answer = client.get(address)
    return answer.status_code == OK and answer.headers["Content-Type"].startswith("text/html")


def stops_of_the_resolver(world: World) -> Iterator[Stop]:
    """A page for each name, as the first of `ASKED_AS` who may see it; none for what nobody is shown in this world."""
    for name, parameters in names().items():
        if name in NOT_PAGES:
            continue
        address = address_of(world, name, parameters)
        role = next((each for each in ASKED_AS if shows_a_page(world.clients[each], address)), None)
        if role is not None:
            yield Stop(role, address)


def further_stops(house: House) -> Iterator[Stop]:
    """Pages that look different in another state or to another reader, and those that refuse."""
    yield from _of_seasons(house)
    yield from _of_stables(house)
    yield from _of_matches(house)
    yield from _of_everybody(house)
    yield from _refusals(house)


def _of_seasons(house: House) -> Iterator[Stop]:
    world = house.world
    for key in ("recruiting", "running", "browser", "played", "table"):
        for role in ("anonymous", "player", "organiser"):
            yield Stop(role, world.season(key))
    for key in ("recruiting", "browser", "played", "private"):
        yield Stop("organiser", world.season(key) + "organise/")
    yield Stop("organiser", world.season("recruiting") + "found-for-guest/")
    for below in ("standings/", "log/", "print/", "pictures/", "pictures/?cycle=1", "news/", "print/standings/"):
        yield Stop("anonymous", world.season("played") + below)
    yield Stop("anonymous", f"{world.season('table')}print/report/?sides=8&units=1")
    for below in ("evening/", "print/round/", "print/tables/"):
        yield Stop("anonymous", world.season("table") + below)
    yield Stop("spectator", house.waiting)
    honoured = house.honoured.round.cycle.season
    for role in ("anonymous", "player"):
        yield Stop(role, reverse("stables:ceremony", args=[honoured.slug]))
    yield Stop("player", reverse("stables:after_match", args=[honoured.slug, house.honoured.pk]))


def _of_stables(house: House) -> Iterator[Stop]:
    world = house.world
    for key in ("recruiting", "running", "browser"):
        own = world.stable(key).get_absolute_url()
        for below in ("", "market/", "garage/", "line-ups/", "hand-over/", "stand-ins/"):
            yield Stop("player", own + below)
    yield Stop("rival", world.stable("running").get_absolute_url())
    yield Stop("spectator", reverse("stables:open_link", args=[world.values["link_code"]]))
    yield Stop("organiser", world.stable("running").get_absolute_url() + "manage/")
    yield Stop("spectator", reverse("stables:waiting_place", args=[world.values["waiting_id"]]))
    dealt = house.dealt.stables.select_related("season").get(owner=world.people["player"])
    yield Stop("player", dealt.get_absolute_url() + "market/")


def _of_matches(house: House) -> Iterator[Stop]:
    world = house.world
    answered = min(shipped())
    world.clients["player"].post(reverse("puzzles:answer", args=[answered]), {"order": "0"})
    yield Stop("player", reverse("puzzles:show", args=[answered]))
    for key in ("running", "browser", "played"):
        for role in ("player", "organiser"):
            fixture = world.fixtures[key]
            yield Stop(role, reverse("stables:fixture", args=[world.seasons[key].slug, fixture.pk]))
    settled = reverse("stables:fixture", args=[house.settled.round.cycle.season.slug, house.settled.pk])
    yield Stop("anonymous", settled)
    yield Stop("organiser", f"{settled}correct/")
    for role in ("player", "rival"):
        yield Stop(role, reverse("matches:play", args=[world.duel.public_id]))
    yield Stop("anonymous", reverse("matches:show", args=[world.duel.public_id]))
    for name in ("play", "finish", "standing"):
        yield Stop("player", reverse(f"matches:{name}", args=[house.alone.public_id]))
    for step in ("", "?step=0", "?step=9"):
        yield Stop("anonymous", world.finished.get_absolute_url() + step)
    yield Stop("anonymous", reverse("matches:verify", args=[world.finished.public_id]))
    yield Stop("player", house.ended.get_absolute_url())
    yield Stop("player", reverse("matches:write_up", args=[subject_of(house.ended)]))


def _of_everybody(house: House) -> Iterator[Stop]:
    token = unsubscribe_address(house.world.people["player"], next(iter(KINDS))).rsplit("/", 1)[1]
    yield Stop("anonymous", reverse("people:unsubscribe", args=[token]))
    for name in ("stables:home", "stables:solo"):
        yield Stop("anonymous", reverse(name))
    yield Stop("anonymous", f"{reverse('help:rules')}?q=contact")
    for group in ("sed", "plt"):
        yield Stop("anonymous", reverse("help:rules_group", args=[group]))
    yield Stop("player", f"{reverse('catalogue:editor')}?from=SOL002")
    yield Stop("player", f"{reverse('catalogue:index')}?class=light")


def _refusals(house: House) -> Iterator[Stop]:
    world = house.world
    yield Stop("spectator", world.season("table") + "organise/", 403)
    yield Stop("anonymous", world.season("private"), 404)
    yield Stop("anonymous", reverse("matches:verify", args=[world.friendly.public_id]), 409)
    yield Stop("player", reverse("people:log_out"), 405)
    yield Stop("player", f"{reverse('stables:enter_code')}?code=nothing", 400)
