"""The cache in Redis that all processes share, for a site that goes on without it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

logger = logging.getLogger("solaris_site.cache")

LONGEST_ASK = 1.0
"""Seconds after which a server that does not answer counts as away."""
REST_SECONDS = 10.0
"""Seconds for which nobody asks a server that is away."""

away_until: dict[str, float] = {}
"""The moment (monotonic seconds) before which a server is not asked, by its address."""


class Client:
    """The asker of the shared cache. While its server is away, this process has a cache of its own, empty at first.

    Everything in it can be made again; rates of programs then count for each process.
    """

    def __init__(self, servers: list[str], **options: Any) -> None:
        short: dict[str, Any] = {
            "socket_connect_timeout": LONGEST_ASK,
            "socket_timeout": LONGEST_ASK,
            "retry": Retry(NoBackoff(), 0),
        }
        self.server = servers[0]
        self.shared = RedisCacheClient(servers, **(short | options))
        self.own = LocMemCache("while the shared cache is away", {})

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return the method of this name of RedisCacheClient; LocMemCache has the same ones."""
        return partial(self._ask, name)

    def _ask(self, name: str, *arguments: Any, **names: Any) -> Any:
        if time.monotonic() >= away_until.get(self.server, 0.0):
            try:
                return getattr(self.shared, name)(*arguments, **names)
            except (RedisError, OSError) as error:
                away_until[self.server] = time.monotonic() + REST_SECONDS
                # The error's text may contain the address with its password.
                logger.warning("The shared cache does not answer: %s", type(error).__name__)
        return getattr(self.own, name)(*arguments, **names)


class SharedCache(RedisCache):
    """The backend of CACHE_URL."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = Client
