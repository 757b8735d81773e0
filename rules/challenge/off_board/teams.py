"""The log of a team, and what it buys (MC-TEAM)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.entries import NAME, Entry, Kind
from rules.challenge.memberships import team_of
from rules.challenge.shared_checks import cannot_pay, pilot_of, too_little_fame
from rules.challenge.state import Event, Pilot, Team
from rules.challenge.worth import Worth, rounded_down
from rules.core.refusals import Refusal
from rules.core.shapes import whole

TEAM_SALE_PERCENT = 75
LEAST_MEMBERS = 2
"""A team's own log and one of each member are at least three logs (MC-TEAM-01)."""


def buyer_for(event: Event, pilot: Pilot) -> Pilot:
    """Return who buys when the team pays for a member: its log, its sponsor, the stable that all of them share.

    What a member has alone, sponsors and abilities, serves only that member (MC-TEAM-06).
    """
    team = team_of(event, pilot)
    if team is None:
        return pilot
    return Pilot(
        team.id, pilot.player, fame=team.fame, cp=team.cp, c_bills=team.c_bills, stable=pilot.stable,
        sponsors=[team.sponsor] if team.sponsor else [], mechs=pilot.mechs, left_turns=pilot.left_turns,
    )  # fmt: skip


def pay(event: Event, pilot: Pilot, reason: str, price: Worth, from_team: bool, /, **why: object) -> None:
    """Take a price from a pilot's log, or from that of their team."""
    team = team_of(event, pilot) if from_team else None
    if team is None:
        event.post(pilot, reason, Worth(-price.fame, -price.cp, -price.c_bills), **why)
        return
    team.fame, team.cp, team.c_bills = team.fame - price.fame, team.cp - price.cp, team.c_bills - price.c_bills
    event.post(pilot, reason, Worth(), team=team.id, paid=price.c_bills, **why)


