"""What a season's forms ask: every setting and match switch with its default, and the calendar. Reads what was sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from people.forms import time_zone_choices
from rules.campaign.classes import FORMATS, LARGEST_SEASON, SMALLEST_SEASON, WEIGHT_CLASSES
from rules.campaign.season.calendar import (
    CORRESPONDENCE,
    MODES,
    MOST,
    PRESET_VALUES,
    PRESETS,
    SHORTEST_EVENING,
    Calendar,
)
from rules.campaign.season.settings import CHOICES, SWITCHES_WITHOUT_EFFECT, SeasonSettings
from rules.core.refusals import Malformed, Refused
from rules.solaris.house_rules import HouseRules
from stables.text import names as words
from web.reading import number_of, text_of, yes_of

YES, CHOICE, NUMBER, MAYBE = "yes", "choice", "number", "maybe"
"""The kinds of questions: yes or no, one of a list, a whole number, a number or nothing."""

SWITCH = "rule_"
"""What the name of a match switch begins with in a form."""

TIME = "calendar_"
"""What the name of a value of the calendar begins with in a form."""

PRESELECTED: Mapping[str, Any] = {"loser_keeps_reputation": True, "absence_pays": 0}
"""Where the form proposes something else than the book: by it a loser who fights on gets nothing, who stays away 30."""

WHOLE = ("dig_in_target_modifier", "critical_hit_extra_damage")
"""Switches that are chosen from a list of numbers."""

HOURS_A_ROUND = (6, 12, 24, 48, 72)
"""The times for each round of a match that the form offers; 0 stands for no hurry."""

QUOTING = ("bad_field", "unknown_field")
"""Refusals whose sentences put quotes around the field themselves."""

MOST_TOKENS_RP, MOST_TOTAL = 300, 2000


@dataclass(frozen=True)
class FormField:
    """One field of a form: its name, its kind, what it asks, and the value shown in it."""

    name: str
    kind: str
    label: str
    told: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    least: int = 0
    most: int = 0
    value: Any = ""
    are_names: bool = False
    """Whether the choices are names, the same in every language."""

    @property
    def shown(self) -> str:
        """The value as text, as a list of choices has it."""
        return str(self.value)


def setting_fields(shown: SeasonSettings | None = None) -> list[FormField]:
    """Return the questions about the season; `shown` are the values in them, else what the form proposes."""
    values = {**SeasonSettings().to_json(), **PRESELECTED} if shown is None else shown.to_json()
    return [replace(question, value=_shown(values[question.name])) for question in _settings() if _offers(question)]


def switch_fields(shown: Mapping[str, Any] | None = None) -> list[FormField]:
    """Return the questions about the match switches that a season follows; `shown` are its house rules."""
    values = {**HouseRules().to_json(), **(shown or {})}
    built = [question for question in _switches() if question.name not in SWITCHES_WITHOUT_EFFECT]
    return [replace(each, name=f"{SWITCH}{each.name}", value=_shown(values[each.name])) for each in built]


def all_setting_fields() -> list[FormField]:
    """Return what there is to ask about a season beside its classes and formats, without values."""
    return _settings()


def all_switch_fields() -> list[FormField]:
    """Return what there is to ask about the matches, without values; switches that seasons do not follow yet too."""
    return _switches()


def calendar_fields(shown: Calendar | None = None, time_zone: str = "UTC") -> list[FormField]:
    """Return the questions about the calendar. Durations that are left out are those of the preset."""
    values = {} if shown is None else {**shown.to_json(), "hours_a_round": shown.hours_a_round or 0}
    values = {"preset": PRESETS[0], "time_zone": time_zone, "mode": MODES[0], **values}
    found = [
        replace(each, name=f"{TIME}{each.name}", value=_shown(values.get(each.name, ""))) for each in _calendar_values()
    ]
    return [_with_own_hours(each, values.get("hours_a_round")) for each in found]


def _with_own_hours(question: FormField, hours: int | None) -> FormField:
    """The same question, but a time for each round that a program set is offered too, so that saving keeps it."""
    if question.name != f"{TIME}hours_a_round" or not hours or hours in HOURS_A_ROUND:
        return question
    return replace(question, choices=(*question.choices, *_hours_a_round([hours])))


def class_fields() -> list[FormField]:
    """Return the questions about the class of each cycle of a multi-class season; empty ones are drawn (Q-160)."""
    choices = (("", _("drawn")), *((key, words.word(words.CLASSES, key)) for key in WEIGHT_CLASSES))
    return [
        FormField(f"class_{number}", CHOICE, _("Cycle {number}").format(number=number), choices=choices)
        for number in range(1, len(FORMATS) + 1)
    ]


def filled(questions: Iterable[FormField], typed: Mapping[str, Any]) -> list[FormField]:
    """Return the questions with what somebody had typed instead of their values; {} leaves them as they are."""
    return [replace(each, value=typed.get(each.name, each.value)) for each in questions]


def in_words(problem: Malformed | Refused) -> dict[str, Any]:
    """Return the parameters of a refusal for people: a field, setting or switch by what the forms call it."""
    told = dict(problem.parameters)
    labels = _labels()
    for key in {"field", "setting", "key"} & set(told):
        label = labels.get(str(told[key]))
        if label is not None:
            told[key] = label if problem.code in QUOTING else _("“{label}”").format(label=label)
    if isinstance(told.get("value"), list):
        told["value"] = ", ".join(words.word(words.CLASSES, str(each)) for each in told["value"])
    return told


def _labels() -> dict[str, str]:
    """The names of the fields, and of settings and switches as the rules name them -> what the forms call them."""
    found: dict[str, str] = {}
    for prefix, questions in ((TIME, _calendar_values()), (SWITCH, _switches()), ("", _settings())):
        found |= {f"{before}{each.name}": each.label for each in questions for before in ("", prefix)}
    return found | {
        **{each.name: each.label for each in class_fields()},
        **{f"format_{key}": words.word(words.FORMATS, key) for key in FORMATS},
        "name": _("Name of the season"),
        "weight_class": _("Class of all matches"),
        "multi_class_order": _("The class of each cycle"),
        "cycles": _("Cycles"),
        "ai_stables": _("Stables run by the AI"),
        "joining": _("Who may join"),
        "visibility": _("Who may see it"),
        "collection": _("Units and cards"),
        "calendar": _("Calendar"),
        "house_rules": _("Switches of the matches"),
    }


def read_settings(fields: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the settings that a form or a program sent, those it left out left out. Raises Malformed.

    Match switches that were left out stay as they were `before`.
    """
    found = {question.name: _read(fields, question) for question in _settings() if question.name in fields}
    switches = {
        question.name: _read(fields, replace(question, name=f"{SWITCH}{question.name}"))
        for question in _switches()
        if f"{SWITCH}{question.name}" in fields
    }
    if switches:
        found["house_rules"] = switched(switches, before)
    return found


