"""Puzzles of days, and how many visitors found them. The database itself refuses changes to a puzzle (see 0002)."""

from django.db import migrations, models

TABLE = "matches_puzzle"


def guard(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(
            f"CREATE TRIGGER {TABLE}_written_once BEFORE UPDATE ON {TABLE} "
            f"BEGIN SELECT RAISE(ABORT, '{TABLE} is written once'); END"
        )
    elif schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            f"CREATE FUNCTION {TABLE}_written_once() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION '% is written once', TG_TABLE_NAME; END $$",
            params=None,
        )
        schema_editor.execute(
            f"CREATE TRIGGER {TABLE}_written_once BEFORE UPDATE OR DELETE ON {TABLE} "
            f"FOR EACH ROW EXECUTE FUNCTION {TABLE}_written_once()"
        )


def release(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(f"DROP TRIGGER {TABLE}_written_once")
    elif schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP TRIGGER {TABLE}_written_once ON {TABLE}")
        schema_editor.execute(f"DROP FUNCTION {TABLE}_written_once()")


class Migration(migrations.Migration):
    dependencies = [("matches", "0012_nods")]

    operations = [
        migrations.CreateModel(
            name="Puzzle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(unique=True, verbose_name="day")),
                ("document", models.JSONField(verbose_name="puzzle")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="created")),
            ],
            options={"verbose_name": "puzzle", "verbose_name_plural": "puzzles", "ordering": ["-day"]},
        ),
        migrations.CreateModel(
            name="PuzzleCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(unique=True, verbose_name="day")),
                ("answered", models.PositiveIntegerField(default=0, verbose_name="answered")),
                ("found", models.PositiveIntegerField(default=0, verbose_name="found")),
            ],
            options={
                "verbose_name": "count of a puzzle",
                "verbose_name_plural": "counts of puzzles",
                "ordering": ["-day"],
            },
        ),
        migrations.RunPython(guard, release),
    ]
