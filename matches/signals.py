"""The signals that other rooms may listen to."""

from django.dispatch import Signal

match_ended = Signal()
"""Sent once for each match, with `match` (finished, result stored), inside the transaction that finishes it: a listener
that raises undoes the end. Listeners must be short and may write only to the database."""

result_corrected = Signal()
"""Sent with `match_id` when another result of a finished match becomes the valid one (`matches.host`), inside the
transaction that corrects it. Listeners keep the same rules as those of `match_ended`."""
