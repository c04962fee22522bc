from __future__ import annotations

import pytest

from tests.server.api.client import Caller, play_out, sit_down

QUICK = "decisive(rounds=2,group=1)"


def test_a_review_when_the_game_is_over(ann: Caller, bob: Caller, stranger: Caller) -> None:
    table = sit_down(ann, bob, rules=QUICK)
    assert ann.refused("GET", f"/tables/{table}/review") == (409, "not_now")
    play_out(table, ann, bob)

    review = stranger.ok("GET", f"/tables/{table}/review?seat=2")

    assert review["seat"] == 2
    assert review["names"] == ["Ann", "Bob"]
    assert len(review["chances"]) == len(review["told"])
    assert review["chances"][-1]["after"] in (0.0, 0.5, 1.0)
    assert review["say"]["readable"]
    assert ann.refused("GET", f"/tables/{table}/review?seat=3") == (409, "illegal_seats")
    assert ann.refused("GET", f"/tables/{table}/review?seat=0") == (400, "bad_message")


def test_ones_own_games_and_how_they_went(ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob, rules=QUICK)
    play_out(table, ann, bob)
    hotseat = ann.make(hotseat=True, rules=QUICK)["table"]

    mine, theirs = ann.ok("GET", "/people/me"), bob.ok("GET", "/people/me")

    (game,) = mine["games"]
    assert game["table"] == table != hotseat
    assert game["names"] == ["Ann", "Bob"]
    assert game["won"] is not theirs["games"][0]["won"]
    (counted,) = mine["statistics"]
    assert counted["played"] == counted["won"] + counted["lost"] + counted["tied"] == 1
    assert mine["person"] == ann.person


@pytest.mark.parametrize("path", ["/record", "/review", ""])
def test_there_is_no_such_table(stranger: Caller, path: str) -> None:
    assert stranger.refused("GET", f"/tables/{'Z' * 26}{path}") == (404, "unknown_table")
