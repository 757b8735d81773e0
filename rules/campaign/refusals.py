"""The closed list of what the campaign refuses. Each code has its sentence in rules.campaign.wording."""

from __future__ import annotations

REFUSAL_CODES = (
    # The rules of the season.
    "asset_kind_not_built",
    "over_build_total",
    "capital_too_small",
    "damaged_unit_not_for_sale",
    "pilot_requirement",
    "pilot_missing",
    "no_cards_without_variant",
    "stable_owes",
    "tokens_not_allowed",
    "unique_already_owned",
    "unit_not_printed",
    "printed_dials_missing",
    "unknown_collection",
    "catalogue_in_use",
    "line_up_size",
    "no_open_market",
    "unit_eliminated",
    "unit_sits_out",
    "wrong_class",
    # What this version cannot play.
    "setting_not_built",
    # The state of the season.
    "already_owner_here",
    "asset_sold",
    "cycle_not_over",
    "line_up_sealed",
    "line_up_too_early",
    "market_closed",
    "no_open_fixture",
    "no_round_to_call",
    "repairs_closed",
    "sales_closed",
    "season_closed_to_newcomers",
    "season_full",
    "season_not_recruiting",
    "stable_name_taken",
    "too_few_stables",
    "unit_not_damaged",
    "unit_twice",
)
"""Codes of SeasonRefused (HTTP 409)."""

MALFORMED_CODES = (
    "not_a_number",
    "not_a_text",
    "not_an_object",
    "setting_out_of_range",
    "settings_not_an_object",
    "stable_name_missing",
    "unknown_asset",
    "unknown_asset_kind",
    "unknown_catalogue_entry",
    "unknown_setting",
)
"""Codes of Malformed (HTTP 400)."""
