"""The endpoints of imports. A draft shows what would change. Its owner then confirms or discards it, once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.core.validators import RegexValidator
from django.http import Http404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Endpoint, Pages, idempotent, pages_of
from api.fields import Input, Output, Query, StrictBoolean, StrictChoice, StrictString
from api.problems import problem
from catalogue.api.collections import TOPIC, CollectionEndpoint
from catalogue.api.rows import HASH
from catalogue.models import ImportDraft
from catalogue.services import collections
from catalogue.services.differences import Change
from catalogue.services.files import CSV, JSON, MAPPING, ReadFile, forms, read_file, read_mapping
from catalogue.text import labels
from rules.catalogue import CatalogueError, Document
from rules.catalogue.vocabulary import KINDS

EFFECTS = ("added", "changed", "removed", "unchanged")
FILE_NAME = RegexValidator(r"^[^\x00-\x1f\x7f]*[^\x00-\x1f\x7f\s][^\x00-\x1f\x7f]*\Z")


class ImportInput(Input):
    """Definitions to import: a catalogue document, or a foreign document in the form that `form` names."""

    document = serializers.DictField()
    form = StrictChoice(choices=[form for form in forms() if form != CSV], required=False)
    mapping = serializers.DictField(
        required=False, help_text="A mapping of your own; it reads a document of any other form (docs/recipes)."
    )
    file = StrictString(max_length=80, default="request", validators=[FILE_NAME], help_text="What to call it.")
    replaces_all = StrictBoolean(
        default=False, help_text="`true`: definitions outside the document leave the collection."
    )


class ImportSheetInput(Input):
    """Units to import, as the text of a CSV sheet, or of any other table with a `mapping` that reads it."""

    sheet = StrictString(max_length=2_000_000)
    mapping = serializers.DictField(required=False, help_text="A mapping of your own whose `read` is `csv`.")
    file = StrictString(max_length=80, default="request.csv", validators=[FILE_NAME], help_text="What to call it.")
    replaces_all = StrictBoolean(default=False, help_text="`true`: units outside the sheet leave the collection.")


class ImportNoteOutput(Output):
    """A note of a mapping: something that the file of another program did not say, or that was left out. `field` is
    null for a note about the whole unit.
    """

    unit = serializers.CharField()
    field = serializers.CharField(allow_null=True)
    code = serializers.CharField()
    detail = serializers.CharField()


class ImportCountsOutput(Output):
    """The numbers of definitions that a draft would add, change, remove and leave as they are."""

    added = serializers.IntegerField()
    changed = serializers.IntegerField()
    removed = serializers.IntegerField()
    unchanged = serializers.IntegerField()


class ImportOutput(Output):
    """A draft in a list."""

    public_id = serializers.UUIDField()
    collection = serializers.SlugField(source="collection.slug")
    state = serializers.ChoiceField(choices=ImportDraft.State.values)
    file = serializers.CharField()
    replaces_all = serializers.BooleanField()
    made_at = serializers.DateTimeField(source="created_at")


class ImportDetailOutput(ImportOutput):
    """A draft. `counts` is null once the draft is confirmed or discarded."""

    counts = ImportCountsOutput(allow_null=True)
    notes = ImportNoteOutput(many=True)


class DifferenceOutput(Output):
    """One value that an import changes. `before` or `after` is null when the definition has no such value."""

    path = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class ImportChangeOutput(Output):
    """What an import does to one definition. Only a changed one has `differences`."""

    kind = serializers.ChoiceField(choices=list(KINDS))
    id = serializers.CharField(source="key")
    name = serializers.CharField()
    effect = serializers.ChoiceField(choices=EFFECTS)
    differences = DifferenceOutput(many=True)


class ImportChangesQuery(Pages):
    """Which changes of a draft."""

    effect = StrictChoice(choices=EFFECTS, required=False)


class ConfirmedOutput(Output):
    """The version that a draft became."""

    collection = serializers.SlugField(source="collection.slug")
    version = serializers.IntegerField(source="number")
    release = serializers.CharField(source="release.content_hash")


IMPORT_ID = "0b9d2c54-8a15-4d0e-9d5e-6a3f5d1c7b21"
IMPORT_EXAMPLE: dict[str, Any] = {
    "public_id": IMPORT_ID,
    "collection": "my-shelf",
    "state": "open",
    "file": "shelf.json",
    "replaces_all": False,
    "made_at": "3152-03-01T18:00:00Z",
}
IMPORT_DETAIL_EXAMPLE = {
    **IMPORT_EXAMPLE,
    "counts": {"added": 1, "changed": 0, "removed": 0, "unchanged": 12},
    "notes": [],
}
TOKEN_TO_SEND = {
    "id": "T-900",
    "name": "Old Turret",
    "defense": 17,
    "armor": None,
    "method": "energy",
    "rp": 10,
    "else_rp": 5,
}


class IntoCollection(CollectionEndpoint):
    """An endpoint that brings definitions into a collection."""

    def recheck_permission(self, **names: Any) -> None:
        self.collection(names["slug"])

    def drafted(self, slug: str, read: Callable[[], ReadFile], *, replaces_all: bool) -> Response:
        """Return the answer to a file: its draft (201), or the faults of an invalid file with their places (409).

        Raises Http404, TooOften (too_often), ImportRefused (not_the_keeper, too_many_definitions).
        """
        collection = self.collection(slug)
        collections.count_import(self.request.user)
        try:
            draft = collections.draft_import(
                collection=collection, user=self.request.user, read=read(), replaces_all=replaces_all
            )
        except CatalogueError as error:
            return problem(HTTPStatus.CONFLICT, error.code, labels.refusal(error), problem_parameters(error))
        address = reverse("api:catalogue_import", args=[draft.public_id])
        return Response(draft_document(draft), status=201, headers={"Location": address})


class CollectionImports(IntoCollection):
    """The import of a document into a collection."""

    @describes(
        "imports_make",
        "Import a document into a collection",
        TOPIC,
        answers=ImportDetailOutput,
        status=201,
        sends=ImportInput,
        examples=[
            example(
                "A document with one target token",
                {"document": {"schema": 1, "target_tokens": [TOKEN_TO_SEND]}, "file": "tokens.json"},
                sent=True,
            ),
            example("A draft", IMPORT_DETAIL_EXAMPLE, status=201),
        ],
    )
    @idempotent(atomic=False)
    def post(self, request: Any, slug: str) -> Response:
        """Check the document and keep it as a draft that only you see. The collection changes when you confirm the
        draft. Without `form` it has the form of `mapping` if that is sent, and else of this catalogue.

        An invalid document is refused (409, `catalogue_invalid`) with each fault, its place and its reason. The check
        stops at 200 faults; `is_cut` says that there may be more. Only the keeper may import (`not_the_keeper`). A
        collection holds no more definitions of a kind than a file (`too_many_definitions`), and you may send sixty
        files an hour. Your next import deletes your drafts that are older than a week, and the oldest open one when
        there are more than ten.
        """
        sent = self.sent(ImportInput)

        def read() -> ReadFile:
            text = json.dumps(sent["document"])
            own = _mapping(sent)
            return read_file(sent["file"], text.encode(), sent.get("form") or ("" if own else JSON), own)

        return self.drafted(slug, read, replaces_all=sent["replaces_all"])


class CollectionSheets(IntoCollection):
    """The import of a sheet of units into a collection."""

    @describes(
        "imports_make_of_sheet",
        "Import a CSV sheet of units into a collection",
        TOPIC,
        answers=ImportDetailOutput,
        status=201,
        sends=ImportSheetInput,
        examples=[
            example("A sheet, cut short", {"sheet": "id,name,variant\nSOL900,Hellion,HLN-9-L\n"}, sent=True),
            example("A draft", {**IMPORT_DETAIL_EXAMPLE, "file": "request.csv"}, status=201),
        ],
    )
    @idempotent(atomic=False)
    def post(self, request: Any, slug: str) -> Response:
        """Check units from the text of a CSV sheet and keep them as a draft. The columns are those of the site's own
        CSV export. Refused: catalogue_invalid, not_the_keeper, too_many_definitions.
        """
        sent = self.sent(ImportSheetInput)

        def read() -> ReadFile:
            own = _mapping(sent)
            return read_file(sent["file"], sent["sheet"].encode(), MAPPING if own else CSV, own)

        return self.drafted(slug, read, replaces_all=sent["replaces_all"])


class Imports(Endpoint):
    """The asker's drafts."""

    open_to_all = False

    @describes(
        "imports_list",
        "Your drafts",
        TOPIC,
        answers=pages_of(ImportOutput),
        asks=Pages,
        examples=[example("One draft", {"count": 1, "page": 1, "pages": 1, "results": [IMPORT_EXAMPLE]})],
    )
    def get(self, request: Any) -> Response:
        """List your drafts, open or decided, the newest first. Your next import deletes those older than a week."""
        asked = self.asked(Pages)
        found = collections.drafts_of(request.user).defer("document").order_by("-pk")
        return self.page_of(found, asked, lambda rows: ImportOutput(rows, many=True).data)


