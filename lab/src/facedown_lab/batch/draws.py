"""The draws of many tables: from a seed by a counter, or from the streams of real games.

Both answer `below` for a slot: which card of a stock comes up. The counter's words are the same in
NumPy and JAX, and cost no memory: they are computed where they are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from facedown.core.chance import ManyStreams
from facedown.core.parts.bot import bot_label
from facedown_lab.batch.form import Array, Draws, Namespace, index_below

_GOLDEN: Final = 0x9E3779B9
_ROTATIONS: Final = ((13, 15, 26, 6), (17, 29, 16, 24))
_ROUNDS: Final = 20
_IN_BLOCK: Final = 4
"""Words in a block of a match's stream."""
_FINE: Final = 1 << 53
"""As many different numbers from 0 to 1 as a float can tell apart."""


class CounterDraws:
    """Draws from a seed: each table and step has a key of its own (Threefry), each slot a word of it."""

    def __init__(self, xp: Namespace, seed: Any, step: Any, tables: Array) -> None:
        """`seed` and `step` are numbers or scalar arrays; `tables` are the numbers of the tables."""
        self._xp = xp
        self.keys = threefry(xp, as_word(xp, seed), as_word(xp, step), tables.astype(xp.uint32))
        """Two arrays. A compiled loop that hands them on to its next step computes them once."""

    @classmethod
    def of_keys(cls, xp: Namespace, keys: tuple[Array, Array]) -> CounterDraws:
        made = object.__new__(cls)
        made._xp = xp
        made.keys = keys
        return made

    def below(self, slot: Any, count: Array, used: Array) -> Array:
        return index_below(self.word(slot), count)

    def word(self, slot: Any) -> Array:
        return _slot_word(*self.keys, self._xp.asarray(slot).astype(self._xp.uint32).reshape(1))

    def unit(self, slot: int, used: Array) -> Array:
        """A number from 0 to below 1 of a slot, as a 32-bit float."""
        return (self.word(slot) >> 8).astype(self._xp.float32) * self._xp.float32(2.0**-24)

    def at(self, tables: Array) -> Draws:
        return CounterDraws.of_keys(self._xp, (self.keys[0][tables], self.keys[1][tables]))


def as_word(xp: Namespace, number: Any) -> Array:
    """A number, or a scalar array, as 32 bits: of a larger number the last ones."""
    if isinstance(number, int):
        return xp.asarray(number % 2**32, dtype=xp.uint32)
    return xp.asarray(number).astype(xp.uint32)


def _slot_word(one: Array, two: Array, slot: Array) -> Array:
    word = one + (slot + 1) * slot.dtype.type(_GOLDEN)
    word = (word ^ (word >> 16)) * 0x21F0AAAD
    word = (word ^ (word >> 15)) * 0x735A2D97
    word = (word ^ (word >> 15)) ^ two
    word = (word ^ (word >> 16)) * 0x21F0AAAD
    word = (word ^ (word >> 15)) * 0x735A2D97
    return word ^ (word >> 15)


def threefry(xp: Namespace, seed: Array, step: Array, counter: Array) -> tuple[Array, Array]:
    """Threefry-2x32 with 20 rounds: two words for each counter, from a key of seed and step."""
    parity = seed ^ step ^ xp.asarray(0x1BD11BDA, dtype=xp.uint32)
    keys = (seed, step, parity)
    one, two = counter + keys[0], xp.zeros_like(counter) + keys[1]
    for number in range(_ROUNDS):
        turn = _ROTATIONS[(number // 4) % 2][number % 4]
        one = one + two
        two = ((two << turn) | (two >> (32 - turn))) ^ one
        if number % 4 == 3:
            injection = number // 4 + 1
            one = one + keys[injection % 3]
            two = two + keys[(injection + 1) % 3] + xp.asarray(injection, dtype=xp.uint32)
    return one, two


class MatchStreams:
    """The streams of real games, one row a game: that of chance, and that of the bot on each seat.

    Words are made as they are needed, four at a time, and are the very words that a match would draw.
    """

    def __init__(self, xp: Namespace, keys: Sequence[bytes], seats: int) -> None:
        """`keys` are those that deal the games."""
        labels = ["chance", *map(bot_label, range(1, seats + 1))]
        self._xp = xp
        self._streams = [ManyStreams(keys, label) for label in labels]
        self._words = xp.zeros((len(labels), len(keys), _IN_BLOCK), dtype=xp.uint64)
        self._drawn = xp.zeros((len(labels), len(keys)), dtype=xp.int64)

    def take(self, stream: int, games: Array) -> Array:
        """The next word of these games' streams: 0 is chance, then come the seats."""
        xp = self._xp
        place = self._drawn[stream, games]
        empty = games[place % _IN_BLOCK == 0]
        if len(empty):
            block, number = self._streams[stream].block, self._drawn[stream] // _IN_BLOCK
            pairs = zip(empty.tolist(), number[empty].tolist(), strict=True)
            made = b"".join([block(game, of_game) for game, of_game in pairs])
            self._words[stream, empty] = xp.frombuffer(made, dtype=">u8").reshape(-1, _IN_BLOCK)
        self._drawn[stream, games] = place + 1
        return self._words[stream, games, place % _IN_BLOCK]


class StreamDraws:
    """Draws from the streams of real games (NumPy only): what a match with the same key would draw.

    A match draws again where a word would favour some cards: at most once in 10^17 words, and never here.
    """

    def __init__(self, xp: Namespace, streams: MatchStreams, slots: int, games: Array) -> None:
        """`slots` is how many of a step's slots belong to chance; `games` are the tables' rows."""
        self._xp = xp
        self._streams = streams
        self._slots = slots
        self._games = games

    def below(self, slot: int, count: Array, used: Array) -> Array:
        """The next word of each game that draws, modulo the count."""
        xp = self._xp
        found = xp.zeros(len(count), dtype=xp.uint32)
        found[used] = self._words(slot, used) % count[used].astype(xp.uint64)
        return found

    def unit(self, slot: int, used: Array) -> Array:
        """The next word of each game that draws, as a bot takes it: 53 bits of it."""
        found = self._xp.zeros(len(used), dtype=self._xp.float64)
        found[used] = (self._words(slot, used) % _FINE) / _FINE
        return found

    def _words(self, slot: int, used: Array) -> Array:
        return self._streams.take(max(0, slot - self._slots + 1), self._games[used])

    def at(self, tables: Array) -> Draws:
        return StreamDraws(self._xp, self._streams, self._slots, self._games[tables])
