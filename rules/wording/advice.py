"""The reasons for and against an answer in a match: the closed list, with a sentence for each.

The reasons come from `rules.bots`: codes with numbers, ids and words of the rules. Chances are whole percent, damage is
in points. `rules.wording.stable_advice` has the reasons of the market and the garage.

No word next to a number of hexes, clicks or points depends on that number: "1 hexes away" is wrong in English, and
other languages have more than two forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.messages import gettext_noop
from rules.wording.attacks import called, listed
from rules.wording.cards import TEXTS
from rules.wording.equipment import EQUIPMENT_TEXTS
from rules.wording.filling import say
from rules.wording.language import Translate, identity
from rules.wording.vocabulary import CLASS_PARAMETERS, CLASSES

MATCH_REASONS: Mapping[str, str] = {
    # Attacks.
    "hits": gettext_noop("{chance} % to hit {target}."),
    "hits_for": gettext_noop("{chance} % to hit {target} for {damage} damage: {expected} on average."),
    "hits_by_die": gettext_noop("{chance} % to hit {target}; a die decides the damage: {expected} on average."),
    "hit_heats": gettext_noop("A hit deals {target} {heat} heat instead of damage."),
    "damage_shared": gettext_noop(
        "The damage, {damage}, is divided among those of the {targets} targets that are hit."
    ),
    "hit_destroys": gettext_noop(
        "A hit destroys {target}, which has {left} of its clicks left: {reputation} reputation."
    ),
    "hit_may_destroy": gettext_noop(
        "A hit destroys {target}, which has {left} of its clicks left, with {chance} %: {reputation} reputation."
    ),
    "share_could_destroy": gettext_noop(
        "{share} of the damage would destroy {target}, which has {left} of its clicks left: {reputation} reputation."
    ),
    "leaves_clicks": gettext_noop("{target} has only {left} of its clicks left."),
    "falls_anyway": gettext_noop("{target} has damage enough on its die to fall already; more is wasted on it."),
    "token_brings": gettext_noop("A hit on {target} brings {reputation} reputation."),
    "armor_takes": gettext_noop("The equipment or the pilot of {target} takes some of the damage away: {modifiers}."),
    "counts_for": gettext_noop("In the sum against {target} this helps: {modifiers}."),
    "counts_against": gettext_noop("In the sum against {target} this is in the way: {modifiers}."),
    "hurts_itself": gettext_noop("It takes {damage} damage itself, hit or miss."),
    "hurts_itself_either": gettext_noop("It takes {hit} damage itself when it hits, {miss} when it misses."),
    "mends": gettext_noop(
        "{chance} % that the repair of {target} succeeds. Clicks that it can turn back at most: {clicks}."
    ),
    "pins": gettext_noop("{target} is held in base contact and breaks away harder."),
    "acts_later": gettext_noop("It keeps its move and its combat order for the phases to come."),
    "forgoes_attack": gettext_noop("It leaves out an attack on {target} that hits with {chance} %."),
    "no_attack_from_here": gettext_noop("It has nothing to attack from where it stands."),
    "rest_cools": gettext_noop("Without any order all round it cools by 1."),
    # Places.
    "shot_from_there": gettext_noop(
        "From there it could hit {target} with {chance} % ({weapon}, {expected} damage on average); from here not."
    ),
    "shot_gets_better": gettext_noop(
        "From there it could hit {target} with {chance} % ({weapon}, {expected} damage on average), from here with "
        "{now} % ({now_expected} damage)."
    ),
    "shot_gets_worse": gettext_noop(
        "From there it could do less to {target}: {chance} % ({weapon}, {expected} damage on average), from here "
        "{now} % ({now_expected} damage)."
    ),
    "shot_stays": gettext_noop(
        "It can hit {target} with {chance} % ({weapon}, {expected} damage on average), as it can now."
    ),
    "gives_up_shot": gettext_noop("From there it could harm nothing; now it could hit {target} with {now} %."),
    "heat_in_reach": gettext_noop("From there it could hit {target} with {chance} %."),
    "token_in_reach": gettext_noop("From there it could hit {target} with {chance} %."),
    "no_shot_there": gettext_noop("It could harm nothing from there. Hexes to the nearest opponent: {distance}."),
    "comes_nearer": gettext_noop("It comes nearer. Hexes to the nearest opponent then: {distance}, now: {now}."),
    "goes_away": gettext_noop("It goes farther away. Hexes to the nearest opponent then: {distance}, now: {now}."),
    "threat_none": gettext_noop("Opponents can do next to nothing to it there from where they stand."),
    "threat_falls": gettext_noop(
        "From where they stand opponents would deal it {then} damage there on average, instead of {now} where it is."
    ),
    "threat_grows": gettext_noop(
        "From where they stand opponents would deal it {then} damage there on average, against {now} where it is."
    ),
    "threat_stays": gettext_noop(
        "From where they stand opponents would deal it {then} damage there on average, as here."
    ),
    "breaks_away_first": gettext_noop("It must break away first: {chance} % that it gets away."),
    "water_cools": gettext_noop("It stands in water there, which helps it to cool."),
    "tries_for_flag": gettext_noop("On its way it tries for a flag: {chance} % that it takes it."),
    "carries_flag_home": gettext_noop("It carries the flag. Hexes to go to its own area then: {distance}, now: {now}."),
    "nearer_to_flag": gettext_noop("Hexes from the flag then: {distance}, now: {now}."),
    "nearer_to_partner": gettext_noop("Hexes from its partner then: {distance}, now: {now}."),
    # Heat.
    "heat_adds": gettext_noop("{added} heat more brings it to step {step} of its heat dial."),
    "heat_harmless": gettext_noop("{added} heat more does no harm: step {step} shows nothing."),
    "heat_shuts_down": gettext_noop("{added} heat more turns the heat dial of {unit} past the end and shuts it down."),
    "heat_effect_shows": gettext_noop("{effect} shows there: {chance} % that it strikes ({rule})."),
    "heat_weakens": gettext_noop("Its {value} falls from {now} to {then} by the heat."),
    "heat_effect_avoided": gettext_noop("It avoids: {effect}."),
    "vent_cools": gettext_noop("Its heat falls from step {now} to {then}."),
    "nothing_to_cool": gettext_noop("It has no heat to lose."),
    # Reactions and other answers to an attack.
    "attack_falls": gettext_noop(
        "{attacker} then hits it with {then} % instead of {now} %: {saved} damage less on average."
    ),
    "attack_grows": gettext_noop(
        "{attacker} then hits it with {then} % instead of {now} %: {saved} damage more on average."
    ),
    "attack_as_it_is": gettext_noop("{attacker} hits it with {then} %: {expected} damage on average."),
    "chance_changes": gettext_noop("{attacker} then hits it with {then} % instead of {now} %."),
    "chance_as_it_is": gettext_noop("{attacker} hits it with {then} %."),
    "would_be_destroyed": gettext_noop("A hit would destroy it; it has {left} of its clicks left."),
    "may_be_destroyed": gettext_noop("A hit would destroy it with {chance} %; it has {left} of its clicks left."),
    "could_be_destroyed": gettext_noop(
        "A hit could destroy it, which has {left} of its clicks left; the damage is divided among several targets."
    ),
    "keeps_attack": gettext_noop("It keeps its own attack: {chance} % on {target}."),
    "gives_up_attack": gettext_noop("It gives up its own attack, {chance} % on {target}."),
    "no_attack_to_lose": gettext_noop("It loses no attack by it: there is nothing that it could attack from here."),
    "own_attack_grows": gettext_noop("Its own attack on {target} hits with {chance} % then instead of {now} %."),
    "own_attack_falls": gettext_noop("Its own attack on {target} hits with {chance} % then, without it with {now} %."),
    # Small decisions.
    "acts_first": gettext_noop("It acts first in every phase. Units that act after it: {others}."),
    "acts_last": gettext_noop("It acts last in every phase. Units that act before it: {others}."),
    "attempt_succeeds": gettext_noop("{chance} % that the attempt succeeds."),
    "attempt_would_succeed": gettext_noop("An attempt would succeed with {chance} %."),
    "roll_hits": gettext_noop("The dice hit {target} as they lie."),
    "roll_misses": gettext_noop("The dice miss {target} as they lie."),
    "roll_again": gettext_noop("With the die that shows {face} rolled again, {target} is hit with {chance} %."),
    "share_goes_to": gettext_noop("Damage to {target}: {damage}. Clicks that it has left: {left}."),
    "share_destroys": gettext_noop("{damage} damage destroys {target}."),
    "share_destroys_token": gettext_noop("One point destroys {target}."),
    "mends_by_value": gettext_noop("Clicks that the damage value turns back for certain: {clicks}."),
    "mends_by_die": gettext_noop("A die turns back three and a half clicks on average."),
    "partner_comes_in": gettext_noop("Clicks left: {partner} {partner_left}, the unit that would leave {left}."),
    "partner_stays_out": gettext_noop("Clicks left: the unit in the arena {left}, {partner} outside {partner_left}."),
    "flag_lies": gettext_noop("Hexes from the flag to its home then: {distance}."),
    "keeps_flag": gettext_noop("It keeps the flag."),
    "card_does": gettext_noop("{card}: {text}"),
    "keeps_cards": gettext_noop("All cards of the hand ({cards}) stay for a better moment."),
    "source_serves": gettext_noop("{equipment}, used for: {value}. {text}"),
    "starts_from_opponent": gettext_noop("Hexes from its start to the nearest opponent: {distance}."),
    "starts_from_middle": gettext_noop("Hexes from its start to the middle of the arena: {distance}."),
    "token_lies": gettext_noop("Hexes from the token to the unit: {distance}."),
    "token_falls": gettext_noop("Hexes from the token to the unit, where the dice most often put it: {distance}."),
    # Beside other answers.
    "better_than_nothing": gettext_noop("Passing would leave you at {chance} % to win instead of {best} %."),
    "better_than_nothing_about": gettext_noop(
        "Passing would leave you at {chance} % to win instead of {best} % (± {margin})."
    ),
    "nothing_is_as_good": gettext_noop("Passing would be about as good."),
    "nothing_may_be_as_good": gettext_noop("Passing might be just as good: {points} % less (± {margin})."),
    "behind_the_first_about": gettext_noop("{points} % less (± {margin}) than with the best answer."),
    "behind_the_first": gettext_noop("{points} % less than with the best answer."),
    "as_good_as_the_first": gettext_noop("About as good as the best answer."),
    "may_be_as_good_as_the_first": gettext_noop(
        "It might be just as good as the best answer: {points} % less (± {margin})."
    ),
}
"""Code -> template. Its placeholders are the parameters of the reason, and `text`, which says what a card or equipment
does."""

UNKNOWN_REASON = gettext_noop("For a reason without words ({code}).")

Names = Mapping[str, str]


def match_reason(code: str, parameters: Mapping[str, Any], names: Names, translate: Translate = identity) -> str:
    """Return a reason in words; `names` holds the names of units, tokens, pilots and cards by their ids.

    The parameters need `unit`, the unit that is advised, beside those of the reason.

    It never raises, because advice may be older than the list: an unknown code gets a general sentence, a missing
    parameter an ellipsis.
    """
    if code not in MATCH_REASONS:
        return say(UNKNOWN_REASON, {"code": code}, translate)
    values = {key: shown_as(key, value, names, translate) for key, value in parameters.items()}
    if parameters.get("effect") in TEXTS:
        values["text"] = translate(TEXTS[parameters["effect"]])
    if parameters.get("equipment") in EQUIPMENT_TEXTS:
        values["text"] = translate(EQUIPMENT_TEXTS[parameters["equipment"]])
    return say(MATCH_REASONS[code], values, translate)


def shown_as(key: str, value: Any, names: Names, translate: Translate) -> Any:
    """Return a parameter for people: modifiers in one row, ids and words by their names, rules unchanged."""
    if key == "modifiers":
        return listed(value, {}, names, translate)
    if key in CLASS_PARAMETERS and value in CLASSES:
        return translate(CLASSES[value])
    return called(value, names, translate) if isinstance(value, str) and key != "rule" else value
