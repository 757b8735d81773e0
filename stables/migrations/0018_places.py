"""Stables may be removed or pass to another account, and people may wait for a place."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("stables", "0017_closing_time"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Passing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "code_hash",
                    models.CharField(
                        blank=True, max_length=64, null=True, unique=True, verbose_name="hash of the code"
                    ),
                ),
                ("reason", models.CharField(max_length=1000, verbose_name="reason")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="made")),
                ("expires_at", models.DateTimeField(blank=True, null=True, verbose_name="expires")),
                ("revoked_at", models.DateTimeField(blank=True, null=True, verbose_name="revoked")),
                ("passed_at", models.DateTimeField(blank=True, null=True, verbose_name="passed")),
            ],
            options={
                "verbose_name": "passing of a stable",
                "verbose_name_plural": "passings of stables",
                "ordering": ["stable", "id"],
            },
        ),
        migrations.CreateModel(
            name="WaitingPlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="since")),
                ("offered_until", models.DateTimeField(blank=True, null=True, verbose_name="offered until")),
            ],
            options={
                "verbose_name": "person who waits",
                "verbose_name_plural": "waiting list",
                "ordering": ["season", "id"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="stable",
            name="one_stable_a_number",
        ),
        migrations.RemoveConstraint(
            model_name="stable",
            name="one_stable_a_name",
        ),
        migrations.RemoveConstraint(
            model_name="stable",
            name="one_stable_a_slug",
        ),
        migrations.RemoveConstraint(
            model_name="stable",
            name="one_stable_an_owner",
        ),
        migrations.AddField(
            model_name="stable",
            name="removed_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="removed"),
        ),
        migrations.AddConstraint(
            model_name="stable",
            constraint=models.UniqueConstraint(
                condition=models.Q(("removed_at__isnull", True)),
                fields=("season", "number"),
                name="one_stable_a_number",
            ),
        ),
        migrations.AddConstraint(
            model_name="stable",
            constraint=models.UniqueConstraint(
                condition=models.Q(("removed_at__isnull", True)), fields=("season", "name"), name="one_stable_a_name"
            ),
        ),
        migrations.AddConstraint(
            model_name="stable",
            constraint=models.UniqueConstraint(
                condition=models.Q(("removed_at__isnull", True)), fields=("season", "slug"), name="one_stable_a_slug"
            ),
        ),
        migrations.AddConstraint(
            model_name="stable",
            constraint=models.UniqueConstraint(
                condition=models.Q(("removed_at__isnull", True), ("owner__isnull", False)),
                fields=("season", "owner"),
                name="one_stable_an_owner",
            ),
        ),
        migrations.AddField(
            model_name="passing",
            name="made_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="made by",
            ),
        ),
        migrations.AddField(
            model_name="passing",
            name="new_owner",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="new owner",
            ),
        ),
        migrations.AddField(
            model_name="passing",
            name="old_owner",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="passed_stables",
                to=settings.AUTH_USER_MODEL,
                verbose_name="old owner",
            ),
        ),
        migrations.AddField(
            model_name="passing",
            name="stable",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="passings",
                to="stables.stable",
                verbose_name="stable",
            ),
        ),
        migrations.AddField(
            model_name="waitingplace",
            name="invitation",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="waiting",
                to="stables.invitation",
                verbose_name="invitation",
            ),
        ),
        migrations.AddField(
            model_name="waitingplace",
            name="season",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="waiting",
                to="stables.season",
                verbose_name="season",
            ),
        ),
        migrations.AddField(
            model_name="waitingplace",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="waiting_places",
                to=settings.AUTH_USER_MODEL,
                verbose_name="person",
            ),
        ),
        migrations.AddConstraint(
            model_name="passing",
            constraint=models.CheckConstraint(
                condition=models.Q(("code_hash__isnull", True), ("expires_at__isnull", False), _connector="OR"),
                name="a_link_expires",
            ),
        ),
        migrations.AddConstraint(
            model_name="passing",
            constraint=models.CheckConstraint(
                condition=models.Q(("revoked_at__isnull", True), ("passed_at__isnull", True), _connector="OR"),
                name="revoked_or_passed",
            ),
        ),
        migrations.AddConstraint(
            model_name="waitingplace",
            constraint=models.UniqueConstraint(fields=("season", "user"), name="one_waiting_place_a_person"),
        ),
    ]
