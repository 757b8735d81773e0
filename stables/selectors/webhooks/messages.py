"""What one post to a webhook holds: a document for programs, or a message for Discord.

Programs get one document for each piece of news. Discord takes few messages, so several deliveries share one, and a
round with many matches is divided into as few messages as its limits allow. The words are made when they are sent, so a
message mentions the accounts of Discord that people have entered by then.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth import get_user_model
from django.utils import translation
from django.utils.translation import gettext

from stables.models import Delivery, FixtureSide, Season, Stable, Webhook
from stables.selectors.webhooks.documents import (
    TRY,
    fixture_address,
    generic,
    language_of,
    season_address,
    try_sentence,
)
from stables.text import discord
from stables.text import names as words
from stables.text.discord import Pieces

TURN = 1200
"""The longest sentence that names those who must act, in UTF-16 units."""
OWNERS_CHOICES = frozenset(("no_show_time_ran_out", "no_show_claimed_again"))
"""Codes that ask for what only the owner of a stable may decide, not who stands in for them."""
SIDES_A_LINE = 12
"""The sides of a match that stand in one line; those of a larger melee take further lines."""


@dataclass(frozen=True)
class Message:
    """The body of one post: JSON in ASCII, since UTF-8 takes no lone surrogates.

    `deliveries` are those whose news it holds, in their order. `lines` says how many lines of the first one have
    arrived with this message, and `is_whole` whether these are all.
    """

    body: bytes
    deliveries: tuple[Delivery, ...]
    lines: int = 1
    is_whole: bool = True

    @property
    def public_id(self) -> uuid.UUID:
        """The id by which a receiver knows a repeat: the same for the same news, another for more or other news."""
        first, last = self.deliveries[0], self.deliveries[-1]
        is_document = first.webhook.format != Webhook.Format.DISCORD
        if is_document or (last is first and not first.lines_sent):
            return first.public_id
        return uuid.uuid5(first.public_id, f"{last.public_id} {first.lines_sent}")


@dataclass(frozen=True)
class _People:
    """The people whom a message names: accounts by id, stables with their owners, and who stands in for these.

    `stand_ins` go by the ids of fixture and stable, in the news of a round that was paired by None and the stable.
    """

    accounts: Mapping[int, Any] = field(default_factory=dict)
    stables: Mapping[int, Stable] = field(default_factory=dict)
    stand_ins: Mapping[tuple[int | None, int], Any] = field(default_factory=dict)

    def who_plays(self, stable_id: int, fixture_id: int | None) -> list[str]:
        """Return the Discord ids of the owner of a stable and of the person who stands in for them in a match."""
        known = self.stables.get(stable_id)
        people = [None if known is None else known.owner, self.stand_ins.get((fixture_id, stable_id))]
        return [person.discord_id for person in people if person is not None and person.discord_id]


@dataclass
class _Line:
    """A line of a message, and the Discord ids that it mentions."""

    pieces: Pieces
    people: set[str] = field(default_factory=set)


def message_of(deliveries: Sequence[Delivery]) -> Message:
    """Return the next message for deliveries to one webhook: it holds the first one, a part of it, or several.

    Fetch the first delivery with its webhook, season and organiser. At most three queries.
    """
    first = deliveries[0]
    if first.webhook.format == Webhook.Format.DISCORD:
        with translation.override(language_of(first.webhook.season)):
            return _discord(deliveries, _people_of(deliveries))
    number = first.document["parameters"].get("person")
    person = _accounts_of([first]).get(number)
    return _posted(generic(first, None if person is None else person.get_username()), (first,))


def _posted(document: Mapping[str, Any], deliveries: tuple[Delivery, ...], **more: Any) -> Message:
    return Message(json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode(), deliveries, **more)


def _accounts_of(deliveries: Sequence[Delivery]) -> dict[int, Any]:
    """Return the accounts that the facts of deliveries hold, by id; a query if there is one."""
    numbers = {delivery.document["parameters"].get("person") for delivery in deliveries}
    numbers = {number for number in numbers if isinstance(number, int)}
    numbers |= {number for delivery in deliveries for number in delivery.document.get("deciders", ())}
    accounts = get_user_model().objects.filter(pk__in=numbers) if numbers else ()
    return {one.pk: one for one in accounts}


def _people_of(deliveries: Sequence[Delivery]) -> _People:
    stables: set[int] = set()
    for delivery in deliveries:
        facts = delivery.document
        stables |= set(facts.get("asks", ()))
        for match in (facts.get("pairings") or {}).get("matches", ()):
            stables |= {stable["id"] for side in match["sides"] for stable in side}
    known = Stable.objects.filter(pk__in=stables).select_related("owner") if stables else ()
    stand_ins = _stand_ins_of(deliveries, stables) if stables else {}
    return _People(_accounts_of(deliveries), {stable.pk: stable for stable in known}, stand_ins)


def _stand_ins_of(deliveries: Sequence[Delivery], stables: Collection[int]) -> dict[tuple[int | None, int], Any]:
    """Return who stands in for the owners of stables in the matches that are news, as _People has them; one query."""
    facts = deliveries[0].document
    pairings = facts.get("pairings")
    sides = FixtureSide.objects.filter(stable__in=stables, stand_in__isnull=False).select_related("stand_in")
    if pairings is not None:
        place = {"fixture__round__number": pairings["round"], "fixture__round__cycle__number": facts["cycle"]}
        return {(None, side.stable_id): side.stand_in for side in sides.filter(**place)}
    matches = {each.document["fixture"] for each in deliveries if each.code not in OWNERS_CHOICES} - {None}
    return {(side.fixture_id, side.stable_id): side.stand_in for side in sides.filter(fixture__in=matches)}


def _discord(deliveries: Sequence[Delivery], people: _People) -> Message:
    first = deliveries[0]
    pairings = first.document.get("pairings")
    if pairings is not None and pairings["matches"]:
        return _of_round(first, pairings, people)
    lines = [_news(delivery, people) for delivery in deliveries]
    taken = _fitting([], lines)
    return _posted(_message(first, [], lines[:taken], taken), tuple(deliveries[:taken]))


def _news(delivery: Delivery, people: _People) -> _Line:
    """Return a piece of news, followed by those that must act now: stables that persons run, and people with an
    office."""
    if delivery.code == TRY:
        return _Line(discord.pieces_of(try_sentence(delivery.webhook.season)))
    parameters = dict(delivery.document["parameters"])
    if "person" in parameters:
        person = people.accounts.get(parameters["person"])
        parameters["person"] = None if person is None else person.get_username()
    sentence = discord.news(delivery.code, parameters)
    asked = [people.stables[pk] for pk in delivery.document.get("asks", ()) if pk in people.stables]
    deciders = [people.accounts[pk] for pk in delivery.document.get("deciders", ()) if pk in people.accounts]
    fixture_id = delivery.document["fixture"]
    turn = _turn(
        [
            *(
                (stable.name, people.who_plays(stable.pk, fixture_id))
                for stable in asked
                if stable.owner_id is not None
            ),
            *((person.get_username(), [person.discord_id]) for person in deciders if person.left_at is None),
        ]
    )
    # The sentence may be as long as a message: what is cut is its end, and never a mention.
    room = discord.CONTENT - discord.length("".join(turn.pieces))
    return _Line([discord.cut(sentence, room), *turn.pieces], turn.people)


def _turn(asked: Sequence[tuple[str, Sequence[str]]]) -> _Line:
    """Return the sentence that names those who must act, each with the accounts of Discord that it mentions.

    It goes without the last ones if it is longer than TURN.
    """
    for most in range(len(asked), 0, -1):
        line = _Line([])
        names = [_named(name, discord_ids, line) for name, discord_ids in asked[:most]]
        line.pieces = [" ", *discord.turn_of(names)]
        if discord.length("".join(line.pieces)) <= TURN:
            return line
    return _Line([])


def _named(name: str, discord_ids: Sequence[str], line: _Line) -> Pieces:
    """Return a name with the mentions behind it, and note in the line whom it mentions."""
    line.people |= {*discord_ids} - {""}
    return discord.mentioned(name, *discord_ids)


def _of_round(delivery: Delivery, pairings: Mapping[str, Any], people: _People) -> Message:
    """Return the next message on a round that was paired, with the lines of matches that no message had before."""
    all_lines = [line for match in pairings["matches"] for line in _match(match, people)]
    sent = min(delivery.lines_sent, len(all_lines) - 1)
    head = _head(delivery, pairings, is_continued=sent > 0)
    lines = all_lines[sent:]
    taken = _fitting(head, lines)
    document = _message(delivery, head, lines[:taken], 0)
    return _posted(document, (delivery,), lines=sent + taken, is_whole=taken == len(lines))


def _head(delivery: Delivery, pairings: Mapping[str, Any], is_continued: bool) -> Pieces:
    """Return what stands above the matches: format and class, when line-ups are due, and who has a bye."""
    values = {
        "round": pairings["round"],
        "cycle": delivery.document["cycle"],
        "format": words.word(words.FORMATS, pairings["format"]),
        "class": words.word(words.CLASSES, pairings["class"]),
        "bye": delivery.document["parameters"].get("bye"),
    }
    if is_continued:
        return discord.filled(gettext("Round {round} of cycle {cycle}, continued:"), values)
    head = discord.filled(gettext("Round {round} of cycle {cycle} is paired. {format}, {class}."), values)
    due = discord.read_moment(pairings["due"])
    if due is not None:
        when = [discord.moment(due, is_deadline=True)]
        head += [" ", *discord.filled(gettext("Line-ups are due {moment}."), {"moment": when})]
    if values["bye"] is not None:
        head += [" ", *discord.filled(gettext("{bye} has a bye."), values)]
    return head


def _match(match: Mapping[str, Any], people: _People) -> list[_Line]:
    """Return the lines of one match: who meets whom, and in which arena."""
    lines = []
    for first in range(0, len(match["sides"]), SIDES_A_LINE):
        line = _Line([])
        sides = [
            discord.joined([_named(each["name"], people.who_plays(each["id"], None), line) for each in side], " & ")
            for side in match["sides"][first : first + SIDES_A_LINE]
        ]
        values = {"number": match["number"], "sides": discord.joined(sides, " – "), "arena": match["arena"]}
        template = gettext("– {sides}") if first else gettext("Match {number}, arena {arena}: {sides}")
        line.pieces = discord.filled(template, values)
        lines.append(line)
    return lines


def _fitting(head: Pieces, lines: Sequence[_Line]) -> int:
    """Return how many of the lines a message holds below its head, at least 1."""
    used, people = discord.length("".join(head)), set()
    for number, line in enumerate(lines):
        used += discord.length("".join(line.pieces)) + (number > 0 or bool(head))
        people |= line.people
        if number and (used > discord.CONTENT or len(people) > discord.MOST_MENTIONS):
            return number
    return len(lines)


def _message(delivery: Delivery, head: Pieces, lines: Sequence[_Line], together: int) -> dict[str, Any]:
    """Return a message as Discord takes it: it mentions the accounts of its lines, and nobody else.

    The embed leads to the match of the delivery; to the cycle for a round, or if the message holds several news.
    """
    facts, season = delivery.document, delivery.webhook.season
    pieces = discord.joined([part for part in (head, *(line.pieces for line in lines)) if part], "\n")
    people = sorted({person for line in lines for person in line.people})[: discord.MOST_MENTIONS]
    embed = {
        "title": discord.escaped(season.name, discord.TITLE),
        "url": _address(season, facts, is_single=together == 1),
        "timestamp": facts["time"],
    }
    if facts["cycle"] is not None:
        # Footers have no markup, so nothing needs escaping.
        embed["footer"] = {"text": gettext("Cycle %(number)s") % {"number": facts["cycle"]}}
    return {
        "content": discord.cut(pieces, discord.CONTENT),
        "allowed_mentions": {"parse": [], **({"users": people} if people else {})},
        "embeds": [embed],
    }


def _address(season: Season, facts: Mapping[str, Any], is_single: bool) -> str:
    if is_single:
        return fixture_address(season, facts["fixture"]) or season_address(season)
    cycle = "" if facts["cycle"] is None else f"?cycle={facts['cycle']}"
    return f"{season_address(season)}{cycle}"
