"""Who stood in at the second end of a match that was opened again took part in it: their end is not before its result.

Earlier code took the end of a stand-in before it stored the result that replaces a reopened one.
"""

from datetime import timedelta

from django.db import migrations

MINUTE = timedelta(minutes=1)
"""No settlement takes longer. Whoever ended earlier stood in only between the two ends."""


def lift_ends(apps, schema_editor):
    StandIn = apps.get_model("stables", "StandIn")
    Correction = apps.get_model("stables", "Correction")
    for row in list(StandIn.objects.filter(fixture__isnull=False, ended_at__isnull=False)):
        corrections = Correction.objects.filter(result__fixture=row.fixture_id)
        if not corrections.filter(kind="reopen", created_at__lte=row.ended_at).exists():
            continue
        settled_again = corrections.filter(
            kind="replace", reason="", created_at__gt=row.ended_at, created_at__lt=row.ended_at + MINUTE
        )
        first = settled_again.order_by("number").first()
        if first is not None:
            StandIn.objects.filter(pk=row.pk).update(ended_at=first.created_at)


class Migration(migrations.Migration):
    dependencies = [("stables", "0024_stand_ins")]
    operations = [migrations.RunPython(lift_ends, migrations.RunPython.noop)]
