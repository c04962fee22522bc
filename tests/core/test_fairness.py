"""Every promise and every seal of a record is checked: change any one of them, and `verify` names it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from facedown.core.errors import NotVerified, UnreadableRecord
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


def other(text: str) -> str:
    """Another value of the same form."""
    return ("1" if text[0] == "0" else "0") + text[1:]


def _seed_commit(whole: dict[str, Any]) -> None:
    whole["fair"]["seed_commit"] = other(whole["fair"]["seed_commit"])


def _seed(whole: dict[str, Any]) -> None:
    whole["seed"] = other(whole["seed"])


def _entropy(whole: dict[str, Any]) -> None:
    whole["fair"]["entropy"][1]["opened"] = other(whole["fair"]["entropy"][1]["opened"])


def _withheld(whole: dict[str, Any]) -> None:
    whole["fair"]["entropy"][1]["opened"] = None


def _swapped_entropy(whole: dict[str, Any]) -> None:
    whole["fair"]["entropy"].reverse()


def _nonce(whole: dict[str, Any]) -> None:
    whole["fair"]["seals"][2][0]["nonce"] = other(whole["fair"]["seals"][2][0]["nonce"])


def _commit(whole: dict[str, Any]) -> None:
    whole["fair"]["seals"][2][0]["commit"] = other(whole["fair"]["seals"][2][0]["commit"])


def _no_seal(whole: dict[str, Any]) -> None:
    del whole["fair"]["seals"][2][0]


def _fewer_decisions(whole: dict[str, Any]) -> None:
    del whole["fair"]["seals"][-1]


def _pool(whole: dict[str, Any]) -> None:
    whole["fair"]["pools"][0]["options"].reverse()


def _no_pools(whole: dict[str, Any]) -> None:
    whole["fair"]["pools"] = []


def _other_game(whole: dict[str, Any]) -> None:
    whole["id"] = "0" * 26


@pytest.mark.parametrize(
    ("change", "say"),
    [
        (_seed_commit, "the seed is not the one that was promised"),
        (_seed, "the seed is not the one that was promised"),
        (_entropy, "seat 2: what this seat threw into the deal is not what it had promised"),
        (_withheld, "but the seed deals"),
        (_swapped_entropy, "out of order"),
        (_nonce, "decision 3, seat 1: the pick is not the one that was sealed"),
        (_commit, "decision 3, seat 1: the pick is not the one that was sealed"),
        (_no_seal, "decision 3, seat 1: there is a pick, but no seal of it"),
        (_fewer_decisions, "there are seals for"),
        (_pool, "draws from other options than the rules give"),
        (_no_pools, "draws from other options than the rules give"),
        (_other_game, "is not"),
    ],
)
def test_a_broken_proof_is_named(
    record_text: str, change: Callable[[dict[str, Any]], None], say: str
) -> None:
    whole = json.loads(record_text)
    change(whole)
    with pytest.raises(NotVerified) as caught:
        list(verify(Record.read(json.dumps(whole))))
    assert say in str(caught.value)


def test_pools_may_be_left_out(record_text: str) -> None:
    whole = json.loads(record_text)
    del whole["fair"]["pools"]
    assert all(each.holds for each in verify(Record.read(json.dumps(whole))))


def test_an_honest_record_holds(record_text: str) -> None:
    assert [(each.check, each.holds) for each in verify(Record.read(record_text))] == [
        ("picks", True),
        ("result", True),
        ("promises", True),
        ("seals", True),
        ("people", True),
        ("placers", True),
        ("deal", True),
    ]


def test_a_record_reads_as_it_was_written(record_text: str) -> None:
    assert Record.read(record_text).write() == record_text


def test_before_the_seed_is_known_the_promises_are_open(record_text: str) -> None:
    whole = json.loads(record_text)
    del whole["seed"]
    found = {each.check: each.holds for each in verify(Record.read(json.dumps(whole)))}
    assert found == {
        "picks": True,
        "result": True,
        "promises": None,
        "seals": True,
        "people": True,
        "placers": None,
        "deal": None,
    }


@pytest.mark.parametrize(
    "fair",
    [
        [],
        {},
        {"seed_commit": "00", "entropy": [], "seals": []},
        {"seed_commit": "0" * 64, "entropy": {}, "seals": []},
        {"seed_commit": "0" * 64, "entropy": [1], "seals": []},
        {"seed_commit": "0" * 64, "entropy": [{"seat": 0, "commit": "0" * 64}], "seals": []},
        {"seed_commit": "0" * 64, "entropy": [], "seals": [{}]},
        {"seed_commit": "0" * 64, "entropy": [], "seals": [], "pools": [{"at": -1, "options": []}]},
        {"seed_commit": "0" * 64, "entropy": [], "seals": [], "pools": [{"at": 0, "options": [1]}]},
        {"seed_commit": "0" * 64, "entropy": [], "seals": [[{"seat": True}]]},
        {"seed_commit": "0" * 64, "entropy": [], "seals": [[{"seat": 1, "commit": "0" * 64, "nonce": 5}]]},
    ],
)
def test_nonsense_is_refused(fair: object) -> None:
    with pytest.raises(UnreadableRecord):
        Proof.read(fair)
