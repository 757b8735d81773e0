"""verify_match and board_picture."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from matches.models import Match, MatchAction
from rules import verify as verify_file

from .conftest import play_some


def verify(match: Match, **options: Any) -> tuple[str, int]:
    out = StringIO()
    try:
        call_command("verify_match", str(match.public_id), stdout=out, **options)
    except SystemExit as stop:
        return out.getvalue(), int(stop.code or 0)
    return out.getvalue(), 0


def falsified(match: Match, sequence: int, position: int, **change: Any) -> Match:
    """A copy of the match in which one event says something else; stored steps themselves cannot be changed."""
    steps = list(match.actions.order_by("sequence"))
    copy = Match.objects.get(pk=match.pk)
    copy.pk, copy.public_id, copy.fixture_key = None, uuid4(), None
    copy._state.adding = True
    copy.save()
    for step in steps:
        if step.sequence == sequence:
            step.events[position] |= change
    MatchAction.objects.bulk_create(
        MatchAction(match=copy, sequence=step.sequence, side=step.side, action=step.action, events=step.events)
        for step in steps
    )
    return copy


def test_a_match_as_played_is_ok(finished: Match) -> None:
    said, status = verify(finished)
    assert status == 0
    assert f"{finished.public_id}: ok" in said


def test_a_match_in_play_is_verified_as_far_as_it_went(waiting: Match) -> None:
    assert verify(play_some(waiting, 4))[1] == 0


def test_one_changed_event_is_found(finished: Match) -> None:
    said, status = verify(falsified(finished, 2, 0, total=99))
    assert status == 1
    assert "differs at step 2, event 0" in said
    assert '"total": 99' in said


def test_a_changed_result_is_found(finished: Match) -> None:
    Match.objects.filter(pk=finished.pk).update(result={**finished.result, "rounds": 99})
    assert verify(finished)[1] == 1


def test_a_changed_seed_does_not_match_what_was_promised(finished: Match) -> None:
    Match.objects.filter(pk=finished.pk).update(seed=b"another seed of thirty-two bytes")
    said, status = verify(finished)
    assert status == 1
    assert "differs" in said


def test_what_the_seed_would_give_stays_secret_while_the_match_runs(waiting: Match) -> None:
    copy = falsified(play_some(waiting, 4), 0, 1, total=99)
    said, status = verify(copy)
    assert status == 1
    assert "replayed" not in said
    document = json.loads(verify(copy, json="-")[0])
    assert document["outcome"] == "differs"
    assert document["replayed"] is None


def test_a_match_of_other_rules_is_not_judged(finished: Match) -> None:
    Match.objects.filter(pk=finished.pk).update(rules_version="0.0")
    said, status = verify(finished)
    assert status == 0
    assert "recorded under other rules (0.0)" in said


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["nothing", "12345", "00000000-0000-4000-8000-000000000000"])
def test_no_such_match_is_said(name: str) -> None:
    with pytest.raises(CommandError):
        call_command("verify_match", name)


def test_the_download_satisfies_the_checker_of_the_rules(finished: Match, client: Any, tmp_path: Path) -> None:
    answer = client.get(f"{finished.get_absolute_url()}replay.json")
    assert "attachment" in answer.headers["Content-Disposition"]
    file = tmp_path / "match.json"
    file.write_bytes(answer.content)
    assert verify_file.main([str(file)]) == 0


def test_the_picture_is_an_svg_and_the_same_every_time(tmp_path: Path) -> None:
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    for file in (first, second):
        call_command("board_picture", str(file), stdout=StringIO())
    assert first.read_bytes() == second.read_bytes()
    picture = ElementTree.parse(first).getroot()
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert float(picture.attrib["width"]) > 300
    assert len(picture.findall(".//{http://www.w3.org/2000/svg}g[@class='b-hexes']/*")) == 160
    assert len(picture.findall(".//{http://www.w3.org/2000/svg}pattern")) == 4


@pytest.mark.parametrize("options", [{"arena": "nowhere"}, {"unit_class": "featherlight"}])
def test_a_picture_of_nothing_is_refused(options: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        call_command("board_picture", str(tmp_path / "x.svg"), **options)
