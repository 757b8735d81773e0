import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0004_forecasts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AskedAdvice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("side", models.CharField(max_length=20, verbose_name="side")),
                ("sequence", models.PositiveIntegerField(verbose_name="sequence")),
                ("document", models.JSONField(verbose_name="advice")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="asked")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="asked_advice",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="asked_advice",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "advice",
                "verbose_name_plural": "advice",
                "ordering": ["match", "sequence"],
                "constraints": [
                    models.UniqueConstraint(fields=("match", "side", "sequence"), name="one_advice_a_step")
                ],
            },
        ),
    ]
