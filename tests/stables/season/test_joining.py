"""Ways into a season: invitations and roles; and what owners decide for their stables."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people.models import Notice
from rules.campaign.season.calendar import Calendar
from stables.models import Invitation, Season, SeasonRole, Stable
from stables.services.season import invitations
from tests.stables.season.test_organising import address, client_of, league, people, post, run

__all__ = ["league", "people"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]


# Invitations ----------------------------------------------------------------------------------------------------------


def invited(season: Season, **values: Any) -> str:
    return invitations.invite(season_id=season.pk, **values).code


def test_a_season_by_invitation_is_joined_by_link_or_code(league: Season, people: dict[str, Any]) -> None:
    spectator = client_of(people["spectator"])
    refused = post(league, people["spectator"], "found_stable", name="Uninvited")
    assert (refused.status_code, refused.context["code"]) == (409, "invitation_needed")
    made = post(league, people["organiser"], "invite")
    code = Invitation.objects.get().code
    assert (made.status_code, len(code) >= 16) == (302, True)
    link = reverse("stables:join", args=[code])
    assert spectator.get(reverse("stables:enter_code"), {"code": f" {code} "})["Location"] == link
    for client in (Client(), spectator):
        page = client.get(link)
        assert page.status_code == 200
        assert "Test season" in page.content.decode()
    answer = spectator.post(link, {"name": "Invited Works"})
    stable = Stable.objects.get(name="Invited Works")
    assert (answer.status_code, answer["Location"]) == (302, stable.get_absolute_url())
    assert (stable.owner, stable.invitation.code) == (people["spectator"], code)
    assert Client().post(link, {"name": "X"}).status_code == 302
    assert spectator.put(link).status_code == 405


def test_organisers_need_no_invitation(league: Season, people: dict[str, Any]) -> None:
    for name in ("organiser", "helper"):
        assert post(league, people[name], "found_stable", name=f"Works of {name}").status_code == 302


def test_an_invitation_is_revoked_and_used_up(league: Season, people: dict[str, Any]) -> None:
    once = invited(league, most_uses=1)
    player = client_of(people["spectator"])
    assert player.post(reverse("stables:join", args=[once]), {"name": "First"}).status_code == 302
    other = client_of(people["referee"])
    answer = other.post(reverse("stables:join", args=[once]), {"name": "Second"})
    assert (answer.status_code, answer.context["code"]) == (409, "invitation_used_up")
    console = client_of(people["organiser"]).get(f"{league.get_absolute_url()}organise/").content.decode()
    assert re.search(r"used 1 of 1 time\s*<", console)
    code = invited(league)
    known = Invitation.objects.get(code=code)
    assert post(league, people["helper"], "revoke_invitation", invitation=known.pk).status_code == 302
    assert post(league, people["helper"], "revoke_invitation", invitation=known.pk).status_code == 302
    answer = other.get(reverse("stables:join", args=[code]))
    assert (answer.status_code, answer.context["code"]) == (409, "invitation_revoked")
    assert post(league, people["helper"], "revoke_invitation", invitation=99999).context["code"] == "unknown_invitation"
    assert post(league, people["helper"], "invite", most_uses="0").context["code"] == "bad_field"
    assert post(league, people["helper"], "invite", most_uses="-1").context["code"] == "not_a_number"
    assert not Stable.objects.filter(name="Second").exists()


def test_codes_that_do_not_exist_are_refused_and_counted(
    league: Season, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from people.services.accounts import Limit

    monkeypatch.setattr(invitations, "LOOKS_OF_A_PLACE", Limit("invitation", 3))
    code = invited(league)
    client = client_of(people["spectator"])
    for _ in range(3):
        answer = client.get(reverse("stables:join", args=["wrong"]))
        assert (answer.status_code, answer.context["code"]) == (400, "unknown_invitation")
    # Even the right one waits now: else guessing would cost nothing.
    answer = client.post(reverse("stables:join", args=[code]), {"name": "X"})
    assert (answer.status_code, answer.context["code"]) == (429, "too_often")
    answer = client.get(reverse("stables:enter_code"), {"code": "a/b"})
    assert (answer.status_code, answer.context["code"]) == (400, "unknown_invitation")


# Roles ----------------------------------------------------------------------------------------------------------------


def test_roles_are_given_by_the_name_of_an_account_and_taken_back(league: Season, people: dict[str, Any]) -> None:
    answer = post(league, people["organiser"], "give_role", name="SPECTATOR", role="co_organiser")
    assert answer.status_code == 302
    assert client_of(people["spectator"]).get(address(league, "console")).status_code == 200
    assert Notice.objects.get(user=people["spectator"]).code == "role_given"
    for fields, code in (
        ({"name": "spectator", "role": "referee"}, "role_taken"),
        ({"name": "organiser", "role": "referee"}, "role_taken"),
        ({"name": "nobody", "role": "referee"}, "unknown_person"),
        ({"name": "player", "role": "king"}, "bad_field"),
    ):
        assert post(league, people["organiser"], "give_role", **fields).context["code"] == code
    role = SeasonRole.objects.get(user=people["spectator"])
    assert post(league, people["organiser"], "take_role", role=role.pk).status_code == 302
    assert client_of(people["spectator"]).get(address(league, "console")).status_code == 403
    assert post(league, people["organiser"], "take_role", role=role.pk).context["code"] == "bad_field"


def test_offices_are_not_given_and_taken_without_end(league: Season, people: dict[str, Any]) -> None:
    """An office is a notice to somebody who did not ask for it, with a name that the organiser chose."""

    def given() -> int:
        answer = post(league, people["organiser"], "give_role", name="spectator", role="referee")
        for role in SeasonRole.objects.filter(user=people["spectator"]):
            post(league, people["organiser"], "take_role", role=role.pk)
        return int(answer.status_code)

    assert [given() for _ in range(5)] == [302] * 3 + [429] * 2
    assert Notice.objects.filter(user=people["spectator"]).count() == 2 * 3
    assert post(league, people["organiser"], "give_role", name="player", role="referee").status_code == 302


# What owners decide ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "fields"),
    [("say_ready", {"without_crew": "yes"}), ("skip_cycle", {"cycle": 2}), ("withdraw", {"sure": "yes"})],
)
def test_only_its_owner_decides_for_a_stable(
    league: Season, people: dict[str, Any], name: str, fields: dict[str, Any]
) -> None:
    own = Stable.objects.get(name="Own Works")
    where = reverse(f"stables:{name}", args=[league.slug, own.slug])
    assert Client().post(where, fields).status_code == 302
    assert client_of(people["organiser"]).post(where, fields).status_code == 403
    assert client_of(people["player"]).get(where).status_code == 405
    own.refresh_from_db()
    assert (own.ready_for, own.left_in_cycle, own.skipped.count()) == ("", None, 0)
    assert client_of(people["player"]).post(where, fields).status_code == 302
    own.refresh_from_db()
    assert (own.ready_for != "") + (own.left_in_cycle == 1) + own.skipped.filter(cycle_number=2).count() == 1


def test_leaving_and_skipping_by_mistake_is_refused(league: Season, people: dict[str, Any]) -> None:
    own = Stable.objects.get(name="Own Works")
    client = client_of(people["player"])
    leave, skip = (reverse(f"stables:{name}", args=[league.slug, own.slug]) for name in ("withdraw", "skip_cycle"))
    assert client.post(leave, {}).context["code"] == "not_sure_to_leave"
    assert client.post(skip, {"cycle": 9}).context["code"] == "unknown_cycle"
    assert client.post(skip, {"cycle": "x"}).context["code"] == "not_a_number"
    own.refresh_from_db()
    assert own.left_in_cycle is None


def test_the_season_page_tells_what_waits_for_its_reader(league: Season, people: dict[str, Any]) -> None:
    Season.objects.filter(pk=league.pk).update(calendar=Calendar.of_preset("weekly", time_zone="Asia/Tokyo").to_json())
    run(league, cycle=2)
    people["player"].time_zone = "America/New_York"
    people["player"].save()
    closes = league.cycles.get(number=2).market_closes_at
    shown = client_of(people["player"]).get(league.get_absolute_url()).content.decode()
    assert "The market is open: buy, repair, then say that you are ready." in shown
    # Each reader has his own time zone; the calendar's only sets the moment.
    assert timezone.localtime(closes, Calendar(time_zone="America/New_York").zone).strftime("%H:%M") in shown
    assert "What waits for you" not in client_of(people["spectator"]).get(league.get_absolute_url()).content.decode()
