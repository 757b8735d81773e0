"""Matches that teach, and duels that go: PostgreSQL lets the steps of a match go that has neither an end nor a season.

All others stay written once.
"""

from django.db import migrations, models


def allow(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "CREATE OR REPLACE FUNCTION matches_written_once() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN "
            "IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM matches_match "
            "WHERE id = OLD.match_id AND fixture_key IS NULL AND finished_at IS NULL) THEN RETURN OLD; END IF; "
            "RAISE EXCEPTION '% is written once', TG_TABLE_NAME; END $$",
            params=None,
        )


def refuse(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "CREATE OR REPLACE FUNCTION matches_written_once() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION '% is written once', TG_TABLE_NAME; END $$",
            params=None,
        )


class Migration(migrations.Migration):
    dependencies = [("matches", "0009_closed_matches")]
    operations = [
        migrations.AddField(
            model_name="match",
            name="is_tutorial",
            field=models.BooleanField(default=False, verbose_name="tutorial"),
        ),
        migrations.RunPython(allow, refuse),
    ]
