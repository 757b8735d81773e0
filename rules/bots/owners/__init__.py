"""Owners made of code: what a stable of the AI buys, repairs, equips, sells and fields. Equal input, equal choice."""

from __future__ import annotations
