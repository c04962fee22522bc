"""Rollouts: the judge for games that are not solved. A bot of the game plays every position out many times.

The hands are those of the record; everything that is drawn later is drawn afresh.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, erfc, sqrt
from typing import Any, Final, NamedTuple

from facedown.core import registry
from facedown.core.chance import Seeded, Stream, deal_key
from facedown.core.errors import Unsupported
from facedown.core.game import FORFEIT, RESIGN, AnyGame, Pick
from facedown.core.parts.bot import AnyBot, bot_stream
from facedown.core.parts.judge import Appraisal, Chances, Judged
from facedown.core.parts.text import bot_called, pick_shown
from facedown.core.replay import ReplayedTurn
from facedown.core.seats import Seat, all_seats
from facedown.review import message
from facedown.review.predictability import read_by_kind

_WORK: Final = 2_000_000
"""Microseconds of an ordinary core that a review may take, as far as work can be counted in them."""
_PER_PICK: Final = 85
_PER_SEAT: Final = 17
"""What a pick takes, and what it takes more for every seat at the table."""
_PER_QUICK_PICK: Final = 30
_LEAST: Final = 12
_MOST: Final = 400
"""Games from a position."""
_SAMPLED: Final = 2
_UNKNOWN: Final = 1.0
"""The error of a cost that was not counted."""
_BY_CHANCE: Final = 0.05
"""In how many games at most chance alone may call a cost clear."""


class Guess(NamedTuple):
    """A chance to win or a difference of two, and its standard error."""

    value: float
    """The chance, or the difference."""
    error: float
    """Its standard error; 0 if it is exact."""


class PlayedOut(NamedTuple):
    """One game played out: 1 where the seat won, a half where it was drawn; and the seat's first pick."""

    result: float
    first: Pick | None
    picks: int
    """Of all seats."""


class Effort(NamedTuple):
    """How much is played out: the games from each judged position, and which positions are judged."""

    times: int
    stride: int = 1
    """Every position, or every second, third and so on, with the last one in any case."""


class _FirstPicks:
    """What the machine picks in one position; asked once, unless it leaves something to chance."""

    def __init__(self, game: AnyGame, machine: type[AnyBot], state: Any) -> None:
        self._game, self._machine, self._state = game, machine, state
        self._seats = frozenset(each for wave in game.pending(state) for each in wave)
        self._known: dict[Seat, Pick] = {}

    def of(self, seat: Seat, stream: Stream, player: AnyBot | None) -> Pick | None:
        """The pick of a seat; None where it has none to make. The player goes on with the game."""
        if seat not in self._seats:
            return None
        if seat in self._known and player is None:
            return self._known[seat]
        player = player or self._machine()
        untouched = stream.untouched
        pick = player.pick(self._game.view(self._state, seat), self._game.legal(self._state, seat), stream)
        if untouched and stream.untouched:
            self._known[seat] = pick
        return pick


