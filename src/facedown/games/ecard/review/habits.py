"""Timing habits of a seat: when its special card came, when the equilibrium's would have, and the cost.

Owns the counts over one game and how far so few rounds can be off. Must not know what anything is worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import log, prod
from typing import Final, NamedTuple, TypeAlias

from facedown.core.chance import Stream, seed_of
from facedown.core.parts.judge import Exposure, Pattern, Timing
from facedown.core.parts.readable import wilson
from facedown.core.text.translation import Message, Slot
from facedown.games.ecard import message
from facedown.games.ecard.bots.worth import times_of
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.rules import DECIDED

RoundKind: TypeAlias = "tuple[str, bool]"
"""Rounds that are alike: the side, and whether they last until the special cards meet (E6)."""

ShownCard: TypeAlias = "tuple[int, bool, float]"
"""A card that was shown: its round, whether it was the special one, and how likely the equilibrium's was. Or
a round: whether the special card came in it at all, and how likely the equilibrium's would have."""

CountedAt: TypeAlias = "tuple[str | None, int | None]"
"""Cards that are counted together: a side and a play, from 0; None for all."""

_PRIOR: Final = 1.0
"""The plays of the equilibrium that are added to what was seen at each: a few rounds say little."""
_RESAMPLES: Final = 200
_FINE: Final = 1 << 53
_RARE: Final = 0.05
"""A habit stands out if chance alone would show one as striking in fewer games than this."""
_RARE_NEVER: Final = 0.02
"""The part of it for the plainest habit: to keep the special card back in every round."""
_COIN: Final = 0.5
_MOST_ONE_IN: Final = 10
"""What happens less often than one time in this number happens now and then."""


class Shown(NamedTuple):
    """One round of a seat: the equilibrium's chance of the special card at each play with a choice, if it
    is still held, and for each of these plays that came, whether the card was shown."""

    usual: tuple[float, ...]
    special: tuple[bool, ...]

    def lasting(self, plays: int) -> Shown:
        """The same round among longer ones: the special card cannot come at a play that it did not have."""
        missing = plays - len(self.usual)
        kept = len(self.special) == len(self.usual) and not self.special[-1]
        return Shown(self.usual + (0.0,) * missing, self.special + (False,) * (missing if kept else 0))

    @property
    def cut(self) -> int:
        """The play after which nothing more can be known of the round: the other's special card ended it."""
        return len(self.usual) if not self.special or self.special[-1] else len(self.special)


