"""SQLite refuses to remove what is written once, as PostgreSQL does since 0002.

Emptying every table of a SQLite database (`manage.py flush`) is refused with it: remove the file instead. The tests,
which empty tables between them, drop these triggers from their own database.
"""

from django.db import migrations

TABLES = (
    "stables_ledgerentry",
    "stables_reputationentry",
    "stables_result",
    "stables_placing",
    "stables_title",
    "stables_report",
    "stables_ruling",
    "stables_correction",
    "stables_logentry",
)


def create(apps, schema_editor):
    if schema_editor.connection.vendor != "sqlite":
        return
    with schema_editor.connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(
                f"CREATE TRIGGER IF NOT EXISTS {table}_never_removed BEFORE DELETE ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is written once'); END"
            )


def drop(apps, schema_editor):
    if schema_editor.connection.vendor != "sqlite":
        return
    with schema_editor.connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"DROP TRIGGER IF EXISTS {table}_never_removed")


class Migration(migrations.Migration):
    dependencies = [("stables", "0006_more_is_written_once")]
    operations = [migrations.RunPython(create, drop)]
