"""The playoff of Davenport (D16 to D19): the seats that went out together, and a fresh deck."""

from __future__ import annotations

from typing import NamedTuple

from facedown.core.chance import Chance
from facedown.core.events import Event, private, public
from facedown.core.seats import Seat
from facedown.games.davenport.reveal import Supply, dealt, highest
from facedown.games.davenport.state import PLAYOFF, DavenportState


def start(state: DavenportState, seats: tuple[Seat, ...], chance: Chance) -> DavenportState:
    """D16: only these seats take part; a fresh deck, `playoff_cards` cards each."""
    supply = Supply()
    hands = dealt(seats, state.rules.playoff_cards, supply, chance)
    everybody = range(1, len(state.hands) + 1)
    return state._replace(
        phase=PLAYOFF,
        round=1,
        seats_in=seats,
        hands=tuple([hands.get(seat, ()) for seat in everybody]),
        stock=tuple(supply.stock),
        discards=(),
        wins=(0,) * len(state.hands),
    )


def start_events(begun: DavenportState) -> tuple[Event, ...]:
    """D10, D16: who takes part, and to each of these seats, its cards."""
    rules, seats = begun.rules, begun.seats_in
    said = public("playoff", ("D10", "D16"), seats=seats, playoff=rules.playoff, cards=rules.playoff_cards)
    hands = [(seat, begun.hands[seat - 1]) for seat in seats]
    return (said, *(private(seat, "hand", ("D16",), seat=seat, cards=hand) for seat, hand in hands))


class PlayoffResult(NamedTuple):
    """What a round of the playoff comes to."""

    wins: tuple[int, ...]
    leaving: tuple[Seat, ...]
    winner: Seat | None
    """The winner of the game; None while it goes on."""
    rule: str
    """The rule by which the round was judged."""
    decides: str
    """The rule that says who draws, and who has won."""

    def staying(self, state: DavenportState) -> tuple[Seat, ...]:
        return tuple([seat for seat in state.seats_in if seat not in self.leaving])


def judge(state: DavenportState, values: list[int]) -> PlayoffResult:
    """D17 to D19: by elimination or by wins."""
    return _by_wins(state, values) if state.rules.playoff == "wins" else _by_elimination(state, values)


def _by_elimination(state: DavenportState, values: list[int]) -> PlayoffResult:
    """D17: the lowest card leaves; if several share it, none does. D18: the last seat in wins."""
    low = min(values)
    lows = tuple([seat for seat, value in zip(state.seats_in, values, strict=True) if value == low])
    leaving = lows if len(lows) == 1 else ()
    last = [seat for seat in state.seats_in if seat not in leaving]
    return PlayoffResult(state.wins, leaving, last[0] if len(last) == 1 else None, "D17", "D18")


def _by_wins(state: DavenportState, values: list[int]) -> PlayoffResult:
    """D19: the highest card scores; one seat alone in front with enough wins the playoff."""
    winners = highest(state.seats_in, values)
    wins = tuple(count + (seat in winners) for seat, count in enumerate(state.wins, 1))
    front = _in_front(state, wins)
    winner = front[0] if len(front) == 1 else None
    return PlayoffResult(wins, _behind(state, front), winner, "D19", "D19")


def _in_front(state: DavenportState, wins: tuple[int, ...]) -> tuple[Seat, ...]:
    """D19: the seats with the most wins, once these are enough; none before that."""
    best = max(wins[seat - 1] for seat in state.seats_in)
    if best < state.rules.playoff_wins:
        return ()
    return tuple(seat for seat in state.seats_in if wins[seat - 1] == best)


def _behind(state: DavenportState, front: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """D19: no seat is out, unless several reached the number together: then those with fewer wins are."""
    reached_before = max(state.wins) >= state.rules.playoff_wins
    if len(front) > 1 or reached_before:
        return tuple(seat for seat in state.seats_in if seat not in front)
    return ()
