"""What is posted: Discord's limits and marks, documents of fixtures, and the receiver's side as the docs tell it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site

from jobs.models import Job
from jobs.services import run_pending
from stables.models import Delivery, Season, Webhook
from stables.selectors.webhooks import messages
from stables.services.base import log, webhook_deliveries
from stables.services.results import settlement
from stables.services.season import webhooks
from stables.text.discord import CONTENT, TITLE, escaped
from tests.stables.conftest import pair, type_in
from tests.stables.webhooks.receiver import Receiver, receiver, verify
from webhooks import signatures
from webhooks.problems import PROBLEMS

__all__ = ["receiver"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ash & Birch", "Ash & Birch"),
        ("**bold** _it_ ~~no~~ `code` ||spoiler||", r"\*\*bold\*\* \_it\_ \~\~no\~\~ \`code\` \|\|spoiler\|\|"),
        ("# Heading", r"\# Heading"),
        ("> quote", r"\> quote"),
        ("[text](https://evil.example)", r"\[text\]\(https\://evil.example\)"),
        ("<@123> @everyone <#1> :smile:", r"\<\@123\> \@everyone \<\#1\> \:smile\:"),
        ("a\\*b", r"a\\\*b"),
        ("one\ntwo\r\n\tthree", "one two three"),
    ],
)
def test_marks_and_mentions_are_taken_for_letters(text: str, shown: str) -> None:
    assert escaped(text, 2000) == shown


@pytest.mark.parametrize("text", ["x" * 5000, "*" * 5000, "😀" * 5000, "x" * 1999 + "*y", "x" * 1999 + "😀"])
def test_no_text_is_longer_than_discord_takes(text: str) -> None:
    cut = escaped(text, CONTENT)
    assert len(cut.encode("utf-16-le")) // 2 <= CONTENT
    assert cut.endswith("…")
    # No backslash is left alone at the end, where it would take the meaning of nothing.
    assert not re.search(r"(?<!\\)(\\\\)*\\…$", cut)
    assert escaped("x" * CONTENT, CONTENT) == "x" * CONTENT


def delivery(season: Season, code: str, parameters: dict[str, Any], **facts: Any) -> Delivery:
    webhook = Webhook(season=season, url="https://a.example/", format="discord", secret=signatures.new_secret())
    facts_of_line = {
        "parameters": parameters,
        "cycle": None,
        "fixture": None,
        "time": "3152-03-01T18:00:00+00:00",
        **facts,
    }
    return Delivery(webhook=webhook, code=code, document=facts_of_line)


def test_a_message_for_discord_keeps_every_limit() -> None:
    season = Season(name="*" * 80, slug="season")
    news = delivery(season, "result_voided", {"reason": "*x" * 9000}, cycle=3)
    message = json.loads(messages.message_of([news]).body)
    assert len(message["content"]) <= 2000
    (embed,) = message["embeds"]
    assert len(embed["title"]) <= TITLE
    assert embed["footer"] == {"text": "Cycle 3"}
    assert embed["timestamp"] == "3152-03-01T18:00:00+00:00"
    assert message["allowed_mentions"] == {"parse": []}
    assert sum(len(text) for text in (message["content"], embed["title"], embed["footer"]["text"])) < 6000


def test_a_document_for_programs_has_bare_names() -> None:
    turned = "\u2068\u05d0\u05d1\u2069"
    news = delivery(Season(name=turned, slug="season"), "debt_waived", {"stable": turned, "reason": [turned]})
    news.webhook.format = "generic"
    document = json.loads(messages.message_of([news]).body)
    assert document["season"]["name"] == document["parameters"]["stable"] == "\u05d0\u05d1"
    assert document["parameters"]["reason"] == ["\u05d0\u05d1"]
    assert not {"\u2068", "\u2069"} & set(document["sentence"])


@pytest.mark.django_db
def test_news_of_a_match_lead_to_it(season: Season, stocked: Season, receiver: Receiver) -> None:
    made = webhooks.make(season=season, url=receiver.url, format="generic", codes=["match_won"])
    fixture = pair(season)[0]
    type_in(fixture)
    settlement.settle_fixture(fixture_id=fixture.pk)
    Job.objects.exclude(name=webhook_deliveries.JOB).delete()
    run_pending()
    (sent,) = receiver.sent
    document = verify(made.secret, sent.headers, sent.body)
    there = f"{site.SITE_URL}/seasons/{season.slug}/fixtures/{fixture.pk}/"
    assert (document["code"], document["cycle"], document["fixture"]) == ("match_won", 1, there)
    assert "95 : 20" in document["sentence"]
    webhooks.change(webhook=made, format="discord")
    log.record(Season.objects.get(pk=season.pk), "match_won", {"winner": "Ash"}, fixture=fixture)
    # It waits for other results of its round.
    run_pending()
    assert len(receiver.sent) == 1
    Job.objects.update(not_before=None)
    run_pending()
    message = receiver.sent[1].document
    assert message["embeds"][0]["url"] == there
    assert message["content"].startswith("Round …\\: Ash beat …")


def test_the_docs_show_receivers_how_to_verify() -> None:
    """The ten lines of docs/operations.md are run as they stand."""
    page = (Path(site.BASE_DIR) / "docs" / "operations.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?def verify.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    secret, body = signatures.new_secret(), b'{"version":1}'
    now = int(names["time"].time())
    headers = signatures.headers_of(secret, "an-id", now, body)
    assert names["verify"](secret, headers, body) == {"version": 1}
    old = signatures.headers_of(secret, "an-id", now - 3600, body)
    for wrong in ((secret, headers, body + b" "), (signatures.new_secret(), headers, body), (secret, old, body)):
        with pytest.raises(ValueError, match=r"."):
            names["verify"](*wrong)


def test_a_signature_is_that_of_the_public_scheme() -> None:
    """Worked out by another program from `msg.1700000000.{}` and the key 0123456789abcdef, base64 in the secret."""
    headers = signatures.headers_of("whsec_MDEyMzQ1Njc4OWFiY2RlZg==", "msg", 1700000000, b"{}")
    assert headers == {
        "Webhook-Id": "msg",
        "Webhook-Timestamp": "1700000000",
        "Webhook-Signature": "v1,fRm5GeGiVJLpdYAXYpjFrAfXjV1Mjs+2psf60FCTBrw=",
    }


def test_every_problem_has_words() -> None:
    from rules.campaign.wording.webhooks import SENTENCES

    senders = ("webhooks/posting.py", "stables/jobs/webhooks.py", "stables/services/base/webhook_deliveries.py")
    source = "".join((Path(site.BASE_DIR) / name).read_text(encoding="utf-8") for name in senders)
    made = set(re.findall(r'Reply\((?:None|status), "(\w+)"', source)) | {"no_connection", "bad_certificate"}
    assert {"too_slow", "redirect", "worker_lost", "webhook_off"} <= made <= set(PROBLEMS)
    assert {code for code in SENTENCES if code.startswith("webhook_address_")} <= set(PROBLEMS)
    assert webhook_deliveries.JOB == "stables.deliver"
