"""What gives a seat of Davenport away: when it exchanges, by what everyone at the table has seen.

Owns the situations, their words, and the measurement of what a habit costs. The game is not solved: a
situation is compared with the seat's other picks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import sqrt
from typing import Final

from facedown.core.chance import Seeded, Stream, deal_key, seed_of
from facedown.core.errors import UnreadablePick
from facedown.core.game import FORFEIT, RESIGN, Pick
from facedown.core.match import Match
from facedown.core.parts.bot import bot_stream
from facedown.core.parts.readable import HabitCost, ReadPick, SeatGame
from facedown.core.parts.trainer import DrillNumbers, Exercise
from facedown.core.replay import ReplayedTurn
from facedown.core.seats import Seat, all_seats
from facedown.core.text.translation import Text
from facedown.games.davenport import message
from facedown.games.davenport.bots.careful import Careful, best_pick, think
from facedown.games.davenport.game import GAME
from facedown.games.davenport.notation import EXCHANGE, is_exchange
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import CARDS_EACH, PLAYOFF, DavenportRound, DavenportState

_FEW: Final = 2
_SITUATIONS: Final = ("lost", "won", "cold", "again", "played", "few", "many", "danger", "third")
_PAIRS: Final = 200
"""Pairs of games in which a cost is measured."""
_READER: Final = 2
_NORMAL: Final = 1.96
_FINE: Final = 1 << 53


def _situations(state: DavenportState, seat: Seat) -> Iterator[str]:
    """Every situation that the seat is in."""
    rounds = [each for each in state.history if isinstance(each, DavenportRound)]
    last = rounds[-1] if rounds else None
    others = [len(state.hands[each - 1]) for each in state.seats_in if each != seat]
    held = len(state.hands[seat - 1])
    holds = {
        "lost": last is not None and seat not in last.winners,
        "won": last is not None and seat in last.winners,
        "cold": not any(seat in each.winners for each in rounds),
        "again": last is not None and last.exchanged[seat - 1],
        "played": last is not None and not last.exchanged[seat - 1],
        "few": held <= _FEW,
        "many": held > CARDS_EACH,
        "danger": min(others, default=_FEW) == 1,
        "third": state.round % 3 == 0,
    }
    return (each for each in _SITUATIONS if holds[each])


def _can_be_read(state: DavenportState) -> bool:
    return state.outcome is None and state.phase != PLAYOFF and state.rules.exchange


# --- the part ---------------------------------------------------------------------------------------------


def read_picks(turns: Sequence[ReplayedTurn], seat: Seat) -> Iterator[ReadPick]:
    """Each pick of the seat in the main game: whether it was an exchange."""
    for each in turns:
        pick = each.joint[seat - 1]
        if pick not in (None, RESIGN, FORFEIT) and _can_be_read(each.before):
            yield ReadPick(is_exchange(pick), None, tuple(_situations(each.before, seat)))


def habit_words(where: str, more: bool) -> Text:
    """The habit as a sentence."""
    if where not in _SITUATIONS:
        raise UnreadablePick(f"{where[:40]!r} is no habit of this game", text=where[:40])
    when = message(f"readable.when.{where}")
    return message("readable.exchanges" if more else "readable.plays", when=when)


def drill(state: DavenportState, seat: Seat, where: str, exercise: Exercise) -> Exercise | None:
    """The position with all its picks; exchanges are the habit's own."""
    if not _can_be_read(state) or where not in _situations(state, seat):
        return None
    does = tuple(each.pick for each in exercise.picks if is_exchange(each.pick))
    here = message("readable.here", when=message(f"readable.when.{where}"))
    return replace(exercise, say=(*exercise.say, here), drill=DrillNumbers(does, None))


# --- what a habit costs -----------------------------------------------------------------------------------


class _Habitual(Careful):
    """Exchanges as often as the person does, in the situation and elsewhere; which card, it weighs."""

    def __init__(self, where: str, here: float, usual: float) -> None:
        super().__init__()
        self._where, self._here, self._usual = where, here, usual

    def share(self, state: DavenportState, seat: Seat) -> float:
        """How likely it exchanges."""
        return self._here if self._where in _situations(state, seat) else self._usual

    def choose(self, state: DavenportState, seat: Seat, stream: Stream) -> Pick:
        view = GAME.view(state, seat)
        worths = think(view, self.read(view)).worths
        if stream.below(_FINE) < self.share(state, seat) * _FINE:
            return EXCHANGE[max(worths, key=lambda each: each[2])[0]]
        return max(worths, key=lambda each: each[1])[0]


def habit_cost(where: str, picks: Sequence[ReadPick], games: Sequence[SeatGame]) -> HabitCost | None:
    """What `careful` wins more if it knows how often the person exchanges, in the situation and elsewhere.

    Measured in pairs of games with the same deals, at tables like the last one; the interval is that of the
    difference. In a playoff everybody plays as `careful`.
    """
    everything = list(chain.from_iterable(read_picks(*each) for each in games))
    others = [pick.did for pick in everything if where not in pick.where]
    if not others:
        return None
    here, usual = sum(pick.did for pick in picks) / len(picks), sum(others) / len(others)
    state = games[-1].turns[0].before
    plan = state.rules, len(state.hands), _Habitual(where, here, usual)
    pairs = [[_play(*plan, number, knows=knows) for knows in (True, False)] for number in range(_PAIRS)]
    value, without = (sum(each) / _PAIRS for each in zip(*pairs, strict=True))
    gains = [knowing - blind for knowing, blind in pairs]
    error = sqrt(sum((gain - value + without) ** 2 for gain in gains) / (_PAIRS - 1) / _PAIRS)
    return HabitCost(value, value - _NORMAL * error, value + _NORMAL * error, without, measured=True)


def _play(rules: DavenportRules, seats: int, person: _Habitual, number: int, *, knows: bool) -> float:
    """What the reader, on the second seat, gets of a game against the person on the first."""
    key = deal_key(seed_of("readable"), str(number))
    match = Match(GAME, rules, [f"Seat {seat}" for seat in all_seats(seats)], Seeded(key))
    machines = {seat: Careful() for seat in all_seats(seats)}
    stream = bot_stream(key, 1)
    while match.outcome is None:
        state = match.state
        picks: dict[Seat, Pick] = {}
        for seat in chain.from_iterable(match.pending):
            view = match.view(seat)
            if seat == 1 and _can_be_read(state):
                picks[seat] = person.choose(state, seat, stream)
            elif seat == _READER and knows and _can_be_read(state):
                thoughts = think(view, machines[seat].read(view), {1: person.share(state, 1)})
                picks[seat] = best_pick(view, thoughts)
            else:
                picks[seat] = machines[seat].pick(view, match.legal(seat), stream)
        match.decide(tuple(picks.get(seat) for seat in all_seats(seats)))
    winner = match.outcome.winner
    return 1 / seats if winner is None else float(winner == _READER)
