"""The characters of the house at many tables at once: as `careful`, except where a tell says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from facedown.games.davenport.bots.reading import KING
from facedown_lab.batch.form import Array
from facedown_lab.games.davenport.batch.bots import (
    BatchCareful,
    card_of_value,
    highest_value,
    lowest_value,
)
from facedown_lab.games.davenport.batch.state import DavenportTables, of_each_value
from facedown_lab.games.davenport.batch.thinking import HabitTables

_DECK_SIZE: Final = 52
_MANY: Final = 5
"""Hands from which `hale` takes the card in the middle."""


class Watched(NamedTuple):
    """What a character minds of the rounds before, at every table and by seat."""

    habits: HabitTables
    won_last: Array
    """Whether the seat won the last round."""
    won_ever: Array
    """Whether it has won any round of this game."""


TellPick: TypeAlias = "tuple[Array, Array, bool]"
"""At which tables the tell applies, the value of its card, and whether that card is exchanged."""
TellOf: TypeAlias = "Callable[[Any, DavenportTables, Watched, int], TellPick]"


class BatchCharacter(BatchCareful):
    """A character: its tell over arrays, and `careful` for the rest."""

    def __init__(self, name: str, tell: TellOf) -> None:
        self.name = name
        self._tell = tell

    def start(self, game: Any, tables: int) -> Watched:  # type: ignore[override]  # it minds more
        never = game.xp.zeros((tables, game.seats), dtype=bool)
        return Watched(super().start(game, tables), never, never)

    def after(self, game: Any, memory: Watched, before: Any, state: Any) -> Watched:  # type: ignore[override]
        xp = game.xp
        habits = super().after(game, memory.habits, before, state)
        played = ((state.round != before.round) | (state.playoff != before.playoff))[:, None]
        new = ((state.round == 1) & ~state.playoff)[:, None]
        won = xp.where(played, xp.stack(state.last.won, axis=1), memory.won_last) & ~new
        return Watched(habits, won, (memory.won_ever | won) & ~new)

    def pick(self, game: Any, state: DavenportTables, memory: Watched, seat: int, draws: Any) -> Array:  # type: ignore[override]
        usual = super().pick(game, state, memory.habits, seat, draws)
        applies, value, exchanges = self._tell(game, state, memory, seat)
        place = card_of_value(game, state, seat, value)
        applies = applies & ~state.playoff
        if exchanges:
            place, applies = place + _DECK_SIZE, applies & game.switches.exchange
        return game.xp.where(applies, place, usual)


def _jorun(game: Any, state: DavenportTables, memory: Watched, seat: int) -> TellPick:
    return game.xp.ones_like(state.playoff), highest_value(game.xp, state.hands[seat]), False


def _bee(game: Any, state: DavenportTables, memory: Watched, seat: int) -> TellPick:
    return ~memory.won_ever[:, seat], lowest_value(game.xp, state.hands[seat]), False


def _sabine(game: Any, state: DavenportTables, memory: Watched, seat: int) -> TellPick:
    return memory.won_last[:, seat], lowest_value(game.xp, state.hands[seat]), False


def _piet(game: Any, state: DavenportTables, memory: Watched, seat: int) -> TellPick:
    xp = game.xp
    held = of_each_value(xp, state.hands[seat])
    others = held[:, : KING - 1]
    best = KING - 1 - xp.argmax(others[:, ::-1] > 0, axis=1)
    return (held[:, KING - 1] > 0) & (others.sum(axis=1) > 0), best.astype(xp.int32), False


def _hale(game: Any, state: DavenportTables, memory: Watched, seat: int) -> TellPick:
    xp = game.xp
    upto = xp.cumsum(of_each_value(xp, state.hands[seat]), axis=1)
    middle = 1 + xp.argmax(upto > (state.held[seat] // 2)[:, None], axis=1)
    return state.held[seat] >= _MANY, middle.astype(xp.int32), False


def _lien(game: Any, state: DavenportTables, memory: Watched, seat: int) -> TellPick:
    lost = (state.round > 1) & ~memory.won_last[:, seat]
    return lost, lowest_value(game.xp, state.hands[seat]), True


def _idris(game: Any, state: DavenportTables, memory: Watched, seat: int) -> TellPick:
    return state.round % 3 == 0, lowest_value(game.xp, state.hands[seat]), True


_TELLS: Final[dict[str, TellOf]] = {
    "jorun": _jorun,
    "bee": _bee,
    "sabine": _sabine,
    "piet": _piet,
    "hale": _hale,
    "lien": _lien,
    "idris": _idris,
}
CHARACTER_POLICIES: Final = {name: BatchCharacter(name, tell) for name, tell in _TELLS.items()}
"""The batch form of every character with a tell, by name."""