@dataclass(slots=True)
class SpecialCardHabits:
    """Counts of one seat's special card."""

    shown: dict[tuple[RoundKind, int], Shown] = field(default_factory=dict)
    """By kind and number, the rounds in which neither side may be predictable."""
    idle: dict[tuple[str, int], tuple[bool, ...]] = field(default_factory=dict)
    """By side and number, the other rounds: each card that came, and whether it was the special one."""
    timed: list[tuple[int, bool, float]] = field(default_factory=list)
    """Every card: its play, from 0, whether it was the special one, and how likely the equilibrium's was."""

    def time(self, at: int, special: bool, usual: float) -> None:
        """Count a card for the table of when the special one came; `at` is the play, from 0."""
        self.timed.append((at, special, usual))

    def add(self, number: int, kind: RoundKind, usual: tuple[float, ...], special: bool) -> None:
        """Count a card of a round in which it matters to be unreadable."""
        so_far = self.shown.get((kind, number), Shown(usual, ()))
        self.shown[kind, number] = Shown(usual, (*so_far.special, special))

    def add_idle(self, number: int, side: str, special: bool) -> None:
        """Count a card of a round in which it did not matter: it shows a habit, but costs nothing."""
        self.idle[side, number] = (*self.idle.get((side, number), ()), special)

    def timing(self) -> Timing | None:
        """How often the special card came at each play, and how often it would have."""
        if not self.timed:
            return None
        plays = range(max(at for at, _, _ in self.timed) + 1)
        yours = tuple(sum(special for at, special, _ in self.timed if at == play) for play in plays)
        note = message("timing.note", came=sum(yours), rounds=_count_rounds(len(self.rounds())))
        if self.idle:
            note = message("timing.note.idle", note=note, count=len(self.idle))
        return Timing(
            message("timing"),
            tuple(message("timing.play", number=play + 1) for play in plays),
            yours,
            tuple(sum(usual for at, _, usual in self.timed if at == play) for play in plays),
            note,
        )

    def rounds(self, side: str | None = None, at: int | None = None) -> set[int]:
        """The rounds on this side that came to this play, from 0, with the special card in the hand."""
        live = [(its, number, len(shown.special)) for ((its, _), number), shown in self.shown.items()]
        idle = [(its, number, len(cards)) for (its, number), cards in self.idle.items()]
        return {number for its, number, plays in live + idle if side in (None, its) and plays > (at or 0)}

    def exposure(self) -> Exposure | None:
        """What a perfect reader would have won; resampled rounds say how far so few of them can be off."""
        if not self.shown:
            return None
        rounds = [(kind, shown) for (kind, _), shown in self.shown.items()]
        stream = Stream(seed_of(repr(rounds)), "exposure")
        found = _share(rounds)
        again = sorted(_share(_resample(rounds, stream)) for _ in range(_RESAMPLES))
        blind = [
            _share([(kind, _random_play(shown, stream)) for kind, shown in rounds]) for _ in range(_RESAMPLES)
        ]
        cut = _RESAMPLES // 40
        return Exposure(
            found,
            low=min(found, again[cut]),
            high=max(found, again[-1 - cut]),
            usual=sum(blind) / _RESAMPLES,
            rounds=len(rounds),
        )

    def striking(self) -> Striking | None:
        """The habit that chance explains least, if it hardly does.

        The special card may never have come at all. Else a habit stands out in all rounds, whatever chance
        may be thought of in those of which nothing hung; or in the others alone, whichever habit had been
        looked for; or it does so there where the rounds of which nothing hung point to. All together find one
        by chance in fewer games than `_RARE`, which they share.
        """
        found = {where: _striking(where, cards) for where, cards in self._cards().items()}
        if not found:
            return None
        never = self._never(found)
        if never is not None:
            return never
        idle = self._idle_cards(found)
        rare = (_RARE - _RARE_NEVER) / (3 if idle else 1)
        always = [_all_rounds(found[where], cards) for where, cards in idle.items()]
        always = [each for each in always if each.chance * len(always) <= rare]
        if always:
            return min(always, key=lambda each: each.chance)
        best = min(found.values(), key=lambda each: each.chance)
        if best.chance * len(found) <= rare:
            return best
        if idle:
            hint = min((_striking(*each) for each in idle.items()), key=lambda each: each.chance)
            best = found[hint.where]
            if best.tail(more=hint.came > hint.usual) <= rare:
                return best
        return None

    def _never(self, found: Mapping[CountedAt, Striking]) -> Striking | None:
        """The habit of keeping the special card back in every round, if chance hardly explains it."""
        chance = self.kept_back()
        if chance is None:
            return None
        sides = {kind[0] for kind, _ in self.shown} | {side for side, _ in self.idle}
        where = (None if len(sides) > 1 else sides.pop()), None
        live, idle = found[where], sum(map(len, self.idle.values()))
        if idle:
            cards = [chance for shown in self.shown.values() for chance in shown.usual[: len(shown.special)]]
            usual = sum(cards) / len(cards)
            chance = _fisher(chance, (1 - min(usual, _COIN)) ** idle)
        if chance > _RARE_NEVER:
            return None
        rounds = len(self.rounds(*where))
        return live._replace(rounds=rounds, usual=live.usual / live.rounds * rounds)

    def kept_back(self) -> float | None:
        """How likely the equilibrium's special card would never have come; None where the seat's came."""
        if not self.shown or any(map(any, self.idle.values())):
            return None
        rounds = self.shown.values()
        if any(any(shown.special) for shown in rounds):
            return None
        return prod(1 - chance for shown in rounds for chance in shown.usual[: len(shown.special)])

    def policy(self, where: CountedAt) -> dict[tuple[str, int], Fraction]:
        """How likely the special card is where a habit is: by side and play, from 0, if it is still held.

        A play that no round came to is left out, unless the card never came anywhere.
        """
        side, at = where
        found: dict[tuple[str, int], Fraction] = {}
        rounds = [shown.special for ((its, _), _), shown in self.shown.items() if side in (None, its)]
        never = not any(map(any, rounds))
        for play in range(DECIDED - 1) if at is None else (at,):
            cards = [special[play] for special in rounds if len(special) > play]
            if cards or never:
                share = Fraction(sum(cards), max(1, len(cards)))
                found.update({(each, play): share for each in (EMPEROR, SLAVE) if side in (None, each)})
        return found

    def _idle_cards(self, found: Mapping[CountedAt, Striking]) -> dict[CountedAt, list[ShownCard]]:
        """The cards of rounds of which nothing hung, where there are others to compare them with."""
        idle: dict[CountedAt, list[ShownCard]] = {}
        for (side, number), cards in self.idle.items():
            for at, special in enumerate(cards):
                for where in ((side, at), (None, at)):
                    if where in found:
                        usual = found[where].usual / found[where].rounds
                        idle.setdefault(where, []).append((number, special, usual))
        return idle

    def describe(self, found: Striking) -> Pattern:
        """A habit in words and numbers."""
        usual = found.usual / found.rounds
        kept = found.where[1] is None and found.came < found.usual
        done = found.rounds - found.came if kept else found.came
        low, high = wilson(done, found.rounds)
        return Pattern(
            say=self._in_words(found, done, kept=kept),
            share=done / found.rounds,
            low=low,
            high=high,
            usual=1 - usual if kept else usual,
            rounds=found.rounds,
            advice=self._advice(found),
        )

    def _in_words(self, found: Striking, done: int, *, kept: bool) -> Message:
        """The habit with the rounds that are counted: all, or which ones."""
        side, at = found.where
        card = message("pattern.special" if side is None else f"card.{side}")
        slots: dict[str, Slot] = {"card": card, "came": done, "rounds": self._counted_in_words(found)}
        if at is not None:
            return message(f"pattern.play.{at + 1}", **slots)
        if kept:
            return message("pattern.kept", **slots)
        decided = {kind[1] for kind, _ in self.shown if side in (None, kind[0])}
        return message("pattern" if decided == {True} else "pattern.chosen", **slots)

    def _counted_in_words(self, found: Striking) -> Message:
        side, at = found.where
        everywhere, on_side = self.rounds(), self.rounds(side, None)
        there = self.rounds(side, at)
        rounds = _count_rounds(found.rounds)
        if len(on_side) < len(everywhere):
            rounds = message(f"rounds.side.{side}", rounds=rounds)
        if len(there) < len(on_side) and at is not None:
            rounds = message(f"rounds.reached.{at + 1}", rounds=rounds)
        return message("rounds.mattered", rounds=rounds) if found.rounds < len(there) else rounds

    def _advice(self, found: Striking) -> Message:
        """The play that the seat used too little: what to do next time, and how often."""
        side, at = found.where
        rounds = [shown for ((its, _), _), shown in self.shown.items() if side in (None, its)]
        plays = range(max(len(shown.usual) for shown in rounds))
        rounds = [shown.lasting(len(plays)) for shown in rounds]  # extra rounds have more plays than others
        usual = [
            sum(times_of(shown.usual)[place] for shown in rounds) / len(rounds) for place in (*plays, -1)
        ]
        held = [[shown.special[at] for shown in rounds if len(shown.special) > at] for at in plays]
        times = times_of([sum(cards) / len(cards) if cards else 0.0 for cards in held])
        too_often_at_all = at is None and found.came > found.usual
        best = max(plays, key=lambda place: round(usual[place] - times[place], 1))  # of equals the first
        if too_often_at_all or usual[best] <= times[best]:
            best = len(plays)
        slots: dict[str, Slot] = {
            "card": message("next.special" if side is None else f"next.card.{side}"),
            "often": _often(usual[best]),
        }
        return message("next.kept" if best == len(plays) else f"next.play.{best + 1}", **slots)

    def _cards(self) -> dict[CountedAt, list[ShownCard]]:
        """All cards, by side and play and by play; and all rounds, by side and together."""
        found: dict[CountedAt, list[ShownCard]] = {}
        for ((side, _), number), shown in self.shown.items():
            for at, (special, usual) in enumerate(zip(shown.special, shown.usual, strict=False)):
                for where in ((side, at), (None, at)):
                    found.setdefault(where, []).append((number, special, usual))
            at_all = 1 - prod(1 - chance for chance in shown.usual[: shown.cut])
            for each in (side, None):
                found.setdefault((each, None), []).append((number, any(shown.special), at_all))
        return found


