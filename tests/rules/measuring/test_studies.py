"""Studies: cut by their own size, put together by number, the same whoever plays the parts and however often."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from rules.measuring import forecasts, source, studies
from rules.measuring.source import source_hash
from rules.measuring.studies import (
    Answer,
    Missing,
    NotTheSame,
    Part,
    Progress,
    Study,
    in_processes,
    in_this_process,
    play,
    run,
)
from rules.tools.balance import keeping


def squares(given: dict[str, Any], first: int, count: int) -> list[tuple[int, int]]:
    """What the tests' studies ask for."""
    return [(number, number**2 + given["seed"]) for number in range(first, first + count)]


@pytest.fixture(autouse=True)
def a_work_of_squares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "WORKS", {"squares": f"{__name__}:squares"})


def study(count: int, size: int, seed: int = 0) -> Study:
    return Study("squares", {"seed": seed}, count, size)


def flat(results: Sequence[Sequence[Any]]) -> list[Any]:
    return [each for result in results for each in result]


@pytest.mark.parametrize("count", [0, 1, 5, 6, 7, 100])
@pytest.mark.parametrize("size", [1, 3, 6, 200])
def test_parts_hold_every_number_once_and_the_cut_changes_nothing(count: int, size: int) -> None:
    parts = study(count, size).parts()
    assert [number for part in parts for number in range(part["first"], part["first"] + part["count"])] == list(
        range(count)
    )
    assert all(1 <= part["count"] <= size for part in parts)
    assert flat(run([study(count, size)], in_this_process)[0]) == [[number, number**2] for number in range(count)]


def shuffled(parts: Sequence[Part], tell: Progress) -> Iterator[Answer]:
    order = list(parts)
    random.Random(5).shuffle(order)
    yield from map(play, order)


def twice(parts: Sequence[Part], tell: Progress) -> Iterator[Answer]:
    yield from map(play, [*parts, *reversed(parts)])


@pytest.mark.parametrize("way", [in_this_process, in_processes(1), in_processes(2), in_processes(3), shuffled, twice])
def test_every_way_gives_the_same(way: Callable[..., Any]) -> None:
    asked = [study(10, 3), study(0, 3), study(4, 4, seed=7)]
    assert run(asked, way) == run(asked, in_this_process)
    assert [len(results) for results in run(asked, way)] == [4, 0, 1]


@pytest.mark.parametrize("way", [in_this_process, in_processes(2)])
def test_a_way_tells_how_far_it_is(way: Callable[..., Any]) -> None:
    counts: list[int] = []
    run([study(5, 2), study(3, 2)], way, counts.append)
    assert counts == [2, 4, 5, 7, 8]


def test_results_are_what_json_gives_back_wherever_they_come_from() -> None:
    (part,) = study(2, 2).parts()
    assert play(part) == {"study": 0, "first": 0, "result": [[0, 0], [1, 1]]}


def test_a_part_without_an_answer_is_missed() -> None:
    def lossy(parts: Sequence[Part], tell: Progress) -> list[Answer]:
        return [play(part) for part in parts[1:]]

    with pytest.raises(Missing, match="1 of 3"):
        run([study(6, 2)], lossy)


def test_two_different_answers_for_a_part_are_no_result() -> None:
    def torn(parts: Sequence[Part], tell: Progress) -> list[Answer]:
        return [play(parts[0]), {**play(parts[0]), "result": []}]

    with pytest.raises(NotTheSame):
        run([study(2, 2)], torn)
    with pytest.raises(NotTheSame):
        studies.in_order(torn(study(2, 2).parts(), print))


def test_answers_are_put_in_order_and_count_once() -> None:
    parts = [*study(6, 2).parts(0), *study(6, 2).parts(1)]
    answers = list(twice(parts, print))
    random.Random(1).shuffle(answers)
    assert studies.in_order(answers) == [play(part) for part in parts]


def test_only_named_work_is_done() -> None:
    (part,) = study(1, 1).parts()
    with pytest.raises(LookupError):
        play({**part, "work": "os:getcwd"})


def test_every_named_work_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert studies.WORKS
    for name in studies.WORKS:
        # With nothing to play each says so without being given anything to play with.
        with pytest.raises((KeyError, LookupError)):
            play(Part(study=0, work=name, given={}, first=0, count=1))


def test_the_hash_of_the_code_is_of_the_rules_as_they_lie_here() -> None:
    assert len(studies.code_hash()) == 64
    assert studies.code_hash() == source_hash.__wrapped__()
    assert studies.code_hash() != forecasts.code_hash() != keeping.code_hash()


def test_the_hash_of_the_source_sees_code_and_data_of_its_places_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "ROOT", tmp_path)
    (tmp_path / "bots").mkdir()
    for name in ("bots/greedy.py", "bots/worth.json", "wording.py"):
        (tmp_path / name).write_text("1")

    def hashed(*places: str) -> str:
        return source_hash.__wrapped__(*places)

    before, everything = hashed("bots"), hashed()
    (tmp_path / "wording.py").write_text("2")
    (tmp_path / "bots" / "notes.txt").write_text("2")
    assert hashed("bots") == before
    assert hashed() != everything
    for name in ("bots/greedy.py", "bots/worth.json"):
        (tmp_path / name).write_text("2")
        assert hashed("bots") != before
        (tmp_path / name).write_text("1")
    (tmp_path / "bots" / "greedy.py").rename(tmp_path / "bots" / "tactical.py")
    assert hashed("bots") != before
