"""Accounts with Greek letters that keep their own look now get the key of their name again.

An account whose new key is taken gets a numbered one. No name changes.
"""

import re
import unicodedata
from pathlib import Path

from django.db import migrations

TABLE = Path(__file__).resolve().parents[2] / "web" / "confusables.txt"
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
BLANK = str.maketrans({"\u2800": " ", "\U0001d159": " "})
WRITTEN = str.maketrans({"\u0392": "B", "\u039d": "N", "\u03a5": "Y", "\u03f9": "C", "\u03f2": "c"})
NUMBERING = "  "


def looks():
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return {ord(line[0]): line[2:] for line in lines if not line.startswith("#")}


def name_key(name, table):
    """Return what names were compared by when this migration was written; later versions do not change it."""
    text = unicodedata.normalize("NFKC", name.translate(BLANK).translate(WRITTEN))
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).translate(WRITTEN)).casefold()
    text = unicodedata.normalize("NFD", INVISIBLE.sub("", text)).translate(table)
    return " ".join(text.split())[:190]


def make_keys_again(apps, schema_editor):
    User = apps.get_model("people", "User")
    table = looks()
    for user in User.objects.order_by("date_joined", "pk").only("pk", "username", "name_key").iterator():
        if user.username.isascii():
            continue
        before, _, number = user.name_key.partition(NUMBERING)
        base = name_key(user.username, table)
        if base == before:
            continue
        key, next_number = f"{base}{NUMBERING}{number}" if number else base, 2
        while User.objects.filter(name_key=key).exclude(pk=user.pk).exists():
            key, next_number = f"{base}{NUMBERING}{next_number}", next_number + 1
        User.objects.filter(pk=user.pk).update(name_key=key)


class Migration(migrations.Migration):
    dependencies = [("people", "0017_acts_stay_until_done")]

    operations = [migrations.RunPython(make_keys_again, migrations.RunPython.noop)]
