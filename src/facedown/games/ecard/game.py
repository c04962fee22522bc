"""E-Card, rule by rule (E1 to E18). Every rule is carried out here, beside its id, and nowhere else."""

from __future__ import annotations

from typing import ClassVar, Final

from facedown.core.chance import Chance
from facedown.core.errors import IllegalPick
from facedown.core.events import Event, public
from facedown.core.game import RESIGN, Citations, Game, Joint, Meta, Pick, Step, Waves
from facedown.core.outcome import Outcome, Termination, payoffs_to_one
from facedown.core.seats import Seat, Viewer
from facedown.core.views import Plain
from facedown.games.ecard.notation import CARD_NAMES, CITIZEN, EMPEROR, SLAVE, read_pick
from facedown.games.ecard.rules import DECIDED, ECardRules
from facedown.games.ecard.state import Round, State, side_of_round
from facedown.games.ecard.view import ECardView, see

# E1: who wins the play, by the two cards in seat order. Sides differ, so no other pairing occurs.
_WINNER: Final[dict[Joint, Seat | None]] = {
    (EMPEROR, CITIZEN): 1,
    (CITIZEN, EMPEROR): 2,
    (CITIZEN, SLAVE): 1,
    (SLAVE, CITIZEN): 2,
    (SLAVE, EMPEROR): 1,
    (EMPEROR, SLAVE): 2,
    (CITIZEN, CITIZEN): None,
}

_TOGETHER: Final[Waves] = ((1, 2),)
_IN_TURN: Final[dict[Seat, Waves]] = {1: ((1,), (2,)), 2: ((2,), (1,))}
_NOBODY: Final[Waves] = ()


class ECard(Game[ECardRules, State, ECardView]):
    """The rules of E-Card as pure functions on `State`."""

    name: ClassVar[str] = "ecard"
    version: ClassVar[int] = 1
    meta: ClassVar[Meta] = Meta(
        title="E-Card",
        summary="Emperor beats Citizen beats Slave beats Emperor: when do you play the card that matters?",
        least_seats=2,
        most_seats=2,
        hidden_hands=False,
        chance=False,
        zero_sum=True,
    )
    citations: ClassVar[Citations] = Citations(picking="E15", once="E16", placing="E7", resigning="E14")
    rules = ECardRules

    def setup(self, rules: ECardRules, seats: int, chance: Chance) -> Step[State]:
        """E9: who is the Emperor side first."""
        emperor = int(chance.draw(("1", "2")) if rules.first == "drawn" else rules.first)
        start = State(
            rules=rules,
            emperor=emperor,
            round=1,
            play=1,
            stake=_opening_stake(rules, 1),
            winnings=(0, 0),
            wins=(0, 0),
            purses=(rules.purse, rules.purse),
            rounds=(),
            outcome=None,
        )
        return Step(start, (public("sides", ("E2", "E9"), round=1, emperor=emperor),))

    def pending(self, state: State) -> Waves:
        """E4, E7, E13: both place a card, or the Slave side names the stake."""
        if state.outcome is not None:
            return _NOBODY
        if state.stake is None:
            return ((state.slave,),)
        first = state.first
        return _TOGETHER if first is None else _IN_TURN[first]

    def legal(self, state: State, seat: Seat) -> tuple[Pick, ...]:
        """E2, E5, E17: the cards left in hand; E13: the stakes that may be named."""
        if state.outcome is not None:
            return ()
        if state.stake is None:
            return _stakes(state) if seat == state.slave else ()
        special = EMPEROR if seat == state.emperor else SLAVE
        return (special,) if state.play == DECIDED else (CITIZEN, special)

    def resolve(self, state: State, joint: Joint, chance: Chance) -> Step[State]:
        """E4: both cards are turned together."""
        if RESIGN in joint:
            return _resigned(state, joint.index(RESIGN) + 1)
        if state.stake is None:
            return _stake_named(state, joint)
        winner = _WINNER[joint]
        if winner is None and state.play < state.last_play:
            return _drawn(state)
        return _round_over(state, joint, winner)

    def view(self, state: State, viewer: Viewer) -> ECardView:
        """E18: nothing that has not been revealed."""
        return see(state, viewer, self.pending(state))

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def standing(self, state: State) -> tuple[Seat, ...]:
        """E14: either seat may resign at any time."""
        return () if state.outcome is not None else (1, 2)

    def read_pick(self, text: str) -> Pick:
        return read_pick(text)

    def refusal(self, state: State, seat: Seat, pick: Pick) -> IllegalPick:
        """E13, E17: what the seat has instead."""
        legal = self.legal(state, seat)
        if state.stake is None:
            say = f"{pick!r} is not a stake from 1 to {legal[-1] if legal else 0}"
            return IllegalPick(say, text=pick, rule="E13")
        held = " and ".join(CARD_NAMES[card] for card in reversed(legal)) or "nothing"
        name = CARD_NAMES.get(pick, repr(pick))
        return IllegalPick(f"{name} is not in this seat's hand, which holds {held}", text=pick, rule="E17")

    def story(self, before: State, joint: Joint, step: Step[State]) -> dict[str, Plain]:
        return _story(before, joint, step.state)


