"""The reasons that people give for what they do to others' matches and results."""

from __future__ import annotations

from typing import Any

from rules.core.refusals import Malformed

LONGEST = 1000


def required(text: str) -> str:
    """Return a reason with its blanks tidied.

    Raises Malformed (reason_missing) if it is empty or longer than LONGEST.
    """
    reason = tidied(text)
    if not reason:
        raise Malformed("reason_missing", longest=LONGEST)
    return reason


def optional(text: str) -> dict[str, Any]:
    """Return a reason that may be missing as a parameter of log and notices: {"reason": text}, or {} without one.

    Raises Malformed (reason_missing) if it is longer than LONGEST.
    """
    reason = tidied(text)
    return {"reason": reason} if reason else {}


def tidied(text: str) -> str:
    """Return a reason, which may be empty, with its blanks tidied.

    Raises Malformed (reason_missing) if it is longer than LONGEST.
    """
    reason = " ".join(text.split())
    if len(reason) > LONGEST:
        raise Malformed("reason_missing", longest=LONGEST)
    return reason
