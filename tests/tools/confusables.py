"""Make web/confusables.txt from Unicode's file: `python -m tests.tools.confusables PATH/confusables.txt`.

The file is at https://www.unicode.org/Public/security/. Only signs that are left after `web.names.name_key` has folded
compatible forms and case are kept, each with the end of the chain of signs that it looks like.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from pathlib import Path

from web.names import INVISIBLE, TABLE

_LINE = re.compile(r"([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA\t")
_VERSION = re.compile(r"^# Version: (\S+)", re.MULTILINE)

OWN = {"i": "l"}
"""What Unicode cannot say as it keeps the case: the capital of i looks like l."""

LONGEST_CHAIN = 20


def folded(text: str) -> str:
    """Return a text as `name_key` has it before it looks into the table."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFD", INVISIBLE.sub("", text))


def table_of(source: str) -> dict[str, str]:
    """Return each sign of Unicode's file with what it looks like, both folded.

    A small letter looks like what its capital looks like when only that is plain: В looks like B, so в is b.
    """
    given = {chr(int(sign, 16)): _text(look) for sign, look in _LINE.findall(source)}
    nearest: dict[str, str] = {}
    for sign in {each for known in given for each in (known, known.lower()) if len(each) == 1}:
        if folded(sign) != sign:
            continue
        ways = [folded(given[each]) for each in dict.fromkeys((sign, sign.upper())) if each in given]
        if ways:
            nearest[sign] = next((way for way in ways if way.isascii()), ways[0])
    nearest |= OWN
    ends = {sign: _end(look, nearest) for sign, look in nearest.items()}
    return {sign: look for sign, look in sorted(ends.items()) if look != sign and not sign.isspace()}


def written(source: str) -> str:
    """Return the text of the table for the text of Unicode's file."""
    found = _VERSION.search(source)
    head = [
        f"# Made by tests/tools/confusables.py from confusables.txt of Unicode {found[1] if found else '?'} (UTS 39).",
        *("# " + line if line else "#" for line in LICENCE.splitlines()),
    ]
    return "\n".join([*head, *(f"{sign}\t{look}" for sign, look in table_of(source).items())]) + "\n"


def _text(points: str) -> str:
    return "".join(chr(int(point, 16)) for point in points.split())


def _end(look: str, nearest: dict[str, str]) -> str:
    for _ in range(LONGEST_CHAIN):
        further = folded("".join(nearest.get(sign, sign) for sign in look))
        if further == look:
            return look
        look = further
    raise ValueError(f"what {look!r} looks like has no end")


LICENCE = """\
UNICODE LICENSE V3

COPYRIGHT AND PERMISSION NOTICE

Copyright © 1991-2024 Unicode, Inc.

NOTICE TO USER: Carefully read the following legal agreement. BY
DOWNLOADING, INSTALLING, COPYING OR OTHERWISE USING DATA FILES, AND/OR
SOFTWARE, YOU UNEQUIVOCALLY ACCEPT, AND AGREE TO BE BOUND BY, ALL OF THE
TERMS AND CONDITIONS OF THIS AGREEMENT. IF YOU DO NOT AGREE, DO NOT
DOWNLOAD, INSTALL, COPY, DISTRIBUTE OR USE THE DATA FILES OR SOFTWARE.

Permission is hereby granted, free of charge, to any person obtaining a
copy of data files and any associated documentation (the "Data Files") or
software and any associated documentation (the "Software") to deal in the
Data Files or Software without restriction, including without limitation
the rights to use, copy, modify, merge, publish, distribute, and/or sell
copies of the Data Files or Software, and to permit persons to whom the
Data Files or Software are furnished to do so, provided that either (a)
this copyright and permission notice appear with all copies of the Data
Files or Software, or (b) this copyright and permission notice appear in
associated Documentation.

THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY
KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF
THIRD PARTY RIGHTS.

IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE
BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES,
OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA
FILES OR SOFTWARE.

Except as contained in this notice, the name of a copyright holder shall
not be used in advertising or otherwise to promote the sale, use or other
dealings in these Data Files or Software without prior written
authorization of the copyright holder.
"""

if __name__ == "__main__":
    TABLE.write_text(written(Path(sys.argv[1]).read_text(encoding="utf-8-sig")), encoding="utf-8")
