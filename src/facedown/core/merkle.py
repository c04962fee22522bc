"""Merkle trees of an append-only log: hashes of RFC 6962, proofs and their checks as in RFC 9162.

A store keeps the hash of every full subtree. A `Span` names the subtrees that make up a root or a proof, so
that a caller reads only these; the checks need neither store nor tree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import NamedTuple, TypeAlias

EMPTY_ROOT = hashlib.sha256(b"").digest()


class Subtree(NamedTuple):
    """A full subtree: `2 ** level` leaves, of which the first is number `place * 2 ** level`."""

    level: int
    place: int


SubtreeHash: TypeAlias = "Callable[[Subtree], bytes]"


class Span(NamedTuple):
    """The leaves from `begin` to before `end`, which are one subtree of the tree or the whole tree."""

    begin: int
    end: int

    def nodes(self) -> list[Subtree]:
        """The full subtrees that it is made of, the largest first."""
        found, at = [], self.begin
        while at < self.end:
            level = (self.end - at).bit_length() - 1
            found.append(Subtree(level, at >> level))
            at += 1 << level
        return found

    def hash(self, stored: SubtreeHash) -> bytes:
        hashes = [stored(node) for node in self.nodes()]
        return reduce(lambda right, left: node_hash(left, right), reversed(hashes)) if hashes else EMPTY_ROOT


def leaf_hash(entry: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a subtree, from those of its two halves."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def completed_nodes(size: int, leaf: bytes, stored: SubtreeHash) -> Iterator[tuple[Subtree, bytes]]:
    """The subtrees that become full when a leaf is appended to a tree of this size, with their hashes."""
    level, place, found = 0, size, leaf
    yield Subtree(level, place), found
    while place & 1:
        found = node_hash(stored(Subtree(level, place - 1)), found)
        level, place = level + 1, place >> 1
        yield Subtree(level, place), found


def inclusion_path(index: int, size: int) -> list[Span]:
    """The subtrees whose hashes prove that a leaf is in the tree of this size, from the leaf up."""
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    path, span = [], Span(0, size)
    while span.end - span.begin > 1:
        left, right = _halves(span)
        inside, beside = (left, right) if index < left.end else (right, left)
        path.append(beside)
        span = inside
    return path[::-1]


def consistency_path(old: int, new: int) -> list[Span]:
    """The subtrees whose hashes prove that the tree of `new` leaves begins with the one of `old`."""
    if not 0 < old <= new:
        raise ValueError(f"a tree of {new} leaves does not continue one of {old}")
    path, span, is_whole = [], Span(0, new), True
    while span.end != old:
        left, right = _halves(span)
        if old <= left.end:
            path.append(right)
            span = left
        else:
            path.append(left)
            span, is_whole = right, False
    return ([] if is_whole else [span]) + path[::-1]


def _halves(span: Span) -> tuple[Span, Span]:
    """A span split after the largest power of two that is smaller than its length."""
    middle = span.begin + (1 << (span.end - span.begin - 1).bit_length() - 1)
    return Span(span.begin, middle), Span(middle, span.end)


def is_included(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether the path leads from the hash of a leaf to the root of a tree (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    at, last, found = index, size - 1, leaf
    for beside in path:
        if last == 0:
            return False
        if at & 1 or at == last:
            found = node_hash(beside, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, beside)
        at, last = at >> 1, last >> 1
    return last == 0 and found == root


def is_continued(old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether a tree begins with all leaves of an older one, in their order (RFC 9162, 2.1.4.2)."""
    if old == new:
        return not path and old_root == new_root
    if old == 0:
        return not path and old_root == EMPTY_ROOT
    return continued_roots(old, old_root, new, path) == (old_root, new_root)


def continued_roots(old: int, old_root: bytes, new: int, path: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """The roots of the older and the newer tree that a path of consistency leads to; None if it fits neither.

    If it leads to the newer root, the newer tree begins with a tree of the other, whatever `old_root` is.
    """
    if not 0 < old < new or not path:
        return None
    hashes = list(path)
    if old & (old - 1) == 0:
        hashes.insert(0, old_root)
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    first = second = hashes[0]
    for beside in hashes[1:]:
        if last == 0:
            return None
        if at & 1 or at == last:
            first, second = node_hash(beside, first), node_hash(beside, second)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            second = node_hash(second, beside)
        at, last = at >> 1, last >> 1
    return (first, second) if last == 0 else None
