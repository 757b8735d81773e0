"""The endpoints of a season's webhooks, the outside addresses that get its news. For its organisers only."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, idempotent, pages_of
from api.fields import Input, Output, StrictBoolean, StrictChoice, StrictString
from stables.api.base import SeasonEndpoint
from stables.api.organising.settings import SAYS_SOMETHING
from stables.models import Delivery, Webhook
from stables.presenters.webhooks import find_delivery, find_webhook, lines_of
from stables.selectors.webhooks.documents import TRY
from stables.services.base import webhook_deliveries
from stables.services.season import webhooks
from stables.text.webhook_kinds import all_codes
from web.languages import offer
from webhooks.addresses import LONGEST, hint

TOPIC = "Feeds and files"
CODES = all_codes()


class WebhookOutput(Output):
    """A webhook. `codes` are the kinds of news that it gets; an empty list means all.

    A token without the scope “organise” gets null for `url` and `secret`. The address may hold a secret, too, so such a
    token gets only its host and last letters, in `address_hint`. Both fields are also null when an idempotency key
    repeats an answer. `off_since` is null while the webhook is on.
    """

    public_id = serializers.UUIDField()
    url = serializers.CharField(allow_null=True)
    address_hint = serializers.CharField()
    format = serializers.ChoiceField(choices=Webhook.Format.values)
    codes = serializers.ListField(child=serializers.CharField())
    secret = serializers.CharField(allow_null=True)
    on = serializers.BooleanField()
    off_since = serializers.DateTimeField(allow_null=True)
    why_off = serializers.ChoiceField(choices=["", *Webhook.Off.values], help_text="Empty while it is on.")
    failures = serializers.IntegerField(help_text="Deliveries given up in a row.")
    made_by = serializers.CharField(allow_null=True, help_text="Null when that account is gone.")
    made_at = serializers.DateTimeField()


class WebhookInput(Input):
    """The settings of a webhook."""

    url = StrictString(
        min_length=1, max_length=LONGEST, validators=[SAYS_SOMETHING], help_text="A public https:// address."
    )
    format = StrictChoice(
        choices=Webhook.Format.values,
        default=Webhook.Format.GENERIC,
        help_text="generic: a document for each piece of news. discord: messages for people, one for a round.",
    )
    codes = serializers.ListField(
        child=StrictChoice(choices=CODES),
        default=list,
        max_length=len(CODES),
        help_text="Codes of the log; an empty list means all.",
    )


class WebhookChangeInput(Input):
    """The changes to a webhook; fields that are left out stay."""

    url = StrictString(min_length=1, max_length=LONGEST, validators=[SAYS_SOMETHING], required=False)
    format = StrictChoice(choices=Webhook.Format.values, required=False)
    codes = serializers.ListField(child=StrictChoice(choices=CODES), max_length=len(CODES), required=False)
    on = StrictBoolean(required=False, help_text="Turning it on clears its failures.")


class LanguageInput(Input):
    """The language of what the season posts."""

    language = serializers.ChoiceField(
        choices=[each.code for each in offer.offered()],
        allow_blank=True,
        help_text="The code of a language that the site offers, such as “de”; empty for that of the organiser.",
    )


class DeliveryAnswerOutput(Output):
    """One try: its time, the status of the answer (null without one), and a code for what went wrong, empty when the
    document arrived.
    """

    at = serializers.DateTimeField()
    status = serializers.IntegerField(allow_null=True)
    problem = serializers.CharField(allow_blank=True)


class DeliveryOutput(Output):
    """A piece of news for a webhook. `public_id` is the `Webhook-Id` of every try. `next_try_at` is null when no try is
    to come, `ended_at` until the news is delivered or given up.
    """

    public_id = serializers.UUIDField(source="delivery.public_id")
    code = serializers.CharField(source="delivery.code", help_text=f"A code of the log, or “{TRY}”.")
    sentence = serializers.CharField(source="label")
    state = serializers.ChoiceField(choices=Delivery.State.values, source="delivery.state")
    tries = serializers.IntegerField(source="delivery.tries")
    problem = serializers.CharField(allow_blank=True, help_text="What went wrong with the newest try, in words.")
    answers = DeliveryAnswerOutput(many=True, source="delivery.answers")
    made_at = serializers.DateTimeField(source="delivery.created_at")
    next_try_at = serializers.DateTimeField(source="delivery.next_try_at", allow_null=True)
    ended_at = serializers.DateTimeField(source="delivery.ended_at", allow_null=True)


class DeliveriesQuery(Pages):
    """Which deliveries."""

    state = StrictChoice(choices=Delivery.State.values, required=False)


EXAMPLE: dict[str, Any] = {
    "public_id": "0b54a1e6-5d2c-4f6a-9d2e-6f1d2f3a4b5c",
    "url": "https://news.example/solaris",
    "address_hint": "news.example/…aris",
    "format": "generic",
    "codes": ["cycle_closed", "match_won"],
    "secret": "whsec_bm90IGEgcmVhbCBzZWNyZXQsIGJ1dCBhcyBsb25nIQ==",
    "on": True,
    "off_since": None,
    "why_off": "",
    "failures": 0,
    "made_by": "kerensky",
    "made_at": "3152-03-01T18:00:00Z",
}


SENT: dict[str, Any] = {
    "public_id": "7c0a8f52-3f0e-4f53-9b51-0d0c5d4d8f11",
    "code": "cycle_closed",
    "sentence": "Cycle 1 is closed.",
    "state": "waiting",
    "tries": 1,
    "problem": "It answered 503.",
    "answers": [{"at": "3152-03-08T20:00:00Z", "status": 503, "problem": "bad_status"}],
    "made_at": "3152-03-08T20:00:00Z",
    "next_try_at": "3152-03-08T20:00:10Z",
    "ended_at": None,
}
FRESH = {**SENT, "code": TRY, "tries": 0, "problem": "", "answers": []}


def page_with(row: dict[str, Any]) -> dict[str, Any]:
    return {"count": 1, "page": 1, "pages": 1, "results": [row]}


class Organised(SeasonEndpoint):
    """An endpoint that only the season's organisers may ask."""

    open_to_all = False
    write_scope = "organise"
    secrets = ("url", "secret")

    def recheck_permission(self, **names: Any) -> None:
        self.organised_season()

    def webhook(self, public_id: Any) -> Webhook:
        """Return a webhook of the season, for an organiser. Raises PermissionDenied, Http404."""
        return find_webhook(self.organised_season(), public_id)

    def webhook_document(self, known: Webhook) -> dict[str, Any]:
        """Return a webhook in the form of the interface. Its address and secret are None for a token without the scope
        to make webhooks.
        """
        auth = self.request.auth
        is_trusted = auth is None or self.write_scope in getattr(auth, "scopes", ())
        return {
            "public_id": known.public_id,
            "url": known.url if is_trusted else None,
            "address_hint": hint(known.url),
            "format": known.format,
            "codes": known.codes,
            "secret": known.secret if is_trusted else None,
            "on": known.disabled_at is None,
            "off_since": known.disabled_at,
            "why_off": known.why_off,
            "failures": known.failures,
            "made_by": known.made_by.get_username() if known.made_by is not None else None,
            "made_at": known.created_at,
        }

    def answered(self, known: Webhook, status: int = 200) -> Response:
        return Response(WebhookOutput(self.webhook_document(known)).data, status=status)


