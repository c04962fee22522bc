"""Worlds: the same table, played by a trace of chance and picks, and traces bent into others.

Owns the search for other worlds; what they must have in common is for `leaks` and `recall` to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from facedown.core.chance import LOCAL, Seeded, Stream, Text, deal_key, seed_of
from facedown.core.events import Event
from facedown.core.game import RESIGN, Joint, Pick
from facedown.core.seats import Seat
from facedown.testing.tables import Deal, TableSetup, one_of, resignation, uniform

_RESIGNS = 150
"""One decision in this number is a resignation."""


class Trace(NamedTuple):
    """What makes a game: every chance draw, and every pick."""

    chance: tuple[str, ...] = ()
    picks: tuple[Joint, ...] = ()


class Following(Seeded):
    """Chance that follows a script as long as that can come up, and its own seed elsewhere."""

    __slots__ = ("_script", "offered")

    def __init__(self, key: bytes, script: Sequence[str]) -> None:
        super().__init__(key)
        self._script = script
        self.offered: list[tuple[str, ...]] = []

    def draw(self, options: Sequence[Text], /) -> Text:
        """What the script names here, if that is among the options."""
        place = len(self.drawn)
        self.offered.append(tuple(options))
        if place >= len(self._script) or self._script[place] not in self.offered[-1]:
            return super().draw(options)
        drawn = options[self.offered[-1].index(self._script[place])]
        self.drawn.append(drawn)
        return drawn


class World:
    """A match that plays itself: it follows a trace as long as the rules allow it, and chance elsewhere."""

    def __init__(self, table: TableSetup, trace: Trace, seed: str) -> None:
        key = deal_key(seed_of(seed), LOCAL)
        self.chance = Following(key, trace.chance)
        self.match = table.sit(self.chance)
        self.happened: tuple[Event, ...] = self.match.dealt.events
        self.legal: list[dict[Seat, tuple[Pick, ...]]] = []
        """By decision: what each seat that had to pick could pick."""
        self.drawn_before: list[int] = []
        """By decision: how much chance had brought when it was made."""
        self._picks = trace.picks
        self._stream = Stream(key, "testing/picks")
        self._resigning = Stream(key, "testing/resigning")

    @property
    def trace(self) -> Trace:
        """What has made this world so far."""
        return Trace(tuple(self.chance.drawn), tuple(self.match.picks))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.match.outcome is not None

    def next_joint(self) -> Joint:
        """The picks of the next decision: the trace's where they are legal, uniform ones elsewhere."""
        scripted = self._picks[self.match.decision - 1] if self.match.decision <= len(self._picks) else None
        standing = self.match.game.standing(self.match.state)
        if scripted is None and standing and self._resigning.below(_RESIGNS) == 0:
            return resignation(self.match, standing[self._resigning.below(len(standing))])
        if scripted is not None and RESIGN in scripted and scripted.index(RESIGN) + 1 in standing:
            return scripted
        joint = uniform(self.match, self._stream)
        return (
            joint
            if scripted is None
            else tuple(map(self._scripted_or, range(1, len(joint) + 1), scripted, joint))
        )

    def _scripted_or(self, seat: Seat, scripted: Pick | None, instead: Pick | None) -> Pick | None:
        if instead is None or scripted not in self.match.legal(seat):
            return instead
        legal = self.match.legal(seat)
        return legal[legal.index(scripted)]

    def decide(self, joint: Joint) -> None:
        """Make the next decision."""
        self.legal.append({seat: self.match.legal(seat) for wave in self.match.pending for seat in wave})
        self.drawn_before.append(len(self.chance.drawn))
        self.happened = self.match.decide(joint).events

    def run(self, decisions: int) -> World:
        """Play until that number of decisions has been made, or the game is over."""
        while not self.over and self.match.decision <= decisions:
            self.decide(self.next_joint())
        return self


def stopped_world(deal: Deal, most: int, stream: Stream) -> World:
    """The world of a deal, stopped anywhere, but at the latest after that number of decisions."""
    whole = World(deal.table, Trace(), str(deal.seed)).run(most)
    stop = _place(len(whole.match.picks) + 1, stream)
    return World(deal.table, whole.trace, str(deal.seed)).run(stop)


# --- other stories ---------------------------------------------------------------------------------------


def bent(world: World, stream: Stream) -> Trace:
    """Another trace that starts like this world's: something else comes up, or a seat picks another way.

    From there on the two things that changed places stand for each other, so that the rest of the trace
    still makes sense: a seat that was dealt the other card plays the other card.
    """
    trace = world.trace
    for _ in range(1 + stream.below(2)):
        trace = (
            _other_pick(world, trace, stream) if stream.below(3) == 0 else _other_chance(world, trace, stream)
        )
    return trace


def _other_chance(world: World, trace: Trace, stream: Stream) -> Trace:
    if not trace.chance:
        return _other_pick(world, trace, stream)
    place = _place(len(trace.chance), stream)
    one, other = trace.chance[place], one_of(world.chance.offered[place], stream)
    chance = [_swap(text, one, other) if n >= place else text for n, text in enumerate(trace.chance)]
    picks = [
        tuple(pick and _swap_within(pick, one, other) for pick in joint) if drawn > place else joint
        for drawn, joint in zip(world.drawn_before, trace.picks, strict=True)
    ]
    return Trace(tuple(chance), tuple(picks))


def _other_pick(world: World, trace: Trace, stream: Stream) -> Trace:
    if not trace.picks:
        return trace
    decision = _place(len(trace.picks), stream)
    seats = sorted(world.legal[decision])
    seat = seats[stream.below(len(seats))]
    one, other = trace.picks[decision][seat - 1], one_of(world.legal[decision][seat], stream)
    if one is None or RESIGN in trace.picks[decision]:
        return trace
    picks = [
        (*joint[: seat - 1], _swap(joint[seat - 1] or "", one, other) or None, *joint[seat:])
        if n >= decision
        else joint
        for n, joint in enumerate(trace.picks)
    ]
    return Trace(trace.chance, tuple(picks))


def _place(count: int, stream: Stream) -> int:
    """Any place of a trace; late ones are likelier, as what was bent late is not found out so soon."""
    return max(stream.below(count), stream.below(count))


def _swap(text: str, one: str, other: str) -> str:
    return other if text == one else one if text == other else text


def _swap_within(text: str, one: str, other: str) -> str:
    """The text with the two exchanged wherever they occur, such as a card in the name of a pick."""
    return other.join(part.replace(other, one) for part in text.split(one)) if one and other else text
