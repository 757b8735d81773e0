"""The words of gear, pilots and rally cards: refusals, events, and what each ability and effect says to a player."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop, ngettext_noop

REFUSALS: Mapping[str, str] = {
    "too_many_cards": gettext_noop(
        "{unit} has {count} cards; it takes two pieces of gear, or one and a pilot (R-CEC-06)."
    ),
    "gear_not_compatible": gettext_noop("{gear} belongs to another game and cannot be used here (R-CEC-02)."),
    "gear_requires_class": gettext_noop("{gear} is for units of these classes only: {classes} (R-GER-02)."),
    "gear_requires_type": gettext_noop("{gear} needs a damage value of the type {type} where it is put (R-GER-02)."),
    "gear_side_missing": gettext_noop(
        "{gear} is printed on both sides: say whether it serves the primary or the secondary value (R-GER-05)."
    ),
    "gear_on_same_value": gettext_noop(
        "{gear} cannot sit on one combat value together ({value}); put one of them elsewhere (R-GER-04)."
    ),
    "unique_twice": gettext_noop("{name} ({number}) is Unique and may come once in a team (R-BLD-12, R-PLT-03)."),
    "team_over_build_total": gettext_noop("The team comes to {total} points and its build total is {cap} (Q-114)."),
    "hand_too_large": ngettext_noop(
        "{unit} brings {count} rally card; allowed: {most} (R-RAL-01).",
        "{unit} brings {count} rally cards; allowed: {most} (R-RAL-01).",
    ),
    "hand_copy": gettext_noop("The hand of {side} holds {card} twice; every card may be in it once (R-RAL-02)."),
    "card_not_in_hand": gettext_noop("The rally card {card} is not in the hand that {unit} may use (R-RAL-01)."),
    "card_played_before": gettext_noop("The rally card {card} has been played in this match already (R-RAL-07)."),
    "rally_once_a_round": gettext_noop("{unit} has had the benefit of a rally card this round (R-RAL-04)."),
    "rally_at_start_marker": gettext_noop(
        "{unit} shows its green start marker; a rally card is no use to it yet (R-RAL-05)."
    ),
    "rally_requirement": gettext_noop("{unit} does not meet what the rally card {card} asks for (R-RAL-06)."),
    "rally_not_now": gettext_noop(
        "A rally card is played at the beginning of the place of {unit} in a phase, or when it is attacked; not now "
        "(R-RAL-03)."
    ),
}
"""Codes of `rules.solaris.building`, `rules.competition.state.setup` and `rules.competition.units.rally`."""

EVENTS: Mapping[str, str] = {
    "rally_played": gettext_noop("{unit} plays a rally card: {card} ({effect})."),
    "ability_used": gettext_noop("The ability of {pilot} serves {unit}: {ability}."),
    "gear_chosen": gettext_noop("{unit} uses the equipment of {gear} ({value})."),
}

SOURCES: Mapping[str, str] = {
    "dial": gettext_noop("{unit} uses the equipment of its dial ({value})."),
    "gear": gettext_noop("{unit} uses the equipment of its gear instead of its dial's ({value})."),
}
"""Source chosen -> template."""

NAMES: Mapping[str, str] = {
    "close_quarters": gettext_noop("Close Quarters"),
    "sharpshooter": gettext_noop("Sharpshooter"),
    "backstabber": gettext_noop("Backstabber"),
    "giant_killer": gettext_noop("Giant Killer"),
    "token_hunter": gettext_noop("Token Hunter"),
    "woodsman": gettext_noop("Woodsman"),
    "running_gun": gettext_noop("Running Gun"),
    "heavy_hand": gettext_noop("Heavy Hand"),
    "weaver": gettext_noop("Weaver"),
    "infighter": gettext_noop("Infighter"),
    "insulated": gettext_noop("Insulated"),
    "slippery": gettext_noop("Slippery"),
    "quick_start": gettext_noop("Quick Start"),
    "steady_nerves": gettext_noop("Steady Nerves"),
    "second_aim": gettext_noop("Second Aim"),
    "tinkerer": gettext_noop("Tinkerer"),
    "sprinter": gettext_noop("Sprinter"),
    "cool_hand": gettext_noop("Cool Hand"),
    "heat_sleeves": gettext_noop("Heat Sleeves"),
    "cold_magazine": gettext_noop("Cold Magazine"),
    "second_wind": gettext_noop("Second Wind"),
    "sure_hands": gettext_noop("Sure Hands"),
    "iron_jaw": gettext_noop("Iron Jaw"),
    "hard_head": gettext_noop("Hard Head"),
    "take_aim": gettext_noop("Take Aim"),
    "brace": gettext_noop("Brace"),
    "press_the_attack": gettext_noop("Press the Attack"),
    "underdog": gettext_noop("Underdog"),
    "haymaker": gettext_noop("Haymaker"),
    "play_to_the_crowd": gettext_noop("Play to the Crowd"),
    "jink": gettext_noop("Jink"),
    "hold_the_ring": gettext_noop("Hold the Ring"),
    "full_throttle": gettext_noop("Full Throttle"),
    "second_look": gettext_noop("Second Look"),
    "keep_running": gettext_noop("Keep Running"),
    "steady_the_reactor": gettext_noop("Steady the Reactor"),
    "cold_blooded": gettext_noop("Cold-Blooded"),
    "open_the_vents": gettext_noop("Open the Vents"),
    "shrug_off": gettext_noop("Shrug Off"),
    "grit_teeth": gettext_noop("Grit Teeth"),
    "slip_free": gettext_noop("Slip Free"),
    "shed_heat": gettext_noop("Shed Heat"),
    "patch_up": gettext_noop("Patch Up"),
    "wake_up": gettext_noop("Wake Up"),
    "swing_round": gettext_noop("Swing Round"),
}
"""Ability or effect -> its name. `restart` has the name of the decision."""

TEXTS: Mapping[str, str] = {
    "close_quarters": gettext_noop("+1 attack in close combat."),
    "sharpshooter": gettext_noop("+1 attack in ranged combat in a round without a move order."),
    "backstabber": gettext_noop("+1 attack through the target's rear arc."),
    "giant_killer": gettext_noop("+1 attack against a unit of a higher total."),
    "token_hunter": gettext_noop("+2 attack against target tokens."),
    "woodsman": gettext_noop("Hindering terrain on the way takes nothing off the attack."),
    "running_gun": gettext_noop("An assault takes nothing off the attack."),
    "heavy_hand": gettext_noop("+1 damage in close combat."),
    "weaver": gettext_noop("+1 defense against ranged combat in a round with a move order."),
    "infighter": gettext_noop("+1 defense against close combat."),
    "insulated": gettext_noop("Once a round, 1 damage less from a ranged energy attack."),
    "slippery": gettext_noop("Breaks away on 2 or more, unless it is grappled."),
    "quick_start": gettext_noop("+1 to the initiative roll."),
    "steady_nerves": gettext_noop("Once a round, a heat effect that strikes is rolled again."),
    "second_aim": gettext_noop("Once a round, one attack die may be rolled again."),
    "tinkerer": gettext_noop("Vents 1 heat more."),
    "sprinter": gettext_noop("Running costs no heat."),
    "cool_hand": gettext_noop("Dodging and defending cost no heat."),
    "heat_sleeves": gettext_noop("Hits by energy weapons give the unit no heat."),
    "cold_magazine": gettext_noop("Ammunition never explodes."),
    "second_wind": gettext_noop("+2 speed while half of the combat dial or less is left."),
    "sure_hands": gettext_noop("A critical miss costs no damage."),
    "iron_jaw": gettext_noop("A critical hit does not knock the pilot out."),
    "hard_head": gettext_noop("+1 to revive attempts."),
    "take_aim": gettext_noop("+2 attack this round."),
    "brace": gettext_noop("+2 defense this round."),
    "press_the_attack": gettext_noop("+1 damage this round."),
    "underdog": gettext_noop("+3 attack against units of a higher total this round."),
    "haymaker": gettext_noop("+2 damage in close combat this round."),
    "play_to_the_crowd": gettext_noop("+3 attack against target tokens this round."),
    "jink": gettext_noop("+3 defense against ranged combat this round if the unit had a move order."),
    "hold_the_ring": gettext_noop("+3 defense against close combat this round."),
    "full_throttle": gettext_noop("+3 speed this round."),
    "second_look": gettext_noop("One die of each attack may be rolled again this round."),
    "keep_running": gettext_noop("No heat effect shuts the unit down this round."),
    "steady_the_reactor": gettext_noop("Each heat effect that strikes is rolled again this round."),
    "cold_blooded": gettext_noop("The unit's orders cost no heat this round."),
    "open_the_vents": gettext_noop("The unit vents 3 heat more this round."),
    "shrug_off": gettext_noop("Each hit deals 1 damage less this round."),
    "grit_teeth": gettext_noop("A critical hit does not knock the pilot out this round."),
    "slip_free": gettext_noop("The unit breaks away whatever it rolls this round."),
    "shed_heat": gettext_noop("The unit loses 2 heat at once."),
    "patch_up": gettext_noop("The combat dial turns back 1 click, unless a black marker shows."),
    "restart": gettext_noop("The unit restarts at once."),
    "wake_up": gettext_noop("The pilot is conscious again at once."),
    "swing_round": gettext_noop("The unit may turn to any facing at once."),
}
"""Ability or effect -> what it does."""
