from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0001_ladder")]

    operations = [
        # Until now no match with advice was rated.
        migrations.AddField(
            model_name="ratedmatch",
            name="advised",
            field=models.JSONField(default=list, verbose_name="sides with advice"),
        ),
    ]
