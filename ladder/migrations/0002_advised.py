from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0001_ladder")]

    operations = [
        # What was rated before is taken as played without advice: this comes before the first release.
        migrations.AddField(
            model_name="ratedmatch",
            name="advised",
            field=models.JSONField(default=list, verbose_name="sides with advice"),
        ),
    ]
