"""Accounts, their preferences, notices, tokens, browsers that get messages, and kept answers."""

from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules.wording.isolation import bare, isolated
from web.names import LONGEST_KEY, NameField, name_key

NUMBERING = "  "
"""What stands between the key of a name and its number. Keys have single spaces, so no name has such a key."""

LONGEST_NUMBERED = LONGEST_KEY + 10


def numbered_key(name: str, number: int) -> str:
    """Return the key of an account whose name may look like another's; no other account of that key has the number."""
    return f"{name_key(name)}{NUMBERING}{number}"


OPEN_ACT = models.Q(asks=True, done_at__isnull=True)
"""Which notices ask for an act that is not done, read or not."""


class User(AbstractUser):
    """A person with an account. E-mail addresses are unique, upper and lower case being the same; so are names, and no
    two names look the same.

    `name_key` is the key of the name (web.names). It has a number at its end where another account had the name first:
    in accounts from before names were compared by their looks, and in those that an import makes.

    `email` is the proven address, "" for none: its owner opened a link that was mailed to it, or the operator's shell
    set it. `new_email` waits for its link since `new_email_since`, "" and None for none. Several accounts may wait for
    one address (people.services.addresses).

    `language` is the code of the language that the person chose, "" for that of their browser. A code whose language is
    not offered any more counts as "" (web.languages.offer). `browser_language` is what their browser asked for when
    they last logged in, "" while unknown; mails and messages of a person without a choice are in it.

    `mail_digest` asks for one digest a day, at `digest_hour` in the person's own time zone. The other `mail_...` fields
    ask for mails at once (people.services.mails). Notices that are not mailed at once go into the digest.
    `last_mail_at` is when the newest mail with notices was sent, None before the first.

    `ladder` says whether, and as what, the ladder of players shows the account. It hides the account by default.

    `discord_id` is the number of the person's own account at Discord, "" for none. Messages of webhooks mention it when
    the person must act.

    `is_guest` marks the account of a guest, who has no password: they play one stable of one season by a link, or came
    by themselves and play quick duels. Nobody logs in to it by its name, and it has neither address nor mails nor
    tokens (people.services.guests).

    `left_at` is when the person deleted the account, None before. Since then the row has no name, address or password.
    It stays, so that results and books keep their authors.
    """

    class Ladder(models.TextChoices):
        HIDDEN = "", _("do not show me")
        PERSON = "person", _("show me")
        PROGRAM = "program", _("show me as an external bot: a program plays with this account")

    name_key = models.CharField(_("what the name looks like"), max_length=LONGEST_NUMBERED, unique=True, editable=False)
    email = models.EmailField(_("e-mail address"), blank=True)
    new_email = models.EmailField(_("e-mail address that waits for its link"), blank=True, editable=False)
    new_email_since = models.DateTimeField(_("waits since"), null=True, blank=True, editable=False)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    language = models.CharField(_("language"), max_length=10, default="", blank=True)
    browser_language = models.CharField(_("language"), max_length=10, default="", blank=True, editable=False)
    mail_digest = models.BooleanField(_("one mail a day with what is new"), default=True)
    digest_hour = models.PositiveSmallIntegerField(
        _("hour of that mail"), default=8, validators=[MaxValueValidator(23)], help_text=_("0 to 23, in your time zone")
    )
    mail_your_turn = models.BooleanField(_("a mail at once when it is my turn"), default=True)
    mail_dates = models.BooleanField(_("a mail at once when a date or mode of my match is proposed"), default=True)
    mail_reports = models.BooleanField(_("a mail at once when a report names me"), default=True)
    mail_match_near = models.BooleanField(_("a mail at once when my match is near"), default=True)
    mail_messages = models.BooleanField(_("a mail at once when organisers write to all"), default=True)
    mail_organising = models.BooleanField(_("a mail at once when a season that I help to run needs me"), default=True)
    last_mail_at = models.DateTimeField(_("last mail with notices"), null=True, blank=True, editable=False)
    ladder = models.CharField(
        _("on the ladder"),
        max_length=10,
        choices=Ladder,
        default=Ladder.HIDDEN,
        blank=True,
        help_text=_("Shown are your name, your rating, how many rated matches you played, and when the last one was."),
    )
    discord_id = models.CharField(
        _("Discord user id"),
        max_length=20,
        blank=True,
        default="",
        validators=[RegexValidator(r"\A[0-9]{17,20}\Z", _("A Discord user id has 17 to 20 digits and nothing else."))],
        help_text=_(
            "17 to 20 digits. In Discord, switch on the developer mode and choose “Copy User ID” in the menu of your "
            "own name. When you must act, messages in a Discord channel of your seasons then mention you. Their "
            "organisers and the readers of that channel see this number. Empty: nobody mentions you."
        ),
    )
    is_guest = models.BooleanField(_("guest"), default=False, editable=False)
    left_at = models.DateTimeField(_("account deleted"), null=True, blank=True, editable=False)

    acts_counted: int | None = None
    unread_counted: int = 0
    """The notices not read yet, for the person of a request (people.services.log_ins); 0 for others."""
    changed_from: tuple[str, str] | None = None
    """The old password hash and address, only while the account is stored (people.services.account_changes)."""

    def clean(self) -> None:
        """Refuse a time zone that the time zone database does not know.

        It is not a validator of the field: migrations would have to import it, and they import nothing of the project.
        Raises ValidationError (time_zone).
        """
        super().clean()
        try:
            ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            # ValueError and OSError are for names that lead out of the database's folder, or to a folder in it.
            problem = _("%(value)s is not a known time zone.")
            known = ValidationError(problem, params={"value": self.time_zone}, code="time_zone")
            raise ValidationError({"time_zone": known}) from None

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the account, and give it a new key when its name is another one."""
        key = name_key(self.username)
        if self.name_key.partition(NUMBERING)[0] != key:
            self.name_key = key
        super().save(*args, **kwargs)

    @property
    def acts_open(self) -> int:
        """The number of notices that ask the person for an act that is not done, read or not.

        No query for the person of a request, with whom it was read (people.services.log_ins); one for others.
        """
        if self.acts_counted is None:
            self.acts_counted = self.notices.filter(OPEN_ACT).count()
        return self.acts_counted

    def get_username(self) -> str:
        """Return the name that others read, isolated; for a deleted account neutral words in the reader's language."""
        return isolated(super().get_username()) if self.left_at is None else gettext("somebody who left")

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """Return the name as it is stored: bare, since `clean` takes it from `get_username`."""
        return bare(super().normalize_username(username))

    def natural_key(self) -> tuple[str]:
        return (self.username,)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                name="people_user_email_unique",
                condition=~models.Q(email=""),
                violation_error_message=_("There is already an account with this e-mail address."),
            ),
            models.UniqueConstraint(
                Lower("username"),
                name="people_user_username_unique",
                violation_error_message=_("There is already an account with this name."),
            ),
        ]


