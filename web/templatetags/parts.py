"""Small parts that many pages have, for every template: `{% load parts %}`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django import template
from django.forms.utils import flatatt
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name, localtime
from django.utils.translation import get_language, gettext

from rules.wording.challenge_words import amount
from rules.wording.filling import form_of
from rules.wording.language import STONES
from web import operator_pages
from web.languages import offer
from web.languages.reader import translate
from web.own_pages import without_secrets
from web.qr import qr_code

register = template.Library()

_TOKEN = CsrfTokenNode()

WITH_ZONE = ("DATETIME_FORMAT", "SHORT_DATETIME_FORMAT")
"""The formats of a day with its time."""


@register.simple_tag
def languages_offered() -> list[tuple[str, str]]:
    """Return the languages that people can choose: codes, and names in themselves."""
    return offer.choices()


@register.simple_tag(takes_context=True)
def not_translated(context: Context) -> offer.Language | None:
    """Return the reader's language where the page is in English because its room is not translated yet, else None.

    A page without a request, as after a bug, is in the language that is active.
    """
    request = context.get("request")
    wanted = offer.wanted_by(request)
    return offer.known()[wanted] if request is not None and wanted != get_language() else None


@register.simple_tag
def moment(at: datetime, style: str = "DATETIME_FORMAT", look: str = "") -> SafeString:
    """Return, for `{% moment entry.created_at %}`, a moment in the reader's time zone as a `<time>`.

    `style` is one of Django's named formats, `look` the element's classes. A day with its time names the zone, a day or
    a time alone does not.
    """
    here = localtime(at)
    attributes = flatatt({"class": look or None, "datetime": here.isoformat()})
    return format_html("<time{}>{}{}</time>", attributes, date_format(here, style), _zone(here, style))


def _zone(here: datetime, style: str) -> SafeString:
    """Return the short name of a local moment's zone after a day with its time, "" after any other format."""
    if style not in WITH_ZONE:
        return SafeString("")
    whole = get_current_timezone_name()
    return format_html(' <abbr title="{}" translate="no">{}</abbr>', whole.replace("_", " "), short_zone(here))


def short_zone(here: datetime) -> str:
    """Return the short name of a local moment's zone, such as CET, or UTC+5:30 for a zone without letters of its own.

    >>> from zoneinfo import ZoneInfo
    >>> [short_zone(datetime(2026, 7, 1, tzinfo=ZoneInfo(name))) for name in ("Europe/Berlin", "Asia/Kathmandu")]
    ['CEST', 'UTC+5:45']
    """
    name = here.tzname() or ""
    if name.isalpha():
        return name
    minutes = round((here.utcoffset() or timedelta()).total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")


@register.filter
def name(own_name: str) -> SafeString:
    """Return, for `{% blocktranslate with name=season.name|name %}`, a name that browsers do not translate."""
    return format_html('<span translate="no">{}</span>', own_name)


@register.filter
def names(things: Iterable[Any]) -> SafeString:
    """Return, for `{{ reporters|names }}`, the names of stables and other named things, with commas."""
    return format_html_join(", ", '<span translate="no">{}</span>', ((each.name,) for each in things))


@register.filter
def stones(amount: int, look: str = "") -> SafeString:
    """Return, for `{{ offer.price|stones }}`, the drawn sign and the number; the word is there for screen readers.

    `look` are further classes.
    """
    words = form_of(STONES, {"count": amount}, translate)
    before, _, after = words.partition("{count}")
    hidden = SafeString('<span class="visually-hidden">{}</span>')
    said = [format_html(hidden, part) if part.strip() else part for part in (before, after)]
    classes = f"in-stones {look}".strip()
    return format_html('<span class="{}">{}{}{}</span>', classes, said[0], translate.number(amount), said[1])


@register.filter
def money(c_bills: int) -> str:
    """Return, for `{{ pilot.c_bills|money }}`, an amount with marks between thousands and a true minus sign."""
    return amount(c_bills, translate)


@register.filter
def percent(chance: int | float) -> str:
    """Return, for `{{ chance|percent }}`, a percentage as the reader's language writes it."""
    return gettext("%(chance)s %%") % {"chance": translate.number(chance)}


@register.simple_tag
def qr(address: str, label: str) -> SafeString:
    """Return, for `{% qr address label %}`, the QR code of a full address; `label` says where it leads."""
    return qr_code(address, label)


@register.simple_block_tag(takes_context=True)
def button(
    context: Context,
    content: str,
    address: str,
    *arguments: Any,
    look: str = "",
    about: str = "",
    id: str = "",
    inline: bool = False,
    disabled: bool = False,
    **fields: Any,
) -> SafeString:
    """Return, for `{% button "stables:sell" season.slug stable.slug asset=7 %}Sell{% endbutton %}`, a form that is one
    button: it posts `fields` to an address, or to a named one with its arguments.

    `look` holds the button's classes. Only screen readers say what the button is `about`. With `inline` the form is in
    a row with others.
    """
    action = address if "/" in address else reverse(address, args=arguments)
    return format_html(
        '<form{} method="post" action="{}">{}{}<button{}>{}{}</button></form>',
        flatatt({"class": "inline-form" if inline else None}),
        action,
        _TOKEN.render(context),
        format_html_join("", '<input type="hidden" name="{}" value="{}">', fields.items()),
        flatatt({"class": look or None, "id": id or None, "type": "submit", "disabled": disabled}),
        SafeString(content.strip()),
        format_html('<span class="visually-hidden" translate="no">: {}</span>', about) if about else "",
    )


@register.simple_tag(takes_context=True)
def page_named(context: Context) -> str:
    """Return the query of an address that names the page shown, without its secrets; "" where no view answers it."""
    request = context.get("request")
    found = getattr(request, "resolver_match", None)
    return f"?{urlencode({'page': without_secrets(request.path_info, found)})}" if request and found else ""


@register.simple_tag
def pages_of_operator() -> list[tuple[str, Any]]:
    """Return the name of the address and the title of each page of the operator's own that is there."""
    return [(f"help:{name}", operator_pages.NAMES[name]) for name in operator_pages.listed()]
