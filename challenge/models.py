"""Events of the Solaris Melee Challenge, the rows of their books, keys, what phones propose, and where news go.

What pilots have is nowhere here. It follows from the rows (`rules.challenge.book.rows`).
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from web.append_only import AppendOnly

LONGEST_NAME = 80


class Event(models.Model):
    """A tournament, from its first setting to its champion.

    `written` is the number of its last row, `copied` that of the last one in the second place (`challenge.receivers`),
    0 for none. `scene` is what the board shows. `owner` is the GM's account, None for an event on a laptop, whose GM
    holds a key.
    """

    class Scene(models.TextChoices):
        LIVE = "live", _("live")
        TOP = "top", _("top eight")
        HEADLINES = "headlines", _("headlines")
        QUEUE = "queue", _("off the board")
        FINAL = "final", _("final")

    slug = models.SlugField(_("address"), max_length=100, unique=True)
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="challenges",
        verbose_name=_("GM"),
    )
    is_listed = models.BooleanField(_("listed for everybody"), default=True)
    written = models.PositiveIntegerField(_("rows in the book"), default=0)
    scene = models.CharField(_("scene of the board"), max_length=12, choices=Scene, default=Scene.LIVE)
    cheers = models.PositiveIntegerField(_("cheers of spectators"), default=0)
    copied = models.PositiveIntegerField(_("rows in the second place"), default=0)
    opened_at = models.DateTimeField(_("opened"), default=timezone.now)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        verbose_name = _("event of the Challenge")
        verbose_name_plural = _("events of the Challenge")
        ordering = ["-opened_at"]

    def __str__(self) -> str:
        return self.name


class Entry(AppendOnly):
    """A row of an event's book: what somebody entered, once and for good.

    `client_id` names the entry at the device that made it: a second try with the same one is the same entry. `number`
    counts the rows of the event from 1. `undoes` and `before` are numbers of rows (`rules.challenge.book.rows.Row`).
    `reason` says why a closed turn was corrected. `role` says what they were who entered it; `user` is their account,
    and `by` the name on their key where they used no account: an account that is deleted takes its name along.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="entries", verbose_name=_("event"))
    number = models.PositiveIntegerField(_("number"))
    client_id = models.CharField(_("id at the device"), max_length=64)
    kind = models.CharField(_("kind"), max_length=10)
    document = models.JSONField(_("what happened"))
    undoes = models.PositiveIntegerField(_("undoes"), null=True, blank=True)
    before = models.PositiveIntegerField(_("stands before"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    role = models.CharField(_("role"), max_length=10)
    by = models.CharField(_("entered by"), max_length=80, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="challenge_entries",
        verbose_name=_("account"),
    )
    entered_at = models.DateTimeField(_("entered"), default=timezone.now)

    class Meta:
        verbose_name = _("entry of a book")
        verbose_name_plural = _("entries of books")
        ordering = ["event", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="challenge_entry_number_once"),
            models.UniqueConstraint(fields=["event", "client_id"], name="challenge_entry_client_once"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.number}"

    @property
    def name(self) -> str:
        """The name of the person who entered it: their account's as it is now, or that on their key; perhaps empty."""
        return self.by if self.user is None else self.user.get_username()


class Closing(AppendOnly):
    """What everybody had when a turn was closed, as it followed from the rows then.

    `check_challenge` folds the rows again and compares. `number` is the last row that was counted.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="closings", verbose_name=_("event"))
    number = models.PositiveIntegerField(_("number"))
    balances = models.JSONField(_("balances"))

    class Meta:
        verbose_name = _("closed turn")
        verbose_name_plural = _("closed turns")
        ordering = ["event", "number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="challenge_closing_once")]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.number}"


class Key(models.Model):
    """An address that makes its holder a GM, an agent of one table or of all, or the player of one pilot.

    `user` is the account that first opened it while logged in, None for a key of people without one. It gets notices.
    """

    class Role(models.TextChoices):
        GM = "gm", _("GM")
        AGENT = "agent", _("agent")
        PLAYER = "player", _("player")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="keys", verbose_name=_("event"))
    secret = models.CharField(_("secret"), max_length=64, unique=True)
    role = models.CharField(_("role"), max_length=10, choices=Role)
    table = models.CharField(_("table"), max_length=60, blank=True)
    pilot = models.CharField(_("pilot"), max_length=60, blank=True)
    label = models.CharField(_("for whom"), max_length=80, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="challenge_keys",
        verbose_name=_("account"),
    )
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("key")
        verbose_name_plural = _("keys")
        ordering = ["event", "pk"]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.role}"


class Claim(models.Model):
    """What a player's phone proposes: feats of the open turn, or the pilot's whole off-board cycle.

    `documents` are deeds in their order (`rules.challenge.entries`). An agent accepts or strikes them.
    """

    class Kind(models.TextChoices):
        FEAT = "feat", _("feat")
        CYCLE = "cycle", _("off-board cycle")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        ACCEPTED = "accepted", _("accepted")
        STRUCK = "struck", _("struck")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="claims", verbose_name=_("event"))
    client_id = models.CharField(_("id at the device"), max_length=64)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    pilot = models.CharField(_("pilot"), max_length=60)
    table = models.CharField(_("table"), max_length=60)
    documents = models.JSONField(_("what is claimed"))
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)

    class Meta:
        verbose_name = _("claim")
        verbose_name_plural = _("claims")
        ordering = ["event", "pk"]
        constraints = [models.UniqueConstraint(fields=["event", "client_id"], name="challenge_claim_client_once")]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.pilot}"


class Deck(models.Model):
    """A deck of initiative cards in the middle of its drawing: it outlasts a power cut.

    `state` holds the cards as `rules.challenge.initiative.Deck` does. Those face down are a secret until they are
    turned. `client_id` names the last press that changed it.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="decks", verbose_name=_("event"))
    table = models.CharField(_("table"), max_length=60)
    turn = models.PositiveIntegerField(_("turn"))
    state = models.JSONField(_("cards"))
    client_id = models.CharField(_("id at the device"), max_length=64)
    made_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("deck of initiative cards")
        verbose_name_plural = _("decks of initiative cards")
        ordering = ["event", "pk"]
        constraints = [models.UniqueConstraint(fields=["event", "table"], name="challenge_deck_once")]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.table}"


class EventWebhook(models.Model):
    """An outside address to which the news of an event are posted. `secret` signs the documents.

    `tried_at`, `status` and `problem` are of the newest try: the status of its answer, None without one, and what went
    wrong (webhooks.problems), "" for a delivery. `failures` counts news in a row that were given up. It is off since
    `disabled_at`, None while it is on.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="webhook", verbose_name=_("event"))
    public_id = models.UUIDField(_("public id"), default=uuid.uuid4, unique=True, editable=False)
    url = models.CharField(_("address"), max_length=500)
    secret = models.CharField(_("secret"), max_length=64)
    failures = models.PositiveSmallIntegerField(_("failures in a row"), default=0)
    tried_at = models.DateTimeField(_("last try"), null=True, blank=True)
    status = models.PositiveSmallIntegerField(_("last answer"), null=True, blank=True)
    problem = models.CharField(_("last problem"), max_length=60, blank=True)
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    disabled_at = models.DateTimeField(_("off since"), null=True, blank=True)

    class Meta:
        verbose_name = _("webhook of an event")
        verbose_name_plural = _("webhooks of events")
        ordering = ["event"]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.public_id}"
