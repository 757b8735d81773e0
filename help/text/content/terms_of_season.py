"""Glossary: the words of a season."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from help.text.content.term import Term

SEASON_TERMS = (
    Term(
        "season",
        _("Season"),
        _(
            "Six cycles of matches among four to eight stables; at its end there are a champion stable and a champion "
            "pilot."
        ),
        ("R-CYC-01", "R-CYC-08"),
        ("cycle", "stable"),
    ),
    Term(
        "stable",
        _("Stable"),
        _("Your team in a season: its ’Mechs, pilots, cards and Stones. It is run by a person, the AI, or a program."),
        ("R-STB-01", "R-STB-04"),
        ("capital", "asset"),
    ),
    Term(
        "stone",
        _("Stone"),
        _("The money of a season. A thing costs as many Stones as it has points; a rally card costs 10."),
        ("R-AST-01",),
        ("capital", "purse"),
    ),
    Term(
        "capital",
        _("Capital"),
        _(
            "The Stones that a stable has. It starts with an amount by class, grows by purses and sales, and never "
            "falls below 0. Every change stands in the stable’s books with its cause."
        ),
        ("R-STB-01", "R-AST-12"),
        ("stone", "purse", "net-worth"),
    ),
    Term("asset", _("Asset"), _("Something a stable owns: a ’Mech, a pilot, gear or a rally card."), ("R-STB-04",)),
    Term(
        "class",
        _("Class"),
        _(
            "Light, medium, heavy or assault: how much a ’Mech may weigh in points. Featherweight to Heavyweight are "
            "the matching names of a match."
        ),
        ("R-BLD-02", "R-BLD-03"),
    ),
    Term(
        "points",
        _("Points"),
        _("What a thing is worth in building and in Stones."),
        ("R-BLD-08", "R-AST-01"),
        ("build-total",),
    ),
    Term(
        "build-total",
        _("Build total"),
        _("The ceiling for a ’Mech with its pilot and gear."),
        ("R-BLD-03", "R-BLD-07", "Q-114"),
        ("points",),
    ),
    Term(
        "unique",
        _("Unique"),
        _("Something there is only one of in a team and in a stable: units with a star, legends and gunslingers."),
        ("R-BLD-12", "R-AST-13", "Q-161"),
    ),
    Term(
        "pilot",
        _("Pilot"),
        _("Sits in a ’Mech, changes its values and earns reputation of their own. Every competing ’Mech needs one."),
        ("R-STB-03", "R-PLT-04"),
    ),
    Term(
        "gear",
        _("Gear"),
        _("A card that is put on a ’Mech and changes one of its values or brings equipment."),
        ("R-GER-10", "R-CEC-06"),
    ),
    Term(
        "rally-card",
        _("Rally card"),
        _("A card for bad moments: it can be played when its condition is met, each once in a match."),
        ("R-RAL-01", "R-RAL-06"),
        ("hand",),
    ),
    Term(
        "hand",
        _("Hand"),
        _("The rally cards that your units take into a match, up to five each. Others see only how many there are."),
        ("R-RAL-01", "Q-148"),
    ),
    Term(
        "cycle",
        _("Cycle"),
        _("A part of the season with one format: first the market, then the rounds, then the purses."),
        ("R-CYC-01",),
        ("round", "market"),
    ),
    Term(
        "round",
        _("Round (of a season)"),
        _("All stables play one match each, or have a bye."),
        ("R-CYC-03",),
        ("fixture", "bye", "round-of-match"),
    ),
    Term(
        "format",
        _("Format"),
        _("The kind of match of a cycle: Standard, Team, Weapons Dead, Tag Team, Capture the Flag or Grand Melee."),
        ("R-CYC-01", "R-FMT-01"),
    ),
    Term(
        "fixture",
        _("Fixture"),
        _(
            "A match of a season: who meets whom in which round, when, how it is played, and its result. Until it is "
            "reported, an organiser who does not play in it may set date, place and how it is played, excuse a stable, "
            "or declare a forfeit."
        ),
        ("R-CYC-07", "Q-149"),
        ("pairing", "line-up", "excuse"),
    ),
    Term(
        "pairing",
        _("Pairing"),
        _(
            "Who meets whom. The first round of a cycle is drawn by lot, later ones bring together stables of like "
            "reputation. Before line-ups are in, an organiser can exchange the sides of two matches."
        ),
        ("R-CYC-07", "Q-149"),
    ),
    Term(
        "bye",
        _("Bye"),
        _(
            "A round without a match, where the number of stables is odd. It costs no place: reputation is then "
            "counted for each match played."
        ),
        ("Q-158",),
    ),
    Term(
        "line-up",
        _("Line-up"),
        _(
            "Which ’Mech, pilot and gear, which rally cards and target tokens you bring to a fixture. It is sealed "
            "until all are in, then all are shown together. Before that, and before its deadline, you may take yours "
            "back and hand in another. An organiser can open it again too, and does not see it."
        ),
        ("R-CYC-12", "Q-153"),
        ("fixture", "hand"),
    ),
    Term(
        "forecast",
        _("Forecast"),
        _(
            "The chance of each side to win, counted by letting a bot of this house play the match to its end many "
            "times. It stands beside a fixture once the line-ups are shown, and round by round in a replay."
        ),
        (),
        ("fixture", "line-up"),
    ),
    Term(
        "saved-line-up",
        _("Saved line-up"),
        _("A line-up kept for matches of a kind. It is used when you hand in nothing in time."),
        (),
        ("line-up",),
    ),
    Term(
        "market",
        _("Market"),
        _(
            "Where assets are bought: before the first cycle and between cycles. It closes when every owner is ready, "
            "at its deadline, or when the organiser starts the cycle."
        ),
        ("R-AST-03", "Q-133"),
        ("basket",),
    ),
    Term(
        "basket",
        _("Basket"),
        _(
            "A shopping list that you seal; it is bought line by line when the market closes, and nobody sees it "
            "before. Saying that you are ready seals it; shopping on opens it again."
        ),
        ("Q-161",),
        ("market",),
    ),
    Term(
        "garage",
        _("Garage"),
        _("The page on which you repair, sell, and move pilots and gear."),
        ("R-AST-10",),
        ("repair", "swap"),
    ),
    Term(
        "repair",
        _("Repair"),
        _(
            "Bringing a ’Mech back to its start marker for Stones, between matches. The price depends on its points "
            "and its state."
        ),
        ("R-CRP-01", "R-CRP-03", "R-CRP-11"),
        ("salvage", "eliminated"),
    ),
    Term(
        "swap",
        _("Swap"),
        _("Moving pilots and gear between ’Mechs. Taking gear off a ’Mech ends the repairs of that pause."),
        ("R-AST-10", "R-AST-11", "Q-170"),
    ),
    Term(
        "purse",
        _("Purse"),
        _("The Stones that each stable gets at the end of a cycle, by its place in it."),
        ("R-PUR-01",),
        ("place",),
    ),
    Term(
        "place",
        _("Place"),
        _("The position of a stable in one cycle, by reputation, then kills, then wins, then a die."),
        ("Q-126",),
        ("purse", "standings"),
    ),
    Term(
        "reputation",
        _("Reputation"),
        _(
            "The points of the game: 70 or 80 for an elimination, more for tokens and flags. Most of it wins a match, "
            "and at the end the season."
        ),
        ("R-END-05", "R-END-06", "R-CYC-05"),
        ("standings",),
    ),
    Term(
        "kill",
        _("Kill"),
        _("An elimination, counted for whoever dealt the click that reached the end. Kills break ties."),
        ("R-CYC-06", "Q-64"),
    ),
    Term(
        "standings",
        _("Standings"),
        _(
            "The table of a season: reputation first, kills second. Under it stands what each number is made of. "
            "Schedule and head-to-head are statistics of the house and decide no place."
        ),
        ("R-CYC-08", "R-CYC-09"),
        ("reputation", "net-worth"),
    ),
    Term(
        "net-worth",
        _("Net worth"),
        _("The capital, plus what all assets would bring when sold after their repair, less what is owed."),
        ("R-AST-07", "R-AST-09"),
    ),
    Term(
        "program",
        _("Program"),
        _("An account of a bot that plays for a stable through the programming interface."),
        (),
        ("hand-over",),
    ),
    Term(
        "sudden-death",
        _("Sudden death"),
        _("The match that decides a title which is tied in reputation and in kills."),
        ("R-CYC-09", "R-SUD-01"),
    ),
    Term(
        "champion",
        _("Champion"),
        _(
            "The pilot with the most reputation, and the stable with the most. After the last result they are "
            "provisional, because results may still be corrected, until the organiser closes the season or the time "
            "for it is over."
        ),
        ("R-CYC-08", "R-CYC-09"),
    ),
    Term(
        "sponsor",
        _("Sponsor grant"),
        _("An option of a season: help for a stable that has too little to field a ’Mech."),
        ("Q-156",),
    ),
)
