"""The endpoint of all replays of a finished season, as one file."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import UTC
from typing import IO, Any, cast

from django.db.models import Max
from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.response import Response

from api.description import PROBLEMS, describes
from api.fields import Problem
from api.files import ZipRenderer
from matches.models import Match
from matches.selectors.matches import replay_document, stored_steps
from rules.core.refusals import SeasonRefused
from stables.api.base import SeasonEndpoint
from stables.api.reading.csv_tables import TOPIC
from stables.models import Fixture, FixtureSide, Season, SuddenDeath
from web.problems import PROBLEM_TYPE

IN_MEMORY = 8 * 1024 * 1024
"""A file of up to this many bytes stays in memory."""
LONGEST_NAMES = 150
FINISHED = Match.State.FINISHED
ZIP = ZipRenderer.media_type


class Replays(SeasonEndpoint):
    """The replays of a season."""

    renderer_classes = [ZipRenderer]

    @describes(
        "season_replays",
        "All replays of a finished season as a zip file",
        TOPIC,
        answers=OpenApiResponse(
            OpenApiTypes.BINARY, "A JSON file for each match; `python -m rules.verify FILE` checks one."
        ),
        more={(409, PROBLEM_TYPE): OpenApiResponse(Problem, description=PROBLEMS[409])},
        tagged=True,
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """Return the replay of every match that the engine has played to its end. Matches at tables have no replay.

        Refused until the season is finished: replays_not_yet.
        """
        season = self.season()
        if season.state != Season.State.FINISHED:
            raise SeasonRefused("replays_not_yet", state=season.state)
        names = dict(named_matches(season))
        newest = Match.objects.filter(pk__in=names).aggregate(newest=Max("finished_at"))["newest"]

        def packed() -> Response:
            self.count_file()
            file = FileResponse(
                write_zip(names), as_attachment=True, filename=f"{season.slug}-replays.zip", content_type=ZIP
            )
            return cast(Response, file)

        return self.tagged(f"{season.pk}:{len(names)}:{newest}", packed)


def named_matches(season: Season) -> Iterator[tuple[int, str]]:
    """Yield the ids of a season's finished matches, each with a file name that shows its place in the season; three
    queries.
    """
    sides: dict[int, list[str]] = {}
    fought = FixtureSide.objects.filter(fixture__round__cycle__season=season, fixture__match__state=FINISHED)
    for fixture, slug in fought.order_by("id").values_list("fixture", "stable__slug"):
        sides.setdefault(fixture, []).append(slug)
    fixtures = Fixture.objects.filter(round__cycle__season=season, match__state=FINISHED)
    places = ("round__cycle__number", "round__number", "number")
    for pk, match, cycle, round_number, number in fixtures.order_by(*places).values_list("pk", "match", *places):
        names = "-vs-".join(sides.get(pk, []))[:LONGEST_NAMES]
        yield match, f"cycle-{cycle}-round-{round_number}-match-{number}-{names}.json"
    deaths = SuddenDeath.objects.filter(season=season, match__state=FINISHED).order_by("kind", "id")
    for match, key in deaths.values_list("match", "match__fixture_key"):
        # A second one for the same title has its number: "season:4:title:pilot:2".
        yield match, f"sudden-death-{'-'.join(str(key).split(':')[3:])}.json"


def write_zip(names: dict[int, str]) -> IO[bytes]:
    """Return an open zip file, at its start, with the replays of the matches in `names` (id -> file name); the caller
    closes it. Two queries for each match, and only one match in memory at a time.
    """
    file = tempfile.SpooledTemporaryFile(IN_MEMORY, prefix="solaris-replays-")  # noqa: SIM115 - the answer closes it
    try:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for pk, name in names.items():
                match = Match.objects.get(pk=pk)
                ended = match.finished_at or match.created_at
                entry = zipfile.ZipInfo(name, ended.astimezone(UTC).timetuple()[:6])
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, json.dumps(replay_document(match, stored_steps(match))))
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return cast(IO[bytes], file)
