"""Take pictures of the main pages of a demo season in a real browser.

python -m tests.tools.tour [--only NAME ...]     write docs/tour/*.png and docs/tour/README.md

A line in PAGES of tour_stops.py adds a page. The command leaves out a page that does not answer 200, and says so. It
starts a site of its own in a temporary VAR_DIR, so it changes nothing but docs/tour, and the pictures of the guide
(`guide_pictures`).
"""

from __future__ import annotations

import argparse
import io
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.chromium import FLAGS, find_chromium
from tests.tools import guide_pictures, slow_play
from tests.tools.tour_stops import LANGUAGES, MOST_HEIGHT, PAGES, SIZES, Stop

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "docs" / "tour"
COLOURS, START_SECONDS, MOST_ADVICE = 64, 60, 40
WORK = """
from jobs.services import run_pending
from matches.services import forecasts
from stables.services.line_ups import forecasts as of_fixtures
from tests.stables.seasons import at_a_table
for each in (forecasts, of_fixtures): each.ask_for_missing()
run_pending()
at_a_table("demo")
"""
"""Does what workers do while nothing else waits, and opens a season whose match is about to be played at a table."""


# The site ------------------------------------------------------------------------------------------------------------


@contextmanager
def site() -> Iterator[tuple[str, str]]:
    """A site with the demo season on a free port; yields its address and the password of the account `demo`."""
    with tempfile.TemporaryDirectory(prefix="tour-") as folder:
        kept = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "SECRET_KEY")}
        environment = {**kept, "VAR_DIR": folder, "DEBUG": "1"}
        manage("migrate --verbosity 0", environment)
        manage("load_catalogue", environment)
        # The demo comes first: it makes none where there is a season already. The other one gives champions.
        answer = manage("demo", environment)
        manage("season --cycles 1 --stables 4 --seed 11", environment)
        manage("challenge_demo --owner demo", environment)
        run_python(["manage.py", "shell", "--command", WORK], environment)
        password = re.search(r"with the password (\S+)", answer)
        if password is None:
            raise SystemExit("The demo printed no password.")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server_command = [sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"]
        log = Path(folder, "server.log")
        with log.open("w") as output:
            server = subprocess.Popen(server_command, cwd=ROOT, env=environment, stdout=output, stderr=output)
            try:
                wait_for(f"http://127.0.0.1:{port}/healthz")
                yield f"http://127.0.0.1:{port}", password[1]
            finally:
                server.terminate()
                server.wait()


def manage(command: str, environment: dict[str, str]) -> str:
    """Run a command of the site; its output."""
    return run_python(["manage.py", *command.split()], environment)


def run_python(arguments: list[str], environment: dict[str, str]) -> str:
    """Run Python on the site's code; its output."""
    ran = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return ran.stdout


def wait_for(address: str) -> None:
    """Wait until the address answers 200."""
    for _ in range(START_SECONDS * 4):
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.25)
    raise SystemExit(f"{address} does not answer.")


# The browser ---------------------------------------------------------------------------------------------------------


def chromium() -> str:
    found = find_chromium()
    if found is None:
        raise SystemExit("The tour needs Chromium.")
    return found


def open_page(browser: Browser, root: str, view: str, password: str = "", is_moving: bool = False) -> Page:
    """A page of the browser in this view, without motion unless it `is_moving`; logged in as `demo` with a password."""
    device, _, trait = view.partition("-")
    width, height = SIZES[device]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if trait == "dark" else "light",
        locale=trait if trait in LANGUAGES else "en",
        reduced_motion="no-preference" if is_moving else "reduce",
    )
    page = context.new_page()
    if password:
        page.goto(f"{root}/people/log-in")
        page.locator("#id_username").fill("demo")
        page.locator("#id_password").fill(password)
        page.locator("main button[type=submit]").click()
    return page