class ImportEndpoint(Endpoint):
    """An endpoint below the address of a draft."""

    open_to_all = False

    def draft(self, public_id: UUID) -> ImportDraft:
        """Return the asker's own draft at the address, with its collection; one query. Raises Http404."""
        found = collections.drafts_of(self.request.user).filter(public_id=public_id).first()
        if found is None:
            raise Http404
        return found


class ImportItself(ImportEndpoint):
    """One draft."""

    @describes(
        "imports_read",
        "A draft",
        TOPIC,
        answers=ImportDetailOutput,
        examples=[example("A draft", IMPORT_DETAIL_EXAMPLE)],
    )
    def get(self, request: Any, public_id: UUID) -> Response:
        """Return the state of the draft, and how many definitions it would change."""
        self.asked(Query)
        return Response(draft_document(self.draft(public_id)))

    @describes("imports_discard", "Throw a draft away", TOPIC, answers=None, status=204)
    @idempotent(atomic=True)
    def delete(self, request: Any, public_id: UUID) -> Response:
        """Discard the draft; nothing else changes. Refused: draft_not_open."""
        self.draft(public_id)
        collections.discard_import(public_id=public_id, user=request.user)
        return Response(status=204)


class ImportChanges(ImportEndpoint):
    """The changes that a draft would make."""

    @describes(
        "imports_changes",
        "What a draft would change",
        TOPIC,
        answers=pages_of(ImportChangeOutput),
        asks=ImportChangesQuery,
        examples=[
            example(
                "One definition that changes",
                {
                    "count": 1,
                    "page": 1,
                    "pages": 1,
                    "results": [
                        {
                            "kind": "target_tokens",
                            "id": "T-900",
                            "name": "Old Turret",
                            "effect": "changed",
                            "differences": [{"path": "defense", "before": 16, "after": 17}],
                        }
                    ],
                },
            )
        ],
    )
    def get(self, request: Any, public_id: UUID) -> Response:
        """List what the draft does to each definition, in order of kind and id, with each changed value before and
        after. Definitions that stay unchanged are listed, too.

        The list is empty once the draft is confirmed or discarded.
        """
        asked = self.asked(ImportChangesQuery)
        changes: Sequence[Change] = changes_of(self.draft(public_id)) or []
        if "effect" in asked:
            changes = [change for change in changes if change.effect == asked["effect"]]
        return self.page_of(changes, asked, lambda rows: ImportChangeOutput(rows, many=True).data)


