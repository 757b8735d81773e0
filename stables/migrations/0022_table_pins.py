"""A player confirms a match at a table by a PIN on a phone of a rival."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("stables", "0021_who_comes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="TablePin",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("pin_hash", models.CharField(max_length=64, verbose_name="hash of the PIN")),
                ("tries_left", models.PositiveSmallIntegerField(verbose_name="tries left")),
                ("made_at", models.DateTimeField(verbose_name="made")),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                ),
                (
                    "side",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="table_pin",
                        to="stables.fixtureside",
                        verbose_name="side",
                    ),
                ),
            ],
            options={
                "verbose_name": "PIN at a table",
                "verbose_name_plural": "PINs at a table",
                "ordering": ["side"],
            },
        ),
    ]
