"""Forms that are shown again with the sentence of a refusal."""

import re
from typing import Any

from rules.wording.refusals import templates


def says(answer: Any, code: str) -> bool:
    """Return whether a page shows, above its form, the sentence of this code, whatever stands for its placeholders."""
    forms = (form for one in templates(code) for form in (one, getattr(one, "several", "")))
    return any(re.fullmatch(_pattern(form), answer.context["problem"]) for form in forms if form)


def _pattern(template: str) -> str:
    return "".join(".*" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{[^}]*\})", template))


def as_it_stands(*forms: Any) -> dict[str, str]:
    """Return what a browser sends of forms in which nothing was changed."""
    fields = {field.html_name: field.value() for form in forms for field in form}
    return {name: "on" if value is True else str(value) for name, value in fields.items() if value not in (None, False)}
