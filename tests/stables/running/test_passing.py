"""A stable passes to another account, by name or by a link: with all that it has, at once, and once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from jobs.services import run_pending
from matches.models import MatchSeat, StandingAnswers
from people.models import Notice
from people.services.accounts import Limit, TooOften
from people.services.tokens import end_tokens
from stables.models import (
    Basket,
    ExternalSeat,
    HandOver,
    LineUp,
    LogEntry,
    Passing,
    SavedLineUp,
    Season,
    SeasonRole,
    Stable,
)
from stables.selectors.access import may_see
from stables.services.fixtures import hand_overs
from stables.services.running import passing, roles
from stables.services.season import calendar_feeds
from tests.stables.duels import Club, sides_of
from tests.stables.running.test_hand_on_stables import code_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def pass_to(club: Club, name: str = "spectator", of: str = "ben", by: str = "organiser") -> passing.Passed:
    return passing.pass_to(stable_id=club.stable_id(of), name=name, reason="has left", user=club.people[by])


def link(club: Club, of: str = "ben", now: datetime | None = None) -> str:
    organiser = club.people["organiser"]
    return passing.make_link(stable_id=club.stable_id(of), reason="agreed", user=organiser, now=now).code


def take(club: Club, code: str, name: str = "spectator", now: datetime | None = None) -> passing.Passed:
    return passing.take_over(passing_id=passing.find(code, now).pk, user=club.people[name], now=now)


def of(club: Club, name: str = "ben") -> Stable:
    return Stable.objects.select_related("owner", "identity").get(pk=club.stable_id(name))


# By name --------------------------------------------------------------------------------------------------------------


def test_a_stable_passes_by_name_and_both_get_a_notice(club: Club) -> None:
    assert pass_to(club, "SPECTATOR").owner == "spectator"
    assert of(club).owner == club.people["spectator"]
    assert set(Notice.objects.values_list("user__username", "code")) == {
        ("ben", "stable_passed"), ("spectator", "stable_yours"),
    }  # fmt: skip
    line = LogEntry.objects.get(code="stable_passed")
    assert line.parameters == {
        "stable": "Stable of ben", "person": club.people["spectator"].pk, "reason": "has left",
    }  # fmt: skip
    kept = Passing.objects.get()
    assert (kept.old_owner, kept.new_owner, kept.code_hash) == (club.people["ben"], club.people["spectator"], None)


def test_what_the_stable_has_and_has_planned_goes_with_it(club: Club) -> None:
    fixture = club.fixture("anna", "ben")
    club.hand_in(fixture, "ben")
    saved = SavedLineUp.objects.create(stable=of(club), format="standard", match_class="light", document={})
    basket = Basket.objects.create(stable=of(club), cycle=club.season.cycles.get(), lines=[])
    looks = {"colour": "#123456", "second_colour": "#654321"}
    type(of(club).identity).objects.filter(pk=of(club).identity_id).update(**looks)
    pass_to(club)
    stable = of(club)
    assert saved in stable.saved_line_ups.all()
    assert basket in stable.baskets.all()
    assert LineUp.objects.filter(side__stable=stable).exists()
    assert (stable.identity.owner, stable.identity.colour) == (club.people["spectator"], "#123456")
    assert club.people["ben"].stable_identities.count() == 1


def test_what_belongs_to_the_old_owner_alone_ends(club: Club) -> None:
    now = timezone.now()
    hand_overs.hand_over(stable_id=club.stable_id("ben"), starts_at=now, ends_at=now + timedelta(days=3))
    ExternalSeat.objects.create(stable=of(club), user=club.people["carla"], agreed_at=now)
    other = link(club)
    pass_to(club)
    assert not HandOver.objects.filter(ended_at=None).exists()
    assert not ExternalSeat.objects.filter(ended_at=None).exists()
    assert code_of(passing.find, code=other) == "link_revoked"


def test_the_old_owner_loses_their_seat_in_a_running_match_at_once(club: Club) -> None:
    fixture = club.fixture("anna", "ben")
    club.hand_in(fixture, "anna", "ben")
    run_pending()
    assert [user for _, user, _ in sides_of(fixture)] == [club.people["anna"].pk, club.people["ben"].pk]
    for seat in MatchSeat.objects.filter(match=fixture.match):
        StandingAnswers.objects.create(seat=seat, unit=f"{seat.side}-1", answers={"spin": "keep"})
    pass_to(club)
    assert [user for _, user, _ in sides_of(fixture)] == [club.people["anna"].pk, club.people["spectator"].pk]
    # What the stable has planned for its match goes with it.
    assert StandingAnswers.objects.count() == 2


def test_a_stable_of_the_ai_gets_an_owner(club: Club) -> None:
    pass_to(club, of="machines")
    stable = of(club, "machines")
    assert (stable.is_ai, stable.owner) == (False, club.people["spectator"])


def test_one_account_has_one_stable_in_a_season(club: Club) -> None:
    assert code_of(pass_to, club=club, name="anna") == "taker_has_stable"
    assert code_of(pass_to, club=club, name="ben") == "taker_has_stable"
    assert code_of(take, club=club, code=link(club), name="anna") == "already_owner_here"
    ExternalSeat.objects.create(stable=of(club, "carla"), user=club.people["spectator"])
    assert code_of(pass_to, club=club) == "program_has_stable"
    assert code_of(pass_to, club=club, name="nobody") == "unknown_person"
    assert of(club).owner == club.people["ben"]


def test_a_playing_organiser_passes_no_rival_on(club: Club) -> None:
    SeasonRole.objects.create(season=club.season, user=club.people["anna"], role="co_organiser")
    assert code_of(pass_to, club=club, by="anna") == "organiser_takes_part"


def test_an_organiser_takes_a_stable_themself_only_when_no_other_could_pass_it(club: Club) -> None:
    helper = SeasonRole.objects.create(season=club.season, user=club.people["carla"], role="co_organiser")
    # Carla plays, so nobody but the organiser is left.
    assert pass_to(club, "organiser").owner == "organiser"
    SeasonRole.objects.filter(pk=helper.pk).update(user=club.people["spectator"])
    Stable.objects.filter(pk=club.stable_id("ben")).update(owner=club.people["ben"])
    assert code_of(pass_to, club=club, name="organiser") == "organiser_takes_part"
    assert code_of(take, club=club, code=link(club), name="organiser") == "organiser_takes_part"
    assert of(club).owner == club.people["ben"]


def test_passing_by_name_is_limited(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passing, "STABLES_TO_A_PERSON", Limit("stable_passed_to", 1))
    pass_to(club)
    Stable.objects.filter(pk=club.stable_id("ben")).update(owner=club.people["ben"])
    with pytest.raises(TooOften):
        pass_to(club)


def test_the_old_owner_does_not_see_a_private_season_any_more(club: Club) -> None:
    Season.objects.filter(pk=club.season.pk).update(visibility="private")
    pass_to(club)
    season = Season.objects.get(pk=club.season.pk)
    assert (may_see(club.people["ben"], season), may_see(club.people["spectator"], season)) == (False, True)
    assert Notice.objects.get(code="stable_passed").url == ""


# By a link ------------------------------------------------------------------------------------------------------------


def test_a_link_passes_a_stable_once(club: Club) -> None:
    code = link(club)
    assert take(club, code).owner == "spectator"
    assert code_of(take, club=club, code=code, name="organiser") == "link_used"
    assert of(club).owner == club.people["spectator"]
    lines = LogEntry.objects.exclude(code="stable_founded").order_by("id")
    assert [each.code for each in lines] == ["stable_offered", "stable_passed"]


def test_only_the_hash_of_a_link_is_stored(club: Club) -> None:
    code = link(club)
    stored = repr([list(model.objects.values()) for model in (Passing, LogEntry, Notice)])
    assert code not in stored
    assert len(Passing.objects.get().code_hash or "") == 64


def test_a_link_expires_after_fourteen_days(club: Club) -> None:
    code = link(club, now=NOW)
    assert code_of(take, club=club, code=code, now=NOW + timedelta(days=14)) == "link_expired"
    assert of(club).owner == club.people["ben"]
    assert take(club, code, now=NOW + timedelta(days=14, seconds=-1)).owner == "spectator"


def test_a_link_is_revoked(club: Club) -> None:
    code = link(club)
    told = Notice.objects.filter(user=club.people["ben"])
    assert [each.code for each in told] == ["stable_offered"]
    known = {"season_id": club.season.pk, "user": club.people["organiser"]}
    for _ in range(2):
        passing.revoke_link(passing_id=Passing.objects.get().pk, **known)
    assert LogEntry.objects.filter(code="stable_offer_revoked").count() == 1
    assert [each.code for each in told.all()] == ["stable_offer_revoked"]
    assert code_of(take, club=club, code=code) == "link_revoked"
    assert code_of(passing.revoke_link, passing_id=9999, **known) == "unknown_passing"
    assert code_of(take, club=club, code="guessed") == "unknown_passing"


def test_a_link_to_a_stable_that_left_or_a_season_that_is_over_passes_nothing(club: Club) -> None:
    code = link(club)
    Season.objects.filter(pk=club.season.pk).update(state="finished")
    assert code_of(take, club=club, code=code) == "season_not_running"
    Season.objects.filter(pk=club.season.pk).update(state="running")
    Stable.objects.filter(pk=club.stable_id("ben")).update(left_in_cycle=1)
    assert code_of(take, club=club, code=code) == "stable_has_left"


def test_a_stable_has_few_open_links(club: Club) -> None:
    for _ in range(passing.MOST_LINKS):
        link(club)
    assert code_of(link, club=club) == "too_many_links"


def test_links_and_calendars_end_with_the_tokens_of_their_maker(club: Club) -> None:
    """A new password by mail ends all of them, and a changed one if its person wants that."""
    SeasonRole.objects.create(season=club.season, user=club.people["spectator"], role=SeasonRole.Role.CO_ORGANISER)
    helper, organiser = club.people["spectator"], club.people["organiser"]
    code, used = link(club), link(club, of="anna")
    newcomer = get_user_model().objects.create_user("newcomer")
    passing.take_over(passing_id=passing.find(used).pk, user=newcomer)
    others = passing.make_link(stable_id=club.stable_id("carla"), reason="agreed", user=helper).code
    key = calendar_feeds.make_feed(user=organiser, season=club.season)[0].key
    assert end_tokens(organiser) == ["1 address of a calendar ended.", "1 link to a stable ended."]
    assert LogEntry.objects.filter(code="stable_offer_revoked").get().actor == organiser
    assert [code_of(passing.find, code=each) for each in (code, used)] == ["link_revoked", "link_used"]
    assert calendar_feeds.open_feed(club.season.slug, key) is None
    assert passing.find(others)


def test_the_links_of_a_co_organiser_end_with_the_office(club: Club) -> None:
    helper = club.people["spectator"]
    office = SeasonRole.objects.create(season=club.season, user=helper, role=SeasonRole.Role.CO_ORGANISER)
    code = passing.make_link(stable_id=club.stable_id("ben"), reason="agreed", user=helper).code
    others = link(club)
    roles.take_role(season_id=club.season.pk, role_id=office.pk, actor=club.people["organiser"])
    assert code_of(passing.find, code=code) == "link_revoked"
    assert passing.find(others)
    line = LogEntry.objects.filter(code="stable_offer_revoked").get()
    assert (line.parameters, line.actor) == ({"stable": of(club).name}, club.people["organiser"])
    assert Notice.objects.filter(user=club.people["ben"], code="stable_offer_revoked").count() == 1


def test_the_log_is_silent_about_links_that_are_over_or_were_no_news(club: Club) -> None:
    organiser = club.people["organiser"]
    link(club, now=NOW - timedelta(days=15))
    taken = link(club, of="anna", now=NOW)
    passing.take_over(passing_id=passing.find(taken, NOW).pk, user=club.people["spectator"], now=NOW)
    assert passing.revoke_links_of(organiser, NOW) == 0
    assert not LogEntry.objects.filter(code="stable_offer_revoked").exists()
    assert not Passing.objects.filter(passed_at=None, revoked_at=None).exists()
