"""The settings of a season, the switches of its matches and its calendar, and the forms that open and change a season.

Labels, choices and bounds are written only here: the bodies of the interface are made from these fields too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.functional import lazy
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from catalogue.services.collections import usable_by
from people.forms import time_zone_field
from people.models import User
from rules.campaign.capital import STARTING_CAPITAL
from rules.campaign.classes import FORMATS, LARGEST_SEASON, MULTI_CLASS, SMALLEST_SEASON, WEIGHT_CLASSES
from rules.campaign.season.calendar import (
    CORRESPONDENCE,
    LEAST,
    MODES,
    MOST,
    PRESET_VALUES,
    PRESETS,
    SOLO,
    WEEKLY,
    Calendar,
)
from rules.campaign.season.closing import LONGEST_CLOSING_HOURS
from rules.campaign.season.settings import CHOICES, SWITCHES_WITHOUT_EFFECT, SeasonSettings
from rules.solaris.house_rules import HouseRules
from stables.forms.ai_stables import how_hard_field
from stables.forms.coded import DURATIONS, SWITCH, TIME, QuestionForm, Text, YesOrNo, number, one_of
from stables.forms.days_off import DaysOffForm
from stables.models import Season
from stables.services.season.opening import LONGEST_NAME, PRESELECTED
from stables.text import names as words
from stables.text.calendar import WEEKDAYS

HOURS_A_ROUND = (6, 12, 24, 48, 72)
"""The hours for each round of a match that the form offers, besides 0 for no limit."""


class SettingsForm(QuestionForm):
    """The settings of a season except its classes and formats, each by its name in the rules."""

    places = number(_("Most stables"), SMALLEST_SEASON, LARGEST_SEASON)
    matches_per_cycle = number(
        _("Matches of each cycle"),
        1,
        12,
        _("Empty: three with up to six stables, four with more. A grand melee is one match."),
        required=False,
    )
    loser_keeps_reputation = YesOrNo(
        _("The loser of a match keeps the reputation earned in it"),
        _("By the book they do not. With “yes” a good fight counts even when it is lost, and a season stays open."),
    )
    absence_pays = number(
        _("Reputation for a stable that does not appear"),
        0,
        30,
        _("30 in the book, which then pays for staying away. It holds for a stable without any ’Mech, too."),
    )
    unplayed = one_of(
        CHOICES["unplayed"],
        _("A match that is not played in time"),
        forfeit=_("the absent forfeit it"),
        ai=_("the AI plays it"),
        extend=_("one new date, then the absent forfeit it"),
    )
    unique_market = one_of(
        CHOICES["unique_market"],
        _("Uniques"),
        per_stable=_("every stable may own a copy"),
        one_in_campaign=_("there is one of each"),
    )
    buy_between_matches = YesOrNo(_("Assets may be bought between matches of a cycle too"))
    emergency_hire = YesOrNo(_("Hiring a common pilot between matches"), neither=_("when pilots can die"))
    sponsor_grant = YesOrNo(_("A sponsor helps a stable that could field nobody"))
    closing_hours = number(
        _("Hours for corrections after the last result"),
        0,
        LONGEST_CLOSING_HOURS,
        _("Until then the champions are provisional, and the organiser may close the season earlier. 0: at once."),
    )
    standing_answers = one_of(
        CHOICES["standing_answers"],
        _("Routine questions"),
        _("Between people, rally cards are asked about all the same, because a rival sees whose answer is awaited."),
        none=_("players are asked"),
        routine=_("’Mechs answer"),
    )
    starting_stones = one_of(
        CHOICES["starting_stones"],
        _("Stones to start with"),
        _("With few Stones it matters in the market what you buy. The class of the first cycle counts."),
        book=_("those of the book"),
        one_crew=_("the price of one crew and one repair"),
    )
    purse_rank_by = one_of(
        CHOICES["purse_rank_by"],
        _("What purses go by"),
        cycle_reputation=_("reputation of the cycle"),
        total_reputation=_("reputation of the whole season"),
        wins=_("wins"),
    )
    purse_team4_lightweight = one_of(
        CHOICES["purse_team4_lightweight"],
        _("Lightweight team purses of four stables"),
        corrected=_("corrected"),
        printed=_("as printed"),
    )
    dials = one_of(
        CHOICES["dials"],
        _("Dials"),
        _("Choose printed dials when you play with miniatures at a table."),
        house=_("house cards: all units of the catalogue"),
        printed=_("printed dials: only units that do not have house statistics"),
        table=_("at real tables only: also units without a dial, no AI, no match in the browser"),
    )


class SwitchesForm(QuestionForm):
    """All match switches, even those without effect in seasons yet, each by SWITCH and its name in the rules."""

    rule_target_tokens = YesOrNo(_("Target tokens"))
    rule_rally_cards = YesOrNo(_("Rally cards"))
    rule_pilot_death = YesOrNo(_("Pilots of eliminated units may die"))
    rule_time_limit_rounds = number(_("Rounds of a match at most"), 1, 99, _("Empty: by its format."), required=False)
    rule_clock_seconds = number(_("Seconds to think"), 1, 86400, required=False)
    rule_shutdown_may_vent = YesOrNo(_("A unit that is shut down may vent"))
    rule_dig_in_target_modifier = forms.TypedChoiceField(
        label=_("Being dug in changes what is rolled at the unit by"), choices=[("1", "+1"), ("-1", "-1")], coerce=int
    )
    rule_critical_hit_extra_damage = forms.TypedChoiceField(
        label=_("A critical hit adds damage"), choices=[("0", "0"), ("1", "1")], coerce=int
    )
    rule_target_inside_hindering = YesOrNo(_("Hindering terrain under the target counts"))
    rule_token_pool_rp = number(_("Reputation of the three target tokens together"), 0, 300)
    rule_build_total = number(_("Build total in points"), 1, 2000, _("Empty: by class."), required=False)
    rule_build_total_per = one_of(
        ("unit", "team"), _("What the build total is for"), unit=_("each unit"), team=_("each side")
    )
    rule_elevated_ends_ignore_hindering = YesOrNo(_("Between two elevated hexes hindering terrain is ignored"))
    rule_points_only = YesOrNo(_("Units of any class within the build total"))


class ChangeForm(SettingsForm, SwitchesForm):
    """What may still change in a season: the formats of its cycles, settings and switches. `shown` are its settings."""

    def __init__(
        self, shown: SeasonSettings, data: Mapping[str, str] | None = None, auto_id: str = "change-%s", **initial: Any
    ) -> None:
        self.shown, switches = shown, {**HouseRules().to_json(), **shown.house_rules}
        initial |= shown.to_json() | {f"{SWITCH}{key}": value for key, value in switches.items()}
        super().__init__(data, initial, auto_id)
        for key in SWITCHES_WITHOUT_EFFECT:
            del self.fields[f"{SWITCH}{key}"]
        for key in FORMATS:
            box = forms.CheckboxInput(attrs={"value": "yes", "id": auto_id % f"format-{key}"})
            self.fields[f"format_{key}"] = forms.BooleanField(
                label=words.word(words.FORMATS, key), required=False, initial=key in shown.cycles, widget=box
            )

    @property
    def setting_fields(self) -> list[BoundField]:
        """The fields of SettingsForm, bound to this form."""
        return [each for each in self if each.name in SettingsForm.base_fields]

    def settings(self) -> dict[str, Any]:
        """Return the settings as services take them, with formats and switches.

        Raises Malformed (setting_out_of_range, bad_house_rule, not_a_number, bad_field).
        """
        values = self.read()
        switches = {key.removeprefix(SWITCH): value for key, value in values.items() if key.startswith(SWITCH)}
        ticked = [key for key in FORMATS if values[f"format_{key}"]]
        # The boxes know only the book's order. A season with another order keeps it unless formats come or go.
        changes = bool(ticked) and set(ticked) != set(self.shown.cycles)
        return {
            **{name: values[name] for name in SettingsForm.base_fields},
            "cycles": ticked if changes else list(self.shown.cycles),
            "house_rules": switched(switches, self.shown.house_rules),
        }


def switched(switches: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return match switches as a season stores them: `switches` over those of `before`, without default values."""
    defaults = HouseRules().to_json()
    return {key: value for key, value in {**(before or {}), **switches}.items() if value != defaults.get(key)}


