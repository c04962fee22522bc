"""Davenport, rule by rule (D1 to D20): the deal, a round of either phase, going out, resigning, the end.

How cards are turned and judged stands in `reveal`, the playoff's own rules in `playoff`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from facedown.core.chance import Chance
from facedown.core.errors import IllegalPick
from facedown.core.events import Event, private, public
from facedown.core.game import RESIGN, Citations, Game, Joint, Meta, Pick, Step, Waves
from facedown.core.outcome import RESIGNATION, Outcome, payoffs_to_one
from facedown.core.seats import Seat, Viewer, all_seats
from facedown.core.views import Encoding, Plain
from facedown.games.davenport import message, playoff
from facedown.games.davenport.encoding import alphabet, encode, encoding
from facedown.games.davenport.notation import EXCHANGE, is_exchange, read_pick
from facedown.games.davenport.reveal import (
    DrawnCards,
    RoundVerdict,
    Turned,
    draw_cards,
    draw_events,
    highest,
    judge,
    turn,
)
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import (
    BY_PLAYOFF,
    CARDS_EACH,
    MAIN,
    OUT,
    DavenportRound,
    DavenportState,
    Gone,
    Hand,
    OwnChoice,
    by_place,
)
from facedown.games.davenport.supply import Supply, dealt
from facedown.games.davenport.view import DavenportView, see

_EXCHANGE_OF: Final = EXCHANGE.__getitem__


class Davenport(Game[DavenportRules, DavenportState, DavenportView]):
    """The rules of Davenport as pure functions on `DavenportState`."""

    name: ClassVar[str] = "davenport"
    version: ClassVar[int] = 2
    meta: ClassVar[Meta] = Meta(
        title=message("title"),
        summary=message("summary"),
        least_seats=2,
        most_seats=7,
        hidden_hands=True,
        chance=True,
        zero_sum=True,
    )
    citations: ClassVar[Citations] = Citations(picking="D3", once="D3", placing="D4", resigning="D20")
    terminations: ClassVar[tuple[str, ...]] = (OUT, BY_PLAYOFF, RESIGNATION)
    rules = DavenportRules

    def setup(self, rules: DavenportRules, seats: int, chance: Chance) -> Step[DavenportState]:
        """D1, D2: one deck, five cards each, one at a time around the table from seat 1."""
        supply = Supply()
        hands = dealt(all_seats(seats), CARDS_EACH, supply, chance)
        start = DavenportState(
            rules=rules,
            phase=MAIN,
            round=1,
            seats_in=all_seats(seats),
            hands=tuple(hands.values()),
            stock=tuple(supply.stock),
            discards=(),
            wins=(0,) * seats,
            history=(),
            choices=((),) * seats,
            outcome=None,
        )
        return Step(start, _deal_events, (start,))

    def pending(self, state: DavenportState) -> Waves:
        """D3, D4: every seat that is in picks, together or in seat order."""
        if state.outcome is not None:
            return ()
        if state.rules.placing == "in_turn":
            return tuple((seat,) for seat in state.seats_in)
        return (state.seats_in,)

    def legal(self, state: DavenportState, seat: Seat) -> tuple[Pick, ...]:
        """D3: play a card of the hand, or exchange one."""
        if state.outcome is not None or seat not in state.seats_in:
            return ()
        hand = state.hands[seat - 1]
        return hand + tuple(map(_EXCHANGE_OF, hand)) if state.rules.exchange else hand

    def resolve(self, state: DavenportState, joint: Joint, chance: Chance) -> Step[DavenportState]:
        """The reveal of a round, or a resignation."""
        if RESIGN in joint:
            return _resigned(state, joint)
        supply = Supply(state.stock, state.discards)
        turned = turn(state, joint, supply, chance)
        if state.phase == MAIN:
            return _main_round(state, joint, turned, supply, chance)
        return self._playoff_round(state, joint, turned, supply, chance)

    def _playoff_round(
        self, state: DavenportState, joint: Joint, turned: Turned, supply: Supply, chance: Chance
    ) -> Step[DavenportState]:
        """D17 to D19: who scored and who leaves; those who are still in draw, unless the game is decided."""
        result = playoff.judge(state, turned.values)
        drawn = draw_cards([*self._drawing(state, result)], turned.hands, supply, chance)
        winners = highest(state.seats_in, turned.values)
        after = _round_done(state, joint, turned, supply, winners, drawn, result.leaving)
        after = after._replace(wins=result.wins)
        step = Step(after, _playoff_events, (after, drawn, supply, result))
        return step if result.winner is None else _end(step, result.winner, BY_PLAYOFF, (result.decides,))

    def _drawing(self, state: DavenportState, result: playoff.PlayoffResult) -> tuple[Seat, ...]:
        """D18, D19: who draws after a round of the playoff."""
        return () if result.winner is not None else result.staying(state)

    def view(self, state: DavenportState, viewer: Viewer) -> DavenportView:
        return see(state, viewer, self.pending(state))

    def outcome(self, state: DavenportState) -> Outcome | None:
        return state.outcome

    def standing(self, state: DavenportState) -> tuple[Seat, ...]:
        """D20: a seat that is still in may resign."""
        return () if state.outcome is not None else state.seats_in

    def read_pick(self, text: str) -> Pick:
        return read_pick(text)

    def refusal(self, state: DavenportState, seat: Seat, pick: Pick) -> IllegalPick:
        """D3: what is wrong with the pick."""
        if is_exchange(pick) and not state.rules.exchange:
            return IllegalPick(f"{pick!r}: exchanges are off at this table", text=pick, rule="D3")
        return IllegalPick(f"{pick!r} is not in this seat's hand", text=pick, rule="D3")

    def picks(self, rules: DavenportRules, seats: int) -> tuple[Pick, ...]:
        """D3: every card, and the exchange of every card."""
        return alphabet(rules)

    def encoding(self, rules: DavenportRules, seats: int) -> Encoding:
        return encoding(seats)

    def encode(self, view: DavenportView) -> list[float]:
        return encode(view)

    def lies_open(self, pick: Pick) -> bool:
        """D3: a card that is exchanged goes face down to the discards."""
        return not is_exchange(pick)

    def decision_json(
        self, before: DavenportState, joint: Joint, step: Step[DavenportState]
    ) -> dict[str, Plain]:
        return _decision_json(before, step.state)


class FirstDavenport(Davenport):
    """Version 1: in a playoff, cards were drawn after the deciding round too, and by those who left it."""

    version: ClassVar[int] = 1

    def _drawing(self, state: DavenportState, result: playoff.PlayoffResult) -> tuple[Seat, ...]:
        return state.seats_in if state.rules.playoff == "wins" else result.staying(state)


GAME = Davenport()
EARLIER: Final = (FirstDavenport(),)
"""The behaviour of earlier versions, for records and tables that were begun under them."""


# --- a round ---------------------------------------------------------------------------------------------


def _main_round(
    state: DavenportState, joint: Joint, turned: Turned, supply: Supply, chance: Chance
) -> Step[DavenportState]:
    """D6 to D14: winners draw nothing, the others one, and some one more; D10: who is out."""
    verdict = judge(state.seats_in, turned.values, state.rules.ace)
    winners = verdict.winners
    losers = [seat for seat in state.seats_in if seat not in winners]
    drawn = draw_cards([*losers, *verdict.additional], turned.hands, supply, chance)
    after = _round_done(state, joint, turned, supply, winners, drawn, ())
    step = Step(after, _main_events, (after, verdict, drawn, supply))
    if all(turned.hands):
        return step
    out = tuple([seat for seat in after.seats_in if not after.hands[seat - 1]])
    if not out:  # the seats without cards have resigned
        return step
    if len(out) == 1:
        return _end(Step(after, _out_events, (step, out)), out[0], OUT, ("D10",))
    begun = playoff.start(after, out, chance)
    return Step(begun, lambda: _out_events(step, out) + playoff.start_events(begun))


def _deal_events(start: DavenportState) -> tuple[Event, ...]:
    """D2: how many cards everybody was dealt, and to each seat, which."""
    hands = [
        private(seat, "hand", ("D2",), seat=seat, cards=hand) for seat, hand in enumerate(start.hands, 1)
    ]
    return (public("deal", ("D2",), cards=CARDS_EACH), *hands)


def _main_events(
    after: DavenportState, verdict: RoundVerdict, drawn: DrawnCards, supply: Supply
) -> tuple[Event, ...]:
    """What a round of the main game shows: the cards and the draws."""
    why_drawn = ("D7", *(rule for rule in verdict.why if rule != "D6"))
    return (_reveal_event(after, verdict.why), *draw_events(drawn, supply, why_drawn))


def _out_events(step: Step[DavenportState], out: tuple[Seat, ...]) -> tuple[Event, ...]:
    """D10: what a round shows with which seats are out."""
    return (*step.events, public("out", ("D10",), seats=out))


def _playoff_events(
    after: DavenportState, drawn: DrawnCards, supply: Supply, result: playoff.PlayoffResult
) -> tuple[Event, ...]:
    """What a round of the playoff shows: the cards, the draws, and who has to leave."""
    why = (result.rule,)
    events = (_reveal_event(after, why), *draw_events(drawn, supply, (result.decides,)))
    return (*events, public("eliminated", why, seats=result.leaving)) if result.leaving else events


def _round_done(
    state: DavenportState,
    joint: Joint,
    turned: Turned,
    supply: Supply,
    winners: tuple[Seat, ...],
    drawn: DrawnCards,
    leaving: tuple[Seat, ...],
) -> DavenportState:
    """The state after the draws of a round, with the round in its history."""
    rules, phase, number, seats_in, held, _, _, wins, history, past, outcome = state
    for seat in leaving:  # D18: after the others drew
        supply.discards += turned.hands[seat - 1]
        turned.hands[seat - 1] = []
    hands, stock, discards = tuple(map(tuple, turned.hands)), tuple(supply.stock), tuple(supply.discards)
    finished = by_place(
        DavenportRound,
        (
            phase,
            number,
            tuple(turned.shown),
            tuple(turned.exchanged),
            winners,
            tuple(drawn.counts),
            leaving,
            tuple(map(len, hands)),
            len(stock),
            len(discards),
        ),
    )
    left = tuple([seat for seat in seats_in if seat not in leaving]) if leaving else seats_in
    choices, rounds = _remember(past, held, joint), (*history, finished)
    return by_place(
        DavenportState,
        (rules, phase, number + 1, left, hands, stock, discards, wins, rounds, choices, outcome),
    )


def _remember(
    choices: tuple[tuple[OwnChoice, ...], ...], hands: tuple[Hand, ...], joint: Joint
) -> tuple[tuple[OwnChoice, ...], ...]:
    """Each seat's own past, with this decision added."""
    return tuple(
        [
            past if pick is None else past + (by_place(OwnChoice, (hand, pick)),)  # noqa: RUF005  # quicker
            for past, hand, pick in zip(choices, hands, joint, strict=True)
        ]
    )


