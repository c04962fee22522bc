"""The trainer for games that are not solved: asks for the pick, and plays it out beside the machine's own.

Owns the question and the mark; the machine is the game's `TRAINER`, else its `REVIEWER`. The hands are those
of the game; what is drawn later is drawn afresh.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any, Final

from facedown.core.chance import seed_of
from facedown.core.errors import UnreadablePick
from facedown.core.game import RESIGN, AnyGame, Pick
from facedown.core.parts.text import bot_called, pick_shown, text_of
from facedown.core.parts.trainer import Exercise, MarkedPick, OfferedPick, TrainingMark
from facedown.core.seats import Seat, all_seats
from facedown.core.text.translation import ENGLISH, Text, translate
from facedown.review.rollouts import PlayedOut, Rollouts, playout, training_machine
from facedown.study import message

_TIMES: Final = 150
"""Games from each pick."""
_POINT: Final = 4
"""What a hundredth of the game takes from the mark."""


class PickTrainer:
    """Asks for the pick of a seat, and marks it by games that the reviewer begins."""

    def __init__(self, game: AnyGame, seats: int, progress: Callable[[int, int], None]) -> None:
        self._game = game
        self._seats = seats
        self._progress = progress

    def ask(self, state: Any, seat: Seat, language: str = ENGLISH) -> Exercise | None:
        """What the seat sees, and what to pick; None where there is no choice."""
        game = self._game
        if game.outcome(state) is not None:
            return None
        waiting = [each for wave in game.pending(state) for each in wave]
        legal = self._legal(state, seat)
        if seat not in waiting or len(legal) < 2:
            return None
        view = game.view(state, seat)
        table = text_of(game.name, language).table(view, self._names(seat, language))
        return Exercise(
            rules=str(view.rules),
            place=message("train.place", seats=self._seats, seat=seat),
            say=tuple(table.splitlines()),
            question=message("train.question"),
            kind="pick",
            picks=tuple(OfferedPick(str(pick), pick_shown(game.name, pick)) for pick in legal),
            hand=tuple(str(card) for card in getattr(view, "hand", ())),
        )

    def mark(self, state: Any, seat: Seat, answer: str) -> TrainingMark:
        """The mark: the pick against the machine's own, both played out with the same chance."""
        game, legal = self._game, self._legal(state, seat)
        wanted = answer.strip()
        chosen = next((pick for pick in legal if pick.lower() == wanted.lower()), None)
        if chosen is None:
            say = f"{wanted[:20]!r} is no pick here: there are {', '.join(legal)}"
            raise UnreadablePick(say, text=wanted[:40])
        key = seed_of(repr((game.name, state, seat)))
        machine = training_machine(game.name)
        rollouts = Rollouts(game, machine, self._seats, _TIMES, key, quick=playout(game.name))
        usual = rollouts.play_out(state, seat, 1, _TIMES)
        firsts = [each.first for each in usual if each.first is not None]
        own = max(set(firsts), key=lambda pick: (firsts.count(pick), pick))
        played: dict[Pick, list[PlayedOut]] = {}
        wanted_picks = dict.fromkeys((own, chosen))
        for number, pick in enumerate(wanted_picks, 1):
            self._progress(number, len(wanted_picks) + 1)
            played[pick] = rollouts.play_out(state, seat, 1, _TIMES, pick)
        found = (self._mark(pick, played, own, chosen) for pick in wanted_picks)
        marked = tuple(sorted(found, key=lambda each: -each.value))
        result = next(each for each in marked if each.chosen)
        right = result.cost <= 2 * result.error or result.pick == own
        return TrainingMark(
            points=100 if right else max(0, round(100 * (1 - _POINT * result.cost))),
            right=right,
            say=tuple(self._sentences(result, own, machine.name)),
            answer=str(chosen),
            best=str(own),
            picks=marked,
        )

    def _sentences(self, result: MarkedPick, own: Pick, machine: str) -> list[Text]:
        game = self._game.name
        who = bot_called(game, machine)
        said: list[Text] = [message("train.machine", machine=who, pick=pick_shown(game, own))]
        if result.pick == own:
            said.append(message("train.same"))
        elif abs(result.cost) <= 2 * result.error:
            said.append(message("train.unclear", error=f"{200 * result.error:.1f}"))
        else:
            key = "train.better" if result.cost < 0 else "train.worse"
            off, error = f"{100 * abs(result.cost):.1f}", f"{200 * result.error:.1f}"
            said.append(message(key, cost=off, error=error))
        said.append(message("train.how", machine=who, times=_TIMES))
        return said

    def _mark(self, pick: Pick, played: dict[Pick, list[PlayedOut]], own: Pick, chosen: Pick) -> MarkedPick:
        value = sum(each.result for each in played[pick]) / _TIMES
        pairs = [its.result - mine.result for its, mine in zip(played[own], played[pick], strict=True)]
        mean = sum(pairs) / len(pairs)
        spread = sum((each - mean) ** 2 for each in pairs) + 1  # always alike is not yet the same
        error = 0.0 if pick == own else sqrt(spread) / len(pairs)
        return MarkedPick(str(pick), pick_shown(self._game.name, pick), value, mean, error, pick == chosen)

    def _legal(self, state: Any, seat: Seat) -> tuple[Pick, ...]:
        return tuple(pick for pick in self._game.legal(state, seat) if pick != RESIGN)

    def _names(self, seat: Seat, language: str) -> list[str]:
        return [
            translate(message("train.you") if each == seat else message("train.seat", seat=each), language)
            for each in all_seats(self._seats)
        ]
