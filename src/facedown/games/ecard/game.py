"""E-Card, rule by rule (E1 to E18), each beside its id: a game from its first round to its end.

What a play is and what two cards do in it stands in `plays`.
"""

from __future__ import annotations

from typing import ClassVar

from facedown.core.chance import Chance
from facedown.core.errors import IllegalPick
from facedown.core.events import Event, public
from facedown.core.game import RESIGN, Citations, Game, Joint, Meta, Pick, Step, Waves
from facedown.core.outcome import COMPLETED, RESIGNATION, Outcome, payoffs_to_one
from facedown.core.seats import Seat, Viewer
from facedown.core.views import Encoding, Plain
from facedown.games.ecard import message
from facedown.games.ecard.encoding import ENCODING, alphabet, encode
from facedown.games.ecard.notation import CARD_NAMES, read_pick
from facedown.games.ecard.plays import ECardRound, Play, by_seat, plays_of
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.state import EXTRA, RUIN, ECardState, by_place
from facedown.games.ecard.view import ECardView, see


class ECard(Game[ECardRules, ECardState, ECardView]):
    """The rules of E-Card as pure functions on `ECardState`."""

    name: ClassVar[str] = "ecard"
    version: ClassVar[int] = 1
    meta: ClassVar[Meta] = Meta(
        title=message("title"),
        summary=message("summary"),
        least_seats=2,
        most_seats=2,
        hidden_hands=False,
        chance=False,
        zero_sum=True,
    )
    citations: ClassVar[Citations] = Citations(picking="E15", once="E16", placing="E7", resigning="E14")
    terminations: ClassVar[tuple[str, ...]] = (COMPLETED, EXTRA, RUIN, RESIGNATION)
    rules = ECardRules

    def setup(self, rules: ECardRules, seats: int, chance: Chance) -> Step[ECardState]:
        """E9: who is the Emperor side first."""
        emperor = int(chance.draw(("1", "2")) if rules.first == "drawn" else rules.first)
        at = plays_of(rules, emperor).start_of_round(1)
        start = ECardState(at, (0, 0), (0, 0), (rules.purse, rules.purse), (), None)
        return Step(start, () if at.sides is None else (at.sides,))

    def pending(self, state: ECardState) -> Waves:
        """E4, E7, E13: both place a card, or the Slave side names the stake."""
        at, _, _, _, _, outcome = state
        return at.waves if outcome is None else ()

    def legal(self, state: ECardState, seat: Seat) -> tuple[Pick, ...]:
        """E2, E5, E17: the cards left in hand; E13: the stakes that may be named."""
        at, _, _, _, _, outcome = state
        if outcome is not None:
            return ()
        if at.stake is None:
            return _stakes(state) if seat == at.slave else ()
        return at.picks[seat - 1]

    def resolve(self, state: ECardState, joint: Joint, chance: Chance) -> Step[ECardState]:
        """E4: both cards are turned together. E3, E6, E10: the round goes on, or is won and paid, or ends
        without a winner; then comes the next one, or the end."""
        at, winnings, wins, purses, rounds, _ = state
        revealed = at.revealed.get(joint)
        if revealed is None:
            if RESIGN in joint:
                return _resigned(state, joint.index(RESIGN) + 1)
            if at.stake is None:
                return _stake_named(state, joint)
            revealed = at.reveal(joint)
        event, finished, after, won, paid = revealed
        if finished is None:
            return Step(by_place(ECardState, (after, winnings, wins, purses, rounds, None)), (event,))
        if at.named:
            finished, paid, purses = _from_purses(purses, finished)
        winnings = (winnings[0] + paid[0], winnings[1] + paid[1])
        wins = (wins[0] + won[0], wins[1] + won[1])
        played = rounds + (finished,)  # noqa: RUF005  # half the time of unpacking, at each round of each game
        then = by_place(ECardState, (after, winnings, wins, purses, played, None))
        if at.may_end:
            then = _go_on(at, then)
        return Step(then, _round_told, (at, event, finished, then))

    def view(self, state: ECardState, viewer: Viewer) -> ECardView:
        """E18: nothing that has not been revealed."""
        return see(state, viewer, self.pending(state))

    def outcome(self, state: ECardState) -> Outcome | None:
        return state.outcome

    def standing(self, state: ECardState) -> tuple[Seat, ...]:
        """E14: either seat may resign at any time."""
        return () if state.outcome is not None else (1, 2)

    def read_pick(self, text: str) -> Pick:
        return read_pick(text)

    def refusal(self, state: ECardState, seat: Seat, pick: Pick) -> IllegalPick:
        """E13, E17: what the seat has instead."""
        legal = self.legal(state, seat)
        if state.at.stake is None:
            say = f"{pick!r} is not a stake from 1 to {legal[-1] if legal else 0}"
            return IllegalPick(say, text=pick, rule="E13")
        held = " and ".join(CARD_NAMES[card] for card in reversed(legal)) or "nothing"
        name = CARD_NAMES.get(pick, repr(pick))
        return IllegalPick(f"{name} is not in this seat's hand, which holds {held}", text=pick, rule="E17")

    def picks(self, rules: ECardRules, seats: int) -> tuple[Pick, ...]:
        """E1, E13: the three cards, and the stakes."""
        return alphabet(rules)

    def encoding(self, rules: ECardRules, seats: int) -> Encoding:
        return ENCODING

    def encode(self, view: ECardView) -> list[float]:
        return encode(view)

    def decision_json(self, before: ECardState, joint: Joint, step: Step[ECardState]) -> dict[str, Plain]:
        return _decision_json(before, joint, step.state)


