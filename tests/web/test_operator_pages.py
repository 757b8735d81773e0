"""The operator's own pages: shown and linked where the files are there, in the reader's language, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import Warning, run_checks
from django.test import Client

from tests.markup import closed_up
from web import operator_pages
from web.bounds import LARGEST_OPERATOR_PAGE


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Iterator[Path]:
    made = tmp_path / "pages"
    made.mkdir()
    settings.OPERATOR_PAGES = str(made)
    settings.ALLOWED_HOSTS = ["testserver", "circuit.example"]
    yield made
    operator_pages._rendered.cache_clear()


def shown(address: str) -> str:
    answer = Client().get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def warnings() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in run_checks(include_deployment_checks=True):
        if isinstance(each, Warning) and str(each.id).startswith("help."):
            found.setdefault(str(each.id), []).append(each.msg)
    return found


def test_only_pages_that_are_there_are_shown_and_linked(folder: Path) -> None:
    (folder / "imprint.md").write_text("**The Club**, Street 1")
    text = shown("/help/imprint/")
    assert "<strong>The Club</strong>, Street 1" in text
    assert 'href="/help/imprint/"' in shown("/help/")
    for absent in ("privacy", "contact"):
        assert Client().get(f"/help/{absent}/").status_code == 404
        assert f'href="/help/{absent}/"' not in text


def test_without_a_folder_there_is_no_page_and_no_link(settings: Any) -> None:
    settings.OPERATOR_PAGES = ""
    assert "/help/imprint/" not in shown("/help/")
    assert Client().get("/help/imprint/").status_code == 404
    settings.OPERATOR_PAGES = "/nowhere/at/all"
    assert Client().get("/help/imprint/").status_code == 404


def test_html_stays_text_and_headings_move_down(folder: Path) -> None:
    (folder / "privacy.md").write_text("# Logs\n\n<script>alert(1)</script> [x](javascript:alert(1))")
    text = shown("/help/privacy/")
    assert "<h2>Logs</h2>" in text
    assert "<script>alert" not in text
    assert 'href="javascript' not in text


def test_the_readers_language_comes_first_and_others_are_offered(folder: Path) -> None:
    (folder / "imprint.md").write_text("The Club")
    (folder / "imprint.de.md").write_text("Der Verein")
    (folder / "imprint.pl.md").write_text("Klub")
    assert "The Club" in shown("/help/imprint/")
    german = closed_up(shown("/help/imprint/?language=de"))
    assert "Der Verein" in german
    assert '<div lang="de"' in german
    assert 'href="?language=pl"' in german
    assert 'href="?language="' in german
    assert "Der Verein" in shown("/help/imprint/?language=de-AT")
    assert "The Club" in shown("/help/imprint/?language=../../etc/passwd")
    (folder / "imprint.md").unlink()
    assert "Der Verein" in shown("/help/imprint/"), "better in another language than not at all"


def test_a_changed_file_is_read_again_and_an_unchanged_one_is_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / "contact.md"
    file.write_text("Write to us")
    read = []
    real = operator_pages.rendered
    monkeypatch.setattr(operator_pages, "rendered", lambda text: read.append(text) or real(text))
    assert "Write to us" in shown("/help/contact/")
    assert "Write to us" in shown("/help/contact/")
    assert read == ["Write to us"]
    file.write_text("Call us instead")
    assert "Call us instead" in shown("/help/contact/")


def test_what_cannot_be_shown_counts_as_absent_and_the_check_says_why(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("a secret")
    (folder / "imprint.md").symlink_to(secret)
    (folder / "privacy.md").write_bytes(b"\xff\xfeno utf-8")
    (folder / "contact.md").write_bytes(b"x" * (LARGEST_OPERATOR_PAGE + 1))
    (folder / "imprint.de.md").mkdir()
    os.mkfifo(folder / "privacy.de.md")
    for name in operator_pages.NAMES:
        assert Client().get(f"/help/{name}/").status_code == 404, name
    assert operator_pages.listed() == ()
    assert sorted(operator_pages.problems()) == [
        f"contact.md has more than {LARGEST_OPERATOR_PAGE} bytes.",
        "imprint.de.md is no file.",
        "imprint.md leads out of the folder.",
        "privacy.de.md is no file.",
        "privacy.md is not UTF-8.",
    ]
    assert len(warnings()["help.W002"]) == 5
    assert warnings()["help.W001"][0].startswith("This site has no page of its operator: imprint, privacy, contact.")


def test_a_link_inside_the_folder_is_followed(folder: Path) -> None:
    """Containers mount folders of settings that way."""
    (folder / "..data").mkdir()
    (folder / "..data" / "imprint.md").write_text("The Club")
    (folder / "imprint.md").symlink_to(Path("..data") / "imprint.md")
    assert "The Club" in shown("/help/imprint/")


def test_a_public_site_is_warned_and_one_on_this_machine_is_not(folder: Path, settings: Any) -> None:
    (folder / "imprint.md").write_text("x")
    assert "privacy, contact" in warnings()["help.W001"][0]
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    assert warnings() == {}
    settings.ALLOWED_HOSTS = ["circuit.example"]
    for name in ("privacy", "contact"):
        (folder / f"{name}.md").write_text("x")
    assert warnings() == {}
    settings.OPERATOR_PAGES = str(folder / "nowhere")
    assert warnings()["help.W002"] == [f"A page of the operator is not shown: {folder / 'nowhere'} is no folder."]


def test_files_of_other_names_are_never_shown(folder: Path) -> None:
    for name in ("terms.md", "imprint.txt", "imprint.DE.md", "imprint..md", ".imprint.md"):
        (folder / name).write_text("x")
    assert operator_pages.listed() == ()
    assert Client().get("/help/terms/").status_code == 404
