"""The catalogues fit the texts of the source, in each room that languages.toml lists; and the tool that looks does."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import polib
import pytest

from tests.architecture.codes_in_source import ROOT
from tests.architecture.imports import ROOMS
from tests.tools.languages import catalogues, main, progress, table, unfit
from tests.tools.messages_in_source import Text, marked, texts
from web.languages import offer

POLISH = (
    "nplurals=4; plural=(n==1 ? 0 : (n%10>=2 && n%10<=4) && (n%100<12 || n%100>14) ? 1 : n!=1 && (n%10>=0 && n%10<=1)"
    " || (n%10>=5 && n%10<=9) || (n%100>=12 && n%100<=14) ? 2 : 3);"
)


def catalogue(*entries: polib.POEntry, forms: str = POLISH) -> polib.POFile:
    made = polib.POFile()
    made.metadata = {"Plural-Forms": forms}
    made.extend(entries)
    return made


def entry(msgid: str, msgstr: str = "", file: str = "people/forms.py", **facts: object) -> polib.POEntry:
    return polib.POEntry(msgid=msgid, msgstr=msgstr, occurrences=[(file, "1")], **facts)


def test_every_translation_fits() -> None:
    assert [problem for each in catalogues().values() for problem in unfit(each)] == []


def test_a_word_of_a_table_keeps_its_context() -> None:
    """`gettext` forgets what a mark in the table says of a word with two meanings; `translate` does not."""
    asked = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in sorted(ROOT.glob("*/**/*.py"))
        if path.relative_to(ROOT).parts[0] not in (".venv", "tests", "var")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in ("_", "gettext", "gettext_lazy")
        and isinstance(call.args[0], ast.Subscript | ast.Call)
    ]
    assert asked == []


def test_every_listed_room_is_a_room_and_every_language_says_who_it_is() -> None:
    with offer.PATH.open("rb") as file:
        listed = tomllib.load(file)
    for code, facts in listed.items():
        assert set(facts) == {"name", "not_yet", "rooms"}
        assert facts["name"]
        assert facts["not_yet"]
        assert set(facts["rooms"]) <= {offer.room_of_module(room) for room in ROOMS}
        assert len(code) <= offer.LONGEST_CODE


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('_("Save")', [("", "Save", "")]),
        ('say("Wait " "here", {})', [("", "Wait here", "")]),
        ('ngettext("{n} click", "{n} clicks", n)', [("", "{n} click", "{n} clicks")]),
        ('x = pgettext_noop("order", "assault")', [("order", "assault", "")]),
        ("f\"{_('alone')}\"", [("", "alone", "")]),
        ('translation.npgettext("a", "b", "c", n)', [("a", "b", "c")]),
        ("gettext(name)", []),
        ('print("Save")', []),
    ],
)
def test_texts_of_modules_are_found(source: str, found: list[tuple[str, str, str]]) -> None:
    assert list(marked(source, is_template=False)) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>{% translate 'It’s \"here\"' %}</p>", [("", "It’s \"here\"", "")]),
        ('{% translate "may" context "month" %}', [("month", "may", "")]),
        (
            "{% blocktranslate trimmed %}\n  One\n  line {{ name }}\n{% endblocktranslate %}",
            [("", "One line %(name)s", "")],
        ),
        (
            "{% blocktranslate count n=all %}{{ n }} click{% plural %}{{ n }} clicks{% endblocktranslate %}",
            [("", "%(n)s click", "%(n)s clicks")],
        ),
        ('{% include "x.html" with title=_("Rules") %} gettext("no tag")', [("", "Rules", "")]),
    ],
)  # fmt: skip
def test_texts_of_templates_are_found(source: str, found: list[tuple[str, str, str]]) -> None:
    assert list(marked(source, is_template=True)) == found


def test_texts_belong_to_the_rooms_of_their_files(tmp_path: Path) -> None:
    for path, source in {
        "people/forms.py": '_("Language")',
        "stables/forms/webhook.py": '_("Language")',
        "templates/people/mail.txt": '{% translate "Hello" %}',
        "templates/registration/login.html": '{% translate "Log in" %}',
        "templates/components/footer.html": '{% translate "Glossary" %}',
        "templates/base.html": '{% translate "Skip" %}',
        "solaris_site/views.py": '_("Gone")',
        "tests/people/test_forms.py": '_("No text for people")',
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(source, encoding="utf-8")
    assert {key[1]: text.rooms for key, text in texts(tmp_path).items()} == {
        "Language": {"people", "stables"},
        "Hello": {"people"},
        "Log in": {"people"},
        "Glossary": {"web"},
        "Skip": {"web"},
        "Gone": {"web"},
    }


SOURCE = {
    ("", "Save"): Text(files={"people/forms.py"}),
    ("", "Log in"): Text(files={"people/views/accounts.py"}),
    ("order", "assault"): Text(files={"rules/wording/orders.py"}),
    ("", "{n} click"): Text("{n} clicks", {"rules/wording/clicks.py"}),
}


def test_a_finished_room_lacks_nothing_guesses_nothing_and_keeps_nothing_old() -> None:
    found = progress(
        catalogue(entry("Save", "Zapisz?", flags=["fuzzy"]), entry("Sing", "Śpiewaj"), entry("Old", "Stare", "x/y.py")),
        SOURCE,
    )
    assert found.problems(frozenset({"people"})) == [
        "people: missing: Log in",
        "people: fuzzy: Save",
        "people: obsolete: Sing",
    ]
    assert found.problems(frozenset()) == []
    assert found.rooms["people"].words == 3
    assert len(found.rooms["rules"].missing) == 2


def test_a_complete_room_has_no_problem() -> None:
    complete = catalogue(
        entry("assault", "natarcie", "rules/wording/orders.py", msgctxt="order"),
        entry(
            "{n} click",
            file="rules/wording/clicks.py",
            msgid_plural="{n} clicks",
            msgstr_plural={0: "{n} klik", 1: "{n} kliki", 2: "{n} klików", 3: "{n} kliku"},
        ),
    )
    assert progress(complete, SOURCE).problems(frozenset({"rules"})) == []


def test_a_word_with_another_context_and_a_text_without_its_plural_are_missing() -> None:
    found = progress(
        catalogue(
            entry("assault", "szturmowa", "rules/wording/orders.py", msgctxt="class"),
            entry("{n} click", "{n} klik", "rules/wording/clicks.py"),
        ),
        SOURCE,
    )
    missing = ["rules: missing: assault", "rules: missing: {n} click", "rules: obsolete: assault"]
    assert found.problems(frozenset({"rules"})) == missing


def test_a_room_that_is_not_there_cannot_be_finished() -> None:
    assert progress(catalogue(), SOURCE).problems(frozenset({"cellar"})) == ["cellar: no room has this name"]


def test_what_gettext_put_aside_is_obsolete_in_an_offered_language() -> None:
    found = progress(catalogue(entry("Sing", "Śpiewaj", obsolete=True)), {})
    found.rooms["people"] = progress(catalogue(), SOURCE).rooms["rules"]
    assert "at the end: obsolete: Sing" in found.problems(frozenset({"people"}))
    assert found.problems(frozenset()) == []


FORMS = {"msgid_plural": "{n} clicks of {unit}"}


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (entry("Hello {name}", "Cześć"), "without {name}"),
        (entry("Hello {name}", "Cześć {nmae}"), "without {name}"),
        (entry("Hello", "Cześć {name}"), "nobody fills in {name}"),
        (entry("%(n)s left", "%(n)d zostało"), "without %(n)s"),
        (entry("%s of %s", "%s", flags=["python-format"]), "without %s (2)"),
        (entry("Hello\n", "Cześć"), "begins or ends another line"),
        (entry("{n} click", **FORMS, msgstr_plural={0: "{n} a", 1: "{n} b {unit}", 2: ""}), "no form 2 for several"),
        (
            entry("{n} click", **FORMS, msgstr_plural={0: "a {n}", 1: "{n} b", 2: "{n} c {unit}"}),
            "without {unit}",
        ),
        (
            entry("{n} click", **FORMS, msgstr_plural={0: "a {x}", 1: "{n} b {unit}", 2: "{n} c {unit}"}),
            "nobody fills in {x}",
        ),
    ],
)  # fmt: skip
def test_a_translation_that_does_not_fit_is_found_in_any_room(wrong: polib.POEntry, problem: str) -> None:
    found = progress(catalogue(wrong), {}).problems(frozenset())
    assert any(f": {problem}: {wrong.msgid[:5]}" in line for line in found), found


@pytest.mark.parametrize(
    "right",
    [
        entry("Hello {name}", "{name}, cześć"),
        entry("Hello {name}", "Cześć", flags=["fuzzy"]),
        entry("Hello {name}", ""),
        entry("50% of {n}", "50% z {n}"),
        entry(
            "one click of {unit}",
            msgid_plural="{n} clicks of {unit}",
            msgstr_plural={0: "jeden klik {unit}", 1: "{n} kliki {unit}", 2: "{n} klików {unit}"},
        ),
    ],
)  # fmt: skip
def test_a_translation_that_fits_is_left_alone(right: polib.POEntry) -> None:
    assert unfit(catalogue(right)) == []


@pytest.mark.parametrize("forms", ["", "nplurals=2;", "nplurals=1; plural=(n != 1);", "nplurals=2; plural=n/0;"])
def test_a_header_without_forms_for_every_number_is_found(forms: str) -> None:
    [problem] = unfit(catalogue(forms=forms))
    assert "Plural-Forms" in problem


def test_the_tool_prints_a_table_and_fails_on_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    english = offer.Language("en", "English", "", None)
    unfinished = {
        code: offer.Language(code, name, "", frozenset()) for code, name in (("pl", "polski"), ("de", "Deutsch"))
    }
    monkeypatch.setattr(offer, "known", lambda: {"en": english, **unfinished})
    monkeypatch.setattr("tests.tools.languages.texts", lambda: SOURCE)
    monkeypatch.setattr(
        "tests.tools.languages.catalogues", lambda: {"pl": catalogue(entry("Save", "Zapisz")), "de": catalogue()}
    )
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["texts", "missing", "fuzzy", "words"]
    assert "  people             2        1      0       2" in lines
    polish = offer.Language("pl", "polski", "", frozenset({"people"}))
    monkeypatch.setattr(offer, "known", lambda: {"en": english, "pl": polish})
    monkeypatch.setattr("tests.tools.languages.catalogues", lambda: {"pl": catalogue(entry("Save", "Zapisz"))})
    assert main(["--check"]) == 1
    assert capsys.readouterr().out.splitlines() == ["pl: people: missing: Log in"]
    listed = [line for line in table({"pl": progress(catalogue(), SOURCE)}) if line.endswith("listed")]
    assert [line.split()[0] for line in listed] == ["people"]
