"""The solo evening: one press begins it, every page says what comes next, and it plays to its end."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth import get_user_model
from django.db.models import Sum
from django.test import Client
from django.urls import resolve, reverse

from jobs.models import Job
from jobs.services import run_pending
from matches.models import MatchAction, StandingAnswers
from people.models import Notice
from rules.bots.owners.evenings import DIFFICULTIES, LENGTHS, evening_settings, matches_of
from rules.bots.owners.people import OWNERS
from rules.bots.preset_answers import ROUTINE
from rules.campaign.capital import STARTING_CAPITAL
from rules.campaign.classes import BUILD_TOTAL, WEIGHT_CLASSES
from rules.campaign.garage.repair import ELIMINATED, repair_cost
from rules.campaign.season.settings import SeasonSettings
from rules.core.refusals import Malformed, SeasonRefused
from stables.forms.solo import EveningForm
from stables.models import Fixture, LedgerEntry, Season, Stable
from stables.presenters.ai_owners import owner_of, owners_of
from stables.presenters.solo import LENGTH_WORDS
from stables.services.ai import solo
from stables.services.season import floods, seasons
from tests.stables.conftest import SECRET, open_with
from tests.stables.shown_again import as_it_stands

pytestmark = pytest.mark.django_db

PLAY = reverse("stables:solo")
FORM = {
    "name": "Copper Lantern", "length": "three", "difficulty": "fair", "weight_class": "light",
    "standing_answers": "routine",
}  # fmt: skip


def person(name: str) -> Any:
    return get_user_model().objects.create_user(name, f"{name}@example.org", "-")


@pytest.fixture
def player(release: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Somebody whose seasons draw the same each time: by chance one in many ends in a sudden death."""
    monkeypatch.setattr(solo, "new_secret", lambda: SECRET)
    return person("player")


class Presser:
    """Somebody at the site who presses one button after the other; the jobs are done in between."""

    def __init__(self, user: Any) -> None:
        self.user = user
        self.client = Client()
        self.client.force_login(user)
        self.pressed: list[str] = []

    def press(self, name: str, address: str, fields: dict[str, str] | None = None) -> str:
        """POST a form; returns the name of the address where that led."""
        self.pressed.append(name)
        answer = self.client.post(address, fields or {}, follow=True)
        assert answer.status_code == 200, answer.content.decode()[:3000]
        return resolve(answer.request["PATH_INFO"]).view_name

    def go_on(self) -> tuple[str, Any]:
        """Let the jobs be done and follow “what is next”; the name of the address, and the answer."""
        run_pending()
        season = Season.objects.filter(organiser=self.user).order_by("-pk")[0]
        answer = self.client.get(reverse("stables:season_next", args=[season.slug]), follow=True)
        assert answer.status_code == 200
        return resolve(answer.request["PATH_INFO"]).view_name, answer


def press_play(user: Any, **changes: str) -> tuple[Presser, Season]:
    presser = Presser(user)
    presser.press("play", PLAY, FORM | changes)
    return presser, Season.objects.filter(organiser=user).order_by("-pk")[0]


def own(season: Season) -> Stable:
    return season.stables.select_related("season").get(is_ai=False)


def line_up_fields(answer: Any) -> dict[str, str]:
    """The form as it stands on the page, nothing changed."""
    return as_it_stands(answer.context["line_up"]["form"])


def play_on(presser: Presser, season: Season, cycles: int = 0) -> None:
    """Press what each page asks for until the season, or so many cycles, are over: matches are given to the AI."""
    mine = own(season).get_absolute_url()
    for _ in range(200):
        if cycles and season.cycles.filter(state="closed", number=cycles).exists():
            return
        name, answer = presser.go_on()
        if name == "stables:line_ups" and answer.context["line_up"]["crews"]:
            presser.press("line-up", mine + "line-up", line_up_fields(answer))
        elif name == "stables:line_ups":
            presser.press("forfeit", mine + "line-up/forfeit")
        elif name == "matches:play":
            address = answer.request["PATH_INFO"]
            assert reverse("matches:finish", args=[address.split("/")[2]]) in answer.content.decode()
            presser.press("finish", address.replace("/play/", "/finish/"))
        elif name == "stables:market":
            presser.press("ready", mine + "ready", {"ready": "yes"})
        elif name == "stables:ceremony":
            return
        else:
            raise AssertionError(f"nothing to press at {name}")
    raise AssertionError("the season does not end")


