"""What the facts of a turn are worth: rows of the event table, and what stables and sponsors add (MC-AWD, MC-EVT).

Awards are given in the end phase (MC-AWD-01). `awards_of` only says what they will be, so a page can show them while
the turn is open; `give_awards` books them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rules.challenge.entries import Entry
from rules.challenge.mechs import MechModel, class_difference
from rules.challenge.shared_checks import claimants_of, is_after, same_fall
from rules.challenge.state import Chip, Event, Fact, Pilot, Table
from rules.challenge.tables import AwardRow
from rules.challenge.worth import Worth, rounded_down

BAND, WIDE_BAND, FURTHER_BAND, GOLIATH = 10, 20, 20, 5
"""Damage at which the rows for damage begin, and how much more earns another (MC-EVT-03, MC-EVT-04)."""
GOLIATH_CLASSES = 2
FIFTY = 50
FAMOUS_LEAD = 15
"""Fame by which a victim must be ahead for each row for a famous pilot (MC-EVT-02)."""
MILLION = 1_000_000
DEATH = Worth(fame=8)
"""The last award of a pilot who is killed (MC-DEATH-01)."""

BANDS: Mapping[str, int] = {
    "5-9": 5, "10-19": 10, "20-39": 20, "40-59": 40, "60-79": 60, "80-99": 80, "100-119": 100, "120-139": 120,
}  # fmt: skip
"""The least damage of each band that may be entered in place of a number."""

CRITICALS: Mapping[str, str] = {
    "engine": "special.A",
    "gyro": "special.A",
    "hip": "special.A",
    "head": "special.A",
    "actuator": "special.B",
    "weapon": "special.B",
    "ammo": "special.B",
    "other": "special.C",
}
"""The row of a critical hit by what it hit."""

SINGLE_ROWS: Mapping[str, str] = {
    "blown_off": "special.D",
    "head_hit": "special.E",
    "melee": "special.F",
    "melee_weapon": "special.G",
    "charge": "special.H",
    "crowd": "flashy.G",
}
"""What always earns its one row."""

METHODS = ("fire", "melee", "melee_weapon", "charge", "death_from_above", "heat", "ammunition", "fall", "other")
"""How a 'Mech was crippled or destroyed."""

FROM_ABOVE = ("charge", "death_from_above")
"""Methods that earn their special row and the coupon, too; a pilot has one such attack a turn."""

HEAT = "heat"


class Award(NamedTuple):
    """What one pilot gets for one fact: a row of the event table, or what a stable or sponsor gives or takes."""

    number: int
    pilot: str
    reason: str
    worth: Worth
    why: Mapping[str, Any]

    @property
    def is_row(self) -> bool:
        """Whether it is a row of the event table."""
        return "." in self.reason


def points_of(entry: Entry) -> int:
    """Return the damage of an entry, the least of its band where it names one."""
    points = entry.facts.get("points")
    return int(points) if points is not None else BANDS[entry.facts["band"]]


def awards_of(event: Event, table: Table) -> list[Award]:
    """Return the awards of the open turn of a table, in the order of the entries that earn them."""
    turn = _Turn(event, table)
    return [award for fact in table.facts for award in turn.of(fact)]