def _reveal_event(state: DavenportState, why: tuple[str, ...]) -> Event:
    """The round just finished, as everybody saw it."""
    turned = _last_round(state)
    return public(
        "reveal",
        why,
        phase=turned.phase,
        round=turned.number,
        shown=turned.shown,
        exchanged=turned.exchanged,
        winners=turned.winners,
    )


def _last_round(state: DavenportState) -> DavenportRound:
    """The round that has just been played."""
    last = state.history[-1]
    assert isinstance(last, DavenportRound), "a resignation plays no round"
    return last


# --- leaving and the end ---------------------------------------------------------------------------------


def _resigned(state: DavenportState, joint: Joint) -> Step[DavenportState]:
    """D20: the cards go to the discards, the others play on; the last seat left wins."""
    seat = joint.index(RESIGN) + 1
    left = tuple([each for each in state.seats_in if each != seat])
    after = state._replace(
        seats_in=left,
        hands=tuple([() if each == seat else hand for each, hand in enumerate(state.hands, 1)]),
        discards=state.discards + state.hands[seat - 1],
        history=(*state.history, Gone(seat)),
        choices=_remember(state.choices, state.hands, joint),
    )
    step = Step(after, (public("resignation", ("D20",), seat=seat),))
    return step if len(left) > 1 else _end(step, left[0], RESIGNATION, ("D20",))