GAME = ECard()


# --- a round ---------------------------------------------------------------------------------------------


def _stakes(state: State) -> tuple[Pick, ...]:
    """E13: from 1 up to the highest stake, never more than the Slave side's own purse."""
    most = min(state.rules.max_stake, state.purses[state.slave - 1])
    return tuple(str(stake) for stake in range(1, most + 1))


def _opening_stake(rules: ECardRules, number: int) -> int | None:
    """E13: where stakes are named, each round starts without one; extra rounds are at stake 1."""
    return None if rules.stakes == "named" and number <= rules.rounds else 1


def _stake_named(state: State, joint: Joint) -> Step[State]:
    """E13: named openly, before the round."""
    stake = int(joint[state.slave - 1] or 0)
    named = public("stake", ("E13",), round=state.round, seat=state.slave, stake=stake)
    return Step(state._replace(stake=stake), (named,))


def _drawn(state: State) -> Step[State]:
    """E5: both Citizens are gone for this round, the sides stay, the next play follows."""
    cards = (CITIZEN, CITIZEN)
    drawn = public("reveal", ("E1", "E5"), round=state.round, play=state.play, cards=cards, winner=None)
    return Step(state._replace(play=state.play + 1), (drawn,))


def _round_over(state: State, joint: Joint, winner: Seat | None) -> Step[State]:
    """E3, E6, E10: a round is won and paid, or ends without a winner; then the next one, or the end."""
    cards = (joint[0] or "", joint[1] or "")
    stake = state.stake or 0
    paid = _pay(state, winner)
    finished = Round(state.emperor, state.play, cards, winner, stake, paid)
    after = State(
        rules=state.rules,
        emperor=state.emperor,
        round=state.round,
        play=state.play,
        stake=state.stake,
        winnings=_added(state.winnings, winner, paid),
        wins=_added(state.wins, winner, 1),
        purses=_added(_added(state.purses, winner, paid), _other(winner), -paid),
        rounds=(*state.rounds, finished),
        outcome=None,
    )
    why_turned = ("E1", "E3") if winner else ("E1", "E5")
    why_over = _why_paid(state, winner, paid) if winner else ("E6",)
    events = (
        public("reveal", why_turned, round=state.round, play=state.play, cards=cards, winner=winner),
        public("round", why_over, round=state.round, winner=winner, paid=paid, score=after.score),
    )
    return _go_on(after, events)


def _pay(state: State, winner: Seat | None) -> int:
    """E10: units times stake; E13: never more than the loser's purse holds."""
    if winner is None:
        return 0
    units = 1 if winner == state.emperor else state.rules.slave_pays
    due = units * (state.stake or 0)
    return min(due, state.purses[2 - winner]) if state.rules.stakes == "named" else due


def _why_paid(state: State, winner: Seat, paid: int) -> tuple[str, ...]:
    return ("E10", "E13") if state.rules.stakes == "named" else ("E10",)


def _other(seat: Seat | None) -> Seat | None:
    return None if seat is None else 3 - seat


