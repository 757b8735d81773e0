"""The command that writes the page of all refusal codes to standard output."""

from __future__ import annotations

import sys

from rules.wording.document import document

sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
sys.stdout.write(document())
