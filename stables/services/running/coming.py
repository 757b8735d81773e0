"""Asking who comes to an evening: each owner gets a signed link, and one tap on its page answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from people.services.accounts import Limit, count_attempt, notify
from rules.campaign.season.appointments import check_date, moment_text
from rules.campaign.season.hand import LINK_LASTS
from rules.campaign.states import SEASON
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Coming, ComingQuestion, Season, Stable
from stables.selectors.coming import asked_stables
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from web.bounds import MOST_MESSAGES

QUESTIONS_OF_A_SEASON = Limit("season_coming", MOST_MESSAGES)
ANSWERS_OF_A_STABLE = Limit("coming", 20)
"""How often within an hour an owner may change their mind: each change is a line of the log."""

SALT = "stables.who_comes"
"""The purpose of the signatures: no other link of this site passes for one of these."""


@dataclass(frozen=True)
class SentQuestion:
    """A question, and the number of owners who got a link."""

    question_id: int
    people: int


@dataclass(frozen=True)
class OpenQuestion:
    """What a link asks: the question and the stable, both with the season, and the answer so far (None: none)."""

    question: ComingQuestion
    stable: Stable
    is_coming: bool | None


@transaction.atomic
def ask(*, season_id: int, at: datetime, user: Any, now: datetime | None = None) -> SentQuestion:
    """Ask the owners of a running season who comes to the evening that begins `at` then, and log it.

    The caller checks the office of `user`. Raises SeasonRefused (season_not_running, date_not_ahead, date_too_far,
    nobody_to_write_to) or TooOften (too_often).
    """
    season = lock_season(season_id)
    SEASON.require("ask_who_comes", season.state, "season_not_running", state=season.state)
    for problem in check_date(at, now or timezone.now(), None):
        raise SeasonRefused(problem.code, **problem.parameters)
    stables = asked_stables(season)
    if not stables:
        raise SeasonRefused("nobody_to_write_to")
    count_attempt(QUESTIONS_OF_A_SEASON, f"{season.pk}")
    question = ComingQuestion.objects.create(season=season, at=at, asked_by=user)
    facts = {"at": moment_text(at)}
    record(season, "coming_asked", facts, actor=user)
    for stable in stables:
        address = reverse("stables:who_comes", args=[token_of(question, stable)])
        assert stable.owner is not None
        notify([stable.owner], "who_comes", {**facts, "season": season.name, "stable": stable.name}, address)
    return SentQuestion(question.pk, len(stables))


def token_of(question: ComingQuestion, stable: Stable) -> str:
    """Return the signed code of a link. It names the owner, so that it ends when the stable passes to another.

    That of a guest ends with their sessions, too: a lost phone may have kept it.
    """
    holder = _holder(stable, settings.SECRET_KEY)
    return signing.dumps([question.pk, stable.pk, *holder], salt=SALT, compress=False)


def _holder(stable: Stable, key: str | bytes) -> list[Any]:
    """Return what stands in a link for the person who may answer by it, made with a key of the site.

    Anybody who has the link can read it, so it has nothing of the hash that sessions hold. Fetch `stable` with its
    owner.
    """
    owner = stable.owner
    if owner is None or not owner.is_guest:
        return [stable.owner_id]
    return [owner.pk, salted_hmac(SALT, owner.password, secret=key, algorithm="sha256").hexdigest()[:16]]


def _is_holder(stable: Stable, holder: list[Any]) -> bool:
    """Return whether a link's holder is good for a stable: made with the key of the site, or with an earlier one."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return any(holder == _holder(stable, key) for key in keys)


def renew_links(stable: Stable) -> None:
    """Give the notices of a stable's guest, whose sessions have ended, links that are good from now on.

    Fetch `stable` with its owner.
    """
    assert stable.owner is not None
    for notice in stable.owner.notices.filter(code="who_comes"):
        try:
            question_id = signing.loads(notice.url.rstrip("/").rpartition("/")[2], salt=SALT)[0]
        except signing.BadSignature:
            # The site has another key since then: the link is dead already.
            continue
        question = ComingQuestion.objects.filter(pk=question_id).first()
        if question is not None:
            notice.url = reverse("stables:who_comes", args=[token_of(question, stable)])
            notice.save(update_fields=["url"])


def open_question(token: str, now: datetime | None = None) -> OpenQuestion:
    """Return what a link asks, without a change.

    Raises Malformed (unknown_passing) for a forged link and one whose stable has another owner, SeasonRefused
    (link_expired) for an old one and once the evening has begun.
    """
    try:
        question_id, stable_id, *holder = signing.loads(token, salt=SALT, max_age=LINK_LASTS)
    except signing.SignatureExpired:
        raise SeasonRefused("link_expired") from None
    except (signing.BadSignature, ValueError, TypeError):
        raise Malformed("unknown_passing") from None
    question = ComingQuestion.objects.select_related("season").filter(pk=question_id).first()
    owned = Stable.objects.filter(pk=stable_id, is_ai=False, left_in_cycle=None)
    stable = owned.select_related("season", "owner").first()
    if question is None or stable is None or not _is_holder(stable, holder):
        raise Malformed("unknown_passing")
    if question.at <= (now or timezone.now()):
        raise SeasonRefused("link_expired")
    given = Coming.objects.filter(question=question, stable=stable).values_list("is_coming", flat=True).first()
    return OpenQuestion(question, stable, given)


@transaction.atomic
def answer(*, token: str, is_coming: bool, now: datetime | None = None) -> OpenQuestion:
    """Answer the question of a link; the signature stands for the owner. The same answer changes and logs nothing.

    Raises as `asking` does, and TooOften (too_often).
    """
    season = lock_season(open_question(token, now).question.season_id)
    # Read again under the season's lock, since the stable may have passed to another owner.
    return _note(season, open_question(token, now), is_coming)


@transaction.atomic
def answer_newest(*, stable_id: int, is_coming: bool, now: datetime | None = None) -> OpenQuestion:
    """Answer the newest question of the season for a stable, without a link. The caller checks who owns the stable.

    Raises SeasonRefused (nothing_asked, stable_has_left) or TooOften (too_often).
    """
    season = lock_season(Stable.objects.values_list("season_id", flat=True).get(pk=stable_id))
    stable = Stable.objects.select_related("owner").get(pk=stable_id)
    if stable.left_in_cycle is not None:
        raise SeasonRefused("stable_has_left", name=stable.name)
    question = season.coming.order_by("-pk").first()
    if question is None or question.at <= (now or timezone.now()):
        raise SeasonRefused("nothing_asked")
    given = Coming.objects.filter(question=question, stable=stable).values_list("is_coming", flat=True).first()
    return _note(season, OpenQuestion(question, stable, given), is_coming)


def _note(season: Season, asked: OpenQuestion, is_coming: bool) -> OpenQuestion:
    if asked.is_coming is not is_coming:
        count_attempt(ANSWERS_OF_A_STABLE, f"{asked.stable.pk}")
        Coming.objects.update_or_create(question=asked.question, stable=asked.stable, defaults={"is_coming": is_coming})
        facts = {"stable": asked.stable.name, "at": moment_text(asked.question.at)}
        record(season, "coming_yes" if is_coming else "coming_no", facts, actor=asked.stable.owner)
    return OpenQuestion(asked.question, asked.stable, is_coming)
