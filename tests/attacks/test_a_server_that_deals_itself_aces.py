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

from facedown.core.chance import clock_stream, entropy_commitment
from facedown.core.errors import FacedownError, NotVerified
from facedown.core.links import head_digest
from facedown.core.record import Record
from facedown.proof import CONSISTENT, verdict_of, verify
from facedown.proof.signatures import encode_signature, new_signing_key, public_key, sign, sign_text
from facedown.protocol.messages import Clock, Cmd
from facedown.server.table import commands
from facedown.server.table.record import finished_record
from tests.attacks.operator import PRIVATE, SignedBench
from tests.server.playing import Bench, entropy_of, order

Whole = dict[str, Any]
Forge = Callable[[Whole], None]


@pytest.fixture(scope="module")
def written() -> str:
    """The record of a game of three people at a server's table."""
    return _written(Bench(order("davenport", 3), seed=5))


def _written(bench: Bench) -> str:
    bench.begin()
    bench.play_out(random.Random("aces"))
    return finished_record(bench.state).write()


def _links(whole: Whole, kind: str) -> list[list[Any]]:
    return [link for link in whole["fair"]["links"] if link[0] == kind]


def _other(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def _another_seed(whole: Whole) -> None:
    whole["seed"] = _links(whole, "over")[0][3] = _other(whole["seed"])


def _another_number(whole: Whole) -> None:
    _links(whole, "opened")[1][3] = "ab" * 32


def _without_a_number(whole: Whole) -> None:
    whole["fair"]["links"].remove(_links(whole, "opened")[2])


def _another_promise(whole: Whole) -> None:
    """With another promise the deal has another key: the cards are not those that were dealt."""
    _links(whole, "sat")[1][3] = entropy_commitment(whole["id"], 2, bytes(32)).hex()
    _links(whole, "opened")[1][3] = bytes(32).hex()


def _person_was_a_machine(whole: Whole) -> None:
    _links(whole, "made")[0][4]["seats"][2] = "uniform"
    whole["fair"]["links"] = [
        link for link in whole["fair"]["links"] if link[0] not in ("sat", "opened") or link[2] != 3
    ]


def _clock_without_one(whole: Whole) -> None:
    _links(whole, "sealed")[0][4] = "clock"


def _clock_is_claimed_afterwards(whole: Whole) -> None:
    _links(whole, "made")[0][4]["clock"]["kind"] = "decision"
    _links(whole, "sealed")[0][4] = "clock"


def _second_seal(whole: Whole) -> None:
    links = whole["fair"]["links"]
    place = links.index(_links(whole, "sealed")[0])
    links.insert(place + 1, list(links[place]))
    whole["fair"]["nonces"].insert(1, whole["fair"]["nonces"][0])


def _no_seal(whole: Whole) -> None:
    whole["fair"]["links"].remove(_links(whole, "sealed")[0])
    del whole["fair"]["nonces"][0]


def _nonce(whole: Whole) -> None:
    whole["fair"]["nonces"][2] = _other(whole["fair"]["nonces"][2])


def _no_nonce(whole: Whole) -> None:
    whole["fair"]["nonces"][2] = None


def _commit(whole: Whole) -> None:
    _links(whole, "sealed")[2][5] = _other(_links(whole, "sealed")[2][5])


def _another_history(whole: Whole) -> None:
    """A seal is made on the links before it: with any of them changed, it opens no more."""
    _links(whole, "dealt")[0][1] += 1


def _due(whole: Whole) -> None:
    _links(whole, "dealt")[0][2] = [[1], [2, 3]]


def _forfeit(whole: Whole) -> None:
    whole["picks"][0][0] = "forfeit"


def _fewer_decisions(whole: Whole) -> None:
    links = whole["fair"]["links"]
    last = max(place for place, link in enumerate(links) if link[0] == "revealed")
    del links[last]


def _pool(whole: Whole) -> None:
    whole["fair"]["pools"][0]["options"].reverse()


def _no_pools(whole: Whole) -> None:
    whole["fair"]["pools"] = []


def _another_game(whole: Whole) -> None:
    whole["id"] = "0" * 26


def _another_result(whole: Whole) -> None:
    result = _links(whole, "over")[0][2]
    result["winner"] = 1 if result["winner"] == 2 else 2


def _another_rule(whole: Whole) -> None:
    _links(whole, "made")[0][4]["rules"] = "aces"


@pytest.mark.parametrize(
    ("forge", "say"),
    [
        (_another_seed, "seed is not the one that was promised"),
        (_another_number, "seat 2: a number was opened that was not promised"),
        (_without_a_number, "seat 3: dealt without a person's number"),
        (_another_promise, "is not"),
        (_person_was_a_machine, "a person sealed before every machine was bound"),
        (_clock_without_one, "the clock picked at a table without a clock"),
        (_clock_is_claimed_afterwards, "the clock picked before the time was up"),
        (_second_seal, "a second seal of one seat"),
        (_no_seal, "not|turned before all had sealed"),
        (_nonce, "decision 1, seat .: the pick is not the one that was sealed"),
        (_no_nonce, "a nonce is missing"),
        (_commit, "the pick is not the one that was sealed"),
        (_another_history, "the pick is not the one that was sealed"),
        (_due, "not to seal now|the seats that were due are not those of the rules"),
        (_forfeit, "nothing to decide|forfeit"),
        (_fewer_decisions, "although seats are due"),
        (_pool, "draws from other options than the rules give"),
        (_no_pools, "draws from other options than the rules give"),
        (_another_game, "their id is not the record's"),
        (_another_result, "the result or the seed is not the one in the last link"),
        (_another_rule, "their rules is not the record's"),
    ],
)
def test_a_forged_record_is_named(written: str, forge: Forge, say: str) -> None:
    whole = json.loads(written)
    forge(whole)
    with pytest.raises(FacedownError, match=say):
        list(verify(Record.read(json.dumps(whole))))


def test_a_deal_that_was_taken_back_is_marked() -> None:
    """The server voids deals that it does not like until one suits its friend: the record keeps each."""
    bench = Bench(order("davenport", 2), seed=5)
    for seat in (1, 2):
        bench.sit(seat)
    bench.open(1)
    bench.at = bench.state.open_until or 0
    commands.apply_timeouts(bench.tx(), bench.at, {})
    bench.act(1, Cmd("again", "promise", commit=entropy_commitment(bench.table, 1, bytes(32)).hex()))
    bench.sit(2)
    bench.act(1, Cmd("o", "open", entropy=bytes(32).hex()))
    bench.act(2, Cmd("o", "open", entropy=entropy_of(2).hex()))
    bench.play_out(random.Random("void"))
    found = {each.check: each for each in verify(finished_record(bench.state))}
    assert found["promises"].holds is None
    assert "chose between two deals" in str(found["promises"].say)


def test_the_clock_cannot_pick_what_suits_the_server() -> None:
    """A pick that the clock placed is drawn from the stream of the deal, and from no other."""
    bench = Bench(order("davenport", 2, clock=Clock("decision", seconds=5)), seed=5)
    bench.begin()
    seat, state = bench.state.match.may_seal[0], bench.state
    legal = state.match.legal(seat)
    drawn = legal[clock_stream(state.key, 1, seat).below(len(legal))]
    bench.at += 5000
    commands._seal_by_clock(bench.tx(), seat, str(next(pick for pick in legal if pick != drawn)), False)
    bench.play_out(random.Random("clock"))
    with pytest.raises(NotVerified, match="not the one that the seed draws"):
        list(verify(finished_record(bench.state)))


def test_a_machine_that_does_not_play_as_it_must_is_found() -> None:
    """The server lets its machine play something else than what its stream and its view give."""
    bench = Bench(order("davenport", 3, machines=(3,)), seed=5)
    with pytest.raises(NotVerified, match="make uniform pick something else"):
        list(verify(Record.read(_written(bench))))


def test_a_record_without_its_links_is_no_proof(written: str) -> None:
    """Stripped of its proof, its signature or both, a record is never more than consistent."""
    whole = json.loads(written)
    del whole["fair"]
    del whole["seed"]
    assert verdict_of(list(verify(Record.read(json.dumps(whole))))) == CONSISTENT


# --- after the game --------------------------------------------------------------------------------------


def test_nothing_can_be_changed_in_a_record_that_is_passed_on() -> None:
    """A stranger claims to have played: names are no part of the game, but the server has signed them."""
    bench = SignedBench(order("davenport", 2), seed=5)
    bench.begin()
    bench.play_out(random.Random("signed"))
    state = bench.state
    head = head_digest(state.id, len(state.links) - 1, state.heads[-1])
    sig = encode_signature(sign(PRIVATE, head))
    text = sign_text(finished_record(state, sig).write(), PRIVATE)
    key = public_key(PRIVATE)
    found = {each.check: each.holds for each in verify(Record.read(text), anchors={key: "here"})}
    assert (found["signature"], found["key"], found["log"]) == (True, True, None)
    with pytest.raises(NotVerified, match="not the one that was named"):
        list(verify(Record.read(text), anchors={"0" * 64: "there"}, only=True))
    whole = json.loads(text)
    whole["seats"][0] = "Champion"
    with pytest.raises(NotVerified, match="changed after the server had signed it"):
        list(verify(Record.read(json.dumps(whole))))
    again = json.loads(sign_text(json.dumps(whole), new_signing_key(b"random")))
    with pytest.raises(NotVerified, match="another key than the table's"):
        list(verify(Record.read(json.dumps(again))))
    stripped = {name: value for name, value in json.loads(text).items() if name not in ("fair", "seed")}
    with pytest.raises(NotVerified, match="links that were signed with it are missing"):
        list(verify(Record.read(json.dumps(stripped)), anchors={key: "here"}))
    del whole["signed"]
    assert {each.check: each.holds for each in verify(Record.read(json.dumps(whole)))}["signature"] is None
