"""The arena: every bot as the hero against a field of every other bot, on every seat in turn.

The n-th game has the id n and comes from the seed, n and (where bots remember) the games of its series alone,
so that the result is the same for any number of processes. A bot at fault loses that game; the run continues.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations
from typing import Any, Final, NamedTuple

from facedown.bots.find import bots_of
from facedown.core.chance import Seeded, deal_key
from facedown.core.match import Match
from facedown.core.parts.bot import AnyBot, Memory, bot_stream
from facedown.core.replay import AnyMatch
from facedown.core.seats import Seat, all_seats
from facedown.sim.lineup import NONE_HANDED, Lineup, describe_fault
from facedown.sim.statistics import Bout
from facedown.sim.workers import spread

CHUNK: Final = 100
"""Games in a chunk: a few tenths of a second. Where bots remember, a chunk is one series."""

PATIENCE: Final = 20.0
"""Seconds that one whole game may take before the bot that is thinking has stalled."""

_TICKS: Final = 20
"""The number of parts into which that time is divided."""

_MOST_RATED: Final = 20_000
"""The most games that are rated: of longer runs, every k-th one."""


@dataclass(frozen=True, slots=True)
class Arena:
    """An arena run: everything that a worker needs, as plain values."""

    game: str
    rules: str
    seats: int
    seed: bytes
    bots: tuple[str, ...]
    games: int
    """For each pairing."""
    heroes: tuple[str, ...] = ()
    """The bots that are heroes; none: all of them."""
    memory: int = 0
    """How many earlier games against the same opponents bots remember; as many first games do not count."""
    records: bool = False
    """Whether the games are written down."""
    lineup: Lineup = NONE_HANDED

    @property
    def pairings(self) -> tuple[tuple[str, str], ...]:
        """Hero and field: the same, in the same order, however the bots were ordered, and so are the ratings.

        With two seats a pair plays once; with more, each is the hero once.
        """
        known = bots_of(self.lineup.game(self.game).name)
        bots = [*sorted(set(self.bots) - known.keys()), *(name for name in known if name in self.bots)]
        heroes = self.heroes or self.bots
        if self.seats > 2:
            return tuple((one, two) for one, two in permutations(bots, 2) if one in heroes)
        pairs = ((one, two) if one in heroes else (two, one) for one, two in combinations(bots, 2))
        return tuple((one, two) for one, two in pairs if one in heroes)

    @property
    def chunks(self) -> int:
        return -(-self.games // CHUNK)

    @property
    def every(self) -> int:
        return max(1, self.games * len(self.pairings) // _MOST_RATED)

    def as_json(self) -> dict[str, Any]:
        """The run as plain values: what a file with its finished chunks begins with."""
        heroes = {"heroes": list(self.heroes)} if self.heroes else {}
        return {
            **heroes,
            "arena": "facedown/1",
            "game": self.game,
            "rules": self.rules,
            "seats": self.seats,
            "seed": self.seed.hex(),
            "bots": list(self.bots),
            "games": self.games,
            "memory": self.memory,
        }


class Played(NamedTuple):
    """One chunk, finished."""

    number: int
    """Which chunk of the arena it is, from 0."""
    hero: str
    field: str
    bout: Bout
    rated: tuple[tuple[tuple[str, ...], int], ...]
    """The games that are to be rated: the bots by seat, and the winner's seat (0: drawn)."""
    records: tuple[str, ...] = ()
    """The record of every game, where they are written down."""


def play(arena: Arena, jobs: int, done: frozenset[int] = frozenset()) -> Iterator[Played]:
    """The arena's chunks in order, those already done left out; pairings take turns."""
    return spread(partial(play_chunk, arena), chunks_left(arena, done), jobs)


def chunks_left(arena: Arena, done: frozenset[int]) -> list[int]:
    """The numbers of the chunks that are not done."""
    return [number for number in range(arena.chunks * len(arena.pairings)) if number not in done]


def play_chunk(arena: Arena, number: int) -> Played:
    """One chunk: games of one pairing, the hero on each seat in turn."""
    pairings, every = arena.pairings, arena.every
    turn, pairing = divmod(number, len(pairings))
    hero, others = pairings[pairing]
    bout = Bout(arena.seats)
    rated: list[tuple[tuple[str, ...], int]] = []
    records: list[str] = []
    count = min(CHUNK, arena.games - turn * CHUNK)
    notes = [Memory(most=arena.memory) if arena.memory else None for _ in range(2)]
    for place in range(-arena.memory, count):
        played = game_number(arena, number, place)
        seat = hero_seat(arena, turn, place)
        names = seated_names(arena, hero, others, seat)
        table = _Table(arena, played, names, _memories(notes, seat, arena.seats))
        with _patience():
            winner = table.play()
        if arena.records:
            records.append(table.match.record(game_id=str(played), seed=arena.seed).write())
        if place < 0:
            continue
        bout.count(seat, winner == seat, winner == 0)
        if table.fault:
            bout.blame(table.fault, played, table.fault_at)
        if played % every == 0:
            rated.append((names, winner))
    return Played(number, hero, others, bout, tuple(rated), tuple(records))


def hero_seat(arena: Arena, turn: int, place: int) -> Seat:
    """The hero's seat in a game of a chunk: each in turn."""
    return (turn * CHUNK + place) % arena.seats + 1


