"""The notices about what people put into the catalogue."""

from collections.abc import Mapping

from people.text import notices
from rules.core.messages import gettext_noop

SENTENCES: Mapping[str, str] = {
    "miniature_taken_down": gettext_noop("The staff of this site removed your photo of the miniature {name}."),
}
"""Code -> template; its placeholders are the parameters that the notice must bring."""


def register() -> None:
    """Register these notices."""
    notices.register(SENTENCES, room="catalogue")
