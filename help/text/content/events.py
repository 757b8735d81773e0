"""The rules behind the lines of a match's log that show dice and numbers."""

from __future__ import annotations

from collections.abc import Mapping

EVENT_RULES: Mapping[str, str] = {
    "setup_rolled": "R-ARN-01",
    "initiative_rolled": "R-INI-01",
    "initiative_chosen": "R-INI-04",
    "turn_order": "R-INI-02",
    "break_away_rolled": "R-BRK-01",
    "pinned": "R-PIN-02",
    "revive_rolled": "R-UNC-05",
    "pilot_unconscious": "R-CRT-02",
    "damage_noted": "R-DMG-04",
    "dial_turned": "R-DMG-11",
    "eliminated": "R-ELM-01",
    "single_use_spent": "R-SEG-06",
    "repaired": "R-GEN-05",
    "heat_noted": "R-HET-11",
    "heat_dial_turned": "R-HET-15",
    "heat_die_cleared": "R-VNT-02",
    "heat_effect_rolled": "R-HET-14",
    "shut_down": "R-SHD-01",
    "restarted": "R-SHD-10",
    "token_rolled": "R-TGT-13",
    "token_counted": "Q-120",
    "token_destroyed": "R-TGT-09",
    "tagged": "R-FMT-10",
    "flag_tried": "R-FMT-15",
    "flag_shaken": "R-FMT-18",
    "pilot_fate": "R-DTH-01",
    "kill": "R-END-05",
    "surrendered": "R-SUR-03",
    "tie_rolled": "R-END-10",
    "match_ended": "R-END-08",
}
"""Kind of event -> id of its rule. Events whose lines name their rules already, and attacks, have no entry."""