def seated_names(arena: Arena, hero: str, others: str, seat: Seat) -> tuple[str, ...]:
    """The bots by seat, the hero on this one."""
    return tuple(hero if each == seat else others for each in all_seats(arena.seats))


def game_number(arena: Arena, chunk: int, place: int) -> int:
    """The id of a game: counted through the arena, the games that only fill a memory included."""
    return chunk * (CHUNK + arena.memory) + place + arena.memory + 1


def _memories(notes: list[Memory | None], seat: Seat, seats: int) -> list[Memory | None]:
    return [notes[0] if each == seat else notes[1] for each in all_seats(seats)]


# --- one game --------------------------------------------------------------------------------------------

NO_WINNER: Final = -1
"""The winner of a game that a bot's fault ended without one."""


class Stalled(Exception):
    """The bot took too long."""


class _Table:
    """One game between bots that may fail in any way."""

    def __init__(
        self, arena: Arena, number: int, names: tuple[str, ...], memories: list[Memory | None]
    ) -> None:
        game = arena.lineup.game(arena.game)
        key = deal_key(arena.seed, str(number))
        self.match: AnyMatch = Match(game, game.rules.read(arena.rules), names, Seeded(key))
        self.streams = [bot_stream(key, seat) for seat in all_seats(arena.seats)]
        self.memories = memories
        self.kinds = arena.lineup.factories(arena.game, names)
        self.bots: dict[Seat, AnyBot] = {}
        self.thinking: Seat = 1
        self.fault = ""
        self.fault_at = 0
        """The decision in which it was."""

    def play(self) -> int:
        while True:
            try:
                self.go_on()
                outcome = self.match.outcome
                return NO_WINNER if outcome is None else outcome.winner or 0
            except Exception as error:  # a stranger's bot may raise anything
                self.blame(error)
            if self.match.outcome is not None or not self.gives_up():
                return self.without()

    def go_on(self) -> None:
        """Play until the game is over; `thinking` says whose turn to think it is."""
        for seat, kind in enumerate(self.kinds, 1):
            self.thinking = seat
            if seat not in self.bots:
                self.bots[seat] = kind(self.memories[seat - 1])
        match = self.match
        while waves := match.pending:
            for wave in waves:
                for seat in wave:
                    self.thinking = seat
                    stream = self.streams[seat - 1]
                    match.seal(seat, self.bots[seat].pick(match.view(seat), match.legal(seat), stream))
        self.remember()

    def remember(self) -> None:
        """Every bot that has a memory notes what it wants to; a field's seats share one, and note once."""
        noted: list[Memory] = []
        for seat, memory in enumerate(self.memories, 1):
            self.thinking = seat
            if memory is not None and not any(memory is each for each in noted):
                noted.append(memory)
                note = self.bots[seat].note(self.match.view(seat))
                if note is not None:
                    memory.add(note)

    def blame(self, error: Exception) -> None:
        """The first fault of a game counts: what follows may come of it."""
        if not self.fault:
            self.fault_at = self.match.decision
            self.fault = f"{self.match.names[self.thinking - 1]}: {self.describe(error)}"

    def describe(self, error: Exception) -> str:
        """What a bot did, in a few words that are the same for the same fault: never what it held."""
        if isinstance(error, Stalled):
            return f"took more than {PATIENCE:.0f} s"
        return describe_fault(self.match, self.thinking, error)

    def gives_up(self) -> bool:
        """The bot at fault resigns, where the game allows it, and the others play on."""
        if self.thinking not in self.match.game.standing(self.match.state):
            return False
        self.match.resign(self.thinking)
        return True

    def without(self) -> int:
        """Who wins where the bot at fault cannot resign: the only other one; among several, no seat."""
        return 3 - self.thinking if len(self.kinds) == 2 else NO_WINNER


@contextmanager
def _patience() -> Iterator[None]:
    """Raises `Stalled` in a bot that thinks too long.

    Time is counted in ticks: a machine that was asleep, or a process that was stopped, loses only one.
    """
    left = _TICKS

    def has_run_out() -> bool:
        nonlocal left
        left = left - 1 or _TICKS  # after the last one, time for those who play on
        return left == _TICKS

    def tick(number: int, frame: object) -> None:
        if has_run_out():
            raise Stalled

    try:
        before = signal.signal(signal.SIGALRM, tick)
    except (AttributeError, ValueError):  # no such signal here, or not the main thread
        with _watchdog(has_run_out):
            yield
        return
    signal.setitimer(signal.ITIMER_REAL, PATIENCE / _TICKS, PATIENCE / _TICKS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _watchdog(has_run_out: Callable[[], bool]) -> Iterator[None]:
    """Raises `Stalled` in this thread by another one, which asks at every tick whether time has run out.

    Unlike a signal it does not end a call of the system, such as a sleep: it waits until that returns.
    """
    import ctypes

    player, over, lock = threading.get_ident(), threading.Event(), threading.Lock()

    def interrupt(error: object) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(player), error)

    def watch() -> None:
        while not over.wait(PATIENCE / _TICKS):
            with lock:
                if not over.is_set() and has_run_out():
                    interrupt(ctypes.py_object(Stalled))

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with suppress(Stalled), lock:
            over.set()
            interrupt(None)  # what has not arrived yet comes too late
