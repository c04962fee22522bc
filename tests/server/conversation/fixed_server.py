"""`facedown serve` with fixed randomness and, on request, a clock that stands still until it is set.

Run as a script.
Replaces functions of the standard library, each with a counter of its own, so that the order in which parts
of the server ask for ids, tokens and seeds does not matter; signs heads where they are published, so that an
update follows its acknowledgement at once; and numbers the entries of the public log when a proof needs them.
"""

from __future__ import annotations

import base64
import hashlib
import os
import runpy
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

CLOCK: Final = "FIXED_CLOCK"
"""The variable with the path of the file that holds the time, in milliseconds since 1970."""
SALT: Final = "FIXED_SALT"
"""The variable with a word that changes everything random: each gives other deals, always the same."""
WIDTH: Final = 16
"""Digits of the time, so that it is always overwritten in one write."""

_asked: Counter[str] = Counter()
_salt = os.environ.get(SALT, "")


def _bytes(label: str, count: int) -> bytes:
    _asked[label] += 1
    return hashlib.shake_256(f"{_salt}{label} {_asked[label]}".encode()).digest(count)


def _below(label: str, limit: int) -> int:
    return int.from_bytes(_bytes(label, 16)) % limit


def _token_bytes(count: int | None = None) -> bytes:
    return _bytes(f"bytes {count}", count or 32)


def _token_hex(count: int | None = None) -> str:
    return _bytes(f"hex {count}", count or 32).hex()


def _token_urlsafe(count: int | None = None) -> str:
    return base64.urlsafe_b64encode(_bytes(f"urlsafe {count}", count or 32)).rstrip(b"=").decode()


def _randbelow(limit: int) -> int:
    return _below(f"below {limit}", limit)


def _choice(options: Sequence[Any]) -> Any:
    return options[_below(f"choice {len(options)}", len(options))]


_FIXED: Final[dict[str, Callable[..., Any]]] = {
    "token_bytes": _token_bytes,
    "token_hex": _token_hex,
    "token_urlsafe": _token_urlsafe,
    "randbelow": _randbelow,
    "choice": _choice,
}


def fix_randomness() -> None:
    """From now on in this process: the same ids, tokens and seeds every time."""
    for name, function in _FIXED.items():
        setattr(secrets, name, function)


def fix_clock(held: Path) -> None:
    """From now on in this process: the time of the file."""
    file = os.open(held, os.O_RDONLY)

    def time_ns() -> int:
        return int(os.pread(file, WIDTH, 0)) * 1_000_000

    time.time_ns = time_ns
    time.time = lambda: time_ns() / 1e9
    time.clock_gettime_ns = lambda _: time_ns()
    from facedown.server import clock
    from facedown.server.node import StoreClock

    async def follow(self: StoreClock) -> None:
        """The store has no other clock; how long its answer took is real time, and no part of it."""
        clock.set_now(time_ns() // 1_000_000)
        self.uncertain_ms = 0

    StoreClock.follow = follow  # type: ignore[method-assign, assignment]


def fix_deals() -> None:
    """From now on in this process: deals by the seed and people's numbers, whenever they sat down."""
    from facedown.core import fairness
    from facedown.core.chance import table_key
    from facedown.server.table import state

    def key(seed: bytes, table: str, full: bytes, entropy: Sequence[bytes]) -> bytes:
        return table_key(seed, table, bytes(32), entropy)

    for module in (fairness, state):
        setattr(module, table_key.__name__, key)


def number_log_on_demand() -> None:
    """From now on in this process: no checkpoint depends on when a second is over."""
    from facedown.server.node import Node

    async def number(self: Node) -> None:
        """Left to the first proof that needs it."""

    Node._number_log = number  # type: ignore[method-assign]


def fix_all() -> None:
    """Randomness, signatures, log, deals where a salt for them is named, the clock where a file for it is."""
    fix_randomness()
    if _salt:
        fix_deals()
    number_log_on_demand()
    if CLOCK in os.environ:
        fix_clock(Path(os.environ[CLOCK]))


FIXED: Final = f"import {__name__}; {__name__}.fix_all()"
"""What a server that is forked runs first."""

if __name__ == "__main__":
    fix_all()
    sys.argv[0] = "facedown"
    runpy.run_module("facedown", run_name="__main__", alter_sys=True)
