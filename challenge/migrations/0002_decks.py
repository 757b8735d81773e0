"""Decks of initiative cards in the middle of their drawing."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("challenge", "0001_events")]

    operations = [
        migrations.CreateModel(
            name="Deck",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table", models.CharField(max_length=60, verbose_name="table")),
                ("turn", models.PositiveIntegerField(verbose_name="turn")),
                ("state", models.JSONField(verbose_name="cards")),
                ("client_id", models.CharField(max_length=64, verbose_name="id at the device")),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made")),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="decks",
                        to="challenge.event",
                        verbose_name="event",
                    ),
                ),
            ],
            options={
                "verbose_name": "deck of initiative cards",
                "verbose_name_plural": "decks of initiative cards",
                "ordering": ["event", "pk"],
                "constraints": [models.UniqueConstraint(fields=("event", "table"), name="challenge_deck_once")],
            },
        ),
    ]
