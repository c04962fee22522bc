"""Chance is an argument: `Seeded` (the verifiable stream), `Scripted` (a record's list), `Exact` (all of it).

Owns the bytes of the deal. Must not know what is drawn for: options come in canonical order, as text.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Protocol, TypeVar

from facedown.core.errors import IllegalChance

T = TypeVar("T")
Text = TypeVar("Text", bound=str)

_WORDS = 1 << 64
_NEVER_REJECTED = _WORDS - (1 << 32)
"""A word below this favours none of up to 2^32 numbers."""
LOCAL = "local"
"""The game id of a game that no server deals."""


# --- the bytes -------------------------------------------------------------------------------------------


def _frame(tag: str, parts: tuple[bytes, ...]) -> bytes:
    """Every part behind its own length, so that no two lists of parts give the same bytes."""
    return b"".join([len(part).to_bytes(4, "big") + part for part in (tag.encode(), *parts)])


def digest(tag: str, *parts: bytes) -> bytes:
    """`H(tag, p…)`: SHA-256 over the framed parts."""
    return hashlib.sha256(_frame(tag, parts)).digest()


def mac(key: bytes, tag: str, *parts: bytes) -> bytes:
    """`M(key, tag, p…)`: HMAC-SHA-256 over the framed parts."""
    return hmac.digest(key, _frame(tag, parts), "sha256")


def seed_of(text: str) -> bytes:
    """The secret of a local game: `--seed TEXT`."""
    return hashlib.sha256(text.encode()).digest()


def deal_key(seed: bytes, game_id: str) -> bytes:
    """The key that deals a game without a server: the seed, bound to the game's id."""
    return mac(seed, "facedown/1/deal", game_id.encode())


def table_key(seed: bytes, table: str, full: bytes, entropy: Sequence[bytes]) -> bytes:
    """The key that deals a table on a server: the seed, bound to what every person threw in.

    `full` is the head of the link with which all seats were taken: it binds the setup and every promise.
    """
    return mac(seed, "facedown/2/deal", table.encode(), full, *entropy)


def seed_commitment(game_id: str, seed: bytes) -> bytes:
    """What is published of the seed before anybody sits down."""
    return digest("facedown/2/seed", game_id.encode(), seed)


def entropy_commitment(game_id: str, seat: int, entropy: bytes) -> bytes:
    """What a seat publishes of its own random bytes when it joins."""
    return digest("facedown/2/entropy", game_id.encode(), struct.pack(">I", seat), entropy)


_PICK_TAG = _frame("facedown/2/pick", ())
_pick_place = struct.Struct(">IIIII32sI").pack


def pick_commitment(
    game_id: str, decision: int, seat: int, decision_head: bytes, pick: str, nonce: bytes
) -> bytes:
    """The seal of a pick: shows nothing of it, and fits no other. `digest` of the six parts, written out.

    `decision_head` is the head of the link that opened the decision: a seal fits one history alone.
    """
    game, text = game_id.encode(), pick.encode()
    place = _pick_place(4, decision, 4, seat, 32, decision_head, len(text))
    framed = (
        *(_PICK_TAG, len(game).to_bytes(4, "big"), game, place, text),
        *(len(nonce).to_bytes(4, "big"), nonce),
    )
    return hashlib.sha256(b"".join(framed)).digest()


def table_nonce(key: bytes, by: str, decision: int, seat: int) -> bytes:
    """The nonce of a seal that the table itself places, for a machine or for the clock (`by`).

    It follows from the key of the deal: once the seed is published, and not before, anyone can tell such a
    seal from a person's.
    """
    place = (struct.pack(">I", decision), struct.pack(">I", seat))
    return mac(key, "facedown/2/nonce", by.encode(), *place)


_HASH_BLOCK = 64
"""The bytes that SHA-256 takes in at once: HMAC fills its key up to them."""
_INNER = bytes(each ^ 0x36 for each in range(256))
_OUTER = bytes(each ^ 0x5C for each in range(256))
_pack_count = struct.Struct(">Q").pack
_four_words = struct.Struct(">4Q").unpack


def _hash_key(key: bytes, label: str) -> tuple[hashlib._Hash, hashlib._Hash]:
    """The inner and the outer hash of HMAC-SHA-256, up to the counter of a stream's block (RFC 2104)."""
    filled = (hashlib.sha256(key).digest() if len(key) > _HASH_BLOCK else key).ljust(_HASH_BLOCK, b"\0")
    prefix = _frame("facedown/1/stream", (label.encode(),)) + struct.pack(">I", 8)
    return hashlib.sha256(filled.translate(_INNER) + prefix), hashlib.sha256(filled.translate(_OUTER))


