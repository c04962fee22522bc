from __future__ import annotations

import json

import pytest

from facedown.core.record import Record
from facedown.core.replay import verify
from tests.server.http.client import Caller, Meet, new_id, play_out, reveal_once, sit_and_reveal, sit_down

QUICK = "decisive(rounds=2,group=1)"


def test_a_review_when_the_game_is_over(ann: Caller, bob: Caller, stranger: Caller) -> None:
    table = sit_down(ann, bob, rules=QUICK)
    assert ann.refused("GET", f"/tables/{table}/review") == (409, "not_now")
    play_out(table, ann, bob)

    review = stranger.ok("GET", f"/tables/{table}/review?seat=2")

    assert review["seat"] == 2
    assert ann.ok("GET", f"/tables/{table}/review?seat=2")["names"] == ["Ann", "Bob"]
    assert len(review["chances"]) == len(review["told"])
    assert review["chances"][-1]["after"] in (0.0, 0.5, 1.0)
    assert review["say"]["readable"]
    assert ann.refused("GET", f"/tables/{table}/review?seat=3") == (409, "illegal_seats")
    assert ann.refused("GET", f"/tables/{table}/review?seat=0") == (400, "bad_message")


def test_anyone_opens_a_shared_game(ann: Caller, bob: Caller, stranger: Caller) -> None:
    table = sit_down(ann, bob, rules=QUICK, watch="nobody")
    assert ann.refused("POST", f"/tables/{table}/commands", {"id": new_id(), "do": "share"}) == (
        409,
        "not_now",
    )
    bob.do(table, "resign", decision=1)
    assert stranger.refused("GET", f"/tables/{table}/record") == (404, "unknown_table")

    ann.do(table, "share")

    seen = stranger.ok("GET", f"/tables/{table}/record")
    assert seen["seats"] == ["Ann", ""]
    assert stranger.ok("GET", f"/tables/{table}/review?seat=2")["names"] == ["Ann", "Seat 2"]
    assert ann.ok("GET", f"/tables/{table}/record")["seats"] == ["Ann", "Bob"]
    bob.do(table, "share")
    assert stranger.ok("GET", f"/tables/{table}/record")["seats"] == ["Ann", "Bob"]
    assert stranger.ok("GET", f"/tables/{table}/review?seat=2")["names"] == ["Ann", "Bob"]


def test_a_game_between_people_gives_both_a_rating(ann: Caller, bob: Caller) -> None:
    table = sit_and_reveal(ann, bob, rules="classic(first=drawn)")
    ann.do(table, "resign", decision=2)
    against_machine = ann.make(people=1, machine="random")["table"]
    ann.join(against_machine, 1)
    ann.open(against_machine)
    reveal_once(against_machine, ann)
    ann.do(against_machine, "resign", decision=2)

    (mine,), (theirs,) = (each.ok("GET", "/people/me")["statistics"] for each in (ann, bob))

    assert (mine["played"], mine["rating"]["games"]) == (2, 1)
    assert theirs["rating"]["mean"] > 25 > mine["rating"]["mean"]
    assert 0 < mine["rating"]["deviation"] < 25 / 3
    assert theirs["rating"]["points"] > 1500 > mine["rating"]["points"]
    assert 250 < mine["rating"]["error"] < 400
    assert mine["rating"]["provisional"]
    ladder = ann.ok("GET", "/standings/ecard?ladder=machines")
    assert ladder["own"]["points"] < 1500
    assert [each["points"] > 1500 for each in ladder["machines"] if each["machine"] == "random"] == [True]
    (point,) = mine["rating"]["course"]
    assert (point["mean"], point["points"]) == (mine["rating"]["mean"], mine["rating"]["points"])


def test_the_standings_of_a_game_and_where_the_caller_stands(
    ann: Caller, bob: Caller, stranger: Caller
) -> None:
    beaten = sit_and_reveal(ann, bob, rules="classic(first=drawn)")
    bob.do(beaten, "resign", decision=2)
    seen = ann.ok("GET", "/standings/ecard")
    own = seen["own"]
    assert (own["games"], own["provisional"], own["rank"]) == (1, True, None)
    assert own["points"] > 1500
    assert (seen["top"], seen["around"], seen["people"]) == ([], [], 0), "nobody here has an account"
    assert ann.ok("GET", "/standings/davenport")["own"] is None
    assert stranger.ok("GET", "/standings/ecard")["own"] is None
    assert stranger.refused("GET", "/standings/chess") == (400, "unknown_game")
    assert ann.ok("GET", "/standings/ecard?ladder=machines")["own"] is None
    assert stranger.refused("GET", "/standings/ecard?ladder=nobody") == (400, "bad_message")
    (exported,) = ann.ok("GET", "/people/me/data")["standings"]
    assert (exported["game"], exported["points"], exported["listed"]) == ("ecard", own["points"], False)


# --- going on from a position ----------------------------------------------------------------------------


