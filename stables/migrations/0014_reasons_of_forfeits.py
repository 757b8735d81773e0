from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("stables", "0013_rest_of_webhooks"),
    ]

    operations = [
        migrations.AlterField(
            model_name="fixtureside",
            name="forfeits",
            field=models.CharField(
                blank=True,
                choices=[
                    ("unable", "forfeited: unable to take part"),
                    ("no_show", "forfeited: did not come"),
                    ("late", "forfeited: not played in time"),
                    ("left", "forfeited: left the season"),
                    ("ruled", "forfeited: the organiser’s decision"),
                    ("absent", "forfeited: did not come, or not in time"),
                ],
                max_length=10,
                verbose_name="forfeit",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="source",
            field=models.CharField(
                choices=[
                    ("engine", "played by the engine"),
                    ("forfeit", "forfeited"),
                    ("agreed", "reported and confirmed"),
                    ("silence", "reported, confirmed by silence"),
                    ("referee", "decided by a referee"),
                    ("organiser", "corrected by an organiser"),
                ],
                default="engine",
                max_length=10,
                verbose_name="source",
            ),
        ),
    ]
