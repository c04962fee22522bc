"""Training: a position drawn from a game by a seed, the question about it, and the mark of the answer.

Owns how positions are drawn, and the daily seeds. Knows no game by name: a game's `study` part asks and
marks; if it has none, the exercise asks for a pick and plays it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, cast

from facedown.bots.find import bots_of, substitute_bot
from facedown.core import registry
from facedown.core.chance import Seeded, Stream, deal_key, seed_of
from facedown.core.errors import Unsupported
from facedown.core.game import AnyGame
from facedown.core.match import Match
from facedown.core.parts.bot import bot_stream
from facedown.core.parts.trainer import Exercise, Trainer, TrainingMark
from facedown.core.record import Record
from facedown.core.replay import start, turns
from facedown.core.rules import Rules
from facedown.core.seats import Seat, all_seats
from facedown.core.text.translation import ENGLISH
from facedown.review.readable import readable_part
from facedown.review.rollouts import training_machine
from facedown.study.pick_trainer import PickTrainer

DAILY: Final = 5
"""Questions of a day."""
_SEATS: Final = 4
"""At a table for many."""
_GAMES: Final = 20
"""Games that are played at most until one has a position worth asking about."""


class Trainings(NamedTuple):
    """Where positions come from: a game under its rules, or (where there is one) a record of it."""

    game: AnyGame
    rules: Rules
    seats: int
    record: Record | None = None
    habit: str = ""
    """The situation of a drill against a habit, by its id; empty for any position."""


def trainer_of(
    game: str, seats: int, progress: Callable[[int, int], None] = lambda done, of: None
) -> Trainer | None:
    """The trainer of a game: its own, or the one that plays picks out; None where there is neither."""
    part = registry.part(game, "study")
    if hasattr(part, "ask"):
        return cast(Trainer, part)
    try:
        training_machine(game)
    except Unsupported:
        return None
    return PickTrainer(registry.get(game), seats, progress)


def trainings(
    game: AnyGame, rules: Rules, seats: int | None = None, record: Record | None = None, habit: str = ""
) -> Trainings:
    """Where positions of a game come from; the table has few seats where nothing is said."""
    if record is not None:
        return Trainings(game, rules, len(record.seats), record)
    most = min(_SEATS, game.meta.most_seats)
    wanted = seats or most
    if not game.meta.least_seats <= wanted <= game.meta.most_seats:
        raise Unsupported(f"{game.meta.title} has {game.meta.least_seats} to {game.meta.most_seats} seats")
    if habit:
        readable_part(game.name).habit_words(habit, more=True)  # raises if there is no such situation
    return Trainings(game, rules, wanted, habit=habit)


def daily_seed(day: str, number: int) -> str:
    """The seed of one of a day's questions: the same for everybody."""
    return f"daily {day} {number}"


def exercise(asked: Trainings, seed: str, language: str = ENGLISH) -> Exercise:
    """The question of a seed; `Unsupported` where the game has none."""
    question = _ask(asked, _trainer(asked), *draw(asked, seed), language)
    assert question is not None, "it was drawn because there is one"
    return question


def mark(
    asked: Trainings, seed: str, answer: str, progress: Callable[[int, int], None] = lambda done, of: None
) -> TrainingMark:
    """The mark of an answer to the question of a seed."""
    return _trainer(asked, progress).mark(*draw(asked, seed), answer)


def _trainer(asked: Trainings, progress: Callable[[int, int], None] = lambda done, of: None) -> Trainer:
    trainer = trainer_of(asked.game.name, asked.seats, progress)
    if trainer is None:
        raise Unsupported(f"{asked.game.meta.title} has no trainer: no bot can mark its picks")
    return trainer


# --- drawing a position ----------------------------------------------------------------------------------


def draw(asked: Trainings, seed: str) -> tuple[Any, Seat]:
    """A position, and the seat that is asked about it."""
    trainer = _trainer(asked)
    for number in range(1 if asked.record else _GAMES):
        key = deal_key(seed_of(f"training {seed}"), f"{asked.game.name}/{asked.rules}/{asked.seats}/{number}")
        states = _recorded_states(asked.record) if asked.record else _played_states(asked, key)
        left = [(state, seat) for state in states for seat in all_seats(asked.seats)]
        stream = Stream(key, "training")
        while left:
            state, seat = left.pop(stream.below(len(left)))
            if _ask(asked, trainer, state, seat) is not None:
                return state, seat
    raise Unsupported("there is no position worth asking about in this game")


def _ask(
    asked: Trainings, trainer: Trainer, state: Any, seat: Seat, language: str = ENGLISH
) -> Exercise | None:
    """The question about a position; in a drill, only within its situation."""
    question = trainer.ask(state, seat, language)
    if question is None or not asked.habit:
        return question
    return readable_part(asked.game.name).drill(state, seat, asked.habit, question)


def _recorded_states(record: Record) -> Iterator[Any]:
    return (turn.before for turn in turns(record, start(record)))


def _played_states(asked: Trainings, key: bytes) -> Iterator[Any]:
    """The positions of a game that machines play, the usual ones for open seats."""
    game = asked.game
    machine = bots_of(game.name)[substitute_bot(game.name)]
    names = [f"{machine.name} {seat}" for seat in all_seats(asked.seats)]
    match = Match(game, asked.rules, names, Seeded(key))
    bots = {seat: machine() for seat in all_seats(asked.seats)}
    streams = {seat: bot_stream(key, seat) for seat in bots}
    while match.outcome is None:
        yield match.state
        waiting = [seat for wave in match.pending for seat in wave]
        picks = {
            seat: bots[seat].pick(match.view(seat), match.legal(seat), streams[seat]) for seat in waiting
        }
        match.decide(tuple(picks.get(seat) for seat in bots))
