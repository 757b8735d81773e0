"""The second place: after every closed turn the event's document goes to a folder that the GM names.

CHALLENGE_COPY_TO names it, on a stick or another disk. When a copy fails, the log says why, pages say how far the last
one went, and play goes on.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
from pathlib import Path

from django.conf import settings

from challenge.documents import event_document
from challenge.models import Event
from challenge.services.books import AFTER_TURN

logger = logging.getLogger("challenge")


def copy_to_second_place(event_id: int) -> None:
    """Write an event's document to the second place, whole or not at all; without a second place do nothing."""
    if not settings.CHALLENGE_COPY_TO:
        return
    event = Event.objects.get(pk=event_id)
    folder = Path(settings.CHALLENGE_COPY_TO)
    try:
        write_document(event, folder / f"{event.slug}.json")
    except OSError as problem:
        logger.error("The second place %s did not take the event %s: %s", folder, event.slug, problem)
        return
    Event.objects.filter(pk=event_id).update(copied=event.written)


def write_document(event: Event, path: Path) -> None:
    """Write an event's document to a file. Nobody finds half of one: an old file stays until the new one is whole.

    Raises OSError.
    """
    content = json.dumps(event_document(event), ensure_ascii=False).encode()
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            os.unlink(file.name)
            raise
    os.replace(file.name, path)


AFTER_TURN.append(copy_to_second_place)
