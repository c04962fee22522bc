"""`facedown train`: questions about positions, marked by exact answers or by games played out,
and the mind of the day: against the house without a network, or at a server.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from facedown.cli.errors import Usage
from facedown.cli.progress import long_wait
from facedown.client.rest import RestClient
from facedown.core import registry
from facedown.core.errors import Unreadable
from facedown.core.parts.trainer import Exercise, TrainingMark
from facedown.core.text.translation import translate
from facedown.files import replace_file
from facedown.library.record_files import records
from facedown.protocol.mind import MindDay, MindPosition, MindState
from facedown.study.explore import as_json
from facedown.study.mind import (
    CHIPS,
    SQUARES,
    DayPosition,
    MindResult,
    crowd_of,
    has_mind,
    position_of,
    read_chips,
    settle,
)
from facedown.study.train import DAILY, Trainings, daily_seed, exercise, mark, trainings
from facedown.terminal.lines.console import Console, InputEnded
from facedown.terminal.paths import state_folder
from facedown.terminal.settings import chosen_language
from facedown.terminal.tables.join import sign_in_at
from facedown.terminal.tables.spec import fresh_seed
from facedown.terminal.words import Words

_MOST: Final = 1000
_ATTEMPTS: Final = 10


def run(arguments: argparse.Namespace) -> None:
    """Ask and mark until there are no more questions or no more input."""
    if arguments.today:
        _play_today(arguments)
        return
    if arguments.game is None:
        raise Usage("which game? `facedown train GAME`, and `facedown games` lists them")
    if (arguments.chips, arguments.seat, arguments.server) != (None, None, None):
        raise Usage("--chips, --seat and --server go with --today")
    words = Words(chosen_language(arguments.language))
    if arguments.daily and (arguments.records or arguments.seed):
        raise Usage("--daily asks today's questions: --seed and --records do not go with it")
    if arguments.count is not None and not 1 <= arguments.count <= _MOST:
        raise Usage(f"--count {arguments.count}: from 1 to {_MOST} questions")
    if arguments.answer is not None and not arguments.json:
        raise Usage("--answer goes with --json; without it the questions are asked here")
    sources = _sources(arguments)
    if arguments.json:
        _print_json(arguments, sources, words)
    else:
        _train(sources, arguments, words)


def _sources(arguments: argparse.Namespace) -> list[Trainings]:
    game = registry.get(arguments.game)
    if not arguments.records:
        return [trainings(game, game.rules.read(arguments.rules), arguments.seats)]
    found = [each for each in islice(records(arguments.records), _MOST) if each.game == game.name]
    if not found:
        raise Usage(f"{arguments.records}: there is no record of {game.name} in it")
    return [trainings(game, game.rules.read(each.rules), record=each) for each in found]


def _seeds(arguments: argparse.Namespace) -> Iterator[str]:
    if arguments.daily:
        day = datetime.now(UTC).date().isoformat()
        return (daily_seed(day, number) for number in range(1, DAILY + 1))
    seed = arguments.seed or fresh_seed()
    return islice((f"{seed} {number}" for number in count(1)), arguments.count or _MOST)


def _print_json(arguments: argparse.Namespace, sources: list[Trainings], words: Words) -> None:
    """One question a line; with `--answer` its mark as well."""
    seeds = _seeds(arguments) if arguments.count or arguments.daily else islice(_seeds(arguments), 1)
    for number, seed in enumerate(seeds):
        source = sources[number % len(sources)]
        asked = as_json(exercise(source, seed, words.language), words.language)
        if arguments.answer is not None:
            asked["mark"] = as_json(mark(source, seed, arguments.answer), words.language)
        print(json.dumps({"game": source.game.name, "seed": seed, **asked}, ensure_ascii=False))


def _train(sources: list[Trainings], arguments: argparse.Namespace, words: Words) -> None:
    console, game = Console(), sources[0].game.name
    streaks = _read_streaks()
    streak, best = streaks.get(game, (0, 0))
    asked = points = 0
    for number, seed in enumerate(_seeds(arguments)):
        source = sources[number % len(sources)]
        _ask(console, exercise(source, seed, words.language), words)
        try:
            found = _mark_answer(console, source, seed, words)
        except InputEnded:
            break
        if found is None:
            break
        for line in found.say:
            console.say_wrapped(translate(line, words.language))
        streak = streak + 1 if found.right else 0
        best = max(best, streak)
        asked, points = asked + 1, points + found.points
        key = "train.right" if found.right else "train.wrong"
        console.say_wrapped(console.strong(words(key, points=found.points, count=streak)))
        console.say()
        _write_streaks({**streaks, game: (streak, best)})
    if asked:
        console.say_wrapped(words("train.end", count=asked, points=round(points / asked), best=best))


def _ask(console: Console, question: Exercise, words: Words) -> None:
    console.say_wrapped(f"{translate(question.place, words.language)} · {question.rules}")
    for line in question.say:
        console.say(translate(line, words.language))
    console.say_wrapped(console.strong(translate(question.question, words.language)))
    if question.kind == "pick":
        console.say_wrapped(", ".join(str(each.pick) for each in question.picks))


def _mark_answer(console: Console, source: Trainings, seed: str, words: Words) -> TrainingMark | None:
    """The mark of the first answer that can be read; None if Enter ends it. A pipe has ten attempts."""
    for attempt in count(1):
        typed = console.ask(f"{words('train.ask')} ").strip()
        if not typed:
            return None
        try:
            with long_wait(words) as reach:
                return mark(source, seed, typed, reach)
        except Unreadable as error:
            if attempt == _ATTEMPTS and not console.typed:
                raise
            console.say_wrapped(str(error))
    return None


# --- the mind of the day ----------------------------------------------------------------------------------


def _play_today(arguments: argparse.Namespace) -> None:
    """Ask for ten chips, and settle them against the house, or seal them at a server."""
    if arguments.game is not None:
        raise Usage("--today is a position of its own: it takes no game")
    words = Words(chosen_language(arguments.language))
    if arguments.server:
        _play_at_server(arguments, words)
        return
    day = datetime.now(UTC).date().isoformat()
    position = position_of(next(filter(has_mind, registry.names())), day)
    seat = arguments.seat or position.seat
    if seat not in (1, 2):
        raise Usage(f"--seat {seat}: there are two seats, 1 and 2")
    asked, mind = position.question(seat, words.language), position.mind(seat)
    if arguments.json:
        found = {"day": day, "seat": seat, **as_json(asked, words.language)}
        if arguments.chips is not None:
            result = _result(position, seat, read_chips(arguments.chips))
            found["result"] = {**result._asdict(), "exact": mind.exact}
        print(json.dumps(found, ensure_ascii=False))
        return
    console = Console()
    place = f"{translate(asked.place, words.language)} · {asked.rules}"
    _show_position(console, words, day, place, [translate(each, words.language) for each in asked.say])
    console.say(words("today.crowd"))
    first, second = (translate(each.name, words.language) for each in mind.picks)
    chips = _chips(console, arguments.chips, words, first, second)
    if chips is None:
        return
    result = _result(position, seat, chips)
    share, perfect = (f"{100 * each:.0f}" for each in (result.beaten, result.perfect_beaten))
    beaten = words("today.beaten", share=share, perfect=perfect)
    console.say_wrapped(f"{_squares(result.squares)}  {beaten}")
    _show_gain(console, words, "today.gain", result.gain, result.risk)
    console.say(words("today.exact", chips=f"{CHIPS * mind.exact:.1f}"))


def _show_position(console: Console, words: Words, day: str, place: str, lines: Sequence[str]) -> None:
    console.say(console.strong(words("today.title", day=day)))
    console.say_wrapped(place)
    for line in lines:
        console.say(line)


def _show_gain(console: Console, words: Words, key: str, gain: float, risk: float) -> None:
    console.say_wrapped(words(key, gain=f"{100 * gain:+.1f}", risk=f"{100 * risk:.1f}"))


def _squares(count: int) -> str:
    return "■" * count + "□" * (SQUARES - count)


def _chips(console: Console, given: str | None, words: Words, first: str, second: str) -> int | None:
    """The chips of the command line, else those that are typed; None if Enter ends it."""
    if given is not None:
        return read_chips(given)
    while True:
        try:
            typed = console.ask(f"{words('today.ask', pick=first, other=second)} ").strip()
        except InputEnded:
            return None
        if not typed:
            return None
        try:
            return read_chips(typed)
        except Unreadable as error:
            if not console.typed:
                raise
            console.say_wrapped(str(error))


def _result(position: DayPosition, seat: int, chips: int) -> MindResult:
    mind, other = position.mind(seat), position.mind(3 - seat)
    return settle(mind, chips, crowd_of(mind.house), crowd_of(other.house))


def _play_at_server(arguments: argparse.Namespace, words: Words) -> None:
    """Show yesterday's result, and seal ten chips at a server until midnight UTC."""
    if arguments.seat:
        raise Usage("--seat does not go with --server, which gives everyone a seat")
    server = sign_in_at(arguments.server)
    asked = server.mind_today(words.language)
    if arguments.json:
        sealed = asked.state
        if arguments.chips is not None:
            sealed = _seal(server, asked, read_chips(arguments.chips))
        print(msgspec.json.encode(replace(asked, state=sealed)).decode())
        return
    console = Console()
    if asked.state.yesterday is not None:
        _show_yesterday(console, words, server.mind_day(asked.state.yesterday.day))
    _show_position(console, words, asked.state.day, f"{asked.place} · {asked.rules}", asked.say)
    if asked.chips is not None:
        console.say_wrapped(words("today.still", chips=asked.chips, rest=CHIPS - asked.chips))
    chips = _chips(console, arguments.chips, words, asked.picks[0].name, asked.picks[1].name)
    if chips is None:
        return
    console.say_wrapped(words("today.sealed", count=_seal(server, asked, chips).people))