class ImportConfirm(ImportEndpoint):
    """The confirmation of a draft."""

    @describes(
        "imports_confirm",
        "Confirm a draft",
        TOPIC,
        answers=ConfirmedOutput,
        examples=[example("The new version", {"collection": "my-shelf", "version": 3, "release": HASH})],
    )
    @idempotent(atomic=False)
    def post(self, request: Any, public_id: UUID) -> Response:
        """Make the draft the newest version of its collection, once.

        The newest twenty versions are kept, or fewer of a large collection. Refused: not_the_keeper, draft_not_open,
        collections_too_large, and collection_moved_on when the collection has got another version since the draft was
        made.
        """
        self.draft(public_id)
        version = collections.confirm_import(public_id=public_id, user=request.user)
        return Response(ConfirmedOutput(version).data)


def problem_parameters(error: CatalogueError) -> dict[str, Any]:
    """Return the faults of a file with their places and sentences, as the parameters of its refusal."""
    shown = [{**fault.to_json(), "detail": labels.sentence(fault.code, fault.parameters)} for fault in error.problems]
    return {"count": len(shown), "is_cut": error.is_cut, "problems": shown}


def _mapping(sent: Mapping[str, Any]) -> Document | None:
    """Return the mapping that a request sends, not checked yet; None without one. Raises CatalogueError
    (file_too_large).
    """
    if "mapping" not in sent:
        return None
    return read_mapping("mapping", json.dumps(sent["mapping"]).encode())


def changes_of(draft: ImportDraft) -> list[Change] | None:
    """Return the changes of an open draft; None for a confirmed or discarded one."""
    return collections.changes_of(draft) if draft.state == ImportDraft.State.OPEN else None


def draft_document(draft: ImportDraft) -> Mapping[str, Any]:
    """Return a draft as ImportDetailOutput describes it, with its notes in the reader's language."""
    changes = changes_of(draft)
    counted = Counter(change.effect for change in changes or ())
    counts = {effect: counted[effect] for effect in EFFECTS} if changes is not None else None
    notes = [{**note, "detail": labels.sentence(note["code"], note["parameters"])} for note in draft.notes]
    draft.counts = counts  # type: ignore[attr-defined]
    return {**ImportOutput(draft).data, "counts": counts, "notes": ImportNoteOutput(notes, many=True).data}
