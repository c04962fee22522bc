"""The specification of a table on this machine: game, rules, seats, bots and seed, enough to set it again."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from facedown.core.seats import Seat
from facedown.core.text.names import YOU


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table on this machine: all that is needed to set it again."""

    game: str
    rules: str
    names: tuple[str, ...]
    people: tuple[Seat, ...]
    machines: tuple[str, ...]
    """By seat; empty for a person's."""
    seed: str
    memory: str | None = None
    """The file in which the bots note the game."""
    record: str | None = None
    """The file into which the game is written."""
    version: int | None = None
    """The behaviour version of the game; None for the newest, at a table that is about to be set."""


def fresh_seed() -> str:
    """A random seed, as text that can be typed."""
    return secrets.token_hex(8)


def default_names(seats: int, person: Seat | None, you: str = YOU) -> tuple[str, ...]:
    """Names of seats that were given none; `person` is the one person's seat, None where all are people.

    >>> default_names(2, 1), default_names(3, None)
    (('You', 'Machine'), ('Seat 1', 'Seat 2', 'Seat 3'))
    """
    if person is None:
        return tuple(f"Seat {seat}" for seat in range(1, seats + 1))
    machine = "Machine" if seats == 2 else "Machine {}"
    return tuple(you if seat == person else machine.format(seat) for seat in range(1, seats + 1))
