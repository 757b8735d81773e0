"""Deleting what collections keep only for a while."""

from __future__ import annotations

from datetime import datetime

from catalogue.models import ImportDraft
from people.services.retention import delete_some
from web.retention import IMPORT_DRAFTS


def forget_drafts(now: datetime, most: int) -> int:
    """Delete at most `most` imports that were begun IMPORT_DRAFTS ago, and return how many these were."""
    return delete_some(ImportDraft.objects.filter(created_at__lt=now - IMPORT_DRAFTS), most)
