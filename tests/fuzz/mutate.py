"""Small changes to real inputs: to the bytes, and, where they are JSON, to one value of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

Choose: TypeAlias = Callable[[int], int]
"""A number below the given one: drawn by Hypothesis, or at random."""
Slot: TypeAlias = tuple[Any, Any]
"""A list or an object, and the index or key of one of its values."""

ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 2**31, 2**63, 2**64, 10**30, 0.5, -0.0, 1e308, float("nan")),
    *("", " ", "0", "1", "-1", "\0", "\ud800", "\u202e", "é", "x" * 300),
    *("0" * 64, "f" * 64, "F" * 64, "0" * 63),
    *("resign", "local", "E", "4", "٣", "１", "__class__", "=1", "a=b,c=d", ",", ":", "../..", "%00"),
    *([], {}, [[]], [None], {"": None}, [[[[[[[[[[]]]]]]]]]], list(range(50))),
)
ODD_BYTES = (
    *(b"", b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf"),
    *(b"\n", b'"', b"[", b"{", b",", b"-", b"1e999", b"NaN"),
)


def mutated(entry: bytes, others: Sequence[bytes], choose: Choose) -> bytes:
    """The entry with one to three changes; parts of others may be put into it."""
    for _ in range(1 + choose(3)):
        whole = parsed(entry) if choose(4) else None
        if isinstance(whole, list | dict) and whole:
            donor = parsed(others[choose(len(others))])
            change_value(whole, donor, choose)
            entry = json.dumps(whole, ensure_ascii=bool(choose(2))).encode("utf-8", "surrogatepass")
        else:
            entry = with_changed_bytes(entry, choose)
    return entry


def parsed(entry: bytes) -> Any:
    try:
        return json.loads(entry)
    except (ValueError, RecursionError):
        return None


def slots(value: Any) -> Iterator[Slot]:
    """Every place in a JSON value, the outer ones first."""
    keys: Any = ()
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = range(len(value))
    for key in keys:
        yield value, key
        yield from slots(value[key])


def change_value(whole: Any, donor: Any, choose: Choose) -> None:
    places = list(slots(whole))
    parent, key = places[choose(len(places))]
    match choose(6):
        case 0:
            del parent[key]
        case 1 if isinstance(parent, list):
            parent.insert(key, parent[key])
        case 1:
            parent[ODD_VALUES[15 + choose(20)]] = parent[key]
        case 2:
            theirs = list(slots(donor)) if isinstance(donor, list | dict) else []
            other, name = theirs[choose(len(theirs))] if theirs else places[choose(len(places))]
            parent[key] = json.loads(json.dumps(other[name]))
        case 3 if isinstance(parent[key], bool | int | float):
            parent[key] += choose(3) - 1
        case 3 if isinstance(parent[key], str):
            parent[key] = with_changed_bytes(parent[key].encode("utf-8", "surrogatepass"), choose).decode(
                "utf-8", "replace"
            )
        case _:
            parent[key] = ODD_VALUES[choose(len(ODD_VALUES))]


def with_changed_bytes(entry: bytes, choose: Choose) -> bytes:
    at = choose(len(entry) + 1)
    end = min(len(entry), at + choose(8))
    match choose(5):
        case 0:
            return entry[:at]
        case 1:
            return entry[:at] + entry[end:]
        case 2:
            return entry[:end] + entry[at:]
        case 3:
            return entry[:at] + bytes([choose(256)]) + entry[at + 1 :]
        case _:
            return entry[:at] + ODD_BYTES[choose(len(ODD_BYTES))] * (1 + 999 * (not choose(8))) + entry[end:]
