import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("catalogue", "0003_sizes_of_releases"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="MiniaturePhoto",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=40, verbose_name="id")),
                ("name", models.CharField(max_length=120, verbose_name="name")),
                ("photo", models.BinaryField(verbose_name="photo")),
                ("changed_at", models.DateTimeField(auto_now=True, verbose_name="changed")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="miniature_photos",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "photo of a miniature",
                "verbose_name_plural": "photos of miniatures",
                "ordering": ["name", "pk"],
                "constraints": [models.UniqueConstraint(fields=("user", "key"), name="one_photo_a_miniature")],
            },
        ),
    ]
