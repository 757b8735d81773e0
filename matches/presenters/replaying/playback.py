"""The playback of a stretch of a match: the scenes that a script plays over the board, and when each of them begins.

Scenes come from the stored events that everybody sees, and from the snapshots between them. Lengths are SVG user units,
times are milliseconds from the beginning of the stretch. Nothing here reads a clock.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from typing import Any

from django.utils.translation import gettext

from catalogue.presenters.arena_picture import centre
from matches.presenters.attacks import Die
from matches.presenters.board import BoardView, TokenView, UnitView
from matches.presenters.match import idle_round, scored_by
from rules import wording
from rules.competition.replay import snapshots_at
from rules.competition.setups import read_setup
from rules.competition.state.encoding import SEEN_BY_ALL
from rules.wording.filling import signed
from web.languages.reader import translate

Event = Mapping[str, Any]
Snapshot = Mapping[str, Any]

MOST_OF_A_ROUND = 4000
"""The milliseconds that the scenes of one round take together at most, however many there are."""

LENGTHS = {
    "attack_resolved": 1200, "dial_turned": 600, "eliminated": 900, "equipment_rolled": 500, "faced": 300,
    "heat_dial_turned": 400, "heat_effect_rolled": 600, "break_away_rolled": 600, "initiative_rolled": 500,
    "moved": 800, "pilot_revived": 500, "pilot_unconscious": 600, "repaired": 600, "restarted": 500,
    "revive_rolled": 500, "second_roll": 700, "shut_down": 700, "surrendered": 600, "token_destroyed": 600,
    "token_placed": 400, "unit_placed": 400,
}  # fmt: skip
"""The events that are scenes, and how long each is played when its round has few of them."""

IDLE = 900
"""The milliseconds for the caption of a round in which no unit has a turn."""

DIE_GAP = 17.0
DIE_WIDTH = 15.0
BAR_WIDTH = 46.0


@dataclass(frozen=True)
class LineOfFire:
    """The line of fire at one target, its middle there, and what comes of it: "−2", "0" or "miss"."""

    x1: float
    y1: float
    x2: float
    y2: float
    is_hit: bool
    text: str


@dataclass(frozen=True)
class FallenDie:
    """A die of the scene, by its upper left corner."""

    x: float
    y: float
    die: Die


@dataclass(frozen=True)
class Bar:
    """A bar of clicks left or of heat below a unit, by its upper left corner.

    It goes from `before` to `after`, which are parts of the whole (0 to 1).
    """

    x: float
    y: float
    kind: str
    text: str
    before: float
    after: float


@dataclass(frozen=True)
class Sign:
    """A few words at a place on the board."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class PlayedEvent:
    """One event as it is played. `place` counts the match's events from 0; `text` is its line in the log."""

    place: int
    round: int
    kind: str
    start: int
    length: int
    text: str
    shots: tuple[LineOfFire, ...] = ()
    dice: tuple[FallenDie, ...] = ()
    bar: Bar | None = None
    sign: Sign | None = None


@dataclass(frozen=True)
class Lost:
    """A unit or target token that the picture after the stretch no longer shows standing.

    `unit` is the unit as the mark of its wreck has it, None for a token; `defense` is the token's, 0 for a unit.
    """

    id: str
    x: float
    y: float
    unit: UnitView | None = None
    defense: int = 0


@dataclass(frozen=True)
class Track:
    """How a piece of the picture moves: its class `of` in the SVG, and its `number` there from 0.

    `way` and `turns` are keyframes of browsers as JSON, for the piece and for its arrow. They span the whole playback
    and lead to where the picture has the piece.
    """

    of: str
    number: int
    way: str
    turns: str


@dataclass(frozen=True)
class Playback:
    """The scenes of a stretch, in order. `until` is the number of the match's events at its end.

    `tracks` say how each piece of the picture moves. `lost` are pieces that must be drawn to be seen; their class is
    "lost".
    """

    until: int
    scenes: tuple[PlayedEvent, ...]
    tracks: tuple[Track, ...]
    lost: tuple[Lost, ...]

    @property
    def length(self) -> int:
        """The milliseconds from the first scene to the end of the last."""
        return self.scenes[-1].start + self.scenes[-1].length if self.scenes else 0


