"""The history checker finds what it is there to find."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from facedown.server.store.values import EventRow
from tests.nodes.history import (
    ENDLESS_S,
    ClientLog,
    HeardNonce,
    Nonces,
    Refusal,
    SeenEvent,
    SeenSnapshot,
    anomalies,
)

ONE, TWO = "1" * 64, "2" * 64
"""The nonces of both seats; their commitments are `one` and `two` here."""


def row(v: int, kind: str, at: int, *, secret: Any = None, command: str = "", **public: Any) -> EventRow:
    hidden = b"" if secret is None else json.dumps(secret).encode()
    return EventRow(v, kind, at, json.dumps(public).encode(), hidden, public.get("seat", 0), command)


def seal(v: int, at: int, seat: int, nonce: str, **more: Any) -> EventRow:
    said = {"decision": 1, "seat": seat, "commit": ("one", "two")[seat - 1], "flag": False, **more}
    return row(v, "sealed", at, secret={"pick": "C", "nonce": nonce}, command=f"ann:c{seat}", **said)


ROWS = [
    row(1, "made", 10, clock={"kind": "decision", "seconds": 5}, flag="random"),
    row(2, "dealt", 11),
    seal(3, 12, 1, ONE),
    seal(4, 13, 2, TWO),
    row(5, "revealed", 13, decision=1),
]
FLAGGED = [*ROWS[:2], seal(3, 5011, 1, ONE, flag=True)._replace(spent=5000, command="")]
"""The first seat had five seconds, and let them go by."""


def messages(rows: list[EventRow]) -> list[dict[str, Any]]:
    """The events of rows, as a server sends them."""
    opens = [{"seat": seat, "pick": "C", "nonce": nonce} for seat, nonce in ((1, ONE), (2, TWO))]
    found = []
    for each in rows:
        said = {name: value for name, value in json.loads(each.public).items() if each.kind != "made"}
        more = {"opens": opens} if each.kind == "revealed" else {}
        found.append({"t": "ev", "v": each.v, "k": each.kind, "at": each.at, **said, **more})
    return found


SEEN = [SeenEvent.of(message) for message in messages(ROWS)]
GHOST = SEEN[4]._replace(v=4)


def snapshot(v: int, *commits: str) -> SeenSnapshot:
    return SeenSnapshot(v, frozenset(commits))


def log() -> ClientLog:
    """The log of the first seat, to which everything happened as it should."""
    return ClientLog(
        "T",
        1,
        invoked=["c1"],
        acked={"c1": 3},
        seen=[*SEEN],
        read=[snapshot(2), snapshot(3, "one"), snapshot(5)],
        head=5,
        heard=[HeardNonce(5, 2, 1)],
        refused=[Refusal("c1", "store_failed", "pick", 1)],
        farewells=["draining", "silent"],
        failed=[("GET /tables/T", 503, "store_failed")],
    )


def found(rows: list[EventRow], *clients: ClientLog, outages: list[tuple[int, int]] | None = None) -> str:
    return "; ".join(anomalies({"T": rows}, clients, outages or []))


def test_a_right_history_is_right() -> None:
    spectator = replace(log(), seat=0, acked={}, refused=[])
    assert found(ROWS, log(), spectator, outages=[(0, 10), (13, 99)]) == ""
    assert found(FLAGGED, ClientLog("T", 1), outages=[(6000, 9000)]) == ""


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([*ROWS[:1], *ROWS[2:]], "a gap in its events"),
        ([*ROWS, ROWS[2]._replace(v=6, at=14)], "command ann:c1 is saved 2 times"),
        ([*ROWS[:4], ROWS[4]._replace(at=12)], "its time went back"),
        ([*ROWS[:3], seal(4, 13, 1, TWO)], "seat 1 sealed twice"),
        ([*ROWS[:3], ROWS[4]._replace(v=4)], "revealed at 4 after 1 seals"),
        ([*ROWS, row(6, "closed", 14, say="")], "closed at 6, and no one closed it"),
        ([*ROWS[:2], ROWS[2]._replace(command="ann:c9"), *ROWS[3:]], "at 3, where 'ann:c9' of seat 1 is"),
        (ROWS[:2], "c1 was acknowledged at 3 and is lost"),
    ],
)
def test_a_wrong_store_is_found(rows: list[EventRow], says: str) -> None:
    assert says in found(rows, log())


@pytest.mark.parametrize(
    ("client", "says"),
    [
        (replace(log(), seen=[SEEN[0], SEEN[2]]), "events with a gap, or twice"),
        (replace(log(), seen=[SEEN[0], SEEN[0]]), "events with a gap, or twice"),
        (replace(log(), stale=[(2, 4)]), "a snapshot at 2 after 4"),
        (replace(log(), invoked=["c1", "c1"]), "used an id twice"),
        (replace(log(), acked={"c1": 4}), "c1 was acknowledged at 4, where 'ann:c2' of seat 2 is"),
        (replace(log(), changed=[("c1", 3, 5)]), "c1 was acknowledged at 3, then at 5"),
    ],
)
def test_a_client_that_was_answered_wrongly_is_found(client: ClientLog, says: str) -> None:
    assert says in found(ROWS, client)


@pytest.mark.parametrize(
    ("seen", "says"),
    [
        ([SEEN[4]._replace(v=6)], "saw revealed at 6, where nothing is saved"),
        ([GHOST], "saw revealed at 4, where sealed is saved"),
        ([SEEN[3]._replace(at=14)], "saw sealed at 4, of 14, but it is saved as of 13"),
        (
            [SeenEvent.of({**messages(ROWS)[3], "commit": "other"})],
            "saw sealed at 4, with commit 'other', but 'two' is saved",
        ),
        ([SeenEvent.of({**messages(ROWS)[3], "seat": 1})], "saw sealed at 4, with seat 1, but 2 is saved"),
        (
            [SeenEvent.of({**messages(ROWS)[4], "decision": 2})],
            "saw revealed at 5, with decision 2, but 1 is saved",
        ),
        (
            [SEEN[4]._replace(opens=((2, "S", TWO),))],
            "saw revealed at 5, with pick 'S' of seat 2, which is not saved",
        ),
    ],
)
def test_an_event_that_was_never_saved_is_a_ghost(seen: list[SeenEvent], says: str) -> None:
    assert f"ghost: {says}" in found(ROWS, replace(log(), seen=seen))


@pytest.mark.parametrize(
    ("client", "says"),
    [
        (replace(log(), read=[snapshot(6)]), "a snapshot at 6, but 5 is the last event saved"),
        (replace(log(), read=[snapshot(4, "one")]), "a snapshot at 4 with seals that are not saved"),
        (replace(log(), head=6), "a number 6, but 5 is the last event saved"),
    ],
)
def test_a_state_that_was_never_saved_is_a_ghost(client: ClientLog, says: str) -> None:
    assert f"ghost: {says}" in found(ROWS, client)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_nonce_before_its_reveal_is_early(seat: int) -> None:
    nonces = Nonces()
    nonces.add(ONE, "T", 1, 1)
    nonces.add(TWO, "T", 2, 1)
    frame = f'{{"nonce":"{TWO}"}}'.encode()
    client = replace(log(), seat=seat, acked={}, heard=nonces.heard_in(frame, 4, "T", seat))

    assert "early: the nonce of seat 2 in decision 1 at 4, revealed at 5" in found(ROWS, client)
    assert "early: the nonce of seat 2 in decision 1 at 4, revealed at None" in found(ROWS[:4], client)


def test_the_own_nonce_is_never_early() -> None:
    nonces = Nonces()
    nonces.add(ONE, "T", 1, 1)

    assert nonces.heard_in(ONE.encode(), 3, "T", 1) == []
    assert nonces.heard_in(b"3" * 64, 3, "T", 2) == []


@pytest.mark.parametrize(
    ("client", "says"),
    [
        (replace(log(), refused=[Refusal("c1", "error", "pick", 1)]), "pick of decision 1 is refused: error"),
        (replace(log(), refused=[Refusal("o", "not_now", "open")]), "open of decision 0 is refused: not_now"),
        (replace(log(), farewells=["internal"]), "goodbye with internal"),
        (
            replace(log(), failed=[("GET /tables/T", 500, "internal")]),
            "GET /tables/T is answered 500 internal",
        ),
        (
            replace(log(), failed=[("GET /tables/T", 410, "broken_table")]),
            "GET /tables/T is answered 410 broken_table",
        ),
    ],
)
def test_a_wrong_refusal_is_found(client: ClientLog, says: str) -> None:
    assert f"wrong refusal: {says}" in found(ROWS, client)


def test_a_seat_whose_time_was_up_may_be_refused() -> None:
    client = ClientLog("T", 1, refused=[Refusal("c1", "wrong_decision", "pick", 1)])

    assert found(FLAGGED, client) == ""
    assert "wrong refusal" in found(FLAGGED, replace(client, seat=2))


def test_a_flag_before_its_deadline_is_false() -> None:
    client, turn = ClientLog("T", 2), {"decision": 1, "deadlines": {"1": 5012}, "sealed": []}
    client.note({"t": "snap", "v": 2, "table": {"turn": turn}})
    assert "false flag: seat 1 at 3, 1 ms before its deadline" in found(FLAGGED, client)

    later = {"t": "ev", "v": 3, "k": "sealed", "turn": {**turn, "deadlines": {"1": 5011}}}
    client.note(later)
    assert found(FLAGGED, client) == ""


def test_a_forfeit_before_its_deadline_is_false() -> None:
    forfeited = [*ROWS[:4], row(5, "revealed", 30_000, decision=1, forfeited=[1])]
    client, turn = ClientLog("T", 2), {"decision": 1, "deadlines": {}, "to_open": [1], "open_until": 30_013}
    client.note({**messages(ROWS)[3], "turn": turn})
    assert "false flag: seat 1 at 5, 13 ms before its deadline" in found(forfeited, client)


def test_a_flag_for_time_without_a_server_is_false() -> None:
    assert "charged 5000 ms of 5000, 800 of them without a server" in found(FLAGGED, outages=[(4000, 4800)])


def test_a_flag_is_false_if_nobody_waited_for_its_clock() -> None:
    long = row(1, "made", 10, clock={"kind": "decision", "seconds": ENDLESS_S})
    assert "false flag: seat 1 at 3, which had" in found([long, *FLAGGED[1:]])
