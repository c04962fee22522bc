"""Rollouts: the judge for games that are not solved. A bot of the game plays every position out many times.

The hands are those of the record; everything that is drawn later is drawn afresh.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

from facedown.core import registry
from facedown.core.chance import Seeded, deal_key
from facedown.core.errors import Unsupported
from facedown.core.game import RESIGN, AnyGame, Pick
from facedown.core.parts.bot import AnyBot, bot_stream
from facedown.core.parts.judge import Appraisal, Chances, Judged
from facedown.core.parts.text import bot_called
from facedown.core.replay import ReplayedTurn
from facedown.core.seats import Seat, all_seats
from facedown.review import message
from facedown.review.reader import read_by_kind


class Guess(NamedTuple):
    """A chance to win or a difference of two, and its standard error."""

    value: float
    error: float


class PlayedOut(NamedTuple):
    """One game played out: 1 where the seat won, a half where it was drawn; and the seat's first pick."""

    result: float
    first: Pick | None


@dataclass(frozen=True, slots=True)
class Rollouts:
    """The judge: the game, the bot that plays it out, how often, and where its chance comes from."""

    game: AnyGame
    machine: type[AnyBot]
    seats: int
    times: int
    key: bytes
    progress: Callable[[int, int], None] = lambda done, of: None
    """Called with the number of decisions that are judged, and of all."""

    def judge(self, turns: Sequence[ReplayedTurn], seat: Seat) -> Judged:
        """All that rollouts show about this seat's play."""
        chances: list[Chances] = []
        appraisals: list[Appraisal] = []
        games = self.play_out(turns[0].before, seat, 1) if turns else []
        for number, turn in enumerate(turns, 1):
            self.progress(number - 1, len(turns))
            place, pick = message("rollouts.place", number=number), turn.joint[seat - 1]
            before, cost = _chance(games), 0.0
            if pick is not None:
                appraisal = self.appraise(number, turn.before, seat, pick, games)
                appraisals.append(appraisal)
                cost = appraisal.cost
            games = self.play_out(turn.step.state, seat, number + 1)
            after = _chance(games)
            luck = after.value - before.value + cost
            chances.append(
                Chances(number, place, before.value, after.value, None, luck, before.error, after.error)
            )
        self.progress(len(turns), len(turns))
        machine = bot_called(self.game.name, self.machine.name)
        return Judged(
            judge=message("rollouts.judge", times=self.times, machine=machine),
            adviser=machine,
            chances=tuple(chances),
            appraisals=tuple(appraisals),
            reading=read_by_kind(self.game, turns, seat, self.key),
        )

    def appraise(
        self, number: int, state: Any, seat: Seat, pick: Pick, games: Sequence[PlayedOut]
    ) -> Appraisal:
        """The pick against the bot's own, which began these games: played out with the same chance."""
        place = message("rollouts.place", number=number)
        if pick == RESIGN:
            chance = _chance(games)
            return Appraisal(number, place, pick, {}, chance.value, None, chance.error)
        counts = Counter(game.first for game in games)
        advice = {first: count / len(games) for first, count in counts.most_common() if first is not None}
        if advice == {pick: 1.0}:
            return Appraisal(number, place, pick, advice, 0.0, None)
        picked = self.play_out(state, seat, number, pick)
        cost = _difference([its.result - mine.result for its, mine in zip(games, picked, strict=True)])
        return Appraisal(number, place, pick, advice, cost.value, None, cost.error)

    def play_out(self, state: Any, seat: Seat, number: int, pick: Pick | None = None) -> list[PlayedOut]:
        """Many games from one state; the seat begins with `pick`, where there is one.

        The chance is that of the decision's number: the same, whatever the seat begins with.
        """
        if self.game.outcome(state) is not None:
            return [PlayedOut(self._result(state, seat), None)]
        return [self._play(state, seat, f"{number}/{time}", pick) for time in range(self.times)]

    def _play(self, state: Any, seat: Seat, label: str, pick: Pick | None) -> PlayedOut:
        game = self.game
        key = deal_key(self.key, label)
        chance = Seeded(key)
        crew = {each: (self.machine(), bot_stream(key, each)) for each in all_seats(self.seats)}
        first: Pick | None = None
        while game.outcome(state) is None:
            joint: list[Pick | None] = [None] * self.seats
            for each in (each for wave in game.pending(state) for each in wave):
                machine, stream = crew[each]
                joint[each - 1] = machine.pick(game.view(state, each), game.legal(state, each), stream)
            if pick is not None:
                joint[seat - 1], pick = pick, None
            first = first or joint[seat - 1]
            state = game.resolve(state, tuple(joint), chance).state
        return PlayedOut(self._result(state, seat), first)

    def _result(self, state: Any, seat: Seat) -> float:
        outcome = self.game.outcome(state)
        assert outcome is not None, "it was played to its end"
        return 0.5 if outcome.winner is None else float(outcome.winner == seat)


def _chance(games: Sequence[PlayedOut]) -> Guess:
    """The share of games won. Its error is that of a share a little nearer to a half: never won ≠ never."""
    count = len(games)
    won = sum(game.result for game in games)
    if count == 1:
        return Guess(won, 0.0)
    doubted = (won + 1) / (count + 2)
    return Guess(won / count, sqrt(doubted * (1 - doubted) / count))


def _difference(pairs: Sequence[float]) -> Guess:
    """The mean of differences. Its error is as if one more pair had differed: always alike ≠ the same."""
    count = len(pairs)
    mean = sum(pairs) / count
    spread = sum((each - mean) ** 2 for each in pairs) + 1
    return Guess(mean, sqrt(spread) / count)


def reviewer(game: str) -> type[AnyBot]:
    """The bot that plays a game's positions out."""
    found: type[AnyBot] | None = getattr(registry.part(game, "bots"), "REVIEWER", None)
    if found is None:
        title = registry.get(game).meta.title
        raise Unsupported(
            f"nobody can judge {title} yet: its folder has no `review`, and no REVIEWER in `bots`"
        )
    return found
