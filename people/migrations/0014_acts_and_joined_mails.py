"""Notices that ask for an act, the hour between mails, and mails to people who help to run a season.

Of the latter people choose as they did for reports so far.
"""

from django.db import migrations, models


def as_for_reports(apps, schema_editor):
    apps.get_model("people", "User").objects.update(mail_organising=models.F("mail_reports"))


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0013_guests"),
    ]

    operations = [
        migrations.AddField(
            model_name="notice",
            name="asks",
            field=models.BooleanField(default=False, verbose_name="asks for an act"),
        ),
        migrations.AddField(
            model_name="notice",
            name="done_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="done at"),
        ),
        migrations.AddField(
            model_name="notice",
            name="due_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="to be done by"),
        ),
        migrations.AddField(
            model_name="user",
            name="last_mail_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="last mail with notices"),
        ),
        migrations.AddField(
            model_name="user",
            name="mail_organising",
            field=models.BooleanField(
                default=True, verbose_name="a mail at once when a season that I help to run needs me"
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("asks", True), ("done_at__isnull", True), ("read_at__isnull", True)),
                fields=["user"],
                name="people_notice_asks",
            ),
        ),
        migrations.RunPython(as_for_reports, migrations.RunPython.noop),
    ]
