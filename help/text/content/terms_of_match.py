"""Glossary: the words of dials, attacks and heat."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from help.text.content.term import Term

MATCH_TERMS = (
    Term("unit", _("Unit"), _("One ’Mech in a match, with its pilot and gear."), ("R-GEN-01",), ("mech",)),
    Term(
        "mech",
        _("’Mech"),
        _("A walking war machine with a pilot inside: the thing you buy, equip and fight with."),
        ("R-GEN-01",),
        ("unit", "class"),
    ),
    Term(
        "dial",
        _("Combat dial"),
        _("The disc under a ’Mech with its five combat values. Damage turns it, and the values get worse as it turns."),
        ("R-GEN-02", "R-GEN-03"),
        ("click", "start-marker", "heat-dial"),
    ),
    Term(
        "click",
        _("Click"),
        _("One step of a dial. One damage is one click of the combat dial, one heat is one click of the heat dial."),
        ("R-GEN-03", "R-GEN-04"),
        ("dial",),
    ),
    Term(
        "start-marker",
        _("Start marker"),
        _(
            "The green mark at which an undamaged combat dial begins. A unit on it is whole; nothing repairs it past "
            "that point."
        ),
        ("R-GEN-05", "R-GEN-06"),
        ("repair",),
    ),
    Term(
        "repair-marker",
        _("Repair marker"),
        _("A black mark on the combat dial. In a match a repair stops there."),
        ("R-GEN-05",),
        ("repair",),
    ),
    Term(
        "combat-values",
        _("Combat values"),
        _(
            "The numbers of a unit: primary and secondary damage, speed, attack and defense on the dial; ranges and "
            "vent rating on the base."
        ),
        ("R-GEN-02",),
    ),
    Term(
        "primary",
        _("Primary and secondary damage"),
        _("The two weapons of a unit. An attack uses one of them, and that decides its range type."),
        ("R-ATK-04", "R-GEN-09"),
    ),
    Term(
        "range-type",
        _("Range type"),
        _("Ballistic, energy or melee: the kind of a damage value. Equipment, armor and target tokens ask for it."),
        ("R-GEN-09", "R-GEN-10"),
    ),
    Term(
        "attack-roll",
        _("Attack roll"),
        _(
            "Three dice, two of one colour and one of another, added to the attack value and its modifiers and "
            "compared with the target’s defense."
        ),
        ("R-ATK-01", "R-ATK-02", "R-ATK-03"),
        ("modifier", "critical"),
    ),
    Term(
        "modifier",
        _("Modifier"),
        _(
            "A number that makes an attack easier (+) or harder (−), each with a name and a rule. The sum under an "
            "attack lists every one."
        ),
        ("R-ATK-05", "R-RMD-01", "R-CLO-12"),
    ),
    Term(
        "critical",
        _("Critical hit and critical miss"),
        _(
            "Two sixes on the dice of one colour always hit and knock the pilot out; two ones always miss and cost the"
            " attacker a click."
        ),
        ("R-CRT-01", "R-CRT-05"),
    ),
    Term(
        "damage-scored",
        _("Damage scored"),
        _("What an attack would do before the target’s armor and other effects."),
        ("R-DMG-01",),
        ("damage-dealt",),
    ),
    Term(
        "damage-dealt",
        _("Damage dealt"),
        _("What is left after armor and other effects: that many clicks."),
        ("R-DMG-02",),
        ("damage-scored", "damage-die"),
    ),
    Term(
        "damage-die",
        _("Damage die"),
        _(
            "Where damage waits during the round. The dial turns in clean-up, so that everyone fights the round with "
            "the values it began with."
        ),
        ("R-DMG-04", "R-DMG-11"),
        ("clean-up",),
    ),
    Term(
        "unpreventable",
        _("Unpreventable damage"),
        _("Damage that nothing lowers, such as that of a critical miss or a single-use circle."),
        ("R-DMG-08",),
    ),
    Term(
        "impact",
        _("Impact damage"),
        _("The damage of charges and deaths from above. Armor does not stop it."),
        ("R-DMG-07",),
        ("charge", "death-from-above"),
    ),
    Term(
        "eliminated",
        _("Eliminated"),
        _(
            "Out of the match: the combat dial has reached its end. In a season the ’Mech can be repaired, at the "
            "highest price."
        ),
        ("R-ELM-01", "R-CRP-08"),
        ("kill", "repair"),
    ),
    Term(
        "heat",
        _("Heat"),
        _(
            "What orders and some equipment cost. Too much of it makes weapons fail, ammunition explode, or shuts the "
            "unit down."
        ),
        ("R-HET-01", "R-HET-11"),
        ("heat-dial", "heat-die", "vent", "shutdown"),
    ),
    Term(
        "heat-dial",
        _("Heat dial"),
        _("The disc that counts heat. Its numbers change combat values, its colours are heat effects."),
        ("R-GEN-04", "R-HET-13", "R-HET-14"),
        ("heat", "heat-effect"),
    ),
    Term(
        "heat-die",
        _("Heat die"),
        _("Where heat waits during the round; it turns the heat dial in clean-up."),
        ("R-HET-11", "R-HET-12"),
        ("heat",),
    ),
    Term(
        "heat-effect",
        _("Heat effect"),
        _(
            "A coloured square on the heat dial: a roll to make when heat changes, or something that does not work "
            "while it shows."
        ),
        ("R-HET-14", "R-HET-15"),
        ("heat-dial",),
    ),
    Term(
        "vent",
        _("Vent"),
        _("An order that cools the unit at once by its vent rating, instead of fighting."),
        ("R-VNT-01",),
        ("heat",),
    ),
    Term(
        "shutdown",
        _("Shutdown"),
        _("A unit that has switched itself off: it takes no orders and is hit at +2 until it restarts."),
        ("R-SHD-01", "R-SHD-07", "R-SHD-08"),
        ("heat",),
    ),
    Term(
        "unconscious",
        _("Unconscious pilot"),
        _("A pilot knocked out by a critical hit. Their unit takes no orders until they wake up."),
        ("R-UNC-01", "R-UNC-05"),
        ("critical",),
    ),
)