def check_team(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse what only a member of a team may do."""
    team = team_of(event, pilot_of(event, entry))
    if not event.plays("teams"):
        yield Refusal("option_not_in_play", {"option": "teams"})
    elif team is None:
        yield Refusal("no_team", {"pilot": entry.pilot})
    elif len(team.members) < LEAST_MEMBERS:
        yield Refusal("team_too_small", {"team": team.id})


def _check_deposit(event: Event, entry: Entry) -> Iterator[Refusal]:
    yield from check_team(event, entry)
    pilot, facts = pilot_of(event, entry), entry.facts
    if facts.get("fame", 0):
        yield from too_little_fame(pilot, facts["fame"])
    yield from cannot_pay(event, pilot, Worth(0, facts.get("cp", 0), facts.get("c_bills", 0)))


def _deposit(event: Event, entry: Entry) -> None:
    """Give to the team's log; it leaves the member's own (MC-TEAM-02, MCQ-TEAM-01)."""
    pilot = pilot_of(event, entry)
    team = team_of(event, pilot)
    worth = Worth(entry.facts.get("fame", 0), entry.facts.get("cp", 0), entry.facts.get("c_bills", 0))
    if team is not None:
        if event.switches.team_deposits_leave:
            event.post(pilot, "deposit", worth.times(-1), team=team.id)
        team.fame, team.cp, team.c_bills = team.fame + worth.fame, team.cp + worth.cp, team.c_bills + worth.c_bills


def _check_team_sponsor(event: Event, entry: Entry) -> Iterator[Refusal]:
    """One sponsor for the team, of nobody in it; each member holds its house (MC-TEAM-04, MCQ-TEAM-03)."""
    yield from check_team(event, entry)
    team, sponsor = team_of(event, pilot_of(event, entry)), event.printed.memberships.get(entry.facts["sponsor"])
    if sponsor is None or sponsor.is_stable:
        yield Refusal("membership_unknown", {"membership": entry.facts["sponsor"]})
        return
    if team is None:
        return
    members = [event.pilots[name] for name in team.members]
    if team.sponsor is not None:
        yield Refusal("team_has_sponsor", {"membership": team.sponsor.id})
    if any(sponsor in member.sponsors for member in members):
        yield Refusal("sponsor_of_member", {"membership": sponsor.id})
    if sponsor.house is not None and any(member.house != sponsor.house for member in members):
        yield Refusal("wrong_house", {"membership": sponsor.id, "house": sponsor.house})
    if team.fame < sponsor.fame:
        yield Refusal("too_little_fame", {"pilot": team.id, "needed": sponsor.fame, "there": team.fame})
    if team.cp < sponsor.cp:
        yield Refusal("too_few_cp", {"pilot": team.id, "needed": sponsor.cp, "there": team.cp})


def _team_sponsor(event: Event, entry: Entry) -> None:
    team = team_of(event, pilot_of(event, entry))
    sponsor = event.printed.memberships[entry.facts["sponsor"]]
    if team is not None:
        team.sponsor = sponsor
        team.cp -= sponsor.cp
        team.c_bills += sponsor.c_bills


def _check_split(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse to sell the team's 'Mechs while a member fights in one of them."""
    yield from check_team(event, entry)
    team = team_of(event, pilot_of(event, entry))
    for member in [event.pilots[name] for name in team.members] if team else ():
        if member.is_in_arena and any(mech.team == member.team for mech in member.mechs):
            yield Refusal("pilot_in_arena", {"pilot": member.id})


def _split(event: Event, entry: Entry) -> None:
    """Break a team up: its 'Mechs are sold, what there is goes in equal parts, remainders are dropped (MC-TEAM-07)."""
    team = team_of(event, pilot_of(event, entry))
    if team is None:
        return
    members = [event.pilots[name] for name in team.members]
    for member in members:
        for mech in [mech for mech in member.mechs if mech.team == team.id]:
            member.mechs.remove(mech)
            team.c_bills += rounded_down(mech.book * TEAM_SALE_PERCENT // 100)
    for member in members:
        part = Worth(*(_part(each, len(members)) for each in (team.fame, team.cp, team.c_bills)))
        event.post(member, "team_split", part, team=team.id)
        member.team = None
    del event.teams[team.id]


def _part(amount: int, count: int) -> int:
    """Return an equal part, towards 0."""
    return amount // count if amount >= 0 else -(-amount // count)


def _check_team_up(event: Event, entry: Entry) -> Iterator[Refusal]:
    if not event.plays("teams"):
        yield Refusal("option_not_in_play", {"option": "teams"})
    pilot = pilot_of(event, entry)
    if pilot.team is not None:
        yield Refusal("has_team", {"pilot": pilot.id})
    team = event.teams.get(entry.facts["team"])
    for name in team.members if team else ():
        other = event.pilots[name]
        if other.stable is not None and pilot.stable is not None and other.stable is not pilot.stable:
            yield Refusal("team_in_other_stable", {"stable": other.stable.id})
    if team is not None and team.sponsor is not None and team.sponsor in pilot.sponsors:
        yield Refusal("sponsor_of_team", {"membership": team.sponsor.id})


def _team_up(event: Event, entry: Entry) -> None:
    """Join a team; its first member founds it (MC-TEAM-01)."""
    pilot, name = pilot_of(event, entry), entry.facts["team"]
    event.teams.setdefault(name, Team(name, [])).members.append(pilot.id)
    pilot.team = name


_WORTH = {"fame": whole(0, 999), "cp": whole(0, 9999), "c_bills": whole(0, 10**10)}
KINDS = (
    Kind("deposit", _deposit, _check_deposit, _WORTH, (), True),
    Kind("team_up", _team_up, _check_team_up, {"team": NAME}, ("team",), True),
    Kind("join_team_sponsor", _team_sponsor, _check_team_sponsor, {"sponsor": NAME}, ("sponsor",), True),
    Kind("split", _split, _check_split, {}, (), True),
)