class Webhooks(Organised):
    """The webhooks of a season."""

    @describes(
        "webhooks_list",
        "The webhooks of a season",
        TOPIC,
        answers=pages_of(WebhookOutput),
        asks=Pages,
        examples=[example("One webhook", page_with(EXAMPLE))],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """List the webhooks in the order in which they were made."""
        season, asked = self.organised_season(), self.asked(Pages)
        known = season.webhooks.select_related("made_by").order_by("id")
        return self.page_of(
            known, asked, lambda rows: WebhookOutput([self.webhook_document(row) for row in rows], many=True).data
        )

    # Work and key are not one transaction: the address is resolved, and a resolver may take long. A second webhook to
    # the same address is refused anyway.
    @describes(
        "webhooks_make",
        "Make a webhook",
        TOPIC,
        sends=WebhookInput,
        answers=WebhookOutput,
        status=201,
        examples=[
            example("Two kinds of news", {name: EXAMPLE[name] for name in ("url", "format", "codes")}, sent=True),
            example("A webhook", EXAMPLE, status=201),
        ],
    )
    @idempotent(atomic=False)
    def post(self, request: Any, season_slug: str) -> Response:
        """Make a webhook, turned on. The answer holds the secret that signs each document.

        Refused: an address that may not be asked (webhook_address_…), webhook_too_many, webhook_known. Answers 429 when
        you try too many addresses.
        """
        season = self.organised_season()
        made = webhooks.make(season=season, actor=request.user, **self.sent(WebhookInput))
        return self.answered(made, 201)


class WebhookItself(Organised):
    """One webhook."""

    @describes("webhooks_read", "A webhook", TOPIC, answers=WebhookOutput, examples=[example("A webhook", EXAMPLE)])
    def get(self, request: Any, season_slug: str, public_id: Any) -> Response:
        """Return the webhook: whether it is on, and which news it gets."""
        return self.answered(self.webhook(public_id))

    @describes(
        "webhooks_change",
        "Change a webhook",
        TOPIC,
        sends=WebhookChangeInput,
        answers=WebhookOutput,
        examples=[
            example("Turn it off", {"on": False}, sent=True),
            example("It is off", {**EXAMPLE, "on": False, "off_since": "3152-03-09T08:00:00Z", "why_off": "by_hand"}),
        ],
    )
    @idempotent(atomic=False)
    def put(self, request: Any, season_slug: str, public_id: Any) -> Response:
        """Change the address, the format or the kinds of news, or turn the webhook on or off.

        Refused: an address that may not be asked (webhook_address_…), webhook_known. Answers 429 when you try too many
        addresses.
        """
        known, wanted = self.webhook(public_id), self.sent(WebhookChangeInput)
        if "on" in wanted:
            wanted["is_on"] = wanted.pop("on")
        return self.answered(webhooks.change(webhook=known, actor=request.user, **wanted))

    @describes("webhooks_delete", "Delete a webhook", TOPIC, answers=None, status=204)
    @idempotent(atomic=True)
    def delete(self, request: Any, season_slug: str, public_id: Any) -> Response:
        """Delete the webhook and the list of its deliveries. Waiting deliveries are not sent."""
        webhooks.delete(webhook=self.webhook(public_id))
        return Response(status=204)


class WebhookSecret(Organised):
    """The secret of a webhook."""

    @describes(
        "webhooks_new_secret",
        "Make a new secret",
        TOPIC,
        answers=WebhookOutput,
        examples=[example("With its new secret", EXAMPLE)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, public_id: Any) -> Response:
        """Make a new secret; it alone signs deliveries from now on."""
        return self.answered(webhooks.renew_secret(webhook=self.webhook(public_id)))


class WebhookTry(Organised):
    """A trial delivery to a webhook."""

    @describes(
        "webhooks_try",
        "Try a webhook now",
        TOPIC,
        answers=DeliveryOutput,
        status=201,
        examples=[example("On its way", FRESH, status=201)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, public_id: Any) -> Response:
        """Send a document with the code “try” once, even to a webhook that is off. The list of deliveries soon shows
        the result. Answers 429 when you try too often.
        """
        made = webhook_deliveries.try_now(webhook=self.webhook(public_id), actor=request.user)
        return Response(DeliveryOutput(lines_of([made])[0]).data, status=201)


class WebhookDeliveries(Organised):
    """The deliveries to a webhook."""

    @describes(
        "webhooks_deliveries",
        "What was sent to a webhook",
        TOPIC,
        answers=pages_of(DeliveryOutput),
        asks=DeliveriesQuery,
        examples=[example("One delivery", page_with(SENT))],
    )
    def get(self, request: Any, season_slug: str, public_id: Any) -> Response:
        """Return the deliveries, the newest first, each with all its tries."""
        known, asked = self.webhook(public_id), self.asked(DeliveriesQuery)
        found = Delivery.objects.filter(webhook=known).order_by("-id")
        if "state" in asked:
            found = found.filter(state=asked["state"])
        return self.page_of(found, asked, lambda rows: DeliveryOutput(lines_of(rows), many=True).data)


class WebhookDeliveryRetry(Organised):
    """The retry of a delivery."""

    @describes(
        "webhooks_retry",
        "Try a delivery again now",
        TOPIC,
        answers=DeliveryOutput,
        examples=[example("On its way again", SENT)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, public_id: Any) -> Response:
        """Send a delivery again that was given up or waits for its next try. `public_id` is the id of the delivery.

        Refused: webhook_delivered, webhook_off. Answers 429 when you try too often.
        """
        known = find_delivery(self.organised_season(), public_id)
        tried = webhook_deliveries.retry(delivery=known, actor=request.user)
        return Response(DeliveryOutput(lines_of([tried])[0]).data)


class PostsLanguage(Organised):
    """The language of what a season posts."""

    @describes(
        "season_choose_language",
        "Choose the language of what a season posts",
        TOPIC,
        sends=LanguageInput,
        answers=LanguageInput,
        examples=[
            example("English", {"language": "en"}, sent=True),
            example("It holds", {"language": "en"}),
        ],
    )
    @idempotent(atomic=True)
    def put(self, request: Any, season_slug: str) -> Response:
        """Choose the language in which messages for Discord and sentences of documents leave the site from now on."""
        season = self.organised_season()
        chosen = self.sent(LanguageInput)["language"]
        return Response({"language": webhooks.choose_language(season_id=season.pk, language=chosen)})
