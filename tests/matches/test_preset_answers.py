"""What is answered without asking: the only possibility, and what a player left standing; who sees it, refusals."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from matches.forms import StandingForm
from matches.models import Match, MatchAction, StandingAnswers
from matches.selectors.matches import rebuild
from matches.services.answering import Seat
from matches.services.matches import answer_with_bots, reseat
from people.models import User
from rules.bots.preset_answers import only_action, preset_action, read_answers, standing_after
from rules.competition.forecast import forecast
from rules.core.refusals import Malformed
from tests.matches.playing import match_at

pytestmark = [pytest.mark.django_db, pytest.mark.database]

Cause = MatchAction.Cause


def at(kind: str, player: User) -> Match:
    return match_at(kind, lambda side: Seat(side, player.pk))


def said(match: Match, answers: dict[str, Any]) -> dict[str, Any] | None:
    return preset_action(rebuild(match), read_answers(answers))


def chosen(match: Match, answers: dict[str, Any]) -> dict[str, Any]:
    """What stands to be answered, without the unit's name; it is legal."""
    found = said(match, answers)
    assert found is not None
    assert rebuild(match).check(found) == []
    return {key: value for key, value in found.items() if key != "unit"}


def test_reactions_go_by_the_first_line_that_fits(player: User) -> None:
    match = at("react", player)
    assert said(match, {}) is None
    assert said(match, {"react": {"dodge": 100}}) is None
    assert chosen(match, {"react": {"dodge": 100, "otherwise": "none"}})["react"] == "none"
    assert chosen(match, {"react": {"leave": 100, "dodge": 0}})["react"] == "none"
    assert chosen(match, {"react": {"dodge": 0, "defend": 0}})["react"] == "dodge"
    assert chosen(match, {"react": {"defend": 0}})["react"] == "defend"
    options = {action["react"] for action in rebuild(match).legal_actions()}
    assert chosen(match, {"react": {"dig_in": True, "dodge": 0}})["react"] == (
        "dig_in" if "dig_in" in options else "dodge"
    )


def test_the_line_between_dodging_and_not_is_the_forecast_chance(player: User) -> None:
    match = at("react", player)
    engine = rebuild(match)
    dodging = next(each for each in engine.legal_actions() if each["react"] == "dodge" and not each.get("cancel"))
    seen = forecast(engine, dodging)
    assert seen is not None
    misses = 100 * (1 - next(each.chance for each in seen.targets if each.target == dodging["unit"]))
    assert chosen(match, {"react": {"dodge": int(misses)}})["react"] == "dodge"
    assert said(match, {"react": {"dodge": int(misses) + 1}}) is None


def test_cards_items_and_corners_have_standing_answers(player: User) -> None:
    match = at("corner", player)
    engine = rebuild(match)
    assert said(match, {"corner": "near"}) in engine.legal_actions()
    here = next(unit["hex"] for unit in engine.snapshot()["units"].values() if unit["side"] == engine.decision.side)
    lattice = engine.table.roster.lattice
    corners = [action["hex"] for action in engine.legal_actions()]
    away = {corner: lattice.distance(lattice.index(here), lattice.index(corner)) for corner in corners}
    assert away[chosen(match, {"corner": "near"})["hex"]] == min(away.values())
    assert said(at("token", player), {"corner": "near"}) is None
    source = at("source", player)
    before = rebuild(source)
    kept = chosen(source, {"source": "keep"})
    before.play(said(source, {"source": "keep"}) or {})
    assert not [event for event in before.events[-1] if event["event"].endswith("_chosen")], kept


def test_r_ral_03_a_card_is_asked_about_while_it_is_useful(player: User, monkeypatch: pytest.MonkeyPatch) -> None:
    match = at("rally", player)
    for helps in (True, False):
        monkeypatch.setattr("rules.bots.preset_answers.helps_now", lambda *about, helps=helps: helps)
        found = said(match, {"rally": "useful"})
        assert (found is None) == helps
        assert helps or (found or {})["card"] is None


