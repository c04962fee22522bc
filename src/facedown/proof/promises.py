"""The chain of a server's promises: every seed is promised in it before anyone sits down, and it only grows.

Anyone who keeps a copy can detect a server that drops, changes or adds a promise afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from facedown.core.chance import chain_link
from facedown.core.errors import NotVerified, Unreadable
from facedown.core.record import Record
from facedown.core.replay import Finding
from facedown.files import read_file
from facedown.proof.signature import message


class BrokenChain(NotVerified):
    """A link of the chain does not follow from the promises before it."""

    code = "broken_chain"


class NotPromised(NotVerified):
    """The record's seed is in no promise of the chain."""

    code = "not_promised"


@dataclass(frozen=True, slots=True)
class PromiseChain:
    """A chain from its first promise on, every link checked."""

    numbers: dict[bytes, int]
    """The number of each promise, from 1."""

    def finding(self, record: Record) -> Finding:
        """Whether the promise of the record's seed is in the chain; raises `NotPromised`."""
        if record.fair is None:
            return Finding("promised", None, message("promised.local"))
        number = self.numbers.get(record.fair.seed_commit)
        if number is None:
            raise NotPromised("the promise of this record's seed is not in the chain")
        return Finding("promised", True, message("promised.holds", n=number, count=len(self.numbers)))


def read_promises(path: Path) -> PromiseChain:
    """The chain in a file: the answers of `/api/v1/promises`, one after the other; raises `BrokenChain`."""
    content = read_file(path)
    numbers: dict[bytes, int] = {}
    link = bytes(32)
    try:
        for number, each in enumerate(_entries(content.decode()), 1):
            promise = bytes.fromhex(each["promise"])
            link = chain_link(link, promise)
            if each["n"] != number or each["link"] != link.hex():
                raise BrokenChain(f"promise {number} does not follow from those before it")
            numbers[promise] = number
    except (KeyError, TypeError, ValueError):
        raise Unreadable(f"{path} is no chain of promises", text=str(path)) from None
    return PromiseChain(numbers)


def _entries(text: str) -> Iterator[Any]:
    decoder, at = json.JSONDecoder(), 0
    while at < len(text.rstrip()):
        part, at = decoder.raw_decode(text, at)
        yield from part["promises"]
        at += len(text[at:]) - len(text[at:].lstrip())
