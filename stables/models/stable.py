"""A stable, its assets, and its ledger."""

from __future__ import annotations

from django.conf import settings as site
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from stables.models.season import Season, _address
from web.append_only import AppendOnly
from web.names import NameField

IS_THERE = Q(removed_at__isnull=True)
"""The condition on Stable that it was not removed."""


class StablesThere(models.Manager["Stable"]):
    """The stables that were not removed."""

    def get_queryset(self) -> models.QuerySet[Stable]:
        """Return the stables without those that were removed."""
        return super().get_queryset().filter(IS_THERE)


class Stable(models.Model):
    """One stable of a season, run by a person or by the AI.

    `owner` is None for a stable of the AI, or if the account was deleted. `number` counts the stables of the season
    from 1 in order of founding, and names the stable in draws and results. `capital` in Stones is the balance of the
    newest ledger entry; only stables.services.base.ledger writes it. `owed` Stones are withheld from later credits; a
    debt blocks purchases. `bot` plays the matches that no person plays; with `is_ai` the AI also shops and hands in
    line-ups for the stable, with the traits of `character`. The stable takes part from cycle `joined_in_cycle` until it
    withdraws in `left_in_cycle`, None while it has not (Q-159). `ready_for` is the market that its owner has finished
    with ("market:2" for cycle 2, "" for none), so that the season need not wait for the deadline. (`swapped_cycle`,
    `swapped_round`) is the newest pause in which gear was swapped, by the match that followed; the swap ended the
    repairs of that pause (R-AST-11, Q-170). `repair_priority` lists the codes of units (`Asset.code`) in the order of
    compulsory repairs. `seen_log` is the id of the newest log entry that its owner has read, 0 for none.

    An organiser may remove a stable before the season begins. Then `removed_at` is set, `objects` and the relations to
    its stables leave it out, and its name, number, address and owner are free again. Its row stays for its ledger.
    """

    class Character(models.TextChoices):
        THRIFTY = "thrifty", _("thrifty")
        BALANCED = "balanced", _("balanced")
        RECKLESS = "reckless", _("reckless")

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="stables", verbose_name=_("season"))
    number = models.PositiveSmallIntegerField(_("number"))
    name = NameField(_("name"), max_length=60)
    slug = models.SlugField(_("address"), max_length=70)
    owner = models.ForeignKey(
        site.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="stables",
        verbose_name=_("owner"),
    )
    is_ai = models.BooleanField(_("run by the AI"), default=False)
    bot = models.CharField(_("bot"), max_length=40, default="greedy")
    character = models.CharField(_("character"), max_length=10, choices=Character, default=Character.BALANCED)
    identity = models.ForeignKey(
        "stables.StableIdentity",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="stables",
        verbose_name=_("identity"),
    )
    invitation = models.ForeignKey(
        "stables.Invitation",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="stables",
        verbose_name=_("invitation"),
    )
    joined_in_cycle = models.PositiveSmallIntegerField(_("joined in cycle"), default=1)
    left_in_cycle = models.PositiveSmallIntegerField(_("left in cycle"), null=True, blank=True)
    ready_for = models.CharField(_("ready for"), max_length=20, blank=True)
    swapped_cycle = models.PositiveSmallIntegerField(_("gear swapped in cycle"), null=True, blank=True)
    swapped_round = models.PositiveSmallIntegerField(_("gear swapped before round"), null=True, blank=True)
    capital = models.IntegerField(_("capital"), default=0)
    owed = models.IntegerField(_("owed"), default=0)
    repair_priority = models.JSONField(_("repair priority"), default=list, blank=True)
    seen_log = models.PositiveBigIntegerField(_("newest log entry told"), default=0)
    founded_at = models.DateTimeField(_("founded"), auto_now_add=True)
    removed_at = models.DateTimeField(_("removed"), null=True, blank=True)

    objects = StablesThere()
    every: models.Manager[Stable] = models.Manager()

    class Meta:
        verbose_name = _("stable")
        verbose_name_plural = _("stables")
        ordering = ["season", "number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="one_stable_a_number", condition=IS_THERE),
            models.UniqueConstraint(fields=["season", "name"], name="one_stable_a_name", condition=IS_THERE),
            models.UniqueConstraint(fields=["season", "slug"], name="one_stable_a_slug", condition=IS_THERE),
            models.UniqueConstraint(
                fields=["season", "owner"], name="one_stable_an_owner", condition=IS_THERE & Q(owner__isnull=False)
            ),
            models.CheckConstraint(name="capital_not_negative", condition=Q(capital__gte=0)),
            models.CheckConstraint(name="owed_not_negative", condition=Q(owed__gte=0)),
            models.CheckConstraint(name="ai_has_no_owner", condition=Q(is_ai=False) | Q(owner__isnull=True)),
            models.CheckConstraint(
                name="swapped_is_a_pair",
                condition=Q(swapped_cycle__isnull=True, swapped_round__isnull=True)
                | Q(swapped_cycle__isnull=False, swapped_round__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the address of the stable's page. Fetch the stable with its season."""
        return _address("stables:stable", self.season.slug, self.slug)


class SkippedCycle(models.Model):
    """A whole cycle that a stable sits out: no match, no reputation, no purse (R-CYC-11, Q-159)."""

    stable = models.ForeignKey(Stable, on_delete=models.CASCADE, related_name="skipped", verbose_name=_("stable"))
    cycle_number = models.PositiveSmallIntegerField(_("cycle"))

    class Meta:
        verbose_name = _("skipped cycle")
        verbose_name_plural = _("skipped cycles")
        ordering = ["stable", "cycle_number"]
        constraints = [models.UniqueConstraint(fields=["stable", "cycle_number"], name="one_skip_a_cycle")]

    def __str__(self) -> str:
        return f"{self.stable_id} / {self.cycle_number}"


class Asset(models.Model):
    """One unit, pilot, gear card or rally card of a stable. Units and pilots are individuals with a record (Q-162).

    The catalogue entry is named by key and content hash. `serial` numbers the copies that a stable has had of one key,
    from 1. `damage` is in clicks off the start marker. (`sits_out_cycle`, `sits_out_round`) is the match that a
    repaired unit misses. The row of a sold asset stays, with `sold_at`, and is used again when the stable buys another
    copy (Q-163): `purchases` counts all its purchases, and `price_paid` is the latest price in Stones. A dead pilot has
    `died_at` and is off the list for good (R-DTH-01, R-DTH-02).

    Gear and pilots may be assigned to a unit of the stable (`assigned_to`); two-sided gear then declares its `side`.
    """

    class Kind(models.TextChoices):
        UNIT = "unit", _("unit")
        PILOT = "pilot", _("pilot")
        GEAR = "gear", _("gear")
        RALLY_CARD = "rally_card", _("rally card")

    class Side(models.TextChoices):
        PRIMARY = "primary", _("primary")
        SECONDARY = "secondary", _("secondary")

    stable = models.ForeignKey(Stable, on_delete=models.CASCADE, related_name="assets", verbose_name=_("stable"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    catalogue_key = models.CharField(_("catalogue number"), max_length=40)
    content_hash = models.CharField(_("content hash"), max_length=64)
    name = NameField(_("name"), max_length=120)
    serial = models.PositiveSmallIntegerField(_("copy"), default=1)
    price_paid = models.PositiveIntegerField(_("price paid"))
    purchases = models.PositiveSmallIntegerField(_("times bought"), default=1)
    damage = models.PositiveSmallIntegerField(_("damage"), default=0)
    is_eliminated = models.BooleanField(_("eliminated"), default=False)
    sits_out_cycle = models.PositiveSmallIntegerField(_("sits out in cycle"), null=True, blank=True)
    sits_out_round = models.PositiveSmallIntegerField(_("sits out in round"), null=True, blank=True)
    bought_at = models.DateTimeField(_("bought"), auto_now_add=True)
    sold_at = models.DateTimeField(_("sold"), null=True, blank=True)
    died_at = models.DateTimeField(_("died"), null=True, blank=True)
    assigned_to = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="assigned", verbose_name=_("assigned to")
    )
    side = models.CharField(_("declared side"), max_length=10, choices=Side, blank=True)

    class Meta:
        verbose_name = _("asset")
        verbose_name_plural = _("assets")
        ordering = ["stable", "id"]
        constraints = [
            models.UniqueConstraint(fields=["stable", "kind", "catalogue_key", "serial"], name="one_asset_a_copy"),
            models.CheckConstraint(
                name="sits_out_is_a_pair",
                condition=Q(sits_out_cycle__isnull=True, sits_out_round__isnull=True)
                | Q(sits_out_cycle__isnull=False, sits_out_round__isnull=False),
            ),
            models.CheckConstraint(
                name="sold_is_undamaged", condition=Q(sold_at__isnull=True) | Q(damage=0, is_eliminated=False)
            ),
            models.CheckConstraint(
                name="only_gear_and_pilots_are_assigned",
                condition=Q(assigned_to__isnull=True) | Q(kind__in=("gear", "pilot"), sold_at__isnull=True),
            ),
            models.CheckConstraint(name="only_pilots_die", condition=Q(died_at__isnull=True) | Q(kind="pilot")),
            models.UniqueConstraint(
                fields=["assigned_to"], name="one_pilot_a_unit", condition=Q(kind="pilot", assigned_to__isnull=False)
            ),
            models.CheckConstraint(
                name="only_units_are_damaged", condition=Q(kind="unit") | Q(damage=0, is_eliminated=False)
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """The name, with the number of the copy from the second on."""
        return self.name if self.serial == 1 else f"{self.name} #{self.serial}"

    @property
    def code(self) -> str:
        """The name of the individual inside its stable, free of database ids: "unit:SOL002:1"."""
        return f"{self.kind}:{self.catalogue_key}:{self.serial}"


class LedgerEntry(AppendOnly):
    """One movement of a stable's Stones: credits are positive. `sequence` counts from 1 in each stable.

    `cause` is a code, and `parameters` are the values of its sentence.
    """

    stable = models.ForeignKey(Stable, on_delete=models.PROTECT, related_name="ledger", verbose_name=_("stable"))
    sequence = models.PositiveIntegerField(_("number"))
    amount = models.IntegerField(_("amount"))
    balance_after = models.IntegerField(_("balance"))
    cause = models.CharField(_("cause"), max_length=40)
    parameters = models.JSONField(_("parameters"), default=dict, blank=True)
    idempotency_key = models.CharField(_("idempotency key"), max_length=200, unique=True)
    created_at = models.DateTimeField(_("posted"), auto_now_add=True)

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        ordering = ["stable", "sequence"]
        constraints = [
            models.UniqueConstraint(fields=["stable", "sequence"], name="one_entry_a_sequence"),
            models.CheckConstraint(name="balance_not_negative", condition=Q(balance_after__gte=0)),
            models.CheckConstraint(name="entry_moves_money", condition=~Q(amount=0)),
            models.CheckConstraint(
                name="opening_balance_is_its_amount", condition=~Q(sequence=1) | Q(balance_after=F("amount"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stable_id} / {self.sequence}"