@pytest.mark.parametrize(
    ("key", "given"),
    [
        ("react", {"react": "none"}), ("react", {"react": "dodge"}), ("revive", {"attempt": True}),
        ("revive", {"attempt": False}), ("restart", {"attempt": True}), ("rally", {"card": None}),
        ("cancel", {"keys": []}),
    ],
)  # fmt: skip
def test_an_answer_that_is_to_stand_is_given_again(player: User, key: str, given: dict[str, Any]) -> None:
    match = at(key, player)
    answers = standing_after(key, given, {"spin": "keep"})
    assert answers["spin"] == "keep"
    assert chosen(match, dict(answers)).items() >= given.items()


def test_what_cannot_stand_changes_no_answers() -> None:
    assert standing_after("move", {"order": "pass"}, {"spin": "keep"}) == {"spin": "keep"}


def test_free_spins_turn_to_those_who_came_or_not_at_all(player: User) -> None:
    match = at("free_spin", player)
    assert chosen(match, {"spin": "keep"}) == {"choose": "free_spin", "facing": None}
    assert chosen(match, {"spin": "attacker"})["choose"] == "free_spin"
    # What an own card gives is never left to a standing answer.
    assert said(at("spin", player), {"spin": "keep"}) is None


@pytest.mark.parametrize("kind", ["revive", "restart"])
def test_attempts_go_by_their_chance(player: User, kind: str) -> None:
    match = at(kind, player)
    assert chosen(match, {kind: 0}) == {"choose": kind, "attempt": True}
    assert chosen(match, {kind: 100}) == {"choose": kind, "attempt": False}
    assert chosen(match, {kind: "never"}) == {"choose": kind, "attempt": False}


def test_a_hand_and_equipment_can_be_kept_without_being_asked(player: User) -> None:
    assert chosen(at("rally", player), {"rally": "never"}) == {"choose": "rally", "card": None}
    assert chosen(at("cancel", player), {"cancel": "keep"}) == {"choose": "cancel", "keys": []}


@pytest.mark.parametrize(
    "answers",
    [
        [], {"dodge": 60}, {"react": 60}, {"react": {"dodge": 101}}, {"react": {"dodge": True}}, {"react": {"x": 1}},
        {"react": {"dig_in": 1}}, {"react": {"otherwise": "ask"}}, {"spin": "left"}, {"rally": "always"},
        {"revive": "always"}, {"revive": -1}, {"restart": 1.5}, {"cancel": None},
    ],
)  # fmt: skip
def test_malformed_answers_are_refused(answers: Any) -> None:
    with pytest.raises(Malformed) as refused:
        read_answers(answers)
    assert refused.value.code == "bad_standing_answer"


@pytest.mark.parametrize(("field", "place"), [("dodge", "react.dodge"), ("revive", "revive")])
def test_the_form_names_the_place_of_a_wrong_answer_as_the_document_does(field: str, place: str) -> None:
    with pytest.raises(Malformed) as refused:
        StandingForm({field: "101"}).answers()
    assert (refused.value.code, refused.value.parameters["field"]) == ("bad_standing_answer", place)


def test_a_standing_answer_is_read_when_the_decision_comes_up_and_marked(player: User) -> None:
    match = at("revive", player)
    decision = rebuild(match).decision
    assert decision is not None
    seat = match.seats.get(side=decision.side)
    answer_with_bots(match.pk)
    match.refresh_from_db()
    before = match.last_sequence
    StandingAnswers.objects.create(seat=seat, unit=decision.unit, answers={"revive": 0})
    answer_with_bots(match.pk)
    step = match.actions.get(sequence=before + 1)
    assert (step.cause, step.action) == (Cause.STANDING, {"unit": decision.unit, "choose": "revive", "attempt": True})


