"""Two guards: of every season, for people who may not see it, and of everything that is not for guests."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from rules.core.refusals import SeasonRefused
from rules.wording import sentence
from stables.models import Season
from stables.selectors.access import season_at, takes_part
from stables.selectors.places import refuse_former_owner
from stables.selectors.webhooks.documents import language_of
from web.languages.offer import speak_unasked
from web.languages.reader import translate
from web.problems import problem_response

View = Callable[..., HttpResponse]

SEASON = "season_slug"
"""The name of the season's address in every URL pattern below a season. A test checks that there is no other name."""


STABLE, FIXTURE = "stable_slug", "fixture_id"
"""The names of the addresses of a stable and of a fixture in URL patterns below a season."""

DECIDES_VISIBILITY = "decides_visibility"


def decides_visibility(view: View) -> View:
    """Mark a view below a season that decides itself who may see it: by a secret key, without a login.

    It must answer 404 to everybody else in every case, and gets no `request.season`. A test lists these views.
    """
    setattr(view, DECIDES_VISIBILITY, True)
    return view


SEASON_ALONE = "wants_season_alone"
"""The attribute that marks a view that is asked often and needs neither release nor organiser of its season."""


class SeasonVisibilityMiddleware:
    """The guard of all views below a season: it answers 404 to a person who may not see the season.

    A page of a reader who names no language, such as the preview of a link, is in that of what the season posts.
    It takes one query, and at most three more if the season is not open to all. The view gets `request.season`, with
    release and organiser unless it is marked with SEASON_ALONE. A view that `decides_visibility` is not guarded. Search
    engines are asked not to index a season that is not public.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        season = getattr(request, "season", None)
        if season is not None and season.visibility != Season.Visibility.PUBLIC:
            response.headers["X-Robots-Tag"] = "noindex"
        return response

    def process_view(
        self, request: HttpRequest, view: Any, arguments: Any, names: dict[str, Any]
    ) -> HttpResponse | None:
        """Set `request.season` for a view below a season.

        A person whose stable was removed or passed on reads so (409). Raises Http404 for others, which does not say
        whether there is such a season.
        """
        if SEASON not in names or getattr(view, DECIDES_VISIBILITY, False):
            return None
        season = season_at(request.user, names[SEASON], alone=getattr(view, SEASON_ALONE, False))
        if season is None:
            answer = _to_former_owner(request, names)
            if answer is None:
                raise Http404
            return answer
        request.season = season  # type: ignore[attr-defined]
        if not getattr(view, SEASON_ALONE, False) and not request.path_info.startswith("/api/"):
            speak_unasked(request, language_of(season), "stables")
        return None

    def process_exception(self, request: HttpRequest, problem: Exception) -> HttpResponse | None:
        """Say to a person whose stable was removed or passed on why they may not act for it any more (409).

        Their open pages lead to a stable or a match that is not theirs. Other problems are left to others.
        """
        names = {} if request.resolver_match is None else request.resolver_match.kwargs
        is_of_stable = isinstance(problem, (PermissionDenied, Http404)) and STABLE in names
        is_of_match = isinstance(problem, PermissionDenied) and FIXTURE in names
        return _to_former_owner(request, names) if SEASON in names and (is_of_stable or is_of_match) else None


def _to_former_owner(request: HttpRequest, names: dict[str, Any]) -> HttpResponse | None:
    """Return the answer to a person who owned the stable of an address, or one of its season; None for others."""
    try:
        refuse_former_owner(request.user, names[SEASON], names.get(STABLE, ""))
    except SeasonRefused as refused:
        text = sentence(refused.code, refused.parameters, translate)
        return problem_response(request, HTTPStatus.CONFLICT, refused.code, text, refused.parameters)
    return None


# Guests --------------------------------------------------------------------------------------------------------------

READS_OF_PEOPLE = frozenset(
    {"people:notices", "people:kept", "people:log_in", "people:push", "people:sign_up", "people:wording"}
)
"""What a guest may read of the pages of accounts; the rest is about an account of one's own."""

OWN_READS = frozenset(
    {
        "api:tokens",
        "api:token",
        "catalogue:check",
        "catalogue:collections",
        "catalogue:editor",
        "catalogue:import",
        "catalogue:shelf",
        "challenge:open",
        "matches:new",
        "stables:inbox",
        "stables:own_identities",
        "stables:open_season",
        "stables:solo",
        "stables:solo_continue",
    }
)
"""Pages for people with an account that a guest has no use for."""

ACTS_ANYWHERE = frozenset(
    {
        "api:match_actions",
        "api:match_actions_check",
        "api:match_advice",
        "api:match_come_back",
        "api:match_finish",
        "api:match_legal_actions",
        "api:match_rival_away",
        "api:match_standing",
        "api:notices_read",
        "catalogue:remove_miniature",
        "matches:close_seat",
        "matches:come_back",
        "matches:fight",
        "matches:fight_a_friend",
        "matches:nod",
        "matches:finish",
        "matches:play",
        "matches:rematch",
        "matches:rival_away",
        "matches:standing",
        "matches:skip_tutorial",
        "matches:take_seat",
        "matches:tutorial",
        "people:end_push",
        "people:log_out",
        "people:own_data",
        "people:push",
        "people:read_notices",
        "people:sign_up",
        "people:wording",
        "puzzles:answer",
        "puzzles:play_on",
        "set_language",
        "stables:appearance",
        "stables:take_over",
        "stables:who_comes",
    }
)
"""What a guest may do outside the addresses of their season. Of matches only their seats let them act, or a free one.
Only a guest without a season becomes an account by signing up.
"""

OF_EVENTS = "challenge:"
"""How the addresses of events of the Challenge begin: the keys that a browser holds decide there, account or not. Only
accounts open events.
"""

NOT_FOR_GUESTS = frozenset(
    {
        "again",
        "copy_season",
        "found_stable",
        "propose_program",
        "season_again",
        "season_copy",
        "wait",
        "waiting_place",
    }
)
"""Acts below a season that lead out of it, or let others in; some have another name in the interface."""

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class GuestMiddleware:
    """The guard of everything that is not for guests. They act for their stable in its season, and in quick duels.

    It is closed by default: whatever changes something, and is neither below the guest's season nor in ACTS_ANYWHERE,
    is refused (403, guest_may_not). It takes one query for an act of a guest, none for anybody else. It comes after
    SeasonVisibilityMiddleware, so that a refusal says nothing of a season that the guest may not see.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, arguments: Any, names: dict[str, Any]
    ) -> HttpResponse | None:
        """Refuse a guest what is not for guests."""
        # Without a session nobody is a guest, and a look at the user would make every page vary by cookie.
        if not request.session.session_key or not getattr(request.user, "is_guest", False):
            return None
        name = "" if request.resolver_match is None else request.resolver_match.view_name
        if (_may_read if request.method in SAFE else _may_act)(request, name, names):
            return None
        text = sentence("guest_may_not", {}, translate)
        return problem_response(request, HTTPStatus.FORBIDDEN, "guest_may_not", text)


def _may_read(request: HttpRequest, name: str, names: dict[str, Any]) -> bool:
    if name.startswith(("people:", "admin:")):
        return name in READS_OF_PEOPLE
    return name not in OWN_READS


def _may_act(request: HttpRequest, name: str, names: dict[str, Any]) -> bool:
    if name in ACTS_ANYWHERE or name.startswith(OF_EVENTS):
        return True
    if SEASON not in names or name.partition(":")[2] in NOT_FOR_GUESTS:
        return False
    return Season.objects.filter(takes_part(request.user), slug=names[SEASON]).exists()
