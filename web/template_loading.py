"""The site's templates as pages send them: without the indents that are for readers of the source."""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders import filesystem


class Loader(filesystem.Loader):
    """Read a template of the site without indents and blank lines; what is no page (`.txt`) is read as it stands."""

    def get_contents(self, origin: Origin) -> str:
        """Return the text of a template. Raises TemplateDoesNotExist."""
        text: str = super().get_contents(origin)
        return text if origin.name.endswith(".txt") else re.sub(r"\n\s+", "\n", text)
