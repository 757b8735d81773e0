from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0013_puzzles"),
    ]

    operations = [
        migrations.AlterField(
            model_name="matchaction",
            name="cause",
            field=models.CharField(
                blank=True,
                choices=[
                    ("only", "the only answer there was"),
                    ("standing", "by its standing answer"),
                    ("time", "by the AI, the time being up"),
                    ("given", "by the AI, at the player’s request"),
                    ("opening", "by the AI, before the player's first decision"),
                    ("failed", "the default answer, as the AI failed"),
                    ("overran", "the default answer, as the AI took too long"),
                    ("relieved", "by another AI, as the first one failed"),
                    ("withdrawn", "the default answer, as every AI failed"),
                ],
                max_length=10,
                verbose_name="answered",
            ),
        ),
    ]
