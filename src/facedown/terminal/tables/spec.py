"""The specification of a table on this machine: game, rules, seats, bots and seed, enough to set it again."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from facedown.core.parts.text import bot_called
from facedown.core.seats import Seat
from facedown.core.text.names import SEAT, YOU, names_in
from facedown.core.text.sanitise import LONGEST_NAME
from facedown.core.text.translation import ENGLISH, translate


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table on this machine: everything needed to set it up again."""

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


def default_names(
    game: str, machines: Sequence[str], you: str = YOU, language: str = ENGLISH
) -> tuple[str, ...]:
    """Names of seats that were given none: bots are called what they are, and equal ones numbered.

    `machines` are the bots by seat, empty for a person's; several people are called by their seats.

    >>> from facedown.core.registry import names
    >>> default_names(names()[0], ["", "uniform"]), default_names(names()[0], ["", "", ""])
    (('You', 'Uniform'), ('Seat 1', 'Seat 2', 'Seat 3'))
    >>> default_names(names()[0], ["mine:Bo", "", "mine:Bo"], "Bo")
    ('Bo 1', 'Bo', 'Bo 2')
    """
    one = sum(not machine for machine in machines) == 1
    people = [you if one else f"{SEAT} {seat}" for seat in range(1, len(machines) + 1)]
    called = [bot_name(game, each, language) if each else "" for each in machines]
    seen: Counter[str] = Counter()
    names = []
    for person, name in zip(people, called, strict=True):
        seen[name] += 1
        alone = called.count(name) == 1 and name.casefold() != you.casefold()
        names.append((name if alone else f"{name} {seen[name]}") if name else person)
    return tuple(names)


def bot_name(game: str, bot: str, language: str) -> str:
    """The name of a bot, as a player's; one that is named by its class has the name of the class."""
    name = translate(bot_called(game, bot.rpartition(":")[2]), language)[:LONGEST_NAME]
    return f"{name[:1].upper()}{name[1:]}"


def names_said(spec: TableSpec, language: str) -> tuple[str, ...]:
    """What the seats of a table are called in a language; names that people chose stay as they are."""
    given = names_in(language, spec.names)
    usual = default_names(spec.game, spec.machines)
    said = default_names(spec.game, spec.machines, language=language)
    return tuple(
        said[seat] if spec.machines[seat] and name == usual[seat] else given[seat]
        for seat, name in enumerate(spec.names)
    )
