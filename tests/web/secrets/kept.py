"""What people keep from everybody else: each secret makes two worlds that differ in it alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.db.models import Model
from django.urls import reverse

from jobs.models import Job
from jobs.services import run_pending
from matches.models import Match
from matches.selectors.matches import rebuild
from matches.services import forecasts, preset_answers
from matches.services.matches import play_action
from people.models import ApiToken, KeptAnswer, Notice, PushSubscription, User
from people.services.tokens import make_token
from rules.catalogue import load_builtin
from rules.measuring.self_play import TokenTrios
from stables.models import Asset, CalendarFeed, ComingQuestion, Fixture, HandOver, Invitation, Season, Webhook
from stables.services.fixtures import taking_back
from stables.services.garage import repairs
from stables.services.line_ups import line_ups, saved
from stables.services.market import baskets, readiness
from stables.services.results import pins
from stables.services.running import coming, guests, passing, standing_in
from stables.services.season.invitations import invite
from stables.services.season.seasons import found_stable
from tests.traces import NOW, alike
from tests.web.roles.world import World
from tests.worlds import Worlds

from .world import ROLES, STAND_IN, at

HIT = 4
STEPS = 14
"""How many decisions of a match everybody has seen."""


@dataclass(frozen=True)
class Secret:
    """`keep` gives the world, as it is at a stage, the secret with the number 0 or 1.

    `keepers` may read it, and nobody else may. Without keepers not even its owner can read it again: it stood once in
    an answer or in a mail, or never on a page. In the worlds of one that is several things, each of `rows` differs.
    """

    name: str
    stage: str
    keep: Callable[[World, int], None]
    keepers: tuple[str, ...] = ("player",)
    rows: tuple[type[Model], ...] = ()

    @property
    def others(self) -> list[str]:
        """Who must read the same in both worlds."""
        return [role for role in ("player", *ROLES) if role not in self.keepers]

    def world(self, worlds: Worlds, which: int) -> World:
        """Enter the world with this secret; it is built once in a run."""
        return worlds.enter(f"secret {self.name} {which}", lambda: self._build(worlds, which))

    def _build(self, worlds: Worlds, which: int) -> World:
        world = at(worlds, self.stage)
        with alike(self.name):
            self.keep(world, which)
            _hold_jobs()
        found = list(Match.objects.filter(fixture__in=world.fixtures.values()))
        return replace(world, values={**world.values, "public_id": found[0].public_id}) if found else world


def _own(world: World, kind: str) -> list[int]:
    assets = Asset.objects.filter(stable=world.stable("table"), kind=kind)
    return list(assets.order_by("pk").values_list("pk", flat=True))


def _work() -> None:
    """Do what is asked for."""
    run_pending()
    _hold_jobs()


def _hold_jobs() -> None:
    """Put the times of jobs back to the moment that is held: they run by the database's clock, which nobody holds."""
    for moment in ("woken_at", "started_at", "finished_at"):
        Job.objects.filter(**{f"{moment}__gt": NOW}).update(**{moment: NOW})


def _basket(world: World, which: int) -> None:
    """One unit, or two things."""
    stable = world.stable("table")
    for kind, key in ([("unit", "SOL003")], [("unit", "SOL004"), ("rally_card", "R-004")])[which]:
        baskets.put_in(stable_id=stable.pk, kind=kind, key=key)
    baskets.seal(stable_id=stable.pk)


def _basket_with_crew(world: World, which: int) -> None:
    """The stable has nobody for the coming match without its basket: a unit and its pilot, or two things of no use."""
    stable = world.stable("table")
    Asset.objects.filter(stable=stable, kind__in=("unit", "pilot")).update(sold_at=NOW)
    wares = [[("unit", "SOL003"), ("pilot", "P-001")], [("rally_card", "R-004"), ("rally_card", "R-005")]]
    for kind, key in wares[which]:
        baskets.put_in(stable_id=stable.pk, kind=kind, key=key)
    readiness.say_ready(stable_id=stable.pk, without_crew=which == 1)


def _crew(world: World, unit: int, cards: slice) -> line_ups.CrewChoice:
    hand = tuple(_own(world, "rally_card")[cards])
    return line_ups.CrewChoice(_own(world, "unit")[unit], _own(world, "pilot")[0], None, hand)


def _trio(which: int) -> list[str]:
    return [token["id"] for token in TokenTrios(load_builtin())[which]]


HANDS = (slice(0, 2), slice(2, 4))
"""Two cards that a unit may soon be asked for, and two that it never is. How many are in a match, everybody hears."""

FEWER = (slice(0, 2), slice(2, 3))


def _line_up(world: World, which: int) -> None:
    """Another unit, another hand and other tokens are handed in; the rival's line-up is missing."""
    line_ups.submit(
        stable_id=world.stable("table").pk,
        fixture_id=world.fixtures["table"].pk,
        crews=[_crew(world, which, FEWER[which])],
        tokens=_trio(which),
    )


