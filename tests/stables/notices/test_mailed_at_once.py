"""What asks for an act, and what is set for a match by somebody else, is mailed at once, with what matters of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from people.models import Notice
from people.services import mails
from people.text import notices
from people.text.notices import notice_sentence
from rules.campaign.season.appointments import GRACE
from rules.wording.filling import placeholders
from stables.services.fixtures import directing, no_shows
from stables.text.notice_topics import ASKS, DATES, SET_FOR_YOU
from stables.text.notices import SENTENCES, SHORTER
from tests.stables.duels import Club
from web.moments import worded_moment

HOUR = timedelta(hours=1)
WHO = "Stable of anna – Stable of ben"

NOT_AT_ONCE = {
    "market_open": "the market is open for days, and a reminder is mailed before it closes",
    "seat_proposed": "a program waits for it as long as the season recruits",
    "webhook_turned_off": "no match waits for it",
    "webhook_gone": "no match waits for it",
    "webhook_maker_gone": "no match waits for it",
}

RIVALS = {"pairing", "match", "sides"}
PLACE = {"format", "arena"}
WITHOUT_A_PLACE = {
    **dict.fromkeys(DATES, "it is about a date or a way to play; the call for line-ups named format and arena"),
    **dict.fromkeys(SET_FOR_YOU, "it says what was set, from what to what, and the rest is as it was"),
    **dict.fromkeys(("ruling_wanted", "no_show_told"), "who decides does not play there"),
}
WITHOUT_A_DEADLINE = {
    "no_show_choice": "the match waits for the choice as long as it takes",
    "report_disputed": "nothing counts by itself while the reports differ",
}


def test_everything_that_asks_for_an_act_is_mailed_at_once_or_has_its_reason() -> None:
    assert {code for code in ASKS if not notices.kind_of(code)} == set(NOT_AT_ONCE)


def test_o_10_2_what_an_organiser_sets_for_a_match_is_mailed_at_once() -> None:
    assert {notices.kind_of(code) for code in SET_FOR_YOU} == {"dates"}


def test_a_mail_at_once_about_a_match_says_against_whom_how_where_and_until_when() -> None:
    named = {
        code: [set(placeholders(sentence)) for sentence in (SENTENCES[code], *SHORTER.get(code, ()))]
        for code in SENTENCES
        if notices.kind_of(code)
    }
    # The first template about a match is the one for today's notices.
    about = {code: next(each for each in all_of if each & RIVALS)
             for code, all_of in named.items() if any(each & RIVALS for each in all_of)}  # fmt: skip
    without = {code for code, names in about.items() if not names >= PLACE}
    assert without == set(WITHOUT_A_PLACE) & set(about)
    # A near match waits for its own date first: `at` is no deadline.
    until = {**ASKS, "match_near": "due"}
    assert {code for code in set(about) - without if until[code] not in about[code]} == set(WITHOUT_A_DEADLINE)
    assert "contenders" in named["sudden_death_called"][0]


@pytest.mark.django_db
@pytest.mark.database
def test_who_did_not_come_and_who_chooses_hear_how_and_where(club: Club) -> None:
    now = timezone.now()
    duel = club.fixture("anna", "ben", scheduled_at=now - HOUR)
    club.hand_in(duel, "anna", "ben")
    for new_date, at in ((now + HOUR, now), (None, now + HOUR + GRACE)):
        no_shows.claim(stable_id=club.stable_id("anna"), fixture_id=duel.pk, new_date=new_date, now=at)
    found = Notice.objects.filter(code__in=("no_show_claimed", "no_show_choice")).order_by("pk")
    told = [(each.user.username, notice_sentence(each.code, each.parameters)) for each in found]
    arena = found[0].parameters["arena"]
    place, missing = f"Format: Standard. Arena: {arena}.", f"Stable of anna says that you did not come to {WHO}."
    assert arena
    assert told == [
        (
            "ben",
            f"Test season, round 1: {missing} The one new date is {worded_moment((now + HOUR).isoformat())}. {place}",
        ),
        ("ben", f"Test season, round 1: {missing} {place}"),
        ("anna", f"Test season, round 1: Stable of ben did not come again to {WHO}. Choose what happens. {place}"),
    ]


@pytest.mark.parametrize(
    ("code", "parameters", "sentence"),
    [
        (
            "no_show_claimed",
            {"season": "Winter", "round": 1, "stable": "Ash", "pairing": "Ash – Birch", "date": "soon"},
            "Winter, round 1: Ash says that you did not come to Ash – Birch. The one new date is soon.",
        ),
        (
            "match_near",
            {"season": "Winter", "match": "Ash – Birch", "at": "soon", "mode": "ai", "format": "team", "arena": "Pit"},
            "Winter: your match Ash – Birch begins soon. How it is played: the AI plays for both. Format: Team. "
            "Arena: Pit.",
        ),
        (
            "report_disputed",
            {"season": "Winter", "round": 1, "pairing": "Ash – Birch", "count": 2},
            "Winter, round 1: the reports of Ash – Birch differ in 2 of what they say. See them side by side.",
        ),
        (
            "sudden_death_called",
            {"season": "Winter", "title": "stable", "at": "soon"},
            "Winter: you are tied for the title “champion stable”. Say by soon that you are there; a sudden death "
            "decides it.",
        ),
    ],
)
def test_notices_from_before_format_and_arena_read_well(code: str, parameters: dict[str, Any], sentence: str) -> None:
    assert notice_sentence(code, parameters) == sentence


@pytest.mark.django_db
def test_a_date_that_is_set_for_soon_waits_for_no_hour_between_mails(club: Club) -> None:
    now, ben = timezone.now(), club.people["ben"]
    type(ben).objects.filter(pk=ben.pk).update(last_mail_at=now - timedelta(minutes=2))
    duel = club.fixture("anna", "ben")
    for hours, goes in ((30, False), (0.5, True)):
        changes = {"at": now + hours * HOUR}
        directing.direct(fixture_id=duel.pk, changes=changes, user=club.people["organiser"], now=now)
        assert (ben.pk in dict(mails.waiting_now(now))) is goes
    assert not Notice.objects.get(user=ben).asks
