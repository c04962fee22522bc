"""The verdict on a round of Davenport at many tables (D6, D7, D10 to D19): who wins, draws and leaves.

Every function computes all tables; what happens at some of them alone is chosen by a condition.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from facedown.core.parts.batch import Array, Namespace, computed_once, recomputes
from facedown.games.davenport.batch.state import DavenportTables, Switches, never

_ACE: Final = 1
_JACK: Final = 11
_NO_CARD: Final = 99
"""Higher than any value: shown by a seat that is not in, when finding the lowest card."""
_NEVER_SET: Final = 31
"""The bit of a verdict's word that is never set."""


class TableVerdict(NamedTuple):
    """What a round comes to, by seat."""

    winners: tuple[Array, ...]
    first: tuple[Array, ...]
    """Who draws a card."""
    additional: tuple[Array, ...]
    """Who draws one more (D12, D13)."""
    leaving: tuple[Array, ...]
    winner: Array
    """The winner of a playoff; 0 while it goes on."""


def judge(xp: Namespace, rules: Switches, state: DavenportTables, values: tuple[Array, ...]) -> TableVerdict:
    """What the values that were shown come to, in either phase."""
    main, playoff = _judge_main(xp, rules, state, values), _judge_playoff(xp, rules, state, values)
    return _once(xp, _of_phase(xp, state.playoff, playoff, main))


# --- the main game ---------------------------------------------------------------------------------------


def _judge_main(
    xp: Namespace, rules: Switches, state: DavenportTables, values: tuple[Array, ...]
) -> TableVerdict:
    """D6, D7, D11 to D14: who wins a round of the main game, who draws, and who one more."""
    top = _highest(xp, values)
    best = tuple([(value == top) & is_in for value, is_in in zip(values, state.seats_in, strict=True)])
    no_seat = xp.zeros_like(best[0])
    if not never(rules.ace):
        aces = tuple([(value == _ACE) & rules.ace for value in values])
        shown = _any(aces)
        beaten = shown & (top >= _JACK)  # D11
        winners = tuple([xp.where(beaten, ace, high) for ace, high in zip(aces, best, strict=True)])
        punished = shown & (top < _JACK) & (top > _ACE)  # D13
        additional = tuple(
            [(beaten & high) | (punished & ace) for ace, high in zip(aces, best, strict=True)]  # D12, D13
        )
    else:
        winners, additional = best, (no_seat,) * len(best)
    losers = tuple([is_in & ~won for is_in, won in zip(state.seats_in, winners, strict=True)])
    stays = (no_seat,) * len(best)
    return TableVerdict(winners, losers, additional, stays, xp.zeros_like(top))


# --- the playoff -----------------------------------------------------------------------------------------


def _judge_playoff(
    xp: Namespace, rules: Switches, state: DavenportTables, values: tuple[Array, ...]
) -> TableVerdict:
    """D17 to D19: who scored and who leaves; those who are still in draw, unless the game is decided."""
    top = _highest(xp, values)
    best = tuple([(value == top) & is_in for value, is_in in zip(values, state.seats_in, strict=True)])
    leaving = _by_elimination(xp, state, values)
    stays = tuple([is_in & ~gone for is_in, gone in zip(state.seats_in, leaving, strict=True)])
    winner = xp.where(sum_of(xp, stays) == 1, seat_of(xp, stays), 0)
    if not never(rules.by_wins):
        behind, first = _by_wins(xp, rules, state, best)
        leaving = tuple([xp.where(rules.by_wins, one, two) for one, two in zip(behind, leaving, strict=True)])
        winner = xp.where(rules.by_wins, first, winner)
        stays = tuple([is_in & ~gone for is_in, gone in zip(state.seats_in, leaving, strict=True)])
    goes_on = winner == 0
    drawing = tuple([stay & goes_on for stay in stays])
    no_seat = xp.zeros_like(goes_on)
    return TableVerdict(best, drawing, (no_seat,) * len(best), leaving, winner)


def _by_elimination(xp: Namespace, state: DavenportTables, values: tuple[Array, ...]) -> tuple[Array, ...]:
    """D17: the lowest card leaves; if several share it, none does."""
    shown = [xp.where(is_in, value, _NO_CARD) for value, is_in in zip(values, state.seats_in, strict=True)]
    low = shown[0]
    for value in shown[1:]:
        low = xp.minimum(low, value)
    lows = [value == low for value in shown]
    alone = sum_of(xp, tuple(lows)) == 1
    return tuple([each & alone for each in lows])


