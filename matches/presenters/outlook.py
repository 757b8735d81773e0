"""What an attack can bring, result by result, in words: damage, what is left, reputation, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from matches.presenters.attacks import Term, terms_of
from matches.presenters.odds import percent
from matches.text.match import word
from rules.competition.order_forecast import (
    CRITICAL_HIT,
    CRITICAL_MISS,
    HIT,
    MISS,
    OrderForecast,
    Result,
    Spread,
    Struck,
    TokenWorth,
)
from rules.wording.filling import signed
from web.languages.reader import translate

Names = Mapping[str, str]


@dataclass(frozen=True)
class Consequence:
    """What happens to one unit or token, in sentences; `terms` lowered the damage scored. `name`: a name of its own."""

    name: str
    sentences: tuple[str, ...]
    scored: int | None
    terms: tuple[Term, ...]


@dataclass(frozen=True)
class ResultView:
    """One result: its name, the rule of a critical one, its chance in percent, what it does, what it costs.

    `hit` names those that are hit, () unless several could be.
    """

    name: str
    rule: str
    chance: int
    hit: tuple[str, ...]
    consequences: tuple[Consequence, ...]


@dataclass(frozen=True)
class TokenView:
    """What a target token pays: by the method that it wants, by any other one, and for this attack if it may fall."""

    name: str
    method: str
    rp: int
    else_rp: int
    used: str
    earns: int
    may_fall: bool


@dataclass(frozen=True)
class Outlook:
    """All results of an attack, and what may still change them. `reacting` are the units that may react.

    `damage`, `damage_value`, `damage_terms` and `damage_rule` are those of an AttackView; `damage` is None where a die
    decides it.
    """

    results: tuple[ResultView, ...]
    damage: int | None
    damage_value: int
    damage_terms: tuple[Term, ...]
    damage_rule: str
    tokens: tuple[TokenView, ...]
    reacting: tuple[str, ...]
    may_reroll: bool


def outlook_of(seen: OrderForecast, names: Names) -> Outlook | None:
    """Return a forecast's results in the reader's words; None without any."""
    if not seen.results:
        return None
    return Outlook(
        results=tuple(_result(each, seen, names) for each in seen.results),
        damage=seen.damage.amount if seen.damage else None,
        damage_value=seen.damage.value if seen.damage else 0,
        damage_terms=terms_of(seen.damage.added, names) if seen.damage else (),
        damage_rule=(seen.damage.rule or "") if seen.damage else "",
        tokens=tuple(_token(each, seen, names) for each in seen.tokens),
        reacting=tuple(names.get(unit, unit) for kind, unit in seen.asked if kind == "react"),
        may_reroll=any(kind == "reroll" for kind, _ in seen.asked),
    )


def damage_words(seen: OrderForecast) -> str:
    """Return what a plain hit deals in a few words, or what it pays for a token; "" where that depends on more.

    Damage is what the target loses, so armor and the target's single-use items count.
    """
    hit = next((each for each in seen.results if each.result == HIT), None)
    if hit is None or len(hit.hit) != 1 or hit.divided or (seen.attack and len(seen.attack.targets) > 1):
        return ""
    struck = next((each for each in hit.struck if each.target == hit.hit[0]), None)
    if struck is None or struck.mended[-1][0] or (_any(struck.heat) and not _any(struck.damage)):
        return ""
    if not _is_unit(seen, struck.target):
        return (
            gettext("%(reputation)s reputation") % {"reputation": struck.reputation} if struck.falls in (0, 1) else ""
        )
    return _amount(gettext("%(amount)s damage"), struck.damage)


def _token(each: TokenWorth, seen: OrderForecast, names: Names) -> TokenView:
    used = word(each.used) if each.used else gettext("close combat without a melee weapon")
    may_fall = any(struck.falls for result in seen.results for struck in result.struck if struck.target == each.target)
    name = names.get(each.target, each.target)
    return TokenView(name, word(each.method), each.rp, each.else_rp, used, each.earns, may_fall)


def _result(each: Result, seen: OrderForecast, names: Names) -> ResultView:
    titles = {
        CRITICAL_HIT: (gettext("Critical hit"), "R-CRT-01"),
        HIT: (gettext("Hit"), ""),
        MISS: (gettext("Miss"), ""),
        CRITICAL_MISS: (gettext("Critical miss"), "R-CRT-05"),
    }
    title, rule = titles[each.result]
    found = [_consequence(struck, each, seen, names) for struck in each.struck]
    own = _own(each, seen, names)
    is_several = seen.attack is not None and len(seen.attack.targets) > 1
    return ResultView(
        name=title,
        rule=rule,
        chance=percent(each.chance),
        hit=tuple(names.get(name, name) for name in each.hit) if is_several and each.result == HIT else (),
        consequences=tuple(found + ([own] if own else [])),
    )


def _is_unit(seen: OrderForecast, target: str) -> bool:
    return target in seen.left


def _consequence(struck: Struck, result: Result, seen: OrderForecast, names: Names) -> Consequence:
    said = _unit_says(struck, seen) if _is_unit(seen, struck.target) else [_token_says(struck)]
    if result.divided and struck.target in result.hit:
        said[0] = gettext("%(what)s, if all %(damage)s go to it") % {"what": said[0], "damage": result.divided}
    said += [_with_chance(_effect(key), chance) for key, chance in struck.effects]
    if struck.spent:
        said.append(gettext("used up, 1 damage each: %(items)s") % {"items": _listed(struck.spent)})
    terms = terms_of(struck.reductions, names)
    return Consequence(names.get(struck.target, struck.target), tuple(said), struck.scored if terms else None, terms)


def _unit_says(struck: Struck, seen: OrderForecast) -> list[str]:
    said = []
    mended = struck.mended[-1][0]
    if mended:
        said.append(_amount(gettext("Clicks repaired: %(amount)s, or what a die shows"), struck.mended))
    elif _any(struck.damage) or not _any(struck.heat):
        said.append(_amount(gettext("%(amount)s damage"), struck.damage))
    if _any(struck.heat):
        said.append(_amount(gettext("%(amount)s heat"), struck.heat, signed))
    left = seen.left[struck.target]
    if not left:
        said.append(gettext("falls in the clean-up anyway"))
    elif struck.falls:
        falls = gettext("eliminated in the clean-up, %(reputation)s reputation") % {"reputation": struck.reputation}
        said.append(_with_chance(falls, struck.falls))
    if left and struck.falls < 1 and struck.damage[-1][0]:
        lost = {amount: chance for amount, chance in struck.damage if amount < left}
        low, high = left - max(lost), left - min(lost)
        clicks = str(low) if low == high else gettext("%(low)s to %(high)s") % {"low": low, "high": high}
        said.append(ngettext("%(clicks)s click left", "%(clicks)s clicks left", high) % {"clicks": clicks})
    return said


def _token_says(struck: Struck) -> str:
    if not struck.falls:
        return gettext("not destroyed")
    pays = gettext("destroyed, %(reputation)s reputation") % {"reputation": struck.reputation}
    return _with_chance(pays, struck.falls)


def _effect(key: str) -> str:
    return {
        "pilot_unconscious": gettext("its pilot is knocked out"),
        "shut_down": gettext("it is shut down"),
        "grounded": gettext("it cannot move this round"),
        "marked": gettext("it is marked for ballistic fire"),
    }[key]


def _own(each: Result, seen: OrderForecast, names: Names) -> Consequence | None:
    """Return what the attacker does to itself, None when that is nothing."""
    most = each.own_damage[-1][0]
    if not most or seen.attacker is None:
        return None
    causes = {
        "critical_miss": gettext("critical miss"),
        "single_use": gettext("used up: %(items)s") % {"items": _listed(each.spent)},
        "explosion": gettext("ammunition"),
    }
    why = ", ".join(causes.get(cause) or word(cause) for cause in each.own_causes)
    itself = _amount(gettext("%(amount)s damage to itself"), each.own_damage)
    # Translators: itself is “2 damage to itself”, why one or several causes
    said = [gettext("%(itself)s (%(why)s)") % {"itself": itself, "why": why}]
    if not seen.left[seen.attacker]:
        said.append(gettext("falls in the clean-up anyway"))
    elif each.own_falls:
        said.append(_with_chance(gettext("eliminated in the clean-up"), each.own_falls))
    else:
        left = seen.left[seen.attacker] - most
        said.append(ngettext("%(clicks)s click left", "%(clicks)s clicks left", left) % {"clicks": left})
    return Consequence(names.get(seen.attacker, seen.attacker), tuple(said), None, ())


def _listed(keys: Iterable[str]) -> str:
    return ", ".join(word(key) for key in keys)


def _with_chance(said: str, chance: float) -> str:
    if chance == 1:
        return said
    return gettext("%(chance)s %%: %(what)s") % {"chance": percent(chance), "what": said}


def _any(spread: Spread) -> bool:
    return any(amount for amount, _ in spread)


def _amount(said: str, spread: Spread, written: Callable[[int], str] = str) -> str:
    """Return a sentence with its amount, or with the least and the most, and the average, where dice decide."""
    low, high = written(spread[0][0]), written(spread[-1][0])
    if low == high:
        return said % {"amount": low}
    mean = round(sum(amount * chance for amount, chance in spread), 1)
    both = said % {"amount": gettext("%(low)s to %(high)s") % {"low": low, "high": high}}
    return gettext("%(amount)s, %(mean)s on average") % {
        "amount": both,
        "mean": translate.number(int(mean) if mean == int(mean) else mean),
    }
