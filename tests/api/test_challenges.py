"""Events of the Challenge for programs: what everybody reads, and what the GM's program writes."""

from __future__ import annotations

from typing import Any

import pytest

from challenge.documents import read_document
from challenge.models import Event
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db
EVENT = "challenges/steel-night/"


def test_everybody_reads_the_standings_and_asks_again_with_their_tag(world: World, api: Any) -> None:
    assert [row["slug"] for row in api("", "get", "challenges/").json()["results"]] == ["steel-night"]
    answer = api("", "get", EVENT)
    document = answer.json()
    assert [line["pilot"] for line in document["standings"]] == ["Ross", "Jo"]
    assert (document["turns"], document["stage"], document["day"]) == ({"Factory": 1}, "qualifier", 1)
    assert api("", "get", EVENT, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    table = b"".join(api("", "get", EVENT + "standings.csv").streaming_content).decode()
    assert table.splitlines()[1].startswith("1,Ross,Ross,Locust LCT-1V,0,0,0,10,")


def test_the_program_of_the_gm_writes_and_reads_rows(world: World, api: Any) -> None:
    deed = {"what": "crowd", "by": "Jo", "table": "Factory", "turn": 1}
    sent = {"entries": [{"client_id": "a", "document": deed}]}
    first = api("organiser", "post", EVENT + "entries/", sent).json()
    assert api("organiser", "post", EVENT + "entries/", sent).json() == first
    undo = {"entries": [{"client_id": "b", "kind": "undo", "document": {}, "undoes": first["numbers"][0]}]}
    assert api("organiser", "post", EVENT + "entries/", undo).status_code == 200
    rows = api("organiser", "get", EVENT + "entries/").json()["results"]
    assert [(row["number"], row["client_id"], row["undoes"]) for row in rows[-2:]] == [
        (first["numbers"][0], "a", None), (first["numbers"][0] + 1, "b", first["numbers"][0]),
    ]  # fmt: skip
    content = api("organiser", "get", EVENT + "document/").content
    assert len(read_document(content)["entries"]) == rows[-1]["number"]


def test_the_rules_refuse_and_nothing_is_written(world: World, api: Any) -> None:
    before = Event.objects.get(slug="steel-night").written
    deed = {"what": "exit", "by": "Jo", "table": "Factory", "turn": 1}
    sent = {"entries": [{"client_id": "a", "document": deed}]}
    answer = api("organiser", "post", EVENT + "entries/", sent)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_early_to_leave")
    broken = {"entries": [{"client_id": "a", "document": {"what": "sneeze"}}]}
    answer = api("organiser", "post", EVENT + "entries/", broken)
    assert (answer.status_code, answer.json()["code"]) == (409, "bad_entry")
    assert api("player", "post", EVENT + "entries/", sent).status_code == 403
    assert Event.objects.get(slug="steel-night").written == before
