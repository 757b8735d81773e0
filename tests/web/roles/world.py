"""One world for every role: built once by the real services and jobs, never changed by those who look at it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from django.test import Client
from django.utils.timezone import now

from catalogue.services import collections
from catalogue.services.files import read_file
from catalogue.services.releases import load_release
from challenge.models import Event, Key
from challenge.selectors.access import Access
from challenge.services.books import Wish, write
from challenge.services.events import make_key, open_event
from jobs.models import Job
from jobs.services import enqueue, run_pending
from matches.models import Match, WriteUp
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match
from people.models import Notice, PushSubscription, User
from people.services.tokens import make_token
from rules.catalogue import load_builtin
from rules.challenge.book.rows import DEED
from stables.models import ComingQuestion, Delivery, Fixture, Passing, Season, SeasonRole, Stable, WaitingPlace, Webhook
from stables.services.fixtures.hand_overs import hand_over
from stables.services.fixtures.programs import propose
from stables.services.line_ups import line_ups
from stables.services.results import reports
from stables.services.running.coming import token_of
from stables.services.season import collections as season_collections
from stables.services.season import seasons
from stables.services.season.invitations import invite
from stables.services.season.visibility import change_visibility
from tests.stables import tabletop_matches
from tests.web.conftest import buy_crew
from tests.worlds import Worlds, taken_back
from webhooks.signatures import new_secret

ROLES = ("anonymous", "spectator", "player", "rival", "organiser", "staff")
"""The columns of the table of permissions."""
HELPERS = ("helper", "referee")
"""Who helps to run the seasons: a co-organiser, and a referee."""
EVERYBODY = (*ROLES, *HELPERS)


@dataclass
class World:
    """`table` is the running season of the table of permissions: player and rival report differently in `fixture`.

    In `running` both are called for line-ups, in `browser` they play in the browser; `recruiting` has an open market;
    `played` is finished; `private` only those in it may see: not the spectator.
    """

    people: dict[str, User]
    clients: dict[str, Client]
    seasons: dict[str, Season]
    fixtures: dict[str, Fixture]
    friendly: Match
    duel: Match
    finished: Match
    values: dict[str, Any]
    addresses: dict[str, str]

    def stable(self, season: str, owner: str = "player") -> Stable:
        return self.seasons[season].stables.select_related("season").get(owner=self.people[owner])

    def season(self, name: str) -> str:
        return self.seasons[name].get_absolute_url()


@contextmanager
def entered(worlds: Worlds) -> Iterator[World]:
    """Enter the world in a transaction that is rolled back."""
    with taken_back():
        yield worlds.enter("all roles", _world)


def _people() -> dict[str, User]:
    names = [role for role in EVERYBODY if role not in ("anonymous", "staff")]
    people = {name: User.objects.create_user(name, f"{name}@example.org", "secret words") for name in names}
    people["staff"] = User.objects.create_superuser("staff", "staff@example.org", "secret words")
    people["program"] = User.objects.create_user("program", "program@example.org", "secret words", ladder="program")
    return people


def _clients(people: dict[str, User]) -> dict[str, Client]:
    clients = {"anonymous": Client()}
    for name, person in people.items():
        clients[name] = Client()
        clients[name].force_login(person)
    return clients


def _open(release: Any, people: dict[str, User], name: str, **settings: Any) -> Season:
    settings = {"weight_class": "light", "cycles": ["standard", "team"], **settings}
    opened = seasons.open_season(
        name=name,
        settings=settings,
        release=release,
        organiser=people["organiser"],
        secret=b"0123456789abcdef" * 2,
        calendar={"preset": "club_night", "time_zone": "UTC", "mode": "browser"} if name == "Browser season" else None,
    )
    season = Season.objects.get(pk=opened.season_id)
    SeasonRole.objects.create(season=season, user=people["helper"], role=SeasonRole.Role.CO_ORGANISER)
    SeasonRole.objects.create(season=season, user=people["referee"], role=SeasonRole.Role.REFEREE)
    return season


def _found(season: Season, people: dict[str, User], machines: int = 0) -> None:
    for owner in ("player", "rival"):
        made = seasons.found_stable(season_id=season.pk, name=f"{owner.title()} & Sons", owner=people[owner])
        stable = Stable.objects.select_related("season").get(pk=made.stable_id)
        if season.name != "Recruiting season":
            buy_crew(stable)
    for number in range(machines):
        seasons.found_stable(season_id=season.pk, name=f"Machines {number + 1}", bot="random")


def _start(season: Season) -> Fixture:
    seasons.start_season(season_id=season.pk)
    run_pending()
    season.refresh_from_db()
    return Fixture.objects.filter(round__cycle__season=season, kind="match").order_by("pk")[0]


def _dispute(season: Season, people: dict[str, User]) -> Fixture:
    """Both sides report of a table, each that it won."""
    fixture = _start(season)
    Fixture.objects.filter(pk=fixture.pk).update(mode=Fixture.Mode.TABLE)
    for side in fixture.sides.all():
        line_ups.submit_nearest_legal(stable_id=side.stable_id, fixture_id=fixture.pk)
    run_pending()
    for side in fixture.sides.select_related("stable__owner").order_by("id"):
        report = tabletop_matches.red_wins() if side.side == "red" else tabletop_matches.blue_wins()
        owner = side.stable.owner
        reports.file_report(fixture_id=fixture.pk, stable_id=side.stable_id, document=report, user=owner)
    fixture.refresh_from_db()
    return fixture


def _world() -> World:
    release, people = load_release(), _people()
    made = {
        key: _open(release, people, f"{key.title()} season")
        for key in ("table", "running", "browser", "recruiting", "private")
    }
    for key, season in made.items():
        _found(season, people, machines=key == "recruiting")
    fixtures = {"table": _dispute(made["table"], people), "running": _start(made["running"])}
    fixtures["private"] = _start(made["private"])
    fixtures["browser"] = _start(made["browser"])
    for side in fixtures["browser"].sides.all():
        line_ups.submit_nearest_legal(stable_id=side.stable_id, fixture_id=fixtures["browser"].pk)
    run_pending()
    fixtures["browser"].refresh_from_db()
    played = _open(release, people, "Played season", cycles=["standard"])
    for number in range(2):
        seasons.found_stable(season_id=played.pk, name=f"Old Machines {number + 1}", bot="random")
    _start(played)
    run_pending()
    played.refresh_from_db()
    made["played"] = played
    fixtures["played"] = Fixture.objects.filter(round__cycle__season=played, match__isnull=False)[0]
    change_visibility(season_id=made["private"].pk, visibility="private")
    seats = [Seat("red", people["player"].pk), Seat("blue", people["rival"].pk)]
    friendly = create_match(demonstration_setup(), b"a seed that nobody may see early", None, seats)
    world = World(
        people=people,
        clients=_clients(people),
        seasons={key: Season.objects.get(pk=season.pk) for key, season in made.items()},
        fixtures=fixtures,
        friendly=friendly,
        duel=fixtures["browser"].match or friendly,
        finished=fixtures["played"].match,
        values={},
        addresses={},
    )
    world.values = _values(world)
    return world


def draft_of(kept: Any, keeper: User) -> Any:
    """A file that the keeper of a collection has sent and not confirmed."""
    unit = {**load_builtin().units["SOL002"], "id": "X-2"}
    read = read_file("mine.json", json.dumps({"schema": 1, "units": [unit]}).encode(), "")
    return collections.draft_import(collection=kept, user=keeper, read=read)


def outside_of(season: Season, url: str = "https://news.example/hooks/secret") -> Delivery:
    """A webhook of a season, which is given next to nothing, with a try to it that was given up."""
    number = season.webhooks.count()
    webhook, made = (uuid5(NAMESPACE_URL, f"{each} {number} of {season.slug}") for each in ("webhook", "delivery"))
    own = {"url": url, "codes": ["season_finished"], "secret": new_secret()}
    outside = Webhook.objects.create(season=season, public_id=webhook, **own)
    facts = {"parameters": {}, "cycle": None, "fixture": None, "time": tabletop_matches.NOON.isoformat()}
    given_up = {"code": "try", "document": facts, "state": Delivery.State.FAILED}
    return Delivery.objects.create(webhook=outside, public_id=made, **given_up)


def melee_of(gm: User) -> tuple[Event, Key]:
    """An event of the Challenge with two pilots in the arena, and the key of one of them."""
    event = open_event("Steel Night", {"tables": [{"id": "Factory", "portals": ["North", "East"]}]}, {}, gm)
    who = Access(is_gm=True, name=gm.username, user_id=gm.pk)
    for name in ("Ross", "Jo"):
        deeds: list[dict[str, Any]] = [
            {"what": "new_pilot", "by": name},
            {"do": "buy_mech", "pilot": name, "mech": "locust_lct_1v"},
            {"what": "enter", "by": name, "turn": 1, "phase": "movement"},
        ]
        wishes = [Wish(f"{name} {place}", DEED, {"table": "Factory", **deed}) for place, deed in enumerate(deeds)]
        write(event.pk, who, wishes)
    return event, make_key(event, who, Key.Role.PLAYER, pilot="Ross")


def _values(world: World) -> dict[str, Any]:
    """What stands for each parameter of an address: something that is there, of the player where it is somebody's."""
    people, season = world.people, world.seasons["table"]
    stable = world.stable("table")
    until = {"starts_at": tabletop_matches.NOON, "ends_at": tabletop_matches.NOON.replace(day=9)}
    given = hand_over(stable_id=world.stable("running").pk, now=tabletop_matches.NOON, **until)
    seat = propose(stable_id=stable.pk, username="program", actor=people["player"])
    kept = collections.make_collection(name="Brought", keeper=people["player"], audience="everybody")
    unit = load_builtin().units["SOL002"]
    collections.put_definition(collection=kept, user=people["player"], kind="units", definition={**unit, "id": "X-1"})
    season_collections.make_for_season(
        season_id=world.seasons["private"].pk, organiser=people["organiser"], name="Private dials"
    )
    fixture = world.fixtures["played"]
    write_up = WriteUp.objects.create(subject=f"fixture:{fixture.pk}", author=None, text="A fine duel.")
    enqueue("stables.follow_hand_over", {"season": season.pk, "hand_over": 0}, unique_key="a job that failed")
    Job.objects.filter(unique_key="a job that failed").update(state="failed")
    Notice.objects.create(user=people["player"], code="season_started", parameters={"season": "x"}, url="/")
    Match.objects.filter(pk=world.finished.pk).update(share_key="k" * 43)
    draft = draft_of(kept, people["player"])
    outside = outside_of(season)
    token = make_token(user=people["player"], name="A program of the player", scopes=["read"]).token
    browser = PushSubscription.objects.create(user=people["player"], endpoint="https://push.example.org/send/secret")
    question = ComingQuestion.objects.create(season=world.seasons["running"], at=now() + timedelta(days=9))
    coming_token = token_of(question, world.stable("running"))
    waiting = WaitingPlace.objects.create(season=world.seasons["recruiting"], user=people["spectator"])
    passing = Passing.objects.create(
        stable=stable, code_hash=sha256(b"a-link").hexdigest(), reason="agreed", expires_at=now() + timedelta(days=14)
    )
    event, key = melee_of(people["organiser"])
    return {
        "event_slug": event.slug,
        "table": "Factory",
        "pilot": "Ross",
        "secret": key.secret,
        "share_key": "k" * 43,
        "waiting_id": waiting.pk,
        "coming_token": coming_token,
        "passing_id": passing.pk,
        "link_code": "a-link",
        "season_slug": season.slug,
        "stable_slug": stable.slug,
        "fixture_id": world.fixtures["table"].pk,
        "hand_over_id": given.hand_over_id,
        "seat_id": seat.seat_id,
        "stand_in_id": 0,
        "job_id": Job.objects.get(unique_key="a job that failed").pk,
        "identity_id": stable.identity_id,
        "other_id": world.stable("table", "rival").identity_id,
        "code": invite(season_id=world.seasons["recruiting"].pk).code,
        "public_id": world.friendly.public_id,
        "draft": draft.public_id,
        "webhook": outside.webhook.public_id,
        "delivery": outside.public_id,
        "token_id": token.pk,
        "browser_id": browser.pk,
        "number": write_up.pk,
        "asset_id": stable.assets.filter(kind="unit").order_by("pk").values_list("pk", flat=True)[0],
        "unit": "none",
        "subject": write_up.subject,
        "slug": kept.slug,
        "key": "SOL002",
        "name": "reputation",
        "token": "none",
        "uidb64": "none",
        "group": "",
        "app_label": "stables",
        "object_id": season.pk,
        "content_type_id": 1,
        "url": "none",
    }
