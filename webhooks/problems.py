"""The problems of a try to post news, in words."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

PROBLEMS: Mapping[str, str | Promise] = {
    "bad_certificate": _("The certificate of the address is not valid for its name."),
    "bad_status": _("The answer was not of the kind 2xx."),
    "gone": _("The address says that it is gone for good (410), so the webhook was turned off."),
    "no_answer": _("The connection ended without an answer that can be read."),
    "no_connection": _("No connection came about."),
    "redirect": _("The answer was a redirect. None is followed: enter the address to which it leads."),
    "too_slow": _("The answer took too long."),
    "webhook_address_account": _("The address holds a name or password."),
    "webhook_address_busy": _("Other names were being looked up at the same time."),
    "webhook_address_malformed": _("The address cannot be read."),
    "webhook_address_not_https": _("The address does not begin with https://."),
    "webhook_address_port": _("The port of the address is not asked."),
    "webhook_address_private": _("The address does not lead to a public place, or not only to one."),
    "webhook_address_unknown": _("The name of the address leads nowhere at present."),
    "webhook_off": _("The webhook was off."),
    "worker_lost": _("The try came to no end on this side."),
}
"""Code -> sentence. It includes the refusals of an address when a webhook is made, since each try checks it again."""


def problem_sentence(code: str) -> str:
    """Return the sentence of a problem in the reader's language; "" for no problem."""
    if not code:
        return ""
    return str(PROBLEMS[code]) if code in PROBLEMS else gettext("Something went wrong (%(code)s).") % {"code": code}
