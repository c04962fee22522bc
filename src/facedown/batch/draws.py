"""The draws of many tables: from a seed by a counter, from given words, or from the streams of real games.

All three answer `below` for a slot: which card of a stock comes up. The counter's words are the same in
NumPy and JAX, and cost no memory: they are computed where they are needed.
"""

from __future__ import annotations

from typing import Any, Final

from facedown.core.parts.batch import Array, Draws, Namespace, index_below

_GOLDEN: Final = 0x9E3779B9
_ROTATIONS: Final = ((13, 15, 26, 6), (17, 29, 16, 24))
_ROUNDS: Final = 20


class GivenDraws:
    """Draws from given 32-bit words: tables by slots."""

    def __init__(self, words: Array) -> None:
        self._words = words

    def below(self, slot: Any, count: Array, used: Array) -> Array:
        """The part of the count that the slot's word stands for."""
        return index_below(self._words[:, slot], count)

    def unit(self, slot: int, used: Array) -> Array:
        """The part of 2^32 that the slot's word is."""
        return (self._words[:, slot] >> 8).astype("float32") * 2.0**-24

    def at(self, tables: Array) -> Draws:
        """Some tables' draws."""
        return GivenDraws(self._words[tables])


class CounterDraws:
    """Draws from a seed: each table and step has a key of its own (Threefry), each slot a word of it."""

    def __init__(self, xp: Namespace, seed: Any, step: Any, tables: Array) -> None:
        """`seed` and `step` are numbers or scalar arrays; `tables` are the numbers of the tables."""
        self._xp = xp
        as_word = xp.asarray(seed).astype(xp.uint32), xp.asarray(step).astype(xp.uint32)
        self._keys = threefry(xp, as_word[0], as_word[1], tables.astype(xp.uint32))

    def below(self, slot: Any, count: Array, used: Array) -> Array:
        """The part of the count that the slot's word stands for."""
        return index_below(self.word(slot), count)

    def word(self, slot: Any) -> Array:
        """The 32-bit word of a slot."""
        return _slot_word(*self._keys, self._xp.asarray(slot).astype(self._xp.uint32).reshape(1))

    def unit(self, slot: int, used: Array) -> Array:
        """A number from 0 to below 1 of a slot, as a 32-bit float."""
        return (self.word(slot) >> 8).astype(self._xp.float32) * self._xp.float32(2.0**-24)

    def at(self, tables: Array) -> Draws:
        """Some tables' draws."""
        part = object.__new__(CounterDraws)
        part._xp = self._xp
        part._keys = (self._keys[0][tables], self._keys[1][tables])
        return part


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


class StreamDraws:
    """Draws from the streams of real games, word by word as each game needs them (NumPy only).

    A table that has its seed's words draws exactly what its match would draw.
    """

    def __init__(self, xp: Namespace, words: Array, places: Array, tables: Array) -> None:
        """`words` are tables by 64-bit words; `places`, how many each has drawn, move on with every draw."""
        self._xp = xp
        self._words = words
        self._places = places
        self._tables = tables

    def below(self, slot: Any, count: Array, used: Array) -> Array:
        """The next word of each table that draws, modulo the count."""
        xp = self._xp
        drawing = self._tables[used]
        found = xp.zeros(len(count), dtype=xp.uint32)
        words = self._words[drawing, self._places[drawing]]
        found[used] = (words % count[used].astype(xp.uint64)).astype(xp.uint32)
        self._places[drawing] += 1
        return found

    def unit(self, slot: int, used: Array) -> Array:
        """The next word of each table that draws, as a bot takes it: 53 bits of it."""
        xp = self._xp
        drawing = self._tables[used]
        found = xp.zeros(len(used), dtype=xp.float64)
        found[used] = (self._words[drawing, self._places[drawing]] % (1 << 53)) / float(1 << 53)
        self._places[drawing] += 1
        return found

    def at(self, tables: Array) -> Draws:
        """Some tables' draws: the places are shared."""
        return StreamDraws(self._xp, self._words, self._places, self._tables[tables])