def places(page: Page, root: str) -> dict[str, str]:
    """The addresses that stops name, read from the pages; what is not found is left out."""
    own = first_link(page, f"{root}/seasons/demo-season/", r"^/seasons/[^/]+/stables/[^/]+/$", ".tabs")
    found = {
        "season": "/seasons/demo-season/",
        "organised": "/seasons/open-season/",
        "own": own,
        "match": first_link(page, f"{root}/seasons/demo-season/?cycle=1", r"^/matches/[0-9a-f-]+/$"),
        "fixture": first_link(page, f"{root}/seasons/demo-season/?cycle=1", r"^/seasons/[^/]+/fixtures/\d+/$"),
        "after": after_own_match(page, root),
        "newest": first_link(page, f"{root}/seasons/demo-season/", r"^/matches/[0-9a-f-]+/$"),
        "own_fixture": first_link(page, f"{root}/seasons/club-night/", r"^/seasons/[^/]+/fixtures/\d+/$"),
        "joined": found_stable(page, root),
        "play": begin_match(page, root),
        "advised": follow_advice(page, root),
        "lesson": begin_lesson(page, root),
        "challenge": first_link(page, f"{root}/challenge/", r"^/challenge/(?!open/|go-on/)[^/]+/$"),
        "ended": first_link(page, f"{root}/champions/", r"^/seasons/[^/]+/$"),
    }
    return {name: address for name, address in found.items() if address}


