"""The board for a projector, what is printed, and tables for spreadsheets."""

from __future__ import annotations

from django.urls import path

from challenge.views import board, csv_files, printing

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
    path("print/standings.csv", csv_files.standings, name="standings_csv"),
    path("print/log.csv", csv_files.log, name="log_csv"),
    path("print/ledgers/<str:pilot>.csv", csv_files.ledger, name="ledger_csv"),
]
