"""What both seats have shown so far, at many tables: the counts of `bots.reading` as arrays (NumPy).

Owns the counts and the prediction. Must not know what anything is worth, nor what to do about it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from facedown.core.parts.batch import Array
from facedown.games.ecard.batch.simulator import CHOICES
from facedown.games.ecard.batch.state import ECardTables
from facedown.games.ecard.bots.reading import TRUST
from facedown.games.ecard.rules import DECIDED

_RESULTS: Final = 3
_LASTS: Final = DECIDED + 1
_SIZES: Final = (1, 2, 2 * _RESULTS, 4 * _RESULTS, 4 * _RESULTS * _LASTS)
"""Contexts of a play, from the widest to the narrowest."""
_STARTS: Final = tuple(CHOICES * sum(_SIZES[:width]) for width in range(len(_SIZES)))
_CONTEXTS: Final = CHOICES * sum(_SIZES)


class ShownLast(NamedTuple):
    """When each seat's special card was last shown on each side: a play, from 1, or 0."""

    plays: tuple[tuple[Array, Array], tuple[Array, Array]]
    """By seat; as the Emperor side, then as the Slave side."""

    def on_side(self, game: Any, state: ECardTables, seat: int) -> Array:
        """When the seat's card was last shown on the side that it has in this round."""
        as_emperor, as_slave = self.plays[seat]
        return game.xp.where(game.emperor(state) == seat, as_emperor, as_slave)


def never_shown(game: Any, tables: int) -> ShownLast:
    """Before the first round."""
    never = game.xp.zeros(tables, dtype=game.xp.int32)
    return ShownLast(((never, never), (never, never)))


def is_new(state: ECardTables) -> Array:
    """Whether no card of the game has been turned."""
    return (state.round == 1) & (state.play == 1)


def shown_after(game: Any, last: ShownLast, before: ECardTables, state: ECardTables) -> ShownLast:
    """After a step: a special card that was turned is counted in the state, so it has just been shown."""
    xp, new = game.xp, is_new(state)

    def later(last: Array, old: Array, now: Array) -> Array:
        return xp.where(new, 0, xp.where(old != now, before.play, last))

    one, two = (
        (later(of_seat[0], old[0], now[0]), later(of_seat[1], old[1], now[1]))
        for of_seat, old, now in zip(last.plays, before.fallen, state.fallen, strict=True)
    )
    return ShownLast((one, two))


class ReadTables(NamedTuple):
    """What was counted at every table."""

    shown: tuple[Array, Array]
    """By the seat that is read: how often its special card came in each context; tables by contexts."""
    seen: tuple[Array, Array]
    """How often it could have come."""
    last: ShownLast


def first_reading(game: Any, tables: int) -> ReadTables:
    """Nothing was counted."""
    nothing = game.xp.zeros((tables, _CONTEXTS), dtype=game.xp.uint8)
    return ReadTables((nothing, nothing), (nothing, nothing), never_shown(game, tables))


def contexts(game: Any, state: ECardTables, last: ShownLast, seat: int, play: int) -> list[Array]:
    """The places of the contexts of a play, from 1, of the seat that is read."""
    xp = game.xp
    shown = last.on_side(game, state, seat)
    again = (shown == play).astype(xp.int32)
    winner = state.round_winner
    result = xp.where(winner == 0, 1, xp.where(winner == seat + 1, 2, 0))
    side = (game.emperor(state) != seat).astype(xp.int32)
    narrower = again * _RESULTS + result
    own = (xp.zeros_like(again), again, narrower, narrower * 2 + side, (narrower * 2 + side) * _LASTS + shown)
    return [
        start + (play - 1) * size + place for start, size, place in zip(_STARTS, _SIZES, own, strict=True)
    ]


def is_finished(game: Any, before: ECardTables, state: ECardTables) -> Array:
    """Where a round has just ended."""
    return (state.round != before.round) | (game.over(state) & ~game.over(before))


def read_after(game: Any, reading: ReadTables, before: ECardTables, state: ECardTables) -> ReadTables:
    """After a step: rounds that ended are counted."""
    xp = game.xp
    rows = xp.flatnonzero(is_finished(game, before, state))
    last = shown_after(game, reading.last, before, state)
    if not len(rows):
        return reading._replace(last=last)
    shown, seen = [], []
    for seat in (0, 1):
        came, could = reading.shown[seat].copy(), reading.seen[seat].copy()
        special = special_shown(before, state, seat)
        for play in range(1, CHOICES + 1):
            had_choice = rows[before.play[rows] >= play]
            now = (special & (before.play == play))[had_choice].astype(xp.uint8)
            for place in contexts(game, before, reading.last, seat, play):
                came[had_choice, place[had_choice]] += now
                could[had_choice, place[had_choice]] += xp.uint8(1)
        new = is_new(state)
        came[new], could[new] = 0, 0
        shown.append(came)
        seen.append(could)
    return ReadTables((shown[0], shown[1]), (seen[0], seen[1]), last)


def special_shown(before: ECardTables, state: ECardTables, seat: int) -> Array:
    """Whether the seat's special card was turned in this step."""
    old, now = before.fallen[seat], state.fallen[seat]
    return (old[0] != now[0]) | (old[1] != now[1])


def predict(game: Any, state: ECardTables, reading: ReadTables, seat: int, usual: list[Array]) -> list[Array]:
    """How likely the special card of the seat that is read is at each play, if it is still held.

    `usual` is what an unknown opponent is expected to do: the equilibrium.
    """
    xp = game.xp
    rows = xp.arange(len(state.round))
    found = []
    for play in range(1, CHOICES + 1):
        chance = usual[play - 1]
        known = xp.ones(len(rows), dtype=bool)
        for place, trust in zip(contexts(game, state, reading.last, seat, play), TRUST, strict=True):
            shown, seen = reading.shown[seat][rows, place], reading.seen[seat][rows, place]
            known = known & (seen > 0)
            chance = xp.where(known, (shown + trust * chance) / (seen + trust), chance)
        found.append(chance)
    return found