def _duration(key: str, label: Text) -> forms.IntegerField:
    """Return the field of a duration; an empty field means the duration of the preset."""
    presets = {str(PRESET_VALUES[preset].get(key, getattr(Calendar(), key))) for preset in PRESETS[1:]}
    by_preset = format_lazy(_("Empty: {values}, by the preset."), values=" / ".join(sorted(presets, key=int)))
    return number(label, LEAST.get(key, 0), MOST[key], by_preset, required=False)


def _listed(key: str, label: Text, names: Iterable[tuple[int, Text]], help_text: Text = "") -> forms.IntegerField:
    """Return the field of a number to choose from a list. It also takes other numbers, which a program may have set."""
    listed = forms.Select(choices=[("", _("as the preset")), *names])
    return forms.IntegerField(
        label=label, help_text=help_text, min_value=0, max_value=MOST[key], required=False, widget=listed
    )


def _hours(hours: int) -> tuple[int, Text]:
    return hours, _in_words(hours)


def _hours_in_words(hours: int) -> str:
    return ngettext("%(hours)s hour", "%(hours)s hours", hours) % {"hours": hours}


_in_words = lazy(_hours_in_words, str)


class CalendarForm(DaysOffForm):
    """The calendar of a season. The preset supplies the durations that are left out."""

    calendar_preset = one_of(
        PRESETS,
        _("Calendar"),
        solo=_("solo: no deadlines"),
        club_night=_("club night: one evening a week, round after round"),
        weekly=_("weekly: a round a week"),
        correspondence=_("correspondence: days to answer"),
    )
    calendar_time_zone = time_zone_field(_("Time zone of its times"))
    calendar_mode = one_of(
        MODES,
        _("How matches are played"),
        ai=_("the AI plays for all"),
        browser=_("in the browser"),
        table=_("at a table"),
    )
    calendar_weekday = _listed("weekday", _("Day of the week"), enumerate(WEEKDAYS))
    calendar_at = forms.CharField(label=_("Time of day"), required=False, widget=forms.TimeInput({"type": "time"}))
    calendar_market_hours = _duration("market_hours", _("Hours for the market, at least"))
    calendar_line_up_hours = _duration("line_up_hours", _("Hours for line-ups"))
    calendar_play_hours = _duration("play_hours", _("Hours for playing"))
    calendar_confirm_hours = _duration("confirm_hours", _("Hours for confirming results"))
    calendar_evening_minutes = _duration("evening_minutes", _("Minutes of a club night"))
    calendar_line_up_minutes = _duration("line_up_minutes", _("Minutes for line-ups at a club night"))
    calendar_set_up_minutes = _duration("set_up_minutes", _("Minutes to set up at a club night"))
    calendar_confirm_minutes = _duration("confirm_minutes", _("Minutes for results at a club night"))
    calendar_hours_a_round = _listed(
        "hours_a_round",
        _("Time for each round of a match in the browser"),
        [(0, _("no limit")), *map(_hours, HOURS_A_ROUND)],
        format_lazy(
            _(
                "Each side gets it in every round and can save up three. Once it is used up, the AI answers until the "
                "next round. As the preset: {hours} hours in correspondence, else no limit."
            ),
            hours=PRESET_VALUES[CORRESPONDENCE]["hours_a_round"],
        ),
    )
    calendar_ends_on = forms.CharField(
        label=_("The season should be over by"),
        help_text=_("You are warned if it will not be."),
        required=False,
        widget=forms.DateInput({"type": "date"}),
    )

    @property
    def durations(self) -> list[BoundField]:
        """The fields of hours and minutes, which the preset fills."""
        return [each for each in self.parts["calendar"] if each.name.endswith(DURATIONS)]

    @property
    def has_durations(self) -> bool:
        """Whether any duration is filled in."""
        return any(each.value() not in (None, "") for each in self.durations)

    @classmethod
    def showing(cls, calendar: Calendar) -> CalendarForm:
        """Return the form that shows a calendar. It offers the calendar's own hours a round in addition to the list.

        Durations of the preset are left empty, so another preset brings its own.
        """
        hours, usual = calendar.hours_a_round or 0, Calendar.of_preset(calendar.preset).to_json()
        values = {**calendar.to_json(), "hours_a_round": hours}.items()
        shown = {f"{TIME}{key}": each for key, each in values if each != usual[key] or not key.endswith(DURATIONS)}
        form = cls(initial={**shown, **cls.shown_days_off(calendar.days_off)}, auto_id="calendar-%s")
        if hours not in (0, *HOURS_A_ROUND):
            form.fields[f"{TIME}hours_a_round"].widget.choices.append(_hours(hours))
        return form

    def calendar(self) -> dict[str, Any]:
        """Return the calendar that was sent; {} if no preset was sent.

        Raises Malformed (setting_out_of_range, bad_house_rule, not_a_number, bad_field).
        """
        if f"{TIME}preset" not in self.sent:
            return {}
        read = self.read()
        sent = {key.removeprefix(TIME): value for key, value in read.items() if key.startswith(TIME)}
        values = {key: value for key, value in sent.items() if value not in (None, "")}
        if values.get("hours_a_round") == 0:
            values["hours_a_round"] = None
        return Calendar.of_preset(**values, days_off=self.days_off(read)).to_json()


