"""The addresses of the site that `bench_api` measures: those of the real site, and one that does nothing."""

from __future__ import annotations

from typing import Any

from django.urls import include, path
from rest_framework.response import Response

from api.endpoint import Endpoint


class Bare(Endpoint):
    """An endpoint without any work, for what every request of the interface costs."""

    def get(self, request: Any) -> Response:
        """Return an empty object."""
        return Response({})


urlpatterns = [path("api/v1/bare/", Bare.as_view()), path("", include("solaris_site.urls"))]
