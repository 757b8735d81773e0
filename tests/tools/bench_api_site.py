"""The addresses of the site that `bench_api` measures: all of them, and one where nothing is done."""

from __future__ import annotations

from typing import Any

from django.urls import include, path
from rest_framework.response import Response

from api.endpoint import Endpoint


class Bare(Endpoint):
    """Whatever every request of the interface costs, with no work behind it."""

    def get(self, request: Any) -> Response:
        """An empty object."""
        return Response({})


urlpatterns = [path("api/v1/bare/", Bare.as_view()), path("", include("solaris_site.urls"))]
