from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0002_planned_steps")]

    operations = [
        migrations.AddField(
            model_name="job",
            name="turn",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Workers take jobs by turns of these names.",
                max_length=100,
                verbose_name="turn",
            ),
        ),
        migrations.AddIndex(model_name="job", index=models.Index(fields=["turn", "started_at"], name="jobs_by_turn")),
    ]