GAME = ECard()


# --- a round ---------------------------------------------------------------------------------------------


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


def _from_purses(
    purses: tuple[int, int], finished: ECardRound
) -> tuple[ECardRound, tuple[int, int], tuple[int, int]]:
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
        return _ended(last, state, 2 - state.purses.index(0), RUIN)
    if last.round < last.rules.rounds:
        return state
    if last.round == last.rules.rounds:
        return _after_last(last, state)
    return _after_extra(last, state)


def _after_last(last: Play, state: ECardState) -> ECardState:
    """E11, E13: what decides is compared; E12: where it is equal, the tie rule speaks."""
    one, two = state.score
    if one != two:
        return _ended(last, state, 1 if one > two else 2, COMPLETED)
    if last.rules.tie == "draw":
        return _ended(last, state, None, COMPLETED)
    return state


def _after_extra(last: Play, state: ECardState) -> ECardState:
    """E12: one extra round decides, or pairs until one seat has won more of a pair."""
    winner = state.rounds[-1].winner
    pair_open = (last.round - last.rules.rounds) % 2 == 1
    if last.rules.tie == "pair" and (pair_open or state.rounds[-2].winner != winner):
        return state
    return _ended(last, state, winner, EXTRA)


def _resigned(state: ECardState, seat: Seat) -> Step[ECardState]:
    """E14."""
    over = _ended(state.at, state, 3 - seat, RESIGNATION)
    return Step(over, (public("resignation", ("E14",), seat=seat), _end_told(over)))


def _ended(last: Play, state: ECardState, winner: Seat | None, why: str) -> ECardState:
    return state._replace(at=last, outcome=Outcome(winner, why, state.score, payoffs_to_one(winner, 2)))


# --- events ----------------------------------------------------------------------------------------------


def _round_told(last: Play, reveal: Event, finished: ECardRound, then: ECardState) -> tuple[Event, ...]:
    """The last play of a round, what it paid, and what follows."""
    winner, score = finished.winner, then.score
    why = ("E6",) if winner is None else ("E10", "E13") if last.named else ("E10",)
    events = [reveal, public("round", why, round=last.round, winner=winner, paid=finished.paid, score=score)]
    if then.outcome is not None:
        return (*events, _end_told(then))
    if last.round == last.rules.rounds:
        events.append(public("tie", (_decides(last), "E12"), score=score, tie=last.rules.tie))
    if then.at.sides is not None:
        events.append(then.at.sides)
    return tuple(events)


def _end_told(over: ECardState) -> Event:
    """How the game ended, and by which rules."""
    outcome = over.outcome
    assert outcome is not None, "asked for only once the game is over"
    decides = _decides(over.at)
    why = {
        RUIN: ("E13",),
        EXTRA: ("E12",),
        RESIGNATION: ("E14",),
    }.get(outcome.termination, (decides,) if outcome.winner else (decides, "E12"))
    return public("end", why, winner=outcome.winner, termination=outcome.termination, score=outcome.score)


def _decides(at: Play) -> str:
    """The rule that says what is compared after the last round."""
    return "E13" if at.named else "E11"


# --- for programs ----------------------------------------------------------------------------------------


def _decision_json(before: ECardState, joint: Joint, after: ECardState) -> dict[str, Plain]:
    """One decision, as `facedown replay --json` prints it."""
    at = before.at
    resigned = RESIGN in joint
    naming = at.stake is None and not resigned
    played = not resigned and not naming
    over = len(after.rounds) > len(before.rounds)
    winner = after.rounds[-1].winner if over else None
    return {
        "kind": "resign" if resigned else "stake" if naming else "play",
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
