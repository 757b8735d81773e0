from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("stables", "0019_acts_on_fixtures"),
    ]

    operations = [
        migrations.AddField(
            model_name="season",
            name="page",
            field=models.TextField(blank=True, default="", verbose_name="page of its own"),
        ),
    ]
