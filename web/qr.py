"""QR codes as pictures in the page itself: no other address serves them, and the site's policy holds."""

from __future__ import annotations

import segno
from django.utils.html import format_html
from django.utils.safestring import SafeString

QUIET = 4
"""The modules of white around a code that the standard asks for."""


def qr_code(text: str, label: str) -> SafeString:
    """Return an SVG of the code of a text, black on white in any scheme, with `label` for people who do not see it.

    The picture has no size of its own: the class "qr" gives it one. `text` has at most about 2,000 characters.
    """
    made = segno.make_qr(text, error="m")
    picture = made.svg_inline(border=QUIET, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None)
    return format_html('<span class="qr" role="img" aria-label="{}">{}</span>', label, SafeString(picture))
