"""Who comes: a signed link asks, its page's buttons answer, and nobody answers for a stable that is not theirs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people.models import Notice
from people.services.accounts import TooOften
from rules.campaign.season.hand import LINK_LASTS
from stables.models import Coming, ComingQuestion, LogEntry, Stable
from stables.selectors.coming import STAYS, who_comes
from stables.services.running import coming
from tests.stables.duels import Club
from tests.stables.running.test_hand_on_stables import code_of
from tests.stables.shown_again import says
from web.bounds import MOST_MESSAGES

pytestmark = [pytest.mark.django_db, pytest.mark.database]
EVENING = timezone.now() + timedelta(days=2)


def ask(club: Club, **values: Any) -> coming.SentQuestion:
    values = {"at": EVENING, **values}
    return coming.ask(season_id=club.season.pk, user=club.people["organiser"], **values)


def link(name: str) -> str:
    return Notice.objects.filter(code="who_comes", user__username=name).latest("pk").url


def token(name: str) -> str:
    return link(name).split("/")[2]


def test_each_owner_gets_a_link_and_one_tap_answers_without_a_log_in(club: Club) -> None:
    assert ask(club).people == 3
    assert {each.user.username for each in Notice.objects.all()} == {"anna", "ben", "carla"}
    stranger, address = club.client(None), link("anna")
    shown = stranger.get(address)
    assert (shown.status_code, shown.headers["Referrer-Policy"]) == (200, "same-origin")
    assert "no-store" in shown.headers["Cache-Control"]
    assert not Coming.objects.exists(), "a program that looks into mails answers nothing"
    assert stranger.post(address, {"coming": "yes"}).url == address
    assert stranger.post(address, {"coming": "yes"}).status_code == 302
    assert stranger.post(link("ben"), {"coming": "no"}).status_code == 302
    answers = {stable.name.removeprefix("Stable of "): said for stable, said in who_comes(club.season).answers}
    assert answers == {"anna": True, "ben": False, "carla": None}
    assert stranger.post(address, {}).status_code == 400
    assert Coming.objects.get(stable=club.stable_id("anna")).is_coming
    stranger.post(address, {"coming": "no"})
    codes = LogEntry.objects.filter(code__startswith="coming").order_by("pk").values_list("code", "actor__username")
    assert list(codes) == [
        ("coming_asked", "organiser"), ("coming_yes", "anna"), ("coming_no", "ben"), ("coming_no", "anna"),
    ]  # fmt: skip


def test_a_browser_may_send_the_form_and_no_other_site_learns_the_link(club: Club) -> None:
    ask(club)
    phone, address = Client(enforce_csrf_checks=True), link("anna")
    shown = phone.get(address)
    # What browsers say of the page that a form is on, by its Referrer-Policy.
    origin = "http://testserver" if shown.headers["Referrer-Policy"] == "same-origin" else "null"
    sent = {"coming": "yes", "csrfmiddlewaretoken": phone.cookies["csrftoken"].value}
    answered = phone.post(address, sent, headers={"Origin": origin})
    assert (answered.status_code, answered.headers["Referrer-Policy"]) == (302, "same-origin")
    assert "no-store" in answered.headers["Cache-Control"]
    assert Coming.objects.get().is_coming
    assert phone.post(address, sent, headers={"Origin": "https://elsewhere.example"}).status_code == 403


def test_forged_old_and_passed_on_links_answer_nothing(club: Club) -> None:
    question = ComingQuestion.objects.get(pk=ask(club).question_id)
    good = token("anna")
    for bad in ("nonsense", good[:-1], signing.dumps([question.pk, 1, 1]), signing.dumps([1], salt=coming.SALT)):
        assert code_of(coming.answer, token=bad, is_coming=True) == "unknown_passing"
        assert club.client(None).get(reverse("stables:who_comes", args=[bad])).status_code == 400
    assert code_of(coming.answer, token=good, is_coming=True, now=EVENING) == "link_expired"
    Stable.objects.filter(pk=club.stable_id("anna")).update(owner=club.people["spectator"])
    assert code_of(coming.answer, token=good, is_coming=True) == "unknown_passing"
    assert not Coming.objects.exists()


def test_a_link_ends_after_two_weeks(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(club, at=timezone.now() + timedelta(days=30))
    late = (timezone.now() + LINK_LASTS + timedelta(minutes=1)).timestamp()
    monkeypatch.setattr("django.core.signing.time.time", lambda: late)
    assert code_of(coming.answer, token=token("anna"), is_coming=True) == "link_expired"


def test_questions_and_changes_of_mind_are_bounded(club: Club) -> None:
    assert code_of(ask, club=club, at=timezone.now() - timedelta(hours=1)) == "date_not_ahead"
    for _ in range(MOST_MESSAGES):
        ask(club)
    with pytest.raises(TooOften):
        ask(club)
    for number in range(coming.ANSWERS_OF_A_STABLE.times):
        coming.answer(token=token("anna"), is_coming=bool(number % 2))
    with pytest.raises(TooOften):
        coming.answer(token=token("anna"), is_coming=False)
    Stable.objects.update(owner=None)
    assert code_of(ask, club=club) == "nobody_to_write_to"


def test_the_table_stays_until_a_day_after_the_evening(club: Club) -> None:
    ask(club)
    assert who_comes(club.season, EVENING + STAYS) is not None
    assert who_comes(club.season, EVENING + STAYS + timedelta(seconds=1)) is None


def test_organisers_ask_on_the_page_and_read_the_answers(club: Club) -> None:
    club.fixture("anna", "ben")
    organiser = club.client("organiser")
    address, page = (reverse(f"stables:{name}", args=[club.season.slug]) for name in ("ask_who_comes", "absent"))
    refused = organiser.post(address, {"at": "2001-01-01T19:00"})
    assert (refused.status_code, says(refused, "date_not_ahead")) == (409, True)
    assert "2001-01-01T19:00" in refused.content.decode()
    assert organiser.post(address, {"at": EVENING.strftime("%Y-%m-%dT%H:%M")}).url == page
    coming.answer(token=token("ben"), is_coming=False)
    shown = organiser.get(page).content.decode()
    assert shown.count("cannot come") == 1
    assert shown.count("no answer yet") == 2
    assert shown.count("New date, exchange with a bye, or forfeit") == 2, "Carla has no match"
    assert token("ben") not in shown, "the links are their owners' alone"
    assert club.client("anna").post(address, {"at": "2099-01-01T19:00"}).status_code == 403
