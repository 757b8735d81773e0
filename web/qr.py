"""QR codes as pictures in the page itself, where no other address serves them and the site's policy holds, and as text
in a terminal.
"""

from __future__ import annotations

from io import StringIO

import segno
from django.utils.html import format_html
from django.utils.safestring import SafeString

from web.reached import reached

QUIET = 4
"""The modules of white around a code that the standard asks for."""
_TURNED = str.maketrans("█▀▄ ", " ▄▀█")
BLACK_ON_WHITE, PLAIN = "\033[30;107m", "\033[0m"


def qr_code(text: str, label: str) -> SafeString:
    """Return an SVG of the code of a text, black on white in any scheme, with `label` for people who do not see it.

    An address of the site in the code is one that other devices reach, not that of this very computer. The picture has
    no size of its own: the class "qr" gives it one. `text` has at most about 2,000 characters.
    """
    made = segno.make_qr(reached(text), error="m")
    picture = made.svg_inline(border=QUIET, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None)
    return format_html('<span class="qr" role="img" aria-label="{}">{}</span>', label, SafeString(picture))


def terminal_code(text: str, in_colours: bool) -> str:
    """Return the code of a text as lines of block characters, two modules above each other in one character.

    In colours it is black on white in every terminal. Without them its light modules have the colour of the letters, as
    a terminal with light letters on black wants it.
    """
    written = StringIO()
    segno.make_qr(text, error="m").terminal(written, border=QUIET, compact=True)
    if not in_colours:
        return written.getvalue()
    lines = written.getvalue().translate(_TURNED).splitlines()
    return "".join(f"{BLACK_ON_WHITE}{line}{PLAIN}\n" for line in lines)
