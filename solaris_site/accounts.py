"""The endpoints of the asker's own account: tokens, notices, and the desk with everything that waits for them."""

from __future__ import annotations

from collections.abc import Iterable
from html import unescape
from typing import Any

from django.http import Http404
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Endpoint, Pages, idempotent, pages_of
from api.fields import Output, Query, StrictBoolean
from people.models import ApiToken, Notice
from people.selectors import unread_count
from people.services.accounts import mark_notices_read
from people.services.tokens import SCOPES, kept_tokens, revoke_token
from people.text.notices import notice_sentence
from stables.models import ExternalSeat, Season, SeasonRole, Stable
from stables.presenters.desk import Office, Waiting, desk
from web.languages.reader import translate

TOPIC = "Account"
LARGEST_ID = 2**63 - 1
"""The largest id that a database stores. A larger number in an address gets 404."""


class TokenOutput(Output):
    """A token without its text, which nobody can read again. `ending` has its last letters. `last_used_at` is `null`
    for a token that was never used.
    """

    id = serializers.IntegerField()
    name = serializers.CharField()
    ending = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=list(SCOPES)))
    made_at = serializers.DateTimeField(source="created_at")
    ends_at = serializers.DateTimeField(source="expires_at")
    last_used_at = serializers.DateTimeField(allow_null=True)


class MeOutput(Output):
    """The asker's account. `token` is the token of the request, `null` for a session. `unread_notices` counts all
    that you have not read, `acts_open` those that ask for an act that is still to be done, read or not.
    """

    name = serializers.CharField(source="get_username")
    time_zone = serializers.CharField()
    unread_notices = serializers.SerializerMethodField()
    acts_open = serializers.IntegerField()
    token = serializers.SerializerMethodField()

    def get_unread_notices(self, user: Any) -> int:
        return unread_count(user)

    @extend_schema_field(TokenOutput(allow_null=True))
    def get_token(self, user: Any) -> Any:
        token = self.context["token"]
        return TokenOutput(token).data if token is not None else None


class NoticeOutput(Output):
    """A notice. `page` is the address of the page that it is about, `null` for none. `read_at` is `null` until the
    notice is read. `asks` says that you must act, `due_at` until when, `null` without a time. `done_at` is `null` until
    the site sees that nothing is left to do.
    """

    id = serializers.IntegerField()
    code = serializers.CharField()
    parameters = serializers.DictField()
    sentence = serializers.SerializerMethodField()
    page = serializers.SerializerMethodField()
    sent_at = serializers.DateTimeField(source="created_at")
    read_at = serializers.DateTimeField(allow_null=True)
    asks = serializers.BooleanField()
    due_at = serializers.DateTimeField(allow_null=True)
    done_at = serializers.DateTimeField(allow_null=True)

    def get_sentence(self, notice: Notice) -> str:
        return notice_sentence(notice.code, notice.parameters, translate)

    def get_page(self, notice: Notice) -> str | None:
        return notice.url or None


class NoticesQuery(Pages):
    """Which notices."""

    unread = StrictBoolean(
        required=False, help_text="`true`: only notices that you have not read; `false`: only the others."
    )


class NoticesReadOutput(Output):
    """The number of notices that were unread until now."""

    read = serializers.IntegerField()


