"""The site's templates as pages send them, without the indents that only readers of the source need."""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders import filesystem


class Loader(filesystem.Loader):
    """A loader that leaves out indents and blank lines, except in texts (`.txt`)."""

    def get_contents(self, origin: Origin) -> str:
        """Return the text of a template. Raises TemplateDoesNotExist."""
        text: str = super().get_contents(origin)
        return text if origin.name.endswith(".txt") else without_blank_lines(text)


def without_blank_lines(text: str) -> str:
    """Return a text without its indents and blank lines."""
    return re.sub(r"\n\s+", "\n", text)
