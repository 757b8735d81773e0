"""People choose whether proposals of dates and modes are mailed at once; so far they choose it as for their turn."""

from django.db import migrations, models


def as_for_turns(apps, schema_editor):
    apps.get_model("people", "User").objects.update(mail_dates=models.F("mail_your_turn"))


class Migration(migrations.Migration):
    dependencies = [("people", "0010_discord_ids")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="mail_dates",
            field=models.BooleanField(
                default=True, verbose_name="a mail at once when a date or mode of my match is proposed"
            ),
        ),
        migrations.RunPython(as_for_turns, migrations.RunPython.noop),
    ]