class _Turn:
    """The facts of one turn, looked at together."""

    def __init__(self, event: Event, table: Table) -> None:
        self.event = event
        self.table = table
        self.rows = event.printed.rows
        self.destroyed = {fact.entry.at: fact.entry.phase for fact in table.facts if fact.entry.what == "kill"}
        self.crippled: dict[str | None, str | None] = {}
        self.told: set[tuple[str | None, ...]] = set()
        self.dealt: dict[tuple[str, str | None, str | None], list[Fact]] = defaultdict(list)
        self.taken: dict[tuple[str | None, str | None], list[Fact]] = defaultdict(list)
        for fact in table.facts:
            if fact.entry.what == "damage":
                for name in fact.entry.by:
                    self.dealt[name, fact.entry.at, fact.entry.phase].append(fact)
                self.taken[fact.entry.at, fact.entry.phase].append(fact)
            elif fact.entry.what == "cripple":
                if fact.entry.at not in self.crippled or is_after(self.crippled[fact.entry.at], fact.entry.phase):
                    self.crippled[fact.entry.at] = fact.entry.phase
            elif fact.entry.what == "sustained":
                self.taken[fact.entry.subject, fact.entry.phase].append(fact)

    def of(self, fact: Fact) -> Iterator[Award]:
        """Yield the awards of one fact."""
        entry = fact.entry
        maker = getattr(self, f"_{entry.what}", None)
        if maker is not None:
            yield from maker(fact)
        elif entry.what in SINGLE_ROWS:
            for name in entry.by:
                if entry.what in FROM_ABOVE and not self._is_new(*FROM_ABOVE, name):
                    continue
                yield from self._row(fact, name, SINGLE_ROWS[entry.what])
                yield from self._member(fact, name, *_SUCCESSES.get(entry.what, ()))

    # --- one kind each -------------------------------------------------------------------------------------------

    def _damage(self, fact: Fact) -> Iterator[Award]:
        """Rows for damage of one pilot at one opponent in one phase, by their sum (MC-EVT-03, 04, 06)."""
        entry = fact.entry
        for name in entry.by:
            facts = self.dealt[name, entry.at, entry.phase]
            if facts[0].number == fact.number:
                points = sum(points_of(each.entry) for each in facts)
                in_one_place = sum(points_of(each.entry) for each in facts if each.entry.facts.get("one_location"))
                for row in self._damage_rows(name, entry.at, points, in_one_place):
                    yield from self._row(fact, name, row, damage=points)
        yield from self._sustained_damage(fact)

    def _damage_rows(self, name: str, at: str | None, points: int, in_one_place: int) -> Iterator[str]:
        own, target = self._model(name), self._model(at)
        is_light = own is not None and (
            own.rank == 1 or (self.event.switches.clan_light_band and own.weight_class == "light")
        )
        if BAND <= points < WIDE_BAND and is_light:
            yield "flashy.A"
        if points >= WIDE_BAND:
            yield "flashy.B"
        for _ in range((points - WIDE_BAND) // FURTHER_BAND):
            yield "flashy.C"
        if own and target and points >= GOLIATH and target.rank - own.rank >= GOLIATH_CLASSES:
            yield "flashy.D"
        if in_one_place >= FIFTY:
            yield "special.J"

    def _sustained(self, fact: Fact) -> Iterator[Award]:
        return self._sustained_damage(fact)

    def _sustained_damage(self, fact: Fact) -> Iterator[Award]:
        """Yield what a stable takes for much damage in one phase (MC-STAB-06), once a phase."""
        name, phase = fact.entry.subject, fact.entry.phase
        facts = self.taken[name, phase]
        if name is None or not facts or facts[0].number != fact.number or name not in self.event.pilots:
            return
        told = [points_of(each.entry) for each in facts if each.entry.what == "sustained"]
        points = max([*told, sum(points_of(each.entry) for each in facts if each.entry.what == "damage")])
        for member, happening in self.event.pilots[name].events_on("sustained_damage_in_phase"):
            if points >= happening.least:
                yield Award(fact.number, name, member, happening.worth, {"damage": points})

    def _critical(self, fact: Fact) -> Iterator[Award]:
        for name in fact.entry.by:
            part = fact.entry.facts["part"]
            yield from self._row(fact, name, CRITICALS[part], part=part)

    def _death_from_above(self, fact: Fact) -> Iterator[Award]:
        """Yield the row of a hit, or that of a miss (MC-EVT-09)."""
        for name in fact.entry.by:
            hit = fact.entry.facts["hit"]
            if hit and not self._is_new(*FROM_ABOVE, name):
                continue
            yield from self._row(fact, name, "special.H" if hit else "special.I")
            if hit:
                yield from self._member(fact, name, "melee_success")

    def _secondary_target(self, fact: Fact) -> Iterator[Award]:
        for name in fact.entry.by:
            ammunition = fact.entry.facts.get("ammunition")
            if any(
                member.effects.no_award_with_own_ammunition and ammunition in member.ammunition
                for member in self.event.pilots[name].memberships
            ):
                continue
            if self._is_new("secondary_target", name) or not self.event.switches.secondary_per_turn:
                yield from self._row(fact, name, "flashy.F")

    def _standing_after_50(self, fact: Fact) -> Iterator[Award]:
        """Yield a row for a pilot who stands at the end of the phase, not destroyed in it (MC-EVT-06, MCQ-AWD-07)."""
        name, phase = fact.entry.subject, fact.entry.phase
        fell = name in self.destroyed and not is_after(self.destroyed[name], phase)
        if name is not None and not fell and self._is_new("standing_after_50", name, phase):
            yield from self._row(fact, name, "flashy.H")

    def _knocked_out(self, fact: Fact) -> Iterator[Award]:
        for name in claimants_of(self.table, fact.entry):
            if self._is_new("knocked_out", name, fact.entry.at):
                yield from self._row(fact, name, "flashy.E")

    def _turret(self, fact: Fact) -> Iterator[Award]:
        """Yield the same for one and for several (MC-TUR-08)."""
        for name in fact.entry.by:
            yield from self._row(fact, name, "kills.O")

    def _cripple(self, fact: Fact) -> Iterator[Award]:
        """Yield the whole award for every claimant (MC-AWD-10).

        There is none where the turn also destroys the target (MC-AWD-07), or where an earlier turn (MC-AWD-08) or
        phase crippled it.
        """
        entry = fact.entry
        counts = entry.at not in self.destroyed and entry.at not in self.table.crippled_before
        counts = counts and not is_after(entry.phase, self.crippled[entry.at])
        for name in claimants_of(self.table, entry):
            if counts and self._is_new("cripple", name, entry.at):
                difference = self._difference(name, entry.at)
                row = self.event.printed.cripple_row(difference)
                yield from self._row(fact, name, row.row, difference=difference, **self._why(name, entry.at))
        yield from self._method(fact)

    def _kill(self, fact: Fact) -> Iterator[Award]:
        """Yield the row of one claimant, or of several who share (MC-AWD-04); heat leaves a share alone (MC-AWD-06)."""
        entry = fact.entry
        claimants, solo = shares_of(self.table, fact)
        for name in claimants:
            difference = self._difference(name, entry.at)
            row = self.event.printed.kill_row(difference, solo)
            yield from self._row(fact, name, row.row, difference=difference, solo=solo, **self._why(name, entry.at))
            if solo or self.event.switches.famous == "all":
                yield from self._famous(fact, name)
            if solo:
                yield from self._member(fact, name, "solo_kill")
        yield from self._method(fact)

    # --- pieces --------------------------------------------------------------------------------------------------

    def _is_new(self, *deed: str | None) -> bool:
        """Return whether a deed that pays once comes up for the first time, and note it."""
        is_new = deed not in self.told
        self.told.add(deed)
        return is_new

    def _famous(self, fact: Fact, name: str) -> Iterator[Award]:
        """Yield a row for each full 15 Fame of the victim's lead as the end phase begins (MC-EVT-02, MCQ-AWD-02).

        The Fame of their death is an award of the end phase itself (MC-AWD-01), so it does not count yet.
        """
        victim = self.event.pilots.get(fact.entry.at or "")
        if victim is not None:
            lead = victim.fame - self.event.pilots[name].fame
            if not victim.alive and any(
                each.entry.what == "death" and each.entry.subject == victim.id for each in self.table.facts
            ):
                lead -= DEATH.fame
            for _ in range(max(0, lead) // FAMOUS_LEAD):
                yield from self._row(fact, name, "kills.P", lead=lead)

    def _method(self, fact: Fact) -> Iterator[Award]:
        """Yield the row of a charge or death from above that crippled or destroyed, for whom the entry names first."""
        if fact.entry.facts.get("method") in FROM_ABOVE:
            for name in claimants_of(self.table, fact.entry)[:1]:
                if self._is_new(*FROM_ABOVE, name):
                    yield from self._row(fact, name, "special.H")
                    yield from self._member(fact, name, "melee_success")

    def _member(self, fact: Fact, name: str, *happenings: str) -> Iterator[Award]:
        for what in happenings:
            for member, happening in self.event.pilots[name].events_on(what):
                yield Award(fact.number, name, member, happening.worth, {"on": what})

    def _row(self, fact: Fact, name: str, row: str, **why: Any) -> Iterator[Award]:
        found: AwardRow = self.rows[row]
        worth = found.worth
        if worth.fame < 0 and not self.event.switches.penalty_rows:
            return
        if self.event.switches.round_proceeds:
            worth = worth._replace(c_bills=rounded_down(worth.c_bills))
        at = fact.entry.at
        yield Award(fact.number, name, row, worth, why if at is None else {"at": at, **why})

    def _model(self, name: str | None) -> MechModel | None:
        if name is None or name not in self.event.pilots:
            return None
        mech = self.event.pilots[name].mech
        return self.table.models.get(name) or (mech.model if mech else None)

    def _why(self, name: str, at: str | None) -> dict[str, Any]:
        """Return what moves a class difference: a Clan 'Mech on one side, and the pilot's stable (MC-STAB-03)."""
        own, target = self._model(name), self._model(at)
        shift = sum(effects.award_class_shift for effects in self.event.pilots[name].effects)
        clan = own is not None and target is not None and own.is_clan is not target.is_clan
        return {**({"clan": True} if clan else {}), **({"shift": shift} if shift else {})}

    def _difference(self, name: str, at: str | None) -> int:
        own, target = self._model(name), self._model(at)
        if own is None or target is None:
            return 0
        shift = sum(effects.award_class_shift for effects in self.event.pilots[name].effects)
        return class_difference(own, target, shift)


_SUCCESSES: Mapping[str, tuple[str, ...]] = {
    "melee": ("melee_success",),
    "melee_weapon": ("melee_success", "melee_weapon_success"),
    "charge": ("melee_success",),
}
"""What happens, for stables and sponsors, when an attack of this kind hits (MC-SPON-04, MC-STAB-06)."""


def shares_of(table: Table, fact: Fact) -> tuple[list[str], bool]:
    """Return who has a kill by this fact, and whether it is theirs alone.

    Kills that are claimed one by one are one fall (`joins`); a pilot who is named in it twice has it once.
    """
    fall = same_fall(table, fact.entry)
    joined = fall if any(each.entry.facts.get("joins") for each in fall) else [fact]
    first: dict[str, int] = {}
    for each in joined:
        for name in claimants_of(table, each.entry):
            first.setdefault(name, each.number)
    solo = len(first) == 1 and fact.entry.facts.get("method") != HEAT
    return [name for name, number in first.items() if number == fact.number], solo


def give_awards(event: Event, table: Table) -> None:
    """Book the awards of the open turn: Fame, CP and C-bills or chips, kills, coupons, Murdock's share."""
    prizes: dict[str, int] = defaultdict(int)
    for award in awards_of(event, table):
        pilot = event.pilots[award.pilot]
        if award.is_row:
            prizes[award.pilot] += max(0, award.worth.c_bills)
            if award.reason == "special.H":
                pilot.coupon = True
        if award.is_row and event.plays("betting") and min(award.worth) >= 0:
            pilot.chips.append(Chip(award.reason, award.worth, pilot.id))
            event.post(pilot, award.reason, Worth(), chip=True, **award.why)
            continue
        event.post(pilot, award.reason, award.worth, **award.why)
        if award.is_row:
            pilot.earned += max(0, award.worth.c_bills)
    for fact in table.facts:
        if fact.entry.what == "kill":
            _count_kill(event, table, fact)
    for name, c_bills in prizes.items():
        _share_of_prizes(event, event.pilots[name], c_bills)


def _count_kill(event: Event, table: Table, fact: Fact) -> None:
    claimants, solo = shares_of(table, fact)
    for name in claimants:
        pilot = event.pilots[name]
        counted = [pilot.kills, pilot.day_kills, *([pilot.final_kills] if event.stage == "final" else [])]
        for kills in counted:
            if solo:
                kills.solo += 1
            else:
                kills.assisted += 1


def _share_of_prizes(event: Event, pilot: Pilot, c_bills: int) -> None:
    """Give the CP of Murdock for each full million of a turn (MC-SPON-03), with chips when they are cashed."""
    cp = sum(effects.cp_per_million for effects in pilot.effects) * (c_bills // MILLION)
    if cp and event.plays("betting"):
        pilot.prize_cp += cp
    elif cp:
        event.post(pilot, "murdock", Worth(cp=cp), c_bills=c_bills)
