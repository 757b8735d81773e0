"""The account that first opened a key, and the outside address that gets the news of an event."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("challenge", "0002_decks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="key",
            name="user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="challenge_keys",
                to=settings.AUTH_USER_MODEL,
                verbose_name="account",
            ),
        ),
        migrations.CreateModel(
            name="EventWebhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "public_id",
                    models.UUIDField(default=uuid.uuid4, editable=False, unique=True, verbose_name="public id"),
                ),
                ("url", models.CharField(max_length=500, verbose_name="address")),
                ("secret", models.CharField(max_length=64, verbose_name="secret")),
                ("failures", models.PositiveSmallIntegerField(default=0, verbose_name="failures in a row")),
                ("tried_at", models.DateTimeField(blank=True, null=True, verbose_name="last try")),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="last answer")),
                ("problem", models.CharField(blank=True, max_length=60, verbose_name="last problem")),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made")),
                ("disabled_at", models.DateTimeField(blank=True, null=True, verbose_name="off since")),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhook",
                        to="challenge.event",
                        verbose_name="event",
                    ),
                ),
            ],
            options={
                "verbose_name": "webhook of an event",
                "verbose_name_plural": "webhooks of events",
                "ordering": ["event"],
            },
        ),
    ]
