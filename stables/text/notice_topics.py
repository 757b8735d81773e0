"""The topics of notices of seasons, those that ask for an act, and those for the people who run a season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

DATES = ("date_proposed", "mode_proposed", "proposal_accepted", "proposal_declined")
"""Notices of proposals, which may be for tonight."""

SET_FOR_YOU = ("fixture_date_set", "fixture_date_moved", "fixture_mode_set", "fixture_arena_set", "fixture_table_set",
               "pairing_swapped", "pairing_swapped_for_a_bye", "deadline_moved", "fixture_excused",
               "fixture_excuse_withdrawn", "fixture_forfeit_declared")  # fmt: skip
"""Notices of what an organiser sets for a match, which may be for tonight too."""

TOPICS: Mapping[str, Sequence[str]] = {
    "matches": ("line_up_due", "line_up_chosen", "rival_forfeits", "match_ready", "match_near", "fixture_arena_set",
                "fixture_forfeit_declared", "fixture_given_to_the_ai", "fixture_line_up_reopened", "fixture_mode_set",
                "fixture_table_set", "table_pin_made", "stable_lined_up", "reminder_line_up", "reminder_match",
                "pairing_swapped", "pairing_swapped_for_a_bye", "line_up_taken_back", "sudden_death_called",
                "sudden_death_extended", "sudden_death_ends", "sudden_death_off"),
    "dates": (*DATES, "no_show_claimed", "no_show_choice", "deadline_moved", "calendar_changed", "fixture_date_set",
              "fixture_date_moved",
              "fixture_excused", "fixture_excuse_withdrawn", "who_comes"),
    "results": ("report_names_you", "report_due", "report_reminder", "report_disputed", "result_by_silence",
                "table_pin_confirmed", "result_reopened", "result_decided", "correction_made", "cycle_closed"),
    "market": ("market_open", "market_put_off", "ready_ended", "basket_not_sealed", "basket_filled", "hand_over_ended",
               "reminder_market", "stable_repaired"),
    "organising": ("stable_joined", "person_waits", "ruling_wanted", "no_show_told", "match_late", "match_unplayed",
                   "job_failed", "role_given", "role_taken_back", "webhook_made", "webhook_turned_off",
                   "webhook_gone", "webhook_maker_gone"),
    "season": ("settings_announced", "settings_taken_back", "season_started", "season_paused", "season_resumed",
               "season_cancelled", "season_finished", "season_provisional", "season_stands", "season_stands_corrected",
               "season_renamed", "season_invites_again", "season_message", "stable_left",
               "stable_removed", "stable_withdrawn", "stable_handed_to_ai", "stable_taken_from_ai", "stable_offered",
               "stable_offer_revoked", "stable_passed", "stable_yours", "stable_claimed", "guest_link_renewed",
               "stand_in_named", "stand_in_yours", "stand_in_link", "stand_in_over",
               "season_page_changed", "visibility_public", "visibility_unlisted", "visibility_private",
               "place_offered", "place_not_taken", "miniature_removed",
               "waiting_passed_over", "seat_proposed", "seat_agreed"),
}  # fmt: skip
"""Topic of the digest (people.text.digests) -> its codes. Every notice of a season has one."""

NEWS_OF_OFFICES = (*TOPICS["organising"], "stable_left")
"""Notices that organisers and referees find together in their inbox."""


ASKS: Mapping[str, str] = {
    **dict.fromkeys(
        ("line_up_due", "match_ready", "market_open", "report_names_you", "report_reminder", "stand_in_yours"), "due"
    ),
    **dict.fromkeys(
        ("match_near", "date_proposed", "report_due", "sudden_death_called", "sudden_death_extended"), "at"
    ),
    "sudden_death_ends": "at",
    **dict.fromkeys(("reminder_market", "reminder_line_up", "reminder_match", "fixture_line_up_reopened"), "due"),
    "ready_ended": "due",
    **dict.fromkeys(("mode_proposed", "seat_proposed", "report_disputed", "ruling_wanted", "no_show_choice"), ""),
    "who_comes": "",
    "no_show_claimed": "date",
    **dict.fromkeys(("job_failed", "webhook_turned_off", "webhook_gone", "webhook_maker_gone"), ""),
    "place_offered": "until",
}
"""Notices that ask for an act -> the parameter that says until when."""

HAPPENS: Mapping[str, str] = dict.fromkeys(("fixture_date_set", "fixture_date_moved", "deadline_moved"), "date")
"""Notices of a time that is set -> its parameter. Their mails do not wait for an hour when it is near."""
