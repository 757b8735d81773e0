"""What other rooms may listen to."""

from django.dispatch import Signal

match_ended = Signal()
"""Sent once a match, with `match` (finished, result stored), inside the transaction that finishes it: a listener that
raises undoes the end. Listeners must be short and may write only to the database."""

result_corrected = Signal()
"""Sent with `match_id` whenever another result of a finished match holds from then on (`matches.selectors.holding`),
inside the transaction that corrects it. What holds for listeners of the end holds for these too."""
