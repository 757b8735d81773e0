"""The addresses of accounts, tokens and notices; included by solaris_site.urls.api (`api:...`)."""

from __future__ import annotations

from django.urls import URLPattern, path

from solaris_site import accounts

urlpatterns: list[URLPattern] = [
    path("me/", accounts.Me.as_view(), name="me"),
    path("me/desk/", accounts.Desk.as_view(), name="desk"),
    path("me/tokens/", accounts.Tokens.as_view(), name="tokens"),
    path("me/tokens/<int:token_id>/", accounts.TokenItself.as_view(), name="token"),
    path("me/notices/", accounts.Notices.as_view(), name="notices"),
    path("me/notices/read/", accounts.NoticesRead.as_view(), name="notices_read"),
]
