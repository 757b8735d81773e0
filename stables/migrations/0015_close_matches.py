"""Close the matches that were begun and then decided by something else, or whose season is cancelled."""

from django.db import migrations
from django.utils import timezone

OVER = ("finished", "closed")


def close(apps, schema_editor):
    fixtures = apps.get_model("stables", "Fixture").objects.filter(match__isnull=False).exclude(match__state__in=OVER)
    deaths = apps.get_model("stables", "SuddenDeath").objects.filter(match__isnull=False)
    matches = apps.get_model("matches", "Match").objects
    settled = fixtures.filter(state="settled").values_list("match_id", "result__settled_at")
    for match_id, settled_at in list(settled):
        matches.filter(pk=match_id).update(state="closed", finished_at=settled_at or timezone.now())
    cancelled = [
        *fixtures.filter(round__cycle__season__state="cancelled").values_list("match_id", flat=True),
        *deaths.filter(season__state="cancelled").exclude(match__state__in=OVER).values_list("match_id", flat=True),
    ]
    matches.filter(pk__in=cancelled).update(state="closed", finished_at=timezone.now())


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0009_closed_matches"),
        ("stables", "0014_reasons_of_forfeits"),
    ]

    operations = [migrations.RunPython(close, migrations.RunPython.noop)]
