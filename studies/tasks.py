"""The Celery tasks of studies: one plays a part, one puts the answers together. `studies.fan_out` sends both."""

from typing import Any

from celery import shared_task

from rules.measuring import studies
from rules.measuring.studies import Answer, Part


class OtherCode(Exception):
    """The refusal of a worker whose rules differ from those of the process that asks: its play-outs would differ."""


@shared_task(name="studies.play_part", bind=True)
def play_part(task: Any, part: Part, code: str) -> Answer:
    """Play a part of a study, or return its answer if it was sent again and is played already.

    `code` is the hash of the rules of the process that asks. Raises OtherCode when the worker's rules have another one,
    and all that `rules.measuring.studies.play` raises.
    """
    if code != studies.code_hash():
        raise OtherCode
    before = task.AsyncResult(task.request.id)
    if before.successful():
        known: Answer = before.result
        return known
    return studies.play(part)


@shared_task(name="studies.merge_answers")
def merge_answers(answers: list[Answer]) -> list[Answer]:
    """Return the answers of studies' parts in the order of studies and first numbers, each part once.

    Raises NotTheSame when two answers to one part differ.
    """
    return studies.in_order(answers)
