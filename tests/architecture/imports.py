"""Reads who imports whom from the source, function-level and type-checking imports included."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import networkx

# Each room with the rooms it may import; the arrows of the house, from the ground up.
ROOMS: dict[str, frozenset[str]] = {
    "rules": frozenset(),
    "commands": frozenset(),
    "web": frozenset({"rules"}),
    "webhooks": frozenset({"rules"}),
    "people": frozenset({"webhooks", "web", "commands", "rules"}),
    "jobs": frozenset({"web", "commands", "rules"}),
    "studies": frozenset({"web", "commands", "rules"}),
    "api": frozenset({"people", "web", "rules"}),
    "catalogue": frozenset({"api", "people", "web", "commands", "rules"}),
    "help": frozenset({"catalogue", "web", "rules"}),
    "challenge": frozenset({"api", "jobs", "people", "webhooks", "web", "commands", "rules"}),
    "matches": frozenset({"catalogue", "api", "jobs", "people", "web", "commands", "rules"}),
    "ladder": frozenset({"matches", "api", "jobs", "people", "web", "commands", "rules"}),
    "stables": frozenset(
        {"matches", "catalogue", "studies", "api", "jobs", "people", "webhooks", "web", "commands", "rules"}
    ),
    "solaris_site": frozenset(
        {
            "stables",
            "ladder",
            "challenge",
            "matches",
            "help",
            "catalogue",
            "studies",
            "api",
            "jobs",
            "people",
            "web",
            "commands",
            "rules",
        }
    ),
}

# The same inside rules/, from the ground up; what stands at the root of rules/ are commands.
RULES_ROOMS: dict[str, frozenset[str]] = {
    "core": frozenset(),
    "solaris": frozenset({"core"}),
    "competition": frozenset({"solaris", "core"}),
    "campaign": frozenset({"solaris", "core"}),
    "catalogue": frozenset({"core"}),
    "challenge": frozenset({"core"}),
    "bots": frozenset({"competition", "campaign", "solaris", "core"}),
    "wording": frozenset({"bots", "competition", "campaign", "catalogue", "challenge", "solaris", "core"}),
    "scenario": frozenset({"challenge", "competition", "catalogue", "solaris", "core"}),
    "measuring": frozenset({"wording", "bots", "competition", "campaign", "catalogue", "solaris", "core"}),
    "tools": frozenset({"measuring", "wording", "bots", "competition", "campaign", "catalogue", "solaris", "core"}),
}
CORE_OF_THE_CHALLENGE = frozenset({"messages", "refusals", "shapes", "shape_checks"})
"""What `rules.challenge` may use of `rules.core`: nothing of a match."""
RULES_COMMANDS = frozenset({"bench", "selfplay", "strengths", "verify"})
FOLDERS_OF_COMPETITION = ("ground", "state", "units", "attacks", "phases", "formats")
"""From the ground up; the modules beside them stand above them all."""

# What the rules may use beside Python itself: no framework, nothing with a clock, a network or a disk of its own.
RULES_LIBRARIES = frozenset({"networkx", "openskill", "numpy", "scipy"})
DEVELOPMENT_LIBRARIES = frozenset({"numpy", "scipy"})
"""Of these, what only development installs: nothing needs it but `rules.tools`."""

# Inside an app, from the ground up; those of one floor may import each other. Every module belongs to one of them.
LAYERS: dict[str, int] = {
    name: floor
    for floor, names in enumerate(
        (
            ("models", "signals"),
            ("text", "host"),
            ("selectors",),
            ("services",),
            ("forms", "presenters", "feeds", "documents", "account_exit", "kept"),
            ("jobs", "tasks", "matches_host", "receivers"),
            ("views", "api", "admin", "checks", "management", "templatetags", "middleware"),
            ("urls", "apps"),
        )
    )
    for name in names
}

APART = (("views", "api"), ("api", "views"))
"""Neighbours on one floor that import nothing of each other: pages and the interface share presenters."""

TOPICS_OF_SERVICES = (
    "base", "season", "garage", "market", "line_ups", "ai", "fixtures", "results", "standings", "running",
)  # fmt: skip
"""The topics of `stables.services` from the ground up."""

OF_REQUESTS = ("django.shortcuts", "django.views", "rest_framework")
"""The libraries that answer requests: an app needs them from its views and endpoints on, and not below."""

NO_ROOMS = frozenset({"tests", "examples", "docs"})
"""What holds Python and is no part of the house."""

IMPORTING_CALLS = frozenset({"import_module", "__import__", "include", "import_string"})
"""What imports the module, or something of the module, that its first argument names."""

# Rooms that are no apps, or hold what Django and Celery find by its name: each module there has a floor of its own.
FLOORS: dict[str, tuple[tuple[str, ...], ...]] = {
    "jobs": (
        ("models", "statements", "file_queue"),
        ("run", "selectors", "beat"),
        ("registry",),
        ("runner",),
        ("services",),
        ("tasks", "watch", "admin", "apps"),
    ),
    "studies": (("tasks",), ("fan_out",), ("options",), ("apps",)),
    "solaris_site": (
        (
            "environment",
            "formats",
            "routes",
            "uploads",
            "metrics_rows",
            "readiness",
            "log_filters",
            "logs",
            "private_files",
            "queues",
            "shared_cache",
        ),
        ("settings", "metrics", "log_records"),
        ("celery", "middleware", "observing", "views", "installing", "accounts", "retention", "games"),
        ("jobs",),
        ("urls", "apps", "management", "asgi", "wsgi"),
    ),
    "web": (
        (
            "admin",
            "append_only",
            "bounds",
            "charts",
            "crumbs",
            "languages",
            "markdown",
            "reached",
            "log_context",
            "moments",
            "names",
            "own_pages",
            "places",
            "reading",
            "retention",
            "slugs",
            "tables",
            "template_loading",
            "utf8",
        ),
        ("way_back", "operator_pages", "photos", "pictures", "qr"),
        ("templatetags",),
        ("problems",),
    ),
    "commands": (("migrated",),),
    "webhooks": (("addresses", "problems", "signatures"), ("posting", "web_push"), ("sending",)),
    "api": (
        ("access", "definitions", "fields", "reading", "rendering", "topics"),
        ("problems", "files"),
        ("idempotency", "tokens"),
        ("description", "documents", "endpoint"),
        ("document_pages",),
        ("document_urls",),
    ),
}


@dataclass(frozen=True)
class Import:
    """One import: the file and line where it stands and the dotted name it asks for."""

    path: Path
    line: int
    module: str
    target: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.module} imports {self.target}"


def source_files(root: Path, room: str) -> Iterator[Path]:
    """The modules of a room; migrations are written by Django and left out."""
    for path in sorted((root / room).rglob("*.py")):
        if "migrations" not in path.parts:
            yield path


def module_name(root: Path, path: Path) -> str:
    parts = list(path.relative_to(root).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(root: Path, path: Path) -> tuple[Import, ...]:
    """Every import in a file, relative ones made absolute, `from package import module` named by the module."""
    return _read(root, path)[0]


@cache
def _read(root: Path, path: Path) -> tuple[tuple[Import, ...], tuple[str, ...]]:
    """The imports of a file, and the names that it hands on; a file is read as a tree once."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return tuple(_imports_in(root, path, tree)), tuple(_handed_on_by(tree))


