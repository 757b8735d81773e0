"""The pages under /help/, from docs/ and our own texts. They are the same for everybody and make no query."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from help.presenters import cards as help_card_pages
from help.presenters import rules as help_pages
from help.text.content import who_sees_what as help_who
from web import operator_pages


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show what to read first, and how a match and a season go."""
    return render(request, "help/index.html", {"page": "index"})


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show all groups of rules. With `?q=` show the glossary's words, rules, rulings and decisions that contain all
    words of the search.
    """
    question = request.GET.get("q", "")
    context = {"page": "rules", "lists": help_pages.group_lists(), "results": help_pages.search(question)}
    return render(request, "help/rules.html", context)


@require_safe
def rules_group(request: HttpRequest, group: str) -> HttpResponse:
    """Show one group of rules, such as `mov`, every line with an anchor; 404 for an unknown group."""
    shown = help_pages.group_page(group)
    if shown is None:
        raise Http404
    return render(request, "help/rules_group.html", {"page": "rules", "group": shown})


@require_safe
def rulings(request: HttpRequest) -> HttpResponse:
    """Show docs/rulings.md, every ruling with an anchor."""
    return render(request, "help/rulings.html", {"page": "rulings", "chapters": help_pages.ruling_chapters()})


@require_safe
def challenge_rules(request: HttpRequest) -> HttpResponse:
    """Show docs/challenge-rules.md, every rule with an anchor."""
    context = {"page": "challenge", "chapters": help_pages.challenge_rules(), "is_rulings": False}
    return render(request, "help/challenge.html", context)


@require_safe
def challenge_rulings(request: HttpRequest) -> HttpResponse:
    """Show docs/challenge-rulings.md, every ruling with an anchor."""
    context = {"page": "challenge", "chapters": help_pages.challenge_rulings(), "is_rulings": True}
    return render(request, "help/challenge.html", context)


@require_safe
def first_evening(request: HttpRequest) -> HttpResponse:
    """Show a GM how their first evening of the Melee Challenge goes."""
    return render(request, "help/first_evening.html", {"page": "challenge"})


@require_safe
def decisions(request: HttpRequest) -> HttpResponse:
    """Show docs/decisions.md, every section and row with an anchor."""
    return render(request, "help/decisions.html", {"page": "decisions", "chapters": help_pages.decision_chapters()})


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """Show the words of the game and of the site."""
    return render(request, "help/glossary.html", {"page": "glossary", "sheets": help_pages.glossary()})


@require_safe
def equipment(request: HttpRequest) -> HttpResponse:
    """Show what each special equipment does, by its place on the dial."""
    return render(request, "help/equipment.html", {"page": "equipment", "groups": help_card_pages.equipment_groups()})


@require_safe
def heat(request: HttpRequest) -> HttpResponse:
    """Show what each heat effect does, by its place on the dial."""
    return render(request, "help/heat.html", {"page": "heat", "groups": help_card_pages.heat_groups()})


@require_safe
def formats(request: HttpRequest) -> HttpResponse:
    """Show the rules that each format has for itself."""
    return render(request, "help/formats.html", {"page": "formats", "formats": help_card_pages.formats()})


@require_safe
def cards(request: HttpRequest) -> HttpResponse:
    """Show pilots' abilities, gear and rally cards of the game in words."""
    context = {
        "page": "cards",
        "abilities": help_card_pages.abilities(),
        "gear": help_card_pages.gear(),
        "rally_cards": help_card_pages.rally_cards(),
    }
    return render(request, "help/cards.html", context)


@require_safe
def who_sees_what(request: HttpRequest) -> HttpResponse:
    """Show what others may see, from when on, and what is stored about a person."""
    context = {"page": "who_sees_what", "sheets": help_who.SHEETS, "stored": help_who.STORED}
    return render(request, "help/who_sees_what.html", context)


@require_safe
def operator_page(request: HttpRequest, name: str) -> HttpResponse:
    """Show a page of the operator's own, in the reader's language or in `?language=`; 404 where they have none."""
    shown = operator_pages.find(name, request.GET.get("language"))
    if shown is None:
        raise Http404
    return render(request, "help/operator_page.html", {"shown": shown, "title": operator_pages.NAMES[name]})
