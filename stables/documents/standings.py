"""Places and titles of a season's document, decided again by the rules from its books and results.

Each check raises SeasonRefused with the place of the first entry that is not what the rules give.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from rules.campaign.season.participation import is_paid, may_win_titles, takes_part
from rules.campaign.season.settings import CHOICES, SeasonSettings
from rules.campaign.standings.places import CycleScore, Place, Record, cycle_places, leaders, melee_places
from rules.campaign.standings.purses import purse
from rules.core.dice import Dice, SeededDice, stream_seed
from stables.documents.books import BROKEN, current_documents, differs, sums_of_records, sums_of_stables
from stables.documents.columns import Row
from stables.documents.played import TITLE
from stables.models import Cycle, Season, Title

DIFFER = "season_document_places_differ"
ANY = SeededDice(bytes(32))
"""Dice whose falls nobody looks at."""


def check_ranks(document: Row, *, knows_dice: bool) -> None:
    """Rank every closed cycle again: one place a stable and edition, in the order that the books give, with its purse.

    Ties are broken by dice from the season's secret; where the document does not have it (`knows_dice`), those who tie
    may stand in any order.
    """
    listed: dict[tuple[int, int], list[tuple[int, Row]]] = {}
    for position, row in enumerate(document["placings"]):
        listed.setdefault((row["cycle"], row["revision"]), []).append((position, row))
    is_over = document["season"]["state"] == Season.State.FINISHED
    for position, cycle in enumerate(document["cycles"]):
        if cycle["state"] != Cycle.State.CLOSED:
            if is_over:
                raise differs(DIFFER, f"cycles[{position}].state", cycle["state"], Cycle.State.CLOSED.value)
            continue
        if cycle["started_with"] is not None and cycle["rounds_planned"] == 0:
            # It was dropped for want of stables, and has no places.
            entering: list[int] = []
        else:
            entering = entrants(document, cycle["number"])
        for revision in range(1, cycle["placings_revision"] + 1):
            rows = listed.get((cycle["number"], revision), [])
            places = sorted((row["place"], row["stable"]) for _, row in rows)
            is_whole = [place for place, _ in places] == list(range(1, len(entering) + 1))
            if not is_whole or sorted(stable for _, stable in places) != entering:
                stored = f"{cycle['number']}: " + ", ".join(str(stable) for _, stable in places)
                wanted = ", ".join(str(stable) for stable in entering)
                raise differs(DIFFER, f"cycles[{position}]", stored or "–", wanted or "–")
        if entering:
            _check_edition(document, cycle, listed[cycle["number"], cycle["placings_revision"]], knows_dice)
        for (number, _), rows in listed.items():
            if number == cycle["number"]:
                _check_purses(document, cycle, rows, len(entering))


def entrants(document: Row, cycle: int) -> list[int]:
    """Return the numbers of the stables that take part in a cycle (R-CYC-11, Q-159)."""
    skipped: dict[int, set[int]] = {}
    for row in document["skipped_cycles"]:
        skipped.setdefault(row["stable"], set()).add(row["cycle_number"])
    return sorted(
        row["number"]
        for row in document["stables"]
        if takes_part(row["joined_in_cycle"], row["left_in_cycle"], skipped.get(row["number"], set()), cycle)
    )


def settings_in_force(document: Row, *names: str) -> list[tuple[str, ...]]:
    """Return the values that settings may have had: those that hold, and any others if they were changed on the way."""
    now = SeasonSettings.from_json(document["season"]["settings"])
    changed: set[str] = set()
    for row in document["log"]:
        if row["code"] == "settings_hold":
            changed |= set(str(row["parameters"].get("settings", "")).split(", "))
    return list(product(*(CHOICES[name] if name in changed else (str(getattr(now, name)),) for name in names)))


def _check_edition(document: Row, cycle: Row, rows: list[tuple[int, Row]], knows_dice: bool) -> None:
    """Compare the places that hold with those that the rules give."""
    rows = sorted(rows, key=lambda each: int(each[1]["place"]))
    at = f"placings[{rows[0][0]}]"
    stables = [row["stable"] for _, row in rows]
    try:
        found = [
            _ranked(document, cycle, stables, rank_by, knows_dice)
            for (rank_by,) in settings_in_force(document, "purse_rank_by")
        ]
    except BROKEN:
        raise differs(DIFFER, at, "–", "–") from None
    stored = [(row["place"], row["stable"], row["decided_by"]) for _, row in rows]
    problems = [_first_difference(stored, places, knows_dice) for places in found]
    if None not in problems:
        index = problems[0] or 0
        place = found[0][index]
        wanted = f"{place.place}: {int(place.stable)} ({place.decided_by or '–'})"
        told = rows[index][1]
        raise differs(
            DIFFER,
            f"placings[{rows[index][0]}].place",
            f"{told['place']}: {told['stable']} ({told['decided_by'] or '–'})",
            wanted,
        )


def _ranked(document: Row, cycle: Row, stables: Iterable[int], rank_by: str, knows_dice: bool) -> list[Place]:
    number = cycle["number"]
    if cycle["format"] == "grand_melee":
        fixture = next(row for row in document["fixtures"] if row["round"].startswith(f"{number}/"))
        stand = f"{fixture['round']}/{fixture['number']}"
        result = current_documents(document)[stand]
        if result["ended_by"] != "void":
            names = {row["side"]: f"{row['stable']:02d}" for row in document["sides"] if row["fixture"] == stand}
            placed = result["places"]
            forfeited = [name for side, name in names.items() if side not in placed]
            return melee_places([names[side] for side in placed], forfeited)
    sums = sums_of_stables(document)
    totals: dict[int, int] = {}
    for (of, stable), held in sums.items():
        if of <= number:
            totals[stable] = totals.get(stable, 0) + held[0]
    scores = []
    for stable in stables:
        reputation, kills, wins, matches = sums.get((number, stable), [0, 0, 0, 0])
        scores.append(CycleScore(f"{stable:02d}", reputation, kills, wins, matches, totals.get(stable, 0)))
    return cycle_places(scores, _dice(document, number) if knows_dice else ANY, rank_by)


def _dice(document: Row, cycle: int) -> Dice:
    return SeededDice(stream_seed(bytes.fromhex(document["season"]["secret"]), "places", cycle))


def _first_difference(stored: list[tuple[int, int, str]], places: list[Place], knows_dice: bool) -> int | None:
    """Return the index of the first place that is not as it should be; None when all are."""
    groups: list[int] = []
    for place in places:
        # Who lost a die stands behind those with whom he tied, in any order if the dice are not known.
        is_tied = place.decided_by == "die" and not knows_dice
        groups.append(groups[-1] if is_tied else place.place)
    if len(stored) != len(places):
        return 0
    of_stable = {int(place.stable): group for place, group in zip(places, groups, strict=True)}
    for index, (number, stable, decided_by) in enumerate(stored):
        wanted = places[index]
        if number != wanted.place or of_stable.get(stable) != groups[index] or decided_by != (wanted.decided_by or ""):
            return index
    return None


def _check_purses(document: Row, cycle: Row, rows: list[tuple[int, Row]], entering: int) -> None:
    left = {row["number"]: row["left_in_cycle"] for row in document["stables"]}
    for position, row in rows:
        try:
            found = {
                purse(cycle["format"], cycle["match_class"], cycle["started_with"] or entering, row["place"], team4)
                if is_paid(left[row["stable"]], cycle["number"])
                else 0
                for (team4,) in settings_in_force(document, "purse_team4_lightweight")
            }
        except BROKEN:
            found = set()
        if row["purse"] not in found:
            wanted = ", ".join(str(amount) for amount in sorted(found)) or "–"
            raise differs(DIFFER, f"placings[{position}].purse", row["purse"], wanted)


# Titles ---------------------------------------------------------------------------------------------------------------


def check_champions(document: Row, played: Mapping[str, Row]) -> None:
    """Find the champions again: both titles are held, by whom reputation and kills, or a sudden death, make champion.

    `played` are the matches by stand-in. Who is held to be absent from a sudden death is taken as it is told.
    """
    if document["season"]["state"] != Season.State.FINISHED:
        for position, row in enumerate(document["titles"]):
            raise differs(DIFFER, f"titles[{position}].kind", row["kind"], "–")
    else:
        for kind in Title.Kind.values:
            _check_title(document, kind, played)


def _claims(document: Row, kind: str) -> dict[str, Record]:
    """Everybody who has a record for a title, by the key that stands for him in draws
    (stables.services.standings.titles)."""
    stays = [row["number"] for row in document["stables"] if may_win_titles(row["left_in_cycle"])]
    sums = sums_of_records(document)
    lines = [(stable, "") for stable in stays] if kind == Title.Kind.STABLE else [line for line in sums if line[1]]
    records = (Record(_key(*line), *sums.get(line, [0, 0])) for line in lines if line[0] in stays)
    return {record.name: record for record in records}


def _key(stable: int, code: str) -> str:
    return f"{stable:02d}:{code}" if code else f"{stable:02d}"


def _check_title(document: Row, kind: str, played: Mapping[str, Row]) -> None:
    rows = [(position, row) for position, row in enumerate(document["titles"]) if row["kind"] == kind]
    claims = _claims(document, kind)
    tied = leaders(claims.values())
    at = f"titles[{rows[0][0]}]" if rows else "titles"
    held = sorted(_key(row["stable"], (row["asset"] or "").partition(":")[2]) for _, row in rows)
    how = sorted({row["decided_by"] for _, row in rows})
    told = f"{', '.join(held) or '–'} ({', '.join(how)})"
    fights = {
        each["side"]: each["claim"]
        for row in document["sudden_deaths"]
        if row["kind"] == kind
        for each in row["contenders"]
        if each.get("side")
    }
    if fights:
        # A result may have been corrected between its call and its match.
        if not document["corrections"] and not set(fights.values()) <= set(tied):
            raise differs(DIFFER, at, ", ".join(sorted(map(str, fights.values()))), ", ".join(tied))
        result = (played.get(f"{TITLE}{kind}") or {}).get("result") or {}
        winner = fights.get(result.get("winner"))
        if held != [winner] or how != [Title.Decision.SUDDEN_DEATH]:
            raise differs(DIFFER, at, told, f"{winner or '–'} ({Title.Decision.SUDDEN_DEATH.value})")
        if rows[0][1]["match"] != f"{TITLE}{kind}":
            raise differs(DIFFER, f"{at}.match", rows[0][1]["match"], f"{TITLE}{kind}")
        return
    for position, row in rows:
        if row["match"] is not None:
            raise differs(DIFFER, f"titles[{position}].match", row["match"], "–")
    if len(tied) > 1:
        wanted = Title.Decision.APPEARANCE if len(held) == 1 else Title.Decision.SHARED
        is_right = bool(held) and set(held) <= set(tied) and how == [wanted]
    else:
        best = [claims[name] for name in tied]
        is_even = any(other.reputation == best[0].reputation for name, other in claims.items() if name not in tied)
        wanted = Title.Decision.KILLS if is_even else Title.Decision.REPUTATION
        is_right = held == list(tied) and how == ([wanted] if tied else [])
    if not is_right:
        raise differs(DIFFER, at, told, f"{', '.join(tied) or '–'} ({wanted.value})")
