from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_jobs")]

    operations = [
        migrations.AddField(
            model_name="job",
            name="planned",
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name="planned steps"),
        ),
        migrations.RemoveIndex(model_name="job", name="jobs_open"),
        migrations.AddIndex(model_name="job", index=models.Index(fields=["state", "id"], name="jobs_by_state")),
    ]
