"""The leaky sisters of `Highest`: each lets out one thing that must stay face down, each in another way."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, cast

from facedown.core.chance import Chance
from facedown.core.errors import IllegalPick
from facedown.core.events import Event, private, public
from facedown.core.game import RESIGN, Joint, Pick, Step, Waves
from facedown.core.seats import Seat, Viewer
from tests.leaky.honest import DECK, Highest, HighestRules, HighestView, State


@dataclass(frozen=True, slots=True)
class LeakyView(HighestView):
    leak: Any = None


def with_leak(view: HighestView, leak: object) -> LeakyView:
    known = {name: getattr(view, name) for name in view.__dataclass_fields__}
    return LeakyView(**known, leak=leak)


# --- a pick in the state ---------------------------------------------------------------------------------


class PickInState(Highest):
    """Asks one seat after the other, and keeps their picks in the state, from which the view takes them."""

    def pending(self, state: State) -> Waves:
        return () if state.outcome else ((state.standing[len(state.placed)],),)

    def resolve(self, state: State, joint: Joint, chance: Chance) -> Step[State]:
        if RESIGN in joint:
            return super().resolve(state._replace(placed=()), joint, chance)
        seat = state.standing[len(state.placed)]
        placed = (*state.placed, joint[seat - 1] or "")
        if len(placed) < len(state.standing):
            return Step(state._replace(placed=placed), (public("placed", (), seat=seat),))
        by_seat = dict(zip(state.standing, placed, strict=True))
        whole = tuple(by_seat.get(each) for each in range(1, len(joint) + 1))
        return super().resolve(state._replace(placed=()), whole, chance)

    def view(self, state: State, viewer: Viewer) -> LeakyView:
        return with_leak(super().view(state, viewer), state.placed)


class Noticing(tuple[Pick, ...]):
    """Legal picks that notice which pick is looked up."""

    asked: list[object]

    def __contains__(self, pick: object) -> bool:
        self.asked.append(pick)
        return super().__contains__(pick)


class SealedPickInState(Highest):
    """Notices a pick while it is being sealed, writes it into the state, and shows it before the reveal."""

    def setup(self, rules: HighestRules, seats: int, chance: Chance) -> Step[State]:
        step = super().setup(rules, seats, chance)
        noticed: Any = []
        return Step(step.state._replace(placed=noticed), step.events)

    def legal(self, state: State, seat: Seat) -> tuple[Pick, ...]:
        noticing = Noticing(super().legal(state, seat))
        noticing.asked = cast("list[object]", state.placed)
        return noticing

    def leak(self, noticed: Pick) -> object:
        return "".join(noticed)

    def view(self, state: State, viewer: Viewer) -> LeakyView:
        noticed = state.placed[-1] if state.placed else ""
        return with_leak(super().view(state, viewer), self.leak(noticed))


class SealedPickSpoken(SealedPickInState):
    """Puts the sealed pick into a sentence."""

    def leak(self, noticed: Pick) -> object:
        return f"a seat sealed {noticed}"


class SealedPickInReach(SealedPickInState):
    """Shows nothing of the pick, but keeps the object itself in the view, out of reach of any repr."""

    def leak(self, noticed: Pick) -> object:
        innocent = Innocent("nothing")
        innocent.behind = (noticed,)
        return innocent


class Innocent(str):
    """Looks like a text and is written like one, but holds something behind it."""

    __slots__ = ("behind",)
    behind: tuple[Pick, ...]


# --- a view by deletion ----------------------------------------------------------------------------------


class ViewByDeletion(Highest):
    """Starts from the whole state and deletes the hands; the rest of the deck still shows them."""

    def view(self, state: State, viewer: Viewer) -> LeakyView:
        everything = state._asdict()
        for secret in ("hands", "rules", "outcome", "seed"):
            del everything[secret]
        return with_leak(super().view(state, viewer), tuple(everything.items()))


# --- a seed in a view ------------------------------------------------------------------------------------


class SeedInView(Highest):
    """Draws a seed, deals from it in its own way, and shows it as the number of the table."""

    def setup(self, rules: HighestRules, seats: int, chance: Chance) -> Step[State]:
        seed = chance.draw(tuple(f"{number:03}" for number in range(500)))
        deck = Random(seed).sample(DECK, len(DECK))
        dealt = [tuple(deck[seat::seats][: rules.cards]) for seat in range(seats)]
        start = State(rules, tuple(dealt), (), (0,) * seats, (), tuple(range(1, seats + 1)), seed=seed)
        return Step(start, tuple(self.told_hand(seat, hand) for seat, hand in enumerate(dealt, 1)))

    def view(self, state: State, viewer: Viewer) -> LeakyView:
        return with_leak(super().view(state, viewer), f"table {state.seed}")


def key_of(chance: Chance) -> str:
    """The key of the deal, wherever the chance keeps it."""
    near: list[object] = [chance]
    while near:
        for found in near:
            if isinstance(found, bytes) and len(found) == 32:
                return found.hex()
        near = [part for each in near if not isinstance(each, type) for part in gc.get_referents(each)]
    return ""


class KeyInView(Highest):
    """Shows a digit or two of the very key that deals the game."""

    def setup(self, rules: HighestRules, seats: int, chance: Chance) -> Step[State]:
        step = super().setup(rules, seats, chance)
        return Step(step.state._replace(seed=key_of(chance)[:6]), step.events)

    def view(self, state: State, viewer: Viewer) -> LeakyView:
        return with_leak(super().view(state, viewer), state.seed)


# --- a length that differs -------------------------------------------------------------------------------


class LengthOfView(Highest):
    """Masks the others' cards, one star for every point."""

    def view(self, state: State, viewer: Viewer) -> LeakyView:
        masked = tuple("*" * sum(map(int, hand)) for hand in state.hands)
        return with_leak(super().view(state, viewer), masked)


