"""Owners made of code: what an AI-run stable buys, repairs, equips, sells and fields. Equal input, equal choice."""

from __future__ import annotations
