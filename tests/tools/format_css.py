"""Format the styles with cssbeautifier: `python -m tests.tools.format_css`; `--check` names what would change.

Its settings stand in pyproject.toml, under `tool.cssbeautifier`.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import cssbeautifier

ROOT = Path(__file__).resolve().parents[2]


def formatted(text: str) -> str:
    """Give the text of a style sheet as the formatter writes it."""
    options = cssbeautifier.default_options()
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cssbeautifier"]
    for name, value in settings.items():
        setattr(options, name, value)
    return cssbeautifier.beautify(text, options)


def main() -> int:
    """Write each sheet that differs, or with `--check` only name it and fail."""
    check = "--check" in sys.argv[1:]
    differing = 0
    for sheet in sorted((ROOT / "static" / "css").glob("*.css")):
        text = sheet.read_text(encoding="utf-8")
        wanted = formatted(text)
        if text == wanted:
            continue
        differing += 1
        print(f"{sheet.relative_to(ROOT)} {'would be' if check else 'is'} formatted")
        if not check:
            sheet.write_text(wanted, encoding="utf-8")
    return 1 if check and differing else 0


if __name__ == "__main__":
    sys.exit(main())
