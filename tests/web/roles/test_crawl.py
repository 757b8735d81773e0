"""Every link of the site as each kind of visitor: none leads to nothing, to an error, or to a page that says no."""

from __future__ import annotations

import pytest

from .reader import walk
from .world import EVERYBODY, World

pytestmark = pytest.mark.django_db
FINE = (200, 204, 301, 302)


@pytest.mark.parametrize("role", EVERYBODY)
def test_every_link_leads_somewhere(world: World, role: str) -> None:
    starts = ["/", "/people/notices"] if role != "anonymous" else ["/"]
    starts += [match.get_absolute_url() for match in (world.friendly, world.finished)]
    walked = walk(world.clients[role], starts, lambda path: not path.startswith("/admin/"))
    bad = {
        f"{address} says {status}": f"linked on {walked.linked_from[address]}"
        for address, status in walked.answers.items()
        if status not in FINE
    }
    assert bad == {}
    assert walked.problems == []
    assert len(walked.answers) > 100
    private = world.season("private")
    assert (private in walked.answers) is (role not in ("anonymous", "spectator", "staff"))


def test_the_admin_leads_staff_nowhere_wrong(world: World) -> None:
    walked = walk(world.clients["staff"], ["/admin/"], lambda path: path.startswith("/admin/"))
    assert {address: status for address, status in walked.answers.items() if status not in FINE} == {}
