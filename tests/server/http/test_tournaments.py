"""Tournaments over REST: set up, enter, play, follow, and read the results."""

from __future__ import annotations

import json
import time
from typing import Any

from tests.patience import PATIENCE
from tests.server.http.client import Caller, Meet
from tests.server.http.keeping import keep, new_handle

ALL = "/tournaments"


def wish(**more: object) -> dict[str, Any]:
    clock = {"kind": "decision", "seconds": 30}
    return {"kind": "arena", "title": "Evening", "game": "ecard", "clock": clock, "starts_in": 0, **more}


def wait_for(caller: Caller, path: str, is_so: Any) -> Any:
    """The tournament once it is so."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if is_so(info := caller.ok("GET", path)):
            return info
        time.sleep(0.05)
    raise AssertionError(info)


def test_a_tournament_runs_by_itself_and_ends_with_results(meet: Meet, ann: Caller, bob: Caller) -> None:
    handle = new_handle()
    keep(ann, handle)
    made = ann.ok("POST", ALL, wish(kind="rounds", rounds=1, title=" =Evening "), 201)
    assert (made["own"], made["organises"], made["head"]["state"]) == (0, True, "open")
    path = f"{ALL}/{made['head']['tournament']}"
    assert ann.ok("PUT", f"{path}/entry", {})["own"] == 1
    mine = bob.ok("PUT", f"{path}/entry", {})
    assert (mine["own"], mine["organises"]) == (2, False)

    shown = wait_for(ann, path, lambda info: info["head"].get("tables"))
    (table,) = shown["rows"][0]["tables"]
    assert shown["rows"][1]["tables"] == [table]
    listed = ann.ok("GET", ALL)["running"]
    assert path.endswith(listed[0]["tournament"])
    seats = {each["kept_for"]: each["seat"] for each in ann.see(table)["table"]["seats"]}
    ann.join(table, seats[handle])
    bob.join(table, seats["Bob"])
    ann.open(table)
    bob.open(table)
    for number in range(7):  # only the places among eight kept accounts are shown
        late = meet(f"Late {number}")
        keep(late)
        late.ok("PUT", f"{path}/entry", {})
    bob.do(table, "resign", decision=1)

    over = wait_for(ann, path, lambda info: info["head"]["state"] == "over")
    assert [(each["name"], each["points"]) for each in over["rows"][:2]] == [(handle, 2), ("Bob", 0)]
    results = ann.ask("GET", f"{path}/results.csv")
    assert results.headers["content-type"].startswith("text/csv")
    assert results.text.splitlines()[1:3] == [f"1,{handle},0,2,0,1,1", "2,Bob,0,0,2,0,1"]
    assert bob.refused("PUT", f"{path}/entry", {}) == (409, "entry_closed")
    exported = ann.ok("GET", "/people/me/data")
    assert [each["place"] for each in exported["tournaments"]] == [1]
    assert [each["title"] for each in exported["organised"]] == ["=Evening"]

    own = ann.ok("GET", "/people/me")
    assert [(each["title"], each["place"]) for each in own["trophies"]] == [("=Evening", 1)]
    ann.ok("PUT", "/people/me/page", {"shows": ["page", "results"]})
    shown = f"/people/{own['page']['handle']}"
    assert bob.ok("GET", shown)["trophies"] == own["trophies"]
    ann.ok("PUT", "/people/me/page", {"shows": ["page"]})
    assert bob.ok("GET", shown)["trophies"] == []


def test_changes_are_read_as_lines_from_a_version(ann: Caller, bob: Caller) -> None:
    keep(ann)
    made = ann.ok("POST", ALL, wish(starts_in=60), 201)
    path = f"{ALL}/{made['head']['tournament']}"
    with ann.http.stream("GET", f"{path}/events?since={made['head']['v']}") as lines:
        bob.ok("PUT", f"{path}/entry", {"weaker": True})
        update = json.loads(next(line for line in lines.iter_lines() if line))
    assert update["after"] == made["head"]["v"]
    assert [each["name"] for each in update["rows"]] == ["Bob"]
    assert ann.refused("GET", f"{ALL}/nothing/events") == (404, "unknown_tournament")


def test_the_organiser_pauses_resumes_and_cancels(ann: Caller, bob: Caller) -> None:
    keep(ann)
    path = f"{ALL}/{ann.ok('POST', ALL, wish(starts_in=60), 201)['head']['tournament']}"
    assert bob.refused("POST", f"{path}/order", {"do": "cancel"}) == (403, "not_yours")
    ann.ok("POST", f"{path}/order", {"do": "pause"}, 204)
    assert bob.ok("GET", path)["head"]["paused"]
    ann.ok("POST", f"{path}/order", {"do": "resume"}, 204)
    ann.ok("POST", f"{path}/order", {"do": "cancel"}, 204)
    assert bob.ok("GET", path)["head"]["state"] == "cancelled"
    assert ann.refused("POST", f"{path}/order", {"do": "resume"}) == (409, "entry_closed")
