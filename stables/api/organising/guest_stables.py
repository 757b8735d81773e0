"""The endpoint that founds a stable for a guest, with the link with which they play it."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, StrictString
from stables.api.organising.base import TOPIC, Organising
from stables.api.organising.settings import SAYS_SOMETHING, rules_refuse
from stables.services.running import guests
from stables.services.season.seasons import LONGEST_NAME


class FoundForGuestInput(Input):
    """The name of the stable."""

    name = StrictString(max_length=LONGEST_NAME, validators=[SAYS_SOMETHING])


class FoundedForGuestOutput(Output):
    """A new stable, its starting capital in Stones, and the link with which its guest plays it, once, until it expires.
    `code` and `link` are null except in the answer that made it: only the hash of the code is stored.
    """

    slug = serializers.SlugField()
    number = serializers.IntegerField()
    capital = serializers.IntegerField()
    expires_at = serializers.DateTimeField()
    code = serializers.CharField(allow_null=True)
    link = serializers.CharField(allow_null=True)


class FoundForGuest(Organising):
    """A stable for a guest."""

    secrets = ("code", "link")

    @describes(
        "season_found_for_guest",
        "Found a stable for a guest",
        TOPIC,
        sends=FoundForGuestInput,
        answers=FoundedForGuestOutput,
        status=201,
        examples=[
            example("A name", {"name": "Iron Parish"}, sent=True),
            example(
                "Founded",
                {
                    "slug": "iron-parish",
                    "number": 3,
                    "capital": 500,
                    "expires_at": "3152-03-15T18:00:00Z",
                    "code": "b2Zm9kQ0xTn1aWvEb2Zm9kQ0xTn1aWvE",
                    "link": "https://solaris.example/stable-links/b2Zm9kQ0xTn1aWvEb2Zm9kQ0xTn1aWvE/",
                },
                status=201,
            ),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Found a stable that waits for a guest, a person without an account, and make the link that seats them on
        their phone. The AI does not act for it meanwhile.

        Refused: season_closed_to_newcomers, season_full, place_is_kept, stable_name_taken, too_many_guests;
        organiser_takes_part if you play in the running season and another organiser does not. 429 (`too_often`) for too
        many links for guests within an hour.
        """
        season = self.organised_season()
        with rules_refuse():
            made = guests.found_for_guest(season_id=season.pk, user=request.user, **self.sent(FoundForGuestInput))
        facts = {
            "slug": made.founded.slug,
            "number": made.founded.number,
            "capital": made.founded.capital,
            "expires_at": made.link.expires_at,
            "code": made.link.code,
            "link": request.build_absolute_uri(reverse("stables:open_link", args=[made.link.code])),
        }
        return Response(FoundedForGuestOutput(facts).data, status=201)
