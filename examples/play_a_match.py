"""A program that plays matches over the site's interface, with nothing but Python: see --help and docs/api.md."""

import argparse
import json
import os
import random
import sys
import time
from urllib.request import Request, urlopen

LIKED = ("close", "ranged", "assault", "death_from_above", "charge", "move")


def ask(method, path, body=None):
    """Ask until there is an answer. A write goes with a key, so that sent twice it happens once."""
    request = Request(f"{options.site}/api/v1/{path}", body and json.dumps(body).encode(), method=method)
    request.headers = {"Authorization": f"Bearer {options.token}", "Idempotency-key": os.urandom(16).hex()}
    request.add_header("Content-Type", "application/json")
    for attempt in range(9):
        try:
            with urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except OSError as lost:
            if 400 <= getattr(lost, "code", 500) < 500 and lost.code != 429:
                problem = json.load(lost)
                # An action that came too late is no end: look at the match again.
                return problem if path.endswith("/actions/") else sys.exit(f"{lost.code}: {problem['detail']}")
            pause = int(getattr(lost, "headers", {}).get("Retry-After", 0)) or 2**attempt / 10
            time.sleep(pause) if pause <= 60 else sys.exit(f"Asked too often. Try again in {pause} seconds.")
    sys.exit(f"{options.site} does not answer. Is it running?")


def liking(action):
    """Return an attack where there is one, else a move, else anything; chance decides among equals."""
    order = action.get("order")
    return (*LIKED, order).index(order), random.random()


def play(match):
    """Answer as long as it is one's turn; True at the end."""
    while (turn := ask("GET", f"matches/{match}/legal-actions/?limit=2000"))["legal_actions"]:
        action = min(turn["legal_actions"], key=liking)
        done = ask("POST", f"matches/{match}/actions/", {"seen": turn["seen"], "action": action})
        print(end="".join(f"{event['sentence']}\n" for event in done.get("events", ())))
    if turn["state"] == "finished":
        print(f"Over: {options.site}/matches/{match}/ The winner is {turn['result']['winner'] or 'nobody'}.")
    return turn["state"] == "finished"


parser = argparse.ArgumentParser(description="Plays a match against the AI, or the one that is named, or all.")
parser.add_argument("match", nargs="?", help="public id of a match; its free seat is taken")
parser.add_argument("--all", action="store_true", help="play whatever waits for the account, in seasons too")
parser.add_argument("--site", default=os.environ.get("SOLARIS_SITE", "http://127.0.0.1:8000"))
parser.add_argument("--token", default=os.environ.get("SOLARIS_TOKEN"))
options = parser.parse_args()
if not options.token:
    sys.exit("A token is needed: export SOLARIS_TOKEN=$(.venv/bin/python manage.py make_token demo)")
if options.all:
    while any(ask("GET", f"matches/?state={state}")["count"] for state in ("waiting", "playing")):
        for row in ask("GET", "matches/?waiting_for_me=true")["results"]:
            play(row["public_id"])
        time.sleep(1)
else:
    if options.match and not ask("GET", f"matches/{options.match}/")["own_sides"]:
        ask("POST", f"matches/{options.match}/seat/")
    own = options.match or ask("POST", "matches/", {"opponent": "greedy"})["public_id"]
    while not play(own):
        time.sleep(1)
