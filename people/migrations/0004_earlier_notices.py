from typing import Any

from django.db import migrations, models


def count_as_mailed(apps: Any, schema_editor: Any) -> None:
    """What was told before there were mails is not told again by the first digest."""
    apps.get_model("people", "Notice").objects.update(mailed_at=models.F("created_at"))


class Migration(migrations.Migration):
    dependencies = [("people", "0003_mails")]
    operations = [migrations.RunPython(count_as_mailed, migrations.RunPython.noop)]
