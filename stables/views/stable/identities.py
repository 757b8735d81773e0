"""The pages of what a stable keeps from season to season: its honours, its record, its rivals."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from rules.core.refusals import Malformed, SeasonRefused
from stables.forms.identity import IdentityForm
from stables.models import StableIdentity
from stables.models.emblems import EMBLEMS
from stables.presenters.season_parts import home_crumb
from stables.selectors import honours
from stables.services.season.identities import change_identity
from stables.views.frame import answer
from web.crumbs import Link
from web.languages.words import sort_key
from web.problems import show_again


def find_identity(identity_id: int, user: Any) -> StableIdentity:
    """Return the identity with this id, fetched with its owner.

    Raises Http404 when there is none that the reader may see: their own, or one with a stable in a season they may see.
    """
    return get_object_or_404(honours.identities_seen(user).select_related("owner"), pk=identity_id)


@require_safe
def own_identities(request: HttpRequest) -> HttpResponse:
    """Show the reader's own stables over all seasons; visitors are sent to log in."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    identities = StableIdentity.objects.filter(owner=request.user).prefetch_related("stables__season").order_by("pk")
    context = {"identities": identities, "crumbs": [home_crumb()]}
    return render(request, "stables/identities.html", context)


def _rivals(identity: StableIdentity, user: Any) -> list[StableIdentity]:
    """Return the rivals of an identity that a reader may see, by their names."""
    seen = identity.rivals.filter(pk__in=honours.identities_seen(user)).order_by("pk")
    return sorted(seen, key=lambda rival: sort_key(rival.name))


@require_safe
def identity(request: HttpRequest, identity_id: int) -> HttpResponse:
    """Show an identity that the reader may see: its seasons with honours and record, its rivals, whom it has met."""
    found = find_identity(identity_id, request.user)
    seasons = honours.seasons_of(found, request.user)
    rivals = _rivals(found, request.user)
    called = {rival.pk for rival in rivals}
    context = {
        "identity": found,
        "seasons": seasons,
        "record": {
            name: sum(getattr(past, name) for past in seasons) for name in ("reputation", "kills", "wins", "matches")
        },
        "honours": sum(len(past.titles) for past in seasons),
        "rivals": rivals,
        "others": [other for other in honours.met_by(found, request.user) if other.pk not in called],
        "is_owner": is_owner(request.user, found),
        "crumbs": [home_crumb(), Link(_("Hall of champions"), reverse("stables:champions"))],
    }
    return render(request, "stables/identity.html", context)


def is_owner(user: Any, identity: StableIdentity) -> bool:
    """Return whether an identity is this person's own. Identities of AI stables belong to nobody."""
    return bool(user.is_authenticated and identity.owner_id == user.pk)


@require_safe
def against(request: HttpRequest, identity_id: int, other_id: int) -> HttpResponse:
    """Show the matches of two identities, which the reader may see, against each other."""
    first, second = find_identity(identity_id, request.user), find_identity(other_id, request.user)
    meetings = honours.meetings(first, second, request.user)
    context = {
        "first": first,
        "second": second,
        "meetings": meetings[: honours.MEETINGS_SHOWN],
        "count": len(meetings),
        "wins": (
            sum(meeting.winner == 1 for meeting in meetings),
            sum(meeting.winner == 2 for meeting in meetings),
        ),
        "crumbs": [home_crumb(), Link(first.name, first.get_absolute_url())],
    }
    return render(request, "stables/against.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_identity(request: HttpRequest, identity_id: int) -> HttpResponse:
    """Show the form to change an identity, for its owner. A POST changes it; a form that is refused is shown again.

    Fields: those of IdentityForm. 403 for another person.
    """
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    found = _own(request, identity_id)
    rivals = _rivals(found, request.user)
    form = IdentityForm(found, [rival.pk for rival in rivals], request.POST if request.method == "POST" else None)
    problem = None
    if form.is_bound:
        try:
            with form.in_words():
                change_identity(identity_id=found.pk, **form.read())
        except (Malformed, SeasonRefused) as refused:
            problem = refused
        else:
            return answer(request, _("Your stable looks like this now."), found.get_absolute_url())
    met = honours.met_by(found, request.user)
    known = {other.pk for other in met}
    context = {
        "identity": found,
        "form": form,
        "emblems": [(key, emblem) for key, emblem in EMBLEMS.items()],
        "others": [*met, *(rival for rival in rivals if rival.pk not in known)],
        "crumbs": [home_crumb(), Link(found.name, found.get_absolute_url())],
    }
    return show_again(request, "stables/edit_identity.html", context, problem)


def _own(request: HttpRequest, identity_id: int) -> StableIdentity:
    found = find_identity(identity_id, request.user)
    if not is_owner(request.user, found):
        raise PermissionDenied
    return found
