from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0011_opening"),
    ]

    operations = [
        migrations.AddField(
            model_name="matchseat",
            name="has_nodded",
            field=models.BooleanField(default=False, verbose_name="has said well played"),
        ),
    ]
