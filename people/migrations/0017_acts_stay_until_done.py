from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0016_push_subscriptions")]

    operations = [
        migrations.RemoveIndex(model_name="notice", name="people_notice_asks"),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("asks", True), ("done_at__isnull", True)),
                fields=["user"],
                name="people_notice_asks",
            ),
        ),
    ]
