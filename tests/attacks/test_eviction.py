"""Attacks on absent players: they are not pushed out of a game, and play on when they come back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.http.client import Caller, Meet, sit_down
from tests.server.running import Server, until

SOON = """
import facedown.server.table.presence as presence
presence.LIVE_MS = presence.RECENT_MS = 200
"""
"""Minutes are moments here, and days stay days."""
LIVE = {"kind": "decision", "seconds": 1, "bank": 3600}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = (
        Server(tmp_path_factory.mktemp("attacks") / "data", FACEDOWN_MACHINE_PAUSE="0").after(SOON).start()
    )
    yield running
    running.close()


def replaceable(caller: Caller, table: str) -> list[int]:
    """The seats that a machine may take over."""
    return [seat["seat"] for seat in caller.see(table)["table"]["seats"] if seat["replaceable"]]


def absent_turn(caller: Caller, table: str, seat: int) -> None:
    """Pick if it is this seat's turn, so that the game waits for the other one."""
    while seat in (snap := caller.see(table))["table"]["turn"]["may_seal"]:
        caller.pick(table, seat, snap["table"]["turn"]["decision"], snap["legal"][0])


def test_an_opponent_with_days_for_a_move_is_not_evicted_for_being_away(meet: Meet) -> None:
    """Bob is away from three tables. That counts only with a clock of seconds."""
    ann, bob = meet("Ann"), meet("Bob")
    days = sit_down(ann, bob, game="davenport", clock={"kind": "correspondence", "days": 3})
    untimed = sit_down(ann, bob, game="davenport")
    live = sit_down(ann, bob, game="davenport", clock=LIVE)
    for table in (days, untimed, live):
        absent_turn(ann, table, 1)

    until(lambda: replaceable(ann, live) == [2])

    for table in (days, untimed):
        assert replaceable(ann, table) == []
        refused = {"id": "evict", "do": "replace", "seat": 2}
        assert ann.refused("POST", f"/tables/{table}/commands", refused) == (409, "not_now")


def test_a_player_is_not_evicted_while_the_others_think(meet: Meet) -> None:
    """Bob has sealed and looks away: the game waits for Ann, however long she takes."""
    ann, bob = meet("Ann"), meet("Bob")
    table = sit_down(ann, bob, game="davenport", clock=LIVE)
    other = sit_down(ann, bob, game="davenport", clock=LIVE)
    absent_turn(bob, table, 2)

    until(lambda: 2 in replaceable(ann, other))

    assert replaceable(ann, table) == []


def test_the_opponent_does_not_choose_the_machine(meet: Meet) -> None:
    """Bob leaves, and Ann would like the weakest machine against her."""
    ann, bob = meet("Ann"), meet("Bob")
    table = sit_down(ann, bob, substitute="sage")
    assert ann.see(table)["table"]["substitute"] == "sage"
    bob.do(table, "leave")

    weakest = {"id": "weak", "do": "replace", "seat": 2, "machine": "random"}
    assert ann.refused("POST", f"/tables/{table}/commands", weakest) == (409, "not_now")
    ann.do(table, "replace", seat=2)

    seat = ann.see(table)["table"]["seats"][1]
    assert (seat["kind"], seat["machine"], seat["name"]) == ("machine", "sage", "Bob")


def test_a_replaced_player_comes_back_and_plays_on(meet: Meet, server: Server) -> None:
    """After a restart as well; what the machine has sealed stays, and only Bob sees what it is."""
    ann, bob = meet("Ann"), meet("Bob")
    table = sit_down(ann, bob, game="davenport")
    bob.do(table, "leave")
    ann.do(table, "replace", seat=2)
    until(lambda: [each["seat"] for each in ann.see(table)["table"]["turn"]["sealed"]] == [2])
    server.kill()
    server.start()
    assert table in [each["table"] for each in bob.ok("GET", "/tables?mine=true")["tables"]]
    seat = bob.ok("POST", f"/tables/{table}/resume", {})
    assert seat["seat"] == 2
    again = {"id": "too-soon", "do": "resign", "decision": 1}
    assert bob.refused("POST", f"/tables/{table}/commands", again) == (409, "not_now")

    bob.do(table, "back")

    snap, hers = bob.see(table), ann.see(table)
    assert snap["table"]["seats"][1]["kind"] == "person"
    assert [each["seat"] for each in snap["table"]["turn"]["sealed"]] == [2], "what was sealed stays"
    assert snap["placed"] is not None
    assert hers["placed"] is None
    assert hers["table"]["seats"][1]["replaceable"] is False
    ann.pick(table, 1, 1, hers["legal"][0])
    bob.pick(table, 2, 2, bob.see(table)["legal"][0])
    until(lambda: [each["seat"] for each in ann.see(table)["table"]["turn"]["sealed"]] == [2])


def test_no_other_player_takes_a_seat_from_its_machine(meet: Meet) -> None:
    ann, bob, eve = meet("Ann"), meet("Bob"), meet("Eve")
    table = sit_down(ann, bob)
    bob.do(table, "leave")
    ann.do(table, "replace", seat=2)
    command = {"id": "mine", "do": "back"}
    assert eve.refused("POST", f"/tables/{table}/commands", command) == (403, "not_seated")
    assert ann.refused("POST", f"/tables/{table}/commands", command) == (409, "not_now")
    assert eve.refused("POST", f"/tables/{table}/resume", {}) == (403, "not_seated")
