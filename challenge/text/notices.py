"""The notices of events, on a person's own page and in the digest."""

from __future__ import annotations

from collections.abc import Mapping

from people.text import notices
from rules.core.messages import gettext_noop

SENTENCES: Mapping[str, str] = {
    "challenge_day_closed": gettext_noop("{event}: day {day} is closed."),
    "challenge_final_called": gettext_noop("{event}: the final is called. It is fought by {pilots}."),
    "challenge_plan_approved": gettext_noop("{event}: the plan for the off-board cycle of {pilot} is approved."),
    "challenge_plan_struck": gettext_noop("{event}: the plan for the off-board cycle of {pilot} was turned down."),
    "challenge_webhook_off": gettext_noop(
        "{event}: the webhook to {host} was turned off, because nothing arrives there any more."
    ),
}
"""Code -> template; its placeholders are the parameters that the notice must bring."""


def register() -> None:
    """Register these notices. None is mailed at once."""
    notices.register(SENTENCES, room="challenge", topics={"challenge": SENTENCES})