class ChangeCalendarForm(CalendarForm):
    """The calendar of a season that there is already, and what becomes of deadlines that are set."""

    moves_deadlines = forms.BooleanField(
        label=_("Deadlines that are set already move behind new days off, too"),
        help_text=_("Dates that players agreed on for their matches stay."),
        required=False,
    )


GROUP: Mapping[str, Any] = {"calendar_preset": WEEKLY, "calendar_mode": "browser", "ai_stables": 0}
"""What the form of a new season proposes to a group: people play their own matches, a round a week."""

ALONE: Mapping[str, Any] = {"calendar_preset": SOLO, "calendar_mode": "ai", "ai_stables": 3}
"""What it proposes to a person alone: stables of the AI, no deadlines, and the AI plays all matches."""


class SeasonForm(ChangeForm, CalendarForm):
    """A season to open, for the person who will organise it: it begins for a GROUP, or for one person ALONE.

    Services check what the fields do not.
    """

    name = forms.CharField(
        label=_("Name of the season"),
        required=False,
        widget=forms.TextInput({"maxlength": LONGEST_NAME, "required": True}),
    )
    weight_class = forms.ChoiceField(
        label=_("Class of all matches, and Stones that each stable starts with"),
        choices=lambda: [
            (key, f"{capfirst(words.word(words.CLASSES, key))}: {STARTING_CAPITAL[key]}")
            for key in (*WEIGHT_CLASSES, MULTI_CLASS)
        ],
        widget=forms.Select({"id": "season-class"}),
    )
    ai_stables = forms.IntegerField(
        label=_("Stables run by the AI"),
        help_text=_(
            "They are founded at once, thrifty, balanced and reckless ones, and shop when the season starts. Four to "
            "eight stables make a season; two or three can play too."
        ),
        widget=forms.NumberInput({"id": "season-stables", "min": 0, "max": LARGEST_SEASON - 1, "inputmode": "numeric"}),
    )
    ai_bot = how_hard_field()
    joining = forms.ChoiceField(label=_("Who may join"), choices=Season.Joining.choices, initial=Season.Joining.OPEN)
    visibility = forms.ChoiceField(
        label=_("Who may see it"),
        help_text=_(
            "You can change it later. In a season that only those see who take part, others join by your invitation."
        ),
        choices=Season.Visibility.choices,
        initial=Season.Visibility.PUBLIC,
    )
    collection = forms.CharField(
        label=_("Units and cards"),
        help_text=_("A collection’s definitions stand over the game’s own."),
        required=False,
        widget=forms.Select,
    )

    def __init__(self, user: User, data: Mapping[str, str] | None = None, *, is_alone: bool = False) -> None:
        proposed, begins = SeasonSettings(**PRESELECTED), ALONE if is_alone else GROUP
        super().__init__(proposed, data, "season-%s", calendar_time_zone=user.time_zone, **begins)
        for cycle in range(1, len(FORMATS) + 1):
            # Classes are drawn if none is chosen.
            self.fields[f"class_{cycle}"] = forms.ChoiceField(
                label=format_lazy(_("Cycle {number}"), number=cycle),
                choices=[("", _("drawn")), *((key, words.CLASSES[key]) for key in WEIGHT_CLASSES)],
                required=False,
            )
        # Query only where the form is shown, and once.
        self.fields["collection"].widget.choices = cache(
            lambda: [
                ("", gettext("The game’s own")),
                *((each.slug, gettext("The game’s own and {name}").format(name=each.name)) for each in usable_by(user)),
            ]
        )

    def class_order(self, cycles: int) -> list[str]:
        """Return the chosen class of each cycle, "" for a cycle without one; [] if no class was chosen.

        Raises Malformed (setting_out_of_range, bad_house_rule, not_a_number, bad_field).
        """
        values = self.read()
        chosen = [values[f"class_{cycle}"] for cycle in range(1, cycles + 1)]
        return chosen if any(chosen) else []
