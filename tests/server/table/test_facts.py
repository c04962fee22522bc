"""Facts as databases hold them: the bytes of every kind are read and written as they always were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from facedown.server.store.base import EventRow
from facedown.server.table.facts import TableFact, from_row, to_row

STORED = Path(__file__).with_name("stored_facts.jsonl").read_text(encoding="utf-8").splitlines()
"""One row of each kind, as the first release wrote it; lines are added, never changed."""


def row_of(line: str) -> EventRow:
    fields: dict[str, Any] = json.loads(line)
    return EventRow(**fields | {"public": fields["public"].encode(), "secret": fields["secret"].encode()})


@pytest.mark.parametrize("line", STORED)
def test_a_stored_fact_is_read_and_written_unchanged(line: str) -> None:
    assert to_row(from_row(row_of(line))) == row_of(line)


def test_every_kind_of_fact_is_stored_here() -> None:
    assert {type(from_row(row_of(line)).fact) for line in STORED} == set(get_args(TableFact))
