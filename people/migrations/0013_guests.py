"""Guests: accounts without a password, for one stable of one season."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0012_mails_of_organisers"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="is_guest",
            field=models.BooleanField(default=False, editable=False, verbose_name="guest"),
        ),
    ]