def first_link(page: Page, address: str, pattern: str, within: str = "main") -> str:
    page.goto(address)
    links = page.locator(f"{within} a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    return next((link for link in links if re.search(pattern, link or "")), "")


def after_own_match(page: Page, root: str) -> str:
    """Return the address of the page after a match of the reader's stable; the page of others leads elsewhere."""
    page.goto(f"{root}/seasons/demo-season/?cycle=1")
    links = page.locator("main a[href*='/fixtures/']").evaluate_all("links => links.map(link => link.href + 'after/')")
    return next((each.removeprefix(root) for each in dict.fromkeys(links) if page.goto(each) and page.url == each), "")


def found_stable(page: Page, root: str) -> str:
    """Found a stable in the season that recruits, whose market is open."""
    page.goto(f"{root}/seasons/open-season/")
    if page.locator("#stable-name").count() == 0:
        return ""
    page.locator("#stable-name").fill("Iron Tide")
    page.get_by_role("button", name="Found the stable").click()
    return first_link(page, f"{root}/seasons/open-season/", r"^/seasons/[^/]+/stables/iron-tide/$")


def begin_match(page: Page, root: str) -> str:
    """Begin a friendly match; the address of its page."""
    page.goto(f"{root}/matches/new/")
    page.get_by_role("button", name="Begin").click()
    return page.url.removeprefix(root) if "/matches/" in page.url else ""


def begin_lesson(page: Page, root: str) -> str:
    """Begin the tutorial; the address of its page."""
    page.goto(f"{root}/matches/new/")
    # Only visitors have its button on their first page; any form of ours carries the token.
    with page.expect_navigation():
        page.locator("main form[method=post]").first.evaluate(
            "form => { form.action = '/matches/tutorial/'; form.submit() }"
        )
    return page.url.removeprefix(root) if "/matches/" in page.url else ""


def follow_advice(page: Page, root: str) -> str:
    """Play another match by advice until that is to shoot; the address of its page, empty if it never is."""
    begun = begin_match(page, root)
    for _ in range(MOST_ADVICE):
        version = page.locator("#play").get_attribute("data-version")
        page.get_by_role("button", name="What would a good player do here?").click()
        page.locator("#advice a[data-step]").first.wait_for()
        sentence = page.locator("#advice p").first.inner_text()
        if "ranged combat" in sentence:
            return begun
        page.locator("#advice a[data-step]").first.click()
        page.locator("#commit").click()
        page.locator(f"#play:not([data-version='{version}'])").wait_for()
        if page.locator("#play[data-over]").count():
            break
    return ""


def take(page: Page, address: str, stop: Stop, device: str) -> bytes | None:
    """The picture of a stop's page, small; None unless it answers 200 and shows what the stop is about."""
    answer = page.goto(address)
    if answer is None or answer.status != 200:
        return None
    if stop.focus:
        found = page.locator(stop.focus)
        if found.count() == 0:
            return None
        found.first.evaluate("element => element.scrollIntoView({block: 'center'})")
    page.wait_for_timeout(250)
    width, _ = SIZES[device]
    if "#" in address or stop.focus or device not in MOST_HEIGHT:
        taken = page.screenshot()
    else:
        height = min(MOST_HEIGHT[device], int(page.evaluate("document.documentElement.scrollHeight")))
        taken = page.screenshot(full_page=True, clip={"x": 0, "y": 0, "width": width, "height": height})
    small = io.BytesIO()
    picture = Image.open(io.BytesIO(taken)).convert("RGB")
    # By coverage: the few colours of a small drawing count as much as those of the ground.
    few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    few.save(small, "PNG", optimize=True)
    return small.getvalue()


# The tour ------------------------------------------------------------------------------------------------------------


def tour(only: list[str]) -> int:
    """Take every picture and write the captions; returns how many bytes the pictures have."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    shown: list[tuple[Stop, list[str]]] = []
    with site() as (root, password), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        known = places(open_page(browser, root, "desk", password), root)
        pages: dict[tuple[str, bool], Page] = {}
        for stop in PAGES:
            files = []
            for view in stop.views:
                name = f"{stop.name}-{view}.png"
                if only and stop.name not in only:
                    files += [name] if (FOLDER / name).exists() else []
                    continue
                try:
                    address = root + stop.address.format(**known)
                except KeyError:
                    print(f"{stop.name}: nothing to show", file=sys.stderr)
                    break
                key = (view, stop.is_logged_in)
                if key not in pages:
                    pages[key] = open_page(browser, root, view, password if stop.is_logged_in else "")
                picture = take(pages[key], address, stop, view.partition("-")[0])
                if picture is None:
                    print(f"{stop.name}: {stop.address} does not answer", file=sys.stderr)
                    break
                (FOLDER / name).write_bytes(picture)
                files.append(name)
            if files:
                shown.append((stop, files))
        if not only:
            for is_moving in (False, True):
                slow = open_page(browser, root, "phone", password, is_moving)
                print("With motion:" if is_moving else "Without motion:")
                print(slow_play.said(slow_play.measure(slow, root + begin_match(slow, root))))
        browser.close()
    kept = {name for _, files in shown for name in files}
    for path in FOLDER.glob("*.png"):
        if path.name not in kept:
            path.unlink()
    (FOLDER / "README.md").write_text(captions(shown))
    guide_pictures.write()
    return sum(path.stat().st_size for path in FOLDER.glob("*.png"))


def captions(shown: list[tuple[Stop, list[str]]]) -> str:
    """docs/tour/README.md."""
    lines = [
        "# A tour of the pages",
        "",
        "Taken by `make tour` from a demo season; the list of stops is in `tests/tools/tour_stops.py`.",
    ]
    for stop, files in shown:
        views = [name.removeprefix(f"{stop.name}-").removesuffix(".png") for name in files]
        others = [f"[{said(view)}]({name})" for view, name in zip(views[1:], files[1:], strict=True)]
        title = stop.name.replace("-", " ").capitalize()
        lines += ["", f"## {title}", "", stop.caption + (f" Also: {', '.join(others)}." if others else ""), ""]
        lines.append(f"![{stop.caption}]({files[0]})")
    return "\n".join(lines) + "\n"


def said(view: str) -> str:
    """A view in words."""
    device, _, trait = view.partition("-")
    device = {"desk": "wide"}.get(device, device)
    return f"{device}, {LANGUAGES.get(trait, trait)}" if trait else device


def main() -> int:
    parser = argparse.ArgumentParser(description="Take the pictures of docs/tour.")
    parser.add_argument("--only", nargs="*", default=[], help="stops to take again, by name (default: all)")
    size = tour(parser.parse_args().only)
    print(f"docs/tour: {size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
