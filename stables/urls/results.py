"""The addresses of reports, rulings and corrections; included by stables.urls, so the names are `stables:...`."""

from django.urls import path

from stables.views.fixtures import results

FIXTURE = "seasons/<slug:season_slug>/fixtures/<int:fixture_id>/"
STABLE = "seasons/<slug:season_slug>/stables/<slug:stable_slug>/"
urlpatterns = [
    path(FIXTURE + "report/", results.report_result, name="report_result"),
    path(FIXTURE + "confirm", results.confirm_report, name="confirm_report"),
    path(FIXTURE + "reopen", results.reopen_result, name="reopen_result"),
    path(FIXTURE + "decide/", results.decide_result, name="decide_result"),
    path(FIXTURE + "correct/", results.correct_result, name="correct_result"),
    path(STABLE + "waive-debt", results.waive_debt, name="waive_debt"),
]
