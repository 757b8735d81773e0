"""Accounts get the key of their name. Where two names look the same the older account has the plain key."""

import re
import unicodedata
from pathlib import Path

from django.db import migrations, models

TABLE = Path(__file__).resolve().parents[2] / "web" / "confusables.txt"
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
BLANK = str.maketrans({"\u2800": " ", "\U0001d159": " "})


def looks():
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return {ord(line[0]): line[2:] for line in lines if not line.startswith("#")}


def name_key(name, table):
    """Return what names were compared by when this migration was written; later versions do not change it."""
    text = unicodedata.normalize("NFKC", name.translate(BLANK)).casefold()
    text = unicodedata.normalize("NFD", INVISIBLE.sub("", text)).translate(table)
    return " ".join(text.split())[:190]


def add_keys(apps, schema_editor):
    User = apps.get_model("people", "User")
    table = looks()
    seen = {}
    changed = []
    for user in User.objects.order_by("date_joined", "pk").only("pk", "username").iterator():
        key = name_key(user.username, table)
        seen[key] = seen.get(key, 0) + 1
        user.name_key = key if seen[key] == 1 else f"{key}  {seen[key]}"
        changed.append(user)
    User.objects.bulk_update(changed, ["name_key"], batch_size=200)


class Migration(migrations.Migration):
    dependencies = [("people", "0008_proven_addresses")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="name_key",
            field=models.CharField(default="", editable=False, max_length=200, verbose_name="what the name looks like"),
            preserve_default=False,
        ),
        migrations.RunPython(add_keys, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="user",
            name="name_key",
            field=models.CharField(
                editable=False, max_length=200, unique=True, verbose_name="what the name looks like"
            ),
        ),
    ]