def _imports_in(root: Path, path: Path, tree: ast.Module) -> Iterator[Import]:
    module = module_name(root, path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    nodes = list(ast.walk(tree))
    aliases = [alias for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names]
    calls = {alias.asname for alias in aliases if alias.asname and alias.name in IMPORTING_CALLS}
    for node in nodes:
        for target in _targets(root, package, node, IMPORTING_CALLS | calls):
            yield Import(path.relative_to(root), node.lineno, module, target)  # type: ignore[attr-defined]


def _targets(root: Path, package: str, node: ast.AST, calls: frozenset[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, base] if base else above)
        return [_module_or_package(root, base, alias.name) for alias in node.names]
    is_call = isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)
    if is_call and _called_name(node) in calls:  # type: ignore[arg-type]
        return [str(node.args[0].value)]  # type: ignore[attr-defined]
    return []


def _called_name(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _module_or_package(root: Path, base: str, name: str) -> str:
    place = root.joinpath(*base.split("."), name)
    return f"{base}.{name}" if place.is_dir() or place.with_suffix(".py").exists() else base


def all_imports(root: Path) -> list[Import]:
    return [found for room in ROOMS for path in source_files(root, room) for found in imports_of(root, path)]


def wrong_between_rooms(imports: list[Import]) -> list[Import]:
    """Imports against the arrows between the rooms of the house."""
    wrong = []
    for found in imports:
        room, target = found.module.split(".")[0], found.target.split(".")[0]
        if target in ROOMS and target != room and target not in ROOMS[room]:
            wrong.append(found)
    return wrong


def wrong_inside_rules(imports: list[Import]) -> list[Import]:
    """Imports against the arrows inside rules/, and imports of frameworks."""
    wrong = []
    for found in imports:
        here, there = found.module.split("."), found.target.split(".")
        if here[0] != "rules":
            continue
        if there[0] != "rules":
            if there[0] not in sys.stdlib_module_names | RULES_LIBRARIES:
                wrong.append(found)
        elif not _may_import_in_rules(here[1:], there[1:]):
            wrong.append(found)
    return wrong


def needing_development(imports: list[Import]) -> list[str]:
    """Modules beside `rules.tools` that import, by whatever way, what only development installs."""
    needed_by = networkx.DiGraph((found.target, found.module) for found in imports)
    # Who imports a module imports the packages that it lies in.
    needed_by.add_edges_from((name.rpartition(".")[0], name) for name in list(needed_by) if "." in name)
    libraries = [name for name in needed_by if name.split(".")[0] in DEVELOPMENT_LIBRARIES]
    reached = {name for library in libraries for name in networkx.descendants(needed_by, library)}
    return sorted(name for name in reached if name.split(".")[0] in ROOMS and name.split(".")[:2] != ["rules", "tools"])


def _may_import_in_rules(here: list[str], there: list[str]) -> bool:
    if not there:
        return True
    if not here or here[0] in RULES_COMMANDS:
        return bool(here)
    if here[0] == "challenge" and there[0] == "core":
        return there[1:2] != [] and there[1] in CORE_OF_THE_CHALLENGE
    if here[0] == there[0] == "competition":
        return _floor_of_competition(there) <= _floor_of_competition(here)
    return there[0] == here[0] or there[0] in RULES_ROOMS.get(here[0], frozenset())


def _floor_of_competition(parts: list[str]) -> int:
    known = len(parts) > 1 and parts[1] in FOLDERS_OF_COMPETITION
    return FOLDERS_OF_COMPETITION.index(parts[1]) if known else len(FOLDERS_OF_COMPETITION)


def without_layer(modules: Iterable[str]) -> list[str]:
    """Modules that the lists above do not know; the packages of the rooms themselves are nowhere."""
    return [module for module in modules if "." in module and floor_of(module) is None]


def wrong_inside_apps(imports: list[Import]) -> list[Import]:
    """Imports of a module by one of a lower layer or a lower topic of the same app; all by the app's own `__init__`."""
    return [
        found
        for found in imports
        if found.module.split(".")[0] == found.target.split(".")[0] != "rules" and _is_upward(found)
    ]


def _is_upward(found: Import) -> bool:
    (_, *here), (_, *there) = found.module.split("."), found.target.split(".")
    if not here or not there:
        # Celery wants its app to be found in the package of the settings.
        return bool(there) and found.target != "solaris_site.celery"
    own, other = floor_of(found.module), floor_of(found.target)
    if own is not None and other is not None and other > own:
        return True
    if (here[0], there[0]) in APART:
        return True
    topics = [parts[1] for parts in (here, there) if parts[0] == "services" and len(parts) > 1]
    if len(topics) < 2 or not all(topic in TOPICS_OF_SERVICES for topic in topics):
        return False
    return TOPICS_OF_SERVICES.index(topics[1]) > TOPICS_OF_SERVICES.index(topics[0])


def answering_too_low(imports: list[Import]) -> list[Import]:
    """Return the imports by which a layer below the views of an app would answer requests."""
    return [
        found
        for found in imports
        if found.module.split(".")[0] not in FLOORS
        and not found.module.startswith("rules.")
        and (floor_of(found.module) or 0) < LAYERS["views"]
        and "." in found.module
        and found.target.startswith(OF_REQUESTS)
    ]


def floor_of(module: str) -> int | None:
    """The layer of a module from the ground, 0 and up; None for one that has none."""
    room, *parts = module.split(".")
    if not parts:
        return None
    if room == "rules":
        return 0 if parts[0] in RULES_ROOMS or parts[0] in RULES_COMMANDS else None
    if room in FLOORS:
        return next((floor for floor, names in enumerate(FLOORS[room]) if parts[0] in names), None)
    return LAYERS.get(parts[0])


def circles(imports: list[Import]) -> list[list[str]]:
    """The modules that import each other in a circle, each circle sorted."""
    graph = networkx.DiGraph((found.module, found.target) for found in imports if found.module != found.target)
    return sorted(sorted(circle) for circle in networkx.strongly_connected_components(graph) if len(circle) > 1)


def unknown_rooms(root: Path) -> list[str]:
    """Folders at the root that hold Python and stand in no list."""
    return [
        folder.name
        for folder in sorted(root.iterdir())
        if folder.is_dir() and folder.name not in ROOMS.keys() | NO_ROOMS and any(folder.glob("*.py"))
    ]


def handed_on(root: Path) -> list[str]:
    """Names that a module hands on though another defines them; packages gather the names of their own modules."""
    paths = [path for room in ROOMS for path in source_files(root, room) if path.name != "__init__.py"]
    return [f"{path.relative_to(root)}: {name}" for path in paths for name in _read(root, path)[1]]


def _handed_on_by(tree: ast.Module) -> Iterator[str]:
    imported = [alias for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    listed = [node.value for node in assigned if getattr(node.targets[0], "id", "") == "__all__"]
    named = {item.value for value in listed for item in getattr(value, "elts", ())}
    yield from (each.name for each in imported if each.name == each.asname or (each.asname or each.name) in named)


def modules_of(root: Path) -> list[str]:
    """The dotted names of all modules of the house."""
    return [module_name(root, path) for room in ROOMS for path in source_files(root, room)]


def imports_of_migrations(root: Path) -> list[Import]:
    """What migrations import of the project itself."""
    paths = [path for room in ROOMS for path in sorted((root / room).glob("migrations/*.py"))]
    return [found for path in paths for found in imports_of(root, path) if found.target.split(".")[0] in ROOMS]
