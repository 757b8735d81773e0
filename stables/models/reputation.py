"""Reputation and kills as an append-only book, places of cycles, titles, and sudden deaths."""

from __future__ import annotations

from decimal import Decimal

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from rules.campaign.standings.places import reputation_a_match
from stables.models.fixture import Fixture
from stables.models.season import Cycle
from stables.models.stable import Asset, Stable
from web.append_only import AppendOnly


class ReputationEntry(AppendOnly):
    """The gain of a stable (`asset` None) or one of its individuals from a fixture. Totals are sums of entries.

    A stable's entry also says whether the fixture counts as a match played and whether it was won. A correction writes
    further entries with the differences, which may be negative.
    """

    stable = models.ForeignKey(Stable, on_delete=models.PROTECT, related_name="reputation", verbose_name=_("stable"))
    asset = models.ForeignKey(
        Asset, on_delete=models.PROTECT, null=True, blank=True, related_name="reputation", verbose_name=_("individual")
    )
    cycle = models.ForeignKey(Cycle, on_delete=models.PROTECT, related_name="reputation", verbose_name=_("cycle"))
    fixture = models.ForeignKey(
        Fixture, on_delete=models.PROTECT, null=True, blank=True, related_name="reputation", verbose_name=_("fixture")
    )
    amount = models.IntegerField(_("reputation"))
    kills = models.IntegerField(_("kills"), default=0)
    # Negative if a correction takes a match or a win back.
    wins = models.SmallIntegerField(_("wins"), default=0)
    matches = models.SmallIntegerField(_("matches"), default=0)
    cause = models.CharField(_("cause"), max_length=40)
    idempotency_key = models.CharField(_("idempotency key"), max_length=200, unique=True)
    created_at = models.DateTimeField(_("posted"), auto_now_add=True)

    class Meta:
        verbose_name = _("reputation entry")
        verbose_name_plural = _("reputation entries")
        ordering = ["id"]
        indexes = [models.Index(fields=["stable", "cycle"], name="stables_reputation_of")]
        constraints = [
            models.CheckConstraint(
                name="individuals_count_no_matches", condition=Q(asset__isnull=True) | Q(wins=0, matches=0)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stable_id} {self.amount:+d}"


class Placing(AppendOnly):
    """A stable's place in a cycle whose matches are over, what decided it, and its purse in Stones.

    `decided_by` says what separates the place from the next better one (rules.campaign.standings.places.Place), "" for
    the first. The places of `revision` 1 are those of the close. A correction that changes any writes all places of the
    cycle again with the next revision; `Placing.current()` returns the valid ones.
    """

    cycle = models.ForeignKey(Cycle, on_delete=models.PROTECT, related_name="placings", verbose_name=_("cycle"))
    stable = models.ForeignKey(Stable, on_delete=models.PROTECT, related_name="placings", verbose_name=_("stable"))
    place = models.PositiveSmallIntegerField(_("place"))
    reputation = models.IntegerField(_("reputation"))
    kills = models.IntegerField(_("kills"))
    wins = models.PositiveSmallIntegerField(_("wins"))
    matches = models.PositiveSmallIntegerField(_("matches"))
    decided_by = models.CharField(_("decided by"), max_length=20, blank=True)
    purse = models.PositiveIntegerField(_("purse"))
    revision = models.PositiveSmallIntegerField(_("revision"), default=1)

    class Meta:
        verbose_name = _("place")
        verbose_name_plural = _("places")
        ordering = ["cycle", "place"]
        constraints = [
            models.UniqueConstraint(fields=["cycle", "revision", "stable"], name="one_place_a_stable"),
            models.UniqueConstraint(fields=["cycle", "revision", "place"], name="one_stable_a_place"),
            models.CheckConstraint(name="place_from_one", condition=Q(place__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.cycle_id}: {self.place}"

    @property
    def reputation_a_match(self) -> Decimal | None:
        """The reputation for each match played, None without a match."""
        return reputation_a_match(self.reputation, self.matches)

    @classmethod
    def current(cls) -> models.QuerySet[Placing]:
        """Return the valid places: those of the newest revision of each cycle."""
        return cls.objects.filter(revision=F("cycle__placings_revision"))


class Title(AppendOnly):
    """A champion of a season: a stable, or one of its individuals (`asset`). Several rows of one kind share the title.

    `decided_by` says what set the holder apart: reputation, kills, a sudden death (played as `match`, None otherwise),
    that the others did not come or cannot fight (appearance), or nothing (shared). It is written when the season
    closes; before that its champions are ProvisionalTitle.
    """

    class Kind(models.TextChoices):
        PILOT = "pilot", _("champion pilot")
        STABLE = "stable", _("champion stable")

    class Decision(models.TextChoices):
        REPUTATION = "reputation", _("reputation")
        KILLS = "kills", _("kills")
        SUDDEN_DEATH = "sudden_death", _("sudden death")
        SHARED = "shared", _("shared")
        APPEARANCE = "appearance", _("nobody else was there to fight")

    season = models.ForeignKey(
        "stables.Season", on_delete=models.PROTECT, related_name="titles", verbose_name=_("season")
    )
    kind = models.CharField(_("title"), max_length=10, choices=Kind)
    stable = models.ForeignKey(Stable, on_delete=models.PROTECT, related_name="titles", verbose_name=_("stable"))
    asset = models.ForeignKey(
        Asset, on_delete=models.PROTECT, null=True, blank=True, related_name="titles", verbose_name=_("individual")
    )
    reputation = models.IntegerField(_("reputation"))
    kills = models.IntegerField(_("kills"))
    decided_by = models.CharField(_("decided by"), max_length=15, choices=Decision)
    match = models.ForeignKey(
        "matches.Match", on_delete=models.PROTECT, null=True, blank=True, related_name="titles", verbose_name=_("match")
    )

    class Meta:
        verbose_name = _("title")
        verbose_name_plural = _("titles")
        ordering = ["season", "-kind", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "stable"], name="one_stable_title_a_stable", condition=Q(kind="stable")
            ),
            models.UniqueConstraint(
                fields=["season", "asset"], name="one_pilot_title_an_individual", condition=Q(kind="pilot")
            ),
            models.CheckConstraint(
                name="pilot_titles_name_an_individual",
                condition=Q(kind="pilot", asset__isnull=False) | Q(kind="stable", asset__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.kind}"


class ProvisionalTitle(models.Model):
    """A champion of a season that is not closed yet, with the fields of Title.

    The ceremony writes the rows of a season again after each correction, and the end of the season deletes them.
    """

    season = models.ForeignKey(
        "stables.Season", on_delete=models.CASCADE, related_name="provisional_titles", verbose_name=_("season")
    )
    kind = models.CharField(_("title"), max_length=10, choices=Title.Kind)
    stable = models.ForeignKey(Stable, on_delete=models.CASCADE, related_name="+", verbose_name=_("stable"))
    asset = models.ForeignKey(
        Asset, on_delete=models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("individual")
    )
    reputation = models.IntegerField(_("reputation"))
    kills = models.IntegerField(_("kills"))
    decided_by = models.CharField(_("decided by"), max_length=15, choices=Title.Decision)
    match = models.ForeignKey(
        "matches.Match", on_delete=models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("match")
    )

    class Meta:
        verbose_name = _("provisional title")
        verbose_name_plural = _("provisional titles")
        ordering = ["season", "-kind", "id"]
        constraints = [
            models.CheckConstraint(
                name="provisional_pilots_name_an_individual",
                condition=Q(kind="pilot", asset__isnull=False) | Q(kind="stable", asset__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.kind}"


class SuddenDeath(models.Model):
    """A sudden death between candidates whom reputation and kills leave tied for a title.

    `contenders` is a list of {"claim", "stable", "asset", "names", "plays", "side"}: the candidate's key
    (stables.services.standings.titles), the stable's number, the code of the asset that fights (None until a tied
    stable names one or the fight begins) and its name, "owner" or "bot", and the side in the match, "" before it begins
    and for a candidate who does not fight. "is_own" is added once a stable with tied individuals has appeared: whether
    this is the one that its player plays. `appeared` holds the keys of candidates who came. `due_at` is the date, None
    if it has none; it is extended once. Without a match the only one who appeared holds the title; otherwise it is
    shared.

    `decided_at` is its end. `holders` are then the keys of the candidates who hold the title by it, and `decided_by`
    is a value of Title.Decision. Both are empty if it was called off, or if it ended before seasons stayed open to
    corrections. Of each title one sudden death is open at a time; later ones follow only after corrections.
    """

    season = models.ForeignKey(
        "stables.Season", on_delete=models.CASCADE, related_name="sudden_deaths", verbose_name=_("season")
    )
    kind = models.CharField(_("title"), max_length=10, choices=Title.Kind)
    contenders = models.JSONField(_("contenders"), default=list)
    appeared = models.JSONField(_("appeared"), default=list, blank=True)
    due_at = models.DateTimeField(_("due"), null=True, blank=True)
    extended = models.BooleanField(_("extended"), default=False)
    match = models.ForeignKey(
        "matches.Match", on_delete=models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("match")
    )
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    holders = models.JSONField(_("holders"), default=list, blank=True)
    decided_by = models.CharField(_("decided by"), max_length=15, choices=Title.Decision, blank=True)

    class Meta:
        verbose_name = _("sudden death")
        verbose_name_plural = _("sudden deaths")
        ordering = ["season", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "kind"], name="one_open_sudden_death_a_title", condition=Q(decided_at=None)
            )
        ]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.kind}"