@dataclass(frozen=True, slots=True)
class Rollouts:
    """The judge: the game, the bot that plays it out, how often, and where its chance comes from."""

    game: AnyGame
    machine: type[AnyBot]
    """Makes the first pick of every seat."""
    seats: int
    times: int | None
    """Games from each position; None for as many as a fixed amount of work allows."""
    key: bytes
    progress: Callable[[int, int], None] = lambda done, of: None
    """Called with the number of decisions that are judged, and of all."""
    quick: type[AnyBot] | None = None
    """Makes the later picks, where the machine takes too long for that."""

    def judge(self, turns: Sequence[ReplayedTurn], seat: Seat) -> Judged:
        effort = self.effort(turns, seat)
        appraisals: list[Appraisal] = []
        points: dict[int, Guess] = {}
        for number, turn in enumerate(turns, 1):
            self.progress(number - 1, len(turns))
            pick, games = turn.joint[seat - 1], list[PlayedOut]()
            if (number - 1) % effort.stride == 0 or number == len(turns):
                games = self.play_out(turn.before, seat, number, effort.times)
                points[number - 1] = _chance(games)
            if pick is not None:
                appraisals.append(self.appraise(number, turn.before, seat, pick, games))
        self.progress(len(turns), len(turns))
        if turns:
            points[len(turns)] = _chance(
                self.play_out(turns[-1].step.state, seat, len(turns) + 1, effort.times)
            )
        appraisals = with_clear_costs(appraisals)
        machine = bot_called(self.game.name, self.machine.name)
        picks = {pick for each in appraisals for pick in (each.pick, *each.advice)}
        key = "rollouts.judge" if effort.stride == 1 else "rollouts.judge.some"
        return Judged(
            judge=message(key, times=effort.times, stride=effort.stride),
            adviser=machine,
            chances=tuple(_chances(points, len(turns), appraisals)),
            appraisals=tuple(appraisals),
            reading=read_by_kind(self.game, turns, seat, self.key),
            written={pick: pick_shown(self.game.name, pick) for pick in picks},
        )

    def effort(self, turns: Sequence[ReplayedTurn], seat: Seat) -> Effort:
        """How often to play out which positions: counted in work, so that it is the same on every machine."""
        if self.times is not None or not turns:
            return Effort(self.times or 1)
        samples = [turns[0].before, turns[len(turns) // 2].before]
        work = [self._work(state, seat) for state in samples]
        whole = max(1.0, 2 * len(turns) * sum(work) / len(work))  # with the pick, and with the bot's own
        stride = max(1, ceil(_LEAST * whole / _WORK))
        return Effort(max(_LEAST, min(_MOST, int(_WORK * stride / whole))), stride)

    def _work(self, state: Any, seat: Seat) -> float:
        """About how many microseconds it takes to play a game out from here: by the picks in it."""
        if self.game.outcome(state) is not None:
            return 0.0
        games = self.play_out(state, seat, 0, _SAMPLED)
        per_pick = _PER_QUICK_PICK if self.quick is not None else _PER_PICK + _PER_SEAT * self.seats
        return sum(game.picks for game in games) / _SAMPLED * per_pick

    def appraise(
        self, number: int, state: Any, seat: Seat, pick: Pick, games: Sequence[PlayedOut]
    ) -> Appraisal:
        """The pick against the bot's own, which began these games: played out with the same chance."""
        place = message("rollouts.place", number=number)
        if pick == RESIGN and games:
            chance = _chance(games)
            return Appraisal(number, place, pick, {}, chance.value, None, chance.error)
        forced = len(self.game.legal(state, seat)) == 1
        if not games:  # a position that is not judged: nothing is claimed about it
            return Appraisal(number, place, pick, {}, 0.0, None, _UNKNOWN, forced=forced)
        counts = Counter(game.first for game in games)
        advice = {first: count / len(games) for first, count in counts.most_common() if first is not None}
        if advice == {pick: 1.0}:
            return Appraisal(number, place, pick, advice, 0.0, None, forced=forced)
        picked = self.play_out(state, seat, number, len(games), pick)
        cost = difference(games, picked)
        return Appraisal(number, place, pick, advice, cost.value, None, cost.error)

    def play_out(
        self, state: Any, seat: Seat, number: int, times: int, pick: Pick | None = None
    ) -> list[PlayedOut]:
        """Many games from one state; the seat begins with `pick`, where there is one.

        The chance is that of the decision's number: the same, whatever the seat begins with.
        """
        if self.game.outcome(state) is not None:
            return [PlayedOut(self._result(state, seat), None, 0)]
        first = _FirstPicks(self.game, self.machine, state)
        return [self._play(state, seat, f"{number}/{time}", pick, first) for time in range(times)]

    def _play(self, state: Any, seat: Seat, label: str, pick: Pick | None, first: _FirstPicks) -> PlayedOut:
        game = self.game
        key = deal_key(self.key, label)
        chance = Seeded(key)
        streams = {each: bot_stream(key, each) for each in all_seats(self.seats)}
        bots: dict[Seat, AnyBot] = {each: self.machine() for each in streams} if self.quick is None else {}
        joint = [first.of(each, streams[each], bots.get(each)) for each in all_seats(self.seats)]
        own = joint[seat - 1] if pick is None else pick
        joint[seat - 1] = own
        turn = game.forfeit if own == FORFEIT else game.resolve
        state = turn(state, tuple(joint), chance).state
        picks = len(joint) - joint.count(None)
        if self.quick is not None:
            bots = {each: self.quick() for each in streams}
        while game.outcome(state) is None:
            joint = [None] * self.seats
            for each in (each for wave in game.pending(state) for each in wave):
                joint[each - 1] = bots[each].pick(
                    game.view(state, each), game.legal(state, each), streams[each]
                )
                picks += 1
            state = game.resolve(state, tuple(joint), chance).state
        return PlayedOut(self._result(state, seat), own, picks)

    def _result(self, state: Any, seat: Seat) -> float:
        outcome = self.game.outcome(state)
        assert outcome is not None, "it was played to its end"
        return 0.5 if outcome.winner is None else float(outcome.winner == seat)


def _chances(points: dict[int, Guess], turns: int, appraisals: Sequence[Appraisal]) -> Iterator[Chances]:
    """The chances at every decision; between positions that were judged they go straight on."""
    judged = sorted(points)
    costs = {each.decision: each.cost for each in appraisals if each.clear}

    def at(point: int) -> Guess:
        here = bisect_right(judged, point)
        left, right = points[judged[here - 1]], points[judged[min(here, len(judged) - 1)]]
        if point in points:
            return points[point]
        part = (point - judged[here - 1]) / (judged[here] - judged[here - 1])
        return Guess(left.value + part * (right.value - left.value), max(left.error, right.error))

    for number in range(1, turns + 1):
        before, after = at(number - 1), at(number)
        luck = after.value - before.value + costs.get(number, 0.0)
        place = message("rollouts.place", number=number)
        yield Chances(number, place, before.value, after.value, None, luck, before.error, after.error)


def _chance(games: Sequence[PlayedOut]) -> Guess:
    """The share of games won. Its error is that of a share a little nearer to a half: never won ≠ never."""
    count = len(games)
    won = sum(game.result for game in games)
    if count == 1:
        return Guess(won, 0.0)
    doubted = (won + 1) / (count + 2)
    return Guess(won / count, sqrt(doubted * (1 - doubted) / count))


def difference(games: Sequence[PlayedOut], others: Sequence[PlayedOut]) -> Guess:
    """The mean difference of games in pairs, each with the same chance.

    Its error is as if one more pair had differed: always alike is not yet the same.
    """
    pairs = [one.result - other.result for one, other in zip(games, others, strict=True)]
    mean = sum(pairs) / len(pairs)
    spread = sum((each - mean) ** 2 for each in pairs) + 1
    return Guess(mean, sqrt(spread) / len(pairs))


def with_clear_costs(appraisals: Sequence[Appraisal]) -> list[Appraisal]:
    """The appraisals, with those costs marked as clear that chance does not explain.

    By Holm's method: in a game in which no pick cost anything, one is called clear with a chance of at most
    `_BY_CHANCE`, however many picks there are.
    """
    estimates = [each for each in appraisals if 0 < each.error < _UNKNOWN]
    tested = sorted(estimates, key=lambda each: -abs(each.cost / each.error))
    clear = set[int]()
    for left, each in zip(range(len(tested), 0, -1), tested, strict=True):
        if erfc(abs(each.cost) / each.error / sqrt(2)) > _BY_CHANCE / left:
            break
        clear.add(each.decision)
    return [replace(each, clear=not each.error or each.decision in clear) for each in appraisals]


def reviewer(game: str) -> type[AnyBot]:
    """The bot that plays a game's positions out."""
    found: type[AnyBot] | None = getattr(registry.part(game, "bots"), "REVIEWER", None)
    if found is None:
        title = registry.get(game).meta.title
        raise Unsupported(
            f"no judge knows {title} yet: its folder has no `review`, and no REVIEWER in `bots`"
        )
    return found


def training_machine(game: str) -> type[AnyBot]:
    """The bot beside whose picks a trainer marks: the one that the game names for it, else the reviewer."""
    found: type[AnyBot] = getattr(registry.part(game, "bots"), "TRAINER", None) or reviewer(game)
    return found


def playout(game: str) -> type[AnyBot] | None:
    """The quick bot that goes on after the first pick; None where a game has none."""
    found: type[AnyBot] | None = getattr(registry.part(game, "bots"), "PLAYOUT", None)
    return found
