"""What the site keeps about a person: the page that says so, and the file with all of it."""

from __future__ import annotations

from typing import BinaryIO, cast

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from people.services import copies, kept
from people.services.accounts import count_attempt
from people.views.frame import logged_in
from web.bounds import MOST_COPIES, MOST_ROWS_OF_A_COPY

FILE_NAME = "solaris-circuit-my-data.zip"


@login_required
@never_cache
@require_safe
def show_kept(request: HttpRequest) -> HttpResponse:
    """Show each kind of datum that the site keeps of a person: what, who sees it, how long, and how it goes."""
    context = {"kinds": list(kept.kinds()), "most": MOST_COPIES, "most_rows": MOST_ROWS_OF_A_COPY}
    return render(request, "people/kept.html", context)


@login_required
@never_cache
@require_POST
def own_data(request: HttpRequest) -> FileResponse:
    """Send everything that the site keeps of the person as a file (people.services.copies).

    Raises TooOften (too_often).
    """
    user = logged_in(request)
    count_attempt(copies.COPIES_OF_A_PERSON, str(user.pk))
    written = cast(BinaryIO, copies.write_copy(user))
    return FileResponse(written, as_attachment=True, filename=FILE_NAME, content_type="application/zip")
