"""How people pick in E-Card: a small model, fitted to recorded games, and how well it foretells other games.

    python -m scripts.people FILE             fit it to recorded games
    python -m scripts.people FOLDER --json

The model is `PickHabits`, by which the machine `habit` plays with assumed numbers. `scripts.people:Foreseer`
is `reader` beginning with the model instead of the exact solution, for `facedown arena`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import exp, log, log2
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import facedown
from facedown.core.replay import replay
from facedown.games.ecard.bots.people import ASSUMED, PickHabits
from facedown.games.ecard.bots.reader import Reader
from facedown.games.ecard.bots.reading import Note, OpponentReading, OpponentRound
from facedown.games.ecard.bots.worth import RoundWorth, start_of, winning_side
from facedown.games.ecard.view import ECardView

PARTS: Final = 5
"""The parts of the games: each is foretold by a model that was fitted to the others."""
_STEPS: Final = (0.8, 0.3, 0.1, 0.03, 0.01)
_LEAST: Final = 0.01
"""No chance is foretold as less, as in the machines' notes."""
_PRIOR: Final = 5.0
"""The assumptions count as much as this number of plays of every kind: few games forbid nothing."""


class Choice(NamedTuple):
    """A play in which the special card could be shown: what is known before it, and whether it was."""

    play: int
    shown: int
    """Where it was seen last on this side; 0 for never."""
    result: int
    """How the last round ended: 1 won, -1 lost, 0 neither."""
    special: bool


class SeatGame(NamedTuple):
    """One seat's rounds in one game, with what the exact solution plays in each."""

    rounds: list[tuple[OpponentRound, tuple[float, ...]]]


# --- games -----------------------------------------------------------------------------------------------


def seat_games(file: str) -> Iterator[tuple[SeatGame, SeatGame]]:
    """Every recorded game of E-Card, as both seats played it."""
    for record in facedown.records(file):
        match = replay(record)
        yield seat_game(match.view(2)), seat_game(match.view(1))


def seat_game(view: ECardView) -> SeatGame:
    """What the other seat of a view did."""
    place, seat = start_of(view), 3 - view.viewer
    rounds = []
    for each in view.rounds:
        seen = OpponentRound.of(seat, each.emperor, each.plays, each.cards, each.winner)
        rounds.append((seen, place.round_at(each.stake).theirs))
        place = place.after(each.stake, winning_side(each.emperor, each.winner))
    return SeatGame(rounds)


def choices(game: SeatGame) -> Iterator[Choice]:
    """The choices of a seat, with what it remembers of the rounds before."""
    last: dict[str, int] = {}
    result = 0
    for seen, _ in game.rounds:
        for play in seen.choices:
            yield Choice(play, last.get(seen.side, 0), result, seen.showed_special(play))
        if seen.special:
            last[seen.side] = seen.plays
        result = seen.result


# --- fitting ---------------------------------------------------------------------------------------------


def fit(games: Iterable[SeatGame]) -> PickHabits:
    """The likeliest numbers, by going up along each of them in smaller and smaller steps."""
    counts: dict[tuple[int, int, int], list[float]] = {}
    for game in games:
        for choice in choices(game):
            cell = counts.setdefault(choice[:3], _prior(*choice[:3]))
            cell[choice.special] += 1

    def surprise(logs: Logs) -> float:
        habits, total = _habits(logs), 0.0
        for (play, shown, result), (kept, special) in counts.items():
            chance = min(max(habits.special(play, shown, result), 1e-9), 1 - 1e-9)
            total -= special * log(chance) + kept * log(1 - chance)
        return total

    return _habits(_descend(surprise, _logs(ASSUMED)))


def _prior(play: int, shown: int, result: int) -> list[float]:
    chance = ASSUMED.special(play, shown, result)
    return [_PRIOR * (1 - chance), _PRIOR * chance]


Logs: TypeAlias = "tuple[float, ...]"
"""The logarithms of a model's numbers: of the liking of each play, of the other three."""


def _logs(habits: PickHabits) -> Logs:
    return tuple(map(log, (*habits.liking, habits.again, habits.won, habits.lost)))


def _habits(logs: Logs) -> PickHabits:
    *liking, again, won, lost = map(exp, logs)
    return PickHabits(tuple(liking), again, won, lost)


def _descend(surprise: Callable[[Logs], float], logs: Logs) -> Logs:
    best = surprise(logs)
    for step in _STEPS:
        moved = True
        while moved:
            moved = False
            for at in range(len(logs)):
                for change in (step, -step):
                    there = (*logs[:at], logs[at] + change, *logs[at + 1 :])
                    if (found := surprise(there)) < best - 1e-9:
                        logs, best, moved = there, found, True
    return logs


# --- foretelling -----------------------------------------------------------------------------------------