def test_an_evening_of_three_matches_from_one_press_to_its_champions(player: Any) -> None:
    presser, season = press_play(player, ready_made="yes")
    play_on(presser, season)
    season.refresh_from_db()
    assert presser.pressed == ["play", "line-up", "finish", *["ready", "line-up", "finish"] * 2]
    assert season.state == Season.State.FINISHED
    assert season.titles.filter(kind="stable").exists()
    played = Fixture.objects.filter(round__cycle__season=season, sides__stable=own(season), result__isnull=False)
    rivals = {side.stable_id for fixture in played for side in fixture.sides.exclude(stable=own(season))}
    assert (played.count(), len(rivals)) == (3, 3)
    assert not Job.objects.filter(state=Job.State.FAILED).exists()
    # The AI played what was left of each match, and the log of the match says so.
    assert MatchAction.objects.filter(cause=MatchAction.Cause.GIVEN).values("match").distinct().count() == 3


@pytest.mark.parametrize(("chosen", "kept"), [("", ROUTINE), ("routine", ROUTINE), ("none", None)])
def test_what_the_mechs_answer_alone_is_chosen_with_the_evening(player: Any, chosen: str, kept: Any) -> None:
    presser, season = press_play(player, ready_made="yes", standing_answers=chosen)
    mine = own(season).get_absolute_url()
    while (name := (found := presser.go_on())[0]) != "matches:play":
        assert name == "stables:line_ups"
        presser.press("line-up", mine + "line-up", line_up_fields(found[1]))
    stands = StandingAnswers.objects.filter(seat__user=player)
    assert [each.answers for each in stands] == ([kept] if kept else [])
    assert not StandingAnswers.objects.exclude(seat__user=player).exists()


def test_whoever_plays_alone_does_not_hear_what_they_do_themselves(player: Any) -> None:
    presser, season = press_play(player, ready_made="yes")
    play_on(presser, season)
    assert set(Notice.objects.filter(user=player).values_list("code", flat=True)) == {"cycle_closed", "season_finished"}


def test_from_one_press_to_the_board_there_is_one_more(player: Any) -> None:
    presser, season = press_play(player, ready_made="yes")
    name, answer = presser.go_on()
    assert name == "stables:line_ups"
    presser.press("line-up", own(season).get_absolute_url() + "line-up", line_up_fields(answer))
    name, answer = presser.go_on()
    assert (name, presser.pressed) == ("matches:play", ["play", "line-up"])
    assert answer.context["page"].choosing is not None


def test_without_a_ready_made_stable_nothing_is_bought_and_the_market_waits(player: Any) -> None:
    presser, season = press_play(player)
    assert presser.go_on()[0] == "stables:market"
    mine = own(season)
    assert (mine.assets.count(), mine.capital) == (0, season.rules.capital)
    shown = presser.client.get(reverse("stables:market", args=[season.slug, mine.slug])).content.decode()
    assert 'id="make-ready"' in shown
    presser.press("shop", reverse("stables:make_ready", args=[season.slug, mine.slug]))
    shown = presser.client.get(mine.get_absolute_url()).content.decode()
    assert 'id="say-ready"' in shown
    presser.press("ready", mine.get_absolute_url() + "ready", {"ready": "yes"})
    assert presser.go_on()[0] == "stables:line_ups"


@pytest.mark.parametrize("weight_class", ["light", "assault"])
def test_a_ready_made_stable_obeys_its_money(player: Any, weight_class: str) -> None:
    made = solo.open_evening(player=player, stable_name="Tin", weight_class=weight_class, ready_made=True)
    stable = Stable.objects.select_related("season").get(pk=made.stable_id)
    book = LedgerEntry.objects.filter(stable=stable)
    assert stable.capital == book.aggregate(sum=Sum("amount"))["sum"] >= 0
    assert len(made.bought) == book.filter(cause="purchase").count() == stable.assets.count() > 0
    spent = -sum(book.filter(cause="purchase").values_list("amount", flat=True))
    assert spent == stable.season.rules.capital - stable.capital


def test_the_ai_shops_only_for_those_who_play_alone(release: Any, player: Any) -> None:
    season = open_with(release, ["Ash"])
    founded = [
        seasons.found_stable(season_id=season.pk, name=user.username, owner=user) for user in (player, person("other"))
    ]
    with pytest.raises(SeasonRefused, match="not_alone"):
        solo.make_ready(stable_id=founded[0].stable_id)


def test_the_words_of_a_choice_fit_on_a_phone() -> None:
    """A phone of 360 pixels cuts what is longer."""
    form = EveningForm()
    for name in ("weight_class", "standing_answers"):
        assert max(len(str(words)) for _, words in form.fields[name].choices) <= 32  # type: ignore[attr-defined]


def test_r_cyc_lengths_are_as_many_matches_as_they_say() -> None:
    assert [(length, matches_of(length)) for length in LENGTHS] == [("three", 3), ("six", 6), ("full", 16)]


