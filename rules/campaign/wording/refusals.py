"""The sentences of the campaign's refusals, each translated as a whole. Placeholders are the refusal's parameters."""

from __future__ import annotations

from collections.abc import Mapping

from rules.campaign.wording.appointments import SENTENCES as APPOINTMENT_SENTENCES
from rules.campaign.wording.directing import SENTENCES as DIRECTING_SENTENCES
from rules.campaign.wording.market import SENTENCES as MARKET_SENTENCES
from rules.campaign.wording.season import SENTENCES as SEASON_SENTENCES
from rules.campaign.wording.tabletop import SENTENCES as TABLE_SENTENCES
from rules.campaign.wording.titles import SENTENCES as TITLE_SENTENCES
from rules.campaign.wording.webhooks import SENTENCES as WEBHOOK_SENTENCES
from rules.core.messages import gettext_noop, ngettext_noop

SENTENCES: Mapping[str, str] = {
    "duty_to_play": gettext_noop(
        "The stable has an able unit that fits, with a pilot, so it must play this match. "
        "It may surrender at its first decision ({rule})."
    ),
    "over_build_total": gettext_noop(
        "{unit} with its pilot and gear comes to {total} points and the build total is {cap} (R-BLD-07). Choose a "
        "cheaper pilot or unit, or leave gear at home."
    ),
    "capital_too_small": gettext_noop(
        "{name} costs {price}, and the stable has {capital}: short by {missing}. "
        "Sell an undamaged asset or choose a cheaper one ({rule})."
    ),
    "damaged_unit_not_for_sale": gettext_noop(
        "{name} is off its start marker and cannot be sold. Repair it first ({rule})."
    ),
    "pilot_requirement": gettext_noop(
        "{pilot} may not be assigned to this unit: its class or weapons are not what the pilot asks for (R-PLT-01)."
    ),
    "pilot_missing": gettext_noop("{name} needs a pilot to compete. Assign one of the stable's pilots ({rule})."),
    "no_cards_without_variant": gettext_noop(
        "{unit} is from before Age of Destruction and takes no pilot and no gear (R-BLD-15)."
    ),
    "stable_owes": gettext_noop("The stable owes {owed} after a correction and cannot buy until the debt is paid."),
    "tokens_not_allowed": ngettext_noop(
        "{count} target token worth {worth} reputation was chosen; a side brings {needed} worth {pool} together "
        "(R-BLD-17).",
        "{count} target tokens worth {worth} reputation were chosen; a side brings {needed} worth {pool} together "
        "(R-BLD-17).",
    ),
    "unique_already_owned": gettext_noop("The stable owns {name} already and may hold one copy of a Unique ({rule})."),
    "unit_not_printed": gettext_noop(
        "This season is played with printed dials, and {name} has house statistics. Choose a unit from a collection."
    ),
    "printed_dials_missing": gettext_noop(
        "With printed dials a season needs a collection with units of its class ({class}); this one has none."
    ),
    "season_at_tables_only": gettext_noop(
        "This season is played at real tables only: no AI acts in it, and no match is played here."
    ),
    "catalogue_in_use": gettext_noop("Something has been bought already; the units of this season stay as they are."),
    "unknown_collection": gettext_noop("There is no collection called {collection} that you may use here."),
    "no_open_market": gettext_noop("The season is “{state}”; no cycle waits to be started."),
    "line_up_size": ngettext_noop(
        "The line-up has {units} unit; this match takes {needed}, and this stable owes {owed} at least ({rule}).",
        "The line-up has {units} units; this match takes {needed}, and this stable owes {owed} at least ({rule}).",
        "units",
    ),
    "unit_eliminated": gettext_noop("{name} is eliminated and cannot be used until it is repaired ({rule})."),
    "unit_sits_out": gettext_noop("{name} was repaired after an elimination and sits out this match ({rule})."),
    "wrong_class": gettext_noop("{unit} is of another class ({class}). This match is for: {needed} (R-BLD-09)."),
    "setting_not_built": gettext_noop("This version cannot play a season with this setting yet: {setting} ({value})."),
    "already_owner_here": gettext_noop("You own a stable in this season already: {stable}."),
    "asset_sold": gettext_noop("{name} does not belong to the stable any more."),
    "cycle_not_over": gettext_noop("Cycle {cycle} still has matches to play and cannot be closed."),
    "line_up_sealed": gettext_noop("The line-up for this match is handed in and sealed."),
    "line_up_too_early": gettext_noop("Line-ups for this match are not called for now: its state is “{state}”."),
    "market_closed": gettext_noop(
        "Assets are bought when the season starts and between cycles. "
        "The market opens again when this cycle is closed ({rule})."
    ),
    "no_open_fixture": gettext_noop("No line-up is called for now: the stable has no open match."),
    "no_round_to_call": gettext_noop(
        "No line-up is waited for now, so there is no time to call. The season is “{state}”."
    ),
    "not_alone": gettext_noop("This is for a season that you play alone; others take part in this one."),
    "repairs_closed": gettext_noop(
        "Repairs are made between matches: after a result is settled and before the next line-up is handed in ({rule})."
    ),
    "sales_closed": gettext_noop(
        "Assets are sold between matches: after a result is settled and before the next line-up is handed in ({rule})."
    ),
    "season_closed_to_newcomers": gettext_noop(
        "No stable can be founded in this season now. It takes some while it recruits, and at the start of a cycle, "
        "until the market closes."
    ),
    "season_full": gettext_noop("This season has its {largest} stables. Look for another season that is recruiting."),
    "season_no_draft": gettext_noop("This season is “{state}”; only a draft can be published."),
    "season_not_recruiting": gettext_noop("This season is “{state}”; only a recruiting season can start."),
    "stable_name_taken": gettext_noop("Another stable of this season is called {name}. Choose another name."),
    "too_few_stables": ngettext_noop(
        "The season has {stables} stable and needs at least {smallest} to start.",
        "The season has {stables} stables and needs at least {smallest} to start.",
        "stables",
    ),
    "unit_not_damaged": gettext_noop("{name} stands on its start marker and needs no repair (R-CRP-11)."),
    "unit_twice": gettext_noop("{name} can stand in the order only once."),
    "not_a_number": gettext_noop("{field} must be a whole number."),
    "not_an_object": gettext_noop("The request must be a JSON object or a form."),
    "setting_out_of_range": gettext_noop("The setting {setting} cannot have the value {value}."),
    "settings_not_an_object": gettext_noop("Season settings must be an object of names and values."),
    "stable_name_missing": gettext_noop("A stable needs a name of 1 to {longest} characters that can be seen."),
    "unknown_asset": gettext_noop("The stable has no such asset."),
    "unknown_asset_kind": gettext_noop("There is no kind of asset called {kind}."),
    "unknown_catalogue_entry": gettext_noop("The catalogue of this season has no {kind} called {key}."),
    "unknown_setting": gettext_noop("There is no season setting called {setting}."),
    **APPOINTMENT_SENTENCES,
    **DIRECTING_SENTENCES,
    **MARKET_SENTENCES,
    **SEASON_SENTENCES,
    **TABLE_SENTENCES,
    **TITLE_SENTENCES,
    **WEBHOOK_SENTENCES,
    "correction_changed": gettext_noop(
        "What the correction would change is not what you looked at any more. Look at it again, then apply it."
    ),
    "fixture_settled": gettext_noop("The result of this match is settled already."),
    "forfeit_of_nobody": gettext_noop("Name the stables of one side that forfeit this match; the other side wins it."),
    "nothing_owed": gettext_noop("{name} owes nothing."),
    "referee_takes_part": gettext_noop(
        "You own a stable of this match, so somebody else has to decide it: an organiser or a referee of the season. "
        "An organiser names them on the season’s console."
    ),
    "reopen_not_silent": gettext_noop(
        "Only a result that was confirmed because you said nothing can be opened again, and only by you. "
        "Ask an organiser for a correction."
    ),
    "reopen_too_late": gettext_noop(
        "Cycle {cycle} is closed, so the result stays as it is. Ask an organiser for a correction."
    ),
    "report_clicks_out_of_dial": gettext_noop(
        "{unit} cannot be at click {clicks}: its dial ends after {most}, and then the unit is eliminated."
    ),
    "report_death_impossible": gettext_noop(
        "The pilot of {unit} cannot have died: pilots die only when their unit is eliminated, and only in seasons "
        "that play with pilot death ({rule})."
    ),
    "report_eliminations_unlikely": gettext_noop(
        "{side} cannot have earned {points} reputation by eliminations; by these kills it could be {could_be} ({rule})."
    ),
    "report_end_unlikely": ngettext_noop(
        "The match cannot have ended like that ({ended_by}): by this report {left} side still had a unit ({rule}).",
        "The match cannot have ended like that ({ended_by}): by this report {left} sides still had a unit ({rule}).",
        "left",
    ),
    "report_flags_unlikely": gettext_noop(
        "No place of the flags is worth these points ({points}). A side that surrendered gets none ({rule})."
    ),
    "report_kills_unlikely": ngettext_noop(
        "The kills do not fit the eliminated units: {kills} kill and {eliminated} eliminated. "
        "A unit kills only opponents, and each of them once ({rule}).",
        "The kills do not fit the eliminated units: {kills} kills and {eliminated} eliminated. "
        "A unit kills only opponents, and each of them once ({rule}).",
        "kills",
    ),
    "report_not_at_table": gettext_noop("This match is not played at a table ({mode}), so nobody reports it."),
    "report_not_newest": gettext_noop("There is a newer report, or none. Look at the match again before you confirm."),
    "report_not_yours": gettext_noop("Your stable does not play in this match."),
    "report_reopened_before": gettext_noop(
        "This result was opened again once already. Ask an organiser for a correction."
    ),
    "report_tokens_too_many": gettext_noop(
        "All target tokens of this match are worth {most} together; {points} cannot have been earned ({rule})."
    ),
    "report_tokens_unlikely": gettext_noop(
        "{side} cannot have earned {points} with the target tokens of this match ({rule})."
    ),
    "report_too_early": gettext_noop("The state of this match is “{state}”, so it cannot be reported now."),
    "report_winner_unlikely": gettext_noop("By this report {winner} has not won; it would be {could_be} ({rule})."),
    "results_are_final": gettext_noop("The season is “{state}”; its results stay as they are."),
    "result_not_settled": gettext_noop("This match has no settled result that could be corrected."),
    "titles_decided": gettext_noop(
        "A title of this season has been decided by these results, so they stay as they are."
    ),
    "reason_missing": gettext_noop("Give a reason of 1 to {longest} characters; everybody in the season can read it."),
}
"""Code -> template with {name} placeholders."""

AMOUNTS: Mapping[str, tuple[str, ...]] = {
    "capital_too_small": ("price", "capital", "missing"),
    "stable_owes": ("owed",),
    "spending_limit_reached": ("left",),
}
"""The parameters of a refusal that are Stones."""

MOMENTS = frozenset({"date", "day", "due", "from", "time", "to"})
"""The parameters of these refusals that are times."""
