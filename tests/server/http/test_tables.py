from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from facedown.core.record import Record
from facedown.core.replay import verify
from tests.server.http.client import Caller, Meet, new_id, play_out, sealed, sit_down

QUICK = "decisive(rounds=2,group=1)"


# --- setting up ------------------------------------------------------------------------------------------


def test_a_new_table_has_an_invitation_and_no_players(ann: Caller) -> None:
    made = ann.make()

    snap = ann.see(made["table"])
    assert snap["table"]["state"] == "open"
    assert snap["table"]["host_is_you"] is True
    assert snap["table"]["yours"] == []
    assert snap["table"]["seed_commit"] == made["seed_commit"]
    assert [seat["taken"] for seat in snap["table"]["seats"]] == [False, False]
    assert made["seats"] == [
        {"seat": 1, "name": "", "kind": "person"},
        {"seat": 2, "name": "", "kind": "person"},
    ]


@pytest.mark.parametrize(
    ("order", "refused"),
    [
        ({"game": "chess", "seats": [{"kind": "person"}] * 2}, (400, "unknown_game")),
        ({"game": "ecard", "seats": [{"kind": "person"}] * 3}, (409, "illegal_seats")),
        ({"game": "ecard", "seats": []}, (400, "bad_message")),
        ({"game": "ecard", "seats": [{"kind": "ghost"}] * 2}, (400, "bad_message")),
        (
            {"game": "ecard", "seats": [{"kind": "machine", "machine": "os:system"}, {"kind": "person"}]},
            (400, "bad_message"),
        ),
        ({"game": "ecard", "seats": [{"kind": "person"}] * 2, "rules": "x(y=1)"}, (400, "unreadable_rules")),
        ({"game": "ecard", "seats": [{"kind": "person"}] * 2, "clock": {"kind": "decision", "seconds": 0}},
         (400, "bad_message")),
        ({"game": "ecard", "seats": [{"kind": "person"}] * 2, "flag": "nobody"}, (400, "unknown_bot")),
        ({"game": "ecard", "seats": [{"kind": "person"}] * 2, "hotseat": True, "public": True},
         (400, "bad_message")),
    ],
)  # fmt: skip
def test_impossible_tables(ann: Caller, order: dict[str, Any], refused: tuple[int, str]) -> None:
    assert ann.refused("POST", "/tables", order) == refused


def test_unreadable_rules_list_all_problems(ann: Caller) -> None:
    order = {"game": "ecard", "seats": [{"kind": "person"}] * 2, "rules": "classic(tie=never,colour=red)"}

    assert len(ann.ask("POST", "/tables", order).json()["problems"]) == 2


def test_the_same_key_makes_one_table_even_at_the_same_time(ann: Caller, bob: Caller) -> None:
    order = {"game": "ecard", "seats": [{"kind": "person"}] * 2}
    key = new_id()
    with ThreadPoolExecutor(6) as many:
        asked = [many.submit(ann.ok, "POST", "/tables", order, 201, Idempotency_Key=key) for _ in range(6)]
    made = [each.result() for each in asked]

    assert all(each == made[0] for each in made)
    assert bob.ok("POST", "/tables", order, 201, Idempotency_Key=key)["table"] != made[0]["table"]
    other = {**order, "public": True}
    assert ann.refused("POST", "/tables", other, Idempotency_Key=key) == (409, "reused_id")
    assert ann.refused("POST", "/tables", order, Idempotency_Key="a b") == (400, "bad_message")


# --- finding ---------------------------------------------------------------------------------------------


def test_public_tables_are_listed_and_private_ones_are_not(ann: Caller, stranger: Caller) -> None:
    public, private = ann.make(public=True)["table"], ann.make()["table"]

    found = [each["table"] for each in stranger.ok("GET", "/tables?state=open")["tables"]]

    assert public in found
    assert private not in found


