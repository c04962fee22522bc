"""What machines at the table expected of the seat that is reviewed: asked again from their views, decision by
decision, once the game is over.

Owns who is asked. A machine knows its own view and nothing else; notes of earlier games are not in a record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from facedown.bots.find import bots_of
from facedown.core.game import AnyGame, Pick
from facedown.core.outcome import Outcome
from facedown.core.parts.bot import AnyBot
from facedown.core.replay import ReplayedTurn
from facedown.core.seats import Seat
from facedown.core.text.translation import Text


class Expected(NamedTuple):
    """What one machine expected of the seat at one decision."""

    decision: int
    seat: Seat
    """The machine's."""
    pick: Pick
    chance: float
    usual: float
    say: tuple[Text, ...]


def expectations(
    game: AnyGame, names: Sequence[str], turns: Sequence[ReplayedTurn], seat: Seat, outcome: Outcome | None
) -> tuple[Expected, ...]:
    """What machines at the other seats expected; nothing while the game is in progress."""
    if outcome is None or len(names) != 2:
        return ()
    machines = {
        other: bot()
        for other, name in enumerate(names, 1)
        if other != seat and (bot := _explaining(game.name, name)) is not None
    }
    return tuple(_expectations(game, machines, turns, seat))


def _explaining(game: str, name: str) -> type[AnyBot] | None:
    """The bot of that name, where it has something to explain."""
    bot = bots_of(game).get(name)
    return bot if bot is not None and hasattr(bot, "explain") else None


def _expectations(
    game: AnyGame, machines: dict[Seat, AnyBot], turns: Sequence[ReplayedTurn], seat: Seat
) -> Iterator[Expected]:
    for number, turn in enumerate(turns, 1):
        for other, bot in machines.items():
            if turn.joint[other - 1] is None or turn.joint[seat - 1] is None:
                continue
            found = bot.explain(game.view(turn.before, other), game.legal(turn.before, other))
            if found is not None:
                yield Expected(number, other, *found)