class LengthOfError(Highest):
    """A refusal whose sentence is longer when the other seats hold more."""

    def refusal(self, state: State, seat: Seat, pick: Pick) -> IllegalPick:
        others = sum(int(card) for hand in state.hands for card in hand)
        return IllegalPick("that is not in your hand" + "." * others, text=pick)


class LengthOfEvents(Highest):
    """A seat with a high card gets one event more, which the others get redacted: they can count."""

    def setup(self, rules: HighestRules, seats: int, chance: Chance) -> Step[State]:
        step = super().setup(rules, seats, chance)
        lucky = [seat for seat, hand in enumerate(step.state.hands, 1) if max(hand) >= "7"]
        more = tuple(private(seat, "lucky", (), seat=seat) for seat in lucky)
        return Step(step.state, step.events + more)


class WhoHasToPick(Highest):
    """The seat with the higher first card places first: the order shows which one that is."""

    def pending(self, state: State) -> Waves:
        if state.outcome is not None:
            return ()
        return tuple((seat,) for seat in sorted(state.standing, key=lambda seat: state.hands[seat - 1]))


# --- ways out --------------------------------------------------------------------------------------------


class StateInView(Highest):
    def view(self, state: State, viewer: Viewer) -> LeakyView:
        return with_leak(super().view(state, viewer), ("nested", state))


class BytesInView(Highest):
    def view(self, state: State, viewer: Viewer) -> LeakyView:
        return with_leak(super().view(state, viewer), b"seed")


class ChanceInView(Highest):
    def __init__(self) -> None:
        self.chance: Chance | None = None

    def setup(self, rules: HighestRules, seats: int, chance: Chance) -> Step[State]:
        self.chance = chance
        return super().setup(rules, seats, chance)

    def view(self, state: State, viewer: Viewer) -> LeakyView:
        return with_leak(super().view(state, viewer), (self.chance,))


class ClosureInView(Highest):
    def view(self, state: State, viewer: Viewer) -> LeakyView:
        look: Callable[[], State] = lambda: state  # noqa: E731  # the very thing that must be found
        return with_leak(super().view(state, viewer), look)


class StateInError(Highest):
    def refusal(self, state: State, seat: Seat, pick: Pick) -> IllegalPick:
        error = IllegalPick("that is not in your hand", text=pick)
        error.add_note("see state")
        error.state = state  # type: ignore[attr-defined]  # the very thing that must be found
        return error


class ToldToAll(Highest):
    """Says that hands are hidden, and deals them openly."""

    def told_hand(self, seat: Seat, hand: tuple[str, ...]) -> Event:
        return public("hand", ("T1",), seat=seat, cards=hand)


class HandsInNumbers(Highest):
    """Its views leak nothing; the numbers are made from the state that it looked at last."""

    stock: tuple[str, ...] = ()

    def view(self, state: State, viewer: Viewer) -> HighestView:
        self.stock = state.stock
        return super().view(state, viewer)

    def encode(self, view: HighestView) -> Sequence[float]:
        return [float(card in self.stock) for card in DECK]