@pytest.mark.parametrize("difficulty", list(DIFFICULTIES))
def test_a_difficulty_is_who_plays_and_who_owns_and_what_is_lenient(player: Any, difficulty: str) -> None:
    level = DIFFICULTIES[difficulty]
    made = solo.open_evening(player=player, stable_name="Iron Parish", difficulty=difficulty)
    season = Season.objects.get(pk=made.season_id)
    rivals = season.stables.filter(is_ai=True).order_by("number")
    assert [rival.character for rival in rivals] == list(level.characters)
    assert {rival.bot for rival in rivals} == {level.bot}
    # The person's name is his, whatever the AI would have liked.
    assert "Iron Parish" not in {rival.name for rival in rivals}
    assert season.rules.loser_keeps_reputation is (difficulty != "hard")
    assert season.rules.sponsor_grant is (difficulty != "hard")


@pytest.mark.parametrize("weight_class", WEIGHT_CLASSES)
def test_a_short_evening_starts_with_the_price_of_one_crew_and_one_repair(player: Any, weight_class: str) -> None:
    """The form says the same numbers, and every ’Mech of the class with any pilot can be bought for them."""
    crew = BUILD_TOTAL[weight_class]
    stones = crew + repair_cost(crew, ELIMINATED)
    made = solo.open_evening(player=player, stable_name="Iron Parish", length="three", weight_class=weight_class)
    stables = Stable.objects.filter(season=made.season_id)
    assert {stable.capital for stable in stables} == {stones}
    assert f"{stones} in {weight_class}" in str(LENGTH_WORDS["three"][1])
    by_the_book = evening_settings("six", "fair", weight_class)
    assert SeasonSettings.from_json(by_the_book).capital == STARTING_CAPITAL[weight_class]


def test_settings_of_evenings_are_read_by_the_season() -> None:
    for length in LENGTHS:
        for difficulty in DIFFICULTIES:
            assert SeasonSettings.from_json(evening_settings(length, difficulty, "heavy")).places == 4


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"length": "endless"}, 400),
        ({"difficulty": "cruel"}, 400),
        ({"weight_class": "tiny"}, 400),
        ({"standing_answers": "some"}, 400),
        ({"name": " "}, 400),
    ],
)
def test_bad_choices_leave_nothing_behind(player: Any, changes: dict[str, str], status: int) -> None:
    client = Client()
    client.force_login(player)
    answer = client.post(PLAY, FORM | changes)
    assert answer.status_code == status
    assert {name: answer.context["form"][name].value() for name in FORM} == FORM | changes
    assert not Season.objects.exists()


def test_an_account_opens_so_many_evenings_an_hour(player: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solo, "EVENINGS", solo.Limit("solo_season", 1))
    client = Client()
    client.force_login(player)
    with monkeypatch.context() as full:
        full.setattr(floods, "MOST_RUNNING", 0)
        assert client.post(PLAY, FORM).status_code == 409, "and a refused one does not count"
    assert [client.post(PLAY, FORM).status_code for _ in range(2)] == [302, 429]
    assert Season.objects.count() == 1


def test_an_evening_counts_among_the_running_seasons(player: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floods, "MOST_RUNNING", 1)
    client = Client()
    client.force_login(player)
    assert [client.post(PLAY, FORM).status_code for _ in range(2)] == [302, 409]
    assert Season.objects.count() == 1


def test_nobody_else_sees_the_season_or_joins_it(player: Any) -> None:
    _, season = press_play(player, ready_made="yes")
    run_pending()
    assert (season.visibility, season.joining) == (Season.Visibility.PRIVATE, Season.Joining.INVITED)
    rival, stranger = Client(), Client()
    rival.force_login(person("rival"))
    for client in (rival, stranger):
        for name in ("season", "standings", "news", "season_next"):
            assert client.get(reverse(f"stables:{name}", args=[season.slug])).status_code == 404
        assert season.name not in client.get("/").content.decode()
    with pytest.raises(SeasonRefused):
        seasons.found_stable(season_id=season.pk, name="Late", owner=person("late"))


CHOICES = FORM | {"length": "six", "difficulty": "hard", "weight_class": "heavy", "ready_made": "yes", "name": "A & B"}


def door(client: Client, **changes: str) -> tuple[str, str]:
    """Press the form's button without being logged in: the name of the address, and where one goes from there."""
    answer = client.post(PLAY, CHOICES | changes)
    assert answer.status_code == 302
    parts = urlsplit(answer["Location"])
    [onward_to] = parse_qs(parts.query)["next"]
    return resolve(parts.path).view_name, onward_to


def kept(answer: Any) -> dict[str, str]:
    """What the form of a page would send, and that it would begin an evening with one press."""
    found = {field.name: field.value() for field in answer.context["form"]}
    assert 'id="solo-play-now"' in answer.content.decode()
    return found | {"ready_made": "yes" if found["ready_made"] else "no"}


