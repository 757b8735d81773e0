"""What a person chose before they signed up: the press that signs up begins it, if its room knows the address."""

from __future__ import annotations

from collections.abc import Callable

from people.models import User

Arrival = Callable[[User, str], str]
"""Begins what an address of this site stands for, and returns where to go on; any other address comes back as it is."""

_arrivals: dict[str, Arrival] = {}


def register(name: str, arrival: Arrival) -> None:
    """Let a room begin something at a sign-up; a second one with the same name replaces the first."""
    _arrivals[name] = arrival


def arrive(user: User, address: str) -> str:
    """Let the rooms begin what a new account was on its way to, and return the address to go on to."""
    for arrival in _arrivals.values():
        address = arrival(user, address)
    return address