Foreteller: TypeAlias = "Callable[[SeatGame], Iterator[tuple[float, bool]]]"
"""What it says of each choice of a game, and what came of it."""


def by_solution(game: SeatGame) -> Iterator[tuple[float, bool]]:
    """The exact solution."""
    for seen, usual in game.rounds:
        yield from ((usual[play - 1], seen.showed_special(play)) for play in seen.choices)


def by_chance(game: SeatGame) -> Iterator[tuple[float, bool]]:
    """Every card in hand alike."""
    return ((1 / (6 - choice.play), choice.special) for choice in choices(game))


def by_model(habits: PickHabits) -> Foreteller:
    """The model alone."""
    return lambda game: ((habits.special(*each[:3]), each.special) for each in choices(game))


class Recent:
    """What the model goes by: where the special card was seen last on each side, and the last result."""

    def __init__(self) -> None:
        self.last: dict[str, int] = {}
        self.result = 0

    def see(self, seen: OpponentRound) -> None:
        if seen.special:
            self.last[seen.side] = seen.plays
        self.result = seen.result

    def chances(self, habits: PickHabits, side: str, plays: int) -> list[float]:
        """What the model says of each play of the next round."""
        shown = self.last.get(side, 0)
        return [habits.special(play, shown, self.result) for play in range(1, plays + 1)]


def by_reader(habits: PickHabits | None = None) -> Foreteller:
    """What `reader` expects of an opponent it never met; with a model, beginning with that."""

    def foretell(game: SeatGame) -> Iterator[tuple[float, bool]]:
        reading, recent = OpponentReading(), Recent()
        for seen, usual in game.rounds:
            start = usual if habits is None else recent.chances(habits, seen.side, len(usual))
            chances = reading.chances(seen.side, start)
            yield from ((chances[play - 1], seen.showed_special(play)) for play in seen.choices)
            reading.see(seen)
            recent.see(seen)

    return foretell


class Foreseer(Reader):
    """Plays as `reader`, but expects an unknown opponent to pick as the assumed model says."""

    name: ClassVar[str] = "foreseer"
    habits: ClassVar[PickHabits] = ASSUMED

    _recent: Recent

    def _start(self, view: ECardView, notes: list[Note]) -> None:
        super()._start(view, notes)
        self._recent = Recent()

    def _finish(self, seen: OpponentRound, stake: int) -> None:
        super()._finish(seen, stake)
        self._recent.see(seen)

    def _prediction(self, side: str, worth: RoundWorth) -> tuple[float, ...]:
        return self._reading.chances(side, self._recent.chances(self.habits, side, len(worth.theirs)))


def log_loss(foretell: Foreteller, games: Iterable[SeatGame]) -> tuple[float, int]:
    """Bits of surprise in all, and the number of choices."""
    bits, count = 0.0, 0
    for game in games:
        for chance, special in foretell(game):
            bits -= log2(max(chance if special else 1 - chance, _LEAST))
            count += 1
    return bits, count


def measure(games: Sequence[tuple[SeatGame, ...]]) -> dict[str, Any]:
    """What each foreteller's surprise is, in bits a choice, in games that no model was fitted to."""
    bits: dict[str, float] = {}
    count = 0
    for part in range(PARTS):
        held = [seat for number, game in enumerate(games) if number % PARTS == part for seat in game]
        others = [seat for number, game in enumerate(games) if number % PARTS != part for seat in game]
        fitted = fit(others)
        foretellers: dict[str, Foreteller] = {
            "every card alike": by_chance,
            "the exact solution": by_solution,
            "the model, assumed": by_model(ASSUMED),
            "the model, fitted": by_model(fitted),
            "reader": by_reader(),
            "reader, beginning with the assumed model": by_reader(ASSUMED),
            "reader, beginning with the fitted model": by_reader(fitted),
        }
        for name, foretell in foretellers.items():
            more, asked = log_loss(foretell, held)
            bits[name] = bits.get(name, 0.0) + more
        count += asked
    return {"choices": count, "bits": {name: each / max(1, count) for name, each in bits.items()}}


def main() -> int:
    """Fit the model, and print it with what it foretells."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", help="recorded games, a line each")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    games = list(seat_games(given.folder))
    habits = fit(seat for game in games for seat in game)
    found = {"games": len(games), "model": habits._asdict(), **measure(games)}
    if given.json:
        print(json.dumps(found))
        return 0
    whole = sum(habits.liking)
    print(f"{found['games']} games, {found['choices']} choices")
    print("liking of each play:", ", ".join(f"{100 * each / whole:.0f} %" for each in habits.liking))
    print(f"there again: × {habits.again:.2f}")
    print(f"each play later, after a won round: × {habits.won:.2f}, lost: × {habits.lost:.2f}")
    for name, bits in found["bits"].items():
        print(f"{bits:.4f} bits a choice: {name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
