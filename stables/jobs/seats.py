"""The job of a hand-over, at its beginning and at its end."""

from __future__ import annotations

from jobs.registry import job
from jobs.run import Run
from stables.models import HandOver
from stables.services.fixtures import hand_overs


@job("stables.follow_hand_over")
def follow_hand_over(run: Run) -> None:
    """Hand in the missing line-ups, reseat running matches, and tell the owner when the hand-over has ended.

    It runs at the beginning and at the end of a hand-over. It closes a market that waits for nobody else. Payload:
    hand_over.
    """
    made = HandOver.objects.select_related("stable__season", "stable__owner").get(pk=run.payload["hand_over"])
    stable = made.stable
    for fixture_id in hand_overs.waiting_fixtures(made):
        step = f"prepare:{fixture_id}"
        hand_overs.prepare(stable_id=stable.pk, fixture_id=fixture_id, step=step, run_step=run.once)
    run.once("market", lambda: hand_overs.stop_waiting(stable))
    run.once("seats", lambda: hand_overs.follow_seats(stable, f"hand_over:{made.pk}:{run.job_id}"))
    run.once("ready", lambda: hand_overs.mind_the_end(made))
    run.once("tell", lambda: hand_overs.tell_owner(made))
