"""Evenings at a club: each person has a browser of their own, the season is played at tables, and the clock is held."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect

from people.models import User
from stables.models import Fixture, Season, Stable
from tests.stables.tabletop_matches import sides_of

from .playing import follow

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
PASSWORD = "a stable of copper"


@dataclass
class Evenings:
    """The season, the people's pages by name, and the clock."""

    root: str
    browser: Browser
    now: datetime = NOON
    contexts: list[BrowserContext] = field(default_factory=list)
    pages: dict[str, Page] = field(default_factory=dict)

    def give(self, name: str, options: Any, *, is_known: bool) -> Page:
        """Give a person a browser; one who is known has an account and is logged in."""
        context = self.browser.new_context(**options)
        self.contexts.append(context)
        if is_known:
            client = Client()
            client.force_login(User.objects.create_user(name, f"{name}@example.org", PASSWORD))
            cookie = client.cookies[settings.SESSION_COOKIE_NAME]
            context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": self.root}])
        self.pages[name] = context.new_page()
        return self.pages[name]

    def go(self, name: str, address: str) -> Page:
        """Open an address of the site as a person."""
        answer = self.pages[name].goto(address if address.startswith("http") else self.root + address)
        assert answer is not None
        assert answer.status == 200
        return self.pages[name]

    @property
    def season(self) -> Season:
        """The only season there is, as it is stored now."""
        return Season.objects.get()

    def stable(self, owner: str) -> Stable:
        return Stable.objects.select_related("season").get(season=self.season, owner__username=owner, removed_at=None)

    def fixtures(self, number: int) -> tuple[Fixture, Fixture]:
        """The two matches of a round of five: the organiser plays in no other than the first, and in none at a bye."""
        found = Fixture.objects.filter(round__cycle__season=self.season, round__number=number, kind=Fixture.Kind.MATCH)
        matches = found.order_by("number")
        first, second = sorted(matches, key=lambda fixture: "amber" not in self.plays(fixture))
        return first, second

    def plays(self, fixture: Fixture) -> list[str]:
        """Who plays a match, red first: the name under which their page is kept."""
        return [self.name_of(side.stable.owner) for side in sides_of(fixture)]

    def name_of(self, user: User) -> str:
        return "fern" if user.is_guest else user.username


def press(page: Page, name: str) -> None:
    """Press the one button of that name, and wait for the page that answers."""
    follow(page.get_by_role("button", name=name, exact=True))


def reads(page: Page, text: str) -> None:
    expect(page.locator(".messages")).to_contain_text(text)


def signs_up(page: Page, name: str) -> None:
    page.get_by_label("Username:").fill(name)
    page.get_by_label("E-mail address:").fill(f"{name}@example.org")
    page.get_by_label("Password:", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation:").fill(PASSWORD)
    press(page, "Sign up")


def says_who_wins(page: Page, winner: str, tokens: int) -> None:
    """Fill the form in: time was up, and one side is ahead by its target tokens. So everybody can fight again."""
    for side in ("red", "blue"):
        page.locator(f'[name="sides.{side}.tokens"]').fill(str(tokens) if side == winner else "")
        page.locator(f'[name="units.{side}-1.clicks"]').fill("1")
    page.get_by_label("How it ended").select_option("time_limit")
    page.locator("#winner").select_option(winner)


def manage(stable: Stable) -> str:
    return reverse("stables:manage", args=[stable.season.slug, stable.slug])