def _taken_back(world: World, which: int) -> None:
    """The same, and its owner takes it back: what was chosen stays as a draft."""
    _line_up(world, which)
    taking_back.take_back(stable_id=world.stable("table").pk, fixture_id=world.fixtures["table"].pk)


def _saved(world: World, which: int, match_class: str = "light") -> None:
    """Another saved line-up, and another order of repairs."""
    stable, units = world.stable("table"), _own(world, "unit")
    saved.save(
        stable_id=stable.pk,
        match_class=match_class,
        format_name="standard",
        crews=[_crew(world, which, FEWER[which])],
        tokens=_trio(which),
    )
    repairs.set_repair_order(stable_id=stable.pk, asset_ids=units[:: (1, -1)[which]])


def _hands(world: World, which: int) -> None:
    """Another hand and other tokens are in a match that has gone on for a while, and looked the same."""
    Fixture.objects.filter(pk=world.fixtures["table"].pk).update(mode="browser")
    # A unit that has been hit may play cards from the beginning.
    Asset.objects.filter(pk=_own(world, "unit")[0]).update(damage=HIT)
    line_ups.submit(
        stable_id=world.stable("table").pk,
        fixture_id=world.fixtures["table"].pk,
        crews=[_crew(world, 0, HANDS[which])],
        tokens=_trio(which),
    )
    line_ups.submit_nearest_legal(stable_id=world.stable("table", "rival").pk, fixture_id=world.fixtures["table"].pk)
    _work()
    _play(_match(world))


def _match(world: World) -> Match:
    return Match.objects.get(fixture=world.fixtures["table"])


def _play(match: Match) -> None:
    """Answer questions that everybody hears of, and turn down every rally card."""
    seen = 0
    while True:
        match.refresh_from_db()
        decision = rebuild(match).decision
        assert decision is not None
        if decision.kind == "rally":
            action: Mapping[str, Any] = {"unit": decision.unit, "choose": "rally", "card": None}
        elif seen == STEPS:
            return
        else:
            seen += 1
            open_to_all = [each for each in rebuild(match).legal_actions() if each.get("order") != "rally"]
            action = Random(seen).choice(open_to_all)
        play_action(match.pk, decision.side, match.last_sequence, action)


def _forecasts(world: World, which: int) -> None:
    """The same, and chances are counted."""
    with patch.object(settings, "FORECASTS", True), patch.object(forecasts, "A_ROUND", 8):
        _hands(world, which)
        _work()


def _standing(world: World, which: int) -> None:
    """Another standing answer."""
    _hands(world, 0)
    match = _match(world)
    unit = next(side["units"][0]["id"] for side in match.setup["sides"] if side["id"] == _side(world))
    answers = {"react": {"leave": (17, 83)[which], "otherwise": "none"}}
    preset_answers.keep(match, world.people["player"], unit, answers)


def _side(world: World) -> str:
    return str(world.fixtures["table"].sides.get(stable=world.stable("table")).side)


def _discord_id(world: World, which: int) -> None:
    """Another account of Discord."""
    User.objects.filter(pk=world.people["player"].pk).update(discord_id=str(10**17 + which))


def _pin(world: World, which: int) -> None:
    """Another PIN of the player's side, at a table with all line-ups in."""
    fixture = world.fixtures["table"]
    Fixture.objects.filter(pk=fixture.pk).update(mode="table")
    for who in ("player", "rival"):
        stable = world.stable("table") if who == "player" else world.stable("table", "rival")
        line_ups.submit_nearest_legal(stable_id=stable.pk, fixture_id=fixture.pk)
    with patch.object(pins.secrets, "randbelow", return_value=(17, 8304)[which]):
        pins.make_pin(fixture_id=fixture.pk, stable_id=world.stable("table").pk, user=world.people["player"])


def _codes(which: int) -> Any:
    """Let codes differ in their last letter."""
    drawn = iter(range(100))
    return patch("secrets.token_urlsafe", side_effect=lambda size: f"{next(drawn):030d}{'-_'[which]}")


def _links(world: World, which: int) -> None:
    """Other codes: of the links that pass a stable to an account, seat a guest, and claim the stable of a guest."""
    season, organiser = world.seasons["table"], world.people["organiser"]
    free, taken = (found_stable(season_id=season.pk, name=f"For a guest {number}").stable_id for number in (1, 2))
    with _codes(which):
        passing.make_link(stable_id=world.stable("table").pk, reason="agreed", user=organiser)
        guests.make_seat_link(stable_id=free, reason="agreed", user=organiser)
        link = guests.make_seat_link(stable_id=taken, reason="agreed", user=organiser)
        guests.make_claim_link(stable_id=taken, user=guests.take_seat(passing_id=link.passing_id))


