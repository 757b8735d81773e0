from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0008_code_of_forecasts"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="match",
            name="match_finished_has_result",
        ),
        migrations.AlterField(
            model_name="match",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "waiting"),
                    ("playing", "being played"),
                    ("finished", "finished"),
                    ("closed", "broken off"),
                ],
                db_index=True,
                default="waiting",
                max_length=10,
                verbose_name="state",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("finished_at__isnull", False), ("result__isnull", False), ("state", "finished")),
                    models.Q(("finished_at__isnull", False), ("result__isnull", True), ("state", "closed")),
                    models.Q(
                        models.Q(("state__in", ("finished", "closed")), _negated=True),
                        ("finished_at__isnull", True),
                        ("result__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="match_finished_has_result",
            ),
        ),
    ]
