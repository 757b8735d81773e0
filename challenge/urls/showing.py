"""The board for a projector, and what is printed."""

from __future__ import annotations

from django.urls import path

from challenge.views import board, printing

urlpatterns = [
    path("board/", board.show_board, name="board"),
    path("board/state/", board.board_state, name="board_state"),
    path("board/cheer/", board.cheer, name="cheer"),
    path("board/scenes/", board.scenes, name="scenes"),
    path("board/overrun/", board.overrun, name="overrun"),
    path("print/", printing.prints, name="prints"),
    path("print/sheets/", printing.sheets, name="pilot_sheets"),
    path("print/sheets/<str:pilot>/", printing.pilot_sheet, name="pilot_sheet"),
    path("print/ledgers/", printing.ledgers, name="ledgers"),
    path("print/ledgers/<str:pilot>/", printing.pilot_ledger, name="pilot_ledger"),
    path("print/tables/", printing.award_tables, name="print_tables"),
    path("print/standings/", printing.standings, name="print_standings"),
]
