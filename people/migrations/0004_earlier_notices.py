from typing import Any

from django.db import migrations, models


def count_as_mailed(apps: Any, schema_editor: Any) -> None:
    """Mark what stood there before there were mails, so that the first digest leaves it out."""
    apps.get_model("people", "Notice").objects.update(mailed_at=models.F("created_at"))


class Migration(migrations.Migration):
    dependencies = [("people", "0003_mails")]
    operations = [migrations.RunPython(count_as_mailed, migrations.RunPython.noop)]
