"""The places in the help that explain refusals, by their topics (rules.wording.topics)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from help.text.markup import address_of
from rules.wording.topics import topic

_GROUP = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True)
class HelpPage:
    """A place in the help; `is_rule` says that it explains a rule, a group of rules or a ruling."""

    address: str
    is_rule: bool


def help_page_of(code: str, parameters: Mapping[str, Any]) -> HelpPage | None:
    """Return the place in the help that explains a refusal: the known rule in its parameter `rule`, or the topic of its
    code. Return None for an unknown code.
    """
    rule_id = parameters.get("rule")
    if isinstance(rule_id, str) and topic(code) and address_of(rule_id):
        return HelpPage(address_of(rule_id), True)
    found = topic(code)
    return _page(found) if found else None


def _page(found: str) -> HelpPage:
    if _GROUP.fullmatch(found):
        return HelpPage(reverse("help:rules_group", args=[found.lower()]), True)
    if address_of(found):
        return HelpPage(address_of(found), True)
    page, _, anchor = found.partition("#")
    address = reverse(f"help:{page.replace('-', '_')}")
    return HelpPage(f"{address}#{anchor}" if anchor else address, page == "challenge-rules")
