"""Checks of plain arguments: seeds, seats, counts and jobs; every refusal is an error of the core's tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from facedown.core.errors import IllegalSeats, Unreadable, Unsupported
from facedown.core.game import AnyGame
from facedown.core.match import check_seats
from facedown.core.rules import Rules
from facedown.core.seats import all_seats
from facedown.core.views import Encoding

MOST_GAMES: Final = 1_000_000_000
MOST_MEMORY: Final = 100
_MOST_NAME: Final = 60

SeedLike: TypeAlias = "str | int | None"
"""A text or a whole number from which a game is dealt; None: a fresh one."""

SeatsLike: TypeAlias = "Sequence[str] | int | None"
"""The names of the seats, or their number; None: as few as the game allows."""


class BadArgument(Unreadable):
    """An argument of the wrong kind, or outside its bounds."""

    code = "bad_argument"


def seed_text(seed: object) -> str:
    """The text of a seed; a fresh one for None."""
    if seed is None:
        import secrets  # slow to import, and many programs name their seeds

        return secrets.token_hex(8)
    if isinstance(seed, bool) or not isinstance(seed, str | int):
        raise BadArgument(
            f"a seed is a text or a whole number, not {_short_repr(seed)}", text=_short_repr(seed)
        )
    text = str(seed)
    if not text.isascii() and text != text.encode(errors="ignore").decode():
        raise BadArgument(
            f"a seed is a text that can be written, not {_short_repr(seed)}", text=_short_repr(seed)
        )
    return text


def count(name: str, value: object, most: int, least: int = 1) -> int:
    """A whole number within its bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        wanted = f"`{name}` must be a whole number from {least} to {most:,}"
        raise BadArgument(f"{wanted}, not {_short_repr(value)}", text=_short_repr(value))
    return value


def seat_names(game: AnyGame, seats: object) -> tuple[str, ...]:
    """The names of the seats, given or numbered; for None, as many as the game needs at least.

    Names differ, because reviews and the log of a game call seats by them; the caller chooses how.
    """
    if seats is None:
        seats = game.meta.least_seats
    if isinstance(seats, int) and not isinstance(seats, bool):
        check_seats(game, seats)
        return tuple(f"Seat {seat}" for seat in all_seats(seats))
    if isinstance(seats, str) or not isinstance(seats, Sequence):
        raise BadArgument(
            f"seats are a number or a list of names, not {_short_repr(seats)}", text=_short_repr(seats)
        )
    for name in seats:
        if not isinstance(name, str) or not name.strip() or len(name) > _MOST_NAME:
            raise BadArgument(f"{_short_repr(name)} is no name for a seat", text=_short_repr(name))
    twice = next((name for place, name in enumerate(seats) if name in seats[:place]), None)
    if twice is not None:
        raise BadArgument(
            f"two seats are called {_short_repr(twice)}: names must differ", text=_short_repr(twice)
        )
    check_seats(game, len(seats))
    return tuple(seats)


def seat_number(seat: object, seats: int) -> int:
    """A seat of a table."""
    if isinstance(seat, bool) or not isinstance(seat, int) or not 1 <= seat <= seats:
        raise IllegalSeats(
            f"there is no seat {_short_repr(seat)}: the seats are 1 to {seats}", text=_short_repr(seat)
        )
    return seat


def encoding_of(game: AnyGame, rules: Rules, seats: int) -> Encoding:
    """The layout of a game's views as numbers; raises `Unsupported` if it has none."""
    layout: Encoding | None = game.encoding(rules, seats)
    if layout is None:
        raise Unsupported(f"{game.name} has no numeric form of its views: its class has no `encode`")
    return layout


def _short_repr(value: object) -> str:
    return repr(value)[:60]
