"""Glossary: the words of dates and evenings, and of people who are missing."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from help.text.content.term import Term

CALENDAR_TERMS = (
    Term(
        "calendar",
        _("Calendar"),
        _(
            "When markets close and when line-ups, matches and results are due: on a club night, a round a week, by "
            "correspondence, or never. The organiser sees the latest times of the whole season. Each time is shown in "
            "your own zone."
        ),
        (),
        ("day-off", "fixture"),
    ),
    Term(
        "evening",
        _("Evening at the club"),
        _(
            "The newest round of a season on a projector or on the wall: who plays whom, at which table and in which "
            "arena, how much time is left, and results as they come. Codes on the sheets open the season and the page "
            "of each table on a phone. The console and the page of sheets to print lead there."
        ),
        (),
        ("round", "fixture", "calendar"),
    ),
    Term(
        "day-off",
        _("Day off"),
        _(
            "A day on which nothing of a season is due and no round is played, such as Christmas. Hours stop when it "
            "begins and go on when it is over, also the time to think in a match. Dates that players agree on may lie "
            "on one."
        ),
        (),
        ("calendar",),
    ),
    Term(
        "forfeit",
        _("Forfeit"),
        _(
            "Not taking part in a match. The opponent gets 70 reputation and the win, and need not hand in a line-up; "
            "the other side gets what the season pays for it."
        ),
        ("R-FOR-01", "R-FOR-02", "R-FOR-03", "Q-157"),
    ),
    Term(
        "no-show",
        _("No-show"),
        _("Somebody who did not come to an agreed match. Whoever waited can claim it and choose what follows."),
        ("Q-157",),
        ("forfeit", "stand-in"),
    ),
    Term(
        "excuse",
        _("Excuse"),
        _(
            "More time for one match, given by an organiser because a stable cannot come. Nobody forfeits for it, and "
            "the match still has its one new date."
        ),
        ("Q-157",),
        ("no-show", "fixture"),
    ),
    Term(
        "who-comes",
        _("Who comes"),
        _(
            "A question of the organisers about an evening. Its notice has a link to two buttons, which answer without "
            "logging in. The log says who comes. For one who does not, an organiser chooses: the AI, a new date, a "
            "forfeit, or a bye if it would be its turn."
        ),
        ("Q-158",),
        ("excuse", "stand-in", "no-show"),
    ),
    Term(
        "stand-in",
        _("Stand-in"),
        _(
            "The AI or a person playing one match for somebody who is not there. Owners and organisers name the "
            "person: an account, or a guest by a link. They hand in the line-up and play or report the match, no more."
        ),
        (),
        ("no-show", "hand-over"),
    ),
    Term(
        "hand-over",
        _("Hand-over"),
        _(
            "Leaving your stable to the AI for a while, with a limit to what it may do and spend. You can take it back"
            " at any time."
        ),
        (),
        ("stand-in", "program"),
    ),
    Term(
        "waiting-list",
        _("Waiting list"),
        _(
            "The people who wait for a place in a full season. A place that becomes free is kept for the first, who "
            "has 48 hours to found a stable; then it goes to the next."
        ),
        (),
        ("organiser",),
    ),
    Term(
        "season-page",
        _("Page of a season"),
        _(
            "What the organisers write about place, time and prizes; everybody who sees the season reads it. A message "
            "to all is shorter: a notice to every owner, and a line of the log."
        ),
        (),
        ("organiser", "notice"),
    ),
)
