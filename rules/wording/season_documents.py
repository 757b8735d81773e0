"""The refusals of a season's document (stables.documents): each names the place where something is wrong."""

from collections.abc import Mapping

from rules.core.messages import gettext_noop

REFUSALS: Mapping[str, str] = {
    "season_document_unreadable": gettext_noop("This file is no JSON document that can be read: {problem}."),
    "season_document_unknown_format": gettext_noop(
        "This is not the document of a season that this version reads (format {format}, schema {schema})."
    ),
    "season_document_redacted": gettext_noop(
        "This document leaves out what nobody may see before its season is over, so no season can be made of it. "
        "Export the season again when it is finished."
    ),
    "season_document_unfinished": gettext_noop(
        "The season of this document is not over ({state}): what waits for it to go on is not in the document. "
        "To move a season that goes on, move the database."
    ),
    "season_document_field_missing": gettext_noop("{place} has no field {field}."),
    "season_document_field_unknown": gettext_noop("{place} has a field that nobody knows: {field}."),
    "season_document_bad_value": gettext_noop("The document cannot be read. {place}: {problem}."),
    "season_document_unknown_name": gettext_noop("{place} names something that is not among the {table}: {name}."),
    "season_document_twice": gettext_noop("{place} is there twice: {name}."),
    "season_document_catalogue_differs": gettext_noop(
        "The hash of a definition is not the one of its content: {place} says {stored}, the content gives {found}."
    ),
    "season_document_ledger_differs": gettext_noop(
        "The ledger does not add up: {place} says {stored}, the entries give {found}."
    ),
    "season_document_reputation_differs": gettext_noop(
        "The book of reputation is not what the results brought: {place} says {stored}, the results give {found}."
    ),
    "season_document_places_differ": gettext_noop(
        "Places and titles are not what the books give: {place} says {stored}, the books give {found}."
    ),
    "season_document_result_differs": gettext_noop(
        "A result is not how its match ended: {place} says {stored}, the match says {found}."
    ),
    "season_document_match_differs": gettext_noop(
        "Match {match} is not what its setup, its seed and its actions give. The first difference: {place}."
    ),
    "season_document_other_rules": gettext_noop(
        "Match {match} was recorded under other rules ({version}, here {rules}) and cannot be played again here. "
        "To take such matches as they were written, say --allow-other-rules."
    ),
    "season_document_seed_differs": gettext_noop(
        "The seed of match {match} is not the one that was promised before it: {place}."
    ),
    "season_document_season_here": gettext_noop(
        "There is a season at the address {slug} already. Give another address (--slug)."
    ),
    "season_document_match_here": gettext_noop(
        "Match {match} is here already. To import the season a second time, give it an address of its own (--slug)."
    ),
    "season_document_not_stored": gettext_noop("The database refused what the document says: {problem}."),
}
"""Code -> template with {name} placeholders."""
