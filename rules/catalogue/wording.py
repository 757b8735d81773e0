"""Sentence templates for catalogue problems, and display names of catalogue words, marked for translation.

Placeholders are the parameters of the problem. `rules.wording` and the pages translate and fill the templates. A
parameter that is a word of the vocabulary (an equipment, a class) is shown by its entry in NAMES.
"""

from __future__ import annotations

from rules.core.messages import gettext_noop, pgettext_noop

SENTENCES: dict[str, str] = {
    "catalogue_invalid": gettext_noop("This is no catalogue. Problems found: {count}."),
    "file_unreadable": gettext_noop("The file cannot be read: {reason}."),
    "file_too_large": gettext_noop("The file is larger than {limit} bytes."),
    "file_too_full": gettext_noop("The file holds more than {most} values, and no catalogue needs so many."),
    "file_missing": gettext_noop("No file was sent."),
    "not_json": gettext_noop("This is not JSON: the reader stopped at line {line}, column {column}."),
    "number_too_long": gettext_noop("A number in the file has more than {most} digits."),
    "repeated_key": gettext_noop("The key “{key}” is written twice in one object."),
    "not_a_catalogue": gettext_noop("The file holds none of these lists: {kinds}."),
    "unknown_schema": gettext_noop("The schema version is {found}; this game reads version {known}."),
    "missing_key": gettext_noop("The key “{key}” is missing."),
    "unknown_key": gettext_noop("The key “{key}” is not known here."),
    "missing_click": gettext_noop("This click of the combat dial is empty: the dial is ragged."),
    "missing_heat_step": gettext_noop("This step of the heat dial is empty: the dial is ragged."),
    "wrong_type": gettext_noop("“{value}” is not of the type {expected}."),
    "not_one_of": gettext_noop("“{value}” is not one of: {allowed}."),
    "out_of_range": gettext_noop("{value} is outside the range {least} to {most}."),
    "wrong_count": gettext_noop("There are {count} entries; {least} to {most} are allowed."),
    "wrong_format": gettext_noop("“{value}” is not written in the form that is expected here."),
    "too_long": gettext_noop("The text has more than {longest} characters."),
    "unprintable_text": gettext_noop("The text holds a character that cannot be printed."),
    "duplicate_id": gettext_noop("The id is used twice; it stands in {other} first."),
    "value_rises": gettext_noop("{value}: it rises from {before} to {here}; on a dial a value may only fall."),
    "variant_without_class": gettext_noop("The variant name {variant} does not end in L, M, H or A."),
    "class_differs_from_variant": gettext_noop("The class is {class}, but the variant name {variant} says {means}."),
    "points_above_cap": gettext_noop("{points} points are more than {cap}, the most of this class ({class})."),
    "arcs_overlap": gettext_noop("A front arc of {front} degrees and a rear arc of {rear} do not fit on one base."),
    "melee_with_range": gettext_noop("A melee value has range 0 to 0, not {least} to {most}."),
    "range_reversed": gettext_noop("The minimum range {least} is above the maximum {most}."),
    "gear_of_one_side": gettext_noop("A card for {slot} has one side; none can be declared."),
    "equipment_wrong_value": gettext_noop("{equipment} cannot stand there ({value}). It belongs here: {place}."),
    "heat_start_not_free": gettext_noop("The heat starting position may have neither numbers nor effects."),
    "heat_effect_wrong_value": gettext_noop("{effect} cannot show there ({value}). It belongs here: {place}."),
    "pilot_number_of_other_kind": gettext_noop("The number of a pilot of this kind ({kind}) begins with {prefix}-."),
    "common_pilot_with_text": gettext_noop("A common pilot has no {key}."),
    "hex_off_map": gettext_noop("The hex {hex} is not on the map."),
    "centre_blocked": gettext_noop("The centre hex {hex} is blocked; the first target token is placed there."),
    "start_off_map": gettext_noop("The starting hex {hex} of area {area} is not on the map."),
    "start_blocked": gettext_noop("The starting hex {hex} of area {area} is blocking terrain."),
    "start_repeated": gettext_noop("The starting hex {hex} of area {area} already belongs to area {other}."),
    "start_unreachable": gettext_noop("The starting hex {hex} of area {area} cannot be reached from {from} on foot."),
    "nothing_to_map": gettext_noop("The file has no list of ’Mechs at “{where}”, where this mapping looks for one."),
    "mapping_missing": gettext_noop("This form needs a mapping: send it as a second file."),
    "mapping_unused": gettext_noop("A mapping was sent, but the form of the file is not “{form}”. Choose it."),
    "mapping_wrong": gettext_noop("The mapping is wrong here: {what}."),
    "mapped_left_out": gettext_noop("Left out: it is of the sort “{sort}”, and only ’Mechs are taken."),
    "mapped_default": gettext_noop("The file does not say it; {value} was used."),
    "mapped_no_repair_marker": gettext_noop("The file shows no black repair marker; none was set."),
    "mapped_unknown_equipment": gettext_noop("“{name}” is no special equipment of these rules; it was left out."),
    "mapped_circle": gettext_noop("{equipment} stands in a circle there and was read as single-use."),
    "mapped_shutdown_step": gettext_noop(
        "The file does not show where the unit shuts down; step {step}, one past the last, was used."
    ),
    "mapped_unknown_colour": gettext_noop("The colour {colour} has no heat effect there; it was left out."),
    "mapped_more_notes": gettext_noop("{count} more notes are not kept."),
    "unknown_form": gettext_noop("There is no form of file called “{form}”."),
    "collection_name_missing": gettext_noop("A collection needs a name of 1 to {longest} characters that can be seen."),
    "collection_audience": gettext_noop("A collection is for its keeper, for one season, or for everybody."),
    "too_many_collections": gettext_noop("You keep {most} collections, and nobody may keep more."),
    "too_many_definitions": gettext_noop(
        "Together with those that are there already, these are {count} definitions of one kind ({kind}). No collection "
        "or season takes more than {most} of it."
    ),
    "collections_too_large": gettext_noop(
        "Your collections would take more than {most} million bytes. Make this one smaller: send a file that replaces "
        "all of it."
    ),
    "catalogues_too_large": gettext_noop(
        "The catalogues of your seasons with collections would take more than {most} million bytes. Use a smaller "
        "collection, or one that a season of yours plays with already."
    ),
    "shelf_full": gettext_noop("There are {most} units on your shelf, and no shelf holds more."),
    "no_such_collection": gettext_noop("There is no collection at the address “{collection}”."),
    "not_the_keeper": gettext_noop("Only the keeper of {collection} may change it."),
    "no_such_draft": gettext_noop("There is no import of yours at this address. Send the file again."),
    "dial_would_go": gettext_noop(
        "{unit} has no dial, but the unit {id} of this collection has one. Give it another id, set or number, or send "
        "a file and confirm its preview."
    ),
    "draft_not_open": gettext_noop("This import is not open any more: its state is “{state}”."),
    "collection_moved_on": gettext_noop(
        "{collection} has changed since this preview was made. Send the file again and look at the new preview."
    ),
    "not_a_sheet": gettext_noop(
        "This is no table of text. In Excel choose “Save as”, then “CSV UTF-8 (Comma delimited)”, and send that file."
    ),
    "is_a_workbook": gettext_noop(
        "This is a workbook of a spreadsheet, not a table of text. Open it, choose “Save as”, then “CSV UTF-8 (Comma "
        "delimited)”, and send that file."
    ),
    "is_an_archive": gettext_noop("This is an archive of other files. Unpack it, and send the file that was in it."),
    "file_of_other_game": gettext_noop(
        "This looks like a file for the board game BattleTech ({program}). It has no dials, so nothing in it can be "
        "used here."
    ),
    "read_as": gettext_noop("The file is not in UTF-8. It was read as {encoding}: look at names with accents."),
    "checklist_columns": gettext_noop(
        "A checklist needs the columns “set” and “number”, or one column “id” such as AOD104. “quantity” and “name” "
        "may stand beside them. A list of one set may leave “set” out, with “name” or “quantity” beside “number”."
    ),
    "checklist_cell": gettext_noop("Row {row} says “{found}” in the column “{column}”, which cannot be read."),
    "sheet_column_unknown": gettext_noop("The column “{column}” is not known or stands there twice."),
    "sheet_column_missing": gettext_noop("The column “{column}” is missing."),
    "sheet_row_without_id": gettext_noop("Row {row} has no id."),
    "sheet_row_kind": gettext_noop("Row {row} is neither a “click” nor a “heat” row but “{found}”."),
    "sheet_cells_beyond": gettext_noop("Row {row} has cells beyond the last column of the heading."),
    "sheet_cell_of_clicks": gettext_noop("Row {row} is a heat row; this column is for clicks."),
    "sheet_equipment_unknown": gettext_noop(
        "“{found}” is no special equipment there. Write its colour, its English name or one of: {known}."
    ),
    "sheet_effect_unknown": gettext_noop(
        "“{found}” is no heat effect there. Write its colour, its English name or one of: {known}."
    ),
    "sheet_differs": gettext_noop("Row {row} says something else in the column “{column}” than the rows above."),
}
"""One sentence for each problem code."""

