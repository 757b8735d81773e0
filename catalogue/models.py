"""Catalogue releases, whose content never changes, and what people keep: collections, import drafts, shelves."""

import uuid
from typing import Any, NoReturn

from django.conf import settings as site
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from rules.catalogue.vocabulary import CLASSES, KINDS
from rules.catalogue.wording import IMPORTS, NAMES
from web.languages.reader import translate_lazily
from web.names import NameField


class ImmutableRow(Exception):
    """A refused change or deletion of a stored row: seasons and matches refer to releases by their hash."""


class ImmutableQuerySet(models.QuerySet[Any]):
    """Rows that can be added and read, and nothing else."""

    def update(self, **fields: Any) -> NoReturn:
        raise ImmutableRow(self.model.__name__)

    def bulk_update(self, *arguments: Any, **options: Any) -> NoReturn:
        raise ImmutableRow(self.model.__name__)

    def delete(self) -> NoReturn:
        raise ImmutableRow(self.model.__name__)


class ImmutableModel(models.Model):
    """A row that is stored once and then neither changed nor deleted. Raises ImmutableRow when that is tried."""

    objects = ImmutableQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *arguments: Any, **options: Any) -> None:
        """Store a new row. Raises ImmutableRow for a row that is stored already."""
        if not self._state.adding:
            raise ImmutableRow(f"{type(self).__name__} {self.pk}")
        super().save(*arguments, **options)

    def delete(self, *arguments: Any, **options: Any) -> NoReturn:
        """Refuse to delete. Raises ImmutableRow."""
        raise ImmutableRow(f"{type(self).__name__} {self.pk}")


