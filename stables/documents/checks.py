"""The check of a season's document before anything is stored: its form, its results, and every match played again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rules import RULES_VERSION
from rules.campaign.states import OVER
from rules.catalogue import Catalogue, CatalogueError, Document
from rules.competition.verification import Outcome, verify
from rules.core.dice import commitment, stream_seed
from rules.core.refusals import Malformed, Refused, SeasonRefused
from stables.documents import books, meaning, values
from stables.documents.columns import CONTENTS, FULL, PUBLISHED, REDACTED, Row, require_fields
from stables.documents.document import AFTER_MATCHES, FORMAT, KEYS, SCHEMA, TABLES
from stables.documents.lined_up import LineUps, check_kinds
from stables.documents.names import Names
from stables.documents.other_rules import check_rebuilt
from stables.documents.plan import SEASON
from stables.documents.played import title_of
from stables.documents.reading import SeasonText
from stables.documents.rows import MatchRow, a_list, match_rows, number_rows, read_rows
from stables.models import Season
from stables.services.standings.sudden_death_match import ORDER, numbered

LONGEST_NAME = 140
BROKEN = (KeyError, TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError)
"""The errors that code raises on JSON of a form that it does not expect."""

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Looked:
    """The findings in a document: its season's row, its contents, and the number of rows by table, matches included.

    `verified` counts the matches that these rules play again with the same events and result. `other_rules` counts
    those of other rules, which are only rebuilt from their events.
    """

    season: Row
    contents: str
    counts: dict[str, int]
    verified: int
    other_rules: int


def look_at(text: SeasonText, on_match: Progress = lambda number: None, *, allow_other_rules: bool = False) -> Looked:
    """Check a whole document without the database.

    `on_match` is called with the number of matches checked so far. Matches recorded by other rules cannot be played
    again: they are refused unless `allow_other_rules`. Raises Malformed or SeasonRefused for the first problem, with a
    code that begins with season_document_.
    """
    document = text.values
    _head(document)
    names = Names(0)
    season = document["season"]
    SEASON.read(season, "season", 1, names)
    for number, name in enumerate(a_list(document["people"], "people")):
        if not values.text(name, f"people[{number}]", LONGEST_NAME):
            raise values.wrong_format(f"people[{number}]", name)
        names.add("people", number + 1, name, f"people[{number}]")
    SEASON.read_later(season, "season", names)
    _state(season, document["contents"])
    catalogue = read_catalogue(document["catalogue"])
    counts = {}
    for table in TABLES:
        read_rows(table, document[table.name], names, number_rows)
        counts[table.name] = len(document[table.name])
    meaning.check_plan(document, catalogue)
    books.check_entries(document)
    books.check_reputation(document)
    check_kinds(document)
    line_ups = LineUps(document)
    line_ups.check_results(document)
    tally = {Outcome.OK: 0, Outcome.OTHER_RULES: 0}
    played: dict[str, Row] = {}
    a_list(document["matches"], "matches")
    for number, match in enumerate(match_rows(text.matches(), names)):
        names.add("matches", number + 1, match.of, f"matches[{number}].of")
        names.add("ids of matches", number + 1, match.row["public_id"], f"matches[{number}].public_id")
        tally[_check_match(match, number, season, allow_other_rules)] += 1
        line_ups.check_setup(str(match.of), match.row["setup"], f"matches[{number}]")
        played[str(match.of)] = {"state": match.row["state"], "result": match.row["result"]}
        on_match(number + 1)
    counts["matches"] = len(played)
    for table in AFTER_MATCHES:
        read_rows(table, document[table.name], names, number_rows)
        counts[table.name] = len(document[table.name])
    books.check_results(document, played)
    return Looked(season, document["contents"], counts, tally[Outcome.OK], tally[Outcome.OTHER_RULES])


def _head(document: Row) -> None:
    """Refuse a document of another kind or schema, and one that cannot be stored because parts are left out.

    Raises Malformed (season_document_unknown_format, season_document_field_missing, season_document_field_unknown,
    season_document_bad_value) or SeasonRefused (season_document_redacted).
    """
    given = {"format": str(document.get("format"))[:60], "schema": str(document.get("schema"))[:20]}
    # True and 1.0 equal 1, but are not a schema.
    is_known = type(document.get("schema")) is int and document.get("schema") == SCHEMA
    if document.get("format") != FORMAT or not is_known:
        raise Malformed("season_document_unknown_format", **given)
    require_fields(document, KEYS, "document")
    if document["contents"] not in CONTENTS:
        raise values.not_one_of("contents", document["contents"], *CONTENTS)
    if document["contents"] == REDACTED:
        raise SeasonRefused("season_document_redacted")


def _state(season: Row, contents: str) -> None:
    over = OVER if contents == FULL else (Season.State.FINISHED, Season.State.CANCELLED)
    if season["state"] not in over:
        raise SeasonRefused("season_document_unfinished", state=season["state"])
    if (season["secret"] is None) != (contents == PUBLISHED):
        raise values.wrong_type("season.secret", season["secret"], "null" if contents == PUBLISHED else "string")
    if season["secret"] is not None and len(season["secret"]) != 64:
        raise values.wrong_format("season.secret", season["secret"])


def read_catalogue(loaded: object) -> Catalogue:
    """Return the catalogue of a document after comparing its hash and validating every definition.

    Raises Malformed (season_document_bad_value, season_document_field_missing, season_document_field_unknown) or
    SeasonRefused (season_document_catalogue_differs).
    """
    if not isinstance(loaded, dict):
        raise values.wrong_type("catalogue", loaded, "object")
    require_fields(loaded, ("content_hash", "label", "definitions"), "catalogue")
    values.text(loaded["label"], "catalogue.label", 120)
    try:
        found = Catalogue.from_documents([Document("catalogue.definitions", loaded["definitions"])])
    except CatalogueError as problem:
        first = problem.problems[0]
        place = ".".join(part for part in (first.file, first.kind, first.id, first.field) if part)
        raise values.bad(place, problem.code, count=len(problem.problems)) from None
    except BROKEN:
        raise values.wrong_format("catalogue.definitions", loaded["definitions"]) from None
    if found.content_hash != loaded["content_hash"]:
        raise SeasonRefused(
            "season_document_catalogue_differs",
            place="catalogue.content_hash",
            stored=str(loaded["content_hash"])[:64],
            found=found.content_hash,
        )
    return found


# Matches --------------------------------------------------------------------------------------------------------------


def _check_match(match: MatchRow, number: int, season: Row, allow_other_rules: bool) -> Outcome:
    """Compare a match with its seed's hash and with a replay of its setup, seed and actions.

    A match recorded by other rules is rebuilt from its events instead. Raises Malformed (season_document_bad_value) or
    SeasonRefused (season_document_other_rules, season_document_seed_differs, season_document_match_differs).
    """
    place, loaded = f"matches[{number}]", match.row
    if loaded["rules_version"] != RULES_VERSION and not allow_other_rules:
        version = str(loaded["rules_version"])[:40]
        raise SeasonRefused("season_document_other_rules", match=match.of, version=version, rules=RULES_VERSION)
    seed = bytes(match.stored["seed"])
    if commitment(seed) != loaded["seed_commitment"]:
        raise SeasonRefused("season_document_seed_differs", place=f"{place}.seed_commitment", match=match.of)
    if season["secret"] is not None and seed != _seed_of(bytes.fromhex(season["secret"]), str(match.of)):
        raise SeasonRefused("season_document_seed_differs", place=f"{place}.seed", match=match.of)
    replay = {
        **{name: loaded[name] for name in ("rules_version", "setup", "seed", "seed_commitment", "result")},
        "actions": [step["action"] for step in loaded["steps"][1:]],
        "events": [step["events"] for step in loaded["steps"]],
    }
    try:
        found = verify(replay)
    except (Refused, Malformed, *BROKEN):
        raise SeasonRefused("season_document_match_differs", place=place, match=match.of) from None
    if found.outcome is Outcome.DIFFERS:
        at = f"{place}.result" if found.stored is not None or found.replayed is not None else place
        if found.sequence is not None:
            at = f"{place}.steps[{found.sequence}].events[{found.position}]"
        elif isinstance(found.replayed, dict) and "refused" in found.replayed:
            at = f"{place}.steps"
        raise SeasonRefused("season_document_match_differs", place=at, match=match.of)
    if found.outcome is Outcome.OTHER_RULES:
        check_rebuilt(match, place)
    meaning.check_steps(match, place)
    return found.outcome


def _seed_of(secret: bytes, of: str) -> bytes:
    """Return the seed of the match of a fixture or of a title by the season's secret (stables.selectors.seeds)."""
    title = title_of(of)
    if title is not None:
        kind, number = title
        return stream_seed(secret, "sudden death match", *numbered([str(each) for each in ORDER].index(kind), number))
    return stream_seed(secret, "fixture", *(int(part) for part in of.split("/")))
