from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0011_mails_about_dates"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="mail_messages",
            field=models.BooleanField(default=True, verbose_name="a mail at once when organisers write to all"),
        ),
    ]
