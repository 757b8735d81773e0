"""Since when an e-mail address waits for its link. Addresses that wait already begin to wait now."""

from django.db import migrations, models
from django.db.models.functions import Now


def begin(apps, schema_editor):
    user = apps.get_model("people", "User")
    user.objects.exclude(new_email="").update(new_email_since=Now())


class Migration(migrations.Migration):
    dependencies = [("people", "0014_acts_and_joined_mails")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="new_email_since",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="waits since"),
        ),
        migrations.RunPython(begin, migrations.RunPython.noop, elidable=True),
    ]
