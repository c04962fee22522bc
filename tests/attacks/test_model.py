"""The model of the fairness protocol: no behaviour of a dishonest server breaks a promise without an alarm.

And the model would notice: with any one of the rules left out, it finds a way to break a promise.
`THOROUGH=1` visits every state, also of two decisions.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final

import pytest

from facedown.client import witness as code
from facedown.client.memory import OwnPick
from facedown.client.witness import Witness
from facedown.core import chain as chains
from facedown.core.chain import Chain
from facedown.core.links import Link
from tests.attacks.model import Broken, search

THOROUGH: Final = os.environ.get("THOROUGH") == "1"
STATES: Final = 1_000_000 if THOROUGH else 1500
Leave = Callable[[pytest.MonkeyPatch], None]


@pytest.mark.parametrize("blind", [False, True], ids=["ordinary", "blind"])
@pytest.mark.parametrize("decisions", [1, 2] if THOROUGH else [1])
def test_nothing_that_a_server_sends_breaks_a_promise_without_an_alarm(blind: bool, decisions: int) -> None:
    found = search(blind, decisions, STATES if decisions == 1 else 20_000)
    assert found.finished, "games come to their end"
    assert {"order", "promises", "due", "clock", "pick", "seal"} <= found.alarms.keys()
    assert found.is_whole or not THOROUGH or decisions > 1


# --- with one rule left out --------------------------------------------------------------------------------


def _promises_bound(patch: pytest.MonkeyPatch) -> None:
    """A number may be another one than promised."""
    patch.setattr(chains, "entropy_commitment", lambda table, seat, entropy: _Anything())
    patch.setattr(code, "_OWN", {**code._OWN, "opened": _nothing})


class _Anything:
    """Equal to every commitment."""

    def hex(self) -> _Anything:
        return self

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


def _nothing(self: Witness, number: int, link: Link, live: bool) -> None:
    """No rule."""


def _acknowledged_stays(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(code, "_OWN", {**code._OWN, "sealed": _nothing})
    patch.setattr(Witness, "note_sealed", lambda self, decision, number: None)


def _own_acts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Witness, "_suspect", lambda self, number, live: None)


def _who_is_due(patch: pytest.MonkeyPatch) -> None:
    """The client opens as soon as it has sealed."""

    def at_once(self: Witness) -> OwnPick | None:
        return self.memory.own.get(self.chain.decision)

    patch.setattr(Witness, "to_reveal", at_once)


def _in_turn(patch: pytest.MonkeyPatch) -> None:
    """The client seals whenever a decision is open."""

    def at_once(self: Witness, decision: int) -> bool:
        return (
            decision == self.chain.decision
            and bool(self.chain.due)
            and self.memory.seat not in self.chain.sealed
        )

    patch.setattr(Witness, "may_seal", at_once)


def _opening_stays(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Witness, "_check_forfeit", lambda self, link: None)
    patch.setattr(chains, "_RULES", {**chains._RULES, "revealed": _revealed_at_any_time})


def _revealed_at_any_time(chain: Chain, link: Link) -> Callable[[], None]:
    decision, _, due = link.fields

    def commit() -> None:
        chains._open_decision(chain, due, link.at)

    if not chain.all_sealed:
        raise chains._refuse("not all have sealed", decision)
    return commit


def _clock_in_time(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(chains, "_check_clock", lambda chain, decision, seat, at: None)
    patch.setattr(Witness, "_check_flag", lambda self, link, decision: None)


def _clock_of_its_own(patch: pytest.MonkeyPatch) -> None:
    """The server's times are believed."""
    patch.setattr(Witness, "_check_time", lambda self, link: None)
    patch.setattr(Witness, "_check_flag", lambda self, link, decision: None)


@pytest.mark.parametrize(
    ("leave_out", "blind", "broken"),
    [
        (_promises_bound, False, "P1"),
        (_acknowledged_stays, False, "P3"),
        (_own_acts, False, "P3"),
        (_who_is_due, True, "P4"),
        (_in_turn, False, "P2"),
        (_opening_stays, True, "P3"),
        (_clock_in_time, False, "P3"),
        (_clock_of_its_own, False, "P3"),
    ],
    ids=lambda each: each.__name__ if callable(each) else None,
)
def test_every_rule_is_needed(
    leave_out: Leave, blind: bool, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_out(monkeypatch)
    monkeypatch.setattr("tests.attacks.model._RULES", chains._RULES)
    with pytest.raises(Broken, match=broken):
        search(blind, 1, 30_000)
