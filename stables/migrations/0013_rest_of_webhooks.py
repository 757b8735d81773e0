from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("stables", "0012_code_of_forecasts"),
    ]

    operations = [
        migrations.AddField(
            model_name="webhook",
            name="rests_until",
            field=models.DateTimeField(blank=True, null=True, verbose_name="rests until"),
        ),
        migrations.AddField(
            model_name="webhook",
            name="why_off",
            field=models.CharField(
                blank=True,
                choices=[
                    ("by_hand", "An organiser turned it off."),
                    ("gone", "There is nothing at its address any more; it was deleted there."),
                    ("failing", "Too many news in a row did not arrive."),
                    ("maker_gone", "The person who made it no longer organises the season."),
                ],
                default="",
                max_length=10,
                verbose_name="why it is off",
            ),
        ),
    ]
