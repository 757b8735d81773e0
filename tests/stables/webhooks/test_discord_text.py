"""Texts for Discord: moments in each reader's time, names without marks of their own, mentions, and limits."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from rules.wording.isolation import FIRST, LAST
from stables.text import discord
from stables.text.discord import length, mentioned, news, read_moment, turn_of
from stables.text.log import SENTENCES

NOON = int(datetime(2027, 4, 1, 12, tzinfo=UTC).timestamp())


def said(code: str, **parameters: object) -> str:
    return "".join(news(code, parameters))


@pytest.mark.parametrize(
    "written",
    [
        "2027-04-01T12:00:00+00:00",
        "2027-04-01T14:00:00.000000+02:00",
        "2027-04-01 12:00+00:00",
        "2027-04-01 12:00 UTC",
        "2027-04-01T12:00:00Z",
    ],
)
def test_f_23_each_reader_sees_a_moment_in_their_own_time(written: str) -> None:
    assert said("date_agreed", date=written) == f"A date was agreed\\: <t:{NOON}:f>."


def test_a_deadline_also_says_how_long_it_is_from_now() -> None:
    at = "2027-04-01T12:00:00+00:00"
    assert said("deadline_moved", date=at) == f"A deadline was moved to <t:{NOON}:f> (<t:{NOON}:R>)."
    # Not so a moment in another parameter of the same sentence.
    both = said("no_show_claimed", stable=at, absent="Ash", date=at)
    assert both == f"<t:{NOON}:f> says that Ash did not come. One new date\\: <t:{NOON}:f> (<t:{NOON}:R>)."
    # Several moments in one sentence, or in one parameter, keep their places.
    assert said("date_agreed", date=[at, "2027-04-02 12:00 UTC"]).endswith(f"<t:{NOON}:f>, <t:{NOON + 86400}:f>.")
    from_to = said("hand_over_began", stable="Ash", **{"from": at, "to": "2027-04-02 12:00 UTC"})
    assert from_to == f"Ash is handed over to the AI from <t:{NOON}:f> to <t:{NOON + 86400}:f>."
    assert not discord.DEADLINES - set(SENTENCES)


@pytest.mark.parametrize("text", ["–", "2027-04-01", "2027-04-01T12:00:00", "2027-13-01 12:00 UTC", None, 7])
def test_anything_else_is_no_moment(text: object) -> None:
    assert read_moment(text) is None
    assert "<t:" not in said("date_agreed", date=text)


def test_no_name_can_pretend_to_be_a_moment_or_a_mention() -> None:
    for name in ("\ue0000\ue001", "\ue00099\ue001", "<t:0:f>", "<@123456789012345678>"):
        shown = said("no_show_claimed", stable=name, absent="Ash", date="soon")
        assert "<t:" not in shown
        assert "<@" not in shown


def test_a_name_is_isolated_and_its_mention_stands_behind_it() -> None:
    assert "".join(mentioned("*Ash*", "")) == "\\*Ash\\*"
    assert "".join(mentioned("Ash", "123456789012345678")) == "Ash <@123456789012345678>"
    assert "".join(mentioned("\u05d0", "1" * 17)) == f"{FIRST}\u05d0{LAST} <@{'1' * 17}>"
    turn = turn_of([mentioned("Ash", ""), mentioned("Elm", "1" * 17)])
    assert "".join(turn) == f"It is up to Ash, Elm <@{'1' * 17}> now."


def test_a_cut_never_goes_through_a_moment_a_mention_or_an_escaped_mark() -> None:
    pieces = [*discord.pieces_of("*x"), "<t:1:f>", *discord.pieces_of("end")]
    found = {discord.cut(pieces, most) for most in range(1, 20)}
    assert found == {"…", "\\*…", "\\*x…", "\\*x<t:1:f>…", "\\*x<t:1:f>e…", "\\*x<t:1:f>end"}
    assert all(length(discord.cut(pieces, most)) <= most for most in range(1, 20))
