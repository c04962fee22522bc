"""The moment that a machine takes for a pick: shorter where several think, and silent about the pick."""

from __future__ import annotations

from typing import Final

from facedown.core import registry
from facedown.core.chance import Seeded
from facedown.core.match import Match
from facedown.server.table.bots import BotTurn, moment_of

KEY: Final = bytes(32)
PAUSE: Final = 2000


def turns() -> list[BotTurn]:
    """The same turn in a hundred decisions."""
    game = registry.get("ecard")
    match = Match(game, game.rules.of(), ("a", "b"), Seeded(bytes(32)))
    seat = match.may_seal[0]
    turn = BotTurn("ecard", "T", 1, seat, match.view(seat), match.legal(seat))
    return [turn._replace(decision=decision) for decision in range(1, 101)]


def test_a_machine_takes_between_0_6_and_2_seconds() -> None:
    moments = [moment_of(turn, KEY, PAUSE, 0) for turn in turns()]

    assert all(0.6 <= each <= 2 for each in moments)
    assert len(set(moments)) > 50, "not always the same"


def test_where_several_think_each_takes_less() -> None:
    turn = turns()[0]

    assert moment_of(turn, KEY, PAUSE, 2) * 3 == moment_of(turn, KEY, PAUSE, 0)
    assert moment_of(turn, KEY, 0, 0) == 0


def test_the_moment_does_not_depend_on_what_the_machine_holds() -> None:
    turn = turns()[0]

    assert moment_of(turn, KEY, PAUSE, 0) == moment_of(turn._replace(legal=("S",)), KEY, PAUSE, 0)