def switched(switches: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return match switches as a season keeps them: over those of `before`, without what is the default anyway."""
    defaults = HouseRules().to_json()
    return {key: value for key, value in {**(before or {}), **switches}.items() if value != defaults.get(key)}


def read_formats(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the formats of the cycles: those ticked (format_<key>), else the book's first so many (cycles).

    Raises Malformed (setting_out_of_range).
    """
    ticked = tuple(key for key in FORMATS if yes_of(fields, f"format_{key}", False))
    if ticked:
        return ticked
    count = number_of(fields, "cycles") if "cycles" in fields else len(FORMATS)
    if not 1 <= count <= len(FORMATS):
        raise Malformed("setting_out_of_range", setting="cycles", value=count)
    return FORMATS[:count]


def read_classes(fields: Mapping[str, Any], cycles: int) -> list[str]:
    """Return the class of each cycle, if one was chosen for any; then one must be for each. Raises Malformed."""
    chosen = [text_of(fields, f"class_{number}") for number in range(1, cycles + 1)]
    return chosen if any(chosen) else []


def read_calendar(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the calendar that was sent, {} without one. Raises Malformed."""
    if f"{TIME}preset" not in fields:
        return {}
    values: dict[str, Any] = {}
    for question in _calendar_values():
        name = f"{TIME}{question.name}"
        if question.name == "preset" or fields.get(name, "") in ("", None):
            continue
        is_number = question.name in ("weekday", "hours_a_round") or question.kind == MAYBE
        values[question.name] = number_of(fields, name) if is_number else text_of(fields, name)
    if values.get("hours_a_round") == 0:
        values["hours_a_round"] = None
    return Calendar.of_preset(text_of(fields, f"{TIME}preset"), **values).to_json()


def _read(fields: Mapping[str, Any], question: FormField) -> Any:
    name = question.name
    if question.kind == YES:
        return yes_of(fields, name, False)
    if question.kind in (NUMBER, MAYBE):
        is_empty = question.kind == MAYBE and fields.get(name, "") in ("", None)
        return None if is_empty else number_of(fields, name)
    value = text_of(fields, name)
    if name.removeprefix(SWITCH) in WHOLE:
        return {"-1": -1, "0": 0, "1": 1}.get(value, value)
    if question.name == "emergency_hire":
        return {"yes": True, "no": False}.get(value)
    return value


def _shown(value: Any) -> Any:
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


def _offers(question: FormField) -> bool:
    """Whether a season can be opened with more than one answer to the question."""
    answers: list[Any] = [{"": None, "yes": True, "no": False}.get(key, key) for key, _label in question.choices]
    if question.kind == YES:
        answers = [True, False]
    plain = {"weight_class": WEIGHT_CLASSES[0]}
    built = [not SeasonSettings.from_json({**plain, question.name: answer}).unbuilt() for answer in answers]
    return not answers or sum(built) > 1


def _choices(key: str, labels: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((value, labels[value]) for value in CHOICES[key])


def _settings() -> list[FormField]:
    unplayed = {
        "forfeit": _("the absent forfeit it"),
        "ai": _("the AI plays it"),
        "extend": _("one new date, then the absent forfeit it"),
    }
    uniques = {"per_stable": _("every stable may own a copy"), "one_in_campaign": _("there is one of each")}
    purses = {"corrected": _("corrected"), "printed": _("as printed")}
    ranks = {
        "cycle_reputation": _("reputation of the cycle"),
        "total_reputation": _("reputation of the whole season"),
        "wins": _("wins"),
    }
    dials = {
        "house": _("house cards: all units of the catalogue"),
        "printed": _("printed dials: only units that do not have house statistics"),
    }
    hire = (("", _("when pilots can die")), ("yes", _("yes")), ("no", _("no")))
    return [
        FormField("places", NUMBER, _("Most stables"), least=SMALLEST_SEASON, most=LARGEST_SEASON),
        FormField(
            "matches_per_cycle",
            MAYBE,
            _("Matches of each cycle"),
            _("Empty: three with up to six stables, four with more. A grand melee is one match."),
            least=1,
            most=12,
        ),
        FormField(
            "loser_keeps_reputation",
            YES,
            _("The loser of a match keeps the reputation earned in it"),
            _("By the book he does not. With “yes” a good fight counts even when it is lost, and a season stays open."),
        ),
        FormField(
            "absence_pays",
            NUMBER,
            _("Reputation for a stable that does not appear"),
            _("30 in the book, which then pays for staying away."),
            most=30,
        ),
        FormField("unplayed", CHOICE, _("A match that is not played in time"), choices=_choices("unplayed", unplayed)),
        FormField("unique_market", CHOICE, _("Uniques"), choices=_choices("unique_market", uniques)),
        FormField("buy_between_matches", YES, _("Assets may be bought between matches of a cycle too")),
        FormField("emergency_hire", CHOICE, _("Hiring a common pilot between matches"), choices=hire),
        FormField("sponsor_grant", YES, _("A sponsor helps a stable that could field nobody")),
        FormField("purse_rank_by", CHOICE, _("Purses go by"), choices=_choices("purse_rank_by", ranks)),
        FormField(
            "purse_team4_lightweight",
            CHOICE,
            _("Lightweight team purses of four stables"),
            choices=_choices("purse_team4_lightweight", purses),
        ),
        FormField(
            "dials",
            CHOICE,
            _("Dials"),
            _("Choose printed dials when you play with miniatures at a table."),
            choices=_choices("dials", dials),
        ),
    ]


def _switches() -> list[FormField]:
    totals = (("unit", _("a unit")), ("team", _("a side")))
    signs, extra = (("1", "+1"), ("-1", "-1")), (("0", "0"), ("1", "1"))
    return [
        FormField("target_tokens", YES, _("Target tokens")),
        FormField("rally_cards", YES, _("Rally cards")),
        FormField("pilot_death", YES, _("Pilots of eliminated units may die")),
        FormField(
            "time_limit_rounds", MAYBE, _("Rounds of a match at most"), _("Empty: by its format."), least=1, most=99
        ),
        FormField("clock_seconds", MAYBE, _("Seconds to think"), least=1, most=86400),
        FormField("shutdown_may_vent", YES, _("A unit that is shut down may vent")),
        FormField(
            "dig_in_target_modifier", CHOICE, _("Being dug in changes what is rolled at the unit by"), choices=signs
        ),
        FormField("critical_hit_extra_damage", CHOICE, _("A critical hit adds damage"), choices=extra),
        FormField("target_inside_hindering", YES, _("Hindering terrain under the target counts")),
        FormField("token_pool_rp", NUMBER, _("Reputation of the three target tokens together"), most=MOST_TOKENS_RP),
        FormField("build_total", MAYBE, _("Build total in points"), _("Empty: by class."), least=1, most=MOST_TOTAL),
        FormField("build_total_per", CHOICE, _("The build total is that of"), choices=totals),
        FormField("points_only", YES, _("Units of any class within the build total")),
    ]


def _calendar_values() -> list[FormField]:
    presets = {
        "solo": _("solo: no deadlines"),
        "club_night": _("club night: one evening a week, round after round"),
        "weekly": _("weekly: a round a week"),
        "correspondence": _("correspondence: days to answer"),
    }
    modes = {"ai": _("the AI plays for all"), "browser": _("in the browser"), "table": _("at a table")}
    days = (_("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"), _("Saturday"), _("Sunday"))
    weekdays = (("", _("as the preset")), *((str(number), day) for number, day in enumerate(days)))
    hours = {
        "market_hours": _("Hours for the market, at least"),
        "line_up_hours": _("Hours for line-ups"),
        "play_hours": _("Hours for playing"),
        "confirm_hours": _("Hours for confirming results"),
        "evening_minutes": _("Minutes of a club night"),
        "line_up_minutes": _("Minutes for line-ups at a club night"),
        "set_up_minutes": _("Minutes to set up at a club night"),
        "confirm_minutes": _("Minutes for results at a club night"),
    }
    own = {"evening_minutes": SHORTEST_EVENING}
    return [
        FormField("preset", CHOICE, _("Calendar"), choices=tuple((key, presets[key]) for key in PRESETS)),
        FormField("time_zone", CHOICE, _("Time zone of its times"), choices=tuple(time_zone_choices()), are_names=True),
        FormField("mode", CHOICE, _("Matches are played"), choices=tuple((key, modes[key]) for key in MODES)),
        FormField("weekday", CHOICE, _("Day of the week"), choices=weekdays),
        FormField("at", "time", _("Time of day")),
        *(
            FormField(key, MAYBE, label, _presets_of(key), least=own.get(key, 0), most=MOST[key])
            for key, label in hours.items()
        ),
        FormField(
            "hours_a_round",
            CHOICE,
            _("Time for each round of a match in the browser"),
            _(
                "Each side gets it anew in every round and can save up three. Once it is used up, the AI answers until "
                "the next round. As the preset: {hours} hours in correspondence, else nobody is hurried."
            ).format(hours=PRESET_VALUES[CORRESPONDENCE]["hours_a_round"]),
            choices=(("", _("as the preset")), ("0", _("nobody is hurried")), *_hours_a_round(HOURS_A_ROUND)),
        ),
        FormField("ends_on", "date", _("The season should be over by"), _("You are warned if it will not be.")),
    ]


def _presets_of(key: str) -> str:
    """What a duration is in the presets that have it, for the field that may stay empty."""
    default = getattr(Calendar(), key)
    found = {str(PRESET_VALUES[preset].get(key, default)) for preset in PRESETS[1:]}
    return _("Empty: {values}, by the preset.").format(values=" / ".join(sorted(found, key=int)))


def _hours_a_round(offered: Iterable[int]) -> list[tuple[str, str]]:
    return [(str(hours), _("{hours} hours").format(hours=hours)) for hours in offered]