def planned(rounds: Sequence[int], lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Return start and length of each scene, from its round and the length that it would like.

    Scenes follow each other. Those of a round that would take more than MOST_OF_A_ROUND are all shortened alike.
    """
    kept: list[int] = []
    for _, of_round in groupby(zip(rounds, lengths, strict=True), key=lambda pair: pair[0]):
        wanted = [length for _, length in of_round]
        most = max(sum(wanted), MOST_OF_A_ROUND)
        kept.extend(length * MOST_OF_A_ROUND // most for length in wanted)
    return list(zip(accumulate(kept, initial=0), kept, strict=False))


def played_from(events: Sequence[Event], first: int) -> int:
    """Return the place from which `events` are played to a reader who knows those before `first`.

    It is not before the round that precedes the last one: who missed more reads it in the log.
    """
    begun = [place for place, event in enumerate(events) if event["event"] == "round_began"]
    return max(first, begun[-2] if len(begun) > 1 else 0)


def idle_ends(events: Sequence[Event]) -> frozenset[int]:
    """Return the places at which the clean-up of a round begins in which no unit had a turn."""
    found, is_idle = set(), False
    for place, event in enumerate(events):
        is_idle = event["event"] == "round_began" or (is_idle and event["event"] != "turn_began")
        if is_idle and event["event"] == "phase_began" and event["phase"] == "cleanup":
            found.add(place)
    return frozenset(found)


def tied_rolls(events: Sequence[Event]) -> frozenset[int]:
    """Return the places of initiative rolls that a tie undid: their units roll again at once."""
    found: set[int] = set()
    for are_rolls, group in groupby(enumerate(events), key=lambda pair: pair[1]["event"] == "initiative_rolled"):
        units = {place: event.get("unit") for place, event in group}
        if are_rolls:
            found |= units.keys() - {unit: place for place, unit in units.items()}.values()
    return frozenset(found)


def playback_of(
    setup: Mapping[str, Any], events: Sequence[Event], first: int, board: BoardView, names: Mapping[str, str]
) -> Playback:
    """Return the scenes of a match's `events` from the place `first` on; `board` is the picture after the last one.

    Raises Malformed when the present rules cannot read the setup.
    """
    snapshots = list(snapshots_at(read_setup(setup), events, range(first, len(events) + 1)))
    idle, tied = idle_ends(events), tied_rolls(events)
    places = [
        place
        for place, event in enumerate(events[first:], start=first)
        if place in idle
        or (event["event"] in LENGTHS and place not in tied and event.get("see", SEEN_BY_ALL) == SEEN_BY_ALL)
    ]
    rounds = [int(snapshots[place - first]["round"]) for place in places]
    times = planned(rounds, [LENGTHS.get(events[place]["event"], IDLE) for place in places])
    clicks = {loadout["id"]: loadout["unit"] for side in setup["sides"] for loadout in side["units"]}
    scenes = []
    for place, number, (start, length) in zip(places, rounds, times, strict=True):
        event, before = events[place], snapshots[place - first]
        scene = PlayedEvent(
            place=place,
            round=number,
            kind=event["event"],
            start=start,
            length=length,
            text=idle_round(number) if place in idle else wording.event_sentence(event, names, translate),
            **_marks(event, events[place + 1 :], before, snapshots[place - first + 1], clicks),
        )
        scenes.append(scene)
    played = {scene.place: scene for scene in scenes}
    lost = tuple(_lost(snapshots, board))
    drawn: dict[str, Sequence[UnitView | TokenView | Lost]] = {
        "b-unit": board.units, "b-wreck": board.wrecks, "b-token": board.tokens, "lost": lost,
    }  # fmt: skip
    length, tracks = sum(scene.length for scene in scenes), []
    for of, pieces in drawn.items():
        for number, piece in enumerate(pieces):
            stations = list(_stations(piece.id, events[first:], snapshots, played, first))
            if len(stations) > 1:
                frames = _frames(stations, (piece.x, piece.y), max(length, 1), of == "b-wreck")
                tracks.append(Track(of, number, *(json.dumps(part, separators=(",", ":")) for part in frames)))
    return Playback(len(events), tuple(scenes), tuple(tracks), lost)


def _marks(
    event: Event, following: Sequence[Event], before: Snapshot, after: Snapshot, units: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what a scene draws besides moving pieces, as fields of PlayedEvent."""
    kind, unit = event["event"], event.get("unit") or event.get("token") or ""
    at = _middle(unit, after) or _middle(unit, before)
    if at is None:
        return {}
    if kind == "attack_resolved":
        return _attack(event, following, before, at)
    dice = [event["die"]] if event.get("die") else list(event.get("dice") or ())
    found: dict[str, Any] = {"dice": _dice(dice, *at)}
    if kind in ("dial_turned", "repaired"):
        whole = len(units[unit]["dial"])
        left = [max(whole - event[end], 0) for end in ("from", "to")]
        text = gettext("clicks %(before)s → %(after)s") % {"before": left[0], "after": left[1]}
        found["bar"] = _bar(at, "clicks", text, *(_part(each, whole) for each in left))
    elif kind == "heat_dial_turned":
        whole = len(units[unit]["heat"])
        text = gettext("heat %(before)s → %(after)s") % {"before": event["from"], "after": event["to"]}
        found["bar"] = _bar(at, "heat", text, _part(event["from"], whole), _part(event["to"], whole))
    elif text := _sign(event):
        found["sign"] = Sign(*at, text)
    return found


def _sign(event: Event) -> str:
    """Return the few words of a scene at its piece; empty where a move, dice or a bar say it."""
    if event["event"] == "token_destroyed":
        return gettext("%(amount)s reputation") % {"amount": signed(event["reputation"])}
    return {
        "eliminated": gettext("✕ eliminated"),
        "surrendered": gettext("surrenders"),
        "shut_down": gettext("shut down"),
        "restarted": gettext("restarted"),
        "pilot_unconscious": gettext("pilot unconscious"),
        "pilot_revived": gettext("pilot awake"),
    }.get(event["event"], "")


def _bar(at: tuple[float, float], kind: str, text: str, before: float, after: float) -> Bar:
    return Bar(round(at[0] - BAR_WIDTH / 2, 2), round(at[1] + 24, 2), kind, text, before, after)


def _part(count: int, whole: int) -> float:
    return round(min(max(count / whole, 0), 1), 3) if whole else 0.0


def _attack(event: Event, following: Sequence[Event], before: Snapshot, at: tuple[float, float]) -> dict[str, Any]:
    """Return the lines of fire of an attack, and its dice beside the first target."""
    why = event.get("why") or {"targets": {}, "dice": []}
    dealt = {each["target"]: each["dealt"] for each in scored_by(event, following)} if why["targets"] else {}
    shots = []
    for target, row in why["targets"].items():
        to = _middle(target, before)
        if to is not None:
            text = signed(-dealt.get(target, 0)) if row["hit"] else gettext("miss")
            shots.append(LineOfFire(*at, *to, row["hit"], text))
    aimed = (shots[0].x2, shots[0].y2) if shots else at
    return {"shots": tuple(shots), "dice": _dice(why["dice"], *aimed)}


def _dice(faces: Sequence[int], x: float, y: float) -> tuple[FallenDie, ...]:
    """Return dice in a row above a place, below it near the upper rim; the third of three has the odd colour."""
    top = y - 44 if y > 60 else y + 28
    left = max(x - (DIE_GAP * (len(faces) - 1) + DIE_WIDTH) / 2, 2)
    return tuple(
        FallenDie(round(left + DIE_GAP * number, 2), round(top, 2), Die(face, number == 2))
        for number, face in enumerate(faces)
    )


def _middle(piece: str, snapshot: Snapshot) -> tuple[float, float] | None:
    state = snapshot["units"].get(piece) or snapshot["tokens"].get(piece)
    return centre(state["hex"]) if state and state["hex"] else None


def _lost(snapshots: Sequence[Snapshot], board: BoardView) -> Iterator[Lost]:
    """Yield the wrecks that stood in the stretch, and the target tokens that lay there and are gone."""
    for wreck in board.wrecks:
        if any(_middle(wreck.id, snapshot) for snapshot in snapshots):
            yield Lost(wreck.id, wreck.x, wreck.y, unit=wreck)
    last = {key: token for snapshot in snapshots for key, token in snapshot["tokens"].items()}
    for key, token in last.items():
        if key not in snapshots[-1]["tokens"]:
            yield Lost(key, *centre(token["hex"]), defense=token["defense"])


Station = tuple[int, float, float, int, bool]
"""When a piece is where: milliseconds, x, y, facing (clock hours), and whether it stands on the board."""


def _stations(
    key: str, events: Sequence[Event], snapshots: Sequence[Snapshot], played: Mapping[int, PlayedEvent], first: int
) -> Iterator[Station]:
    """Yield the stations of one piece: at the beginning, and around each event that changes its place or facing."""
    now, was = 0, _station(0, key, snapshots[0])
    yield was
    for number, event in enumerate(events):
        scene = played.get(first + number)
        start, end = (scene.start, scene.start + scene.length) if scene else (now, now)
        now = end
        then = _station(end, key, snapshots[number + 1])
        if then[1:] == was[1:]:
            continue
        # A piece that comes or goes does so at the beginning or at the end of its scene; it does not travel.
        yield (start if was[4] else end, *was[1:])
        if was[4] and then[4]:
            yield from _on_the_way(event, key, start, end, was)
        yield then
        was = then


def _station(time: int, piece: str, snapshot: Snapshot) -> Station:
    at = _middle(piece, snapshot)
    facing = int((snapshot["units"].get(piece) or {}).get("facing") or 0)
    return (time, *(at or (0.0, 0.0)), facing, at is not None)


def _on_the_way(event: Event, piece: str, start: int, end: int, was: Station) -> Iterator[Station]:
    """Yield the hexes of a path between its first and its last one, with the facing before the move."""
    path = event.get("path") or () if event.get("unit") == piece else ()
    between = [centre(code) for code in path if centre(code) != was[1:3]][:-1]
    for number, (x, y) in enumerate(between, start=1):
        yield (start + (end - start) * number // (len(between) + 1), x, y, was[3], True)


Frames = list[dict[str, Any]]


def _frames(stations: Sequence[Station], end: tuple[float, float], length: int, is_mark: bool) -> tuple[Frames, Frames]:
    """Return the keyframes of a piece that is drawn at `end`, and those of its arrow, over `length` milliseconds.

    The mark of a wreck stays where it is, and is seen once its unit no longer stands. A piece that stays in its place
    has no transform, so that it keeps the one that it may be drawn with.
    """
    turns = [0, *accumulate(_turn(a[3], b[3]) for a, b in pairwise(stations))]
    fell = max((number for number, station in enumerate(stations) if station[4]), default=-1)
    way: Frames = [{"opacity": int(number > fell if is_mark else row[4])} for number, row in enumerate(stations)]
    off = [(round(x - end[0], 2), round(y - end[1], 2)) if stands else (0, 0) for _, x, y, _, stands in stations]
    if not is_mark and any(x or y for x, y in off):
        for frame, (x, y) in zip(way, off, strict=True):
            frame["transform"] = f"translate({x:g}px,{y:g}px)"
    turned: Frames = [{"transform": f"rotate({each - turns[-1]}deg)"} for each in turns]
    for frames in (way, turned):
        for frame, station in zip(frames, stations, strict=True):
            frame["offset"] = round(min(station[0] / length, 1), 4)
        frames.append({**frames[-1], "offset": 1})
    return way, turned


def _turn(before: int, after: int) -> int:
    """Return the degrees of the shorter turn between two facings, clockwise positive."""
    return ((after - before + 5) % 12 - 5) * 30
