"""Every link of the site as each kind of visitor: none leads to nothing, to an error, or to a page that says no."""

from __future__ import annotations

from functools import partial

import pytest

from rules.challenge.tables import PRINTINGS, Tables
from tests.languages import without_translation
from web.languages import offer

from .reader import Walk, common_to, walk
from .readings import Readings
from .world import EVERYBODY, World

pytestmark = pytest.mark.django_db
FINE = (200, 204, 301, 302)
NAMES = {each.name for printing in PRINTINGS for each in Tables.of(printing).memberships.values()}
"""Names of stables and sponsors, which are the same in every language."""


def walked_by(world: World, readings: Readings, role: str, common: dict[str, list[str]]) -> Walk:
    starts = ["/", "/people/notices"] if role != "anonymous" else ["/"]
    starts += [match.get_absolute_url() for match in (world.friendly, world.finished)]
    return walk(partial(readings.of, role), starts, lambda path: not path.startswith("/admin/"), common)


def test_every_link_leads_somewhere_and_every_text_on_the_way_has_its_translations(
    world: World, readings: Readings
) -> None:
    """What reads the same to a stranger and to a player reads so to all: for the others it is followed, not asked.

    Of texts also those are found that stand nowhere in the sources, so that nothing that reads these can find them.
    """
    walks = {role: walked_by(world, readings, role, {}) for role in ("anonymous", "player")}
    common = common_to(walks["anonymous"], walks["player"])
    walks |= {role: walked_by(world, readings, role, common) for role in EVERYBODY if role not in walks}
    bad = {
        f"{role}: {address} says {status}": f"linked on {walked.linked_from[address]}"
        for role, walked in walks.items()
        for address, status in walked.answers.items()
        if status not in FINE
    }
    assert bad == {}
    assert {role: walked.problems for role, walked in walks.items() if walked.problems} == {}
    assert all(len(walked.linked_from) > 100 for walked in walks.values())
    private = world.season("private")
    strangers = {role for role, walked in walks.items() if private not in walked.answers}
    assert strangers == {"anonymous", "spectator", "staff"}
    others = [each.code for each in offer.offered() if each.code != offer.ENGLISH]
    lacking = {code: without_translation(readings.asked, code) for code in others}
    assert [f"{code}: {asked}" for code in others for asked in sorted(lacking[code]) if asked[1] not in NAMES] == []


def test_the_admin_leads_staff_nowhere_wrong(readings: Readings) -> None:
    walked = walk(partial(readings.of, "staff"), ["/admin/"], lambda path: path.startswith("/admin/"))
    assert {address: status for address, status in walked.answers.items() if status not in FINE} == {}