class Notice(models.Model):
    """Something that happened and concerns one person: a code with parameters, worded when it is shown.

    `read_at` is None until the person has read it. `mailed_at` is set before the mail is sent, at once or in a digest:
    each notice is mailed at most once. `pushed_at` is when messages to the person's browsers were asked for, None when
    they were not (people.services.pushes).

    `asks` says that the person must act, `due_at` until when, or when what the notice announces happens; None without
    a time. `done_at` is when the site saw that there is nothing left to do, whoever did it (people.services.acts); None
    before, and where nothing is asked.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notices", verbose_name=_("person"))
    code = models.CharField(_("code"), max_length=80)
    parameters = models.JSONField(_("parameters"), default=dict, blank=True)
    url = models.CharField(_("address"), max_length=300, blank=True)
    created_at = models.DateTimeField(_("sent at"), auto_now_add=True)
    read_at = models.DateTimeField(_("read at"), null=True, blank=True)
    mailed_at = models.DateTimeField(_("mailed at"), null=True, blank=True)
    asks = models.BooleanField(_("asks for an act"), default=False)
    due_at = models.DateTimeField(_("to be done by"), null=True, blank=True)
    done_at = models.DateTimeField(_("done at"), null=True, blank=True)
    pushed_at = models.DateTimeField(_("sent to browsers at"), null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["user", "read_at"], name="people_notice_unread"),
            # Every tick looks only for notices that may still be mailed.
            models.Index(
                fields=["user", "created_at"],
                name="people_notice_to_mail",
                condition=models.Q(read_at__isnull=True, mailed_at__isnull=True),
            ),
            # Every page of a person counts what asks them for an act, and every tick looks whether it is done.
            models.Index(
                fields=["user"],
                name="people_notice_asks",
                condition=OPEN_ACT,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} to {self.user_id}"


class Attempt(models.Model):
    """One use of something that is limited, counted for an hour. Only a keyed hash of its source is stored."""

    purpose = models.CharField(_("purpose"), max_length=40)
    source = models.CharField(_("source"), max_length=64)
    created_at = models.DateTimeField(_("made at"), auto_now_add=True)

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        indexes = [
            models.Index(fields=["purpose", "source", "created_at"], name="people_attempt_count"),
            models.Index(fields=["created_at"], name="people_attempt_age"),
        ]

    def __str__(self) -> str:
        return self.purpose


class ApiToken(models.Model):
    """A key with which programs act for an account. Of its text only the digest (SHA-256) and the end are stored.

    `scopes` are from `people.services.tokens.SCOPES`. It ends at `expires_at`, or at `revoked_at`, None unless it is
    revoked. `last_used_at` is written at most once an hour, and is None before the first use.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens", verbose_name=_("person"))
    name = NameField(_("name"), max_length=60)
    digest = models.CharField(_("digest"), max_length=64, unique=True)
    ending = models.CharField(_("last letters"), max_length=4)
    scopes = models.JSONField(_("may"), default=list)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    expires_at = models.DateTimeField(_("ends"))
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        ordering = ["user", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "name"], name="people_token_name", condition=models.Q(revoked_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PushSubscription(models.Model):
    """A browser of a person that shows messages even while no page of the site is open (people.services.pushes).

    `endpoint` is the address at the browser's push service, `public_key` and `secret` are the browser's own (base64url)
    and encrypt messages that only it can read. `failures` counts messages in a row that were given up.
    """

    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="push_subscriptions", verbose_name=_("person")
    )
    endpoint = models.CharField(_("address"), max_length=500, unique=True)
    public_key = models.CharField(_("public key"), max_length=100)
    secret = models.CharField(_("secret"), max_length=40)
    failures = models.PositiveSmallIntegerField(_("given up in a row"), default=0)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("browser that gets messages")
        verbose_name_plural = _("browsers that get messages")
        ordering = ["user", "id"]

    def __str__(self) -> str:
        return f"browser {self.pk} of {self.user_id}"