class Stream:
    """Endless random words from a key and a label; the same forever, on every machine.

    Every four words are the HMAC-SHA-256 of a counter. It is written out here, because the two hashes of the
    key can be kept: that takes less than half the time of `hmac.digest`.

    >>> stream = Stream(deal_key(seed_of("example"), LOCAL), "chance")
    >>> [stream.below(52) for _ in range(5)]
    [49, 30, 38, 22, 42]
    """

    __slots__ = ("_block", "_hashed", "_key", "_label", "_words")

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._label = label
        self._block = 0
        self._words: list[int] = []
        """Those of the last block that are left, the next one last."""

    def word(self) -> int:
        """The next 8 bytes of the stream, big-endian."""
        if not self._words:
            self._go_on()
        return self._words.pop()

    def _go_on(self) -> None:
        block = self._block
        if block == 0:
            self._hashed = _hash_key(self._key, self._label)  # many a game draws nothing
        inner, outer = self._hashed
        inner, outer = inner.copy(), outer.copy()
        inner.update(_pack_count(block))
        outer.update(inner.digest())
        self._words.extend(_four_words(outer.digest())[::-1])
        self._block = block + 1

    def below(self, count: int) -> int:
        """A number from 0 to `count - 1`, all equally likely: words that would favour some are rejected."""
        if not 0 < count <= _WORDS:
            raise ValueError(f"below() needs a count from 1 to 2^64, not {count}")
        words = self._words
        word = words.pop() if words else self.word()
        while word >= _WORDS - count and word >= _WORDS - _WORDS % count:  # the first is quick, and rarely so
            word = self.word()
        return word % count

    def take(self, pool: list[T], count: int) -> list[T]:
        """Take `count` of the pool out of it: each is the `below(len(pool))`-th of those that are left."""
        words, taken = self._words, []
        for left in range(len(pool), len(pool) - count, -1):
            if not words:
                self._go_on()
            word = words.pop()
            if word >= _NEVER_REJECTED:
                words.append(word)
                word = self.below(left)
            taken.append(pool.pop(word % left))
        return taken

    @property
    def untouched(self) -> bool:
        """Whether nothing has been drawn from it."""
        return self._block == 0

    def __getstate__(self) -> tuple[bytes, str, int, list[int]]:
        """What a copy goes on from; hashes cannot be copied with it, and follow from the rest."""
        return self._key, self._label, self._block, list(self._words)

    def __setstate__(self, state: tuple[bytes, str, int, list[int]]) -> None:
        self._key, self._label, self._block, self._words = state
        if self._block:
            self._hashed = _hash_key(self._key, self._label)

    def __repr__(self) -> str:
        return "Stream(…)"


class ManyStreams:
    """One stream of each of many keys under one label: the words of `Stream`, four at a time.

    HMAC is written out: with both pads made once, a block takes half the time of a call to `hmac`.

    >>> key = deal_key(seed_of("example"), LOCAL)
    >>> [word % 52 for word in struct.unpack(">4Q", ManyStreams([key], "chance").block(0, 0))]
    [49, 30, 38, 22]
    """

    __slots__ = ("_inner", "_outer")

    def __init__(self, keys: Sequence[bytes], label: str) -> None:
        prefix = _frame("facedown/1/stream", (label.encode(),)) + struct.pack(">I", 8)
        padded = [key.ljust(_HASH_BLOCK, b"\0") for key in keys]
        self._inner = [key.translate(_INNER) + prefix for key in padded]
        self._outer = [key.translate(_OUTER) for key in padded]

    def block(self, place: int, number: int) -> bytes:
        """The block with this number, from 0, of the stream of the key at a place: four words."""
        hashed = hashlib.sha256(self._inner[place] + struct.pack(">Q", number)).digest()
        return hashlib.sha256(self._outer[place] + hashed).digest()


def machine_stream(key: bytes, decision: int, seat: int) -> Stream:
    """The random stream of a server's machine for one decision: a restart does not change what it picks."""
    return Stream(mac(key, "facedown/2/machine", struct.pack(">I", decision)), f"bot/{seat}")


def clock_stream(key: bytes, decision: int, seat: int) -> Stream:
    """The random stream of the clock, which picks for a seat whose time is up."""
    return Stream(mac(key, "facedown/2/clock", struct.pack(">I", decision)), f"clock/{seat}")


# --- the three kinds -------------------------------------------------------------------------------------


