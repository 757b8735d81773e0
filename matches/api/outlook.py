"""The shape of what an action can bring before its dice: odds, damage by target and result, heat, tokens, costs."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.fields import Output
from rules.competition.order_forecast import RESULTS


class AmountOutput(Output):
    """An amount and its chance (0 to 1) within the result."""

    amount = serializers.IntegerField()
    chance = serializers.FloatField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        amount, chance = instance
        return {"amount": amount, "chance": chance}


class EffectOutput(Output):
    """An effect and its chance (0 to 1) within the result."""

    effect = serializers.ChoiceField(choices=["pilot_unconscious", "shut_down", "grounded", "marked"])
    chance = serializers.FloatField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        effect, chance = instance
        return {"effect": effect, "chance": chance}


class OpenQuestionOutput(Output):
    """A question on the way that its unit may still answer: a reaction, helpful equipment, a die rolled again."""

    kind = serializers.ChoiceField(choices=["react", "cancel", "reroll"])
    unit = serializers.CharField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        kind, unit = instance
        return {"kind": kind, "unit": unit}


class SummandOutput(Output):
    """A modifier: its name as in events, the amount, and the rule that gives it."""

    name = serializers.CharField()
    amount = serializers.IntegerField()
    rule = serializers.CharField(allow_blank=True)


class AimOutput(Output):
    """The sum against one target. `needed` is the lowest sum of the dice that hits; 19 if only a critical hit does.

    `range` is in hexsides, null for attacks that are not ranged. `again` is the target's equipment that makes the
    attacker roll a second time, null without it. `chance` is 0 to 1.
    """

    target = serializers.CharField()
    range = serializers.IntegerField(allow_null=True)
    attack_printed = serializers.IntegerField()
    modifiers = SummandOutput(many=True)
    attack = serializers.IntegerField()
    defense_printed = serializers.IntegerField()
    defense_modifiers = SummandOutput(many=True)
    defense = serializers.IntegerField()
    needed = serializers.IntegerField()
    chance = serializers.FloatField()
    again = serializers.CharField(allow_null=True)


class SumsOutput(Output):
    """The sums of an attack. `aid` is what an attack on a friend does, empty on an opponent."""

    order = serializers.CharField()
    value = serializers.CharField()
    is_ranged = serializers.BooleanField()
    is_indirect = serializers.BooleanField()
    aid = serializers.ChoiceField(choices=["", "repair", "coolant_flush"])
    targets = AimOutput(many=True)


class DamageSumOutput(Output):
    """What a hit scores before armor: `value` with what `added` gave, and the `amount` that `rule` leaves of it.

    `rule` is null where nothing lowers the value.
    """

    value = serializers.IntegerField()
    added = SummandOutput(many=True)
    rule = serializers.CharField(allow_null=True)
    amount = serializers.IntegerField()


class StruckOutput(Output):
    """What a result does to a unit or token.

    `scored` is the damage before the `reductions`, null where dice decide it. `damage` is what the target takes, its
    own single-use items (`spent`) included. `heat` is below 0 where it cools, `mended` are clicks turned back. `falls`
    is the chance that it is destroyed or eliminated, and `reputation` what your side gets then.
    """

    target = serializers.CharField()
    scored = serializers.IntegerField(allow_null=True)
    reductions = SummandOutput(many=True)
    damage = AmountOutput(many=True)
    spent = serializers.ListField(child=serializers.CharField())
    heat = AmountOutput(many=True)
    mended = AmountOutput(many=True)
    falls = serializers.FloatField()
    reputation = serializers.IntegerField()
    effects = EffectOutput(many=True)


class RolledResultOutput(Output):
    """One result of the dice with its chance, the targets hit, and what it does to whom.

    `divided` is damage that the attacker divides among those hit; each of them is then shown with all of it. It is 0
    otherwise. `own_damage` is what the attacker does to itself, for `own_causes`; `spent` are its single-use items that
    are used up, `own_falls` the chance that it is eliminated by that.
    """

    result = serializers.ChoiceField(choices=RESULTS)
    hit = serializers.ListField(child=serializers.CharField())
    chance = serializers.FloatField()
    struck = StruckOutput(many=True)
    divided = serializers.IntegerField()
    own_damage = AmountOutput(many=True)
    own_causes = serializers.ListField(child=serializers.CharField())
    spent = serializers.ListField(child=serializers.CharField())
    own_falls = serializers.FloatField()


class TokenWorthOutput(Output):
    """What a target token pays in reputation: `rp` for its method, `else_rp` for others, `earns` for this attack.

    `used` is the method of this attack, null for a close attack without a melee weapon.
    """

    target = serializers.CharField()
    method = serializers.CharField()
    rp = serializers.IntegerField()
    else_rp = serializers.IntegerField()
    used = serializers.CharField(allow_null=True)
    earns = serializers.IntegerField()


class HeatRiskOutput(Output):
    """A heat effect that is rolled for: it strikes on `faces` of the six."""

    key = serializers.CharField()
    rule = serializers.CharField()
    faces = serializers.IntegerField()


class HeatWayOutput(Output):
    """Heat that the action `added`, with its chance, and where the dial stands in the clean-up.

    `hottest` is the step after the dial took the heat of the die, `last` the step after the unit cooled; each has the
    effects that are rolled for there. `shutdown` and `explosion` are chances within this way, 0 to 1.
    """

    chance = serializers.FloatField()
    added = serializers.IntegerField()
    hottest = serializers.IntegerField()
    risks = HeatRiskOutput(many=True)
    last = serializers.IntegerField()
    last_risks = HeatRiskOutput(many=True)
    shutdown = serializers.FloatField()
    explosion = serializers.FloatField()


class HeatOutput(Output):
    """A unit's heat: the step that its dial shows `now`, the heat on its `die`, and the `ways` it may come to.

    Steps count from 0. At `top` the unit is shut down.
    """

    unit = serializers.CharField()
    now = serializers.IntegerField()
    die = serializers.IntegerField()
    top = serializers.IntegerField()
    ways = HeatWayOutput(many=True)


class OutlookOutput(Output):
    """What an action can bring as long as nobody reacts, plays a card or rolls a die again.

    `attacker` and `attack` are null without an attack; `results` and `tokens` are empty then. `damage` is null where a
    die decides it. `left` has the clicks left of each unit before the action. `heat` is null where the action does not
    touch that of `unit`. `asked` names the questions that may still change the outcome.
    """

    unit = serializers.CharField()
    attacker = serializers.CharField(allow_null=True)
    attack = SumsOutput(allow_null=True)
    results = RolledResultOutput(many=True)
    damage = DamageSumOutput(allow_null=True)
    tokens = TokenWorthOutput(many=True)
    left = serializers.DictField(child=serializers.IntegerField())
    heat = HeatOutput(allow_null=True)
    asked = OpenQuestionOutput(many=True)


class BreakAwayOutput(Output):
    """The die that a unit in base contact rolls before it moves: the lowest face that succeeds, and the chance.

    `needed` is null when no face succeeds.
    """

    needed = serializers.IntegerField(allow_null=True)
    chance = serializers.FloatField()


def _certain(amount: int) -> list[dict[str, Any]]:
    return [{"amount": amount, "chance": 1.0}]


def _example(result: str, chance: float, dealt: int, own_damage: int) -> dict[str, Any]:
    """Return a result of the example: a shot at `blue-1`, which has four clicks left."""
    struck = {
        "target": "blue-1",
        "scored": dealt,
        "reductions": [],
        "damage": _certain(dealt),
        "spent": [],
        "heat": _certain(0),
        "mended": _certain(0),
        "falls": 0.0,
        "reputation": 0,
        "effects": [],
    }
    return {
        "result": result,
        "hit": ["blue-1"] if dealt else [],
        "chance": chance,
        "struck": [struck] if dealt else [],
        "divided": 0,
        "own_damage": _certain(own_damage),
        "own_causes": ["critical_miss"] if own_damage else [],
        "spent": [],
        "own_falls": 0.0,
    }


OUTLOOK_EXAMPLE: dict[str, Any] = {
    "unit": "red-1",
    "attacker": "red-1",
    "attack": {
        "order": "ranged",
        "value": "primary",
        "is_ranged": True,
        "is_indirect": False,
        "aid": "",
        "targets": [
            {
                "target": "blue-1",
                "range": 4,
                "attack_printed": 8,
                "modifiers": [{"name": "hindering", "amount": -1, "rule": "R-RMD-01"}],
                "attack": 7,
                "defense_printed": 17,
                "defense_modifiers": [],
                "defense": 17,
                "needed": 10,
                "chance": 0.625,
                "again": None,
            }
        ],
    },
    "results": [
        _example("critical_hit", 0.0278, 3, 0),
        _example("hit", 0.5972, 3, 0),
        _example("miss", 0.3472, 0, 0),
        _example("critical_miss", 0.0278, 0, 1),
    ],
    "damage": {"value": 3, "added": [], "rule": None, "amount": 3},
    "tokens": [],
    "left": {"red-1": 9, "blue-1": 4},
    "heat": {
        "unit": "red-1",
        "now": 0,
        "die": 0,
        "top": 4,
        "ways": [
            {
                "chance": 1.0,
                "added": 1,
                "hottest": 1,
                "risks": [],
                "last": 1,
                "last_risks": [],
                "shutdown": 0.0,
                "explosion": 0.0,
            }
        ],
    },
    "asked": [{"kind": "react", "unit": "blue-1"}],
}
