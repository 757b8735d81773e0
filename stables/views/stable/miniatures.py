"""The photos of an owner's miniatures: the form for one, removing one, and the photo itself."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from catalogue.selectors.miniatures import photo_of
from catalogue.services.miniatures import put_photo, remove_photo
from people.models import User
from people.services.accounts import notify
from rules.core.refusals import Malformed
from stables.forms.miniature import MiniatureForm
from stables.models import Asset
from stables.presenters.miniatures import miniatures_of, with_photos
from stables.selectors.offices import organises
from stables.views.frame import answer, for_people, own_stable
from stables.views.stable.stable import page_of_stable
from web.photos import photo_in, send_photo
from web.problems import show_again


def _unit(season_slug: str, stable_slug: str, asset_id: int) -> Any:
    """Return a unit with its stable, owner and season. Raises Http404."""
    units = with_photos(Asset.objects.select_related("stable__owner", "stable__season__release"))
    at = {"stable__slug": stable_slug, "stable__season__slug": season_slug}
    return get_object_or_404(units, kind=Asset.Kind.UNIT, pk=asset_id, **at)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def miniature(request: HttpRequest, season_slug: str, stable_slug: str, asset_id: int) -> HttpResponse:
    """Show the owner the form for the photo of their miniature of a unit (GET), or store the photo (POST, `photo`).

    A refusal shows the form again (400). 403 for everybody else, 429 for too many photos.
    """
    own_stable(request, season_slug, stable_slug)
    unit = _unit(season_slug, stable_slug, asset_id)
    assert isinstance(request.user, User)
    problem = None
    if request.method == "POST":
        try:
            put_photo(request.user, unit.catalogue_key, unit.name, photo_in(request.FILES))
        except Malformed as refused:
            problem = refused
        else:
            return answer(request, gettext("The photo is there."), request.path)
    stable = unit.stable
    context = page_of_stable(stable, gettext("Photo of {name}").format(name=unit.name)) | {
        "unit": unit,
        "shown": miniatures_of(stable.season, [stable], [unit])[unit.pk],
        "form": MiniatureForm(),
    }
    return show_again(request, "stables/miniature.html", context, problem)


@for_people
def remove_miniature(request: HttpRequest, season_slug: str, stable_slug: str, asset_id: int) -> HttpResponse:
    """Remove the photo of a unit's miniature and redirect to the stable; 403 except for owner and organisers.

    The owner gets a notice of what an organiser removes.
    """
    unit = _unit(season_slug, stable_slug, asset_id)
    stable, owner = unit.stable, unit.stable.owner
    is_owner = owner is not None and owner.pk == request.user.pk
    if not is_owner and not organises(request.user, stable.season):
        raise PermissionDenied
    if owner is None or not remove_photo(owner, unit.catalogue_key):
        return redirect(stable)
    if not is_owner:
        names = {"season": stable.season.name, "name": unit.name}
        notify([owner], "miniature_removed", names, stable.get_absolute_url())
    return answer(request, gettext("The photo is removed."), stable.get_absolute_url())


@require_safe
def miniature_photo(request: HttpRequest, season_slug: str, stable_slug: str, asset_id: int) -> HttpResponse:
    """Send the photo of a unit's miniature to people who may see the season; 404 without one."""
    unit = _unit(season_slug, stable_slug, asset_id)
    return send_photo(request, photo_of(unit.stable.owner_id, unit.catalogue_key), f"{unit.catalogue_key}.jpg")
