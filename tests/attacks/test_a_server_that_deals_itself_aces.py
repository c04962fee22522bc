"""A server that wants to cheat with the deal, and writes records that look as if it had not.

It may choose among many seeds, leave out what people threw in, or tell afterwards who sat there, who placed
what and in which order. Each story forges one record; `verify` does not take it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from facedown.core.errors import NotVerified
from facedown.core.fairness import MissingEntropy
from facedown.core.record import Record
from facedown.proof import verify
from facedown.proof.checks import new_signing_key, signed
from facedown.server.table import commands
from facedown.server.table.record import finished_record
from tests.server.playing import Bench, order

Forge = Callable[[dict[str, Any]], None]


def played(machines: tuple[int, ...] = (), *, late: bool = False) -> Bench:
    """A game of three at a server's table; `late`: seat 3 never opens what it promised."""
    bench = Bench(order("davenport", 3, machines=machines), seed=5)
    people = [place.seat for place in bench.state.people]
    for seat in people:
        bench.sit(seat)
    for seat in people:
        if not (late and seat == 3):
            bench.open(seat)
    if late:
        bench.at = bench.state.opening_until or 0
        commands.apply_timeouts(bench.tx(), bench.at, {})
    bench.play_out(random.Random("aces"))
    return bench


def forged(bench: Bench, forge: Forge) -> Record:
    whole = json.loads(finished_record(bench.state).write())
    forge(whole)
    return Record.read(json.dumps(whole))


# --- the deal --------------------------------------------------------------------------------------------


def test_a_deal_from_the_best_of_many_seeds_without_entropy_does_not_hold() -> None:
    """The server deals as it likes, from a seed that it searched for, and claims that no seat opened."""
    bench = _dealt_alone(max(range(100), key=_aces))
    bench.play_out(random.Random("best"))
    record = finished_record(bench.state)
    findings: list[Any] = []
    with pytest.raises(MissingEntropy) as caught:
        findings.extend(verify(record))
    assert caught.value.where.seat == 1
    assert {each.check for each in findings} >= {"picks", "seals", "deal"}, "all else looks as it should"


def test_nor_does_one_whose_record_leaves_the_promises_out() -> None:
    def without(whole: dict[str, Any]) -> None:
        whole["fair"]["entropy"] = []

    bench = _dealt_alone(5)
    bench.play_out(random.Random("alone"))
    with pytest.raises(MissingEntropy):
        list(verify(forged(bench, without)))


def test_a_seat_that_did_not_open_in_time_is_named() -> None:
    """An honest case looks like a server that did not wait; `verify` says so."""
    with pytest.raises(MissingEntropy) as caught:
        list(verify(finished_record(played(late=True).state)))
    assert caught.value.where.seat == 3


def test_a_person_does_not_become_a_machine_afterwards() -> None:
    """Machines add no entropy: a server that dealt without a person calls that person a machine."""

    def machine(whole: dict[str, Any]) -> None:
        whole["fair"]["table"]["seats"][2] = {"kind": "machine", "machine": "uniform"}
        del whole["fair"]["entropy"][2]
        for seals in whole["fair"]["seals"]:
            for seal in seals:
                if seal["seat"] == 3:
                    seal["machine"] = "uniform"

    with pytest.raises(NotVerified, match="a machine placed this pick, but it did not"):
        list(verify(forged(played(late=True), machine)))


# --- who placed what -------------------------------------------------------------------------------------


def _flag(whole: dict[str, Any]) -> None:
    whole["fair"]["seals"][1][0]["flag"] = True


def _hidden_machine(whole: dict[str, Any]) -> None:
    seal = next(each for each in whole["fair"]["seals"][0] if each["seat"] == 3)
    del seal["machine"]


def _extra_seat(whole: dict[str, Any]) -> None:
    whole["fair"]["table"]["seats"].append({"kind": "person"})


def _extra_seal(whole: dict[str, Any]) -> None:
    whole["fair"]["seals"][0].append({**whole["fair"]["seals"][0][0], "seat": 4})


def _second_seal(whole: dict[str, Any]) -> None:
    whole["fair"]["seals"][0].append(whole["fair"]["seals"][0][0])


def _extra_entropy(whole: dict[str, Any]) -> None:
    whole["fair"]["entropy"].append({"seat": 4, "commit": "0" * 64, "opened": None})


@pytest.mark.parametrize(
    ("forge", "say"),
    [
        (_flag, "the clock placed this pick, but a person did|no clock runs for a machine"),
        (_hidden_machine, "the table itself placed this pick, but the record hides it"),
        (_extra_seat, "4 seats were dealt, but the record names 3"),
        (_extra_seal, "a seal, but no pick for it"),
        (_second_seal, "a seal, but no pick for it"),
        (_extra_entropy, "for one that is not there"),
    ],
)
def test_seats_and_their_picks_cannot_be_forged(forge: Forge, say: str) -> None:
    with pytest.raises(NotVerified, match=say):
        list(verify(forged(played((3,)), forge)))


def test_the_clock_cannot_pick_what_suits_the_server() -> None:
    """A pick that the clock placed is drawn from the stream of the deal, and from no other."""
    bench = Bench(order("davenport", 2), seed=5)
    bench.begin()
    seat = bench.state.match.may_seal[0]
    commands._seal_by_clock(bench.tx(), seat, str(bench.state.match.legal(seat)[-1]))
    bench.play_out(random.Random("clock"))
    with pytest.raises(NotVerified, match="not the one that the seed draws"):
        list(verify(finished_record(bench.state)))


def test_a_machine_that_does_not_play_as_it_must_is_found() -> None:
    """The server lets its machine play something else than what its stream and its view give."""
    bench = played((3,))
    with pytest.raises(NotVerified, match="make uniform pick something else"):
        list(verify(finished_record(bench.state)))


def test_a_record_that_keeps_silent_about_people_gets_no_tick_for_them() -> None:
    """Everything that can be checked is, and the rest is reported as unknown."""

    def silent(whole: dict[str, Any]) -> None:
        del whole["fair"]["table"]

    found = {each.check: each.holds for each in verify(forged(played(), silent))}
    assert found["people"] is None
    assert (found["promises"], found["seals"], found["deal"]) == (True, True, True)


# --- after the game --------------------------------------------------------------------------------------


def test_names_cannot_be_changed_in_a_record_that_is_passed_on() -> None:
    """A stranger claims to have played: names are no part of the game, but the server has signed them."""
    whole = json.loads(signed(finished_record(played().state).write(), new_signing_key(b"random")))
    assert {each.check: each.holds for each in verify(Record.read(json.dumps(whole)))}["signature"] is True
    whole["seats"][0] = "Champion"
    with pytest.raises(NotVerified, match="changed after the server had signed it"):
        list(verify(Record.read(json.dumps(whole))))
    del whole["signed"]
    assert {each.check: each.holds for each in verify(Record.read(json.dumps(whole)))}["signature"] is None


# --- what the server does for it -------------------------------------------------------------------------


def _aces(number: int) -> int:
    bench = _dealt_alone(number)
    return sum(str(card).startswith("A") for card in bench.state.match.chance.drawn[:5])


def _dealt_alone(number: int) -> Bench:
    """A table of two people, dealt from this seed and from nothing else."""
    bench = Bench(order("davenport", 2), seed=number)
    for seat in (1, 2):
        bench.sit(seat)
    bench.at = bench.state.opening_until or 0
    commands.apply_timeouts(bench.tx(), bench.at, {})
    return bench
