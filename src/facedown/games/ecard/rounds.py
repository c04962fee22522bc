"""The rounds of E-Card (E3 to E14): a stake is named, two cards are turned, the round is paid, the game ends.

Owns what a decision makes of a state. `plays` says what two cards do in a play.
"""

from __future__ import annotations

from functools import lru_cache

from facedown.core.chance import Chance
from facedown.core.events import Event, Step, public
from facedown.core.game import FORFEIT, RESIGN, Joint, Pick, Waves
from facedown.core.outcome import COMPLETED, FORFEITED, RESIGNATION, Outcome, payoffs_to_one
from facedown.core.seats import Seat
from facedown.core.views import Plain
from facedown.games.ecard.plays import RULE_SETS, BySeat, Play, by_seat, plays_of
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.shown import ECardRound
from facedown.games.ecard.state import EXTRA, RUIN, ECardState, by_place


@lru_cache(maxsize=RULE_SETS)
def first_state(rules: ECardRules, emperor: Seat) -> ECardState:
    """The state in which a game begins, where that seat is the Emperor side first (E9)."""
    at = plays_of(rules, emperor).start_of_round(1)
    return by_place(ECardState, (at, (0, 0), (0, 0), (rules.purse, rules.purse), (), None))


# --- a round ---------------------------------------------------------------------------------------------


def pending(state: ECardState) -> Waves:
    """E4, E7, E13: both place a card, or the Slave side names the stake."""
    at, _, _, _, _, outcome = state
    return at.waves if outcome is None else ()


def legal(state: ECardState, seat: Seat) -> tuple[Pick, ...]:
    """E2, E5, E17: the cards left in hand; E13: the stakes that may be named."""
    at, _, _, _, _, outcome = state
    if outcome is not None:
        return ()
    if at.stake is None:
        return _stakes(state) if seat == at.slave else ()
    return at.picks[seat - 1]


def resolve(state: ECardState, joint: Joint, chance: Chance) -> Step[ECardState]:
    """E4: both cards are turned together. E3, E6, E10: the round goes on, or is won and paid, or ends
    without a winner; then comes the next one, or the end."""
    at, winnings, wins, purses, rounds, _ = state
    revealed = at.revealed.get(joint)
    if revealed is None:
        if RESIGN in joint:
            return _resign(state, joint.index(RESIGN) + 1)
        if at.stake is None:
            return _stake_named(state, joint)
        revealed = at.reveal(joint)
    events, finished, after, won, paid = revealed
    if finished is None:
        return Step(by_place(ECardState, (after, winnings, wins, purses, rounds, None)), events)
    if at.named:
        finished, paid, purses = _from_purses(purses, finished)
    winnings = (winnings[0] + paid[0], winnings[1] + paid[1])
    wins = (wins[0] + won[0], wins[1] + won[1])
    played = rounds + (finished,)  # noqa: RUF005  # half the time of unpacking, at each round of each game
    then = by_place(ECardState, (after, winnings, wins, purses, played, None))
    if at.may_end:
        then = _go_on(at, then)
    return Step(then, _round_events, (at, events, finished, then))


def forfeit(state: ECardState, joint: Joint, chance: Chance) -> Step[ECardState]:
    """E14: a seat that did not open its pick loses the round, paid as if the other side had won it; the
    second time it loses the game. Both at once: a round, or a game, without a winner."""
    at = state.at
    lost = [seat for seat in (1, 2) if joint[seat - 1] == FORFEIT]
    winner = 3 - lost[0] if len(lost) == 1 else None
    if at.stake is None:  # never better than naming any stake, and losing it
        at = at.at_stake(int(_stakes(state)[-1]))
    finished, after, won, paid = at.end_round(winner, (joint[0] or "", joint[1] or ""))
    purses = state.purses
    if at.named:
        finished, paid, purses = _from_purses(purses, finished)
    winnings = (state.winnings[0] + paid[0], state.winnings[1] + paid[1])
    wins = (state.wins[0] + won[0], state.wins[1] + won[1])
    then = ECardState(after, winnings, wins, purses, (*state.rounds, finished), None)
    events = tuple(public("forfeit", ("E14",), round=at.round, play=at.number, seat=seat) for seat in lost)
    twice = [seat for seat in lost if _forfeits(then, seat) > 1]
    if twice:
        then = _end(at, then, 3 - twice[0] if len(twice) == 1 else None, FORFEITED)
    elif at.may_end:
        then = _go_on(at, then)
    return Step(then, _round_events, (at, events, finished, then))


def _forfeits(state: ECardState, seat: Seat) -> int:
    """How many rounds a seat has forfeited."""
    return sum(each.cards[seat - 1] == FORFEIT for each in state.rounds)


def _stakes(state: ECardState) -> tuple[Pick, ...]:
    """E13: from 1 up to the highest stake, never more than the Slave side's own purse."""
    most = min(state.rules.max_stake, state.purses[state.at.slave - 1])
    return tuple(str(stake) for stake in range(1, most + 1))


