"""The place in the help that explains each refusal code of the closed list.

A topic is a rule or ruling ("R-MOV-02"), a group of rules ("MOV"), or a page of the help with or without an anchor
("glossary#market", "formats"). The site turns topics into addresses; a test checks that each of them exists.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules.campaign.wording.refusals import SENTENCES as CAMPAIGN_SENTENCES
from rules.catalogue.wording import SENTENCES as CATALOGUE_SENTENCES
from rules.challenge.wording import SENTENCES as CHALLENGE_SENTENCES
from rules.wording.refusals import templates

_IDENTIFIER = re.compile(r"\b(?:R-[A-Z]{3}-\d\d|Q-\d{2,3}|MCQ?-[A-Z]{2,6}-\d\d)\b")

_CODES_OF: Mapping[str, str] = {
    # Matches.
    "ARN": "not_a_start ground_needs_four_maps arena_malformed arena_size unknown_hex unknown_corner",
    "TER": "hex_is_rock unknown_terrain",
    "MOV": "hex_is_taken",
    "CMB": "order_not_now",
    "RND": "not_your_decision other_decision stale_action others_decide",
    "TGT": "target_gone bad_token",
    "END": "match_over side_is_out",
    "BLD": "bad_setup",
    "GER": "bad_gear",
    "PLT": "bad_pilot unknown_ability",
    "RAL": "bad_rally_card unknown_rally_effect",
    "FMT": "format_sides format_units format_starts unknown_format",
    "glossary#unit": "bad_unit unit_without_dial unknown_unit unknown_target not_your_unit",
    "glossary#order": "bad_action bad_field unknown_field bad_json",
    "equipment": "unknown_equipment equipment_wrong_value mapped_unknown_equipment mapped_circle",
    "glossary#house-rule": "bad_house_rule unknown_house_rule unknown_setting",
    "glossary#replay": "bad_event bad_replay unknown_schema match_not_finished replays_not_yet no_such_moment "
    "no_turning_points moment_of_other_rules moment_too_late",
    "glossary#reaction": "bad_standing_answer",
    "glossary#hand-over": "time_not_run_out seat_open seat_taken",
    "glossary#ai": "ai_stables_out_of_range unknown_bot",
    "glossary#advice": "advice_against_people no_advice back_against_people nothing_to_take_back taken_back_too_often",
    "glossary#notice": "job_not_failed",
    "who-sees-what#stored": "account_taken address_taken password_wrong too_often "
    "token_name_taken too_many_tokens unknown_token request_at_work",
    # Seasons: who takes part, and who runs them.
    "glossary#season": "season_name_missing too_many_seasons_recruiting too_many_seasons_running not_alone "
    "catalogues_too_large "
    "not_sure not_an_object not_a_number catalogue_in_use nothing_to_change",
    "glossary#waiting-list": "place_is_free place_is_kept waiting_list_full nobody_waits",
    "glossary#organiser": "organiser_takes_part stable_stays stable_removed stable_passed_on taker_has_stable "
    "organiser_owns_side "
    "guest_may_not seat_has_owner stand_in_is_ai stand_in_plays stand_in_without_match too_many_guests "
    "link_expired link_revoked link_used unknown_passing too_many_links nobody_to_stand_in_for not_handed_over "
    "name_unchanged season_not_renamed only_organiser role_taken unknown_person reason_missing nothing_announced "
    "message_missing nobody_to_write_to page_changed page_too_long nothing_asked nobody_chosen "
    "no_match_to_prepare nothing_to_field no_repair_needed stable_not_awaited",
    "glossary#stable": "already_owner_here colour_malformed unknown_emblem",
    "glossary#identity": "identity_name_taken unknown_identity",
    "glossary#referee": "referee_takes_part",
    "STB": "capital_too_small",
    # Seasons: the market and the garage.
    "glossary#market": "market_closed no_open_market sales_closed unknown_catalogue_entry damaged_unit_not_for_sale "
    "no_crew_for_match no_crew_suggested no_market_deadline stables_unprepared",
    "glossary#asset": "unknown_asset unknown_asset_kind asset_sold too_many_assets no_reserve",
    "glossary#house-statistics": "printed_dials_missing unit_not_printed",
    "glossary#table-only": "season_at_tables_only",
    "glossary#owed": "nothing_owed stable_owes",
    "glossary#sponsor": "no_emergency",
    "glossary#unique": "unique_lost_by_die",
    "glossary#swap": "gear_locked",
    "CRP": "unit_sits_out unit_eliminated unit_twice only_salvage repair_too_late",
    "DTH": "pilot_died report_death_impossible",
    # Seasons: matches, their dates, their results.
    "glossary#line-up": "line_up_sealed line_up_size line_up_too_early no_open_fixture one_crew_only no_unit "
    "pilot_missing claim_needs_line_up",
    "FOR": "duty_to_play forfeit_of_nobody",
    "glossary#fixture": "match_is_made no_fixture_of_yours fixture_settled no_round_to_call mode_needs_no_date "
    "appointment_over proposal_closed date_not_ahead date_too_far time_skipped date_after_deadline deadline_not_ahead "
    "deadline_too_far no_deadline",
    "glossary#day-off": "deadline_on_day_off",
    "glossary#no-show": "claim_not_yours no_show_decided",
    "glossary#pairing": "nobody_to_pair",
    "glossary#cycle": "cycle_begun cycle_is_closing cycle_not_over no_cycle_to_come unknown_cycle",
    "glossary#correction": "correction_changed result_not_settled results_are_final reopen_not_silent reopen_too_late",
    "SUD": "no_sudden_death title_waits_for_you titles_decided",
    # The catalogue.
    "heat": "heat_effect_wrong_value heat_start_not_free mapped_unknown_colour missing_heat_step mapped_shutdown_step",
    "glossary#class": "class_differs_from_variant variant_without_class points_above_cap wished_class_differs "
    "wished_pilot_differs not_built_in",
    "glossary#dial": "missing_click value_rises melee_with_range range_reversed sheet_cell_of_clicks",
    "glossary#arc": "arcs_overlap",
    "glossary#starting-area": "start_blocked start_off_map start_repeated start_unreachable",
    "glossary#target-token": "centre_blocked",
    "glossary#pilot": "common_pilot_with_text pilot_number_of_other_kind",
    "glossary#shelf": "shelf_full",
    "glossary#repair-marker": "mapped_no_repair_marker",
    "cards#gear": "gear_of_one_side",
    # The Melee Challenge.
    "MC-AWD-02": "pilot_unknown pilot_missing_in_entry target_missing own_target pilot_not_in_arena "
    "pilot_at_other_table",
    "MC-EVT-03": "points_or_band",
    "challenge-rules#optional-rules": "option_not_in_play",
    "MC-AWD-01": "turn_closed turn_open_at_table",
    "MC-SETUP-03": "no_deck too_many_places card_unknown order_incomplete",
    "MC-GEN-03": "pilot_name_taken pilot_name_unfit",
    "MC-PILOT-01": "too_few_cp too_few_c_bills too_little_fame",
    "MC-MECH-04": "mech_unknown",
    "MC-ABIL-01": "ability_unknown ability_not_owned too_many_abilities",
    "MC-ABIL-17": "same_house",
    "MC-MEM-01": "membership_unknown member_already not_a_member",
    "MCQ-MEM-03": "owes_for_leaving",
    "MC-LOAN-06": "no_loan_to_repay",
    "MC-BET-02": "no_chips no_such_chip",
    "MC-BET-03": "no_such_bet bet_name_taken",
    "MC-TEAM-01": "no_team has_team",
    "MC-KO-01": "pilot_unconscious",
    "MC-REP-03": "no_such_damage",
}
"""Topic -> its codes, those whose sentences name no rule."""

TOPIC_OF: Mapping[str, str] = {code: topic for topic, codes in _CODES_OF.items() for code in codes.split()}

_PREFIXES: Mapping[str, str] = {
    "basket_": "glossary#basket",
    "hand_over_": "glossary#hand-over",
    "invitation_": "glossary#organiser",
    "photo_": "who-sees-what#write-up",
    "program_": "glossary#program",
    "repairs_": "glossary#repair",
    "report_": "glossary#report",
    "season_document_": "glossary#season",
    "setting_": "glossary#house-rule",
    "settings_": "glossary#house-rule",
    "spending_": "glossary#hand-over",
    "stable_": "glossary#stable",
    "study_": "glossary#ai",
    "sudden_death_": "SUD",
    "swaps_": "glossary#swap",
    "table_": "glossary#report",
    "take_down_": "who-sees-what#write-up",
    "unique_": "glossary#unique",
    "unknown_invitation": "glossary#organiser",
    "webhook_": "glossary#organiser",
    "write_up_": "who-sees-what#write-up",
}
"""Prefix of a family of codes -> the topic of those without one of their own."""

_OF_SEASONS, _OF_CATALOGUES, _OF_MATCHES = "glossary#season", "glossary#collection", "RND"
_OF_CHALLENGE = "challenge-rules"


def topic(code: str) -> str:
    """Return the place of a code in the help; "" for a code outside the closed list.

    It is the first rule that its sentence names, or its own place, or that of its family, or that of its room.
    """
    sentences = list(templates(code))
    if not sentences:
        return ""
    named = _IDENTIFIER.search(" ".join(sentences))
    if named:
        return named[0]
    if code in TOPIC_OF:
        return TOPIC_OF[code]
    for prefix, place in _PREFIXES.items():
        if code.startswith(prefix):
            return place
    if code in CATALOGUE_SENTENCES:
        return _OF_CATALOGUES
    if code in CHALLENGE_SENTENCES:
        return _OF_CHALLENGE
    return _OF_SEASONS if code in CAMPAIGN_SENTENCES else _OF_MATCHES
