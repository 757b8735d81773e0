"""Roles in a season: co-organisers may do all that its organiser may, referees decide disputed results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from people.selectors import account_named
from people.services.accounts import Limit, count_attempt, notify
from rules.campaign.results.agreeing import may_decide
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Season, SeasonRole
from stables.selectors.access import may_see
from stables.selectors.reports import reported_in
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.news import place_of
from stables.services.running.passing import revoke_links_of
from stables.services.season.webhooks import turn_off_those_of

OFFICES_OF_A_PERSON = Limit("office", 20)
"""How many offices one organiser may give in an hour: every one is a notice to somebody who did not ask for it."""
OFFICES_TO_A_PERSON = Limit("office_to", 3)
"""How many offices one organiser may give to the same person in an hour."""


@dataclass(frozen=True)
class GivenRole:
    """A role that a person has in a season."""

    role_id: int
    name: str
    role: str


@transaction.atomic
def give_role(*, season_id: int, name: str, role: str, actor: Any = None) -> GivenRole:
    """Give a person a role, by their account's name in upper or lower case.

    They get a notice of each disputed result that they may decide. Raises Malformed (unknown_person, bad_field),
    SeasonRefused (role_taken) or TooOften (too_often).
    """
    season = lock_season(season_id)
    if role not in SeasonRole.Role.values:
        raise Malformed("bad_field", field="role", value=role)
    person = account_named(name)
    if person is None:
        raise Malformed("unknown_person", name=name.strip())
    if season.organiser_id == person.pk or SeasonRole.objects.filter(season=season, user=person).exists():
        raise SeasonRefused("role_taken", name=person.get_username())
    if actor is not None:
        count_attempt(OFFICES_OF_A_PERSON, str(actor.pk))
        count_attempt(OFFICES_TO_A_PERSON, f"{actor.pk} {person.pk}")
    given = SeasonRole.objects.create(season=season, user=person, role=role)
    _tell(season, given, "role_given", actor)
    for reported_match in reported_in([season.pk]).values():
        if reported_match.differs and may_decide(role, reported_match.is_of(person.pk)):
            fixture = reported_match.fixture
            facts = {"season": season.name, **place_of(fixture, reported_match.sides)}
            notify([person], "ruling_wanted", facts, fixture.get_absolute_url())
    return GivenRole(given.pk, person.get_username(), role)


@transaction.atomic
def take_role(*, season_id: int, role_id: int, actor: Any = None) -> None:
    """Take a role back, log it and notify the person.

    Webhooks that a co-organiser made are turned off, and links to others' stables that nobody has used are taken back.

    Raises Malformed (bad_field) for an unknown id.
    """
    season = lock_season(season_id)
    known = SeasonRole.objects.select_related("user").filter(season=season, pk=role_id).first()
    if known is None:
        raise Malformed("bad_field", field="role", value=role_id)
    known.delete()
    if known.role == SeasonRole.Role.CO_ORGANISER:
        turn_off_those_of(season, known.user)
        revoke_links_of(known.user, office_in=season, actor=actor)
    _tell(season, known, "role_taken_back", actor)


def _tell(season: Season, role: SeasonRole, code: str, actor: Any) -> None:
    """Log the change and notify the person, with a link if they may see the season."""
    address = season.get_absolute_url() if may_see(role.user, season) else ""
    parameters = {"role": role.role, "season": season.name}
    record(season, f"{code}_{role.role}", {"person": role.user_id}, actor=actor)
    notify([role.user], code, parameters, address)
