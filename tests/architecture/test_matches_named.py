"""Every line and notice about a match says in its sentence who meets whom, and in which round (O-8.3)."""

from __future__ import annotations

import ast

from people.text import notices
from rules.wording.filling import placeholders
from stables.text import log
from tests.architecture.codes_in_source import Call, argument
from tests.architecture.test_notice_codes import LINES, NOTICE_CODES, NOTICES, in_table

WHO_MEETS_WHOM = {"pairing", "sides", "pairings", "others"}
"""The parameters that name a match; `others` are those who lost, beside the winner."""

OTHERWISE = {
    "pairing_swapped": "“You meet …”: its reader is one of the two",
    "pairing_swapped_for_a_bye": "there is no match any more",
    "reminder_market": "it leads to the stable; the others of this call are about matches",
}
"""Code -> how its sentence names the match, or why it needs not."""


def leads_to_a_match(call: Call) -> bool:
    """Whether the address of a notice is that of a match, as the source names it."""
    address = argument(call.node, 3, "url")
    found = [] if address is None else [address]
    if isinstance(address, ast.Name) and call.inside is not None:
        found += [
            node.value
            for node in ast.walk(call.inside)
            if isinstance(node, ast.Assign)
            and any(isinstance(to, ast.Name) and to.id == address.id for to in node.targets)
        ]
    return any("fixture" in ast.unparse(each) for each in found)


def names_a_match(templates: tuple[str, ...]) -> bool:
    names = [set(placeholders(each)) for each in templates]
    return any("round" in each and each & WHO_MEETS_WHOM for each in names)


def test_o_8_3_every_line_and_notice_about_a_match_names_it() -> None:
    lines = [call for call in LINES if argument(call.node, 99, "fixture") is not None]
    told = [call for call in NOTICES if call.place.startswith("stables/") and leads_to_a_match(call)]
    nameless = {
        code for call in lines for code in in_table(call, log.SENTENCES) if not names_a_match(log.templates(code))
    }
    nameless |= {
        code for call in told for code in in_table(call, NOTICE_CODES) if not names_a_match(notices.templates(code))
    }
    assert nameless == set(OTHERWISE)
