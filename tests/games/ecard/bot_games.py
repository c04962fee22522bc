"""Games between bots, and against everything that an opponent could do, for the tests of the machines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, TypeAlias

from facedown.core.chance import Scripted, Seeded, Stream, deal_key, seed_of
from facedown.core.game import Joint, Pick
from facedown.core.match import Match
from facedown.core.parts.bot import Memory
from facedown.core.seats import Seat
from facedown.games.ecard.bots.plain import Machine, PickMix
from facedown.games.ecard.game import GAME
from facedown.games.ecard.notation import CITIZEN
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.state import ECardState
from facedown.games.ecard.view import ECardView

ECardMatch: TypeAlias = "Match[ECardRules, ECardState, ECardView]"


class Stubborn(Machine):
    """Plays its special card in the same play of every round, and names the highest stake."""

    name: ClassVar[str] = "stubborn"
    says: ClassVar[str] = "Always plays its special card at the same time."
    time: ClassVar[int] = 2

    def mix(self, view: ECardView, legal: tuple[Pick, ...]) -> PickMix:
        chosen = legal[-1] if view.stake is None or view.play >= self.time else CITIZEN
        return {pick: float(pick == chosen) for pick in legal}


def play(
    rules: str,
    bots: Mapping[Seat, Machine],
    seed: str,
    look: Callable[[Machine, ECardView, PickMix], None] | None = None,
) -> ECardMatch:
    """A whole game; `look` gets to see every mix."""
    key = deal_key(seed_of(seed), "1")
    match: ECardMatch = Match(GAME, ECardRules.read(rules), ("One", "Two"), Seeded(key))
    streams = {seat: Stream(key, f"bot/{seat}") for seat in bots}
    while waves := match.pending:
        deciding = {seat for wave in waves for seat in wave}
        joint: list[Pick | None] = [None, None]
        for seat in deciding:
            view, legal = match.view(seat), match.legal(seat)
            if look is not None:
                look(bots[seat], view, bots[seat].mix(view, legal))
            joint[seat - 1] = bots[seat].pick(view, legal, streams[seat])
        match.decide(tuple(joint))
    return match


def series(
    rules: str, one: type[Machine], two: type[Machine], games: int, seed: str
) -> tuple[list[float], Memory]:
    """What the first of two bots scores in games in which both remember, and what it remembers at the end."""
    memories = Memory(), Memory()
    scores: list[float] = []
    for number in range(games):
        seat = 1 + number % 2
        bots = {seat: one(memories[0]), 3 - seat: two(memories[1])}
        match = play(rules, bots, f"{seed} {number}")
        for each, memory in zip((seat, 3 - seat), memories, strict=True):
            memory.add(bots[each].note(match.view(each)))
        scores.append(payoff(match.state, seat))
    return scores, memories[0]


def payoff(state: ECardState, seat: Seat) -> float:
    """1 for a won game, 0 for a lost one."""
    assert state.outcome is not None
    return (1 + state.outcome.payoffs[seat - 1]) / 2


# --- every game there is ---------------------------------------------------------------------------------


def at_worst(bot: Machine, seat: Seat, rules: str, emperor: Seat) -> float:
    """What the bot gets on average from an opponent who knows all its mixes, and does what is worst for it.

    Nothing is assumed about the opponent: all its ways of playing, whatever they depend on, are tried.
    """
    return _worth(_start(rules, emperor), bot, seat, None)


def on_average(bot: Machine, seat: Seat, rules: str, emperor: Seat, opponent: Machine) -> float:
    """What the bot gets on average, exactly, from this opponent."""
    return _worth(_start(rules, emperor), bot, seat, opponent)


def _start(rules: str, emperor: Seat) -> ECardState:
    drawn = ECardRules.read(rules).first == "drawn"
    return GAME.setup(ECardRules.read(rules), 2, Scripted((str(emperor),) if drawn else ())).state


def _worth(state: ECardState, bot: Machine, seat: Seat, opponent: Machine | None) -> float:
    if state.outcome is not None:
        return payoff(state, seat)
    deciding = {each for wave in GAME.pending(state) for each in wave}
    ours = bot.mix(GAME.view(state, seat), GAME.legal(state, seat)) if seat in deciding else {None: 1.0}
    other = 3 - seat
    theirs = GAME.legal(state, other) if other in deciding else (None,)
    worths = [
        sum(
            chance * _worth(_turn(state, seat, pick, answer), bot, seat, opponent)
            for pick, chance in ours.items()
            if chance
        )
        for answer in theirs
    ]
    if opponent is None or other not in deciding:
        return min(worths)
    mix = opponent.mix(GAME.view(state, other), GAME.legal(state, other))
    return sum(mix[pick] * worth for pick, worth in zip(GAME.legal(state, other), worths, strict=True))


def _turn(state: ECardState, seat: Seat, pick: Pick | None, answer: Pick | None) -> ECardState:
    joint: Joint = (pick, answer) if seat == 1 else (answer, pick)
    return GAME.resolve(state, joint, Scripted(())).state
