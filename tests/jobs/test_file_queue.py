"""The embedded queue: nothing half written is ever taken, nothing is lost, and rubbish stops nobody."""

from __future__ import annotations

import json
import os
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from django.conf import settings
from kombu import Connection

from jobs import file_queue
from solaris_site.celery import app
from tests.nursery import Child, Nursery

PRODUCERS, CONSUMERS, MESSAGES = 4, 2, 150

COMMON = """
import json, sys
from kombu import Connection
folder, number, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
options = {"data_folder_in": folder, "data_folder_out": folder, "control_folder": folder, "polling_interval": 0.001}
connection = Connection("filesystem://localhost/", transport="jobs.file_queue:Transport", transport_options=options)
"""
PRODUCE = """
with connection.SimpleQueue("wake") as queue:
    for message in range(count):
        queue.put([number, message, "x" * 5000])
"""
END = """
with connection.SimpleQueue("wake") as queue:
    for _ in range(count):
        queue.put(None)
"""
CONSUME = """
taken = []
with connection.SimpleQueue("wake") as queue:
    while True:
        message = queue.get()
        message.ack()
        if message.payload is None:
            break
        assert len(message.payload[2]) == 5000
        taken.append(message.payload[:2])
print(json.dumps(taken))
"""


def channel_in(folder: Path) -> Any:
    options = {"data_folder_in": str(folder), "data_folder_out": str(folder), "control_folder": str(folder / "control")}
    address, transport = "filesystem://localhost/", "jobs.file_queue:Transport"
    return Connection(address, transport=transport, transport_options=options).channel()


def test_the_site_uses_it_by_default() -> None:
    if not settings.CELERY_BROKER_URL.startswith("filesystem:"):
        assert not hasattr(settings, "CELERY_BROKER_TRANSPORT")
        return
    with app.connection_for_write() as connection:
        assert isinstance(connection.transport, file_queue.Transport)
        assert isinstance(connection.default_channel, file_queue.Channel)


def test_many_producers_and_consumers_lose_nothing_and_do_nothing_twice(nursery: Nursery, tmp_path: Path) -> None:
    def start(program: str, number: int = 0, count: int = MESSAGES) -> Child:
        return nursery.start("-c", COMMON + program, str(tmp_path), str(number), str(count))

    def end(process: Child) -> None:
        assert (process.wait(), process.errors.read_text()) == (0, "")

    consumers = [start(CONSUME) for _ in range(CONSUMERS)]
    for producer in [start(PRODUCE, number) for number in range(PRODUCERS)]:
        end(producer)
    # Taken last, as it is put last: one for each of them.
    end(start(END, count=CONSUMERS))
    for consumer in consumers:
        end(consumer)
    taken = [tuple(pair) for consumer in consumers for pair in json.loads(consumer.output.read_text())]
    assert sorted(taken) == [(number, message) for number in range(PRODUCERS) for message in range(MESSAGES)]
    assert not list(tmp_path.glob("*.msg*"))


SOUND: dict[str, Any] = {
    "body": "",
    "headers": {},
    "properties": {"delivery_tag": "1", "delivery_info": {"exchange": ""}},
}


def without(field: str) -> dict[str, Any]:
    return {name: each for name, each in SOUND.items() if name != field}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'{"half',
        b"\xff\xfe",
        b"[" * 100_000,
        b"[]",
        b"5",
        b'{"__type__": "datetime", "__value__": "yesterday"}',
        json.dumps(without("properties")).encode(),
        json.dumps(without("headers")).encode(),
        json.dumps(SOUND | {"properties": {}}).encode(),
        json.dumps(SOUND | {"properties": {"delivery_tag": "1"}}).encode(),
        json.dumps(SOUND | {"properties": SOUND["properties"] | {"body_encoding": "x"}, "body": "y"}).encode(),
    ],
    ids=range(12),
)
def test_a_file_that_is_no_message_is_moved_aside_and_stops_nobody(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    channel = channel_in(tmp_path)
    broken = tmp_path / "1_x.celery.msg"
    broken.write_bytes(content)
    channel._put("celery", SOUND)
    assert channel._get("celery") == SOUND
    with pytest.raises(Empty):
        channel._get("celery")
    assert [path.read_bytes() for path in tmp_path.iterdir() if path.is_file()] == [content]
    assert broken.with_name("1_x.celery.msg.rubbish").exists()
    assert caplog.text.count("was moved aside") == 1


def test_a_message_becomes_visible_when_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    channel = channel_in(tmp_path)
    seen: list[Any] = []
    replace = os.replace

    def look_first(draft: Any, path: Any) -> None:
        seen.append((channel._size("celery"), Path(draft).parent == Path(path).parent))
        replace(draft, path)

    monkeypatch.setattr(file_queue.os, "replace", look_first)
    channel._put("celery", {"body": "whole"})
    assert seen == [(0, True)]
    assert channel._size("celery") == 1


def test_a_disk_that_refuses_leaves_no_draft_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    channel = channel_in(tmp_path)

    def refuse(draft: Any, path: Any) -> None:
        raise OSError("no space")

    monkeypatch.setattr(file_queue.os, "replace", refuse)
    with pytest.raises(file_queue.ChannelError):
        channel._put("celery", {"body": "whole"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"[[", b"5", b'[["a"]]', b"[" * 100_000], ids=range(5))
def test_a_table_of_bindings_that_cannot_be_read_is_begun_again(tmp_path: Path, content: bytes) -> None:
    channel = channel_in(tmp_path)
    (tmp_path / "control").mkdir()
    (tmp_path / "control" / "celery.exchange").write_bytes(content)
    assert channel.get_table("celery") == []
    channel._queue_bind("celery", "celery", "", "celery")
    channel._queue_bind("celery", "other", "", "other")
    channel._queue_bind("celery", "other", "", "other")
    assert [row.queue for row in channel.get_table("celery")] == ["other", "celery"]
    channel._delete("other", "celery", "other", "")
    assert [row.queue for row in channel.get_table("celery")] == ["celery"]