def _stand_in_link(world: World, which: int) -> None:
    """Another code of the link with which somebody plays a match for the player."""
    stable, fixture = world.stable("table"), world.fixtures["table"]
    with _codes(which):
        standing_in.make_link(stable_id=stable.pk, fixture_id=fixture.pk, reason="away", user=world.people["player"])


def _keys(world: World, which: int) -> None:
    """Another password, other keys of a browser that gets messages, and another answer kept for a request."""
    person = world.people["player"]
    person.set_password(f"secret words {which}")
    person.save()
    world.clients["player"].force_login(person)
    browser = {"public_key": f"key {which}", "secret": f"words {which}"}
    PushSubscription.objects.create(user=person, endpoint=f"https://push.example.org/{which}", **browser)
    kept = {"request_hash": str(which), "status": 200, "body": json.dumps({"told": which})}
    KeptAnswer.objects.create(user=person, key="a request", **kept)


def _own_pages(world: World, which: int) -> None:
    """Another calendar address, token of a program, link to answer who comes, and limit of what the AI may spend."""
    person, season, stable = world.people["player"], world.seasons["table"], world.stable("table")
    with _codes(which):
        make_token(user=person, name="A program", scopes=["read"])
    CalendarFeed.objects.create(season=season, user=person, key="feed" * 10 + f"fe{which}")
    asked = coming.ask(season_id=season.pk, at=NOW + timedelta(days=2), user=world.people["organiser"])
    question = ComingQuestion.objects.get(pk=asked.question_id)
    with patch("time.time", return_value=NOW.timestamp() + which):
        link = reverse("stables:who_comes", args=[coming.token_of(question, stable)])
    Notice.objects.filter(user=person, code="who_comes").update(url=link)
    HandOver.objects.filter(stable=stable).update(spending_limit=(17, 83)[which])


def _addresses(world: World, which: int) -> None:
    """Another proven address for mails, and another one that waits for its link."""
    mails = {"email": f"first-{which}@example.org", "new_email": f"second-{which}@example.org", "new_email_since": NOW}
    User.objects.filter(pk=world.people["player"].pk).update(**mails)


def _organisers(world: World, which: int) -> None:
    """Another code of an invitation, and another address and secret of a webhook."""
    season = world.seasons["table"]
    with _codes(which):
        invite(season_id=season.pk)
    season.webhooks.update(url=f"https://news.example.org/{which}", secret=f"whsec_{which}")


def _watching(world: World, which: int) -> None:
    """Another secret address at which a match can be watched."""
    _hands(world, 0)
    Match.objects.filter(pk=_match(world).pk).update(share_key="watch" * 8 + f"ma{which}")


def _season_secret(world: World, which: int) -> None:
    """Another number from which all dice of the season will come."""
    Season.objects.filter(pk=world.seasons["table"].pk).update(secret=bytes([which]) * 32)


STOOD_IN = ("player", STAND_IN)
"""Who keeps what a stand-in needs for the match: their form begins with what was saved for it, or taken back, and they
take over what the side has planned."""

SECRETS = {
    each.name: each
    for each in (
        Secret("basket", "market", _basket),
        Secret("basket with the only crew", "market", _basket_with_crew),
        Secret("line-up", "line-ups", _line_up, keepers=STOOD_IN),
        Secret("line-up taken back", "line-ups", _taken_back, keepers=STOOD_IN),
        Secret("saved line-up and repairs", "line-ups", _saved, keepers=STOOD_IN),
        Secret("saved line-up of other matches, and repairs", "line-ups", partial(_saved, match_class="medium")),
        Secret("hand and tokens", "line-ups", _hands, keepers=STOOD_IN),
        Secret("forecasts", "line-ups", _forecasts, keepers=STOOD_IN),
        Secret("standing answers", "line-ups", _standing, keepers=STOOD_IN),
        Secret("discord id", "market", _discord_id),
        Secret("pin at the table", "line-ups", _pin, keepers=()),
        Secret("links to stables", "market", _links, keepers=()),
        Secret("link of a stand-in", "line-ups", _stand_in_link, keepers=()),
        Secret("keys of a person", "market", _keys, keepers=(), rows=(User, PushSubscription, KeptAnswer)),
        Secret("own pages", "line-ups", _own_pages, rows=(ApiToken, CalendarFeed, Notice, HandOver)),
        Secret("e-mail addresses", "market", _addresses, keepers=("player", "viewer", "staff")),
        Secret(
            "invitation and webhook", "market", _organisers, keepers=("organiser", "helper"), rows=(Invitation, Webhook)
        ),
        Secret("address to watch", "line-ups", _watching, keepers=(*STOOD_IN, "rival", "organiser", "helper")),
        Secret("secret of the season", "market", _season_secret, keepers=()),
    )
}
