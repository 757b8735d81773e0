"""Who sees what, and from when on, and what the site stores about a person. Tests check the claims where they can."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class Row:
    """One kind of information: its anchor (`key`), who sees it, and from when on."""

    key: str
    what: str | Promise
    who: str | Promise
    since: str | Promise


@dataclass(frozen=True)
class Sheet:
    """A table about one subject, such as a match; `key` is its anchor."""

    key: str
    title: str | Promise
    rows: tuple[Row, ...]


ALWAYS = _("At once.")

SHEETS = (
    Sheet(
        "match",
        _("In a match"),
        (
            Row(
                "seed",
                _("The seed, from which all dice follow"),
                _("Its hash: everybody who may see the match. The seed itself: nobody, neither organiser nor staff."),
                _("The hash before the first die, the seed when the match is over."),
            ),
            Row(
                "dice",
                _("Dice, sums, moves, dials, heat"),
                _("Everybody who may see the match."),
                ALWAYS,
            ),
            Row(
                "decision",
                _("What a player is being asked"),
                _("The player. Others see only whose answer is awaited."),
                _("Others see the answer once it is given."),
            ),
            Row(
                "hand",
                _("The rally cards of a hand"),
                _("Its owner, and a partner on the same side. Others see how many cards each unit brought."),
                _("A card is seen when it is played; the whole hand in the replay, when the match is over."),
            ),
            Row(
                "pool",
                _("Target tokens that lie face down"),
                _("Nobody."),
                _("A token is seen when it is placed in the arena; the rest in the replay, when the match is over."),
            ),
            Row(
                "standing-answers",
                _("Standing answers, by which your unit answers by itself"),
                _("You alone."),
                _(
                    "Others see the answer when it is given; that it was a standing one, when the match is over. If "
                    "you choose to be asked about useful cards alone, a rival may guess from your being asked that you "
                    "hold one. No match between people begins like that."
                ),
            ),
            Row(
                "advice",
                _("Advice that you asked for in a match against the AI, and how often"),
                _("You alone. The adviser itself sees what you may see."),
                _("Never."),
            ),
        ),
    ),
    Sheet(
        "season",
        _("In a season"),
        (
            Row(
                "season-pages",
                _("The pages of a season: standings, stables, fixtures, log"),
                _(
                    "Of a public season everybody, and it is listed. Of an unlisted one everybody who knows an "
                    "address. Of a private one only those who take part: organiser, helpers, owners of stables and "
                    "their programs; staff may look in to help. All others are told that there is nothing there."
                ),
                _("As the organiser has set it."),
            ),
            Row(
                "line-up",
                _("A line-up"),
                _("The stable’s owner alone, not the organiser and not staff."),
                _("All line-ups of a match are shown together when all are in."),
            ),
            Row(
                "forecast",
                _("The forecast of a fixture, and the chances round by round of a match"),
                _("Everybody who may see the fixture or the match. They know no more than a spectator."),
                _("When the line-ups are shown; of a round when it has begun."),
            ),
            Row(
                "saved-line-up",
                _("Saved line-ups and the order of repairs"),
                _("The stable’s owner alone. When an organiser passes the stable on, its new owner."),
                _("Never."),
            ),
            Row(
                "basket",
                _("A basket"),
                _(
                    "The stable’s owner alone, not the organiser and not staff. Organisers see whether one is open or "
                    "sealed."
                ),
                _("What was bought is seen in the stable when the market closes; the rest of the basket never."),
            ),
            Row(
                "capital",
                _("Capital, assets, damage, and the books of a stable"),
                _("Everybody who may see the season."),
                ALWAYS,
            ),
            Row(
                "log",
                _("The log of the season"),
                _("Everybody who may see the season. It names who did something; the AI and dates act unnamed."),
                ALWAYS,
            ),
            Row(
                "report",
                _("What was reported of a match at a table"),
                _(
                    "Those who take part in the match, the organisers and referees. Everybody sees that there is a "
                    "report."
                ),
                _("The result is for everybody once it is settled; so are decisions and corrections, with reasons."),
            ),
            Row(
                "marks",
                _("What phones count at a table"),
                _("Those who play the match, and the organisers and referees of the season."),
                _("As each mark arrives."),
            ),
            Row(
                "table-pin",
                _("The PIN with which a player confirms at the table"),
                _("Its maker alone, once: the owner of the side, or who judges the match and makes it for them."),
                _("Never again. That a PIN was made, and that one confirmed, stands in the log."),
            ),
            Row(
                "proposals",
                _("Proposals of dates"),
                _("Those who take part in the match. A date that holds is for everybody who may see the season."),
                ALWAYS,
            ),
            Row(
                "no-show",
                _("A claim that somebody did not come, and the answer"),
                _("Everybody who may see the season."),
                ALWAYS,
            ),
            Row(
                "hand-over",
                _("What the AI did while you were away"),
                _("You alone get the summary. That your stable is handed over stands in the log."),
                ALWAYS,
            ),
            Row(
                "invitation",
                _("Codes of invitations"),
                _("The organisers of the season, and to whom they give them."),
                ALWAYS,
            ),
            Row(
                "stable-link",
                _("Links that pass a stable to another owner"),
                _("The organiser who makes one, once, and to whom they give it. The site keeps only its hash."),
                ALWAYS,
            ),
            Row(
                "who-comes",
                _("Whether you come to an evening"),
                _(
                    "Everybody who may see the season: it stands in the log. The link that answers is yours alone; "
                    "whoever you give it to answers for you."
                ),
                ALWAYS,
            ),
            Row(
                "guest-link",
                _("Links that seat a guest, or bring a guest’s stable to an account"),
                _("Whoever makes one, once, and to whom they give it. That an organiser made one stands in the log."),
                ALWAYS,
            ),
            Row(
                "webhook",
                _("Webhooks: where the season’s news is posted, and by which secret it is signed"),
                _(
                    "The organisers of the season. What is posted is the log, in the words that everybody who may see "
                    "the season reads; who reads it there, they decide."
                ),
                _("The news as they happen, from the day on which the season is published."),
            ),
            Row(
                "write-up",
                _("Write-ups and photos of a match"),
                _("Everybody who may see the match. One that was taken down: its author alone, with the reason."),
                _("When it is written, once the match is over."),
            ),
            Row(
                "miniature",
                _("Photos of your miniatures"),
                _("Everybody who may see a stable of yours that has the ’Mech, or a match in which you play it."),
                _("When you send it, until you, an organiser of such a season or the staff remove it."),
            ),
            Row(
                "calendar-feed",
                _("The secret address of your calendar of a season"),
                _(
                    "You alone; no organiser and no staff. Whoever you give it to reads the dates and deadlines that "
                    "everybody in the season sees, and which of them are yours."
                ),
                _("Until you take it back, or take no part in the season any more."),
            ),
            Row(
                "friendly-match",
                _("A friendly match"),
                _("Everybody with its address. While it is played, the page of matches being played lists it."),
                _("From its beginning; one that waits for a rival, or goes on from another match, is not listed."),
            ),
            Row(
                "shared-match",
                _("A match that was shared"),
                _("Everybody who has its secret address, and nothing else of the season."),
                _("Until it is taken back."),
            ),
        ),
    ),
    Sheet(
        "person",
        _("About you"),
        (
            Row(
                "name",
                _("Your name on this site"),
                _("Everybody who sees something of yours: a stable, a line in the log, a write-up."),
                ALWAYS,
            ),
            Row(
                "e-mail",
                _("Your e-mail address"),
                _(
                    "You, and the staff of this site. No player and no organiser. No form says whether an address has "
                    "an account: only the mailbox itself hears of that."
                ),
                _("Never on a page of others."),
            ),
            Row(
                "password",
                _("Your password, and your account as you use it"),
                _(
                    "You alone. Staff can neither set a password nor change a name or an address; they can have the "
                    "mail for a new password sent, to your own address. When password or address change, you are "
                    "told, by a mail to the address from before, too."
                ),
                _("Never."),
            ),
            Row(
                "operator",
                _("What whoever runs the computer can see"),
                _(
                    "Everything that is stored, secrets of running matches and sealed line-ups included: who holds "
                    "the database can read it, whatever pages show. No page of this site helps with that, the "
                    "administration neither; for the rest you trust whoever runs it."
                ),
                ALWAYS,
            ),
            Row(
                "tokens",
                _("Your tokens for programs"),
                _(
                    "You alone: name, last letters, what each may do, when it was made, used and ends. The token "
                    "itself nobody: it is shown once, to you, and kept as a hash. A program with it sees what you see."
                ),
                _(
                    "Never. A revoked token opens nothing at once. All end with a new password by the link of a mail, "
                    "and when you delete your account."
                ),
            ),
            Row(
                "browsers",
                _("Your browsers that get messages"),
                _(
                    "You alone. The push service of the browser’s maker sees when a message comes, and not what it "
                    "says: that is encrypted for your browser."
                ),
                _("Never."),
            ),
            Row("notices", _("Your notices, and which mails you want"), _("You alone."), _("Never.")),
            Row(
                "discord",
                _("Your Discord user id, if you entered one"),
                _(
                    "You alone on this site. Where organisers of a season send its news as Discord messages, they and "
                    "whoever reads there see it in the messages that mention you because you must act."
                ),
                _("In messages that are sent while it stands in your account."),
            ),
            Row("time-zone", _("Your time zone"), _("You and the staff of this site."), _("Never.")),
            Row(
                "rating",
                _("Your rating on the ladder, worked out from matches that everybody may find"),
                _("You, with your own data. Everybody, if you say in your account that you want to be shown."),
                _("As long as you want to be shown."),
            ),
            Row("shelf", _("The miniatures on your shelf"), _("You alone."), _("Never.")),
            Row(
                "collections",
                _("Your collections of units"),
                _("You alone, those in the season that it is for, or everybody, as you choose."),
                _("As soon as you choose so."),
            ),
            Row(
                "identity",
                _("Your stables over the seasons: names, emblems, records"),
                _("Everybody, of the seasons that they may see."),
                ALWAYS,
            ),
        ),
    ),
)

STORED: tuple[str | Promise, ...] = (
    _(
        "Your name, your e-mail address and your time zone, as you typed them in, and a new address until you open the "
        "link that was mailed to it."
    ),
    _("Your Discord user id, while you have entered one."),
    _("Your password only as a salted hash, from which nobody can read it."),
    _("Which mails you want, and at what hour."),
    _(
        "Your tokens for programs only as hashes, with name, last letters, scopes and times; for a day, what requests "
        "that a program named were answered. Secret addresses of your calendars, until you revoke them."
    ),
    _("The notices that were sent to you, when you read them, and when what they asked for was done."),
    _("When you last got a mail with notices."),
    _(
        "Of each browser that you let show messages, until you log out there or end it: its address at its maker’s "
        "push service, its key and since when. A cookie says which of them a browser is."
    ),
    _("What you did in seasons and matches: stables, line-ups, orders, reports, corrections, with the time."),
    _("A rating from your matches, on which side of them there was advice, whether the ladder shows you, and as what."),
    _("What you put here yourself: collections, your shelf, write-ups, photos, identities of your stables."),
    _("When you logged in last, and a session while you are logged in."),
    _(
        "In your browser’s session, which lasts two weeks, the orders that you chose in puzzles of the day; while you "
        "are logged in, that session belongs to your account."
    ),
    _("The secret addresses of your calendars, while you have them."),
    _(
        "In the log of this site, the number of your account beside what it asked for; no names, and no addresses "
        "with secrets."
    ),
    _(
        "To stop people who guess passwords: the name, the network address (of IPv6 only the network) and the browser "
        "of attempts to log in that failed, for a quarter of an hour. Log-ins that succeed are not listed. To stop "
        "floods of forms: only a keyed hash of the network address, the e-mail address or the account, for an hour."
    ),
    _(
        "When you delete your account, name, addresses, password, Discord user id and notices go; results and books "
        "stay without a name."
    ),
    _(
        "In your browser: cookies for the session, the protection of forms, the appearance, the language, a sound that "
        "is off, and its messages."
    ),
)
"""What the site stores about a person, in sentences."""
