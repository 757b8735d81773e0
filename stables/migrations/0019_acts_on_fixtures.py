from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("stables", "0018_places"),
    ]

    operations = [
        migrations.AddField(
            model_name="fixture",
            name="table_number",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="table number"),
        ),
        migrations.AddField(
            model_name="fixture",
            name="excused_until",
            field=models.DateTimeField(blank=True, null=True, verbose_name="excused until"),
        ),
        migrations.AddField(
            model_name="fixtureside",
            name="taken_back",
            field=models.JSONField(blank=True, editable=False, null=True, verbose_name="line-up that was taken back"),
        ),
    ]