IMPORTS: dict[str, str] = {
    "open": gettext_noop("waits for confirmation"),
    "confirmed": pgettext_noop("import", "confirmed"),
    "discarded": pgettext_noop("import", "discarded"),
}
"""The states of a file that is taken in."""

NAMES: dict[str, str] = {
    "units": gettext_noop("Units"),
    "gear": gettext_noop("Gear"),
    "pilots": gettext_noop("Pilots"),
    "rally_cards": gettext_noop("Rally cards"),
    "target_tokens": gettext_noop("Target tokens"),
    "arenas": gettext_noop("Arenas"),
    "light": pgettext_noop("class", "Light"),
    "medium": pgettext_noop("class", "Medium"),
    "heavy": pgettext_noop("class", "Heavy"),
    "assault": pgettext_noop("class", "Assault"),
    "green": gettext_noop("Green"),
    "veteran": gettext_noop("Veteran"),
    "elite": gettext_noop("Elite"),
    "unique": pgettext_noop("experience", "Unique"),
    "common": gettext_noop("Common"),
    "legendary": gettext_noop("Legendary"),
    "gunslinger": gettext_noop("Gunslinger"),
    "house": gettext_noop("House statistics"),
    "printed": gettext_noop("Printed statistics"),
    "imported": gettext_noop("Imported statistics"),
    "ballistic": gettext_noop("Ballistic"),
    "energy": gettext_noop("Energy"),
    "melee": gettext_noop("Melee"),
    "primary": gettext_noop("Primary damage"),
    "secondary": gettext_noop("Secondary damage"),
    "either": gettext_noop("Primary or secondary damage"),
    "speed": gettext_noop("Speed"),
    "attack": gettext_noop("Attack"),
    "defense": gettext_noop("Defense"),
    "clear": gettext_noop("Clear"),
    "hindering": gettext_noop("Hindering"),
    "blocking": gettext_noop("Blocking"),
    "water": gettext_noop("Water"),
    "elevated": gettext_noop("Elevated"),
    "abrupt": gettext_noop("Abrupt elevated"),
    "artemis_v_fire_control_system": gettext_noop("Artemis V Fire-Control System"),
    "homing_beacon": gettext_noop("Homing Beacon"),
    "armor_piercing": gettext_noop("Armor Piercing"),
    "anti_personnel": gettext_noop("Anti-Personnel"),
    "streak_missiles": gettext_noop("Streak Missiles"),
    "point_defense_system": gettext_noop("Point Defense System"),
    "ppc_capacitor": gettext_noop("PPC Capacitor"),
    "tsemp": gettext_noop("TSEMP"),
    "pulse": gettext_noop("Pulse"),
    "grapple": gettext_noop("Grapple"),
    "alpha_strike": gettext_noop("Alpha Strike"),
    "flamers": gettext_noop("Flamers"),
    "full_strike": gettext_noop("Full Strike"),
    "hand_to_hand_weapon": gettext_noop("Hand-to-Hand Weapon"),
    "rapid_strike": gettext_noop("Rapid Strike"),
    "agility": gettext_noop("Agility"),
    "brawling": gettext_noop("Brawling"),
    "reconnaissance": gettext_noop("Reconnaissance"),
    "camouflage": gettext_noop("Camouflage"),
    "evade": gettext_noop("Evade"),
    "jump_jets": gettext_noop("Jump Jets"),
    "electronic_camouflage": gettext_noop("Electronic Camouflage"),
    "infiltrate": gettext_noop("Infiltrate"),
    "coolant_flush": gettext_noop("Coolant Flush"),
    "repair": pgettext_noop("equipment", "Repair"),
    "bypass": gettext_noop("Bypass"),
    "improved_targeting": gettext_noop("Improved Targeting"),
    "salvage": gettext_noop("Salvage"),
    "command": gettext_noop("Command"),
    "advanced_anti_missile_system": gettext_noop("Advanced Anti-Missile System"),
    "decoy": gettext_noop("Decoy"),
    "reflective_armor": gettext_noop("Reflective Armor"),
    "reactive_armor": gettext_noop("Reactive Armor"),
    "hardened_armor": gettext_noop("Hardened Armor"),
    "heavy_armor": gettext_noop("Heavy Armor"),
    "avoid_ammunition_explosion": gettext_noop("Avoid Ammunition Explosion"),
    "avoid_ammunition_explosion_critical": gettext_noop("Avoid Ammunition Explosion Critical"),
    "avoid_heat_sink_overload": gettext_noop("Avoid Heat Sink Overload"),
    "avoid_heat_sink_overload_critical": gettext_noop("Avoid Heat Sink Overload Critical"),
    "avoid_shutdown": gettext_noop("Avoid Shutdown"),
    "avoid_shutdown_critical": gettext_noop("Avoid Shutdown Critical"),
    "ammunition_jam": gettext_noop("Ammunition Jam"),
    "weapons_offline": gettext_noop("Weapons Offline"),
    "engine_overheat": gettext_noop("Engine Overheat"),
    "json": gettext_noop("JSON of this catalogue"),
    "csv": gettext_noop("CSV sheet of units"),
    "columns_of_colours": gettext_noop("Units by number with a list for each value"),
    "dial_steps": gettext_noop("Unit list with dial steps"),
    "tagged_clicks": gettext_noop("Unit list with tagged clicks"),
    "battle_values": gettext_noop("a list of battle values"),
    "mapping": gettext_noop("Another form, by a mapping of my own"),
}
"""The display name of every word of the vocabulary."""
