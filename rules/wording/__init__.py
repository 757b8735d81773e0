"""Words for people: codes and events of the rules as translatable sentences.

Sentences for players are only here, in `rules.campaign.wording`, `rules.catalogue.wording` and
`rules.challenge.wording`. Every function that returns a sentence takes `translate`, the language
(`rules.wording.language`). Without it sentences are in English. The marks of `rules.core.messages` are what
makemessages finds.
"""

from __future__ import annotations

from rules.wording.attacks import explain_attack, explain_damage
from rules.wording.cards import TEXTS as CARD_TEXTS
from rules.wording.events import SILENT_KINDS, event_sentence
from rules.wording.refusals import REFUSAL_CODES, all_codes, sentence
from rules.wording.requirements import requirement
from rules.wording.vocabulary import NAMES, name

__all__ = [
    "CARD_TEXTS",
    "NAMES",
    "REFUSAL_CODES",
    "SILENT_KINDS",
    "all_codes",
    "event_sentence",
    "explain_attack",
    "explain_damage",
    "name",
    "requirement",
    "sentence",
]
