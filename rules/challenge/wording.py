"""The sentences of the Challenge's refusals, each translated as a whole. Placeholders are the refusal's parameters."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop, ngettext_noop

SENTENCES: Mapping[str, str] = {
    # What an entry says.
    "bad_challenge": gettext_noop("The event cannot be read. {field}: {problem}."),
    "bad_entry": gettext_noop("The entry cannot be read. {field}: {problem}."),
    "pilot_unknown": gettext_noop("No pilot of this event is called {pilot}."),
    "pilot_missing_in_entry": gettext_noop("Say which pilot this is about."),
    "target_missing": gettext_noop("Say at whom."),
    "own_target": gettext_noop("{pilot} cannot be their own target."),
    "points_or_band": gettext_noop("Enter the damage as a number or as a band, one of the two."),
    "turn_closed": gettext_noop("Turn {turn} is closed; the table plays turn {now}. Correct a closed turn instead."),
    "turn_open": gettext_noop("This is done at the start or the end of a day, and a turn is open (MC-CUST-08)."),
    "turn_open_at_table": gettext_noop("Turn {turn} at table {table} is still open. Close it first."),
    "option_not_in_play": gettext_noop("This event is played without that optional rule ({option})."),
    "no_such_entry": gettext_noop("This event has no entry {entry}."),
    "entry_undone": gettext_noop("Entry {entry} is undone already."),
    "entry_needed": gettext_noop("Later entries need this one. Undo them first."),
    "why_missing": gettext_noop("Its turn is closed. Say why you correct it."),
    "event_damaged": gettext_noop("The document does not fit together at entry {entry}, and nothing was stored."),
    "event_closed": gettext_noop("This event is over, and its book is closed."),
    "claim_answered": gettext_noop("Somebody has answered this claim already."),
    "claims_waiting": gettext_noop("{most} claims wait for an answer already. Ask the agent to look at them."),
    "no_deck": gettext_noop("No card of this turn is being drawn. Shuffle the deck first."),
    "portals_too_few": gettext_noop(
        "Too few portals are free in the initial set-up (MC-SETUP-02). Pilots who would enter: {pilots}. Free portals: "
        "{free}."
    ),
    "too_many_places": ngettext_noop(
        "This card goes at most {most} place later.", "This card goes at most {most} places later.", "most"
    ),
    # In the arena and out of it.
    "pilot_dead": gettext_noop("{pilot} is dead, and the record is closed (MC-DEATH-01)."),
    "pilot_alive": gettext_noop("{pilot} is alive; only a killed pilot rolls to be saved (MC-DEATH-03)."),
    "pilot_in_arena": gettext_noop("{pilot} is in the arena; this waits for the off-board cycle (MC-PILOT-05)."),
    "pilot_not_in_arena": gettext_noop("{pilot} is not in the arena."),
    "no_mech": gettext_noop("{pilot} has no 'Mech (MC-GEN-02)."),
    "mech_not_ready": gettext_noop("The 'Mech of {pilot} must be repaired before it goes back in (MC-REP-02)."),
    "mech_sold_at_the_door": gettext_noop(
        "{membership} drops {pilot} before the entry and sells the 'Mech that was changed there (MC-MEM-09)."
        " Let them look first."
    ),
    "too_early_to_enter": gettext_noop("{pilot} may come back in turn {turn} (MC-OBC-01)."),
    "too_early_to_leave": gettext_noop("{pilot} may leave by a portal from turn {turn} on (MC-EXIT-01)."),
    "portal_taken": gettext_noop("Another pilot enters by portal {portal} this turn (MC-SETUP-02)."),
    "out_of_the_final": gettext_noop("{pilot} has left the final and cannot come back (MC-EXIT-03)."),
    "pilot_name_taken": gettext_noop("{pilot} is in this event already. Choose another name or number."),
    "pilot_name_unfit": gettext_noop("A pilot cannot be called {pilot}: a name has no slash, and more than dots."),
    "player_has_pilot": gettext_noop("{player} plays {pilot}, who is alive (MC-DEATH-02)."),
    # What a pilot can pay.
    "too_few_cp": gettext_noop("{pilot} has {there} CP, and this costs {needed}."),
    "too_few_c_bills": gettext_noop("{pilot} can spend {there} C-bills, and this costs {needed}."),
    "too_little_fame": gettext_noop("{pilot} has {there} Fame, and this asks for {needed}."),
    # The off-board cycle.
    "step_left_behind": gettext_noop("{pilot} has gone past that step; the cycle knows no way back (MC-OBC-02)."),
    "wrong_step": gettext_noop("That belongs to another phase of the off-board cycle: {step} (MC-OBC-02)."),
    "mech_undamaged": gettext_noop("The 'Mech of {pilot} has nothing that costs to repair (MC-REP-01)."),
    "no_spot_repair": gettext_noop("A destroyed 'Mech is repaired in full or not at all (MC-REP-04)."),
    "no_coupon": gettext_noop("{pilot} has no coupon from a charge or a death from above (MC-REP-10)."),
    "too_many_repair_cp": gettext_noop("At most {most} CP lower this repair (MC-REP-11)."),
    "no_such_wounds": ngettext_noop(
        "{pilot} has {wounds} wound to heal (MC-REP-08).", "{pilot} has {wounds} wounds to heal (MC-REP-08).", "wounds"
    ),
    "no_weapon_replacement": gettext_noop(
        "Only O'Neals puts Clan weapons in, and {pilot} is not with them (MC-REP-16)."
    ),
    "no_disabled_weapon": gettext_noop("Each disabled weapon of {pilot} has had its roll (MC-REP-16)."),
    "repair_before_sale": gettext_noop(
        "Repair the 'Mech in full before its sale; it may put {pilot} in debt (MC-MECH-02)."
    ),
    "no_buyer_unrepaired": gettext_noop("Nobody buys this 'Mech of {pilot} as it stands (MC-MECH-06)."),
    # Buying 'Mechs.
    "one_mech": gettext_noop("{pilot} owns a 'Mech; sell it first (MC-MECH-01)."),
    "mech_unknown": gettext_noop("The list has no 'Mech {mech}."),
    "mech_too_valuable": gettext_noop("{mech} is dearer than this session allows: {most} C-bills (MC-LIMIT-01)."),
    "mech_within_limit": gettext_noop("{mech} is within the session's limit and is not taken back (MC-LIMIT-02)."),
    "no_clan_mechs": gettext_noop(
        "{mech} is a Clan 'Mech, and only members of stables with the Clan mark buy one (MC-CLAN-02)."
    ),
    "mech_class_barred": gettext_noop("The stable does not field 'Mechs of the class {class} (MC-STAB-02)."),
    "mech_tech_barred": gettext_noop("The stable does not field 'Mechs of this technology: {tech} (MC-STAB-02)."),
    "mech_too_slow": gettext_noop("The 'Mech is too slow for the stable (MC-STAB-02)."),
    "mech_leg_slots": gettext_noop("The stable wants one or two open slots in each leg (MC-STAB-02)."),
    # Abilities, Edge, houses.
    "ability_unknown": gettext_noop("There is no such ability to buy: {ability}."),
    "ability_owned": gettext_noop("The pilot has this ability already (MC-ABIL-01): {ability}."),
    "ability_not_owned": gettext_noop("{pilot} has no such ability that works: {ability}."),
    "ability_needs": gettext_noop("{ability} is bought after {needs} (MC-ABIL-07)."),
    "ability_not_with": gettext_noop("{ability} is not bought in this stable (MC-ABIL-10)."),
    "ability_suspended": gettext_noop("A wound suspends this ability of {pilot} (MC-WOUND-01): {ability}."),
    "ability_wound_immune": gettext_noop("Wounds do not touch this ability (MC-ABIL-12): {ability}. Choose another."),
    "tier_full": ngettext_noop(
        "A pilot buys at most {most} ability of tier {tier} in a career (MC-ABIL-04).",
        "A pilot buys at most {most} abilities of tier {tier} in a career (MC-ABIL-04).",
        "most",
    ),
    "too_many_abilities": ngettext_noop(
        "A pilot has at most {most} ability.", "A pilot has at most {most} abilities.", "most"
    ),
    "choice_missing": gettext_noop("Name the one weapon (MC-ABIL-09)."),
    "ammunition_missing": gettext_noop("Name the ammunition of this weapon, too (MC-ABIL-09)."),
    "no_token": gettext_noop("{pilot} has used this ability in this period (MC-ABIL-13): {ability}."),
    "no_edge": gettext_noop("{pilot} has no Edge card left (MC-EDGE-04)."),
    "edge_full": ngettext_noop(
        "{pilot} may hold {most} Edge card (MC-EDGE-06).", "{pilot} may hold {most} Edge cards (MC-EDGE-06).", "most"
    ),
    "house_declared": gettext_noop("A house is declared already: {house}. Change it instead (MC-ABIL-17)."),
    "no_house": gettext_noop("{pilot} has declared no house yet (MC-ABIL-17)."),
    "same_house": gettext_noop("This is the pilot's house: {house}."),
    "ammunition_barred": gettext_noop("This load is barred (MC-BOARD-04): {ammunition}."),
    "no_special_ammunition": gettext_noop("No stable or sponsor of {pilot} has special ammunition (MC-REP-15)."),
    "no_partial_loads": gettext_noop("A bin is loaded with one kind of ammunition (MC-BOARD-05)."),
    # Stables and sponsors.
    "membership_unknown": gettext_noop("There is no such stable or sponsor: {membership}."),
    "membership_closed": gettext_noop("Who has left does not come back (MC-MEM-08): {membership}."),
    "member_already": gettext_noop("The pilot is there already: {membership}."),
    "not_a_member": gettext_noop("{pilot} has no such stable or sponsor."),
    "one_stable": gettext_noop("A pilot has one stable (MC-MEM-01), and this is it: {stable}."),
    "two_sponsors": gettext_noop("A pilot has at most two sponsors (MC-MEM-01)."),
    "wrong_house": gettext_noop("Only pilots of one house are taken there (MC-MEM-04): {house}."),
    "owes_for_leaving": gettext_noop("{pilot} still owes for an earlier dismissal and signs nowhere until it is paid."),
    # Loans.
    "loan_open": gettext_noop("{pilot} has an open loan (MC-LOAN-05, MC-LOAN-08)."),
    "stablemate_loan_open": gettext_noop(
        "{pilot} owes a stablemate and buys nothing of this kind until it is repaid (MC-STSP-06)."
    ),
    "loan_too_high": gettext_noop("{pilot} may borrow {most} C-bills at their Fame (MC-LOAN-02)."),
    "no_loan_to_repay": gettext_noop("{pilot} has nothing to repay."),
    "no_stablemates": gettext_noop("Only stablemates lend to each other, and {pilot} is none (MC-STSP-04)."),
    # Customised 'Mechs.
    "no_customising": gettext_noop("This builder does not change the 'Mechs of this pilot (MC-CUST-02): {membership}."),
    "changed_cost_missing": gettext_noop("Say what the changed 'Mech costs (MC-CUST-05)."),
    "no_custom_omni": gettext_noop("An OmniMech is not changed (MC-CUST-07)."),
    "not_removable": gettext_noop("This may not be taken out (MC-CUST-01): {item}."),
    # Translators: a stable or a sponsor who changes ’Mechs
    "not_addable": gettext_noop("This builder does not build this in (MC-CUST-02): {item}."),
    "not_same_place": gettext_noop("What comes in goes where something came out (MC-CUST-04)."),
    "too_heavy": gettext_noop("What comes in may weigh no more than what came out (MC-CUST-03)."),
    # Chips, bets, teams.
    "no_chips": gettext_noop("{pilot} has no chip to cash."),
    "no_such_chip": gettext_noop("{pilot} holds no chip of this row: {row}."),
    "chips_left": ngettext_noop(
        "{pilot} must cash {chips} chip before the day ends (MC-BET-08).",
        "{pilot} must cash {chips} chips before the day ends (MC-BET-08).",
        "chips",
    ),
    "chips_of_two_colours": gettext_noop("Both chips of a bet have one colour (MC-BET-05)."),
    "chips_of_one_event": gettext_noop("The chips of a bet show two different events here (MC-BET-05)."),
    "no_such_bet": gettext_noop("There is no such open bet."),
    "no_team": gettext_noop("{pilot} is in no team."),
    "has_team": gettext_noop("{pilot} is in a team already."),
    "team_has_sponsor": gettext_noop("The team has a sponsor, and it has one (MC-TEAM-04): {membership}."),
    "team_in_other_stable": gettext_noop("The members of a team join the same stable (MC-TEAM-05): {stable}."),
    "sponsor_of_team": gettext_noop("This sponsor has the pilot's team already (MC-TEAM-04): {membership}."),
    "sponsor_of_member": gettext_noop("This sponsor has a member of the team already (MC-TEAM-04): {membership}."),
    "auto_eject_off": gettext_noop("The sheet of {pilot} has automatic ejection switched off (MC-EJECT-01)."),
    "bet_name_taken": gettext_noop("A bet called {bet} is open already."),
    "bet_open": gettext_noop("Bet {bet} is still open. Settle it first (MC-BET-08)."),
    "card_taken": gettext_noop("Card {card} belongs to another pilot (MC-GEN-03)."),
    "card_unknown": gettext_noop("Nobody on the board has card {card}."),
    "gate_takes_no_jump": gettext_noop("A gate is left walking or running (MC-EXIT-05)."),
    "too_few_movement_points": gettext_noop(
        "There are too few movement points for that (MC-EXIT-08). Needed: {needed}. Left: {there}."
    ),
    "no_seat": gettext_noop("{pilot} has no seat in the final (MC-RANK-02)."),
    "not_in_the_final": gettext_noop("{pilot} is not in the final (MC-RANK-02)."),
    "order_incomplete": gettext_noop("The order leaves out {pilot}."),
    "pilot_approved": gettext_noop("{pilot} is approved already (MC-GEN-03)."),
    "pilot_not_approved": gettext_noop("A judge has yet to approve {pilot} (MC-GEN-03)."),
    "pilot_at_other_table": gettext_noop("{pilot} plays at table {table}."),
    "pilot_forfeited": gettext_noop("{pilot} has forfeited and is out (MC-GEN-05)."),
    "pilot_unconscious": gettext_noop("{pilot} is unconscious already."),
    "sheets_are_in": gettext_noop("The judges have the sheets of {pilot} already (MC-GEN-05)."),
    "cash_below_zero": gettext_noop(
        "{pilot} is below 0 C-bills without a loan, and buys nothing of this kind before that is settled (MC-MECH-02)."
    ),
    "one_ton_a_cycle": gettext_noop("One ton of special ammunition is sold in an off-board cycle (MC-SPON-02)."),
    "not_approved": gettext_noop("A judge has yet to approve what {pilot} did in this cycle (MC-ABIL-18, MC-REP-13)."),
    "sale_to_come": gettext_noop("{pilot} repaired on credit for a sale, and must sell first (MC-MECH-02)."),
    "team_too_small": gettext_noop("A team has at least two members (MC-TEAM-01)."),
    "dropped_in_this_cycle": gettext_noop(
        "A sponsor who dropped the pilot in this cycle takes nobody back before the next (MC-ADVSP-07): {membership}."
    ),
    "no_such_damage": gettext_noop("The 'Mech has no such damage to mend: {part}."),
    "no_death_save": gettext_noop("Only Solaris Prison saves from death, and {pilot} is not with them (MC-DEATH-03)."),
}
