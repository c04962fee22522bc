"""Facts: the stored bytes of every kind, and that viewers receive nothing that a class does not declare."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from facedown.core.seats import SPECTATOR
from facedown.server.store.values import EventRow
from facedown.server.table.actor import NOBODY
from facedown.server.table.facts import FACTS, LogEntry, TableFact, from_row, to_row
from facedown.server.table.updates import ViewerUpdates, missed_events
from tests.server.playing import Bench, order

STORED = Path(__file__).with_name("stored_facts.jsonl").read_text(encoding="utf-8").splitlines()
"""At least one row of each kind; lines are added, never changed."""


class SecretNoted(TableFact, frozen=True, tag="noted"):
    """A new fact whose author has declared nothing but its fields."""

    seat: int
    name: str


def row_of(line: str) -> EventRow:
    fields: dict[str, Any] = json.loads(line)
    return EventRow(**fields | {"public": fields["public"].encode(), "secret": fields["secret"].encode()})


@pytest.mark.parametrize("line", STORED)
def test_a_stored_fact_is_read_and_written_unchanged(line: str) -> None:
    assert to_row(from_row(row_of(line))) == row_of(line)


def test_every_kind_of_fact_is_stored_here() -> None:
    assert {type(from_row(row_of(line)).fact) for line in STORED} == set(FACTS.values())


def test_a_fact_without_public_fields_sends_only_its_number() -> None:
    bench = Bench(order("ecard"), seed=1)
    bench.begin()
    number = bench.state.head + 1
    bench.state.log.append(LogEntry(number, bench.at, SecretNoted(1, "Ann")))

    sent = ViewerUpdates().updates(bench.state, bench.state.log[-1:], lambda: NOBODY, (SPECTATOR, 1, 2))

    for viewer, update in sent.items():
        frames = [*update.frames, *missed_events(bench.state, viewer, number - 1)]
        assert [json.loads(frame) for frame in frames] == [{"t": "ev", "v": number, "k": "-"}] * 2


@pytest.mark.parametrize("fact", FACTS.values())
def test_public_fields_are_fields_of_the_fact(fact: type[TableFact]) -> None:
    assert set(fact.public_fields or ()) <= set(fact.__struct_fields__)
