"""Glossary: the words of this site."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from help.text.content.term import Term

SITE_TERMS = (
    Term(
        "report",
        _("Report"),
        _(
            "The result of a match that was played at a table, typed in by those who played. When both sides say the "
            "same it is settled at once."
        ),
        (),
        ("correction", "referee"),
    ),
    Term(
        "correction",
        _("Correction"),
        _(
            "A result put right afterwards, with a reason that everybody can read. Reputation, places and purses "
            "follow, and champions until the season is closed; pairings and purchases stay."
        ),
        (),
        ("report",),
    ),
    Term(
        "owed",
        _("Owed"),
        _(
            "What a correction would take from a stable that no longer has it. It is kept back from later income, and "
            "blocks purchases meanwhile."
        ),
        (),
        ("correction",),
    ),
    Term(
        "referee",
        _("Referee"),
        _("Somebody named by the organiser who decides disputed results of matches in which they take no part."),
        (),
        ("organiser",),
    ),
    Term(
        "organiser",
        _("Organiser"),
        _(
            "Whoever opened the season: invites, sets dates, names referees, and sees no more secrets than anybody "
            "else. Organisers may remove a stable before the season begins, and withdraw it, hand it to the AI or pass "
            "it to another owner while it runs; the log says why."
        ),
        (),
        ("referee",),
    ),
    Term(
        "guest",
        _("Guest"),
        _(
            "Somebody who plays one stable of one season without an account, on the phone that opened the organiser’s "
            "link. An account can claim the stable later, with everything that it has. Who presses “Fight now” or "
            "takes the seat of a friend without an account is a guest of that browser, until they sign up."
        ),
        (),
        ("organiser", "stable"),
    ),
    Term(
        "table-pin",
        _("PIN"),
        _(
            "Four digits with which a player confirms the report of one match on a phone of another player, and "
            "nothing else. After five wrong tries an organiser or a referee makes a new one."
        ),
        (),
        ("report",),
    ),
    Term(
        "house-statistics",
        _("House statistics"),
        _(
            "Numbers of a ’Mech made by this site, not those printed on a miniature. They are marked wherever they "
            "stand."
        ),
        (),
        ("collection",),
    ),
    Term(
        "table-only",
        _("For real tables only"),
        _(
            "A unit of which the site knows the number, the name, the class and the points, but no dial. A season for "
            "real tables only offers such units: people play all its matches at a table and report them here. The AI "
            "takes no part, and a tied title is shared."
        ),
        (),
        ("collection", "report"),
    ),
    Term(
        "collection",
        _("Collection"),
        _("Units typed in or imported by their owner, for themselves, for a season, or for everybody."),
        (),
        ("house-statistics", "shelf"),
    ),
    Term(
        "shelf",
        _("Shelf"),
        _(
            "The miniatures that you said you own; the market can show only those. A checklist with sets and numbers "
            "fills it at once."
        ),
        (),
        ("collection",),
    ),
    Term(
        "house-rule",
        _("House rule"),
        _("A setting by which a season or a match plays a rule in another way. The page of the season lists them."),
        (),
    ),
    Term(
        "ruling",
        _("Ruling"),
        _("An answer where the printed rules are silent or contradict each other, numbered Q-01 and so on."),
        (),
    ),
    Term(
        "ai",
        _("AI"),
        _("The players made of code. They know what a person in their place would know, and nothing more."),
        (),
    ),
    Term(
        "advice",
        _("Advice"),
        _(
            "What a good player would do in a match against the AI, with reasons and an estimate of the chance to win; "
            "in market and garage, what to buy, repair and sell. The adviser knows what you may know. Against people "
            "there is none, and that you asked is told to nobody. A match that you win after asking does not count on "
            "the ladder; one that you lose or draw does."
        ),
        (),
        ("ai",),
    ),
    Term(
        "puzzle",
        _("Puzzle of the day"),
        _(
            "A moment of a duel between players of the AI at which one order beats all others clearly: by ten "
            "percentage points or more of the chance to win. The chances are estimates of this site, not part of the "
            "rules. The site counts how many answered and how many found it, and nobody’s name."
        ),
        (),
        ("ai", "advice"),
    ),
    Term("identity", _("Identity"), _("A stable over the seasons: its name, emblem and record."), ()),
    Term(
        "notice",
        _("Notice"),
        _("A message of the site to you: your turn, a result, a date. What is mailed and when is up to you."),
        (),
    ),
)