class Chance(Protocol):
    """Where the game asks what comes up. `drawn` is the record's chance list so far."""

    drawn: list[str]

    def draw(self, options: Sequence[Text], /) -> Text:
        """One of the options, which are in canonical order; all are equally likely."""
        ...


class Seeded:
    """Chance from the stream labelled `chance` of a deal key."""

    __slots__ = ("_stream", "drawn")

    def __init__(self, key: bytes) -> None:
        self._stream = Stream(key, "chance")
        self.drawn: list[str] = []

    def draw(self, options: Sequence[Text], /) -> Text:
        """The `below(len)`-th of the options."""
        drawn = options[self._stream.below(len(options))]
        self.drawn.append(drawn)
        return drawn

    def __repr__(self) -> str:
        return f"Seeded(… after {len(self.drawn)} draws)"


class Scripted:
    """Chance from a record's list; what cannot have come up there is refused."""

    __slots__ = ("_script", "drawn")

    def __init__(self, script: Sequence[str]) -> None:
        self._script = script
        self.drawn: list[str] = []

    def draw(self, options: Sequence[Text], /) -> Text:
        """The option that the script names next."""
        try:
            drawn = options[options.index(self._script[len(self.drawn)])]
        except (IndexError, ValueError):
            raise self._impossible() from None
        self.drawn.append(drawn)
        return drawn

    def _take(self, pool: list[Text], count: int) -> list[Text]:
        place, taken = len(self.drawn), []
        for text in self._script[place : place + count]:
            try:
                drawn = pool.pop(pool.index(text))  # type: ignore[arg-type]  # it may be none of them
            except ValueError:
                raise self._impossible() from None
            self.drawn.append(drawn)
            taken.append(drawn)
        if len(taken) < count:
            raise self._impossible()
        return taken

    def _impossible(self) -> IllegalChance:
        """Why what the script names next cannot be drawn."""
        place = len(self.drawn)
        if place >= len(self._script):
            return IllegalChance(f"the chance list ends after {place} entries, but one more is drawn here")
        text = self._script[place]
        return IllegalChance(f"chance entry {place + 1}, {text!r}, cannot come up here", text=text)

    @property
    def left(self) -> int:
        """How many entries of the script have not been drawn."""
        return len(self._script) - len(self.drawn)

    def __repr__(self) -> str:
        return f"Scripted(… after {len(self.drawn)} draws)"


def take(chance: Chance, pool: list[Text], count: int) -> list[Text]:
    """Draw `count` options one after the other, each from those that are left, and remove them from the pool.

    What comes up, and what `drawn` holds, is the same as if each was drawn alone.
    """
    if type(chance) is Seeded:  # a subclass may draw in its own way
        taken = chance._stream.take(pool, count)
        chance.drawn += taken
        return taken
    if type(chance) is Scripted:
        return chance._take(pool, count)
    taken = []
    for _ in range(count):
        drawn = chance.draw(pool)
        pool.remove(drawn)
        taken.append(drawn)
    return taken


class Exact:
    """Chance that follows one path through everything that can happen, and remembers the branches."""

    __slots__ = ("_path", "drawn", "probability", "widths")

    def __init__(self, path: Sequence[int] = ()) -> None:
        self._path = path
        self.drawn: list[str] = []
        self.widths: list[int] = []
        self.probability = Fraction(1)

    def draw(self, options: Sequence[Text], /) -> Text:
        """The option of this path; past its end, the first one."""
        place = len(self.drawn)
        drawn = options[self._path[place] if place < len(self._path) else 0]
        self.drawn.append(drawn)
        self.widths.append(len(options))
        self.probability /= len(options)
        return drawn

    @staticmethod
    def outcomes(act: Callable[[Chance], T]) -> Iterator[tuple[Fraction, T]]:
        """Everything that `act` can come to, each with its exact probability.

        `act` is a pure function of the chance that it is given; it is run once for every path.

        >>> two_coins = lambda chance: chance.draw("HT") + chance.draw("HT")
        >>> [(str(p), result) for p, result in Exact.outcomes(two_coins)]
        [('1/4', 'HH'), ('1/4', 'HT'), ('1/4', 'TH'), ('1/4', 'TT')]
        """
        path: list[int] | None = []
        while path is not None:
            chance = Exact(path)
            result = act(chance)
            yield chance.probability, result
            path = _next_path(path, chance.widths)


def _next_path(path: list[int], widths: list[int]) -> list[int] | None:
    """The path after this one in counting order; None after the last."""
    full = path + [0] * (len(widths) - len(path))
    while full and full[-1] + 1 == widths[len(full) - 1]:
        full.pop()
    if not full:
        return None
    full[-1] += 1
    return full
