"""The database itself refuses changes to the steps of a match.

Updates are refused on both databases. Removing rows is refused on PostgreSQL only: SQLite would also refuse the
emptying of tables between tests, which has no statement of its own there.
"""

from django.db import migrations

TABLE = "matches_matchaction"


def create(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "sqlite":
            cursor.execute(
                f"CREATE TRIGGER {TABLE}_written_once BEFORE UPDATE ON {TABLE} "
                f"BEGIN SELECT RAISE(ABORT, '{TABLE} is written once'); END"
            )
        elif schema_editor.connection.vendor == "postgresql":
            cursor.execute(
                "CREATE FUNCTION matches_written_once() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION '% is written once', TG_TABLE_NAME; END $$"
            )
            cursor.execute(
                f"CREATE TRIGGER {TABLE}_written_once BEFORE UPDATE OR DELETE ON {TABLE} "
                "FOR EACH ROW EXECUTE FUNCTION matches_written_once()"
            )


def drop(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "sqlite":
            cursor.execute(f"DROP TRIGGER {TABLE}_written_once")
        elif schema_editor.connection.vendor == "postgresql":
            cursor.execute(f"DROP TRIGGER {TABLE}_written_once ON {TABLE}")
            cursor.execute("DROP FUNCTION matches_written_once()")


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_initial")]
    operations = [migrations.RunPython(create, drop)]
