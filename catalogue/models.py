"""Catalogue releases: sets of definitions that never change once they are stored."""

from typing import Any, NoReturn

from django.db import models
from django.utils.translation import gettext_lazy as _

from rules.catalogue.vocabulary import CLASSES, KINDS
from rules.catalogue.wording import NAMES


class ImmutableRow(Exception):
    """Somebody tried to change or delete a stored release: seasons and matches point at it by its hash."""


class ImmutableQuerySet(models.QuerySet[Any]):
    """Rows that can be added and read, and nothing else."""

    def update(self, **fields: Any) -> NoReturn:
        raise ImmutableRow(self.model.__name__)

    def bulk_update(self, *arguments: Any, **options: Any) -> NoReturn:
        raise ImmutableRow(self.model.__name__)

    def delete(self) -> NoReturn:
        raise ImmutableRow(self.model.__name__)


class ImmutableModel(models.Model):
    """A row that is written once."""

    objects = ImmutableQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *arguments: Any, **options: Any) -> None:
        """Store a new row; raises ImmutableRow for a row that is stored already."""
        if not self._state.adding:
            raise ImmutableRow(f"{type(self).__name__} {self.pk}")
        super().save(*arguments, **options)

    def delete(self, *arguments: Any, **options: Any) -> NoReturn:
        """Raises ImmutableRow."""
        raise ImmutableRow(f"{type(self).__name__} {self.pk}")


class CatalogueRelease(ImmutableModel):
    """One validated catalogue, known by the hash of its content.

    `is_builtin` marks definitions that came with the game; `is_complete` says that a season can be played with this
    release alone: it has units, pilots, target tokens and arenas.
    """

    content_hash = models.CharField(_("content hash"), max_length=64, unique=True)
    label = models.CharField(_("label"), max_length=120)
    is_builtin = models.BooleanField(_("comes with the game"), default=False)
    is_complete = models.BooleanField(_("enough for a season"), default=False)
    created_at = models.DateTimeField(_("loaded at"), auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("catalogue release")
        verbose_name_plural = _("catalogue releases")

    def __str__(self) -> str:
        return f"{self.label} ({self.content_hash[:12]})"


class CatalogueEntry(ImmutableModel):
    """One definition of a release: `definition` is the JSON of the published schema, `content_hash` its hash.

    `unit_class` is blank for what is no unit; `points` is null for what costs none (target tokens, arenas).
    """

    KINDS = [(kind, _(NAMES[kind])) for kind in KINDS]
    CLASSES = [(weight_class, _(NAMES[weight_class])) for weight_class in CLASSES]

    release = models.ForeignKey(CatalogueRelease, on_delete=models.PROTECT, related_name="entries")
    kind = models.CharField(_("kind"), max_length=20, choices=KINDS)
    key = models.CharField(_("id"), max_length=40)
    content_hash = models.CharField(_("content hash"), max_length=64)
    name = models.CharField(_("name"), max_length=80)
    definition = models.JSONField(_("definition"))
    unit_class = models.CharField(_("class"), max_length=10, choices=CLASSES, blank=True, default="")
    points = models.PositiveIntegerField(_("points"), null=True)

    class Meta:
        ordering = ["kind", "key"]
        constraints = [
            models.UniqueConstraint(fields=["release", "kind", "key"], name="catalogue_entry_once_a_release"),
        ]
        indexes = [models.Index(fields=["release", "kind", "unit_class"], name="catalogue_entry_by_class")]
        verbose_name = _("catalogue entry")
        verbose_name_plural = _("catalogue entries")

    def __str__(self) -> str:
        return f"{self.key} {self.name}"
