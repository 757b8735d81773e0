from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("stables", "0025_ends_of_stand_ins"),
    ]

    operations = [
        migrations.AlterField(
            model_name="provisionaltitle",
            name="decided_by",
            field=models.CharField(
                choices=[
                    ("reputation", "reputation"),
                    ("kills", "kills"),
                    ("sudden_death", "sudden death"),
                    ("shared", "shared"),
                    ("appearance", "nobody else was there to fight"),
                ],
                max_length=15,
                verbose_name="decided by",
            ),
        ),
        migrations.AlterField(
            model_name="suddendeath",
            name="decided_by",
            field=models.CharField(
                blank=True,
                choices=[
                    ("reputation", "reputation"),
                    ("kills", "kills"),
                    ("sudden_death", "sudden death"),
                    ("shared", "shared"),
                    ("appearance", "nobody else was there to fight"),
                ],
                max_length=15,
                verbose_name="decided by",
            ),
        ),
        migrations.AlterField(
            model_name="title",
            name="decided_by",
            field=models.CharField(
                choices=[
                    ("reputation", "reputation"),
                    ("kills", "kills"),
                    ("sudden_death", "sudden death"),
                    ("shared", "shared"),
                    ("appearance", "nobody else was there to fight"),
                ],
                max_length=15,
                verbose_name="decided by",
            ),
        ),
    ]
