"""A turn at a table at random: entrances, the initiative order, movement, fire, physical attacks, the end."""

from __future__ import annotations

from typing import Any

from rules.challenge.awards import BANDS, CRITICALS
from rules.challenge.exits import MODES, WAYS
from rules.challenge.generator.scribe import Document, Entries, Scribe, Written
from rules.challenge.state import FATAL_WOUNDS, Pilot

CRIPPLED_AT, DESTROYED_AT = 1.2, 2.2
"""Points of damage for each ton of a 'Mech at which it is crippled and destroyed."""
PORTALS = tuple("ABCDEFGHJKLMNPQRSTUVWXYZ")
ATTACKS = 0.7
"""The chance that a pilot fires in a turn."""
NOT_OF_FIRE = ("ammunition", "fall", "other")
SURPRISES: tuple[tuple[str, Document], ...] = (
    ("turret_search", {"class": "light", "die": 5, "weapon": "SRM 4", "dice": [6, 4], "place": "Hex 0512"}),
    ("turret_damage", {"class": "light", "points": 19}),
    ("tank_damage", {"contents": "class_2", "points": 30}),
    ("minefield", {"density": 12}),
)
"""What the GM may play, and its facts."""


class Arena:
    """One turn at one table."""

    def __init__(self, scribe: Scribe, table: str) -> None:
        self.scribe = scribe
        self.table = table
        self.attacked: dict[str, list[str]] = {}
        """Who has hurt whom in the phase that is played."""

    def write(self, what: str, phase: str | None = None, **facts: Any) -> Written:
        """Write what happens at this table in this turn."""
        document: Document = {"what": what, "table": self.table, "turn": self.scribe.turn, **facts}
        return (yield from self.scribe.write({**document, "phase": phase} if phase else document))

    def play(self, may_enter: bool, all_leave: bool) -> Entries:
        """Play the turn up to its end, without ending it."""
        if may_enter:
            yield from self._enter()
        yield from self._initiative()
        yield from self._move(all_leave)
        if not all_leave:
            yield from self._fire()
            yield from self._strike()
        yield from self._finish()

    def end(self) -> Entries:
        """End the turn."""
        yield from self.write("end_turn")

    # --- before the attacks ------------------------------------------------------------------------------------------

    def _enter(self) -> Entries:
        scribe = self.scribe
        portals = scribe.chance.sample(PORTALS, len(PORTALS))
        for pilot in scribe.outside():
            if pilot.mech is None or scribe.seats[pilot.id] != self.table or scribe.happens(0.2):
                continue
            facts: Document = {"portal": portals.pop()} if portals else {}
            if scribe.happens(0.1):
                facts["auto_eject"] = False
            if (yield from self.write("enter", by=pilot.id, **facts)):
                scribe.hurt[pilot.id] = 0

    def _initiative(self) -> Entries:
        names = [pilot.id for pilot in self.scribe.here(self.table)]
        if not names or self.scribe.happens(0.1):
            return
        self.scribe.chance.shuffle(names)
        cards = [self.scribe.event.pilots[name].card for name in names]
        if all(cards) and len(set(cards)) == len(cards) and self.scribe.happens(0.5):
            yield from self.write("initiative", "initiative", cards=cards)
        else:
            yield from self.write("initiative", "initiative", by=names)

    def _move(self, all_leave: bool) -> Entries:
        scribe = self.scribe
        for pilot in scribe.here(self.table):
            if pilot.unconscious_since is not None and scribe.happens(0.5):
                yield from self.write("conscious", "movement", at=pilot.id)
            if scribe.event.stage == "final" and scribe.happens(0.1):
                yield from self.write("overrun", "movement", by=pilot.id)
            if scribe.happens(0.03):
                yield from self.write("rebar", "movement", by=pilot.id, held=not pilot.rebar or scribe.happens(0.5))
            if all_leave or (scribe.event.stage != "final" and self._wants_out(pilot)):
                yield from self._leave(pilot, all_leave)
            elif scribe.happens(0.01):
                yield from self._leave(pilot, early=True)

    def _wants_out(self, pilot: Pilot) -> bool:
        """Return whether a pilot would leave: a 'Mech that is nearly lost, wounds, or a whim."""
        mech = pilot.mech
        lost = mech is not None and (
            mech.state == "crippled" or self.scribe.hurt.get(pilot.id, 0) > mech.model.tons * CRIPPLED_AT
        )
        return self.scribe.happens(0.6 if lost or pilot.wounds > 2 else 0.1)

    def _leave(self, pilot: Pilot, early: bool) -> Entries:
        facts: Document = {"portal": self.scribe.chance.choice(PORTALS)}
        if early:
            facts["early"] = True
        elif self.scribe.happens(0.3):
            facts |= {"way": self.scribe.chance.choice(WAYS), "mode": self.scribe.chance.choice(MODES), "spent": 1}
        if not (yield from self.write("exit", "movement", by=pilot.id, **facts)) and "way" in facts:
            yield from self.write("exit", "movement", by=pilot.id)

    # --- attacks -----------------------------------------------------------------------------------------------------

    def _target(self, pilot: Pilot) -> Pilot | None:
        """Return whom a pilot attacks: nobody of their own team."""
        others = [
            each
            for each in self.scribe.here(self.table)
            if each is not pilot and (each.team is None or each.team != pilot.team)
        ]
        return self.scribe.chance.choice(others) if others else None

    def _fire(self) -> Entries:
        self.attacked = {}
        scribe = self.scribe
        for pilot in scribe.here(self.table):
            target = self._target(pilot)
            if target is None or pilot.unconscious_since is not None or scribe.happens(1 - ATTACKS):
                continue
            if scribe.happens(0.03):
                yield from self.write("edge", "fire", by=pilot.id, on="a to-hit roll")
            yield from self._hit(pilot, target, "fire")
            for what, probability in (("secondary_target", 0.08), ("turret", 0.02), ("rear_attack", 0.06)):
                if scribe.happens(probability):
                    facts = {"ammunition": "swarm"} if what == "secondary_target" and scribe.happens(0.2) else {}
                    yield from self.write(what, "fire", by=pilot.id, **facts)
        yield from self._falls("fire")

    def _hit(self, pilot: Pilot, target: Pilot, phase: str) -> Entries:
        """Write the damage of one pilot at another, and what comes with it."""
        scribe = self.scribe
        points = scribe.chance.randrange(pilot.mech.model.tons // 2 + 10 if pilot.mech else 10)
        facts: Document = {"points": points}
        if points >= 5 and scribe.happens(0.2):
            facts = {"band": [band for band, least in BANDS.items() if least <= points][-1]}
        if scribe.happens(0.1):
            facts["one_location"] = True
        yield from self.write("damage", phase, by=pilot.id, at=target.id, **facts)
        if not points:
            return
        self.attacked.setdefault(target.id, []).append(pilot.id)
        scribe.hurt[target.id] = scribe.hurt.get(target.id, 0) + points
        if scribe.happens(0.12):
            part = "weapon" if scribe.happens(0.5) else scribe.chance.choice(list(CRITICALS))
            yield from self.write("critical", phase, by=pilot.id, at=target.id, part=part)
            if target.has("uncanny_luck") and scribe.happens(0.9):
                yield from self.write("token", phase, by=target.id, ability="uncanny_luck", success=scribe.happens(0.7))
        if scribe.happens(0.03):
            yield from self.write("blown_off", phase, by=pilot.id, at=target.id)
        if scribe.happens(0.08):
            yield from self.write("head_hit", phase, by=pilot.id, at=target.id)
            yield from self._wound(target, phase)
        if scribe.happens(0.03):
            yield from self.write("knocked_out", phase, by=pilot.id, at=target.id)

    def _wound(self, pilot: Pilot, phase: str) -> Entries:
        owned = [each.ability.id for each in pilot.abilities]
        named = bool(owned) and self.scribe.happens(0.7)
        facts = {"ability": self.scribe.chance.choice(owned)} if named else {}
        if not (yield from self.write("wound", phase, at=pilot.id, **facts)):
            yield from self.write("wound", phase, at=pilot.id)
        if self.scribe.happens(0.15):
            yield from self.write("unconscious", phase, at=pilot.id)

    def _strike(self) -> Entries:
        """Play the physical phase."""
        self.attacked = {}
        scribe = self.scribe
        for pilot in scribe.here(self.table):
            target = self._target(pilot)
            if target is None or pilot.unconscious_since is not None or scribe.happens(0.75):
                continue
            what = scribe.chance.choice(("melee", "melee", "melee_weapon", "charge", "death_from_above"))
            facts: Document = {}
            if what == "death_from_above":
                facts["hit"] = scribe.happens(0.6)
            elif what == "melee" and scribe.happens(0.1):
                facts["push"] = True
            yield from self.write(what, "physical", by=pilot.id, at=target.id, **facts)
            if facts.get("hit", not facts):
                yield from self._hit(pilot, target, "physical")
        yield from self._falls("physical")

    # --- what comes of them ------------------------------------------------------------------------------------------

    def _falls(self, phase: str) -> Entries:
        """Write who falls in this phase, and who stands though they took much."""
        scribe = self.scribe
        for name, attackers in self.attacked.items():
            pilot = scribe.event.pilots[name]
            if not pilot.is_in_arena or pilot.mech is None:
                continue
            share = scribe.hurt[name] / pilot.mech.model.tons
            by = list(dict.fromkeys(attackers))
            if share > DESTROYED_AT or scribe.happens(0.01):
                yield from self._kill(pilot, by, phase)
            elif share > CRIPPLED_AT and pilot.mech.state == "intact":
                yield from self._cripple(pilot, by, phase)
            elif scribe.happens(0.03):
                yield from self.write("eject", phase, at=name)
            elif scribe.happens(0.05):
                yield from self.write("sustained", phase, by=name, points=scribe.chance.randrange(20, 80))
                yield from self.write("standing_after_50", phase, by=name)

    def _kill(self, pilot: Pilot, by: list[str], phase: str) -> Entries:
        scribe = self.scribe
        if scribe.happens(0.15):
            yield from self.write("cripple", phase, at=pilot.id, by=by)
        if pilot.auto_eject and scribe.happens(0.1):
            yield from self.write("eject", phase, at=pilot.id, automatic=True)
        facts: Document = {"by": by}
        if scribe.happens(0.2):
            facts = {}
        elif scribe.happens(0.05):
            facts = {"by": [], "method": scribe.chance.choice(NOT_OF_FIRE)}
        elif phase == "physical":
            facts["method"] = scribe.chance.choice(("melee", "charge", "death_from_above"))
        yield from self.write("kill", phase, at=pilot.id, **facts)
        if scribe.happens(0.2):
            yield from self._dies(pilot, phase)

    def _cripple(self, pilot: Pilot, by: list[str], phase: str) -> Entries:
        method = "fire" if phase == "fire" else self.scribe.chance.choice(("melee", "charge", "death_from_above"))
        yield from self.write("cripple", phase, at=pilot.id, by=by, method=method)

    def _dies(self, pilot: Pilot, phase: str) -> Entries:
        """Write the death of a pilot, and the roll of Solaris Prison that may take it back."""
        yield from self.write("death", phase, at=pilot.id)
        yield from self.scribe.off(pilot, "prison_roll", dice=self.scribe.dice())

    def _finish(self) -> Entries:
        """Play the end phase."""
        scribe = self.scribe
        for pilot in scribe.here(self.table):
            if pilot.is_fatally_hit:
                yield from self._dies(pilot, "end")
                continue
            if scribe.happens(0.04):
                yield from self.write("crowd", "end", by=pilot.id)
            if pilot.mech is not None and pilot.mech.state == "crippled" and scribe.happens(0.05):
                heat: Document = {"by": [each.id for each in scribe.some(scribe.here(self.table), 1) if each != pilot]}
                yield from self.write("kill", "end", at=pilot.id, method="heat", **heat)
        if scribe.happens(0.1):
            points = scribe.chance.randrange(10)
            yield from self.write("noted", text="The crowd stamps its feet.", points=points)
            if points < len(SURPRISES):
                what, facts = SURPRISES[points]
                yield from self.write(what, **facts)
        fatal = [
            each for each in scribe.outside() if each.wounds >= FATAL_WOUNDS and scribe.seats[each.id] == self.table
        ]
        for pilot in fatal:
            yield from self._dies(pilot, "end")
