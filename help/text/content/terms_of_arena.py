"""Glossary: the words of the arena, of moving and of orders."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from help.text.content.term import Term

ARENA_TERMS = (
    Term(
        "arc",
        _("Arc"),
        _(
            "The part of the surroundings that lies in front of a unit (front arc) or behind it (rear arc), as its "
            "base shows. You attack through the front arc and are hit at +2 through the rear one."
        ),
        ("R-FAC-08", "R-FAC-07", "R-RMD-13"),
        ("facing",),
    ),
    Term(
        "facing",
        _("Facing"),
        _("Where a unit looks: one of twelve directions, spoken as hours of the clock on this site."),
        ("R-FAC-09", "Q-32"),
        ("arc",),
    ),
    Term(
        "line-of-fire",
        _("Line of fire"),
        _("The way of a shot along the edges between hexes, by a shortest way that begins in the front arc."),
        ("R-LOF-03", "R-LOF-05", "R-LOF-10"),
        ("range", "boundary"),
    ),
    Term(
        "range",
        _("Range"),
        _("The length of the line of fire in edges of hexes. A weapon has a smallest and a largest range."),
        ("R-LOF-01", "R-LOF-06"),
        ("line-of-fire",),
    ),
    Term(
        "boundary",
        _("Boundary"),
        _("The outline of a patch of terrain. A line of fire that crosses or follows it is hindered or blocked."),
        ("R-LOF-10", "R-RMD-01"),
    ),
    Term(
        "indirect",
        _("Indirect fire"),
        _("A ballistic shot over what blocks the way: at −2, for at most 2 damage."),
        ("R-IND-01", "R-IND-09", "R-IND-10"),
    ),
    Term(
        "called-shot",
        _("Called shot"),
        _("Shooting past an opponent who touches you at somebody else: −1."),
        ("R-RMD-02", "Q-58"),
    ),
    Term(
        "friendly-fire",
        _("Friendly fire"),
        _(
            "Shooting at somebody who touches a friend of yours: −1, or no modifier and 1 damage for the friend on a "
            "hit."
        ),
        ("R-RMD-03", "R-RMD-04"),
    ),
    Term(
        "contact",
        _("Base contact"),
        _("Two units in neighbouring hexes of the same height touch each other."),
        ("R-BAS-01",),
        ("break-away", "free-spin"),
    ),
    Term(
        "break-away",
        _("Breaking away"),
        _("The roll to leave an opponent who touches you: three or more on one die."),
        ("R-BRK-01", "R-BRK-03"),
        ("contact",),
    ),
    Term(
        "free-spin",
        _("Free spin"),
        _("A turn without an order, for a unit to which an opponent has walked up."),
        ("R-BAS-02", "R-BAS-03"),
        ("contact",),
    ),
    Term(
        "hindering",
        _("Hindering terrain"),
        _("Woods and rubble, green: 3 speed to enter, −1 to shots across."),
        ("R-TER-06", "R-TER-07"),
    ),
    Term(
        "blocking",
        _("Blocking terrain"),
        _("Walls, red: nobody enters, and shots stop unless somebody stands high."),
        ("R-TER-09", "R-TER-10"),
    ),
    Term(
        "elevated",
        _("Elevated and abrupt"),
        _(
            "High ground. A plain slope, on a printed map one ring, is a hill. A hatched slope, on a printed map two "
            "rings, is a cliff that one climbs only from a hill or by jumping."
        ),
        ("R-TER-02", "R-TER-19", "R-TER-21"),
    ),
    Term(
        "round-of-match",
        _("Round (of a match)"),
        _("Initiative, move, combat, clean-up. Everyone acts once in each."),
        ("R-RND-01",),
        ("phase", "round"),
    ),
    Term("phase", _("Phase"), _("One of the four parts of a round in a match."), ("R-RND-01",), ("round-of-match",)),
    Term(
        "initiative",
        _("Initiative"),
        _("The roll that decides in which order units act in a round; the lowest begins."),
        ("R-INI-01", "R-INI-02", "R-INI-04"),
    ),
    Term(
        "clean-up",
        _("Clean-up"),
        _("The last phase: dials turn, heat is counted, tokens come, and the end of the match is tested."),
        ("R-CLN-01", "R-CLN-02", "R-CLN-10"),
        ("damage-die", "heat-die"),
    ),
    Term(
        "order",
        _("Order"),
        _(
            "What a unit is told to do: move, close or ranged combat, assault, dig in, defend, dodge, vent. At most "
            "one in the combat phase."
        ),
        ("R-CMB-01", "R-CMB-02", "Q-26"),
    ),
    Term(
        "reaction",
        _("Reaction"),
        _("Dig in, defend or dodge, given at the moment in which the unit is attacked."),
        ("R-CMB-05", "Q-19"),
    ),
    Term("run", _("Run"), _("A move with twice the speed, for one heat."), ("R-MOV-14",), ("heat",)),
    Term(
        "assault", _("Assault"), _("A move and an attack in one order, for two heat and −1."), ("R-ASL-02", "R-ASL-06")
    ),
    Term(
        "charge",
        _("Charge"),
        _("Running into an opponent in the initiative phase."),
        ("R-CHG-01", "R-CHG-10"),
        ("impact",),
    ),
    Term(
        "death-from-above",
        _("Death from above"),
        _("Jumping onto an opponent in the initiative phase."),
        ("R-DFA-05", "R-DFA-08"),
        ("impact",),
    ),
    Term(
        "pin",
        _("Pin"),
        _("Holding an opponent, who then gets away less easily in this round."),
        ("R-PIN-01", "R-PIN-04"),
        ("break-away",),
    ),
    Term(
        "equipment",
        _("Special equipment"),
        _(
            "What a colour on a combat value means, such as Jump Jets. A square can be used freely, a circle costs a "
            "click."
        ),
        ("R-SEG-01", "R-SEG-05"),
    ),
    Term(
        "optional-equipment",
        _("Optional equipment"),
        _("Equipment that is on unless its owner does without it for the moment."),
        ("R-SEG-07", "R-SEG-08"),
    ),
    Term(
        "salvage",
        _("Salvage"),
        _(
            "The state of a badly damaged ’Mech: it moves and vents only. Its repair costs more than that of an able "
            "one."
        ),
        ("R-SEA-05", "R-CRP-11"),
        ("repair",),
    ),
    Term(
        "target-token",
        _("Target token"),
        _("A side target in the arena. Destroying it brings reputation, most with the weapon type printed on it."),
        ("R-TGT-04", "R-TGT-09"),
        ("reputation",),
    ),
    Term(
        "starting-area",
        _("Starting area"),
        _("The lettered hexes in which units stand at the beginning."),
        ("R-ARN-05", "R-ARN-07"),
    ),
    Term(
        "surrender",
        _("Surrender"),
        _(
            "Giving up a match at a decision of your own: half of the reputation earned in it stays with you, and you "
            "cannot win it."
        ),
        ("R-SUR-01", "R-SUR-03", "R-SUR-06"),
    ),
    Term(
        "time-limit",
        _("Time limit"),
        _("After how many rounds a match ends; at a table, after how many minutes."),
        ("R-END-03", "Q-172"),
    ),
    Term(
        "seed",
        _("Seed"),
        _(
            "The number from which all dice of a match follow. Its hash is shown before the match and the number "
            "itself after it, so that anybody can check that no die was chosen."
        ),
        (),
        ("replay",),
    ),
    Term(
        "replay",
        _("Replay"),
        _("The match step by step, with every die and every sum, as it was played."),
        (),
        ("seed",),
    ),
)
