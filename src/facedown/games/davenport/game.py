"""Davenport, rule by rule (D1 to D20): the deal, what may be picked, by whom, and who sees what.

`rounds` carries a round out, `reveal` turns and judges cards, `playoff` has the playoff's own rules.
"""

from __future__ import annotations

from typing import ClassVar, Final

from facedown.core.chance import Chance
from facedown.core.errors import IllegalPick
from facedown.core.game import Citations, Game, Joint, Meta, Pick, Step, Waves
from facedown.core.outcome import FORFEITED, RESIGNATION, Outcome
from facedown.core.seats import Seat, Viewer, all_seats
from facedown.core.views import Encoding, Plain
from facedown.games.davenport import message
from facedown.games.davenport.encoding import alphabet, encode, encoding
from facedown.games.davenport.notation import EXCHANGE, is_exchange, read_pick
from facedown.games.davenport.reveal import Supply, dealt
from facedown.games.davenport.rounds import deal_events, decision_json, forfeit, resolve
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import BY_PLAYOFF, CARDS_EACH, MAIN, OUT, DavenportState
from facedown.games.davenport.view import DavenportView, see

_EXCHANGE_OF: Final = EXCHANGE.__getitem__


class Davenport(Game[DavenportRules, DavenportState, DavenportView]):
    """The rules of Davenport as pure functions on `DavenportState`."""

    name: ClassVar[str] = "davenport"
    version: ClassVar[int] = 1
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
    terminations: ClassVar[tuple[str, ...]] = (OUT, BY_PLAYOFF, RESIGNATION, FORFEITED)
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
        return Step(start, deal_events, (start,))

    def pending(self, state: DavenportState) -> Waves:
        """D3, D4: every seat that is in picks, together or in seat order."""
        return _waves(state)

    def due(self, view: DavenportView) -> Waves:
        """D3, D4: which seats are in is public."""
        return _waves(view)

    def legal(self, state: DavenportState, seat: Seat) -> tuple[Pick, ...]:
        """D3: play a card of the hand, or exchange one."""
        if state.outcome is not None or seat not in state.seats_in:
            return ()
        hand = state.hands[seat - 1]
        return hand + tuple(map(_EXCHANGE_OF, hand)) if state.rules.exchange else hand

    resolve = staticmethod(resolve)
    forfeit = staticmethod(forfeit)
    read_pick = staticmethod(read_pick)
    encode = staticmethod(encode)

    def view(self, state: DavenportState, viewer: Viewer) -> DavenportView:
        return see(state, viewer, self.pending(state))

    def outcome(self, state: DavenportState) -> Outcome | None:
        return state.outcome

    def standing(self, state: DavenportState) -> tuple[Seat, ...]:
        """D20: a seat that is still in may resign."""
        return () if state.outcome is not None else state.seats_in

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

    def lies_open(self, pick: Pick) -> bool:
        """D3: a card that is exchanged goes face down to the discards."""
        return not is_exchange(pick)

    def decision_json(
        self, before: DavenportState, joint: Joint, step: Step[DavenportState]
    ) -> dict[str, Plain]:
        return decision_json(before, joint, step.state)


def _waves(table: DavenportState | DavenportView) -> Waves:
    if table.outcome is not None:
        return ()
    if table.rules.placing == "in_turn":
        return tuple((seat,) for seat in table.seats_in)
    return (table.seats_in,)


GAME = Davenport()
