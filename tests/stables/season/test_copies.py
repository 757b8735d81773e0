"""A season's settings begin a draft, and until somebody joins its name and its class may change."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from people.models import Notice
from stables.models import LogEntry, Season
from stables.services.base.ledger import refold
from stables.services.season import drafts, invitations, opening, seasons
from stables.text.log import log_sentence
from stables.text.names import CLASSES
from tests.stables.conftest import open_with
from tests.stables.running.test_hand_on_stables import code_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def organiser(db: None) -> Any:
    return get_user_model().objects.create_user("organiser", "organiser@example.org", "-")


@pytest.fixture
def draft(release: Any, organiser: Any) -> Season:
    opened = opening.open_for_people(
        name="Winter", ai_stables=2, organiser=organiser, weight_class="light", ai_bot="random", is_draft=True
    )
    return Season.objects.get(pk=opened.season_id)


@pytest.mark.parametrize("state", ["draft", "recruiting", "running", "finished", "cancelled"])
def test_any_season_begins_a_draft_with_its_settings(draft: Season, organiser: Any, state: str) -> None:
    settings = {"state": state, "pending_settings": {"absence_pays": 7}, "visibility": "unlisted", "language": "pl"}
    Season.objects.filter(pk=draft.pk).update(calendar={"preset": "weekly", "ends_on": "2030-01-01"}, **settings)
    made = drafts.copy_season(season_id=draft.pk, organiser=organiser)
    copy = Season.objects.get(pk=made.season_id)
    assert (copy.state, copy.name, copy.visibility, copy.language) == ("draft", "Winter 2", "unlisted", "pl")
    assert copy.settings == {**draft.settings, "absence_pays": 7}
    assert (copy.calendar["preset"], copy.calendar["ends_on"]) == ("weekly", "")
    assert list(copy.stables.values_list("name", "bot")) == list(draft.stables.values_list("name", "bot"))
    assert copy.secret != draft.secret
    draft.refresh_from_db()
    assert draft.state == state


def test_people_and_what_they_have_stay_behind(release: Any, organiser: Any) -> None:
    season = open_with(release, ["Machines"])
    seasons.found_stable(season_id=season.pk, name="Own Works", owner=organiser)
    made = drafts.copy_season(season_id=season.pk, organiser=organiser, name="Spring")
    copy = Season.objects.get(pk=made.season_id)
    assert (copy.name, [each.name for each in copy.stables.all()]) == ("Spring", ["Machines"])
    assert copy.log.get(code="season_copied").parameters == {"before": season.name}
    assert not Notice.objects.exists()


def test_a_season_is_renamed_until_it_begins_and_keeps_its_address(draft: Season, organiser: Any) -> None:
    opening.publish_season(season_id=draft.pk)
    invitations.found_by_person(season_id=draft.pk, name="Own Works", owner=organiser)
    assert drafts.rename_season(season_id=draft.pk, name="  Winter   Cup ") == "Winter Cup"
    draft.refresh_from_db()
    assert (draft.name, draft.slug) == ("Winter Cup", "winter")
    assert LogEntry.objects.get(code="season_renamed").parameters == {"before": "Winter", "after": "Winter Cup"}
    assert Notice.objects.get().code == "season_renamed"
    for name, code in (
        ("Winter Cup", "name_unchanged"),
        (" ", "season_name_missing"),
        ("x" * 81, "season_name_missing"),
    ):
        assert code_of(drafts.rename_season, season_id=draft.pk, name=name) == code


def test_the_class_changes_while_nobody_has_joined(draft: Season, organiser: Any) -> None:
    drafts.change_class(season_id=draft.pk, weight_class="assault", actor=organiser)
    draft = Season.objects.get(pk=draft.pk)
    assert (draft.state, draft.rules.weight_class, draft.cycles.get().match_class) == ("draft", "assault", "assault")
    assert [(each.number, each.bot, each.capital) for each in draft.stables.all()] == [
        (1, "random", draft.rules.capital), (2, "random", draft.rules.capital),
    ]  # fmt: skip
    assert refold(season_id=draft.pk) == []
    drafts.change_class(season_id=draft.pk, weight_class="multi")
    order = ", ".join(str(CLASSES[key]) for key in Season.objects.get(pk=draft.pk).rules.multi_class_order)
    entries = LogEntry.objects.filter(code="season_class_changed").order_by("id")
    changed = "The class of the season was changed before anybody joined"
    assert [log_sentence(each.code, each.parameters) for each in entries] == [
        f"{changed}, from Featherweight (light) to Heavyweight (assault).",
        f"{changed}, from Heavyweight (assault) to {order}.",
    ]
    # Lines of earlier versions have only the new one.
    assert log_sentence("season_class_changed", {"class": "multi"}) == f"{changed}: all classes in turn."
    draft = Season.objects.get(pk=draft.pk)
    assert draft.cycles.get().match_class == draft.rules.multi_class_order[0]
    assert code_of(drafts.change_class, season_id=draft.pk, weight_class="tiny") == "setting_out_of_range"


def test_the_class_stays_once_a_person_has_joined(draft: Season, organiser: Any) -> None:
    opening.publish_season(season_id=draft.pk)
    invitations.found_by_person(season_id=draft.pk, name="Own Works", owner=organiser)
    assert code_of(drafts.change_class, season_id=draft.pk, weight_class="heavy") == "setting_fixed"
    assert Season.objects.get(pk=draft.pk).rules.weight_class == "light"


def test_the_same_class_changes_nothing(draft: Season) -> None:
    before = list(draft.stables.values_list("pk", flat=True))
    assert code_of(drafts.change_class, season_id=draft.pk, weight_class="light") == "settings_unchanged"
    assert list(draft.stables.values_list("pk", flat=True)) == before
