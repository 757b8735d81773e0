"""The embedded queue: kombu's filesystem transport, made safe for many processes on one host.

The original creates a message's file and then fills it. A reader may take it while it is empty, and crashes. Here a
file appears whole or not at all. A file that is no message is moved aside, so that it stops no worker.
"""

from __future__ import annotations

import logging
import os
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem, virtual
from kombu.utils.encoding import bytes_to_str, str_to_bytes
from kombu.utils.json import dumps, loads

logger = logging.getLogger("jobs")

RUBBISH = ".rubbish"
"""The end of the name of a file that was moved aside: no reader looks at it."""


class NoMessage(Exception):
    """A file in the queue holds no message that a worker could take."""


def write_whole(path: Path, document: Any) -> None:
    """Write JSON so that no reader ever sees a part of it: under another name in the same folder, then rename it.

    Raises OSError; then no file is left.
    """
    # Readers look for names that end with the queue's; this one does not.
    draft = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    try:
        draft.write_bytes(str_to_bytes(dumps(document)))
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


class Channel(filesystem.Channel):
    """A channel with messages and tables of bindings as whole files. It does not keep processed messages."""

    # kombu's own signature differs between its base channel and this transport; ours is the one that is called.
    def _put(self, queue: str, payload: Any, **options: Any) -> None:  # type: ignore[override]
        # The name sorts by time: messages are taken roughly in the order they were put.
        name = f"{round(time.monotonic() * 1000)}_{uuid.uuid4()}.{queue}.msg"
        try:
            write_whole(Path(self.data_folder_out, name), payload)
        except OSError as error:
            raise ChannelError(f"Cannot add the file {name!r} to the queue") from error

    def _get(self, queue: str, timeout: Any = None) -> Any:
        """Take the first message of a queue, by the names of the files, and return it.

        Move files that are no messages aside. Raises queue.Empty at once when there is no message.
        """
        for name in sorted(os.listdir(self.data_folder_in)):
            if name.partition(".")[2] != f"{queue}.msg":
                continue
            path = Path(self.data_folder_in, name)
            try:
                payload = self._read(path)
                # Of several readers, the one whose removal succeeds gets the message.
                path.unlink()
            except OSError:
                continue
            except NoMessage as error:
                move_aside(path, error)
                continue
            return payload
        raise Empty

    def _read(self, path: Path) -> dict[str, Any]:
        """Return the message in a file. Raises NoMessage for any other content, OSError for a file that is gone."""
        content = path.read_bytes()
        try:
            payload: dict[str, Any] = loads(bytes_to_str(content))
            message = virtual.Message(payload, channel=self)
            fields = (payload["headers"], message.properties, message.properties["delivery_info"])
            is_whole = isinstance(message.delivery_tag, str) and all(isinstance(each, Mapping) for each in fields)
        except Exception as error:
            # A file may hold anything: it may be too deep, or lack a field, or name a codec that there is not.
            raise NoMessage(type(error).__name__) from error
        if not is_whole:
            raise NoMessage("a field of another kind")
        return payload

    def get_table(self, exchange: str) -> list[Any]:
        """Return the bindings of an exchange; [] for a table that is missing or is no list of bindings.

        Raises ChannelError for any other file that cannot be read, and for a bad name of an exchange.
        """
        try:
            rows = loads(bytes_to_str(self._exchange_file(exchange).read_bytes()))
            return [filesystem.exchange_queue_t(*row) for row in rows]
        except FileNotFoundError:
            return []
        except (ValueError, TypeError, RecursionError):
            logger.warning("The table of the exchange %r cannot be read and begins again", exchange)
            return []
        except OSError as error:
            raise ChannelError(f"Cannot read the table of the exchange {exchange!r}") from error

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        row = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with self._table_to_change(exchange) as rows:
            if row not in rows:
                rows.insert(0, row)

    def _delete(
        self, queue: str, exchange: str, routing_key: str, pattern: str, *arguments: Any, **options: Any
    ) -> None:
        self._purge(queue)
        row = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with self._table_to_change(exchange) as rows:
            if row in rows:
                rows.remove(row)

    @contextmanager
    def _table_to_change(self, exchange: str) -> Iterator[list[Any]]:
        """Yield the bindings of an exchange, and write them back at the end if they changed; one process at a time.

        Raises ChannelError when a file cannot be read or written.
        """
        file = self._exchange_file(exchange)
        self.control_folder.mkdir(exist_ok=True)
        try:
            # The lock is a file of its own, because the table's file is replaced. Closing it releases the lock.
            with (self.control_folder / "tables.lock").open("ab") as guard:
                filesystem.lock(guard, filesystem.LOCK_EX)
                before = self.get_table(exchange)
                rows = list(before)
                yield rows
                if rows != before:
                    write_whole(file, rows)
        except OSError as error:
            raise ChannelError(f"Cannot change the table of the exchange {exchange!r}") from error


def move_aside(path: Path, reason: NoMessage) -> None:
    """Give a file that holds no message a name that no reader looks at, and log it."""
    try:
        path.replace(path.with_name(path.name + RUBBISH))
        logger.warning("The file %s in the queue is no message (%s) and was moved aside", path.name, reason)
    except OSError:
        # Another reader was faster.
        pass


class Transport(filesystem.Transport):
    """The transport that the settings name. Its addresses are those of the original, `filesystem://localhost/`."""

    Channel = Channel
