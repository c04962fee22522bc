"""The bytes behind the chance: tagged hashes, the stream, and drawing below a number. Knows no game."""

from __future__ import annotations

import hashlib
import hmac

from .shapes import Dealer


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def with_length(part: bytes) -> bytes:
    """`lp`: the length as four bytes, then the bytes."""
    return u32(len(part)) + part


def tagged_hash(tag: str, *parts: bytes) -> bytes:
    """`H`."""
    return hashlib.sha256(with_length(tag.encode()) + b"".join(with_length(part) for part in parts)).digest()


def tagged_mac(key: bytes, tag: str, *parts: bytes) -> bytes:
    """`M`: HMAC over what `H` hashes."""
    message = with_length(tag.encode()) + b"".join(with_length(part) for part in parts)
    return hmac.new(key, message, hashlib.sha256).digest()


class Stream:
    """Numbers of 64 bits, four from each block."""

    def __init__(self, key: bytes, label: str) -> None:
        self.key = key
        self.label = label.encode()
        self.block = 0
        self.waiting: list[int] = []

    def next(self) -> int:
        if not self.waiting:
            block = tagged_mac(self.key, "facedown/1/stream", self.label, self.block.to_bytes(8, "big"))
            self.block += 1
            self.waiting = [int.from_bytes(block[at : at + 8], "big") for at in (0, 8, 16, 24)]
        return self.waiting.pop(0)

    def below(self, n: int) -> int:
        limit = 2**64 - 2**64 % n
        while True:
            x = self.next()
            if x < limit:
                return x % n


def seed_commit(game: str, secret: bytes) -> bytes:
    return tagged_hash("facedown/2/seed", game.encode(), secret)


def entropy_commit(game: str, seat: int, entropy: bytes) -> bytes:
    return tagged_hash("facedown/2/entropy", game.encode(), u32(seat), entropy)


def deal_key(game: str, secret: bytes) -> bytes:
    """The key of a game without a server."""
    return tagged_mac(secret, "facedown/1/deal", game.encode())


def table_key(table: str, secret: bytes, full: bytes, entropy: list[bytes]) -> bytes:
    """The key of a table on a server: `full` is the head of the link `full`."""
    return tagged_mac(secret, "facedown/2/deal", table.encode(), full, *entropy)


def local_key(seed: str, game: str = "local") -> bytes:
    """The key of a local game with `--seed TEXT`; the n-th of many has the game id n."""
    return deal_key(game, hashlib.sha256(seed.encode()).digest())


def pick_commit(game: str, decision: int, seat: int, head: bytes, pick: str, nonce: bytes) -> bytes:
    """`head` is that of the link which opened the decision."""
    return tagged_hash("facedown/2/pick", game.encode(), u32(decision), u32(seat), head, pick.encode(), nonce)


def link_head(before: bytes, number: int, kind: str, at: int, fields: list[bytes]) -> bytes:
    """The head after a link, from the head before it."""
    return tagged_hash("facedown/2/link", before, u32(number), kind.encode(), at.to_bytes(8, "big"), *fields)


def dealer(key: bytes) -> Dealer:
    """Deals from the stream labelled `chance`."""
    stream = Stream(key, "chance")
    return lambda options: options[stream.below(len(options))]
