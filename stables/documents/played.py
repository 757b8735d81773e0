"""The tables of a document for matches, with every step, and for what people wrote about them."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import groupby
from typing import Any

from django.db.models import Q
from PIL import Image

from matches.models import Match, MatchAction, MatchSeat, StandingAnswers, WriteUp
from rules.core.refusals import Malformed
from stables.documents import values
from stables.documents.columns import FULL, Column, Contents, Octets, Person, RecordSet, Row, Translated, columns
from stables.documents.names import Names
from stables.models import Fixture, Season, SuddenDeath, Title
from web.photos import BROKEN, LARGEST_STORED, LONGEST_EDGE

STEPS_READ = 200
"""The number of steps that are fetched at once."""

BELONGS = "the match that it stands in"
TITLE = "title:"
"""The prefix of the stand-ins of matches for titles: "title:pilot", and "title:pilot:2" for the second one after a
correction. Other matches have their fixture's: "1/2/3"."""

_FOR_TITLE = re.compile(rf"{TITLE}({'|'.join(Title.Kind.values)})(?::([2-9]|[1-9][0-9]))?")

MATCHES = RecordSet(
    "matches",
    Match,
    columns(
        "public_id",
        "setup",
        "rules_version",
        Octets("seed"),
        "seed_commitment",
        "state",
        "last_sequence",
        "result",
        "seconds_a_round",
        "created_at",
        "finished_at",
    ),
    lambda season, contents: Match.objects.filter(pk__in=list(stands_of_matches(season))).order_by("pk"),
    left_out={
        "fixture_key": "made of what the match belongs to",
        "share_key": "a secret of those who have it; an imported match is shared by nobody",
        "is_tutorial": "no match of a season is one",
    },
)

SEATS = RecordSet(
    "seats",
    MatchSeat,
    columns("side", Person("user"), "bot", "bank_seconds", "bank_round", "expiries"),
    lambda season, contents: MatchSeat.objects.filter(match__in=list(stands_of_matches(season))).order_by(
        "match_id", "id"
    ),
    left_out={
        "match": BELONGS,
        "taken_at": "of use to ratings alone, and imported matches are not rated",
        "has_nodded": "a courtesy between people, of no use to a season",
    },
)

STANDING = RecordSet(
    "standing",
    StandingAnswers,
    columns("unit", "answers"),
    lambda season, contents: (
        StandingAnswers.objects.filter(seat__match__in=list(stands_of_matches(season))).order_by("seat_id", "unit")
        if contents == FULL
        else StandingAnswers.objects.none()
    ),
    left_out={"seat": "the seat that it stands in"},
)

STEPS = RecordSet(
    "steps",
    MatchAction,
    columns("sequence", "side", "action", "events", "cause", "created_at"),
    lambda season, contents: MatchAction.objects.filter(
        Q() if contents == FULL else Q(match__state__in=Match.OVER), match__in=list(stands_of_matches(season))
    ).order_by("match_id", "sequence"),
    left_out={"match": BELONGS},
)


class Photo(Column):
    """A picture in Base64. Only the form of this site (web.photos) is accepted."""

    def write(self, row: Any, names: Names, contents: Contents) -> Any:
        return None if row.photo is None else base64.b64encode(bytes(row.photo)).decode("ascii")

    def read(self, model_field: Any, value: Any, place: str, names: Names) -> Any:
        if value is None:
            return None
        try:
            found = base64.b64decode(value, validate=True)
            if len(found) > LARGEST_STORED or base64.b64encode(found).decode("ascii") != value:
                raise ValueError
            with Image.open(BytesIO(found), formats=("JPEG",)) as image:
                if max(image.size) > LONGEST_EDGE or len(image.getexif()):
                    raise ValueError
                image.load()
        except (binascii.Error, Image.DecompressionBombError, *BROKEN):
            raise values.wrong_format(place, value) from None
        return found


def subject_out(subject: Any, names: Names, contents: Contents) -> Any:
    """Return the stand-in of the match that a write-up is about."""
    kind, _, rest = subject.partition(":")
    return stand_of_key(subject) if kind == "season" else names.stand("fixtures", int(rest))


def subject_back(stand: Any, names: Names, place: str) -> Any:
    """Return the subject of a write-up. Raises Malformed (season_document_unknown_name)."""
    return key_of(stand, names, place)


