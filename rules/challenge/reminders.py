"""What people keep at the table and nothing here enforces: one sentence a rule, shown where its topic comes up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Reminder(NamedTuple):
    """A rule to remember: where it comes up, and what it says."""

    topic: str
    sentence: str


TOPICS = (
    "set_up", "qualifier", "final", "turret", "surprise", "edge", "ability", "membership", "fire", "criticals", "board",
    "exit", "team",
)  # fmt: skip
"""Where reminders are shown."""

REMINDERS: Mapping[str, Reminder] = {
    "MC-GEN-04": Reminder("exit", "Record sheets are used again: damage stays until it is repaired."),
    "MC-GEN-06": Reminder("set_up", "A pilot made at home plays once the judges approve; only pencils are used."),
    "MC-GEN-08": Reminder("set_up", "The tournament area is the table and 20 feet round it; the arena is its maps. "
                          "A weapon with a critical hit is disabled."),
    "MC-GEN-09": Reminder("ability", "A lower target number to hit and a higher gunnery roll are both a bonus."),
    "MC-AREA-01": Reminder("set_up", "The GM says how many levels each building has, whether it can be damaged, and "
                           "its construction factor."),
    "MC-AREA-02": Reminder("set_up", "The GM shows where each level of the terrain begins and which hexes odd pieces "
                           "fill."),
    "MC-AREA-03": Reminder("qualifier", "About 4 by 6 feet without water; nobody starts fires; no starting area sees "
                           "another; exits are marked."),
    "MC-AREA-04": Reminder("final", "About 4 by 6 feet without water, fires or exits; starting areas lie on the edge, "
                           "equally far apart, with little sight between them."),
    "MC-AREA-05": Reminder("final", "A movement takes one minute at most; who takes longer has a movement modifier of "
                           "+0."),
    "MC-SURP-01": Reminder("set_up", "The GM announces natural hazards before the first turn."),
    "MC-TUR-01": Reminder("turret", "Turrets may appear in any turn, at places that were fixed before."),
    "MC-TUR-02": Reminder("turret", "A turret locks on to the nearest target in sight."),
    "MC-TUR-03": Reminder("turret", "Turrets fire first in the fire phase."),
    "MC-MINE-01": Reminder("surprise", "The GM or an agent places minefields by chance and keeps them hidden."),
    "MC-REBAR-01": Reminder("surprise", "Rebar is laid out before each phase of the tournament and serves as a club."),
    "MC-TANK-02": Reminder("surprise", "A liquid tank that breaks harms the units next to it, by the table of its "
                           "liquid."),
    "MC-ABIL-16": Reminder("ability", "Speed Demon works while at least half of all leg actuators do."),
    "MC-ABIL-19": Reminder("ability", "Low Blow and Deadeye do not serve weapons with the barred codes on the sheet."),
    "MC-EDGE-02": Reminder("edge", "An Edge card has any roll that touches its player rolled again, initiative too."),
    "MC-EDGE-03": Reminder("edge", "The new roll stands; only another Edge card replaces it."),
    "MC-STSP-03": Reminder("membership", "In the tournament area only stablemates talk tactics with each other."),
    "MC-STSP-08": Reminder("membership", "Stablemates may shoot at each other; nothing is taken for it."),
    "MC-ADVST-03": Reminder("membership", "The GM says before the event how many may belong to one stable."),
    "MC-CUST-09": Reminder("membership", "A changed 'Mech is built before the GM's eyes and approved."),
    "MC-STAB-12": Reminder("membership", "What a stable changes on the board stands on the card of its pilot."),
    "MC-BOARD-01": Reminder("fire", "Fire is declared in reverse order of initiative."),
    "MC-BOARD-02": Reminder("board", "Unless the GM says otherwise structures stand, buildings stay shut, woods stay, "
                            "and nothing burns or smokes."),
    "MC-BOARD-03": Reminder("board", "C3, C3i and TAG do not work unless a stable, a sponsor or a team allows them."),
    "MC-BOARD-06": Reminder("board", "Of the advanced rules those for backward movement, floating criticals, charges, "
                            "anti-missile systems, machine guns, energy and Gauss weapons serve as announced."),
    "MC-BOARD-07": Reminder("criticals", "The GM says whether a 'Mech is crippled or destroyed, by the rulebook."),
    "MC-BOARD-05": Reminder("board", "Bins with special ammunition are marked on the sheet, authorised, and full."),
    "MC-AWD-05": Reminder("criticals", "Hits on a center torso or head that is gone roll no critical hits."),
    "MC-EVT-08": Reminder("criticals", "The judge decides what the crowd likes and what damage is secondary."),
    "MC-EXIT-04": Reminder("exit", "Who stands on a portal need not leave."),
    "MC-EXIT-05": Reminder("exit", "Gate: declare it before moving, walk or run, pay 2 more movement points; the 'Mech "
                           "goes at the end of the movement phase."),
    "MC-EXIT-06": Reminder("exit", "Elevator: declare it before moving in any way, pay 2 more movement points; the "
                           "'Mech goes in the end phase and fights on till then. Unless it is prone, its punches "
                           "use the kick table and kicks at it the punch table."),
    "MC-EXIT-07": Reminder("exit", "A physical attack declared on who is leaving shuts the portal for this turn; at a "
                           "gate they may try again from its hex."),
    "MC-EXIT-08": Reminder("exit", "A 'Mech that cannot leave by the end of its phase stays."),
    "MC-EXIT-09": Reminder("exit", "A 'Mech whose legs leave it one point to walk may leave in the turn it arrives."),
    "MC-TEAM-08": Reminder("team", "Teammates talk tactics, do not attack each other, pass through each other's hexes, "
                           "and their C3, Narc, ECM and TAG work."),
    "MC-TEAM-09": Reminder("team", "Whether a team enters together is for the GM to say."),
}  # fmt: skip


def reminders_for(topic: str) -> dict[str, str]:
    """Return the sentences of a topic by their rules, in the order of the rules."""
    return {rule: each.sentence for rule, each in REMINDERS.items() if each.topic == topic}