def test_going_on_from_a_position_against_a_machine(ann: Caller, bob: Caller) -> None:
    old = sit_down(ann, bob, rules=QUICK)
    path = f"/tables/{old}/continue"
    assert ann.refused("POST", path, {"keep": 0}) == (409, "not_now")
    play_out(old, ann, bob)
    picks = ann.ok("GET", f"/tables/{old}/record")["picks"]

    made = bob.ok("POST", path, {"keep": 1}, 201)

    table = made["table"]
    assert [seat["kind"] for seat in made["seats"]] == ["machine", "person"]
    continues = bob.see(table)["table"]["continues"]
    assert (continues["table"], continues["decisions"]) == (old, 1)
    assert continues["digest"] == Record.read(ann.ask("GET", f"/tables/{old}/record").text).game_digest.hex()
    assert ann.refused("GET", f"/tables/{table}") == (404, "unknown_table")
    bob.join(table, 2)
    bob.open(table)
    assert bob.see(table)["table"]["turn"]["decision"] == 2
    running = bob.ok("GET", f"/tables/{table}/record")
    assert (running["continues"]["id"], running["picks"]) == (old, picks[:1])
    play_out_as(bob, table, 2)
    record = bob.ok("GET", f"/tables/{table}/record")
    assert record["picks"][:1] == picks[:1]
    assert {each.check: each.holds for each in verify(Record.read(json.dumps(record)))} == {
        "picks": True,
        "result": True,
        "origin": None,
        "promises": True,
        "seals": True,
        "links": True,
        "placers": True,
        "deal": True,
    }
    assert bob.ok("GET", f"/tables/{table}/review?seat=2")["seat"] == 2
    me = bob.ok("GET", "/people/me")
    assert {game["table"]: game["continued"] for game in me["games"]} == {table: True, old: False}
    assert me["statistics"][0]["played"] == 1


def play_out_as(caller: Caller, table: str, seat: int) -> None:
    """Against machines, to the end."""
    while (snap := caller.see(table))["table"]["state"] == "playing":
        if seat in snap["table"]["turn"]["may_seal"]:
            caller.pick(table, seat, snap["table"]["turn"]["decision"], snap["legal"][0])
        else:
            caller.ok("GET", f"/tables/{table}/events?after={snap['v']}&wait=1")


def test_going_on_once_for_one_key(ann: Caller, bob: Caller) -> None:
    old = sit_down(ann, bob, rules=QUICK)
    play_out(old, ann, bob)
    path, key = f"/tables/{old}/continue", {"Idempotency_Key": new_id()}

    first = ann.ok("POST", path, {"keep": 1}, 201, **key)

    assert ann.ok("POST", path, {"keep": 1}, 201, **key)["table"] == first["table"]
    assert ann.ok("POST", path, {"keep": 1, "seat": 1}, 201, **key)["table"] == first["table"]
    assert ann.refused("POST", path, {"keep": 0}, **key) == (409, "reused_id")
    assert ann.refused("POST", path, {"keep": 1, "seat": 2}, **key) == (409, "reused_id")
    order = {"game": "ecard", "seats": [{"kind": "person"}, {"kind": "person"}]}
    assert ann.refused("POST", "/tables", order, **key) == (409, "reused_id")


def test_who_may_go_on_and_from_where(ann: Caller, bob: Caller, meet: Meet, stranger: Caller) -> None:
    old = sit_down(ann, bob, rules=QUICK)
    closed = sit_down(ann, bob, rules=QUICK, watch="nobody")
    for table in (old, closed):
        play_out(table, ann, bob)
    watched, eve = f"/tables/{old}/continue", meet("Eve")

    assert stranger.refused("POST", watched, {"keep": 0, "seat": 1}) == (401, "needs_session")
    assert eve.refused("POST", watched, {"keep": 0}) == (400, "bad_message")
    assert eve.ok("POST", watched, {"keep": 0, "seat": 2}, 201)["seats"][0]["kind"] == "machine"
    refused = eve.refused("POST", f"/tables/{closed}/continue", {"keep": 0, "seat": 2})
    assert refused == (404, "unknown_table")
    assert eve.refused("POST", watched, {"keep": 0, "seat": 3}) == (409, "illegal_seats")
    assert eve.refused("POST", watched, {"keep": 999, "seat": 1}) == (409, "not_now")
    assert eve.refused("POST", watched, {"keep": -1, "seat": 1}) == (400, "bad_message")
    assert eve.refused("POST", watched, {"keep": 0, "seat": 1, "machine": "nobody"})[1] == "unknown_bot"


@pytest.mark.parametrize("path", ["/record", "/review", ""])
def test_there_is_no_such_table(stranger: Caller, path: str) -> None:
    assert stranger.refused("GET", f"/tables/{'Z' * 26}{path}") == (404, "unknown_table")


def test_a_game_that_ends_with_a_card_is_kept_with_its_story(ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob, game="davenport")
    play_out(table, ann, bob)

    (game,) = ann.ok("GET", "/people/me")["games"]

    assert game["table"] == table
    assert any(told["card"] for told in game["story"]["sentences"])
