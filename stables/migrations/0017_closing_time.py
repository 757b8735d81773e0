"""Seasons stay open to corrections after their last result; seasons that are finished stay so.

Settings without the new hours have their default. Webhooks that get the final news of titles and of the end of a
season get the provisional ones too.
"""

import django.db.models.deletion
from django.db import migrations, models

PROVISIONAL = {"title_held": "title_provisional", "season_finished": "season_provisional"}


def add_codes(apps, schema_editor):
    for webhook in apps.get_model("stables", "Webhook").objects.exclude(codes=[]):
        codes = sorted({*webhook.codes, *(PROVISIONAL[code] for code in webhook.codes if code in PROVISIONAL)})
        if codes != webhook.codes:
            webhook.codes = codes
            webhook.save(update_fields=["codes"])


def take_codes_back(apps, schema_editor):
    gone = set(PROVISIONAL.values())
    for webhook in apps.get_model("stables", "Webhook").objects.exclude(codes=[]):
        codes = [code for code in webhook.codes if code not in gone]
        if codes != webhook.codes:
            webhook.codes = codes
            webhook.save(update_fields=["codes"])


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0009_closed_matches"),
        ("stables", "0016_messages_of_rounds"),
    ]

    operations = [
        migrations.CreateModel(
            name="ProvisionalTitle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("pilot", "champion pilot"), ("stable", "champion stable")],
                        max_length=10,
                        verbose_name="title",
                    ),
                ),
                ("reputation", models.IntegerField(verbose_name="reputation")),
                ("kills", models.IntegerField(verbose_name="kills")),
                (
                    "decided_by",
                    models.CharField(
                        choices=[
                            ("reputation", "reputation"),
                            ("kills", "kills"),
                            ("sudden_death", "sudden death"),
                            ("shared", "shared"),
                            ("appearance", "the other did not appear"),
                        ],
                        max_length=15,
                        verbose_name="decided by",
                    ),
                ),
            ],
            options={
                "verbose_name": "provisional title",
                "verbose_name_plural": "provisional titles",
                "ordering": ["season", "-kind", "id"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="suddendeath",
            name="one_sudden_death_a_title",
        ),
        migrations.AddField(
            model_name="season",
            name="closes_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="closes"),
        ),
        migrations.AddField(
            model_name="suddendeath",
            name="decided_by",
            field=models.CharField(
                blank=True,
                choices=[
                    ("reputation", "reputation"),
                    ("kills", "kills"),
                    ("sudden_death", "sudden death"),
                    ("shared", "shared"),
                    ("appearance", "the other did not appear"),
                ],
                max_length=15,
                verbose_name="decided by",
            ),
        ),
        migrations.AddField(
            model_name="suddendeath",
            name="holders",
            field=models.JSONField(blank=True, default=list, verbose_name="holders"),
        ),
        migrations.AlterField(
            model_name="season",
            name="state",
            field=models.CharField(
                choices=[
                    ("draft", "draft"),
                    ("recruiting", "recruiting"),
                    ("running", "running"),
                    ("sudden_death", "deciding the titles"),
                    ("provisional", "open to corrections"),
                    ("finished", "finished"),
                    ("cancelled", "cancelled"),
                ],
                default="draft",
                max_length=15,
                verbose_name="state",
            ),
        ),
        migrations.AddConstraint(
            model_name="suddendeath",
            constraint=models.UniqueConstraint(
                condition=models.Q(("decided_at", None)),
                fields=("season", "kind"),
                name="one_open_sudden_death_a_title",
            ),
        ),
        migrations.AddField(
            model_name="provisionaltitle",
            name="asset",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="stables.asset",
                verbose_name="individual",
            ),
        ),
        migrations.AddField(
            model_name="provisionaltitle",
            name="match",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="matches.match",
                verbose_name="match",
            ),
        ),
        migrations.AddField(
            model_name="provisionaltitle",
            name="season",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="provisional_titles",
                to="stables.season",
                verbose_name="season",
            ),
        ),
        migrations.AddField(
            model_name="provisionaltitle",
            name="stable",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="stables.stable",
                verbose_name="stable",
            ),
        ),
        migrations.AddConstraint(
            model_name="provisionaltitle",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("asset__isnull", False), ("kind", "pilot")),
                    models.Q(("asset__isnull", True), ("kind", "stable")),
                    _connector="OR",
                ),
                name="provisional_pilots_name_an_individual",
            ),
        ),
        migrations.RunPython(add_codes, take_codes_back),
    ]
