from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("stables", "0010_forecasts"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(fields=["state", "id"], name="fixtures_by_state"),
        ),
    ]
