"""The plays of E-Card: who may place what, and what each pair of cards does (E1 to E10).

Owns all of a play that does not depend on what was won before it: worked out once, and shared by all games.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias, final

from facedown.core.events import Event, public
from facedown.core.game import Joint, Pick, Waves
from facedown.core.seats import Seat
from facedown.games.ecard.notation import CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.rules import DECIDED, ECardRules
from facedown.games.ecard.shown import ECardRound, Meeting

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

RULE_SETS: Final = 64
"""The number of rule sets whose plays and first states are cached."""

BySeat: TypeAlias = tuple[int, int]
"""Two numbers, by seat."""

PlayKey: TypeAlias = "tuple[int, int, int | None]"
"""The round, the play, and the stake."""


@final
class Plays(dict[PlayKey, "Play"]):
    """All plays under one rule set with one seat as the first Emperor side; each is made when first met."""

    def __init__(self, rules: ECardRules, opening: Seat) -> None:
        super().__init__()
        self.rules = rules
        self.opening = opening
        self.sides = tuple(side_of_round(rules, opening, number) for number in range(1, rules.rounds + 1))
        """The Emperor side of each round of the game, extra rounds left out (E8)."""

    def __missing__(self, where: PlayKey) -> Play:
        play = self[where] = Play(self, *where)
        return play

    def start_of_round(self, number: int) -> Play:
        """E13: where stakes are named, each round starts without one; extra rounds are at stake 1."""
        named = self.rules.stakes == "named" and number <= self.rules.rounds
        return self[number, 1, None if named else 1]


@lru_cache(maxsize=RULE_SETS)
def plays_of(rules: ECardRules, opening: Seat) -> Plays:
    """The plays under these rules where that seat is the Emperor side first."""
    return Plays(rules, opening)


def play_at(rules: ECardRules, opening: Seat, where: PlayKey) -> Play:
    """One of these plays."""
    return plays_of(rules, opening)[where]


@final
class Play:
    """One play of one round. Holds nothing of what is face down."""

    __slots__ = (
        "_plays",
        "course",
        "emperor",
        "extra",
        "first",
        "last_play",
        "may_end",
        "meets",
        "named",
        "number",
        "picks",
        "revealed",
        "round",
        "rules",
        "sides",
        "slave",
        "stake",
        "waves",
    )

    def __init__(self, plays: Plays, number: int, play: int, stake: int | None) -> None:
        rules = plays.rules
        self._plays = plays
        self.revealed: dict[Joint, Revealed] = {}
        """What pairs of cards come to, as far as they have been turned in some game."""
        self.rules = rules
        self.round = number
        """From 1; past `rules.rounds` it is an extra round (E12)."""
        self.number = play
        """From 1 in each round."""
        self.stake = stake
        """None while the Slave side has to name it (E13)."""
        self.named = rules.stakes == "named"
        self.extra = number > rules.rounds
        self.last_play = DECIDED if self.extra else rules.plays
        """The play with which this round ends at the latest (E6, E12)."""
        self.may_end = self.named or number >= rules.rounds
        """Whether the game may be over after this round (E11 to E13)."""
        self.emperor = side_of_round(rules, plays.opening, number)
        self.slave = 3 - self.emperor
        self.sides = _sides(self, plays.opening)
        """The event about the sides before this play; None where they stay."""
        self.first = _first(self)
        """The seat that places first; None where both place together (E7)."""
        self.waves = _waves(self)
        """Who has to pick, in placing order."""
        self.picks = _picks(self)
        """The cards that may be placed, by seat."""
        self.meets = (_meets(self, 1), _meets(self, 2))
        """What each of them comes to, by seat."""
        self.course = plays.sides
        """The Emperor side of each round."""

    @property
    def key(self) -> PlayKey:
        """Which of the plays under its rules this is."""
        return self.round, self.number, self.stake

    def __reduce__(self) -> tuple[Callable[..., Play], tuple[ECardRules, Seat, PlayKey]]:
        """A copy is this play again, while its rule set is cached."""
        return play_at, (self.rules, self._plays.opening, self.key)

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Play):
            return self is other
        opening = self._plays.opening == other._plays.opening
        return opening and self.key == other.key and self.rules == other.rules

    def __hash__(self) -> int:
        return hash(self.key)

    def at_stake(self, stake: int) -> Play:
        """This play, once the stake is named (E13)."""
        return self._plays[self.round, self.number, stake]

    def end_round(
        self, winner: Seat | None, cards: tuple[str, str]
    ) -> tuple[ECardRound, Play, BySeat, BySeat]:
        """The round that ends with this play, the first play of the next, who won, and what is due (E10)."""
        due = _due(self, winner)
        finished = ECardRound(self.emperor, self.number, cards, winner, self.stake or 0, due)
        after = self._plays.start_of_round(self.round + 1)
        return finished, after, by_seat(winner, 1), by_seat(winner, due)

    def reveal(self, joint: Joint) -> Revealed:
        """E4: both cards are turned together. Found in `revealed` from now on."""
        revealed = self.revealed[joint] = _reveal(self, joint, self._plays)
        return revealed


class Revealed(NamedTuple):
    """What two cards come to."""

    events: tuple[Event, ...]
    """One: that they were turned."""
    finished: ECardRound | None
    """The round that ends with them, and what is due for it; None while it is in progress."""
    after: Play
    """The play that follows, unless the game is over."""
    won: BySeat
    """By seat, 1 for the one that has won the round."""
    due: BySeat
    """By seat, what is due to it (E10)."""


def side_of_round(rules: ECardRules, opening: Seat, number: int) -> Seat:
    """The Emperor side of a round, where `opening` is that of the first (E8, E12)."""
    last = min(number, rules.rounds)
    swaps = (last - 1) // rules.group
    if number > rules.rounds and rules.tie == "pair":
        swaps += (number - rules.rounds - 1) % 2
    return opening if swaps % 2 == 0 else 3 - opening


def _sides(play: Play, opening: Seat) -> Event | None:
    """E8, E9, E12: announced before the first round, and whenever the seats have swapped sides."""
    if play.number > 1:
        return None
    if play.round == 1:
        return public("sides", ("E2", "E9"), round=1, emperor=play.emperor)
    if play.emperor == side_of_round(play.rules, opening, play.round - 1):
        return None
    return public("sides", ("E12",) if play.extra else ("E8",), round=play.round, emperor=play.emperor)


def _first(play: Play) -> Seat | None:
    """E7: the first placer alternates with every play of a round, and with every round of a group."""
    if play.rules.placing == "together":
        return None
    in_group = 0 if play.extra else (play.round - 1) % play.rules.group
    return play.emperor if (in_group + play.number) % 2 == 1 else play.slave


def _waves(play: Play) -> Waves:
    """E4, E7, E13: both place a card, or the Slave side names the stake."""
    if play.stake is None:
        return ((play.slave,),)
    return _TOGETHER if play.first is None else _IN_TURN[play.first]


def _picks(play: Play) -> tuple[tuple[Pick, ...], tuple[Pick, ...]]:
    """E2, E5, E17: the cards left in hand."""
    specials = (EMPEROR, SLAVE) if play.emperor == 1 else (SLAVE, EMPEROR)
    one, two = ((special,) if play.number == DECIDED else (CITIZEN, special) for special in specials)
    return one, two


def _reveal(play: Play, joint: Joint, plays: Plays) -> Revealed:
    """E1, E3, E5, E6: the round is won, or ends without a winner, or continues without the two Citizens."""
    cards = (joint[0] or "", joint[1] or "")
    winner = _WINNER[joint]
    why = ("E1", "E3") if winner else ("E1", "E5")
    event = public("reveal", why, round=play.round, play=play.number, cards=cards, winner=winner)
    if winner is None and play.number < play.last_play:
        return Revealed((event,), None, plays[play.round, play.number + 1, play.stake], (0, 0), (0, 0))
    return Revealed((event,), *play.end_round(winner, cards))


def by_seat(winner: Seat | None, amount: int) -> BySeat:
    """An amount for the winner, and nothing for anybody else."""
    return (amount if winner == 1 else 0, amount if winner == 2 else 0)


def _meets(play: Play, seat: Seat) -> tuple[Meeting, ...]:
    """E1, E10: every pair of cards that can be turned now, seen from one seat."""
    met = []
    for card in play.picks[seat - 1]:
        for other in play.picks[2 - seat]:
            winner = _WINNER[(card, other) if seat == 1 else (other, card)]
            met.append(Meeting(card, other, winner, _due(play, winner)))
    return tuple(met)


def _due(play: Play, winner: Seat | None) -> int:
    """E10: units times stake."""
    if winner is None:
        return 0
    units = 1 if winner == play.emperor else play.rules.slave_pays
    return units * (play.stake or 0)