def _added(counts: tuple[int, int], seat: Seat | None, amount: int) -> tuple[int, int]:
    """The two counts, with the amount added to one seat's."""
    one, two = counts
    if seat is None:
        return counts
    return (one + amount, two) if seat == 1 else (one, two + amount)


# --- a game ----------------------------------------------------------------------------------------------


def _go_on(state: State, events: tuple[Event, ...]) -> Step[State]:
    """After a round: ruin, the next round, extra rounds, or the end."""
    ruined = _ruined(state)
    if ruined:
        return _end(state, events, 3 - ruined, Termination.RUIN, ("E13",))
    if state.round < state.rules.rounds:
        return _next_round(state, events)
    if state.round == state.rules.rounds:
        return _after_last(state, events)
    return _after_extra(state, events)


def _ruined(state: State) -> Seat | None:
    """E13: the seat whose purse is empty at the end of a round."""
    if state.rules.stakes != "named" or 0 not in state.purses:
        return None
    return state.purses.index(0) + 1


def _after_last(state: State, events: tuple[Event, ...]) -> Step[State]:
    """E11, E13: what decides is compared; E12: where it is equal, the tie rule speaks."""
    one, two = state.score
    why = ("E13",) if state.rules.stakes == "named" else ("E11",)
    if one != two:
        return _end(state, events, 1 if one > two else 2, Termination.COMPLETED, why)
    if state.rules.tie == "draw":
        return _end(state, events, None, Termination.COMPLETED, (*why, "E12"))
    return _next_round(state, (*events, public("tie", (*why, "E12"), score=state.score, tie=state.rules.tie)))


def _after_extra(state: State, events: tuple[Event, ...]) -> Step[State]:
    """E12: one extra round decides, or pairs until one seat has won more of a pair."""
    winner = state.rounds[-1].winner
    pair_open = (state.round - state.rules.rounds) % 2 == 1
    if state.rules.tie == "pair" and (pair_open or state.rounds[-2].winner != winner):
        return _next_round(state, events)
    return _end(state, events, winner, Termination.EXTRA, ("E12",))


def _next_round(state: State, events: tuple[Event, ...]) -> Step[State]:
    """E2: full hands again; E8, E12: the sides of the next round."""
    number = state.round + 1
    opening = state.rounds[0].emperor
    emperor = side_of_round(state.rules, opening, number)
    after = State(
        rules=state.rules,
        emperor=emperor,
        round=number,
        play=1,
        stake=_opening_stake(state.rules, number),
        winnings=state.winnings,
        wins=state.wins,
        purses=state.purses,
        rounds=state.rounds,
        outcome=None,
    )
    if emperor != state.emperor:
        why = ("E12",) if after.extra else ("E8",)
        events = (*events, public("sides", why, round=number, emperor=emperor))
    return Step(after, events)


def _resigned(state: State, seat: Seat) -> Step[State]:
    """E14."""
    events = (public("resignation", ("E14",), seat=seat),)
    return _end(state, events, 3 - seat, Termination.RESIGNATION, ("E14",))


def _end(
    state: State, events: tuple[Event, ...], winner: Seat | None, why: Termination, rules: tuple[str, ...]
) -> Step[State]:
    outcome = Outcome(winner, why, state.score, payoffs_to_one(winner, 2))
    ended = public("end", rules, winner=winner, termination=str(why), score=state.score)
    return Step(state._replace(outcome=outcome), (*events, ended))


# --- told to programs ------------------------------------------------------------------------------------


def _story(before: State, joint: Joint, after: State) -> dict[str, Plain]:
    """One decision, as `facedown replay --json` prints it."""
    resigned = RESIGN in joint
    naming = before.stake is None and not resigned
    played = not resigned and not naming
    over = len(after.rounds) > len(before.rounds)
    return {
        "kind": "resign" if resigned else "stake" if naming else "play",
        "round": before.round,
        "play": before.play,
        "emperor": before.emperor,
        "first": before.first,
        "cards": list(joint) if played else [None, None],
        "winner": after.rounds[-1].winner if over else None,
        "round_over": over,
        "round_winner": after.rounds[-1].winner if over else None,
        "stake": after.stake if naming else before.stake,
        "score": list(after.score),
    }
