"""Recruiting seasons of people, with accounts that have other parts in them or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model

from catalogue.services.releases import load_release
from stables.models import Season, SeasonRole
from stables.services.season import seasons
from tests.stables.seasons import open_with


@dataclass
class League:
    """A season and the accounts around it, by what they are."""

    season: Season
    people: dict[str, Any]


def people_named(*names: str) -> dict[str, Any]:
    return {name: get_user_model().objects.create_user(name, f"{name}@example.org", "-") for name in names}


def two_owners() -> League:
    """An open market: stables of an owner and a rival, an organiser, a spectator and staff."""
    people = people_named("owner", "rival", "organiser", "spectator")
    people["staff"] = get_user_model().objects.create_superuser("staff", "staff@example.org", "-")
    season = open_with(load_release(), [])
    season.organiser = people["organiser"]
    season.save()
    for name in ("owner", "rival"):
        seasons.found_stable(season_id=season.pk, name=f"Stable of {name}", owner=people[name])
    return League(season, people)


def by_invitation() -> League:
    """A season by invitation with a co-organiser, a referee, a player's stable and one of the AI."""
    people = people_named("organiser", "helper", "referee", "player", "spectator")
    season = open_with(load_release(), ["Machines"], cycles=["standard", "weapons_dead", "grand_melee"])
    season.organiser, season.joining = people["organiser"], "invited"
    season.save()
    SeasonRole.objects.create(season=season, user=people["helper"], role="co_organiser")
    SeasonRole.objects.create(season=season, user=people["referee"], role="referee")
    seasons.found_stable(season_id=season.pk, name="Own Works", owner=people["player"])
    return League(season, people)
