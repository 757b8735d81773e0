"""Fold the searched text of every entry again, now without marks, apostrophes and hyphens."""

import unicodedata

from django.db import migrations

SINGLE = str.maketrans({"ł": "l", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
SIGNS = str.maketrans({**dict.fromkeys("’‘'`´\u00ad\u200b\u2060\ufeff"), **dict.fromkeys("-‐‑–—\u00a0\u202f", " ")})


def searched(definition):
    """Return what searches compared when this migration was written; later versions do not change it."""
    words = (definition["id"], definition["name"], definition.get("variant", ""))
    small = unicodedata.normalize("NFC", " ".join(words).casefold()).translate(SIGNS)
    forms = []
    for form in (small, small.translate(UMLAUTS)):
        parts = unicodedata.normalize("NFKD", form.translate(SINGLE))
        forms.append(" ".join("".join(part for part in parts if not unicodedata.combining(part)).split()))
    return " ".join(dict.fromkeys(forms))[:250]


def fold(apps, schema_editor):
    entries = apps.get_model("catalogue", "CatalogueEntry").objects
    for pk, definition, before in entries.values_list("pk", "definition", "search").iterator(chunk_size=500):
        after = searched(definition)
        if after != before:
            entries.filter(pk=pk).update(search=after)


class Migration(migrations.Migration):
    dependencies = [
        ("catalogue", "0004_miniature_photos"),
    ]

    operations = [
        migrations.RunPython(fold, migrations.RunPython.noop),
    ]
