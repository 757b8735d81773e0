"""How long a bot may think, by the clock on the wall: the limit that `rules.bots.guard` is given on the site.

A bot thinks in a thread beside the one that asks it, which waits for so many seconds and then goes on without it. What
was left behind holds nothing but copies of the table, and is ended by an exception that is raised inside it, again and
again until it lets go. So this works in any thread of a web server or a worker, where no signal arrives, and also where
a bot waits in a call that no exception can interrupt, as long as that call lets other threads run.

A call that keeps the interpreter to itself (`pow(3, 40_000_000)`, a pattern that backtracks without end) stops every
thread of the process until it returns, the one that waits too: the time is up only then. Against that no thread helps,
only another process; bots of this house make no such calls.
"""

from __future__ import annotations

import ctypes
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any

from rules.bots.guard import Overran

logger = logging.getLogger("matches.bots")

AGAIN_SECONDS = 1.0
"""Pause before a thread that was left behind is told again to end."""

TELL_AFTER = 30
"""After so many tries the log is told of a thread that does not end."""


_has_clocks: ContextVar[bool] = ContextVar("has_clocks", default=True)


@contextmanager
def without_clocks() -> Iterator[None]:
    """Inside, in this thread, bots think as long as they like: what is played from a seed does not depend on how fast
    the machine is, and whoever began it can stop it."""
    token = _has_clocks.set(False)
    try:
        yield
    finally:
        _has_clocks.reset(token)


def has_clocks() -> bool:
    """Whether bots are limited by the clock, as everywhere but inside `without_clocks`."""
    return _has_clocks.get()


class Patience:
    """Calls functions, each for at most `seconds`; a `rules.bots.guard.Limit`. Use it in a `with` and in one thread.

    Raises Overran when the time is up. What a function raises comes through; an exception that is none of Exception
    (SystemExit, say) comes as RuntimeError, since in that thread it can mean nobody but the bot.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._left = inf
        self._thinker: Thinker | None = None

    @property
    def seconds(self) -> float:
        """How long a call may take, where there is not less left."""
        return self._seconds

    def at_most(self, left: float) -> bool:
        """Let the next call take no more than what is `left` of some other time; whether that is less than a call's."""
        self._left = left
        return left < self._seconds

    def __enter__(self) -> Patience:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._thinker is not None:
            self._thinker.dismiss(is_thinking=error is not None)

    def __call__(self, function: Callable[[], Any]) -> Any:
        if self._thinker is None:
            self._thinker = Thinker()
            self._thinker.start()
        thinker = self._thinker
        thinker.asked.put(function)
        try:
            result, error = self._await(thinker)
        except Empty:
            self._thinker = None
            thinker.dismiss(is_thinking=True)
            raise Overran from None
        if error is None:
            return result
        if isinstance(error, Exception):
            raise error
        raise RuntimeError(f"{type(error).__name__} raised by a bot") from error

    def _await(self, thinker: Thinker) -> tuple[Any, BaseException | None]:
        """What the function returned and what it raised. Raises Empty when the time is up."""
        return thinker.answered.get(timeout=max(0.0, min(self._seconds, self._left)))


class Thinker(threading.Thread):
    """Calls one function after the other until it is dismissed."""

    def __init__(self) -> None:
        super().__init__(name="bot", daemon=True)
        self.asked: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self.answered: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_over = False
        self._is_told = False

    def run(self) -> None:
        try:
            while (function := self.asked.get()) is not None:
                self.answered.put(_called(function))
            self._finish()
        except Overran:
            self._finish()

    def dismiss(self, *, is_thinking: bool) -> None:
        """End this thread: after the present function, or in the middle of it where it may be `is_thinking` still."""
        self.asked.put(None)
        if is_thinking:
            threading.Thread(target=self._end, name="bot-end", daemon=True).start()

    def _end(self) -> None:
        tries = 0
        while self.is_alive():
            with self._lock:
                if not self._is_over:
                    self._is_told = True
                    _raise_in(self, Overran)
            self.join(AGAIN_SECONDS)
            tries += 1
            if tries == TELL_AFTER:
                logger.error("A bot's thread does not end; it may take processor time until this process ends")

    def _finish(self) -> None:
        """From here on no exception comes into this thread: its number may soon be another one's.

        One that may be on its way is not taken back but met. CPython 3.11 remembers for the whole process that one was
        sent until a thread meets it: every thread would look for it at every step from then on, and a profiler would
        wait for it without end.
        """
        while not self._is_over:
            try:
                with self._lock:
                    self._is_over = True
                if self._is_told:
                    _raise_in(self, Overran)
                    while True:
                        time.sleep(0)
            except Overran:
                continue


def _called(function: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    try:
        return function(), None
    except BaseException as error:  # noqa: BLE001 - it is raised again where the answer is awaited
        return None, error


def _raise_in(thread: threading.Thread, kind: type[BaseException]) -> None:
    """Let an exception appear in a thread at its next step of Python; it takes the place of one that is on its way."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(kind))
