"""A GM's own list of prices, as it comes from a spreadsheet."""

from __future__ import annotations

import pytest

from rules.challenge.book.price_list import NO_NAME, NO_PRICE, NO_TONS, TOO_LONG, TWICE, price_of, read_prices
from rules.challenge.book.setup import change_list, check_form, event_of

EVENT = event_of({})
LOCUST = "locust_lct_1v"


@pytest.mark.parametrize(
    "line",
    [
        "Locust; LCT-1V; 20; 1600000",
        "Locust\tLCT-1V\t20\t1'600'000",
        "Locust,LCT-1V,20,1600000",
        'Locust, LCT-1V, 20, "1,600,000"',
        "Locust, LCT-1V, 20, 1,600,000",
        "locust lct1v; 1.600.000 C-bills",
        "Locust LCT-1V; 20 t; 1\u202f600\u202f000;",
        "LOCUST;LCT 1V;20.0;1 600 000 CB",
    ],
)
def test_a_line_is_read_whatever_stands_between_its_fields(line: str) -> None:
    found = read_prices(line, EVENT.models)
    assert [(each.id, each.old, each.price) for each in found.matched] == [(LOCUST, 1_512_400, 1_600_000)]
    assert found.new == found.unread == ()


def test_a_heading_is_passed_over_and_a_new_mech_needs_tons() -> None:
    text = "Name;Model;Tons;Price\nBanshee;BNC-3E;95;8,789,000\n\nNothing;N-1;;500000\nCharger CGR-9X9; 7000000"
    found = read_prices(text, EVENT.models)
    assert [(each.id, each.name, each.tons, each.old) for each in found.new] == [
        ("banshee_bnc_3e", "Banshee BNC-3E", 95, None)
    ]
    assert [(each.line, each.why) for each in found.unread] == [(4, NO_TONS), (5, NO_TONS)]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Locust LCT-1V; much", NO_PRICE),
        ("Locust LCT-1V 1600000", NO_PRICE),
        ("Locust LCT-1V; 1,6", NO_PRICE),
        ("Locust LCT-1V; -5", NO_PRICE),
        ("Locust LCT-1V; 99999999999", NO_PRICE),
        ("Locust LCT-1V; 1,600.000", NO_PRICE),
        ("Locust LCT-1V; ١٦٠٠٠٠٠", NO_PRICE),
        ("--; 20; 1600000", NO_NAME),
        (f"{'x' * 61}; 20; 1600000", TOO_LONG),
        ("Unheard Of; 19; 1600000", NO_TONS),
    ],
)
def test_what_cannot_be_read_is_said_by_its_line(line: str, why: str) -> None:
    found = read_prices(f"Flea FLE-4; 20; 1519200\n{line}", EVENT.models)
    assert [(each.line, each.why) for each in found.unread] == [(2, why)]
    assert len(found.matched) == 1


def test_a_mech_that_comes_twice_keeps_its_first_price() -> None:
    found = read_prices("Locust LCT-1V; 1000000\nlocust_lct_1v; 2000000", EVENT.models)
    assert [each.price for each in found.matched] == [1_000_000]
    assert [each.why for each in found.unread] == [TWICE]


def test_the_change_keeps_what_the_list_knows_of_a_mech_and_may_take_all_others_out() -> None:
    found = read_prices("Mad Cat (Timber Wolf) Prime; 9,000,000\nNew One; 50; 3000000", EVENT.models)
    assert [each.id for each in found.matched] == ["mad_cat_timber_wolf_prime"]
    change = found.change(EVENT.models)
    check_form("mechs", {"mechs": change})
    event = event_of({})
    change_list(event, change)
    assert event.models["mad_cat_timber_wolf_prime"].cost == 9_000_000
    assert event.models["mad_cat_timber_wolf_prime"].is_clan
    assert len(event.models) == len(EVENT.models) + 1
    only = found.change(EVENT.models, only=True)
    check_form("mechs", {"mechs": only})
    change_list(event, only)
    assert set(event.models) == {"mad_cat_timber_wolf_prime", "new_one"}


def test_a_price_without_any_mark_may_be_long() -> None:
    assert price_of("1000000000") == 1_000_000_000
    assert price_of("1000000001") is None