def _in_front(
    xp: Namespace, rules: Switches, state: DavenportTables, wins: tuple[Array, ...]
) -> tuple[tuple[Array, ...], Array]:
    """D19: the seats with the most wins, and whether these are enough."""
    best = _highest(xp, [xp.where(is_in, won, -1) for won, is_in in zip(wins, state.seats_in, strict=True)])
    front = tuple([is_in & (won == best) for won, is_in in zip(wins, state.seats_in, strict=True)])
    return front, best >= rules.playoff_wins


def _by_wins(
    xp: Namespace, rules: Switches, state: DavenportTables, best: tuple[Array, ...]
) -> tuple[tuple[Array, ...], Array]:
    """D19: the highest card scores; once several reached the number together, those behind are out.

    Who leaves, and who has won the playoff.
    """
    wins = tuple([won + high.astype(won.dtype) for won, high in zip(state.wins, best, strict=True)])
    front, enough = _in_front(xp, rules, state, wins)
    reached_before = _highest(xp, state.wins) >= rules.playoff_wins
    thins = enough & ((sum_of(xp, front) > 1) | reached_before)
    behind = tuple([is_in & ~leads & thins for is_in, leads in zip(state.seats_in, front, strict=True)])
    return behind, xp.where(enough & (sum_of(xp, front) == 1), seat_of(xp, front), 0)


def _of_phase(xp: Namespace, playoff: Array, in_playoff: TableVerdict, in_main: TableVerdict) -> TableVerdict:
    def pick(one: tuple[Array, ...], other: tuple[Array, ...]) -> tuple[Array, ...]:
        return tuple([xp.where(playoff, yes, no) for yes, no in zip(one, other, strict=True)])

    return TableVerdict(
        pick(in_playoff.winners, in_main.winners),
        pick(in_playoff.first, in_main.first),
        tuple([more & ~playoff for more in in_main.additional]),
        tuple([leaves & playoff for leaves in in_playoff.leaving]),
        xp.where(playoff, in_playoff.winner, 0),
    )


# --- in one word -----------------------------------------------------------------------------------------


def _once(xp: Namespace, verdict: TableVerdict) -> TableVerdict:
    """The same verdict, kept in one word for each table where everything would be computed again."""
    if not recomputes(xp):
        return verdict
    word = verdict.winner.astype(xp.uint32)
    parts = (verdict.winners, verdict.first, verdict.additional, verdict.leaving)
    for flag in [flag for part in parts for flag in part]:  # at most 28 of them, and a seat of three bits
        word = (word << 1) | flag.astype(xp.uint32)
    word = computed_once(xp, lambda: (word[0] >> _NEVER_SET) == 0, word)
    seats = len(verdict.winners)
    bits = [(word >> place) & 1 == 1 for place in reversed(range(seats * len(parts)))]
    winners, first, additional, leaving = (
        tuple(bits[place : place + seats]) for place in range(0, len(bits), seats)
    )
    return TableVerdict(winners, first, additional, leaving, (word >> len(bits)).astype(xp.int32))


# --- flags of the seats ----------------------------------------------------------------------------------


def _highest(xp: Namespace, values: tuple[Array, ...] | list[Array]) -> Array:
    top = values[0]
    for value in values[1:]:
        top = xp.maximum(top, value)
    return top


def _any(flags: tuple[Array, ...]) -> Array:
    found = flags[0]
    for flag in flags[1:]:
        found = found | flag
    return found


def sum_of(xp: Namespace, flags: tuple[Array, ...]) -> Array:
    """How many of the flags are set."""
    total = flags[0].astype(xp.int32)
    for flag in flags[1:]:
        total = total + flag.astype(xp.int32)
    return total


def seat_of(xp: Namespace, flags: tuple[Array, ...]) -> Array:
    """The seat, from 1, of the one flag that is set."""
    found = xp.zeros_like(flags[0], dtype=xp.int32)
    for seat, flag in enumerate(flags, 1):
        found = xp.where(flag, seat, found)
    return found
