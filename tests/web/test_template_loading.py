"""Templates lose the indents of their source on the way to a page, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Engine

LOADER = "web.template_loading.Loader"


@pytest.mark.parametrize(
    ("name", "sent"),
    [("page.html", "<p>\n<b>one</b>\ntwo words\n</p>\n"), ("mail.txt", "<p>\n    <b>one</b>\n\n  two words\n</p>\n")],
)
def test_a_page_is_sent_without_indents_and_a_mail_as_it_stands(tmp_path: Path, name: str, sent: str) -> None:
    (tmp_path / name).write_text("<p>\n    <b>one</b>\n\n  two words\n</p>\n")
    engine: Any = Engine(dirs=[tmp_path], loaders=[LOADER])
    assert engine.get_template(name).render(Context()) == sent
