"""The limit of a request's size: Django limits fields, but not files."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler


class LimitedRequest(FileUploadHandler):
    """The refusal of a form with files that announces more than LARGEST_REQUEST bytes, before any of it is stored."""

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803 - Django's own name
        content_length: int,
        boundary: Any,
        encoding: Any = None,
    ) -> None:
        """Refuse a body that is too large. Raises RequestDataTooBig."""
        if content_length > settings.LARGEST_REQUEST:
            raise RequestDataTooBig(f"{content_length} bytes")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None