def _seal(server: RestClient, asked: MindPosition, chips: int) -> MindState:
    return server.seal_mind(asked.state.day, (chips, CHIPS - chips))


def _show_yesterday(console: Console, words: Words, found: MindDay) -> None:
    if found.own is None:
        return
    score = found.own.score
    share, perfect = (f"{100 * each:.0f}" for each in (score.beaten, found.perfect_beaten))
    crowd = words("today.met", count=found.people, house=len(found.house))
    beaten = words("today.beat", share=share, perfect=perfect)
    console.say(console.strong(words("today.title", day=found.day)))
    console.say_wrapped(f"{_squares(score.squares)}  {beaten} {crowd}")
    _show_gain(console, words, "today.gain_crowd", found.own.gain, found.own.risk)
    console.say()


# --- streaks ------------------------------------------------------------------------------------------------


_Streaks: TypeAlias = "dict[str, tuple[int, int]]"
"""By game: the streak now, and the longest."""


def _streaks_file() -> Path:
    return state_folder() / "streaks.json"


def _read_streaks() -> _Streaks:
    """The streaks as they were left; none where they cannot be read."""
    try:
        kept = json.loads(_streaks_file().read_text(encoding="utf-8"))
        return {str(game): (int(now), int(most)) for game, (now, most) in kept.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}


def _write_streaks(streaks: _Streaks) -> None:
    """Keep them, where the folder can be written: a streak is no reason to stop."""
    try:
        _streaks_file().parent.mkdir(parents=True, exist_ok=True)
        replace_file(_streaks_file(), f"{json.dumps(streaks, sort_keys=True)}\n".encode())
    except OSError:
        return
