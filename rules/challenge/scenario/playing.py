"""Playing a scenario of the Challenge: its entries one after another, and the outcome as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.challenge.deeds.doors import back_in, may_exit_in
from rules.challenge.entries import read_entry
from rules.challenge.folding import ChallengeRefused, enter
from rules.challenge.kinds import KINDS
from rules.challenge.off_board.money import loan_ceiling
from rules.challenge.quotes.repair import MODES, most_repair_cp, repair_quote
from rules.challenge.quotes.trade import net_worth, sale_quote
from rules.challenge.ranking import day_ranking, level_at_the_cut, ranking, seats
from rules.challenge.scenario.form import read_event
from rules.challenge.state import Event, Pilot
from rules.core.refusals import Malformed


def played(document: Mapping[str, Any]) -> tuple[dict[str, Any] | None, str | None]:
    """Play a scenario; return its outcome, and a line that says why there is none.

    `error` of the outcome is the code with which the last entry was refused, or without entries the setup itself, as
    long as `expect.error` says that it will be.
    """
    entries = document.get("entries") or []
    expects_refusal = bool((document.get("expect") or {}).get("error"))
    try:
        event = read_event(document)
    except Malformed as refused:
        if expects_refusal and not entries:
            return {"error": refused.code}, None
        return None, f"the setup is refused: {refused}"
    error = None
    for number, entry in enumerate(entries, start=1):
        try:
            enter(event, read_entry(entry, KINDS))
        except (ChallengeRefused, Malformed) as refused:
            if number < len(entries) or not expects_refusal:
                return None, f"entry {number} refused: {refused}"
            error = refused.code
    return outcome(event, error), None


def outcome(event: Event, error: str | None) -> dict[str, Any]:
    """Return what a scenario may expect, as JSON."""
    return {
        "awards": [
            {"pilot": line.pilot, "row": line.reason, **_amounts(event, line.reason, line.worth, line.why)}
            for line in event.lines
            if "." in line.reason
        ],
        "effects": [
            {"pilot": line.pilot, "reason": line.reason, **line.worth._asdict()}
            for line in event.lines
            if "." not in line.reason
        ],
        "pilots": {pilot.id: _pilot(event, pilot) for pilot in event.pilots.values()},
        "teams": {
            team.id: {"members": team.members, "fame": team.fame, "cp": team.cp, "c_bills": team.c_bills,
                      "sponsor": team.sponsor.id if team.sponsor else None}
            for team in event.teams.values()
        },
        "bets": list(event.bets),
        "quotes": {pilot.id: _quotes(event, pilot) for pilot in event.pilots.values() if pilot.mech},
        "ranking": ranking(event),
        "day_ranking": day_ranking(event),
        "day_winners": {str(day): name for day, name in event.day_winners.items()},
        "seats": seats(event),
        "level_at_the_cut": level_at_the_cut(event),
        "finalists": None if event.finalists is None else list(event.finalists),
        "orders": {table.id: table.order for table in event.tables.values()},
        "turns": {table.id: table.turn for table in event.tables.values()},
        "day": event.day,
        "error": error,
    }  # fmt: skip


def _amounts(event: Event, reason: str, worth: Any, why: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an award is worth; a chip shows its row's worth, though nothing has been paid yet."""
    shown = event.printed.rows[reason].worth if why.get("chip") else worth
    return {**shown._asdict(), **({"chip": True} if why.get("chip") else {})}


def _pilot(event: Event, pilot: Pilot) -> dict[str, Any]:
    mech = pilot.mech
    loan = pilot.loan
    return {
        "player": pilot.player,
        "fame": pilot.fame,
        "cp": pilot.cp,
        "c_bills": pilot.c_bills,
        "house": pilot.house,
        "abilities": [owned.ability.id for owned in pilot.abilities],
        "suspended": [owned.ability.id for owned in pilot.abilities if owned.suspended],
        "stable": pilot.stable.id if pilot.stable else None,
        "sponsors": [sponsor.id for sponsor in pilot.sponsors],
        "closed": sorted(pilot.closed),
        "loan": None if loan is None else {"limit": loan.limit, "owed": loan.owed, "lender": loan.lender},
        "loan_ceiling": loan_ceiling(event, pilot),
        "debt": pilot.debt._asdict(),
        "wounds": pilot.wounds,
        "edge": pilot.edge,
        "tokens": sorted(pilot.tokens),
        "chips": [chip.row for chip in pilot.chips],
        "coupon": pilot.coupon,
        "approved": pilot.approved,
        "card": pilot.card,
        "sheets_in": pilot.sheets_in,
        "forfeited": pilot.forfeited,
        "auto_eject": pilot.auto_eject,
        "rebar": pilot.rebar,
        "alive": pilot.alive,
        "fatally_hit": pilot.is_fatally_hit,
        "in_arena": pilot.is_in_arena,
        "back_in": back_in(event, pilot, pilot.table),
        "may_exit_in": may_exit_in(event, pilot) if pilot.is_in_arena else None,
        "gunnery": pilot.gunnery,
        "piloting": pilot.piloting,
        "earned": pilot.earned,
        "overruns": pilot.overruns,
        "net_worth": net_worth(event, pilot),
        "kills": {"solo": pilot.kills.solo, "assisted": pilot.kills.assisted},
        "day_kills": {"solo": pilot.day_kills.solo, "assisted": pilot.day_kills.assisted},
        "final_kills": {"solo": pilot.final_kills.solo, "assisted": pilot.final_kills.assisted},
        "mech": None
        if mech is None
        else {"id": mech.model.id, "state": mech.state, "ejected": mech.ejected, "spot": dict(mech.damage),
              "book": mech.book, "paid": mech.paid, "built_by": mech.built_by, "team": mech.team},
    }  # fmt: skip


def _quotes(event: Event, pilot: Pilot) -> dict[str, Any]:
    """Return the repair of a pilot's 'Mech in both modes, None where it cannot be had, and what a sale brings.

    With a coupon, and at Devall's with the most CP, there is a second price of each mode.
    """
    mech = pilot.mech
    if mech is None:
        return {}
    found: dict[str, Any] = {}
    for mode in MODES:
        possible = mech.is_damaged and not (mode == "spot" and mech.state == "destroyed")
        found[mode] = repair_quote(event, pilot, mech, mode).c_bills if possible else None
        if pilot.coupon:
            found[f"{mode}_with_coupon"] = (
                repair_quote(event, pilot, mech, mode, coupon=True).c_bills if possible else None
            )
        if most_repair_cp(pilot):
            quote = repair_quote(event, pilot, mech, mode, most_repair_cp(pilot))
            found[f"{mode}_with_cp"] = quote.c_bills if possible else None
    sale = sale_quote(event, pilot, mech)
    found["sale"], found["sale_net"] = sale.c_bills, sale.net
    unrepaired = sale_quote(event, pilot, mech, repaired=False)
    found["unrepaired_sale"] = unrepaired.c_bills if unrepaired.percent else None
    return found
