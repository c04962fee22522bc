"""`facedown play`: sets the table, plays it line by line, and writes the game down."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from shlex import quote
from types import FrameType

from facedown.bots.find import find_bot
from facedown.bots.memories import Memories
from facedown.bots.stream import bot_stream
from facedown.bots.uniform import Uniform
from facedown.commands import DONE
from facedown.commands.failures import InputEndedEarly, UnwritableFile, Usage
from facedown.commands.files import check_writable, writing
from facedown.commands.memory import read_memories, write_memories
from facedown.commands.seating import names_of_table, seats_of, seed_of_table
from facedown.core import registry
from facedown.core.bot import AnyBot
from facedown.core.chance import LOCAL, Seeded, deal_key, seed_of
from facedown.core.game import AnyGame
from facedown.core.match import Match
from facedown.core.replay import AnyMatch
from facedown.core.seats import Seat, all_seats
from facedown.core.words import counted, inside, listed
from facedown.terminal.console import Console, InputEnded, Left
from facedown.terminal.table import LineTable


def run(arguments: argparse.Namespace) -> int:
    """Play one game to its end, or until somebody leaves."""
    game = registry.get(arguments.game)
    rules = game.rules.read(arguments.rules)
    seats = seats_of(game, arguments.seats)
    person = _person(arguments, seats)
    names = names_of_table(arguments.names, seats, person)
    for path in (arguments.record, arguments.memory):
        if path is not None:
            check_writable(path)
    kinds = _kinds(arguments, game.name, seats, person)
    memories = None if arguments.memory is None else read_memories(arguments.memory)
    seed_text = seed_of_table(arguments.seed)
    seed = seed_of(seed_text)
    key = deal_key(seed, LOCAL)
    match = Match(game, rules, names, Seeded(key))
    console = Console()
    _welcome(console, match, game)
    machines = _machines(game.name, kinds, memories)
    streams = {seat: bot_stream(key, seat) for seat in machines}
    table = LineTable(console, match, names, {seat: (bot, streams[seat]) for seat, bot in machines.items()})
    with _saved(console, match, seed, arguments.record), _closing_as_exit():
        left = _play(console, table, match)
    if left or match.outcome is None:
        return DONE
    if memories is not None:
        _remember(match, machines, memories)
        write_memories(arguments.memory, memories)
        console.say_wrapped(f"What the machines noted is in {arguments.memory}: `facedown memory` shows it.")
    seed_told = f"It was dealt from the seed {quote(seed_text)}"
    console.say_wrapped(f"{seed_told}: --seed with it deals the same again.")
    _answer(table)
    return DONE


def _person(arguments: argparse.Namespace, seats: int) -> Seat | None:
    """The seat of the one person; None in the hot seat."""
    if arguments.hotseat:
        if arguments.seat is not None:
            raise Usage("--seat has no meaning with --hotseat: people sit on all seats")
        return None
    person = 1 if arguments.seat is None else int(arguments.seat)
    if person not in all_seats(seats):
        raise Usage(f"--seat {person}: the seats of this table are 1 to {seats}")
    return person


def _kinds(
    arguments: argparse.Namespace, game: str, seats: int, person: Seat | None
) -> dict[Seat, type[AnyBot]]:
    """Which machine sits where: one kind on all seats that are left, or one for each in seat order."""
    if person is None:
        if arguments.against is not None or arguments.memory is not None:
            raise Usage("--against and --memory have no meaning with --hotseat: people sit on all seats")
        return {}
    left = [seat for seat in all_seats(seats) if seat != person]
    if arguments.against is None:
        return dict.fromkeys(left, Uniform)
    named = [find_bot(game, name.strip()) for name in arguments.against.split(",")]
    if len(named) not in (1, len(left)):
        raise Usage(f"--against names {len(named)} machines for {len(left)} seats")
    return dict(zip(left, named * (len(left) if len(named) == 1 else 1), strict=True))


def _machines(game: str, kinds: dict[Seat, type[AnyBot]], memories: Memories | None) -> dict[Seat, AnyBot]:
    """The machines; they know of earlier games only what the person lets them."""
    return {
        seat: kind(None if memories is None else memories.of(game, kind.name)) for seat, kind in kinds.items()
    }


def _remember(match: AnyMatch, machines: dict[Seat, AnyBot], memories: Memories) -> None:
    """Every kind of machine notes the game once."""
    for seat, bot in {bot.name: (seat, bot) for seat, bot in machines.items()}.values():
        note = bot.note(match.view(seat))
        if note is not None:
            memories.of(match.game.name, bot.name).add(note)


def _welcome(console: Console, match: AnyMatch, game: AnyGame) -> None:
    preset = next(each for each in game.rules.presets if each.name == match.rules.preset)
    seats = listed([inside(name) for name in match.names])
    console.say_wrapped(f"{console.strong(game.meta.title)}, {match.rules}: {seats}.")
    console.say_wrapped(preset.meaning)
    for note in match.rules.notes():
        console.say_wrapped(f"Worth knowing: {note}.")
    console.say("Type a pick, or ? for help.")


def _play(console: Console, table: LineTable, match: AnyMatch) -> bool:
    """Play; whether somebody left before the end. A pipe that ends too early is a failure."""
    try:
        table.play()
    except KeyboardInterrupt:
        console.say()
        raise
    except Left:
        console.say("You have left the table.")
        return True
    except InputEnded:
        if console.typed:
            console.say("You have left the table.")
            return True
        say = "the input ended before the game did: the game was left"
        raise InputEndedEarly(say).at(decision=match.decision) from None
    return False


def _answer(table: LineTable) -> None:
    with suppress(InputEnded, Left):
        table.answer_questions()


@contextmanager
def _saved(console: Console, match: AnyMatch, seed: bytes, path: str | None) -> Iterator[None]:
    """Write the game down however it is left; the seed stays out until the game is over."""
    try:
        yield
    finally:
        if path is not None:
            over = match.outcome is not None
            _save(console, match.record(seed=seed if over else None).write(), path)
            what = "The game" if over else f"The game so far ({counted(len(match.picks), 'decision')})"
            console.say(f"{what} is saved: `facedown replay {quote(path)}` tells it.")


def _save(console: Console, record: str, path: str) -> None:
    """Write the record; where that fails, print it, so that the game is not lost."""
    try:
        with writing(path) as file:
            file.write(record + "\n")
    except UnwritableFile:
        console.say(record)
        raise


@contextmanager
def _closing_as_exit() -> Iterator[None]:
    """A terminal that is closed, or a polite kill, leaves the table like anybody else."""

    def leave(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    numbers = [signal.SIGTERM] + ([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])
    try:
        before = {number: signal.signal(number, leave) for number in numbers}
    except ValueError:  # not the main thread: nobody else is told of signals
        before = {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
