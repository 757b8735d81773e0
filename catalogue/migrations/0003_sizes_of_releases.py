import json

from django.db import migrations, models


def measure(apps, schema_editor):
    entries = apps.get_model("catalogue", "CatalogueEntry").objects
    releases = apps.get_model("catalogue", "CatalogueRelease").objects
    for release in releases.all():
        definitions = entries.filter(release=release).values_list("definition", flat=True).iterator(chunk_size=500)
        size = sum(len(json.dumps(each, separators=(",", ":"), ensure_ascii=False)) for each in definitions)
        releases.filter(pk=release.pk).update(size=size)


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0002_collections_and_shelves")]

    operations = [
        migrations.AddField(
            model_name="cataloguerelease",
            name="size",
            field=models.PositiveIntegerField(null=True, verbose_name="size"),
        ),
        migrations.RunPython(measure, migrations.RunPython.noop),
    ]