class DeskSeasonOutput(Output):
    """A season by its address."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=Season.State.values)


class DeskStableOutput(Output):
    """A stable of yours. `left_in_cycle` is `null` while it takes part."""

    season = DeskSeasonOutput()
    slug = serializers.SlugField()
    name = serializers.CharField()
    left_in_cycle = serializers.IntegerField(allow_null=True)


class DeskOfficeOutput(Output):
    """A season that you help to run, and as what."""

    season = DeskSeasonOutput()
    office = serializers.ChoiceField(choices=["organiser", *SeasonRole.Role.values])


class DeskSeatOutput(Output):
    """A stable of another person that your account plays or is proposed for. `agreed_at` is `null` until all agree."""

    season = DeskSeasonOutput(source="stable.season")
    stable = serializers.SlugField(source="stable.slug")
    proposed_at = serializers.DateTimeField()
    agreed_at = serializers.DateTimeField(allow_null=True)


class DeskTaskOutput(Output):
    """Something to do, in a sentence, and the page for it. `decides` says that it belongs to your office in the season.
    `stable` is `null` when it concerns none of your stables.
    """

    season = serializers.SlugField(source="season.slug")
    stable = serializers.SerializerMethodField()
    sentence = serializers.SerializerMethodField()
    page = serializers.CharField(source="task.address")
    decides = serializers.BooleanField(source="task.decides")

    def get_sentence(self, waiting: Waiting) -> str:
        # For pages the names in some sentences are marked and escaped.
        said = waiting.task.sentence
        return unescape(strip_tags(said)) if isinstance(said, SafeString) else said

    def get_stable(self, waiting: Waiting) -> str | None:
        return waiting.stable.slug if waiting.stable is not None else None


class DeskMatchOutput(Output):
    """A match that is not over and in which you sit. `opponents` name its sides: the stables that meet, in a friendly
    match the players and bots.
    """

    public_id = serializers.UUIDField()
    format = serializers.CharField()
    opponents = serializers.ListField(child=serializers.CharField())
    begun_at = serializers.DateTimeField(source="created_at")


class DeskOutput(Output):
    """What is yours and what waits for you. `waiting` is what you have to do, `awaited` is what others have to answer
    you.
    """

    waiting = DeskTaskOutput(many=True)
    awaited = DeskTaskOutput(many=True)
    stables = DeskStableOutput(many=True)
    offices = DeskOfficeOutput(many=True)
    seats = DeskSeatOutput(many=True)
    open_matches = DeskMatchOutput(many=True)
    unread_notices = serializers.IntegerField(source="unread")


TOKEN_EXAMPLE: dict[str, Any] = {
    "id": 7,
    "name": "laptop",
    "ending": "k3Qw",
    "scopes": ["read", "play"],
    "made_at": "3152-03-01T18:00:00Z",
    "ends_at": "3152-05-30T18:00:00Z",
    "last_used_at": "3152-03-02T09:00:00Z",
}
SEASON_EXAMPLE = {"slug": "spring-circuit", "name": "Spring Circuit", "state": "running"}
TASK_EXAMPLE = {
    "season": "spring-circuit",
    "stable": "ash-works",
    "sentence": "Hand in your line-up against Birch Yards.",
    "page": "/seasons/spring-circuit/stables/ash-works/line-ups/",
    "decides": False,
}


class OwnEndpoint(Endpoint):
    """An endpoint about the asker's own things; a login is needed."""

    open_to_all = False


class Me(OwnEndpoint):
    """The asker's name, time zone and token."""

    @describes(
        "me_read",
        "Who you are",
        TOPIC,
        answers=MeOutput,
        examples=[
            example(
                "With a token",
                {"name": "mara", "time_zone": "UTC", "unread_notices": 2, "acts_open": 1, "token": TOKEN_EXAMPLE},
            )
        ],
    )
    def get(self, request: Any) -> Response:
        """Return your name and time zone, the number of your unread notices, and the token of this request."""
        self.asked(Query)
        return Response(MeOutput(request.user, context={"token": request.auth}).data)


class Tokens(OwnEndpoint):
    """The asker's tokens."""

    @describes(
        "tokens_list",
        "Your tokens",
        TOPIC,
        answers=pages_of(TokenOutput),
        asks=Pages,
        examples=[example("One token", {"count": 1, "page": 1, "pages": 1, "results": [TOKEN_EXAMPLE]})],
    )
    def get(self, request: Any) -> Response:
        """List your tokens that are not revoked, the newest first, including expired ones. You can make tokens only on
        the site’s page “Tokens”: a token cannot make tokens.
        """
        asked = self.asked(Pages)
        return self.page_of(kept_tokens(request.user), asked, lambda rows: TokenOutput(rows, many=True).data)


