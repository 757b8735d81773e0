"""Titles belong to the books that the database itself keeps from being changed (see 0002)."""

from django.db import migrations

TABLE = "stables_title"


def create(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "sqlite":
            cursor.execute(
                f"CREATE TRIGGER {TABLE}_written_once BEFORE UPDATE ON {TABLE} "
                f"BEGIN SELECT RAISE(ABORT, '{TABLE} is written once'); END"
            )
        elif schema_editor.connection.vendor == "postgresql":
            cursor.execute(
                f"CREATE TRIGGER {TABLE}_written_once BEFORE UPDATE OR DELETE ON {TABLE} "
                "FOR EACH ROW EXECUTE FUNCTION stables_written_once()"
            )


def drop(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "sqlite":
            cursor.execute(f"DROP TRIGGER {TABLE}_written_once")
        elif schema_editor.connection.vendor == "postgresql":
            cursor.execute(f"DROP TRIGGER {TABLE}_written_once ON {TABLE}")


class Migration(migrations.Migration):
    dependencies = [("stables", "0003_six_cycles")]
    operations = [migrations.RunPython(create, drop)]