def key_of(stand: str, names: Names, place: str) -> str:
    """Return the key of the match with this stand-in (matches.Match.fixture_key).

    Raises Malformed (season_document_unknown_name).
    """
    if stand.startswith(TITLE):
        if title_of(stand) is None:
            raise Malformed("season_document_unknown_name", place=place, name=stand[:100], table="matches")
        return f"season:{names.season_id}:{stand}"
    return f"fixture:{names.pk('fixtures', stand, place)}"


def stand_of_key(key: str) -> str:
    """Return the stand-in of the match of a sudden death by its key: "title:pilot" for "season:4:title:pilot"."""
    return key.split(":", 2)[2]


def title_of(stand: object) -> tuple[str, int] | None:
    """Return the kind of the title that a match is for and its number, from 1; None for another stand-in."""
    found = _FOR_TITLE.fullmatch(stand) if isinstance(stand, str) else None
    return None if found is None else (found[1], int(found[2] or 1))


def subjects_of(season: Season) -> list[str]:
    """Return the subjects that write-ups of the season's matches can have; two queries."""
    fixtures = Fixture.objects.filter(round__cycle__season=season).order_by("pk").values_list("pk", flat=True)
    fought = Match.objects.filter(fixture_key__startswith=f"season:{season.pk}:{TITLE}").order_by("pk")
    return [f"fixture:{pk}" for pk in fixtures] + [str(key) for key in fought.values_list("fixture_key", flat=True)]


WRITE_UPS = RecordSet(
    "write_ups",
    WriteUp,
    columns(
        Translated("subject", out=subject_out, back=subject_back),
        Person("author"),
        "text",
        Photo("photo"),
        "photo_told",
        "created_at",
        "changed_at",
        "taken_down_at",
        "taken_down_because",
    ),
    lambda season, contents: WriteUp.objects.filter(
        Q() if contents == FULL else Q(taken_down_at=None), subject__in=subjects_of(season)
    ).order_by("id"),
)


def stands_of_matches(season: Season) -> dict[int, str]:
    """Return the stand-ins of the season's matches, by the match's id; three queries."""
    in_rounds = Fixture.objects.filter(round__cycle__season=season, match__isnull=False)
    found = {
        row[0]: f"{row[1]}/{row[2]}/{row[3]}"
        for row in in_rounds.values_list("match_id", "round__cycle__number", "round__number", "number")
    }
    for model in (SuddenDeath, Title):
        rows = model.objects.filter(season=season, match__isnull=False)
        keys = rows.values_list("match_id", "match__fixture_key")
        found |= {pk: stand_of_key(str(key)) for pk, key in keys}
    return found


def written_matches(season: Season, names: Names, contents: Contents, stands: Mapping[int, str]) -> Iterator[Row]:
    """Yield the matches one after the other, with seats and steps; a constant number of queries.

    A document that is not full has no standing answers. An unfinished match has None for its setup, seed and last step
    there, and no steps: their number would reveal that a player was asked for a rally card. Matches that `stands` does
    not name began after it was read, and are left out.
    """
    known = list(stands)
    standing: dict[int, list[Row]] = {}
    for answers in STANDING.rows(season, contents):
        standing.setdefault(answers.seat_id, []).append(STANDING.write(answers, 0, names, contents))
    seats: dict[int, list[Row]] = {}
    for seat in SEATS.rows(season, contents):
        seat_row = SEATS.write(seat, 0, names, contents)
        seats.setdefault(seat.match_id, []).append({**seat_row, "standing": standing.get(seat.pk, [])})
    stored = STEPS.rows(season, contents).filter(match__in=known).iterator(chunk_size=STEPS_READ)
    batches = groupby(stored, key=lambda step: step.match_id)
    pending: tuple[int, Any] | None = next(batches, None)
    for match in MATCHES.rows(season, contents).filter(pk__in=known).iterator(chunk_size=10):
        steps: list[Row] = []
        if pending is not None and pending[0] == match.pk:
            steps = [STEPS.write(step, 0, names, contents) for step in pending[1]]
            pending = next(batches, None)
        row = {"of": stands[match.pk], **MATCHES.write(match, 0, names, contents)}
        if contents != FULL and not match.is_over:
            row |= {"setup": None, "seed": None, "last_sequence": None}
        yield {**row, "seats": seats.get(match.pk, []), "steps": steps}
