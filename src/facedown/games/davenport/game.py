"""Davenport, rule by rule (D1 to D20): the deal, a round of either phase, going out, resigning, the end.

How cards are turned and judged stands in `reveal`, the playoff's own rules in `playoff`.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

from facedown.core.cards import Card
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
    OwnChoice,
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
        events = [public("deal", ("D2",), cards=CARDS_EACH)]
        events.extend(private(seat, "hand", ("D2",), seat=seat, cards=hand) for seat, hand in hands.items())
        return Step(start, tuple(events))

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
            return _resigned(state._replace(choices=_remember(state, joint)), joint.index(RESIGN) + 1)
        supply = Supply(state.stock, state.discards)
        turned = turn(state, joint, supply, chance)
        if state.phase == MAIN:
            return _main_round(state, joint, turned, supply, chance)
        return self._playoff_round(state, joint, turned, supply, chance)

    def _playoff_round(
        self, state: DavenportState, joint: Joint, turned: Turned, supply: Supply, chance: Chance
    ) -> Step[DavenportState]:
        """D17 to D19: who scored and who leaves; those who are still in draw, unless the game is decided."""
        result = playoff.judge(state, turned.shown)
        drawn = draw_cards(self._drawing(state, result), turned.hands, supply, chance)
        after = _round_done(state, joint, turned, supply, highest(turned.shown), drawn, result.leaving)
        after = after._replace(wins=result.wins)
        events = _playoff_events(after, drawn, supply, result)
        if result.winner is None:
            return Step(after, events)
        return _end(after, events, result.winner, BY_PLAYOFF, (result.decides,))

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
    verdict = judge(turned.shown, state.rules.ace)
    winners = verdict.winners
    losers = tuple([seat for seat in state.seats_in if seat not in winners])
    drawn = draw_cards(losers + verdict.additional, turned.hands, supply, chance)
    after = _round_done(state, joint, turned, supply, winners, drawn, ())
    if all(turned.hands.values()):
        return Step(after, partial(_main_events, after, verdict, drawn, supply))
    out = tuple([seat for seat in after.seats_in if not after.hands[seat - 1]])
    events = (*_main_events(after, verdict, drawn, supply), public("out", ("D10",), seats=out))
    if len(out) == 1:
        return _end(after, events, out[0], OUT, ("D10",))
    begun, dealing = playoff.start(after, out, chance)
    return Step(begun, events + dealing)


def _main_events(
    after: DavenportState, verdict: RoundVerdict, drawn: dict[Seat, list[Card]], supply: Supply
) -> tuple[Event, ...]:
    """What a round of the main game shows: the cards and the draws."""
    why_drawn = ("D7", *(rule for rule in verdict.why if rule != "D6"))
    return (_reveal_event(after, verdict.why), *draw_events(after, drawn, supply, why_drawn))


def _playoff_events(
    after: DavenportState, drawn: dict[Seat, list[Card]], supply: Supply, result: playoff.PlayoffResult
) -> tuple[Event, ...]:
    """What a round of the playoff shows: the cards, the draws, and who has to leave."""
    why = (result.rule,)
    events = (_reveal_event(after, why), *draw_events(after, drawn, supply, (result.decides,)))
    return (*events, public("eliminated", why, seats=result.leaving)) if result.leaving else events


def _round_done(
    state: DavenportState,
    joint: Joint,
    turned: Turned,
    supply: Supply,
    winners: tuple[Seat, ...],
    drawn: dict[Seat, list[Card]],
    leaving: tuple[Seat, ...],
) -> DavenportState:
    """The state after the draws of a round, with the round in its history."""
    rules, phase, number, seats_in, held, _, _, wins, history, _, outcome = state
    everybody, kept = all_seats(len(held)), turned.hands
    for seat in leaving:  # D18: after the others drew
        supply.discards += kept.pop(seat)
    hands = tuple([tuple(kept.get(seat, ())) for seat in everybody])
    stock, discards = tuple(supply.stock), tuple(supply.discards)
    finished = DavenportRound(
        phase,
        number,
        tuple(map(turned.shown.get, everybody)),
        tuple(turned.exchanged),
        winners,
        tuple([len(drawn[seat]) if seat in drawn else 0 for seat in everybody]),
        leaving,
        tuple(map(len, hands)),
        len(stock),
        len(discards),
    )
    left = tuple([seat for seat in seats_in if seat not in leaving]) if leaving else seats_in
    past, choices = (*history, finished), _remember(state, joint)
    return DavenportState(
        rules, phase, number + 1, left, hands, stock, discards, wins, past, choices, outcome
    )


def _remember(state: DavenportState, joint: Joint) -> tuple[tuple[OwnChoice, ...], ...]:
    """Each seat's own past, with this decision added."""
    return tuple(
        [
            past if pick is None else (*past, OwnChoice(hand, pick))
            for past, hand, pick in zip(state.choices, state.hands, joint, strict=True)
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


def _resigned(state: DavenportState, seat: Seat) -> Step[DavenportState]:
    """D20: the cards go to the discards, the others play on; the last seat left wins."""
    left = tuple(each for each in state.seats_in if each != seat)
    after = state._replace(
        seats_in=left,
        hands=tuple(() if each == seat else hand for each, hand in enumerate(state.hands, 1)),
        discards=state.discards + state.hands[seat - 1],
        history=(*state.history, Gone(seat)),
    )
    events = (public("resignation", ("D20",), seat=seat),)
    if len(left) > 1:
        return Step(after, events)
    return _end(after, events, left[0], RESIGNATION, ("D20",))


def _end(
    state: DavenportState, events: tuple[Event, ...], winner: Seat, why: str, rules: tuple[str, ...]
) -> Step[DavenportState]:
    seats = len(state.hands)
    score = tuple(int(seat == winner) for seat in all_seats(seats))
    outcome = Outcome(winner, why, score, payoffs_to_one(winner, seats))
    ended = public("end", rules, winner=winner, termination=why, score=score)
    return Step(state._replace(outcome=outcome), (*events, ended))


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