# --- the perfect reader ----------------------------------------------------------------------------------


def _share(rounds: Sequence[tuple[RoundKind, Shown]]) -> float:
    """The share of these rounds that the best answer to their own habits wins."""
    won = 0.0
    for kind in dict.fromkeys(kind for kind, _ in rounds):  # in order: sums of floats depend on it
        alike = [shown for each, shown in rounds if each == kind]
        won += len(alike) * best_share(*kind, _hazards(alike))
    return won / len(rounds)


def _hazards(rounds: Sequence[Shown]) -> list[float]:
    """How often the special card came at each play where it was still held, drawn to the equilibrium."""
    hazards = []
    for at in range(len(rounds[0].usual)):
        cards = [shown.special[at] for shown in rounds if len(shown.special) > at]
        usual = sum(shown.usual[at] for shown in rounds) / len(rounds)
        hazards.append((sum(cards) + _PRIOR * usual) / (len(cards) + _PRIOR))
    return hazards


def best_share(side: str, decided: bool, hazards: Sequence[float]) -> float:
    """How often the best time for the other's special card wins a round against a seat on this side.

    The Slave side wins only where the special cards meet; the Emperor side wherever one meets a Citizen.

    >>> best_share("E", False, [0.5, 0.5]), best_share("S", False, [0.5, 0.5]), best_share("E", True, [0.1])
    (0.5, 0.75, 0.9)
    """
    *times, held = times_of(hazards)
    if side == EMPEROR:
        return max(*times, held if decided else 0.0)
    return max(1.0 - min(times), sum(times))


