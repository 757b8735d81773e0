"""One try to send a document to a webhook: its address checked again, signed, posted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from rules.core.refusals import SeasonRefused
from webhooks import addresses, posting, signatures
from webhooks.posting import Reply

USER_AGENT = "Solaris-Circuit-Webhooks/1.0"
PAUSES = (
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=6),
    timedelta(hours=15),
)
"""The pauses before the second try, the third, and so on: about a day in all."""
LONGEST_WISH = timedelta(hours=6)
"""The longest pause that a receiver may ask for."""


def send(url: str, secret: str, name: str, body: bytes) -> Reply:
    """Send a body to an address, signed with a secret, under the id `name`, and return the reply.

    Without a request it has only a problem (webhook_address_…). The address is checked at each try: a name may lead
    elsewhere now, and operators may change what they allow. Call it outside transactions: it may take a quarter minute.
    """
    try:
        target = addresses.read_address(url)
        found = addresses.addresses_of(target, for_delivery=True)
    except SeasonRefused as refused:
        return Reply(None, refused.code)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        **signatures.headers_of(secret, name, int(datetime.now(UTC).timestamp()), body),
    }
    return posting.post(target, found, body, headers)