def test_without_an_account_one_signs_up_and_the_evening_begins(client: Client, release: Any) -> None:
    assert 'id="solo-sign-up" type="submit"' in client.get(PLAY).content.decode()
    view, onward_to = door(client)
    assert view == "people:sign_up"
    fields = {"username": "fresh", "email": "fresh@example.org", "time_zone": "UTC", "next": onward_to}
    fields |= dict.fromkeys(("password1", "password2"), "a long pass phrase")
    # Opening the address begins nothing: a press does.
    assert client.get(reverse("people:sign_up"), {"next": onward_to}).status_code == 200
    assert not Season.objects.exists()
    answer = client.post(reverse("people:sign_up"), fields, follow=True)
    season = Season.objects.get()
    assert (own(season).name, len(season.rules.cycles)) == ("A & B", 6)
    assert answer.redirect_chain[0][0] == reverse("stables:season_next", args=[season.slug])
    messages = [str(message) for message in answer.context["messages"]]
    assert messages == [
        "Welcome to the circuit, fresh. You are logged in.",
        "A mail with a link is on its way to fresh@example.org. Open the link to confirm the address.",
    ]


def test_choices_that_are_refused_come_back_after_the_sign_up(client: Client, release: Any) -> None:
    _, onward_to = door(client, name="")
    fields = {"username": "fresh", "email": "", "time_zone": "UTC", "next": onward_to}
    fields |= dict.fromkeys(("password1", "password2"), "a long pass phrase")
    answer = client.post(reverse("people:sign_up"), fields, follow=True)
    assert answer.request["PATH_INFO"] == PLAY
    assert not Season.objects.exists()


def test_who_has_an_account_logs_in_and_finds_the_choices_again(client: Client, player: Any) -> None:
    view, onward_to = door(client, door="log_in")
    assert view == "people:log_in"
    player.set_password("a long pass phrase")
    player.save()
    fields = {"username": "player", "password": "a long pass phrase", "next": onward_to}
    assert kept(client.post(reverse("people:log_in"), fields, follow=True)) == CHOICES
    assert not Season.objects.exists()


def test_a_name_that_was_only_suggested_gives_way_to_ones_own(client: Client, player: Any) -> None:
    solo.open_evening(player=player, stable_name="Iron Parish")
    for name, expected in (("Second Bell", "Iron Parish"), ("Third Bell", "Third Bell")):
        _, onward_to = door(client, name=name)
        known = Client()
        known.force_login(player)
        assert kept(known.get(onward_to))["name"] == expected


def test_choices_that_nobody_offers_are_those_proposed(client: Client, player: Any) -> None:
    client.force_login(player)
    answer = client.get(PLAY + "?length=endless&difficulty=&weight_class=tiny&ready_made=perhaps&go=1")
    assert kept(answer) | {"name": ""} == FORM | {"name": "", "ready_made": "no"}
    assert 'id="solo-play-now"' not in client.get(PLAY).content.decode()


def test_continue_needs_an_account(client: Client) -> None:
    assert client.get(reverse("stables:solo_continue")).status_code == 302


def test_owners_made_of_code_have_a_name_each_and_keep_it(release: Any) -> None:
    assert len(set(OWNERS)) == len(OWNERS)
    season = open_with(release, ["Ash", "Birch", "Cedar", "Dogwood"])
    stables = list(season.stables.order_by("number"))
    first = owners_of(season, stables)
    assert len({owner.name for owner in first.values()}) == 4
    assert first == owners_of(Season.objects.get(pk=season.pk), stables)
    other = open_with(release, ["Ash", "Birch", "Cedar", "Dogwood"], secret=b"another secret of 32 bytes......")
    assert [owner.name for owner in owners_of(other, list(other.stables.order_by("number"))).values()] != [
        owner.name for owner in first.values()
    ]
    shown = Client().get(stables[0].get_absolute_url()).content.decode()
    ai_owner = first[stables[0].pk]
    assert ai_owner.name in shown
    assert str(ai_owner.character) in shown
    standings = Client().get(reverse("stables:standings", args=[season.slug])).content.decode()
    assert all(owner.name in standings for owner in first.values())


def test_a_persons_stable_has_no_invented_owner(release: Any, player: Any) -> None:
    season = open_with(release, [])
    seasons.found_stable(season_id=season.pk, name="Mine", owner=player)
    assert owner_of(season.stables.get()) is None


def test_an_unknown_length_is_refused(player: Any) -> None:
    with pytest.raises(Malformed):
        solo.open_evening(player=player, stable_name="Tin", length="")
