"""The browser's verification and `facedown verify` agree on honest records, and on lies that need no rule."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from facedown.core.chance import clock_stream
from facedown.core.errors import FacedownError
from facedown.core.links import head_digest, leaf_of_log
from facedown.core.merkle import Span, inclusion_path
from facedown.core.record import Record
from facedown.core.replay import verify
from facedown.proof.checks import key_finding, log_finding, signature_finding
from facedown.proof.log import Checkpoint, LogProof
from facedown.proof.signatures import encode_signature, sign, sign_text
from facedown.protocol.messages import Cmd
from facedown.protocol.rest import TableOrder
from facedown.server.table import commands
from facedown.server.table.record import finished_record
from tests.attacks.operator import FRIEND, KEY, LIVE, ME, PRIVATE, SignedBench, blind, ordinary
from tests.core.test_log import ENTRIES, Log
from tests.needs import without
from tests.server.playing import nonce_of, order, pick_command
from tests.web.tools import NODE, run

Whole = dict[str, Any]


def _signed(bench: SignedBench) -> Whole:
    state = bench.state
    number = len(state.links) - 1
    sig = encode_signature(sign(PRIVATE, head_digest(state.id, number, state.heads[number])))
    whole: Whole = json.loads(sign_text(finished_record(state, sig, _log_of(bench)).write(), PRIVATE))
    return whole


def _log_of(bench: SignedBench) -> dict[str, str]:
    """The proofs that the table and its end are in a log of the operator."""
    heads = {"table": bench.state.heads[0], "record": bench.state.heads[-1]}
    entries = [leaf_of_log(kind, bench.state.id, head) for kind, head in heads.items()]
    log = Log([*ENTRIES[:4], *entries, *ENTRIES[4:]])
    note = Checkpoint("operator", 15, *log.hashes([Span(0, 15)])).sign(PRIVATE)
    return {
        kind: str(LogProof(index, log.hashes(inclusion_path(index, 15)), note))
        for index, kind in enumerate(heads, 4)
    }


def _played(asked: TableOrder, before: Callable[[SignedBench], None] = lambda bench: None) -> Whole:
    bench = SignedBench(asked, at=1_700_000_000_000, seed=7)
    bench.begin()
    before(bench)
    bench.play_out(random.Random(3))
    return _signed(bench)


def _clocked(bench: SignedBench) -> None:
    """The clock picks for both, whose time is up."""
    state = bench.state
    bench.at += 15_000
    drawn: dict[int, tuple[int, str]] = {}
    for seat in (ME, FRIEND):
        legal = state.match.legal(seat)
        drawn[seat] = 1, str(legal[clock_stream(state.key, 1, seat).below(len(legal))])
    commands.apply_timeouts(bench.tx(), bench.at, drawn)


def _resigned() -> Whole:
    bench = SignedBench(ordinary(), at=1_700_000_000_000, seed=7)
    bench.begin()
    bench.pick(ME, bench.state.match.legal(ME)[0])
    bench.act(FRIEND, Cmd("resign", "resign", decision=1))
    return _signed(bench)


def _forfeited() -> Whole:
    """Seat 2 never opens, and loses the game with its second forfeit."""
    bench = SignedBench(blind(), at=1_700_000_000_000, seed=7)
    bench.begin()
    while bench.state.playing:
        decision = bench.state.match.decision
        mine = str(bench.state.match.legal(ME)[0])
        for seat in (ME, FRIEND):
            pick = pick_command(bench.state, decision, seat, str(bench.state.match.legal(seat)[0]))
            bench.act(seat, replace(pick, pick=None, nonce=None))
        bench.act(ME, Cmd(f"o{decision}", "reveal", decision, mine, nonce=nonce_of(decision, ME).hex()))
        bench.at += 61_000
        commands.apply_timeouts(bench.tx(), bench.at, {})
    return _signed(bench)


HONEST: Final[dict[str, Callable[[], Whole]]] = {
    "ordinary": lambda: _played(ordinary()),
    "dealt cards": lambda: _played(order("davenport", 3)),
    "machines": lambda: _played(order("davenport", 3, machines=(2, 3))),
    "clock": lambda: _played(ordinary(LIVE), _clocked),
    "resignation": _resigned,
    "forfeits": _forfeited,
}


def _swap_chance(each: Whole) -> None:
    each["chance"][:2] = reversed(each["chance"][:2])


def _other_placer(each: Whole) -> None:
    link = next(link for link in each["fair"]["links"] if link[0] == "sealed")
    link[4] = "clock"


def _other_proof(each: Whole) -> None:
    each["fair"]["log"]["record"] = each["fair"]["log"]["table"]


def _sign_again(each: Whole) -> None:
    """The signature fits again: what is false is in the record alone."""
    del each["signed"]
    each.update(json.loads(sign_text(json.dumps(each), PRIVATE)))


LIES: Final[dict[str, Callable[[Whole], None]]] = {
    "another seed": lambda each: each.update(seed="00" * 32),
    "another pick": lambda each: each["picks"][0].__setitem__(0, f"{each['picks'][0][0]}x"),
    "another winner": lambda each: each["result"].update(winner=9),
    "another name": lambda each: each["seats"].__setitem__(0, "Eve"),
    "a link less": lambda each: each["fair"]["links"].pop(),
    "a nonce less": lambda each: each["fair"]["nonces"].pop(),
    "another nonce": lambda each: each["fair"]["nonces"].__setitem__(0, "22" * 32),
    "another time": lambda each: each["fair"]["links"][1].__setitem__(1, 5),
    "another rule set": lambda each: each.update(rules="other"),
    "another signature": lambda each: each["signed"].update(signature="00" * 64),
    "no links": lambda each: each.pop("fair"),
    "another placer": _other_placer,
    "other cards": _swap_chance,
    "another proof of the log": _other_proof,
    "a log of a greater size": lambda each: each["fair"]["log"].update(
        table=each["fair"]["log"]["table"].replace("\n15\n", "\n16\n")
    ),
}
WITHOUT_RULES: Final = {"picks", "result", "machines"}
"""What the browser does not check on its own; nor what the clock has to draw."""


def _checks(whole: Whole) -> dict[str, bool | None] | None:
    """By `facedown verify`, but for what machines pick: these here pick anything. None if it is false."""

    def known(record: Record) -> Any:
        return key_finding(record, {KEY: ""}, only=False)

    def logged(record: Record) -> Any:
        return log_finding(record, {KEY: ""})

    try:
        found = list(verify(Record.read(json.dumps(whole)), others=(signature_finding, known, logged)))
    except FacedownError:
        return None
    return {each.check: each.holds for each in found}


def test_both_verifiers_agree(tmp_path: Path) -> None:
    if NODE is None:
        without("there is no Node on this machine")
    cases: dict[str, Whole] = {}
    for name, make in HONEST.items():
        cases[name] = whole = make()
        for lie, change in LIES.items():
            if lie == "other cards" and len(set(whole["chance"][:2])) < 2:
                continue
            forged = copy.deepcopy(whole)
            change(forged)
            cases[f"{name}: {lie}"] = forged
            if lie not in ("another signature", "another name"):
                cases[f"{name}: {lie}, signed"] = again = copy.deepcopy(forged)
                _sign_again(again)
    records = tmp_path / "records.json"
    records.write_text(json.dumps([[each, None] for each in cases.values()]), encoding="utf-8")
    done = run(str(NODE), "unit/verify_records.mjs", str(records))
    assert done.returncode == 0, done.stderr
    found = dict(zip(cases, json.loads(done.stdout), strict=True))
    wanted = {name: _checks(whole) for name, whole in cases.items()}
    assert {name: verdict == "false" for name, (verdict, _) in found.items()} == {
        name: checks is None for name, checks in wanted.items()
    }
    for name in HONEST:
        verdict, checks = found[name]
        assert verdict == "consistent"
        unchecked = WITHOUT_RULES | ({"placers"} if name == "clock" else set())
        here = {check: holds for check, holds in checks if check != "machines"}
        python = wanted[name] or {}
        assert list(here) == list(python)
        assert here == {check: None if check in unchecked else holds for check, holds in python.items()}
