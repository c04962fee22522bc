"""Options that describe a table: seed, seats, names, and numbers within limits."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.cli.errors import Usage
from facedown.core.game import AnyGame
from facedown.core.match import check_seats
from facedown.core.text.names import YOU
from facedown.core.text.sanitise import LONGEST_NAME
from facedown.terminal.tables.spec import default_names, fresh_seed


def within(option: str, number: int, most: int, least: int = 1) -> int:
    """The number, if it is within the limits of its option."""
    if not least <= number <= most:
        raise Usage(f"{option} {number}: from {least} to {most}")
    return number


def seats_of(game: AnyGame, asked: int | None) -> int:
    """The number of seats; without `asked`, as few as the game allows."""
    seats = game.meta.least_seats if asked is None else asked
    check_seats(game, seats)
    return seats


def seed_of_table(asked: str | None) -> str:
    """The seed as text; without `asked`, a fresh one."""
    if asked is None:
        return fresh_seed()
    if not asked.isprintable():
        raise Usage("--seed must be text that can be printed")
    return asked


def names_of_table(asked: str | None, game: str, machines: Sequence[str]) -> tuple[str, ...]:
    """The names of the seats: those of the option, and those of the bots."""
    seats, people = len(machines), sum(not machine for machine in machines)
    given = [] if asked is None else [name.strip() for name in asked.split(",")]
    for name in given:
        if not name or not name.isprintable() or len(name) > LONGEST_NAME:
            raise Usage(
                f"--names: {name[:40]!r} is no name: up to {LONGEST_NAME} letters, with a comma between names"
            )
    if len(given) == seats:
        return _distinct(tuple(given))
    if given and (people != 1 or len(given) != 1):
        raise Usage(f"--names has {len(given)} names for {seats} seats")
    return _distinct(default_names(game, machines, given[0] if given else YOU))


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    if len({name.casefold() for name in names}) < len(names):
        raise Usage("--names: two seats cannot have the same name")
    return names
