"""What seasons and collections keep about a person, in words."""

from __future__ import annotations

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from people.services.kept import Kept, register
from stables.kept import rows
from web.bounds import MOST_DRAFTS
from web.retention import DELIVERIES, IMPORT_DRAFTS, UNUSED_LINKS, WHO_COMES

YOU = _("You alone.")
OF_SEASON = _("Everybody who may see the season.")
OF_MATCH = _("Those who play the match, the organisers and the referees.")
AS_LONG = _("As long as the season, which is kept for good.")
STAYS = _("It stays without your name when you delete your account.")
LEFT = _("It is deleted with your account.")
BOOKS = _("Results and books of a season belong to all who played it; pages name nobody there.")


KINDS = (
    Kept(
        "organised",
        _("Seasons that you organise"),
        _("That you are the organiser."),
        OF_SEASON,
        AS_LONG,
        _("A co-organiser takes over when you delete your account. A season without one stays without your name."),
        fields=("stables.Season.organiser",),
        data=rows.organised,
        stays=BOOKS,
    ),
    Kept(
        "roles",
        _("Offices"),
        _("That you are a co-organiser or a referee of a season."),
        OF_SEASON,
        _("Until you or the organiser end it."),
        LEFT,
        fields=("stables.SeasonRole.user",),
        data=rows.roles,
    ),
    Kept(
        "stables",
        _("Stables"),
        _("Names, capital and its books, assets and their damage, places, titles, reputation, hand-overs to the AI."),
        OF_SEASON,
        AS_LONG,
        _("A stable leaves its season when you delete your account, and stays in the books without your name."),
        fields=(
            "stables.Stable.owner",
            "stables.SkippedCycle.stable",
            "stables.Asset.stable",
            "stables.LedgerEntry.stable",
            "stables.ReputationEntry.stable",
            "stables.Placing.stable",
            "stables.Title.stable",
            "stables.ProvisionalTitle.stable",
            "stables.HandOver.stable",
            "stables.FixtureSide.stable",
        ),
        data=rows.stables,
        stays=BOOKS,
    ),
    Kept(
        "identities",
        _("Identities of your stables"),
        _("Name, colours, emblem, honours and rivals of your stables over the seasons."),
        _("Everybody, of the seasons that they may see."),
        _("For good."),
        STAYS,
        fields=("stables.StableIdentity.owner", "stables.Stable.identity", "stables.StableIdentity_rivals.*"),
        data=rows.identities,
        stays=_("Honours and records belong to the seasons in which they were won."),
    ),
    Kept(
        "plans",
        _("Your plans"),
        _("Saved line-ups, baskets, and line-ups that were taken back."),
        _("You alone. When an organiser passes the stable on, its new owner."),
        _("Saved line-ups until the stable leaves; a basket as long as the season, for its bill."),
        _("Saved line-ups are deleted with your account; bills of baskets stay with the books."),
        fields=("stables.SavedLineUp.stable", "stables.Basket.stable"),
        data=rows.plans,
        stays=_("A basket is the bill of what the stable bought."),
    ),
    Kept(
        "seats",
        _("Seats as a program"),
        _("That your account plays for a stable of somebody else, and which stables agreed."),
        OF_SEASON,
        AS_LONG,
        _("A seat ends when you delete your account; that there was one stays without your name."),
        fields=("stables.ExternalSeat.user", "stables.ExternalSeat.stable", "stables.ExternalSeat_consents.stable"),
        data=rows.seats,
        stays=BOOKS,
    ),
    Kept(
        "stand_ins",
        _("Standing in"),
        _("For which stable you stand in at which match or evening, or who stands in for yours, and why."),
        OF_SEASON,
        AS_LONG,
        STAYS,
        fields=(
            "stables.StandIn.user",
            "stables.StandIn.made_by",
            "stables.StandIn.stable",
            "stables.FixtureSide.stand_in",
        ),
        data=rows.stand_ins,
        stays=BOOKS,
    ),
    Kept(
        "waiting_lists",
        _("Waiting lists"),
        _("That you wait for a place in a season, and since when."),
        _("You and the organisers."),
        _("Until you have a place, or the season is over."),
        LEFT,
        fields=("stables.WaitingPlace.user",),
        data=rows.waiting,
    ),
    Kept(
        "passed_stables",
        _("Stables that were passed on"),
        _("Who passed which stable to whom, when, and why. Of links only a hash."),
        OF_SEASON,
        format_lazy(
            _("As long as the season. A link that nobody used goes {days} days after its end."), days=UNUSED_LINKS.days
        ),
        STAYS,
        fields=(
            "stables.Passing.stable",
            "stables.Passing.made_by",
            "stables.Passing.old_owner",
            "stables.Passing.new_owner",
        ),
        data=rows.passed,
        stays=_("Others must be able to see how a stable came to its owner."),
    ),
    Kept(
        "who_comes",
        _("Who comes"),
        _("Questions who comes to an evening, and what you answered."),
        OF_SEASON,
        format_lazy(_("{days} days after the evening. The line in the log of the season stays."), days=WHO_COMES.days),
        LEFT,
        fields=("stables.ComingQuestion.asked_by", "stables.Coming.stable"),
        data=rows.coming,
    ),
    Kept(
        "dates",
        _("Dates and no-shows"),
        _("Dates and modes that you proposed or accepted, and claims that somebody did not come."),
        OF_MATCH,
        AS_LONG,
        STAYS,
        fields=(
            "stables.Proposal.stable",
            "stables.Proposal_accepted_by.stable",
            "stables.NoShowClaim.claimant",
            "stables.NoShowClaim.absent",
        ),
        data=rows.dates,
        stays=BOOKS,
    ),
    Kept(
        "at_tables",
        _("What you reported and decided"),
        _("Reports of matches at tables, marks of phones, PINs, decisions and corrections with reasons."),
        OF_MATCH,
        AS_LONG,
        STAYS,
        fields=(
            "stables.Report.user",
            "stables.Report.stable",
            "stables.Ruling.user",
            "stables.Correction.user",
            "stables.TableMark.made_by",
            "stables.TablePin.made_by",
        ),
        data=rows.at_tables,
        stays=BOOKS,
    ),
    Kept(
        "calendar_feeds",
        _("Addresses of your calendars"),
        _("The secret address of your calendar of a season."),
        YOU,
        _("Until you take it back."),
        LEFT,
        fields=("stables.CalendarFeed.user",),
        data=rows.feeds,
    ),
    Kept(
        "webhooks",
        _("Webhooks that you made"),
        _("That you made a webhook of a season."),
        _("The organisers of the season."),
        format_lazy(_("As long as the webhook. What it posted: {days} days."), days=DELIVERIES.days),
        _("The webhook stays with the season and forgets who made it."),
        fields=("stables.Webhook.made_by",),
        data=rows.webhooks,
    ),
    Kept(
        "log",
        _("Lines in logs of seasons"),
        _("What you did in a season, and when."),
        OF_SEASON,
        AS_LONG,
        STAYS,
        fields=("stables.LogEntry.actor",),
        data=rows.log,
        stays=BOOKS,
    ),
    Kept(
        "collections",
        _("Collections of units"),
        _("Units that you brought, in versions."),
        _("You alone, those in the season that it is for, or everybody, as you choose."),
        _("Until you delete them; versions with which seasons play stay as long as these."),
        _("What only you could use loses its name and its keeper. What others may use stays without your name."),
        fields=("catalogue.Collection.keeper",),
        data=rows.collections,
        stays=_("Seasons of others play with them."),
    ),
    Kept(
        "imports",
        _("Imports that wait"),
        _("Files of units that you sent and have not confirmed yet."),
        YOU,
        format_lazy(_("{days} days, and {most} at most."), days=IMPORT_DRAFTS.days, most=MOST_DRAFTS),
        LEFT,
        fields=("catalogue.ImportDraft.user",),
        data=rows.imports,
    ),
    Kept(
        "shelf",
        _("Your shelf"),
        _("Which miniatures you own."),
        YOU,
        _("Until you take them off."),
        LEFT,
        fields=("catalogue.ShelfUnit.user",),
        data=rows.shelf,
    ),
)

register("seasons", KINDS)
