"""What happens to seasons and stables when a person deletes their account, or shuts out who knew their password."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, F, OuterRef, Prefetch, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from catalogue.services import collections
from people.models import User
from people.services import guests
from people.services.leaving import Obstacle, Room, register
from people.services.tokens import also_end
from rules.campaign.states import OPEN, OVER
from stables.models import (
    Coming,
    ComingQuestion,
    ExternalSeat,
    SavedLineUp,
    Season,
    SeasonRole,
    Stable,
    StableIdentity,
    StandIn,
    SuddenDeath,
    WaitingPlace,
    Webhook,
)
from stables.services.base.locks import lock_season
from stables.services.fixtures import programs
from stables.services.running import roles, standing_in, waiting_list
from stables.services.running.participation import withdraw
from stables.services.running.passing import revoke_links_of
from stables.services.season import calendar_feeds


def _organised(user: User) -> QuerySet[Season]:
    return Season.objects.filter(organiser=user).defer("secret").order_by("pk")


def _own_stables(user: User) -> QuerySet[Stable]:
    """Return the person's stables that still take part in an unfinished season, each with its season."""
    stables = Stable.objects.filter(owner=user, left_in_cycle=None, season__state__in=OPEN)
    return stables.select_related("season").defer("season__secret").order_by("pk")


def _helpers() -> QuerySet[SeasonRole]:
    """Return the co-organisers who could take over a season, in the order of their appointment."""
    helps = SeasonRole.objects.filter(role=SeasonRole.Role.CO_ORGANISER, user__is_active=True)
    return helps.select_related("user").order_by("pk")


def _led(user: User) -> list[tuple[Season, SeasonRole | None]]:
    """Return the unfinished seasons that the person organises, each with the co-organiser who takes it over, or None.

    Two queries.
    """
    seasons = _organised(user).exclude(state__in=OVER).prefetch_related(Prefetch("roles", queryset=_helpers()))
    return [(season, next(iter(season.roles.all()), None)) for season in seasons]


def obstacles(user: User) -> list[Obstacle]:
    """Return what stops the exit: unfinished seasons that the person organises alone, and their open sudden deaths."""
    found = [
        Obstacle("only_organiser", {"season": season.name}, reverse("stables:console", args=[season.slug]))
        for season, heir in _led(user)
        if heir is None
    ]
    deciding = SuddenDeath.objects.filter(
        decided_at=None, season__stables__owner=user, season__stables__removed_at=None
    ).select_related("season")
    own = F("season__stables__number"), F("season__stables__name")
    for each in deciding.annotate(own_number=own[0], own_name=own[1]).defer("season__secret").order_by("pk"):
        if each.own_number in {contender["stable"] for contender in each.contenders}:
            names = {"season": each.season.name, "stable": each.own_name}
            found.append(Obstacle("title_waits_for_you", names, each.season.get_absolute_url()))
    return found


def consequences(user: User) -> list[str]:
    """Return sentences, in the reader's language, on what happens to offices, stables, seats and collections."""
    lines = []
    for season, heir in _led(user):
        if heir is not None:
            names = {"season": season.name, "name": heir.user.get_username()}
            lines.append(gettext("%(name)s organises %(season)s from then on.") % names)
    for stable in _own_stables(user):
        names = {"stable": stable.name, "season": stable.season.name}
        sentence = gettext(
            "%(stable)s leaves %(season)s for good: its open matches are forfeited, and what it did stays in the books."
        )
        lines.append(sentence % names)
    for seat in _seats(user):
        names = {"stable": seat.stable.name, "season": seat.stable.season.name}
        lines.append(gettext("This account plays no more for %(stable)s in %(season)s.") % names)
    if StableIdentity.objects.filter(owner=user).exists():
        lines.append(gettext("Your stables keep their names, colours and honours; nobody can carry them on."))
    if user.collections.exists():
        lines.append(gettext("Nobody can use the collections that only you could use; those of others’ seasons stay."))
    return lines


def _seats(user: User) -> QuerySet[ExternalSeat]:
    return ExternalSeat.objects.filter(user=user, ended_at=None).select_related("stable__season").order_by("pk")


def leave(user: User, delete_texts: bool) -> None:
    """Withdraw the person's stables, end their seats and roles, and hand their seasons on to co-organisers.

    It also takes them off waiting lists, deletes their calendar feeds, saved line-ups, answers who comes, their shelf
    and the collections that only they could use, and takes their name off webhooks and questions who comes.
    `delete_texts` changes nothing here. Call it in a transaction. Raises SeasonRefused (cycle_is_closing) while a cycle
    with a stable of theirs is closing.
    """
    for stable in _own_stables(user):
        withdraw(stable_id=stable.pk, actor=user)
    for seat in _seats(user):
        programs.end(seat_id=seat.pk, stable_id=seat.stable_id)
    for season in _organised(user):
        _hand_on(season.pk)
    for role in SeasonRole.objects.filter(user=user).order_by("pk"):
        roles.take_role(season_id=role.season_id, role_id=role.pk)
    for place in WaitingPlace.objects.filter(user=user).order_by("pk"):
        waiting_list.leave(season_id=place.season_id, user=user)
    standing_in.step_down(user)
    end_secrets(user, timezone.now())
    SavedLineUp.objects.filter(stable__owner=user).delete()
    Coming.objects.filter(stable__owner=user).delete()
    ComingQuestion.objects.filter(asked_by=user).update(asked_by=None)
    # Webhooks belong to the season; they no longer name the person who made them.
    Webhook.objects.filter(made_by=user).update(made_by=None)
    collections.forget(user)


def _hand_on(season_id: int) -> None:
    """Make the co-organiser who was appointed first the organiser.

    A season without a co-organiser is finished or cancelled, and stays with the person who left.
    """
    season = lock_season(season_id)
    heir = _helpers().filter(season=season).first()
    if heir is not None:
        season.organiser = heir.user
        season.save(update_fields=["organiser"])
        heir.delete()


def end_secrets(user: User, now: datetime) -> list[str]:
    """End what opens something of seasons without the password: a thief of the password may have made it.

    Return sentences, in the reader's language, on what ended.
    """
    # Links first, as they lock seasons, and seasons are locked before all that is in them.
    links = revoke_links_of(user, now, actor=user)
    feeds = calendar_feeds.revoke_feeds(user)
    said = []
    if feeds:
        text = ngettext("%(count)d address of a calendar ended.", "%(count)d addresses of calendars ended.", feeds)
        said.append(text % {"count": feeds})
    if links:
        text = ngettext("%(count)d link to a stable ended.", "%(count)d links to stables ended.", links)
        said.append(text % {"count": links})
    return said


register(Room("seasons", obstacles, consequences, leave))
# A guest of a season is its guest alone: their stable goes to an account by a link for that.
guests.register(guests.Bond("stables", lambda: Exists(Stable.objects.filter(owner=OuterRef("pk")))))
guests.register(guests.Bond("stand-ins", lambda: Exists(StandIn.objects.filter(user=OuterRef("pk")))))
also_end(end_secrets)