def _resample(rounds: Sequence[tuple[RoundKind, Shown]], stream: Stream) -> list[tuple[RoundKind, Shown]]:
    """As many rounds, each one of these, or now and then, as if there had been one more, one by the dice."""
    drawn = []
    for _ in rounds:
        kind, shown = rounds[stream.below(len(rounds))]
        drawn.append((kind, shown if stream.below(len(rounds) + 1) else _random_play(shown, stream)))
    return drawn


def _random_play(shown: Shown, stream: Stream) -> Shown:
    """The same round, played by the equilibrium's dice; the other's card comes when it came."""
    special: list[bool] = []
    for usual in shown.usual[: shown.cut]:
        special.append(stream.below(_FINE) < usual * _FINE)
        if special[-1]:
            break
    return Shown(shown.usual, tuple(special))


# --- what stands out -------------------------------------------------------------------------------------


class Striking(NamedTuple):
    """How often the special card came somewhere, and how likely the equilibrium would come so far off."""

    where: CountedAt
    came: int
    rounds: int
    usual: float
    fewer: float
    """How likely the equilibrium's comes at most as often."""
    oftener: float
    """How likely it comes at least as often."""

    @property
    def chance(self) -> float:
        """How likely the equilibrium would be so far off, to this side or to that."""
        return min(1.0, 2 * min(self.fewer, self.oftener))

    def tail(self, *, more: bool) -> float:
        """How likely the equilibrium would be so far off to one side."""
        return self.oftener if more else self.fewer


def _count_rounds(count: int) -> Message:
    return message("rounds", count=count)


def _striking(where: CountedAt, cards: Sequence[ShownCard]) -> Striking:
    came, usual = sum(special for _, special, _ in cards), sum(chance for _, _, chance in cards)
    odds = [1.0]  # of every number of times
    for _, _, chance in cards:
        odds = [
            same * (1 - chance) + less * chance for same, less in zip([*odds, 0.0], [0.0, *odds], strict=True)
        ]
    rounds = len({number for number, _, _ in cards})
    return Striking(where, came, rounds, usual, sum(odds[: came + 1]), sum(odds[came:]))


def _all_rounds(live: Striking, idle: Sequence[ShownCard]) -> Striking:
    """A habit in all rounds. Who cannot be read may do anything where nothing hangs on it, so that the
    cards shown there are compared with a coin where that explains more."""
    usual = live.usual / live.rounds
    often, rarely = (
        _striking(live.where, [(number, special, chance) for number, special, _ in idle])
        for chance in (max(usual, _COIN), min(usual, _COIN))
    )
    return live._replace(
        came=live.came + often.came,
        rounds=live.rounds + often.rounds,
        usual=usual * (live.rounds + often.rounds),
        fewer=_fisher(live.fewer, rarely.fewer) if live.came < live.usual else 1.0,
        oftener=_fisher(live.oftener, often.oftener) if live.came > live.usual else 1.0,
    )


def _fisher(one: float, other: float) -> float:
    """Fisher's method: how likely two tails are, together, so small by chance.

    >>> _fisher(1.0, 1.0), round(_fisher(0.05, 0.05), 3)
    (1.0, 0.017)
    """
    both = one * other
    return both * (1.0 - log(both)) if both else 0.0


def _often(share: float) -> Message:
    """A share as people say it.

    >>> str(_often(0.2)), str(_often(0.45)), str(_often(0.8)), str(_often(0.02))
    ('one time in five', 'in half of the rounds', 'most of the time', 'now and then')
    """
    if share >= 0.6:
        return message("often.most")
    if share >= 0.42:
        return message("often.half")
    one_in = round(1 / share) if share > 0 else _MOST_ONE_IN + 1
    return message(f"often.{one_in}" if one_in <= _MOST_ONE_IN else "often.rarely")