class CatalogueRelease(ImmutableModel):
    """One validated catalogue, known by the hash of its content.

    `is_builtin` marks definitions that came with the game. `is_complete` says that a season can be played with this
    release alone: it has units, pilots, target tokens and arenas. `offered_at` is when the release was last offered to
    new seasons, None for the releases of collections. `size` is the length of all definitions as canonical JSON, None
    while they are being stored: nobody sees the release until then.
    """

    content_hash = models.CharField(_("content hash"), max_length=64, unique=True)
    label = models.CharField(_("label"), max_length=120)
    is_builtin = models.BooleanField(_("comes with the game"), default=False)
    is_complete = models.BooleanField(_("enough for a season"), default=False)
    offered_at = models.DateTimeField(_("offered to new seasons since"), null=True)
    size = models.PositiveIntegerField(_("size"), null=True)
    created_at = models.DateTimeField(_("loaded at"), auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("catalogue release")
        verbose_name_plural = _("catalogue releases")

    def __str__(self) -> str:
        return f"{self.label} ({self.content_hash[:12]})"


class CatalogueEntry(ImmutableModel):
    """One definition of a release: `definition` is the JSON of the published schema, `content_hash` its hash.

    `unit_class` is blank except for units. `points` is None for target tokens and arenas, which have no price. The
    fields from `search` on repeat parts of the definition so that lists can filter and sort by them. `rank` is the rank
    of a unit or the kind of a pilot. `clicks` counts a unit's clicks; `speed`, `attack` and `defense` are those of its
    first click; `reach` is its longest range in hexsides. These numbers are None for other kinds. `types` and
    `equipment` list keys, each with a space on either side.
    """

    KINDS = [(kind, translate_lazily(NAMES[kind])) for kind in KINDS]
    CLASSES = [(weight_class, translate_lazily(NAMES[weight_class])) for weight_class in CLASSES]

    release = models.ForeignKey(CatalogueRelease, on_delete=models.PROTECT, related_name="entries")
    kind = models.CharField(_("kind"), max_length=20, choices=KINDS)
    key = models.CharField(_("id"), max_length=40)
    content_hash = models.CharField(_("content hash"), max_length=64)
    name = NameField(_("name"), max_length=80)
    definition = models.JSONField(_("definition"))
    unit_class = models.CharField(_("class"), max_length=10, choices=CLASSES, blank=True, default="")
    points = models.PositiveIntegerField(_("points"), null=True)
    search = models.CharField(_("searched text"), max_length=250, blank=True, default="")
    rank = models.CharField(_("rank"), max_length=10, blank=True, default="")
    statistics = models.CharField(_("statistics"), max_length=10, blank=True, default="")
    clicks = models.PositiveSmallIntegerField(_("clicks"), null=True)
    speed = models.SmallIntegerField(_("speed"), null=True)
    attack = models.SmallIntegerField(_("attack"), null=True)
    defense = models.SmallIntegerField(_("defense"), null=True)
    reach = models.PositiveSmallIntegerField(_("longest range"), null=True)
    types = models.CharField(_("range types"), max_length=40, blank=True, default="")
    equipment = models.CharField(_("special equipment"), max_length=600, blank=True, default="")

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


class Collection(models.Model):
    """Definitions that a person imported. Each change makes a new version; earlier versions stay as they were.

    `audience` says which seasons may use it: everybody's, the keeper's own, or the one whose address is `season` (blank
    for the other audiences). `keeper` is None once their account is gone.
    """

    class Audience(models.TextChoices):
        KEEPER = "keeper", _("only me")
        SEASON = "season", _("one season")
        EVERYBODY = "everybody", _("everybody")

    name = NameField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=100, unique=True)
    keeper = models.ForeignKey(
        site.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="collections", verbose_name=_("keeper")
    )
    audience = models.CharField(_("who may use it"), max_length=10, choices=Audience, default=Audience.KEEPER)
    season = models.CharField(_("season"), max_length=100, blank=True, default="")
    created_at = models.DateTimeField(_("made at"), auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("collection")
        verbose_name_plural = _("collections")
        constraints = [
            models.CheckConstraint(
                name="collection_of_a_season_names_it", condition=Q(audience="season") ^ Q(season="")
            ),
        ]

    def __str__(self) -> str:
        return self.name


class CollectionVersion(ImmutableModel):
    """One state of a collection: a release that holds its definitions and nothing else. `number` counts from 1."""

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField(_("number"))
    release = models.ForeignKey(CatalogueRelease, on_delete=models.PROTECT, related_name="versions")
    source = models.CharField(_("source"), max_length=80)
    created_at = models.DateTimeField(_("made at"), auto_now_add=True)

    class Meta:
        ordering = ["collection", "-number"]
        verbose_name = _("version of a collection")
        verbose_name_plural = _("versions of collections")
        constraints = [
            models.UniqueConstraint(fields=["collection", "number"], name="collection_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.collection_id} / {self.number}"


class ImportDraft(models.Model):
    """A validated file that waits for its confirmation; nobody but `user` sees it.

    `document` holds the definitions, `notes` the notes of a mapping. `based_on` is the version that the preview
    compares with, None for a collection without a version. A confirmed or discarded draft keeps no document.
    """

    class State(models.TextChoices):
        OPEN = "open", translate_lazily(IMPORTS["open"])
        CONFIRMED = "confirmed", translate_lazily(IMPORTS["confirmed"])
        DISCARDED = "discarded", translate_lazily(IMPORTS["discarded"])

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(site.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="import_drafts")
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="drafts")
    based_on = models.ForeignKey(CollectionVersion, on_delete=models.PROTECT, null=True, related_name="drafts")
    file = models.CharField(_("file"), max_length=80)
    document = models.JSONField(_("document"), default=dict)
    notes = models.JSONField(_("notes"), default=list)
    replaces_all = models.BooleanField(_("replaces the whole collection"), default=False)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    created_at = models.DateTimeField(_("made at"), auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("import draft")
        verbose_name_plural = _("import drafts")

    def __str__(self) -> str:
        return f"{self.file} ({self.state})"


class ShelfUnit(models.Model):
    """A unit whose miniature a person owns. `key` is the unit's id, which is the same in every release."""

    user = models.ForeignKey(site.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="shelf")
    key = models.CharField(_("id"), max_length=40)

    class Meta:
        ordering = ["key"]
        verbose_name = _("unit on a shelf")
        verbose_name_plural = _("units on shelves")
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="on_the_shelf_once")]

    def __str__(self) -> str:
        return self.key


class MiniaturePhoto(models.Model):
    """A person's photo of their miniature of a unit, shown wherever they play it. `key` is as on the shelf.

    `photo` is a small square JPEG made by this site (web.photos), never the bytes that were sent. `name` is the unit's
    name when it was sent.
    """

    user = models.ForeignKey(site.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="miniature_photos")
    key = models.CharField(_("id"), max_length=40)
    name = NameField(_("name"), max_length=120)
    photo = models.BinaryField(_("photo"))
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("photo of a miniature")
        verbose_name_plural = _("photos of miniatures")
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_photo_a_miniature")]

    def __str__(self) -> str:
        return self.key
