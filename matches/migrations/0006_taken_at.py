from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0005_advice"),
    ]

    operations = [
        migrations.AddField(
            model_name="matchseat",
            name="taken_at",
            field=models.PositiveIntegerField(default=0, verbose_name="taken at step"),
        ),
    ]