def test_own_tables_show_whose_turn_it_is(ann: Caller, bob: Caller) -> None:
    waiting = ann.make(public=True)["table"]
    ann.join(waiting, 1)
    table = sit_down(ann, bob)
    snap = ann.see(table)
    ann_may = 1 in snap["table"]["turn"]["may_seal"]

    mine = {each["table"]: each for each in ann.ok("GET", "/tables?mine=true")["tables"]}

    assert set(mine) == {waiting, table}
    assert mine[table]["your_turn"] is ann_may
    assert mine[table]["yours"] == [1]
    assert mine[table]["v"] == snap["v"]
    turn = snap["table"]["turn"]
    assert [each["seat"] for each in mine[table]["waiting"]] == turn["may_seal"]
    assert all(snap["now"] - 600_000 < each["since"] <= snap["now"] for each in mine[table]["waiting"])
    assert all(each["deadline"] is None for each in mine[table]["waiting"]), "no clock runs"
    assert mine[table]["view"]["viewer"] == 0, "what everybody may see"
    assert mine[waiting]["your_turn"] is False
    assert (mine[waiting]["waiting"], mine[waiting]["view"]) == ([], None)
    assert bob.ok("GET", "/tables?mine=true&state=open")["tables"] == []


def test_ones_own_tables_need_a_session(stranger: Caller) -> None:
    assert stranger.refused("GET", "/tables?mine=true") == (401, "needs_session")
    assert stranger.refused("GET", "/tables?state=nonsense") == (400, "bad_message")


# --- seeing ----------------------------------------------------------------------------------------------


def test_every_player_sees_their_own_cards(ann: Caller, bob: Caller, stranger: Caller) -> None:
    table = sit_down(ann, bob, game="davenport")

    hands = [caller.see(table)["view"] for caller in (ann, bob, stranger)]

    assert hands[0] != hands[1]
    assert [view["viewer"] for view in hands] == [1, 2, 0]
    assert stranger.see(table)["table"]["invite"] is None


def test_nothing_new_is_not_sent(ann: Caller) -> None:
    table = ann.make()["table"]
    first = ann.ask("GET", f"/tables/{table}")

    assert first.headers["etag"] == f'"{first.json()["v"]}"'
    assert first.headers["cache-control"] == "no-store"
    assert ann.ask("GET", f"/tables/{table}", If_None_Match=first.headers["etag"]).status_code == 304
    ann.join(table, 1)
    assert ann.ask("GET", f"/tables/{table}", If_None_Match=first.headers["etag"]).status_code == 200


def test_a_table_without_spectators_does_not_exist_for_strangers(
    ann: Caller, bob: Caller, stranger: Caller
) -> None:
    table = sit_down(ann, bob, watch="nobody")

    for path in ("", "/events", "/record", "/review"):
        assert stranger.refused("GET", f"/tables/{table}{path}") == (404, "unknown_table")
    assert bob.see(table)["table"]["state"] == "playing"


def test_a_seat_token_is_enough(ann: Caller, bob: Caller, stranger: Caller) -> None:
    made = ann.make()
    token = ann.join(made["table"], 1)["token"]
    bob.join(made["table"], 2, made["invite"])

    snap = stranger.ok("GET", f"/tables/{made['table']}", Facedown_Seat=token)

    assert snap["table"]["yours"] == [1]
    refused = stranger.refused("GET", f"/tables/{made['table']}", Facedown_Seat="nonsense")
    assert refused == (401, "bad_token")


# --- playing ---------------------------------------------------------------------------------------------


def test_a_whole_game_and_its_record(ann: Caller, bob: Caller, stranger: Caller) -> None:
    table = sit_down(ann, bob, rules=QUICK)
    running = ann.ok("GET", f"/tables/{table}/record")
    play_out(table, ann, bob)

    record = Record.read(bob.ask("GET", f"/tables/{table}/record").text)

    assert "seed" not in running
    assert record.seats == ("Ann", "Bob")
    assert all(finding.holds is not False for finding in verify(record))
    events = stranger.ok("GET", f"/tables/{table}/events")
    assert [event["v"] for event in events["events"]] == list(range(1, events["v"] + 1))
    assert events["more"] is False
    kinds = {event["k"] for event in events["events"]}
    assert {"made", "sat", "opened", "dealt", "sealed", "revealed", "over"} <= kinds


