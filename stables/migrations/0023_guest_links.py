"""A link to a stable may seat a guest."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("stables", "0022_table_pins"),
    ]

    operations = [
        migrations.AddField(
            model_name="passing",
            name="for_guest",
            field=models.BooleanField(default=False, verbose_name="for a guest"),
        ),
    ]
