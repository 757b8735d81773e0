"""The database itself refuses changes to what is written once.

Updates are refused on both databases. Removing rows is refused on PostgreSQL only: SQLite would also refuse the
emptying of tables between tests, which has no statement of its own there.
"""

from django.db import migrations

TABLES = ("stables_ledgerentry", "stables_reputationentry", "stables_result", "stables_placing")


def create(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "sqlite":
            for table in TABLES:
                cursor.execute(
                    f"CREATE TRIGGER {table}_written_once BEFORE UPDATE ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is written once'); END"
                )
        elif schema_editor.connection.vendor == "postgresql":
            cursor.execute(
                "CREATE FUNCTION stables_written_once() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION '% is written once', TG_TABLE_NAME; END $$"
            )
            for table in TABLES:
                cursor.execute(
                    f"CREATE TRIGGER {table}_written_once BEFORE UPDATE OR DELETE ON {table} "
                    "FOR EACH ROW EXECUTE FUNCTION stables_written_once()"
                )


def drop(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "sqlite":
            for table in TABLES:
                cursor.execute(f"DROP TRIGGER {table}_written_once")
        elif schema_editor.connection.vendor == "postgresql":
            for table in TABLES:
                cursor.execute(f"DROP TRIGGER {table}_written_once ON {table}")
            cursor.execute("DROP FUNCTION stables_written_once()")


class Migration(migrations.Migration):
    dependencies = [("stables", "0001_seasons")]
    operations = [migrations.RunPython(create, drop)]
