"""The ceremony at the last result, the time in which it is provisional, and the end of the season.

Under the season's lock the ceremony reads the books again, so it never shows champions of results that are corrected
meanwhile: a correction asks for the titles again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from people.services.accounts import notify
from rules.campaign.season.calendar import SOLO
from rules.campaign.season.closing import closes_at, grace
from rules.campaign.states import SEASON
from stables.models import ProvisionalTitle, Season, Title
from stables.selectors.leaders import holder
from stables.selectors.seating import has_person
from stables.services.base import deadlines
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.news import stored
from stables.services.results.corrections import organises
from stables.services.standings.sudden_death_ends import call_off
from stables.services.standings.sudden_death_match import ORDER
from stables.services.standings.titles import Holding, decided

HELD = "season_provisional"
"""The code of the log line of a ceremony. Its parameters name the champions."""


@transaction.atomic
def hold_ceremony(*, season_id: int, now: datetime | None = None) -> None:
    """Show the provisional champions of a season that decides its titles, and notify the people.

    Results may then be corrected until the season closes. After a correction that leaves the champions as they are
    nobody is notified again. A season that waits for nobody closes at once. Any other season, and one in which a sudden
    death must still decide, is left as it is.
    """
    now = now or timezone.now()
    season = lock_season(season_id)
    if not SEASON.may("hold_ceremony", season.state):
        return
    found = {kind: decided(season, kind) for kind in ORDER}
    if any(title.fighters for title in found.values()):
        return
    for row in season.sudden_deaths.filter(decided_at=None):
        call_off(season, row.kind, (), now)
    before = _shown(season)
    made = [_title(season, kind, holding) for kind in ORDER for holding in found[kind].holders]
    is_news = {_name(title) for title in before} != {_name(title) for title in made}
    people = sum(has_person(stable) for stable in season.stables.filter(left_in_cycle=None))
    wait = grace(season.rules.closing_hours, people, is_solo=season.calendar.get("preset") == SOLO)
    season.state = SEASON.next_state("hold_ceremony", season.state)
    if not wait and season.paused_at is None:
        _finish(season, made)
        return
    if before:
        season.provisional_titles.all().delete()
    ProvisionalTitle.objects.bulk_create(made)
    season.closes_at = closes_at(now, wait, season.closes_at, is_news=is_news, paused_at=season.paused_at)
    season.save(update_fields=["state", "closes_at"])
    deadlines.ask_to_close(season)
    if is_news:
        _tell_ceremony(season, made)


def _shown(season: Season) -> list[ProvisionalTitle]:
    return list(season.provisional_titles.select_related("stable", "asset", "match").order_by("id"))


def _name(title: ProvisionalTitle) -> tuple[str, int, int | None]:
    return title.kind, title.stable_id, title.asset_id


def _title(season: Season, kind: str, holding: Holding) -> ProvisionalTitle:
    """Return the row of a champion, unsaved."""
    return ProvisionalTitle(
        season=season,
        kind=kind,
        stable=holding.stable,
        asset=holding.asset,
        reputation=holding.claim.reputation,
        kills=holding.claim.kills,
        decided_by=holding.decided_by,
        match=holding.match,
    )


def _tell_ceremony(season: Season, titles: Iterable[ProvisionalTitle]) -> None:
    for title in titles:
        _tell_title(season, "title_provisional", title)
    facts = {**_names(titles), "at": stored(season.closes_at)}
    record(season, HELD, facts)
    _tell_people(season, HELD, facts)


def _tell_title(season: Season, code: str, title: Title | ProvisionalTitle) -> None:
    values = {"title": title.kind, "holder": holder(title), "how": title.decided_by}
    record(season, code, values)


def _names(titles: Iterable[Title | ProvisionalTitle]) -> dict[str, Any]:
    """Return the names of the holders by the kinds of titles, "–" for a title that nobody holds."""
    held: dict[str, list[str]] = {kind: [] for kind in ORDER}
    for title in titles:
        held[title.kind].append(holder(title))
    return {str(kind): names or "–" for kind, names in held.items()}


def _tell_people(season: Season, code: str, parameters: Mapping[str, Any]) -> None:
    """Notify the owners of the season's stables and the organiser, each once."""
    owners = [stable.owner for stable in season.stables.exclude(owner=None).select_related("owner")]
    people: dict[int, Any] = {person.pk: person for person in (*owners, season.organiser) if person is not None}
    notify(people.values(), code, {"season": season.name, **parameters}, season.get_absolute_url())


# The end -------------------------------------------------------------------------------------------------------------


@transaction.atomic
def close_season(*, season_id: int, user: Any) -> None:
    """Close a season with provisional champions before its time, as an organiser.

    Raises PermissionDenied for anybody except an organiser, and SeasonRefused (season_not_to_close).
    """
    season = lock_season(season_id)
    if not organises(user, season):
        raise PermissionDenied
    SEASON.require("finish", season.state, "season_not_to_close", state=season.state)
    _finish(season, _shown(season), actor=user)


@transaction.atomic
def close_when_due(*, season_id: int, now: datetime | None = None) -> bool:
    """Close a season whose time to correct results is over, and return whether it is closed now.

    Nothing happens before its time, in a paused season, and while a correction lets the titles be decided again.
    """
    season = lock_season(season_id)
    if time_left(season, now) != timedelta():
        return False
    _finish(season, _shown(season))
    return True


def time_left(season: Season, now: datetime | None = None) -> timedelta | None:
    """Return how long results may still be corrected, 0 once that is over; None while no such time runs."""
    if not SEASON.may("finish", season.state) or season.paused_at is not None or season.closes_at is None:
        return None
    return max(season.closes_at - (now or timezone.now()), timedelta())


def _finish(season: Season, shown: Sequence[ProvisionalTitle], actor: Any = None) -> None:
    """Make the provisional champions of a locked season final, and notify the people."""
    written = set(season.titles.values_list("kind", flat=True))
    for title in shown:
        if title.kind not in written:
            Title.objects.create(
                season=season,
                kind=title.kind,
                stable=title.stable,
                asset=title.asset,
                reputation=title.reputation,
                kills=title.kills,
                decided_by=title.decided_by,
                match=title.match,
            )
    was_held = season.closes_at is not None
    if was_held:
        season.provisional_titles.all().delete()
    season.state = SEASON.next_state("finish", season.state)
    season.save(update_fields=["state"])
    ceremony = season.log.filter(code=HELD).order_by("id").first() if was_held else None
    names = _names(shown)
    stands = ceremony is not None and all(ceremony.parameters.get(kind) == held for kind, held in names.items())
    if not stands:
        for title in shown:
            _tell_title(season, "title_held", title)
    record(season, "season_finished", actor=actor)
    if ceremony is None:
        _tell_people(season, "season_finished", names)
    else:
        _tell_people(season, "season_stands" if stands else "season_stands_corrected", names)


def overdue(now: datetime | None = None) -> list[Season]:
    """Return the seasons whose time to correct results is over, at most 100; one query. Paused ones are left out."""
    due = Season.objects.filter(state=Season.State.PROVISIONAL, paused_at=None, closes_at__lte=now or timezone.now())
    return list(due.defer("secret").order_by("closes_at")[:100])
