"""The history checker finds what it is there to find."""

from __future__ import annotations

from dataclasses import replace

import pytest

from facedown.server.store.base import EventRow
from tests.cluster.history import ClientLog, anomalies

ROWS = [
    EventRow(1, "made", 10, b""),
    EventRow(2, "sealed", 11, b"", seat=1, command="ann:a"),
    EventRow(3, "sealed", 12, b"", seat=2, command="ben:b"),
    EventRow(4, "revealed", 12, b""),
]


def log() -> ClientLog:
    seen = [(row.v, row.kind) for row in ROWS]
    return ClientLog("T", 1, invoked=["a"], acked={"a": 2}, seen=seen, read=[1])


def found(rows: list[EventRow], client: ClientLog) -> str:
    return "; ".join(anomalies({"T": rows}, [client]))


def test_a_right_history_is_right() -> None:
    assert found(ROWS, log()) == ""


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([*ROWS[:1], *ROWS[2:]], "a gap in its events"),
        ([*ROWS, ROWS[1]._replace(v=5, at=13)], "command ann:a is saved 2 times"),
        ([*ROWS[:3], ROWS[3]._replace(at=11)], "its time went back"),
        ([*ROWS[:2], ROWS[2]._replace(seat=1), ROWS[3]], "seat 1 sealed twice"),
        ([*ROWS[:2], ROWS[3]._replace(v=3)], "revealed at 3 after 1 seals"),
        ([ROWS[0], ROWS[1]._replace(command="ann:c"), *ROWS[2:]], "at 2, where 'ann:c' is"),
        (ROWS[:1], "a was acknowledged at 2 and is lost"),
        ([*ROWS[:2], ROWS[2]._replace(kind="said"), ROWS[3]], "saw sealed at 3, where said is"),
    ],
)
def test_a_wrong_store_is_found(rows: list[EventRow], says: str) -> None:
    assert says in found(rows, log())


@pytest.mark.parametrize(
    ("client", "says"),
    [
        (replace(log(), seen=[(1, "made"), (3, "sealed")]), "events with a gap, or twice"),
        (replace(log(), seen=[(1, "made"), (1, "made")]), "events with a gap, or twice"),
        (replace(log(), stale=[(2, 4)]), "a snapshot at 2 after 4"),
        (replace(log(), invoked=["a", "a"]), "used an id twice"),
    ],
)
def test_what_a_client_was_told_wrongly_is_found(client: ClientLog, says: str) -> None:
    assert says in found(ROWS, client)
