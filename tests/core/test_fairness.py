"""The proof in a record: what an honest one proves, its form, and what is no proof at all."""

from __future__ import annotations

import json
import random

import pytest

from facedown.core.errors import UnreadableRecord
from facedown.core.fairness import Proof
from facedown.core.record import Record
from facedown.core.replay import verify
from facedown.server.table.record import finished_record
from tests.server.playing import Bench, order


@pytest.fixture(scope="module")
def record_text() -> str:
    bench = Bench(order("davenport", 3))
    bench.begin()
    bench.play_out(random.Random("fair"))
    return finished_record(bench.state).write()


def test_pools_may_be_left_out(record_text: str) -> None:
    whole = json.loads(record_text)
    del whole["fair"]["pools"]
    assert all(each.holds for each in verify(Record.read(json.dumps(whole))))


def test_an_honest_record_holds(record_text: str) -> None:
    assert [(each.check, each.holds) for each in verify(Record.read(record_text))] == [
        ("picks", True),
        ("result", True),
        ("links", True),
        ("promises", True),
        ("seals", True),
        ("placers", True),
        ("deal", True),
    ]


def test_a_record_reads_as_it_was_written(record_text: str) -> None:
    assert Record.read(record_text).write() == record_text


def test_before_the_seed_is_known_the_promises_are_open(record_text: str) -> None:
    whole = json.loads(record_text)
    del whole["seed"], whole["result"], whole["fair"]["links"][-1]
    found = {each.check: each.holds for each in verify(Record.read(json.dumps(whole)))}
    assert found == {
        "picks": True,
        "result": None,
        "links": None,
        "promises": None,
        "seals": True,
        "placers": None,
        "deal": None,
    }


@pytest.mark.parametrize(
    "fair",
    [
        [],
        {},
        {"links": []},
        {"links": {}, "nonces": []},
        {"links": [[]], "nonces": []},
        {"links": [["strange", 1]], "nonces": []},
        {"links": [], "nonces": ["00"]},
        {"links": [], "nonces": [5]},
        {"links": [], "nonces": [], "sig": "short"},
        {"links": [], "nonces": [], "pools": [{"at": -1, "options": []}]},
        {"links": [], "nonces": [], "pools": [{"at": 0, "options": [1]}]},
        {"links": [], "nonces": [], "pools": [1]},
    ],
)
def test_nonsense_is_refused(fair: object) -> None:
    with pytest.raises(UnreadableRecord):
        Proof.read(fair)
