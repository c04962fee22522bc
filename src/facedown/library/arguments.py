"""Checks of plain arguments: seeds, seats, counts and jobs; every refusal is an error of the core's tree."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final, TypeAlias

from facedown.core.errors import IllegalSeats, Unreadable
from facedown.core.game import AnyGame
from facedown.core.match import check_seats
from facedown.core.seats import all_seats

MOST_GAMES: Final = 1_000_000_000
MOST_JOBS: Final = 256
_MOST_NAME: Final = 60

SeedLike: TypeAlias = "str | int | None"
"""A text or a whole number from which a game is dealt; None: a fresh one."""


class BadArgument(Unreadable):
    """An argument of the wrong kind, or outside its bounds."""

    code = "bad_argument"


def seed_text(seed: object) -> str:
    """The text of a seed; a fresh one where none was said."""
    if seed is None:
        return secrets.token_hex(8)
    if isinstance(seed, bool) or not isinstance(seed, str | int):
        raise BadArgument(f"a seed is a text or a whole number, not {_shown(seed)}", text=_shown(seed))
    text = str(seed)
    if not text.isascii() and text != text.encode(errors="ignore").decode():
        raise BadArgument(f"a seed is a text that can be written, not {_shown(seed)}", text=_shown(seed))
    return text


def count(name: str, value: object, most: int, least: int = 1) -> int:
    """A whole number within its bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        say = f"`{name}` must be a whole number from {least} to {most:,}, not {_shown(value)}"
        raise BadArgument(say, text=_shown(value))
    return value


def seat_names(game: AnyGame, seats: object) -> tuple[str, ...]:
    """The names of the seats: as they were said, or numbered; the fewest seats where nothing was said."""
    if seats is None:
        seats = game.meta.least_seats
    if isinstance(seats, int) and not isinstance(seats, bool):
        check_seats(game, seats)
        return tuple(f"Seat {seat}" for seat in all_seats(seats))
    if isinstance(seats, str) or not isinstance(seats, Sequence):
        raise BadArgument(f"seats are a number or a list of names, not {_shown(seats)}", text=_shown(seats))
    for name in seats:
        if not isinstance(name, str) or not name.strip() or len(name) > _MOST_NAME:
            raise BadArgument(f"{_shown(name)} is no name for a seat", text=_shown(name))
    check_seats(game, len(seats))
    return tuple(seats)


def seat_number(seat: object, seats: int) -> int:
    """A seat of a table."""
    if isinstance(seat, bool) or not isinstance(seat, int) or not 1 <= seat <= seats:
        say = f"there is no seat {_shown(seat)}: the seats are 1 to {seats}"
        raise IllegalSeats(say, text=_shown(seat))
    return seat


def _shown(value: object) -> str:
    return repr(value)[:60]
