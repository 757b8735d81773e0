"""The limit of the size of requests with files: Django itself limits only their other fields."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler


class LimitedRequest(FileUploadHandler):
    """The upload handler that refuses a form with files of more than LARGEST_REQUEST bytes, before any of it is stored.
    It leaves the files themselves to the other handlers.
    """

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803 - Django's own name
        content_length: int,
        boundary: Any,
        encoding: Any = None,
    ) -> None:
        """Raise RequestDataTooBig for a body that is too large by its Content-Length."""
        if content_length > settings.LARGEST_REQUEST:
            raise RequestDataTooBig(f"{content_length} bytes")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None
