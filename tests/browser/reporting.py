"""The form of a result at a table, filled in."""

from __future__ import annotations

from playwright.sync_api import Page


def says_who_wins(page: Page, winner: str, tokens: int | None = None) -> None:
    """Fill the form in, whatever it was filled in with: one unit eliminates the other and takes two clicks.

    `tokens` is the reputation for target tokens of the winner; None leaves the fields as they are.
    """
    loser = "blue" if winner == "red" else "red"
    for side, clicks, kills in ((winner, "2", "1"), (loser, "", "")):
        page.locator(f'[name="units.{side}-1.clicks"]').fill(clicks)
        page.locator(f'[name="units.{side}-1.kills"]').fill(kills)
        page.locator(f'[name="units.{side}-1.eliminated"]').set_checked(side == loser)
        page.locator(f'[name="sides.{side}.eliminations"]').fill("")
        if tokens is not None:
            page.locator(f'[name="sides.{side}.tokens"]').fill(str(tokens) if side == winner else "")
    page.locator("#winner").select_option(winner)
