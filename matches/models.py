"""The tables of matches: setup, seed, every step, result, and what belongs to them."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from rules.core.dice import is_continued
from web.append_only import AppendOnly


class Match(models.Model):
    """One arena match. Setup, seed and actions rebuild every event; the events rebuild every position.

    `setup` embeds all definitions, so that a later catalogue changes nothing. `result` is None until the match is
    finished, `finished_at` until it is over. A closed match was begun and is not played on, because something else
    decided, such as a forfeit. `last_sequence` is the sequence of the newest MatchAction; a conditional update of it
    accepts a step. The seed is secret until the match is over: only `revealed_seed` may reach a page, and no form or
    admin names the field itself.

    `fixture_key` names the fixture of a match of a season, and is None for a friendly match. `seconds_a_round` is what
    each side's time bank gets in every round of the match; None without a time limit. Everybody with the address that
    holds `share_key` may watch, even if the season is closed to them; the key is None while the match is not shared.

    `is_tutorial` says that the page of play points out what to do, until its player wants no more of it.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        PLAYING = "playing", _("being played")
        FINISHED = "finished", _("finished")
        CLOSED = "closed", _("broken off")

    OVER = (State.FINISHED, State.CLOSED)

    public_id = models.UUIDField(_("public id"), default=uuid.uuid4, unique=True, editable=False)
    fixture_key = models.CharField(_("fixture key"), max_length=160, null=True, blank=True, unique=True)
    setup = models.JSONField(_("setup"))
    rules_version = models.CharField(_("rules version"), max_length=40)
    seed = models.BinaryField(_("seed"), max_length=64)
    seed_commitment = models.CharField(_("seed commitment"), max_length=64)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING, db_index=True)
    last_sequence = models.PositiveIntegerField(_("last step"), default=0)
    result = models.JSONField(_("result"), null=True, blank=True)
    seconds_a_round = models.PositiveIntegerField(_("seconds a round"), null=True, blank=True)
    share_key = models.CharField(_("share key"), max_length=43, null=True, blank=True, unique=True)
    is_tutorial = models.BooleanField(_("tutorial"), default=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="match_finished_has_result",
                condition=Q(state="finished", result__isnull=False, finished_at__isnull=False)
                | Q(state="closed", result__isnull=True, finished_at__isnull=False)
                | (~Q(state__in=("finished", "closed")) & Q(result__isnull=True, finished_at__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return str(self.public_id)

    def get_absolute_url(self) -> str:
        return reverse("matches:show", args=[self.public_id])

    @property
    def file_name(self) -> str:
        """The file name of the match's download."""
        return f"match-{self.public_id}.json"

    @property
    def is_finished(self) -> bool:
        """Whether the match was played to its end and has a result."""
        return self.state == self.State.FINISHED

    @property
    def is_over(self) -> bool:
        """Whether nothing more is played: the match is finished or closed."""
        return self.state in self.OVER

    @property
    def is_continued(self) -> bool:
        """Whether the match goes on from a moment of another one, so that not all of it was played here."""
        return is_continued(bytes(self.seed))

    @property
    def decisions_before(self) -> int:
        """How many of its decisions were played in the match that it goes on from; one query without known seats."""
        return min((seat.taken_at for seat in self.seats.all()), default=0) if self.is_continued else 0

    @property
    def revealed_seed(self) -> str | None:
        """The seed as hex digits once the match is over, None before."""
        return bytes(self.seed).hex() if self.is_over else None


class MatchSeat(models.Model):
    """Who decides for one side of a match: a person, a bot, or nobody yet (`user` None and `bot` empty).

    `taken_at` is the match's last step when the present player took over; 0 for a player from the beginning, and for
    one who took a free seat. In a match that goes on from another one, it is at least the last step that was copied.

    In a match with time banks, `bank_seconds` is the time that the side has left, `bank_round` is the round of the
    match up to which the bank was filled, and `expiries` counts how often it ran out since the person sat down or was
    forgiven.

    `has_nodded`: the person said "well played" when the match was over.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", verbose_name=_("match"))
    side = models.CharField(_("side"), max_length=20)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="match_seats",
        verbose_name=_("player"),
    )
    bot = models.CharField(_("bot"), max_length=40, blank=True)
    taken_at = models.PositiveIntegerField(_("taken at step"), default=0)
    bank_seconds = models.PositiveIntegerField(_("seconds left"), default=0)
    bank_round = models.PositiveSmallIntegerField(_("filled up to round"), default=0)
    expiries = models.PositiveSmallIntegerField(_("rounds without time left"), default=0)
    has_nodded = models.BooleanField(_("has said well played"), default=False)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["match", "side"], name="one_seat_a_side"),
            models.CheckConstraint(name="seat_user_or_bot", condition=Q(user__isnull=True) | Q(bot="")),
        ]

    def __str__(self) -> str:
        return f"{self.side}: {self.bot or self.user_id or '-'}"


class StandingAnswers(models.Model):
    """How a unit answers out-of-turn questions to its player; matches.services.preset_answers reads `answers`."""

    seat = models.ForeignKey(MatchSeat, on_delete=models.CASCADE, related_name="standing", verbose_name=_("seat"))
    unit = models.CharField(_("unit"), max_length=80)
    answers = models.JSONField(_("answers"), default=dict)

    class Meta:
        verbose_name = _("standing answers")
        verbose_name_plural = _("standing answers")
        constraints = [models.UniqueConstraint(fields=["seat", "unit"], name="one_standing_answers_a_unit")]

    def __str__(self) -> str:
        return f"{self.seat_id} {self.unit}"


class AskedAdvice(models.Model):
    """The advice that a player got at a step of a match against the AI (matches.services.advice).

    `sequence` is the match's last step at that moment, `document` the advice in codes. Only the person who asked ever
    reads it.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="asked_advice", verbose_name=_("match"))
    side = models.CharField(_("side"), max_length=20)
    sequence = models.PositiveIntegerField(_("sequence"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="asked_advice", verbose_name=_("player")
    )
    document = models.JSONField(_("advice"))
    created_at = models.DateTimeField(_("asked"), auto_now_add=True)

    class Meta:
        verbose_name = _("advice")
        verbose_name_plural = _("advice")
        ordering = ["match", "sequence"]
        constraints = [models.UniqueConstraint(fields=["match", "side", "sequence"], name="one_advice_a_step")]

    def __str__(self) -> str:
        return f"{self.match_id} / {self.sequence}"


class WriteUp(models.Model):
    """A player's account of a match, with or without a photo.

    `subject` is the `fixture_key` of a match of a season, played here or at a table, or the public id of a friendly
    match. `photo` is a JPEG made by this site, never the bytes that were sent; None without one. `changed_at` is None
    for a first text. A write-up that was taken down (`taken_down_at`, otherwise None) stays visible to its author, with
    the reason.
    """

    subject = models.CharField(_("subject"), max_length=160, db_index=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="write_ups",
        verbose_name=_("author"),
    )
    text = models.TextField(_("text"), max_length=6000)
    photo = models.BinaryField(_("photo"), null=True, blank=True)
    photo_told = models.CharField(_("what the photo shows"), max_length=200, blank=True)
    created_at = models.DateTimeField(_("written"), auto_now_add=True)
    changed_at = models.DateTimeField(_("changed"), null=True, blank=True)
    taken_down_at = models.DateTimeField(_("taken down"), null=True, blank=True)
    taken_down_because = models.CharField(_("reason"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("write-up")
        verbose_name_plural = _("write-ups")
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["subject", "author"], name="one_write_up_an_author")]

    def __str__(self) -> str:
        return f"{self.subject} / {self.author_id}"


class Counted(models.Model):
    """Play-outs counted so far, and the question they answer: the base of the forecasts of matches and fixtures.

    `tally` holds `counted` play-outs of `bot`, from number 0 on, as rules.measuring.forecasts writes them; jobs add
    more up to `wanted`. `fingerprint` is a hash of all that they depend on: a row with another fingerprint is out of
    date. `code` is the hash of the code that played (`rules.measuring.forecasts`), so that play-outs of other code are
    not mixed in; it is empty in old rows. Only matches.services.forecasts writes here.
    """

    fingerprint = models.CharField(_("fingerprint"), max_length=64)
    rules_version = models.CharField(_("rules version"), max_length=40)
    bot = models.CharField(_("bot"), max_length=40)
    code = models.CharField(_("hash of the code"), max_length=64, blank=True)
    wanted = models.PositiveSmallIntegerField(_("play-outs wanted"))
    counted = models.PositiveSmallIntegerField(_("play-outs counted"))
    tally = models.JSONField(_("tally"))
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        abstract = True


class MatchForecast(Counted):
    """How play-outs from the beginning of a round of a match ended, as a spectator sees that position."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="forecasts", verbose_name=_("match"))
    round = models.PositiveSmallIntegerField(_("round"))

    class Meta:
        verbose_name = _("forecast of a match")
        verbose_name_plural = _("forecasts of matches")
        ordering = ["match", "round"]
        constraints = [models.UniqueConstraint(fields=["match", "round"], name="one_forecast_a_round")]

    def __str__(self) -> str:
        return f"{self.match_id} / {self.round}"


class MatchAction(AppendOnly):
    """One step of a match and the events that it caused. Sequence 0 holds the opening events and no action.

    `cause` says why a step was not the player's own. For a person: there was only one answer, the unit had a standing
    answer, the side's time had run out, the person gave the rest of the match to the AI, or it opened a quick duel for
    them. For a bot: it failed or spent its budget, and the default answer was played (matches.services.guarded). In
    older matches another bot may have answered for it (`relieved`), or none could (`withdrawn`). Otherwise `cause` is
    empty.
    """

    class Cause(models.TextChoices):
        ONLY = "only", _("the only answer there was")
        STANDING = "standing", _("by its standing answer")
        TIME = "time", _("by the AI, the time being up")
        GIVEN = "given", _("by the AI, at the player’s request")
        OPENING = "opening", _("by the AI, before the player's first decision")
        FAILED = "failed", _("the default answer, as the AI failed")
        OVERRAN = "overran", _("the default answer, as the AI took too long")
        RELIEVED = "relieved", _("by another AI, as the first one failed")
        WITHDRAWN = "withdrawn", _("the default answer, as every AI failed")

    FAULTS = (Cause.FAILED, Cause.OVERRAN)

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="actions", verbose_name=_("match"))
    sequence = models.PositiveIntegerField(_("sequence"))
    side = models.CharField(_("side"), max_length=20, blank=True)
    action = models.JSONField(_("action"), null=True, blank=True)
    events = models.JSONField(_("events"))
    cause = models.CharField(_("answered"), max_length=10, choices=Cause, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("step")
        verbose_name_plural = _("steps")
        ordering = ["match", "sequence"]
        constraints = [models.UniqueConstraint(fields=["match", "sequence"], name="one_action_a_sequence")]

    def __str__(self) -> str:
        return f"{self.match_id} / {self.sequence}"


class Puzzle(AppendOnly):
    """The puzzle of a day, found by the bots (rules.measuring.puzzles reads and writes `document`)."""

    day = models.DateField(_("day"), unique=True)
    document = models.JSONField(_("puzzle"))
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")
        ordering = ["-day"]

    def __str__(self) -> str:
        return self.day.isoformat()


class PuzzleCount(models.Model):
    """How many visitors `answered` the puzzle of a day, and how many `found` its best order; nobody is named."""

    day = models.DateField(_("day"), unique=True)
    answered = models.PositiveIntegerField(_("answered"), default=0)
    found = models.PositiveIntegerField(_("found"), default=0)

    class Meta:
        verbose_name = _("count of a puzzle")
        verbose_name_plural = _("counts of puzzles")
        ordering = ["-day"]

    def __str__(self) -> str:
        return f"{self.day.isoformat()}: {self.found} / {self.answered}"
