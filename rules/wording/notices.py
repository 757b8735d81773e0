"""What the site tells a person on their own page: the closed list of notice codes and the sentence of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.wording.filling import Translate, fill, gettext_noop, identity

NOTICE_CODES: Mapping[str, str] = {
    "cycle_closed": gettext_noop("Cycle {cycle} of {season} is closed: place {place}, purse {purse} Stones."),
}
"""Code -> template; its placeholders are the parameters that the notice must bring."""

UNKNOWN_NOTICE = gettext_noop("Something happened ({code}).")


def notice_sentence(code: str, parameters: Mapping[str, Any], translate: Translate = identity) -> str:
    """What a notice says. Never raises: notices stay for years and outlive their codes.

    A missing parameter shows an ellipsis, an unknown code a general sentence with the code.
    """
    if code not in NOTICE_CODES:
        return fill(translate(UNKNOWN_NOTICE), {"code": code})
    return fill(translate(NOTICE_CODES[code]), parameters)
