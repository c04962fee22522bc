"""Best replies: the best answer to a prediction of the opponent, and the one that a bank can pay for.

Must not know where the prediction comes from, nor what is in the bank for what reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from facedown.games.ecard.bots.worth import RoundWorth

EVEN: Final = 1e-9
"""What differs by less is worth the same."""

BOLDNESS: Final = 3
"""How a bank is bet: with 1 it grows fastest over many rounds, with more it puts more on the likeliest."""


class BestReply(NamedTuple):
    """What to do in a round, and what that is worth if the prediction is right."""

    special: tuple[float, ...]
    """How likely one's special card is at each play at which there is a choice, if it is still held."""
    value: float


def best_answer(worth: RoundWorth, chances: Sequence[float]) -> BestReply:
    """The best answer to an opponent whose special card comes with these chances; then both are to play well.

    Where both cards are worth the same, the equilibrium chooses.
    """
    special: list[float] = []
    ahead = worth.before[-1]
    for place in reversed(range(worth.choices)):
        chance = chances[place]
        now = chance * worth.slave + (1.0 - chance) * worth.emperor
        later = chance * worth.emperor + (1.0 - chance) * ahead
        special.append(worth.ours[place] if abs(now - later) < EVEN else float(now > later))
        ahead = max(now, later)
    return BestReply(tuple(reversed(special)), ahead)


def blend(worth: RoundWorth, special: Sequence[float], part: float) -> tuple[float, ...]:
    """This answer in that part of all rounds, and the equilibrium in the others."""
    blended: list[float] = []
    answering, usually = part, 1.0 - part  # how likely each is to have come this far without the special card
    for answer, usual in zip(special, worth.ours, strict=True):
        held = answering + usually
        blended.append((answering * answer + usually * usual) / held if held else usual)
        answering *= 1.0 - answer
        usually *= 1.0 - usual
    return tuple(blended)


def times_of(chances: Sequence[float]) -> list[float]:
    """From the chance at each play, if still held, to the chance of each play; the last one: of none of them.

    >>> times_of([0.5, 0.5])
    [0.5, 0.25, 0.25]
    """
    times: list[float] = []
    held = 1.0
    for chance in chances:
        times.append(held * chance)
        held *= 1.0 - chance
    return [*times, held]


def bet(worth: RoundWorth, place: int, times: Sequence[float], bank: float) -> float:
    """How likely the special card should be in this play, so that the bank pays whatever the opponent does.

    `times` says how likely the opponent's special card is to come in this play and in each later one, and,
    last, in none. If it comes at time t, and one's own comes at t with the chance q[t], the round is worth
    `emperor + q[t] * swing[t]`, as only special cards that meet, or both stay, change anything. So to choose
    q is to bet on the opponent's time, at odds that are fair in equilibrium, and the bank then becomes
    `spare + q[t] * swing[t]`. That is made proportional to `(times[t] * swing[t]) ** BOLDNESS`; where q[t]
    would have to be negative for it, it is 0.
    """
    swings = [worth.slave - worth.emperor] * (worth.choices - place) + [worth.before[-1] - worth.emperor]
    if min(swings) < EVEN and max(swings) > -EVEN:  # one card is good whatever they do: nothing to bet on
        return worth.ours[place]
    spare = bank + worth.emperor - worth.before[place]
    wanted = [(time * abs(swing)) ** BOLDNESS for time, swing in zip(times, swings, strict=True)]
    left = list(range(len(swings)))
    while any(wanted[time] for time in left):
        in_all = 1.0 + spare * sum(1.0 / swings[time] for time in left)
        scale = max(0.0, in_all / sum(wanted[time] / swings[time] for time in left))
        chances = {time: (scale * wanted[time] - spare) / swings[time] for time in left}
        if min(chances.values()) >= 0.0:
            return min(1.0, chances.get(0, 0.0))
        left = [time for time in left if chances[time] >= 0.0]
    return worth.ours[place]
