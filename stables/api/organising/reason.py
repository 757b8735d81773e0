"""The reason of an organiser's act, for every endpoint that asks for one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from api.fields import Input, StrictChoice, StrictString
from rules.core.refusals import Refused, SeasonRefused
from stables.api.organising.settings import SAYS_SOMETHING
from stables.services.results.rulings import LONGEST_REASON
from stables.text.reasons import LONGEST_WORDS, REASONS, own_words, reason_text


class ReasonInput(Input):
    """A usual reason, words of your own, or both. Everybody in the season can read it."""

    reason: serializers.Field = StrictChoice(choices=list(REASONS), required=False, help_text="A usual reason.")
    words = StrictString(required=False, max_length=LONGEST_WORDS, help_text="Your own words.")


class ReasonOrTextInput(ReasonInput):
    """A usual reason, words of your own, or both. Everybody in the season can read it."""

    reason = StrictString(
        required=False,
        max_length=LONGEST_REASON,
        validators=[SAYS_SOMETHING],
        help_text=f"A usual reason: {', '.join(REASONS)}. Any other text counts as `words`, which you leave out then.",
    )


def reason_from(sent: Mapping[str, Any], *, may_lack: bool = False) -> str:
    """Return the reason of a body as the services take it; "" for none with `may_lack`.

    Raises SeasonRefused (reason_missing) without any, Refused (bad_field) for a text as `reason` beside `words`.
    """
    key, words = sent.get("reason", ""), sent.get("words", "")
    if key and key not in REASONS:
        # Programs from before the usual reasons send their words like this.
        if words:
            raise Refused("bad_field", field="reason")
        key, words = "", key
    text = reason_text(key, own_words(words))
    if not text and not may_lack:
        raise SeasonRefused("reason_missing", longest=LONGEST_REASON)
    return text
