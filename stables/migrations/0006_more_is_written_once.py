"""Reports, rulings, corrections and the log belong to the books that the database itself keeps from being changed.

On SQLite the books that 0005 altered lose their triggers with the old table and get them again here.
"""

from django.db import migrations

NEW = ("stables_report", "stables_ruling", "stables_correction", "stables_logentry")
ALTERED = ("stables_ledgerentry", "stables_reputationentry", "stables_result", "stables_placing", "stables_title")


def create(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "sqlite":
            for table in (*NEW, *ALTERED):
                cursor.execute(
                    f"CREATE TRIGGER IF NOT EXISTS {table}_written_once BEFORE UPDATE ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is written once'); END"
                )
        elif schema_editor.connection.vendor == "postgresql":
            for table in NEW:
                cursor.execute(
                    f"CREATE TRIGGER {table}_written_once BEFORE UPDATE OR DELETE ON {table} "
                    "FOR EACH ROW EXECUTE FUNCTION stables_written_once()"
                )


def drop(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        for table in NEW:
            if schema_editor.connection.vendor == "sqlite":
                cursor.execute(f"DROP TRIGGER {table}_written_once")
            elif schema_editor.connection.vendor == "postgresql":
                cursor.execute(f"DROP TRIGGER {table}_written_once ON {table}")


class Migration(migrations.Migration):
    dependencies = [("stables", "0005_whole_season")]
    operations = [migrations.RunPython(create, drop)]
