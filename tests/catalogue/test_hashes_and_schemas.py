"""What content hashes depend on, and what the published schemas say."""

import copy
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from rules.catalogue import Catalogue, load_builtin
from rules.catalogue.publish import SCHEMA_FOLDER, text_of
from rules.catalogue.shape import SCHEMA_FILES, schema
from rules.catalogue.vocabulary import EQUIPMENT_PLACES, KINDS
from rules.catalogue.wording import NAMES
from rules.core.codec import content_hash
from rules.core.definition_checks import HEAT_EFFECT_PLACES


def reversed_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: reversed_keys(value[key]) for key in reversed(value)}
    if isinstance(value, list):
        return [reversed_keys(item) for item in value]
    return value


def test_hashes_do_not_depend_on_the_order_of_keys_or_files(builtin: Catalogue) -> None:
    document = builtin.to_json()
    turned = [{"schema": 1, kind: reversed_keys(document[kind])[::-1]} for kind in reversed(KINDS)]
    again = Catalogue.from_documents(turned)
    assert again.content_hash == builtin.content_hash
    assert again.to_json() == document
    assert (
        again.hash_of("units", "SOL002") == builtin.hash_of("units", "SOL002") == content_hash(builtin.units["SOL002"])
    )


def test_a_changed_value_changes_the_hashes_of_its_definition_and_catalogue(builtin: Catalogue) -> None:
    document = copy.deepcopy(builtin.to_json())
    document["units"][0]["dial"][0]["speed"] += 1
    changed = Catalogue.from_documents([document])
    key = document["units"][0]["id"]
    assert changed.content_hash != builtin.content_hash
    assert changed.hash_of("units", key) != builtin.hash_of("units", key)
    others = [other for other in builtin.units if other != key]
    assert all(changed.hash_of("units", other) == builtin.hash_of("units", other) for other in others)


def test_an_unknown_kind_or_id_is_a_key_error(builtin: Catalogue) -> None:
    with pytest.raises(KeyError):
        builtin.hash_of("monsters", "SOL002")
    with pytest.raises(KeyError):
        builtin.hash_of("units", "SOL999")


def test_a_caller_cannot_spoil_the_builtin_catalogue_for_others() -> None:
    before = load_builtin().content_hash
    load_builtin().units["SOL002"]["points"] = 1
    assert load_builtin().content_hash == before


def test_the_published_schemas_are_valid_and_describe_a_whole_document(builtin: Catalogue) -> None:
    resources = []
    for path in sorted(SCHEMA_FOLDER.glob("*.json")):
        published = json.loads(path.read_text(encoding="utf-8"))
        Draft202012Validator.check_schema(published)
        resources.append((published["$id"], Resource.from_contents(published)))
    document_schema = json.loads((SCHEMA_FOLDER / "catalogue.schema.json").read_text(encoding="utf-8"))
    validator = Draft202012Validator(document_schema, registry=Registry().with_resources(resources))
    assert list(validator.iter_errors(builtin.to_json())) == []
    spoilt = copy.deepcopy(builtin.to_json())
    del spoilt["units"][0]["dial"][0]["attack"]
    assert list(validator.iter_errors(spoilt))


@pytest.mark.parametrize("kind", SCHEMA_FILES)
def test_the_published_files_are_up_to_date(kind: str) -> None:
    written = (SCHEMA_FOLDER / SCHEMA_FILES[kind]).read_text(encoding="utf-8")
    assert written == text_of(kind), "python -m rules.catalogue.publish"


def test_the_schemas_hold_the_whole_vocabulary() -> None:
    unit = schema("units")["$defs"]
    assert unit["equipment"]["then"]["enum"] == list(EQUIPMENT_PLACES)
    assert unit["step"]["properties"]["effects"]["properties"]["primary"]["enum"] == list(HEAT_EFFECT_PLACES)
    assert len(EQUIPMENT_PLACES) == 35
    assert len(HEAT_EFFECT_PLACES) == 9
    assert set(schema("gear")["properties"]["equipment"]["enum"]) == {*EQUIPMENT_PLACES, None}
    assert set(SCHEMA_FILES) == set(KINDS)
    assert {*EQUIPMENT_PLACES, *HEAT_EFFECT_PLACES} <= set(NAMES)