def _end(step: Step[DavenportState], winner: Seat, why: str, rules: tuple[str, ...]) -> Step[DavenportState]:
    """The same step, with the end of the game."""
    seats = len(step.state.hands)
    score = tuple([int(seat == winner) for seat in all_seats(seats)])
    outcome = Outcome(winner, why, score, payoffs_to_one(winner, seats))
    return Step(step.state._replace(outcome=outcome), _end_events, (step, outcome, rules))


def _end_events(step: Step[DavenportState], outcome: Outcome, rules: tuple[str, ...]) -> tuple[Event, ...]:
    """What happened, and how the game ended with it."""
    said = {"winner": outcome.winner, "termination": outcome.termination, "score": outcome.score}
    return (*step.events, public("end", rules, **said))


# --- for programs ----------------------------------------------------------------------------------------


def _decision_json(before: DavenportState, after: DavenportState) -> dict[str, Plain]:
    """One decision, as `facedown replay --json` prints it."""
    entry = after.history[len(before.history)]
    seats = len(before.hands)
    if isinstance(entry, Gone):
        return {
            "kind": "resign",
            "phase": before.phase,
            "round": before.round,
            "shown": [None] * seats,
            "exchanged": [False] * seats,
            "winners": [],
            "drew": [0] * seats,
            "eliminated": [],
            "hands": [len(hand) for hand in after.hands],
            "stock": len(after.stock),
            "discards": len(after.discards),
        }
    return {
        "kind": "play",
        "phase": entry.phase,
        "round": entry.number,
        "shown": list(entry.shown),
        "exchanged": list(entry.exchanged),
        "winners": list(entry.winners),
        "drew": list(entry.drew),
        "eliminated": list(entry.eliminated),
        "hands": list(entry.hands),
        "stock": entry.stock,
        "discards": entry.discards,
    }
