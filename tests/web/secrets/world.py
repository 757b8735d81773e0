"""A season of four people, at each of the moments at which somebody has something to keep from the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import Permission
from django.test import Client

from jobs.models import Job
from jobs.services import enqueue, run_pending
from people.models import User
from stables.models import Fixture, Stable, StandIn
from stables.services.fixtures.hand_overs import hand_over
from stables.services.fixtures.programs import propose
from stables.services.market import trading
from stables.services.running import standing_in
from stables.services.season import seasons
from stables.services.season.invitations import invite
from tests.traces import NOW, alike
from tests.web.roles import world as roles
from tests.web.roles.world import World
from tests.worlds import Worlds

STAND_IN = "stand-in"
ROLES = (
    "anonymous", "spectator", "rival", "another", "guest", STAND_IN, "organiser", "helper", "referee", "viewer", "staff"
)  # fmt: skip
"""Everybody but the player whose secret it is. In the season `rival` is the player's direct opponent in the first
round, `another` and the organiser have stables, `helper` is co-organiser; `viewer` is staff with every permission to
view, `staff` a superuser. A guest and a stand-in are there for themselves alone (`become`)."""

OWNERS = ("player", "rival", "another", "organiser")
"""Who founds a stable, in turn. The dice of the season's secret pair the first with the third."""


def market(worlds: Worlds) -> World:
    """Make the season while its first market is open; `seasons` of the world names it alone."""
    world: World = worlds.enter("all roles", roles._world)
    world.people |= {"another": _person("another"), "viewer": _viewer()}
    for name in ("another", "viewer"):
        world.clients[name] = Client()
        world.clients[name].force_login(world.people[name])
    release = world.seasons["table"].release
    season = roles._open(release, world.people, "Sealed season", cycles=["standard"])
    for owner in OWNERS:
        made = seasons.found_stable(season_id=season.pk, name=f"{owner.title()} Sealed", owner=world.people[owner])
        roles.buy_crew(Stable.objects.select_related("season").get(pk=made.stable_id))
    stable = season.stables.get(owner=world.people["player"])
    for kind, key in (("unit", "SOL002"), *(("rally_card", f"R-0{number}") for number in ("01", "02", "11", "19"))):
        trading.buy(stable_id=stable.pk, kind=kind, key=key)
    sealed = replace(world, seasons=dict.fromkeys(world.seasons, season), values=_values(world, stable))
    # The last, so that nothing else of this world is drawn otherwise.
    sealed.people |= {"guest": sealed.people["another"], STAND_IN: _person(STAND_IN)}
    sealed.clients |= {"guest": sealed.clients["another"], STAND_IN: Client()}
    sealed.clients[STAND_IN].force_login(sealed.people[STAND_IN])
    return sealed


def line_ups(worlds: Worlds) -> World:
    """Make the season when it calls for the line-ups of its first round; `fixtures` is the player's own."""
    world = at(worlds, "market")
    season = world.seasons["table"]
    seasons.start_season(season_id=season.pk)
    run_pending()
    season.refresh_from_db()
    own = Fixture.objects.get(round__cycle__season=season, sides__stable__owner=world.people["player"])
    assert own.sides.filter(stable__owner=world.people["rival"]).exists(), "change the order of OWNERS"
    world.values["fixture_id"] = own.pk
    return replace(world, fixtures=dict.fromkeys(world.fixtures, own))


def become(world: World, role: str) -> None:
    """Make a guest or a stand-in of a person, now that the secret is kept; other roles are what they are.

    The guest is `another`, with the account of a guest. The stand-in plays the player's match; while there is none they
    are named for the evening, as in the market of a later cycle.
    """
    if role == "guest":
        User.objects.filter(pk=world.people[role].pk).update(is_guest=True)
    elif role == STAND_IN:
        player, stable, fixture = world.people["player"], world.stable("table"), world.fixtures["table"]
        with alike(role):
            if fixture.round.cycle.season_id == stable.season_id:
                row = standing_in.name_person(
                    stable_id=stable.pk, fixture_id=fixture.pk, name=role, reason="agreed", user=player
                )
            else:
                evening = NOW + timedelta(hours=6)
                row = StandIn.objects.create(
                    stable=stable, until=evening, user=world.people[role], reason="agreed", made_by=player
                )
        world.values["stand_in_id"] = row.pk


def _person(name: str) -> User:
    return User.objects.create_user(name, f"{name}@example.org", "secret words")


def _viewer() -> User:
    made = _person("viewer")
    made.is_staff = True
    made.save()
    made.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    return made


def _values(world: World, stable: Stable) -> dict[str, Any]:
    """What stands for the parameters of addresses: something of this season wherever it has one."""
    season, player = stable.season, world.people["player"]
    until = {"starts_at": NOW + timedelta(days=30), "ends_at": NOW + timedelta(days=38)}
    outside = roles.outside_of(season)
    enqueue("stables.follow_hand_over", {"season": season.pk, "hand_over": 0}, unique_key="another job that failed")
    Job.objects.filter(unique_key="another job that failed").update(state="failed")
    return {
        **world.values,
        "season_slug": season.slug,
        "stable_slug": stable.slug,
        "hand_over_id": hand_over(stable_id=stable.pk, now=NOW, **until).hand_over_id,
        "seat_id": propose(stable_id=stable.pk, username="program", actor=player).seat_id,
        "job_id": Job.objects.get(unique_key="another job that failed").pk,
        "identity_id": stable.identity_id,
        "other_id": season.stables.get(owner=world.people["rival"]).identity_id,
        "code": invite(season_id=season.pk).code,
        "webhook": outside.webhook.public_id,
        "delivery": outside.public_id,
        "object_id": season.pk,
    }


def at(worlds: Worlds, stage: str) -> World:
    """Enter the season at a stage, "market" or "line-ups"; it is built once in a run."""

    def build() -> World:
        # By the time of day, as everywhere else.
        worlds.made("all roles", roles._world)
        with alike(stage):
            return STAGES[stage](worlds)

    world: World = worlds.enter(f"a secret of the {stage}", build)
    return world


STAGES: Mapping[str, Callable[[Worlds], World]] = {"market": market, "line-ups": line_ups}
