"""E-Card, rule by rule (E1 to E18), each beside its id: what may be picked, by whom, and who sees what.

`plays` says what two cards do in a play, `rounds` how rounds and the game end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Final

from facedown.core.chance import Chance
from facedown.core.errors import IllegalPick
from facedown.core.game import Citations, Game, Joint, Meta, Pick, Step, Waves
from facedown.core.outcome import COMPLETED, FORFEITED, RESIGNATION, Outcome
from facedown.core.seats import Seat, Viewer
from facedown.core.views import Encoding, Plain
from facedown.games.ecard import message
from facedown.games.ecard.encoding import ENCODING, alphabet, encode
from facedown.games.ecard.notation import CARD_NAMES, read_pick
from facedown.games.ecard.plays import play_at
from facedown.games.ecard.rounds import decision_json, first_state, forfeit, legal, pending, resolve
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.state import EXTRA, RUIN, ECardState
from facedown.games.ecard.view import ECardView, see

FIRST_EMPEROR: Final[Mapping[ECardRules, float]] = {
    replace(ECardRules.read(preset), first="drawn"): value
    for preset, value in (
        ("classic", 0.444477),
        ("short", 0.436633),
        ("victories", 0.484712),
        ("decisive", 0.412794),
        ("purse", 0.444343),
    )
}
"""What the first Emperor side gets of a game between perfect players, a draw being a half (`solve`)."""


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
    terminations: ClassVar[tuple[str, ...]] = (COMPLETED, EXTRA, RUIN, RESIGNATION, FORFEITED)
    rules = ECardRules

    def setup(self, rules: ECardRules, seats: int, chance: Chance) -> Step[ECardState]:
        """E9: who is the Emperor side first."""
        emperor = int(chance.draw(("1", "2")) if rules.first == "drawn" else rules.first)
        start = first_state(rules, emperor)
        return Step(start, () if start.at.sides is None else (start.at.sides,))

    # Functions that know no game object.
    pending = staticmethod(pending)
    legal = staticmethod(legal)
    resolve = staticmethod(resolve)
    forfeit = staticmethod(forfeit)
    read_pick = staticmethod(read_pick)
    encode = staticmethod(encode)

    def view(self, state: ECardState, viewer: Viewer) -> ECardView:
        """E18: nothing that has not been revealed."""
        return see(state, viewer, self.pending(state))

    def seat_shares(
        self, rules: ECardRules, seats: int, dealt: ECardState | None
    ) -> tuple[float, ...] | None:
        """E9: the value of the first Emperor side, for the rule sets in `FIRST_EMPEROR`."""
        value = FIRST_EMPEROR.get(replace(rules, first="drawn"))
        if value is None:
            return None
        if dealt is None and rules.first == "drawn":
            return 0.5, 0.5
        emperor = int(rules.first) if dealt is None else dealt.emperor
        return (value, 1 - value) if emperor == 1 else (1 - value, value)

    def handicap(self, rules: ECardRules, seat: Seat) -> ECardRules | None:
        """E9: the first Emperor side gets less than a half."""
        value = FIRST_EMPEROR.get(replace(rules, first="drawn"))
        if value is None:
            return None
        return replace(rules, first=str(seat if value < 0.5 else 3 - seat))

    def due(self, view: ECardView) -> Waves:
        """E4, E7, E13: from the first Emperor side, the round, the play, and whether a stake is named."""
        if view.outcome is not None:
            return ()
        return play_at(view.rules, view.sides[0], (view.round, view.play, view.stake)).waves

    def outcome(self, state: ECardState) -> Outcome | None:
        return state.outcome

    def standing(self, state: ECardState) -> tuple[Seat, ...]:
        """E14: either seat may resign at any time."""
        return () if state.outcome is not None else (1, 2)

    def refusal(self, state: ECardState, seat: Seat, pick: Pick) -> IllegalPick:
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

    def decision_json(self, before: ECardState, joint: Joint, step: Step[ECardState]) -> dict[str, Plain]:
        return decision_json(before, joint, step.state)


GAME = ECard()
