"""Events of the Solaris Melee Challenge. The database itself refuses changes to the rows of their books."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

TABLES = ("challenge_entry", "challenge_closing")


def guard(apps, schema_editor):
    for table in TABLES:
        if schema_editor.connection.vendor == "sqlite":
            schema_editor.execute(
                f"CREATE TRIGGER {table}_written_once BEFORE UPDATE ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is written once'); END"
            )
        elif schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(
                f"CREATE FUNCTION {table}_written_once() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION '% is written once', TG_TABLE_NAME; END $$",
                params=None,
            )
            schema_editor.execute(
                f"CREATE TRIGGER {table}_written_once BEFORE UPDATE OR DELETE ON {table} "
                f"FOR EACH ROW EXECUTE FUNCTION {table}_written_once()"
            )


def release(apps, schema_editor):
    for table in TABLES:
        if schema_editor.connection.vendor == "sqlite":
            schema_editor.execute(f"DROP TRIGGER {table}_written_once")
        elif schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP TRIGGER {table}_written_once ON {table}")
            schema_editor.execute(f"DROP FUNCTION {table}_written_once()")


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=100, unique=True, verbose_name="address")),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                ("is_listed", models.BooleanField(default=True, verbose_name="listed for everybody")),
                ("written", models.PositiveIntegerField(default=0, verbose_name="rows in the book")),
                (
                    "scene",
                    models.CharField(
                        choices=[
                            ("live", "live"),
                            ("top", "top eight"),
                            ("headlines", "headlines"),
                            ("queue", "off the board"),
                            ("final", "final"),
                        ],
                        default="live",
                        max_length=12,
                        verbose_name="scene of the board",
                    ),
                ),
                ("cheers", models.PositiveIntegerField(default=0, verbose_name="cheers of spectators")),
                ("copied", models.PositiveIntegerField(default=0, verbose_name="rows in the second place")),
                ("opened_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="opened")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed")),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenges",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="GM",
                    ),
                ),
            ],
            options={
                "verbose_name": "event of the Challenge",
                "verbose_name_plural": "events of the Challenge",
                "ordering": ["-opened_at"],
            },
        ),
        migrations.CreateModel(
            name="Key",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("secret", models.CharField(max_length=64, unique=True, verbose_name="secret")),
                (
                    "role",
                    models.CharField(
                        choices=[("gm", "GM"), ("agent", "agent"), ("player", "player")],
                        max_length=10,
                        verbose_name="role",
                    ),
                ),
                ("table", models.CharField(blank=True, max_length=60, verbose_name="table")),
                ("pilot", models.CharField(blank=True, max_length=60, verbose_name="pilot")),
                ("label", models.CharField(blank=True, max_length=80, verbose_name="for whom")),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made")),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="keys",
                        to="challenge.event",
                        verbose_name="event",
                    ),
                ),
            ],
            options={
                "verbose_name": "key",
                "verbose_name_plural": "keys",
                "ordering": ["event", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("client_id", models.CharField(max_length=64, verbose_name="id at the device")),
                ("kind", models.CharField(max_length=10, verbose_name="kind")),
                ("document", models.JSONField(verbose_name="what happened")),
                ("undoes", models.PositiveIntegerField(blank=True, null=True, verbose_name="undoes")),
                ("before", models.PositiveIntegerField(blank=True, null=True, verbose_name="stands before")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("role", models.CharField(max_length=10, verbose_name="role")),
                ("by", models.CharField(blank=True, max_length=80, verbose_name="entered by")),
                ("entered_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="entered")),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenge_entries",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="challenge.event",
                        verbose_name="event",
                    ),
                ),
            ],
            options={
                "verbose_name": "entry of a book",
                "verbose_name_plural": "entries of books",
                "ordering": ["event", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("event", "number"), name="challenge_entry_number_once"),
                    models.UniqueConstraint(fields=("event", "client_id"), name="challenge_entry_client_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Closing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("balances", models.JSONField(verbose_name="balances")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="closings",
                        to="challenge.event",
                        verbose_name="event",
                    ),
                ),
            ],
            options={
                "verbose_name": "closed turn",
                "verbose_name_plural": "closed turns",
                "ordering": ["event", "number"],
                "constraints": [models.UniqueConstraint(fields=("event", "number"), name="challenge_closing_once")],
            },
        ),
        migrations.CreateModel(
            name="Claim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("client_id", models.CharField(max_length=64, verbose_name="id at the device")),
                (
                    "kind",
                    models.CharField(
                        choices=[("feat", "feat"), ("cycle", "off-board cycle")], max_length=10, verbose_name="kind"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "waiting"), ("accepted", "accepted"), ("struck", "struck")],
                        default="waiting",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("pilot", models.CharField(max_length=60, verbose_name="pilot")),
                ("table", models.CharField(max_length=60, verbose_name="table")),
                ("documents", models.JSONField(verbose_name="what is claimed")),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made")),
                ("answered_at", models.DateTimeField(blank=True, null=True, verbose_name="answered")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="claims",
                        to="challenge.event",
                        verbose_name="event",
                    ),
                ),
            ],
            options={
                "verbose_name": "claim",
                "verbose_name_plural": "claims",
                "ordering": ["event", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("event", "client_id"), name="challenge_claim_client_once")
                ],
            },
        ),
        migrations.RunPython(guard, release),
    ]
