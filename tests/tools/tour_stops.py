"""The stops of the tour: each page, what it shows, and who looks at it."""

from __future__ import annotations

from dataclasses import dataclass

SIZES = {
    "desk": (1200, 900), "phone": (360, 740),
    "1366x625": (1366, 625), "1280x640": (1280, 640), "390x664": (390, 664), "360x640": (360, 640),
}  # fmt: skip
"""The windows, by the first part of a view; the last four show what stands on the screen without scrolling."""
MOST_HEIGHT = {"desk": 1500, "phone": 1100}
"""A longer page is cut off there, in pixels."""
LANGUAGES = {"pl": "Polish", "de": "German"}


@dataclass(frozen=True)
class Stop:
    """A page of the tour: the picture's name, its address, what it shows, and who looks at it.

    The address may name {season}, {own} (the reader's stable in it), {match}, {newest} (the one fought last),
    {fixture}, {after} (the page after a match of the reader's stable), {play} (a friendly match that has begun),
    {advised} (one in which advice to attack was asked for), {lesson} (the tutorial), {ended} (a season with champions)
    and {challenge} (an event in the middle of its second day, whose GM `demo` is).
    A view is one of SIZES, as "desk" or "phone", and may add "-dark" or "-" and one of LANGUAGES. `focus` selects what
    is looked at: the top of the page where it is empty.
    """

    name: str
    address: str
    caption: str
    is_logged_in: bool = False
    views: tuple[str, ...] = ("desk",)
    focus: str = ""


IN_EACH_LANGUAGE = ("phone-pl", "phone-de")
PAGES = (
    Stop("first-page", "/", "The first page: what this is, the ways in, and what was fought last.",
         views=("desk", "phone", *IN_EACH_LANGUAGE)),
    Stop("desk", "/", "Your desk: what waits for you in all your seasons.", True, ("desk", "phone")),
    Stop("season", "{season}", "A season: its course as a row of hexes, one cycle, the stables, the log.",
         views=("desk", "phone", "phone-dark", *IN_EACH_LANGUAGE)),
    Stop("standings", "{season}standings/", "Standings, with what each number is made of.", views=("desk", "phone")),
    Stop("season-pictures", "{season}pictures/", "A season in pictures: reputation, capital, who met whom."),
    Stop("news", "{season}news/", "The news of each round, written from its results."),
    Stop("log", "{season}log/", "The log of a season: all that happened, in words."),
    Stop("stable", "{own}", "A stable: ’Mechs, pilots, the line-up to hand in, the record and the ledger.", True,
         ("desk", "phone-dark", *IN_EACH_LANGUAGE)),
    Stop("market", "{joined}market/", "The market: a sealed basket of ’Mechs, pilots, gear and rally cards.", True),
    Stop("garage", "{own}garage/", "The garage: repairs in an order of your own, and what they leave.", True),
    Stop("fixture", "{fixture}", "A match of the season before and after it is played: sides, line-ups, fair dice."),
    Stop("match", "{match}", "A finished match: the result, and all that happened in it."),
    Stop("after-match", "{after}", "After a match: damage, repairs, what comes next.", True, ("desk", "phone")),
    Stop("replay", "{match}?step=40#replay", "The replay: every attack with its dice, its modifiers and their rules.",
         views=("desk", "desk-dark", "phone")),
    Stop("play", "{play}", "Playing a match: one question at a time, on the board and as links.", True,
         ("1366x625", "1280x640", "390x664", "360x640", "390x664-pl", "390x664-de")),
    Stop("advice", "{advised}", "Advice in a match against the AI: what a good player would do, and why.",
         True, focus="#advice"),
    Stop("chances", "{newest}", "The chance to win, round by round, in a replay: each point leads to its moment.",
         views=("desk", "phone"), focus="svg.curve[role=group]"),
    Stop("tutorial", "{lesson}", "The tutorial: a match of a dozen steps, each pointed out on the board.", True,
         ("1366x625", "390x664")),
    Stop("puzzle", "/puzzle/", "The puzzle of the day: one order beats all others.", views=("1366x625", "360x640")),
    Stop("crew", "{joined}crew/", "The crew builder: ’Mech, pilot, gear and cards, with what they change.", True),
    Stop("ceremony", "{ended}ceremony/", "A season has ended: podium, its story in pictures, a card of each stable.",
         views=("desk", "phone-dark")),
    Stop("ladder", "/ladder/", "The ladder: people, programs and the house’s bots, rated by what they fought."),
    Stop("table", "{own_fixture}table/", "The companion beside a real table: dials to count on a phone.", True,
         ("desk", "phone")),
    Stop("solo", "/solo/", "A solo evening: one press begins a season against the AI.", views=("desk", "phone")),
    Stop("open-season", "/open-a-season/", "Opening a season: cycles, money, house rules, calendar.", True),
    Stop("console", "{organised}organise/", "The organiser’s console of a season.", True),
    Stop("champions", "/champions/", "The hall of champions, and the records across seasons."),
    Stop("catalogue", "/catalogue/", "The catalogue: units to search, with the values of their first click."),
    Stop("unit", "/catalogue/units/SOL002/", "A unit: its dial drawn as on the base, and as a table."),
    Stop("arena", "/catalogue/arenas/plaza/", "An arena with its terrain and starting hexes."),
    Stop("sheets", "/catalogue/sheets/?unit=SOL002", "A sheet to print, with every click of a unit."),
    Stop("print", "{season}print/", "What a season has to print for the table: rosters, cards, reports.", True),
    Stop("challenge-door", "{challenge}door/", "The door of a Melee Challenge: card, name, ’Mech, and in by one press.",
         True, ("360x640",)),
    Stop("challenge-table", "{challenge}tables/Factory/?by=Badger", "A turn at a table: who did what, and at whom.",
         True, ("1366x625", "360x640"), focus="[data-feats] h3"),
    Stop("challenge-board", "{challenge}board/", "The board of an event on a projector: standings and the cut.",
         views=("1280x640",)),
    Stop("help", "/help/", "The help: the rules in our words, and where to begin."),
    Stop("rules", "/help/rules/", "The rules by topic; each line has an address that sums and refusals lead to.",
         views=("desk", *IN_EACH_LANGUAGE)),
)  # fmt: skip