class Wording(models.Model):
    """Better words for a text of a page in a language other than English, as somebody proposed them to the operator.

    `page` is the path of the page, without secrets (web.own_pages), "" for any page. `text` are the words there.
    `user` is None for a visitor without an account. `done_at` is when the operator marked it as done, None before.
    """

    user = models.ForeignKey(
        User, on_delete=models.CASCADE, null=True, blank=True, related_name="wordings", verbose_name=_("person")
    )
    language = models.CharField(_("language"), max_length=10)
    page = models.CharField(_("address"), max_length=300, blank=True)
    text = models.TextField(_("text"), max_length=1000)
    proposal = models.TextField(_("proposal"), max_length=1000)
    remark = models.TextField(_("remark"), max_length=1000, blank=True)
    created_at = models.DateTimeField(_("sent at"), auto_now_add=True)
    done_at = models.DateTimeField(_("done at"), null=True, blank=True)

    class Meta:
        verbose_name = _("better wording")
        verbose_name_plural = _("better wording")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.language}: {self.page}"


class KeptAnswer(models.Model):
    """The answer to a request with an idempotency key, for a day. The same request sent again gets the same answer.

    `request_hash` covers everything that the request asked for. `status` is None while the request is at work.
    `body` is the JSON as it was written, so that it is the same to the letter; empty for an answer without a body.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="kept_answers", verbose_name=_("person"))
    key = models.CharField(_("key"), max_length=80)
    request_hash = models.CharField(_("request"), max_length=64)
    status = models.PositiveSmallIntegerField(_("status"), null=True, blank=True)
    headers = models.JSONField(_("headers"), default=dict, blank=True)
    body = models.TextField(_("body"), blank=True)
    created_at = models.DateTimeField(_("made"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("kept answer")
        verbose_name_plural = _("kept answers")
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="people_answer_once")]

    def __str__(self) -> str:
        return self.key