@pytest.mark.parametrize("kind", ["combat", "move", "special"])
def test_what_has_one_answer_is_answered_and_marked_also_a_pass(
    player: User, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = at(kind, player)
    table = rebuild(match).table
    assert table.open is not None
    asked, unit, _ = table.open
    only = asked.default(*[table, *table.open[1:]])
    before = match.last_sequence
    for name in ("options", "sample"):
        plain = getattr(type(asked), name)

        def poor(self: Any, where: Any, who: int, *rest: Any, plain: Any = plain, name: str = name) -> Any:
            """As the rules have it, but for this unit in this very moment."""
            if who != unit or where.position.to_json() != table.position.to_json():
                return plain(self, where, who, *rest)
            return [only] if name == "options" else only

        monkeypatch.setattr(type(asked), name, poor)
    answer_with_bots(match.pk)
    step = match.actions.get(sequence=before + 1)
    assert (step.cause, step.action["order"]) == (Cause.ONLY, "pass")


def test_several_answers_are_never_only_one(player: User) -> None:
    for kind in ("combat", "react", "free_spin", "move", "special"):
        assert only_action(rebuild(at(kind, player))) is None


# --- the page ---------------------------------------------------------------------------------------------------------


def page(match: Match) -> str:
    return reverse("matches:standing", args=[match.public_id])


def test_the_page_keeps_the_answers_of_ones_own_units_and_shows_them_to_nobody_else(
    waiting: Match, player: User, rival: User, client: Client
) -> None:
    client.force_login(player)
    sent = {"unit": "red-1", "dodge": "61", "otherwise": "none", "dig_in": "yes", "spin": "attacker", "revive": "50"}
    unit = next(side["units"][0]["id"] for side in waiting.setup["sides"] if side["id"] == "red")
    assert client.post(page(waiting), {**sent, "unit": unit}).status_code == 302
    kept = StandingAnswers.objects.get()
    assert (kept.seat.side, kept.unit) == ("red", unit)
    assert kept.answers == {
        "react": {"dodge": 61, "otherwise": "none", "dig_in": True}, "spin": "attacker", "revive": 50,
    }  # fmt: skip
    shown = client.get(page(waiting)).content.decode()
    assert 'value="61"' in shown
    assert 'value="attacker" selected' in shown
    client.force_login(rival)
    play = reverse("matches:play", args=[waiting.public_id])
    for address in (page(waiting), play, f"{waiting.get_absolute_url()}actions/", waiting.get_absolute_url()):
        shown = client.get(address).content.decode()
        assert "attacker&quot;" not in shown
        assert 'value="61"' not in shown
        assert 'value="attacker" selected' not in shown
    client.force_login(player)
    client.post(page(waiting), {"unit": unit})
    assert not StandingAnswers.objects.exists()


def test_others_units_and_malformed_forms_are_refused_and_strangers_find_nothing(
    waiting: Match, player: User, django_user_model: Any, client: Client
) -> None:
    assert client.get(page(waiting)).status_code == 302
    client.force_login(django_user_model.objects.create_user("stranger", "s@example.org", "-"))
    assert client.get(page(waiting)).status_code == 404
    client.force_login(player)
    units = {side["id"]: side["units"][0]["id"] for side in waiting.setup["sides"]}
    assert client.post(page(waiting), {"unit": units["blue"], "spin": "keep"}).status_code == 409
    assert client.post(page(waiting), {"unit": "nobody", "spin": "keep"}).status_code == 409
    for field, word in (("dodge", "many"), ("dodge", "1000"), ("spin", "left"), ("revive", "sometimes")):
        assert client.post(page(waiting), {"unit": units["red"], field: word}).status_code == 400
    assert not StandingAnswers.objects.exists()


def test_who_sits_down_next_finds_no_answers_of_the_one_before(waiting: Match, player: User, rival: User) -> None:
    StandingAnswers.objects.create(seat=waiting.seats.get(side="red"), unit="x", answers={"spin": "keep"})
    reseat(waiting.pk, [Seat("red", player.pk)])
    assert StandingAnswers.objects.count() == 1
    reseat(waiting.pk, [Seat("red", rival.pk)])
    assert not StandingAnswers.objects.exists()
