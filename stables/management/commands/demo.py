"""python manage.py demo: give a new site a season to look at, one to join, and an account. For development only."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import CommandError
from django.db import transaction

from commands.migrated import MigratedCommand
from jobs.services import in_this_process
from rules.campaign.classes import FORMATS
from stables.models import Season
from stables.services.ai.exhibitions import NAMES, is_settled, leave_to, open_exhibition, play, play_on
from stables.services.season.opening import open_for_people

ACCOUNT = "demo"
SEED = 7
DEMO_SEASON = "Demo season"
STABLES = len(NAMES)
UP_TO = (4, 2)
"""The cycle, and its round, after which the newcomer takes over: the middle of the fourth cycle."""

LEFT = STABLES
"""The number of the stable that is left for the newcomer; until then the AI runs it."""

OPEN_SEASON = "Open season"
"""The name of the season that a newcomer can join. It is opened once, and the account organises it."""


class Command(MigratedCommand):
    help = (
        "Fills a new site. If there is no season yet, it plays a demo season to the middle of its fourth cycle and "
        "gives one of the stables to a demo account. It also opens one season to join. What exists already stays as it "
        "is. For development only."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option for the address that the printed lines show."""
        parser.add_argument(
            "--address",
            default="http://127.0.0.1:8000",
            help="address of the site, for the printed links (default: %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the demo and print where to look.

        The account comes last, with all that makes the demo complete. A person who stops this command half-way and runs
        it again gets the rest, and a password. Raises CommandError outside DEBUG, because the password is printed.
        """
        if not settings.DEBUG:
            raise CommandError("The demo prints the password of its account, so it does not run outside DEBUG.")
        season = self._season()
        with transaction.atomic():
            account, password = self._account()
            mine = Season.objects.filter(pk=season.pk, name=DEMO_SEASON, organiser=None)
            if mine.update(organiser=account):
                leave_to(season_id=season.pk, number=LEFT, owner=account)
            to_join = Season.objects.filter(name=OPEN_SEASON, organiser=account).order_by("id").first()
            if to_join is None:
                opened = open_for_people(name=OPEN_SEASON, weight_class="light", ai_stables=3, organiser=account)
                to_join = Season.objects.get(pk=opened.season_id)
            self._tell(options["address"], season, to_join, password)
        if Season.objects.filter(pk=season.pk, name=DEMO_SEASON, organiser=account).exists():
            play_on(season_id=season.pk)

    def _season(self) -> Season:
        """Return the season to look at, after playing a new or interrupted demo season up to UP_TO.

        If the site has seasons but no interrupted demo season, return the oldest of them that is not a draft.
        """
        season = _interrupted()
        if season is None:
            known = Season.objects.exclude(state=Season.State.DRAFT).order_by("id").first()
            if known is not None:
                return known
            with in_this_process():
                season = open_exhibition(
                    name=DEMO_SEASON, stables=STABLES, weight_class="light", cycles=len(FORMATS), seed=SEED
                )
        self.stdout.write("Playing the demo season ...")
        self.stdout.flush()
        return play(
            season_id=season.pk, on_progress=lambda progress: None, until=lambda played: is_settled(played, *UP_TO)
        )

    def _tell(self, address: str, season: Season, to_join: Season, password: str | None) -> None:
        """Print where to look and how to log in.

        Call it inside the transaction that stores the account: a password is not stored before it was shown.
        """
        self.stdout.write(f"Look at {address}{season.get_absolute_url()} ({season.name})")
        own = season.stables.select_related("season").filter(owner__username=ACCOUNT).first()
        if own is not None:
            self.stdout.write(f"Go on with {address}{own.get_absolute_url()} ({own.name}): the stable is yours")
        if to_join.state == Season.State.RECRUITING:
            self.stdout.write(f"Join {address}{to_join.get_absolute_url()} ({to_join.name}): found a stable there")
        if password is not None:
            self.stdout.write(f"Log in as {ACCOUNT} with the password {password}")
        else:
            self.stdout.write(
                f"The account {ACCOUNT} keeps its password. "
                f"Set a new one with: python manage.py changepassword {ACCOUNT}"
            )
        self.stdout.flush()

    def _account(self) -> tuple[Any, str | None]:
        """Return the demo account, made if necessary, and its password; None for the password of an old account."""
        accounts = get_user_model().objects
        known = accounts.filter(username__iexact=ACCOUNT).first()
        if known is not None:
            return known, None
        password = secrets.token_urlsafe(12)
        return accounts.create_user(ACCOUNT, f"{ACCOUNT}@example.org", password), password


def _interrupted() -> Season | None:
    """Return the oldest running demo season without people, which the newcomer does not have yet; None without one."""
    running = Season.objects.filter(name=DEMO_SEASON, state=Season.State.RUNNING)
    return running.exclude(stables__is_ai=False).order_by("id").first()