def _stake_named(state: ECardState, joint: Joint) -> Step[ECardState]:
    """E13: named openly, before the round."""
    at = state.at
    stake = int(joint[at.slave - 1] or 0)
    named = public("stake", ("E13",), round=at.round, seat=at.slave, stake=stake)
    return Step(state._replace(at=at.at_stake(stake)), (named,))


def _from_purses(purses: BySeat, finished: ECardRound) -> tuple[ECardRound, BySeat, BySeat]:
    """E13: the loser's purse pays, not more than there is: the round, what was paid by seat, the purses."""
    if finished.winner is None:
        return finished, (0, 0), purses
    finished = finished._replace(paid=min(finished.paid, purses[2 - finished.winner]))
    one, two = paid = by_seat(finished.winner, finished.paid)
    return finished, paid, (purses[0] + one - two, purses[1] + two - one)


# --- a game ----------------------------------------------------------------------------------------------


def _go_on(last: Play, state: ECardState) -> ECardState:
    """After a round, with its last play: ruin, the next round, extra rounds, or the end."""
    if last.named and 0 in state.purses:  # E13: an empty purse at the end of a round
        return _end(last, state, 2 - state.purses.index(0), RUIN)
    if last.round < last.rules.rounds:
        return state
    if last.round == last.rules.rounds:
        return _after_last(last, state)
    return _after_extra(last, state)


def _after_last(last: Play, state: ECardState) -> ECardState:
    """E11, E13: what decides is compared; E12: where it is equal, the tie rule speaks."""
    one, two = state.score
    if one != two:
        return _end(last, state, 1 if one > two else 2, COMPLETED)
    if last.rules.tie == "draw":
        return _end(last, state, None, COMPLETED)
    return state


def _after_extra(last: Play, state: ECardState) -> ECardState:
    """E12: one extra round decides, or pairs until one seat has won more of a pair."""
    winner = state.rounds[-1].winner
    pair_open = (last.round - last.rules.rounds) % 2 == 1
    if last.rules.tie == "pair" and (pair_open or state.rounds[-2].winner != winner):
        return state
    return _end(last, state, winner, EXTRA)


def _resign(state: ECardState, seat: Seat) -> Step[ECardState]:
    """E14."""
    over = _end(state.at, state, 3 - seat, RESIGNATION)
    return Step(over, (public("resignation", ("E14",), seat=seat), _end_event(over)))


def _end(last: Play, state: ECardState, winner: Seat | None, why: str) -> ECardState:
    return state._replace(at=last, outcome=Outcome(winner, why, state.score, payoffs_to_one(winner, 2)))


# --- events ----------------------------------------------------------------------------------------------


def _round_events(
    last: Play, turned: tuple[Event, ...], finished: ECardRound, then: ECardState
) -> tuple[Event, ...]:
    winner, score = finished.winner, then.score
    why = ("E6",) if winner is None else ("E10", "E13") if last.named else ("E10",)
    events = [*turned, public("round", why, round=last.round, winner=winner, paid=finished.paid, score=score)]
    if then.outcome is not None:
        return (*events, _end_event(then))
    if last.round == last.rules.rounds:
        events.append(public("tie", (_decides(last), "E12"), score=score, tie=last.rules.tie))
    if then.at.sides is not None:
        events.append(then.at.sides)
    return tuple(events)


def _end_event(over: ECardState) -> Event:
    outcome = over.outcome
    assert outcome is not None, "asked for only once the game is over"
    decides = _decides(over.at)
    why = {
        RUIN: ("E13",),
        EXTRA: ("E12",),
        RESIGNATION: ("E14",),
        FORFEITED: ("E14",),
    }.get(outcome.termination, (decides,) if outcome.winner else (decides, "E12"))
    return public("end", why, winner=outcome.winner, termination=outcome.termination, score=outcome.score)


def _decides(at: Play) -> str:
    """The rule that says what is compared after the last round."""
    return "E13" if at.named else "E11"


# --- for programs ----------------------------------------------------------------------------------------


def decision_json(before: ECardState, joint: Joint, after: ECardState) -> dict[str, Plain]:
    """One decision, as `facedown replay --json` prints it."""
    at = before.at
    resigned, forfeited = RESIGN in joint, FORFEIT in joint
    naming = at.stake is None and not resigned and not forfeited
    played = at.stake is not None and not resigned
    over = len(after.rounds) > len(before.rounds)
    winner = after.rounds[-1].winner if over else None
    return {
        "kind": "resign" if resigned else "forfeit" if forfeited else "stake" if naming else "play",
        "round": at.round,
        "play": at.number,
        "emperor": at.emperor,
        "first": at.first,
        "cards": [*joint] if played else [None, None],
        "winner": winner,
        "round_over": over,
        "round_winner": winner,
        "stake": after.at.stake if naming else at.stake,
        "score": [*after.score],
    }
