"""Introductions to the groups of rules, in our own words, for people who read the rules for the first time.

Ids of rules become links. A test checks that every group of docs/rules.md has an entry.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MATCH: Mapping[str, str | Promise] = {
    "GEN": _(
        "The words and things that everything else builds on. A ’Mech has two dials: the combat dial tells how hard it "
        "hits and how fast it is, and every point of damage turns it one click; the heat dial tells how hot it runs. "
        "Read these lines once and the rest of the rules will speak plainly to you."
    ),
    "BLD": _(
        "How much ’Mech you may bring. A class sets a ceiling of points, and the ’Mech, its gear and its pilot count "
        "together against it. Example: in a light match with a ceiling of 160, a ’Mech of 128 points leaves 32 for a "
        "pilot and gear. On this site the line-up form lists only what fits."
    ),
    "ATK": _(
        "One idea carries every attack: roll three dice, add your attack value and the modifiers, and reach the "
        "target’s defense. Example: 11 rolled, attack 9, −1 for hindering terrain makes 19; against defense 19 that is "
        "a hit, since equal is enough."
    ),
    "DMG": _(
        "What happens between “hit” and “the dial turns”. Damage is first scored, then armor and other effects of the "
        "target take their share, and what is left is dealt. It waits on the damage die until clean-up, so a ’Mech "
        "fights the whole round with the values it had when the round began."
    ),
    "ELM": _(
        "When a ’Mech is out of the match. The last click of a dial shows three bullet holes; whoever gets there is "
        "removed. Because dials turn together, two ’Mechs can eliminate each other in the same round, and both count."
    ),
    "SEG": _(
        "Colours on a dial stand for special equipment, and these lines say how all of it works: it counts while its "
        "colour shows, much of it can be switched off for a moment, and a circle instead of a square means that using "
        "it costs a click. What each piece does is on its own page."
    ),
    "CRT": _(
        "Two of the three dice have the same colour, and they alone decide about luck: two sixes always hit and may "
        "knock the enemy pilot out, two ones always miss and hurt the attacker. The third die never matters here."
    ),
    "UNC": _(
        "A pilot who is knocked out cannot act until they wake up. They get an attempt at the start of each phase and "
        "whenever somebody aims at their ’Mech, so a unit is rarely out for long, but often long enough."
    ),
    "HET": _(
        "Heat is the price of doing much. Almost every order adds one; running and some equipment add more. It is "
        "collected on the heat die and lands in clean-up, where hot ’Mechs roll for what goes wrong. A round without "
        "an order, standing in water, or a vent cools you down."
    ),
    "SHD": _(
        "A ’Mech that gets too hot switches itself off. It takes no orders, is easier to hit, and cools until it can "
        "start again, by itself at the bottom of the heat dial or earlier with a good roll."
    ),
    "ARN": _(
        "Before the first round: who begins, who stands where. On this site the arena is known when the match is made, "
        "so only the starting areas and hexes are left to choose."
    ),
    "RND": _(
        "A round has four phases: initiative, move, combat, clean-up. Everyone acts once in each, in an order that is "
        "rolled anew every round. This is the heartbeat of the match; the page of play always says where you are in it."
    ),
    "INI": _(
        "Every unit rolls two dice, and the lowest acts first. Acting late is good, because you see what the others "
        "have done; that is why the highest roll may choose to go first instead, and rarely does."
    ),
    "MOV": _(
        "Moving costs speed: two for an ordinary hex, three for rough or rising ground. You may run for twice the "
        "speed and a point of heat, and at the end you always choose where to look. Example: speed 8 walks four clear "
        "hexes, or runs eight."
    ),
    "BAS": _(
        "’Mechs in neighbouring hexes of the same height touch each other. Contact ends a move, allows close combat "
        "and makes leaving difficult. Whoever is walked up to may turn to face the newcomer: that is the free spin."
    ),
    "FAC": _(
        "A ’Mech looks in one of twelve directions, and its base has a front arc and a rear arc. You attack what lies "
        "in front of you, and being struck from behind is worse. The pages draw both arcs on the board."
    ),
    "BRK": _(
        "Leaving an opponent who touches you takes luck: one die, three or more. If it fails, the unit stays, may "
        "turn, and has used its order. Fast and jumping ’Mechs get away more easily, grappled and pinned ones less."
    ),
    "CMB": _(
        "In the combat phase each unit gets one order: shoot, strike, assault, or one of the defensive ones. If you "
        "are attacked before your turn you may use your order at once to dig in, defend or dodge."
    ),
    "CLO": _(
        "Fighting at arm’s length. Guns do only half their damage here, melee weapons all of it. Trees do not help, "
        "and a blow into the back is at +2."
    ),
    "LOF": _(
        "Who can shoot whom. A shot travels along the edges between the hexes, by a shortest way that begins in the "
        "front arc, and its length is the range. The site finds the best way for you; these lines say why it says no."
    ),
    "RNG": _(
        "The plain ranged attack: choose one of the two weapons, have a line and the range, pay one heat. Which weapon "
        "you fire decides whether the attack is ballistic or energy, and that decides what equipment helps."
    ),
    "RMD": _(
        "Everything that makes a shot easier or harder, each counted once. Typical: trees on the way −1, a third unit "
        "in between −2, from behind +2, a target that has shut down +2. The sum under every attack names them."
    ),
    "IND": _(
        "If no straight line is free, ballistic weapons may fire over the obstacle: at −2, at one target, for at most "
        "two damage."
    ),
    "MUL": _(
        "Some weapons may aim at several targets. You roll once for all of them and then share the damage among those "
        "you hit, as you like. Example: 4 damage on two hits may fall as 2 and 2, 3 and 1, or 4 and 0."
    ),
    "ASL": _(
        "Moving and attacking in one order, in the combat phase. It costs two heat and −1 to the attack, and lets a "
        "unit that already moved cover more ground, or surprise somebody who thought to be out of reach."
    ),
    "DIG": _(
        "A unit that has not moved may plant its feet: +2 to its own attack, but everybody hits it at +1. It is the "
        "order of whoever wants to trade blows."
    ),
    "DEF": _(
        "The careful answer to an attack: everybody is at −1 against you, you may still attack at −1, and your next "
        "initiative roll suffers a little."
    ),
    "DOD": _("The full defense: everybody is at −2 against you for the phase, and you do not attack at all."),
    "VNT": _(
        "Letting off heat instead of fighting. The vent rating on the base says how much: first it empties the heat "
        "die, then it turns the dial back, and it does so at once."
    ),
    "CLN": _(
        "The end of each round, always in the same sequence: pilots wake up, damage turns the dials, heat comes and "
        "goes with its rolls, then tokens and the question whether the match is over."
    ),
    "TER": _(
        "What the hexes of a map do. Green slows you and hides others, red is a wall, blue cools, and slopes mean "
        "height: plain ones a hill, hatched ones a cliff. A printed map has one black ring or two instead."
    ),
    "CHG": _(
        "Running into somebody in the initiative phase, before the other has acted. It hurts both, the target more, "
        "and uses up the charger’s move and combat orders of the round."
    ),
    "DFA": _(
        "Jumping onto somebody’s head, in the initiative phase. Hard to land, and painful for both; a success leaves "
        "the target standing where it is."
    ),
    "PIN": _(
        "Holding an opponent who has touched you since the round began. It needs no roll and does no damage, but "
        "makes breaking away harder this round."
    ),
    "TGT": _(
        "Side targets that bring reputation. There is one at a time; each has a weapon type it is best destroyed with. "
        "Often a match is decided by the tokens, so look at them before you chase the other ’Mech."
    ),
    "CEC": _(
        "A ’Mech has two slots for cards: two pieces of gear, or one and a pilot. Their points count toward the build "
        "total."
    ),
    "GER": _(
        "Equipment that is bolted on. Each card names whom it fits and which combat value it sits on; it may change "
        "the number there, bring a special equipment, or both."
    ),
    "PLT": _(
        "Pilots improve a ’Mech, and in a season they are the ones who become famous. Common pilots can be had several "
        "times; legends and gunslingers are Unique and have an ability when they sit in the ’Mech they prefer."
    ),
    "END": _(
        "When it is over and who has won. Not the survivor wins but the side with the most reputation: from "
        "eliminations (70 or 80) and from tokens. There is always exactly one winner."
    ),
    "SED": _(
        "Special equipment on the two damage values. Its range type matters: a red area means something else on a "
        "ballistic value than on an energy one."
    ),
    "SEM": _("Special equipment on the speed value: jumping, hiding, getting away."),
    "SEA": _("Special equipment on the attack value: help for friends, better aim, leadership, and Salvage."),
    "SEF": _("Special equipment on the defense value: armor, decoys and counter-missiles."),
    "HEF": _(
        "What goes wrong when a ’Mech runs hot. The colour tells how bad it is and the place tells what: ammunition "
        "under ballistic values, heat sinks under energy values, the reactor under speed."
    ),
}
"""Key of a group about a match -> its introduction."""

CAMPAIGN: Mapping[str, str | Promise] = {
    "STB": _(
        "A stable is your team in a season: it owns ’Mechs, pilots and cards, and money called Stones. It begins with "
        "a capital that depends on the class; everything after that must be earned."
    ),
    "AST": _(
        "Buying and selling. A thing costs its points in Stones, and as long as it is undamaged you get all of it "
        "back, so trying something out costs nothing but time. There is no credit and no trade between stables."
    ),
    "CRP": _(
        "Damage stays until you pay for it. The price depends on the points of the ’Mech and on its state: able, "
        "Salvage or eliminated. Example: a ’Mech and gear of 150 points cost 50, 75 or 100 Stones."
    ),
    "PUR": _(
        "The income of a stable. At the end of each cycle every place is paid, the last one too, from these tables. "
        "The classes go from Featherweight to Heavyweight."
    ),
    "CYC": _(
        "A season runs through six cycles, each with a format of its own and several rounds of matches. Reputation "
        "and kills add up over all of them and decide the two titles at the end."
    ),
    "FMT": _(
        "The six ways to fight: alone, as a pair, without guns, in turns, for flags, and everybody at once. What is "
        "not said here stays as in a standard match."
    ),
    "RAL": _(
        "Small helpers for those who are behind. Each unit brings up to five; a card can be played when its condition "
        "is met, for example when the attack value has fallen below a number."
    ),
    "SUR": _(
        "Giving up, with half of what you have earned. It can save a ’Mech from costly repairs; the others get a "
        "reward for it."
    ),
    "FOR": _("When a stable cannot take part in a match, and what both sides get for it."),
    "DTH": _(
        "A hard option for seasons that want it: a pilot may die with their ’Mech. Whether it is on stands with the "
        "settings of the season."
    ),
    "SUD": _("If a title is still shared after reputation and kills, one last match decides. It changes nothing else."),
}
"""Key of a group about a season -> its introduction."""

INTRODUCTIONS: Mapping[str, str | Promise] = {**MATCH, **CAMPAIGN}
"""Key of a group -> its introduction."""
