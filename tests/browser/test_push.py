"""A browser is switched on for messages, shows them by the site's worker, and says so where it cannot."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.staticfiles.finders import find
from django.urls import reverse
from playwright.sync_api import Page, expect

from people.models import PushSubscription, User
from tests.people.browsers.push_service import CONTACT
from tests.waiting import DEADLINE_SECONDS, wait_until
from webhooks.web_push import keys_of, new_private_key

from .conftest import Visit
from .faults import faults_of
from .playing import log_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BROWSER = {
    "endpoint": "https://push.example.org/send/abc",
    "keys": {"p256dh": keys_of(new_private_key()).public, "auth": "AAECAwQFBgcICQoLDA0ODw"},
}
SUBSCRIBES = """
PushManager.prototype.getSubscription = async () => null;
PushManager.prototype.subscribe = async (options) => {
  localStorage.setItem("asked", JSON.stringify(options));
  return { toJSON: () => (%s) };
};
"""
"""The browser of the tests reaches no push service, so that it answers here as one that does."""
REFUSES = 'PushManager.prototype.subscribe = async () => { throw new DOMException("no", "NotAllowedError"); };'
LISTENS = f"""() => {{
  self.shown = new Promise((resolve, reject) => {{
    self.registration.showNotification = async (...shown) => resolve(shown);
    setTimeout(reject, {DEADLINE_SECONDS * 1000});
  }});
}}"""
CLICKED = """() => {
  const done = [], notification = { data: "/matches/7/play/", close: () => done.push("closed") };
  clients.openWindow = async (address) => done.push(address);
  self.dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"), { notification }));
  return done;
}"""
"""The browser of the tests has no place for messages, so that its worker says here what it would show and open."""
OVER_TLS = [{"extra_http_headers": {"X-Forwarded-Proto": "https"}}]


@pytest.fixture
def page(visit: Visit, transactional_db: None, live_server: Any, settings: Any) -> Page:
    """A page of a person who has logged in, behind a proxy that ends TLS."""
    settings.PUSH_PRIVATE_KEY, settings.PUSH_CONTACT = new_private_key(), CONTACT
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.CSRF_TRUSTED_ORIGINS = [live_server.url]
    User.objects.create_user("player", "player@example.org", "secret words")
    log_in(visit.page, live_server.url)
    return visit.page


@pytest.mark.parametrize("visit", OVER_TLS, indirect=True, ids=["tls"])
def test_a_browser_is_switched_on_by_one_press(page: Page, live_server: Any, settings: Any) -> None:
    page.add_init_script(SUBSCRIBES % json.dumps(BROWSER))
    page.goto(live_server.url + reverse("people:push"))
    page.get_by_role("button", name="Show messages in this browser").click()
    expect(page.locator(".messages")).to_contain_text("This browser now shows a message")
    kept = PushSubscription.objects.get()
    assert (kept.endpoint, kept.public_key, kept.secret) == (BROWSER["endpoint"], *BROWSER["keys"].values())  # type: ignore[attr-defined]
    asked = json.loads(page.evaluate('localStorage.getItem("asked")'))
    assert asked == {"userVisibleOnly": True, "applicationServerKey": keys_of(settings.PUSH_PRIVATE_KEY).public}
    expect(page.get_by_text("this browser", exact=True)).to_be_visible()
    page.reload()
    assert faults_of(page) == []
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("visit", OVER_TLS, indirect=True, ids=["tls"])
def test_the_worker_shows_a_message_and_serves_the_whole_site(page: Page, live_server: Any) -> None:
    page.add_init_script(SUBSCRIBES % json.dumps(BROWSER))
    page.goto(live_server.url + reverse("people:push"))
    tools = page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda said: found.extend(said["registrations"]))
    tools.send("ServiceWorker.enable")
    with page.context.expect_event("serviceworker") as begun:
        page.get_by_role("button", name="Show messages in this browser").click()
    expect(page.locator(".messages")).to_contain_text("This browser now shows a message")
    # What the browser tells by itself is heard while it is asked for something.
    wait_until(lambda: page.title() and found, "the registration")
    registration = next(each for each in found if each["scopeURL"] == f"{live_server.url}/")
    worker = begun.value
    worker.evaluate(LISTENS)
    message = {"body": "It is your turn.", "url": "/matches/7/play/", "tag": "12"}
    told = {"origin": live_server.url, "registrationId": registration["registrationId"], "data": json.dumps(message)}
    tools.send("ServiceWorker.deliverPushMessage", told)
    icon = "/static/img/icon-192.png"
    options = {"body": "It is your turn.", "tag": "12", "data": "/matches/7/play/", "icon": icon}
    assert worker.evaluate("shown") == ["Solaris Circuit", options]
    assert worker.evaluate(CLICKED) == ["closed", "/matches/7/play/"]
    assert find(icon.removeprefix("/static/"))


@pytest.mark.parametrize("visit", OVER_TLS, indirect=True, ids=["tls"])
def test_a_browser_that_may_not_or_cannot_says_so(page: Page, live_server: Any) -> None:
    page.add_init_script(REFUSES)
    page.goto(live_server.url + reverse("people:push"))
    page.get_by_role("button", name="Show messages in this browser").click()
    expect(page.get_by_text("Your browser did not allow it.")).to_be_visible()
    page.add_init_script("delete self.PushManager;")
    page.reload()
    expect(page.get_by_text("This browser takes no messages")).to_be_visible()
    expect(page.get_by_role("button", name="Show messages in this browser")).to_be_hidden()
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("visit", [{**OVER_TLS[0], "java_script_enabled": False}], indirect=True, ids=["no script"])
def test_without_a_script_the_page_says_that_it_needs_one(page: Page, live_server: Any) -> None:
    page.goto(live_server.url + reverse("people:push"))
    expect(page.get_by_text("or runs no script here")).to_be_visible()
    expect(page.get_by_role("button", name="Show messages in this browser")).to_be_hidden()