def test_refused_commands_are_problem_documents(
    ann: Caller, bob: Caller, stranger: Caller, meet: Meet
) -> None:
    table = sit_down(ann, bob)
    path = f"/tables/{table}/commands"
    turn = ann.see(table)["table"]["turn"]
    seat = turn["may_seal"][0]
    caller = (ann, bob)[seat - 1]

    def pick(pick: str, decision: int) -> dict[str, Any]:
        command = {"id": new_id(), **sealed(table, seat, decision, pick, turn["head"])}
        command["do"] = command.pop("what")
        return command

    assert caller.refused("POST", path, pick("Q", turn["decision"])) == (409, "illegal_pick")
    assert caller.refused("POST", path, pick("C", 99)) == (409, "wrong_decision")
    forged = {**pick("C", turn["decision"]), "nonce": "0" * 64}
    assert caller.refused("POST", path, forged) == (400, "bad_seal")
    assert stranger.refused("POST", path, pick("C", 1)) == (401, "needs_session")
    assert meet("Eve").refused("POST", path, pick("C", 1)) == (403, "not_seated")
    assert ann.refused("POST", path, {"id": "a b", "do": "leave"}) == (400, "bad_message")
    assert ann.refused("POST", path, {"id": "a", "do": "dance"}) == (400, "bad_message")


def test_a_long_poll_wakes_with_the_event(ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob)
    v = ann.see(table)["v"]
    with ThreadPoolExecutor(1) as beside:
        waiting = beside.submit(ann.ok, "GET", f"/tables/{table}/events?after={v}&wait=30")
        bob.do(table, "say", text="hello <b>there‮</b>")
        found = waiting.result()

    assert found["v"] == v + 1
    assert [(event["k"], event["text"]) for event in found["events"]] == [("said", "hello <b>there</b>")]


def test_a_long_poll_ends_without_an_event(ann: Caller) -> None:
    table = ann.make()["table"]
    v = ann.see(table)["v"]

    assert ann.ok("GET", f"/tables/{table}/events?after={v}&wait=1") == {"v": v, "events": [], "more": False}
    assert ann.refused("GET", f"/tables/{table}/events?wait=31") == (400, "bad_message")


def test_a_fresh_seat_token_replaces_the_old_one(ann: Caller, stranger: Caller) -> None:
    table = ann.make()["table"]
    old = ann.join(table, 1)["token"]

    new = ann.ok("POST", f"/tables/{table}/resume")["token"]

    assert stranger.ok("GET", f"/tables/{table}", Facedown_Seat=old)["table"]["yours"] == [1]
    assert stranger.ok("GET", f"/tables/{table}", Facedown_Seat=new)["table"]["yours"] == [1]
    assert stranger.refused("GET", f"/tables/{table}", Facedown_Seat=old) == (401, "bad_token")


def test_only_ones_own_seat_can_be_resumed(ann: Caller, bob: Caller, meet: Meet) -> None:
    table = sit_down(ann, bob)

    assert meet("Eve").refused("POST", f"/tables/{table}/resume") == (403, "not_seated")
    assert ann.refused("POST", f"/tables/{table}/resume", {"seat": 2}) == (403, "not_yours")


def test_on_one_device_the_header_names_the_seat(ann: Caller) -> None:
    made = ann.make(hotseat=True)
    table = made["table"]
    tokens = [ann.join(table, seat)["token"] for seat in (1, 2)]

    say = {"id": new_id(), "do": "say", "preset": "hello"}
    assert ann.refused("POST", f"/tables/{table}/commands", say) == (400, "bad_message")
    assert ann.refused("POST", f"/tables/{table}/resume") == (400, "bad_message")
    assert ann.ok("POST", f"/tables/{table}/resume", {"seat": 2})["seat"] == 2
    ann.ok("POST", f"/tables/{table}/commands", say, Facedown_Seat=tokens[1])
    seen = ann.ok("GET", f"/tables/{table}", Facedown_Seat=tokens[0])
    assert seen["table"]["said"][0]["seat"] == 2
    assert seen["table"]["yours"] == [1, 2]