class TokenItself(OwnEndpoint):
    """One of the asker's tokens."""

    @describes("tokens_revoke", "Revoke a token", TOPIC, answers=None, status=204)
    @idempotent(atomic=True)
    def delete(self, request: Any, token_id: int) -> Response:
        """Revoke one of your tokens at once, even the one of this request. A second call changes nothing."""
        if token_id > LARGEST_ID or not ApiToken.objects.filter(user=request.user, pk=token_id).exists():
            raise Http404
        revoke_token(user=request.user, token_id=token_id)
        return Response(status=204)


class Notices(OwnEndpoint):
    """The asker's notices."""

    @describes(
        "notices_list",
        "Your notices",
        TOPIC,
        answers=pages_of(NoticeOutput),
        asks=NoticesQuery,
        examples=[
            example(
                "One notice",
                {
                    "count": 1,
                    "page": 1,
                    "pages": 1,
                    "results": [
                        {
                            "id": 31,
                            "code": "market_open",
                            "parameters": {"season": "Spring Circuit", "cycle": 2},
                            "sentence": "The market of cycle 2 of Spring Circuit is open.",
                            "page": "/seasons/spring-circuit/",
                            "sent_at": "3152-03-01T18:00:00Z",
                            "read_at": None,
                            "asks": True,
                            "due_at": None,
                            "done_at": None,
                        }
                    ],
                },
            )
        ],
    )
    def get(self, request: Any) -> Response:
        """List your notices, the newest first. Reading them here does not mark them as read."""
        asked = self.asked(NoticesQuery)
        found = request.user.notices.order_by("-id")
        if "unread" in asked:
            found = found.filter(read_at__isnull=asked["unread"])
        return self.page_of(found, asked, lambda rows: NoticeOutput(rows, many=True).data)


class NoticesRead(OwnEndpoint):
    """The mark of notices as read."""

    @describes(
        "notices_mark_read",
        "Mark all your notices as read",
        TOPIC,
        answers=NoticesReadOutput,
        examples=[example("Two were new", {"read": 2})],
    )
    @idempotent(atomic=True)
    def post(self, request: Any) -> Response:
        """Mark all your notices as read, as the button on the site’s page does. Read notices are not mailed. What they
        ask for stays in `acts_open` until it is done.
        """
        return Response({"read": mark_notices_read(request.user)})


class Desk(OwnEndpoint):
    """The asker's desk, which the site's first page shows, too."""

    @describes(
        "me_desk",
        "What is yours, and what waits for you",
        TOPIC,
        answers=DeskOutput,
        examples=[
            example(
                "A line-up is called for",
                {
                    "waiting": [TASK_EXAMPLE],
                    "awaited": [],
                    "stables": [
                        {"season": SEASON_EXAMPLE, "slug": "ash-works", "name": "Ash Works", "left_in_cycle": None}
                    ],
                    "offices": [{"season": SEASON_EXAMPLE, "office": "referee"}],
                    "seats": [],
                    "open_matches": [],
                    "unread_notices": 2,
                },
            )
        ],
    )
    def get(self, request: Any) -> Response:
        """Return your stables, offices, seats and open matches, and what your seasons wait for you to do, as the first
        page of the site shows it.
        """
        self.asked(Query)
        shown = desk(request.user)
        offices: Iterable[Office] = shown["offices"]
        stables = Stable.objects.filter(owner=request.user).select_related("season").defer("season__secret")
        seats = ExternalSeat.objects.filter(user=request.user, ended_at=None).select_related("stable__season")
        facts = {
            "waiting": shown["waiting"],
            "awaited": shown["awaited"],
            "stables": stables.order_by("-id"),
            "offices": [{"season": each.season, "office": each.office} for each in offices],
            "seats": seats.defer("stable__season__secret").order_by("-id"),
            "open_matches": [
                {
                    "public_id": match.public_id,
                    "format": match.setup["format"],
                    "opponents": [side.name for side in sides],
                    "created_at": match.created_at,
                }
                for match, sides in shown["named_matches"]
            ],
            "unread": shown["unread"],
        }
        return Response(DeskOutput(facts).data)
