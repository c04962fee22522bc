"""The machine that thinks: `careful` weighs every pick by where it leaves the race to run out of cards.

Owns the choice. What is known about cards and about the others comes from `reading` and `habits`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import exp, prod
from typing import ClassVar, Final, NamedTuple

from facedown.core.cards import Card
from facedown.core.chance import Stream
from facedown.core.game import Pick
from facedown.core.parts.bot import Bot, Level, Memory
from facedown.core.seats import Seat
from facedown.core.text.translation import Text
from facedown.games.davenport import message
from facedown.games.davenport.bots.reading import KING, GameReading, Shares, shares_of
from facedown.games.davenport.notation import EXCHANGE
from facedown.games.davenport.view import PLAYOFF, DavenportView

# --- how likely a card wins ------------------------------------------------------------------------------


_ACE: Final = 1
_TEN: Final = 10
_JACK: Final = 11


class ValueChances(NamedTuple):
    """What comes of showing a card of each value, from 0 to 13."""

    wins: list[float]
    costs: list[float]
    """How likely it loses and draws an additional card (D12, D13)."""


def chances(shown: list[Shares], cards: list[int], held: int, *, ace_rules: bool) -> ValueChances:
    """Against seats that show these and hold these numbers of cards, for a seat that holds `held` itself."""
    kept = [_kept_down(shares, count, held) for shares, count in zip(shown, cards, strict=True)]
    wins = [prod(column) for column in zip(*kept, strict=True)]
    costs = [0.0] * len(wins)
    if not ace_rules:
        return ValueChances(wins, costs)
    aces = [shares[_ACE] for shares in shown]
    for face in range(_JACK, KING + 1):  # D12: the highest card, and yet lost where an Ace is shown
        highest = wins[face]
        wins[face] = prod([max(0.0, each[face] - ace) for each, ace in zip(kept, aces, strict=True)])
        costs[face] = highest - wins[face]
    no_face, all_aces = prod([shares[_TEN] for shares in shown]), prod(aces)
    wins[_ACE] = 1.0 - no_face + all_aces  # D11, D14
    costs[_ACE] = no_face - all_aces  # D13
    return ValueChances(wins, costs)


def _kept_down(shares: Shares, cards: int, held: int) -> Shares:
    """How likely a card of each value keeps this seat from spoiling the round.

    To share a round with a seat that has one card left is to lose the game: that seat is out (D10). Unless
    one goes out with it: then there is a playoff, which is as good as half a win.
    """
    if cards > 1:
        return shares
    lower = [0.0, *shares[:-1]]
    if held > 1:
        return lower
    return [(share + less) / 2 for share, less in zip(shares, lower, strict=True)]


def leads(shown: list[Shares]) -> list[float]:
    """How likely each of these seats shows the highest card among them; they add up to one.

    >>> leads([[0.0, 0.5, 1.0], [0.0, 0.5, 1.0]]), leads([[0.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    ([0.5, 0.5], [1.0, 0.0])
    """
    if len(shown) == 1:
        return [1.0]
    all_below = [prod(column) for column in zip(*shown, strict=True)]
    highest: list[float] = []
    for shares in shown:
        chance = less = 0.0
        for share, below in zip(shares, all_below, strict=True):
            if share > less:
                chance += (share - less) * below / share
            less = share
        highest.append(chance)
    whole = sum(highest)
    return [chance / whole for chance in highest]


# --- the machine -----------------------------------------------------------------------------------------


class Careful(Bot[DavenportView]):
    """Estimates for each pick how likely it wins the round, and what is left of the game after either.

    A seat's *outlook* is `cards ** -pace`: every card less makes it better, the last ones most. One's own is
    also multiplied by what the cards in hand are worth, and one's chance to win the game is its share of all
    outlooks. A pick is as good as that chance is after the round: if won, with one card less; if lost, with
    another card in its place, and some other seat with one card less.

    From this follows the rest. A high card is played where it is likely to win, or where a seat has to be
    stopped. A low one leaves the hand in a round that is lost anyway: by an exchange, as the card from the
    stock may even win. With Ace rules an Ace is played on purpose where faces are to be expected.
    """

    name: ClassVar[str] = "careful"
    says: ClassVar[Text] = message("bot.careful.says")
    level: ClassVar[Level] = "hard"

    def __init__(self, memory: Memory | None = None) -> None:
        self._reading: GameReading | None = None

    def pick(self, view: DavenportView, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        if view.phase == PLAYOFF:
            return playoff_pick(view)
        return best_pick(view, think(view, self.read(view)))

    def read(self, view: DavenportView) -> GameReading:
        """What the game has shown so far; it continues where it stopped."""
        reading = self._reading
        if reading is None or not reading.belongs_to(view):
            reading = self._reading = GameReading(view)
        reading.go_on(view)
        return reading


# --- the numbers -----------------------------------------------------------------------------------------

# Found by playing millions of games at tables of two, four and seven: against the simple machines, against
# others that exchange below a fixed value, and against itself. A tenth more or less of any hardly matters.

OWN_PACE: Final = 2.0
_PLAIN: Final = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.17, 0.32, 0.55, 0.85, 1.20)
"""What a card of each value, from 0 to 13, adds to the logarithm of one's own outlook."""
_ACES: Final = (0.0, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.17, 0.30, 0.40, 0.60, 0.95)
"""The same with Ace rules: an Ace is worth something, and the faces have something to fear."""
_BURDEN: Final = 0.1
"""What each step below a nine takes away where a low card cannot be exchanged, but has to be played."""
PLAYOFF_GOOD: Final = 8
"""In a playoff the stock promises more than a hand in which nothing is as high as this."""


@cache
def worths_of(ace: bool, exchange: bool) -> tuple[float, ...]:
    """What a card of each value adds, under these rules."""
    worths = _ACES if ace else _PLAIN
    if exchange:
        return worths
    lowest = 2 if ace else 1
    return tuple(
        worth - _BURDEN * (9 - value) if lowest <= value < 9 else worth for value, worth in enumerate(worths)
    )


def others_pace(seats: int) -> float:
    """The more seats there are, the less it says that one of them has few cards."""
    return 4.5 - 0.25 * seats


# --- the main game ---------------------------------------------------------------------------------------


class Race(NamedTuple):
    """The outlooks of all others together, after a round."""

    won: float
    """If one has won it oneself."""
    lost: float
    """If one of them has won it, and the game continues."""
    goes_on: float
    """How likely it continues then."""


class RoundChances(NamedTuple):
    """One's chance to win the game after each end that a round can have."""

    won: float
    lost: float
    punished: float
    """Lost, with an additional card (D12, D13)."""

    def worth(self, wins: float, costs: float) -> float:
        """The chance before the round, given how likely it is won, and lost with an additional card."""
        return wins * self.won + costs * self.punished + (1.0 - wins - costs) * self.lost


class Thoughts(NamedTuple):
    """What one can tell before a round of the main game, and what each pick is worth."""

    shown: list[Shares]
    """What each other seat that is in may show, in seat order."""
    wins: list[float]
    """How likely a card of each value, from 0, wins the round."""
    costs: list[float]
    worths: list[tuple[Card, float, float]]
    """Each card, the lowest first, with what it is worth to play it, and to exchange it."""


def think(
    view: DavenportView,
    reading: GameReading,
    known: Mapping[Seat, float] | None = None,
    unseen: list[int] | None = None,
) -> Thoughts:
    """Weigh every pick by the chance to win the game after it.

    `known` is how often some seats exchange; `unseen` replaces the unseen cards of each value that were read.
    """
    rules = view.rules
    worths = worths_of(rules.ace, rules.exchange)
    unseen = reading.unseen(view) if unseen is None else unseen
    others = [seat for seat in view.seats_in if seat != view.viewer]
    cards = [view.hands[seat - 1] for seat in others]
    shares = shares_of(unseen)
    shown = [_next_shown(reading.habits[seat].next_shown(shares), shares, known, seat) for seat in others]
    wins, costs = chances(shown, cards, len(view.hand), ace_rules=rules.ace)
    stock = _mean(wins, unseen), _mean(costs, unseen)
    race = _race(shown, cards, others_pace(len(view.seats_in)))
    weighed = [
        (card, ends.worth(wins[card.value], costs[card.value]), ends.worth(*stock))
        for card, ends in _without_each(view.hand, race, worths, _mean(worths, unseen))
    ]
    return Thoughts(shown, wins, costs, weighed)


def _next_shown(read: Shares, stock: Shares, known: Mapping[Seat, float] | None, seat: Seat) -> Shares:
    """What a seat shows next: as it was read, or from the stock as often as it is known to exchange."""
    if known is None or seat not in known:
        return read
    exchanges = known[seat]
    return [exchanges * drawn + (1.0 - exchanges) * kept for drawn, kept in zip(stock, read, strict=True)]


def best_pick(view: DavenportView, thoughts: Thoughts) -> Pick:
    """The pick after which one's chance to win the game is best; of equals, the lowest card."""
    may_exchange = view.rules.exchange
    best: Pick = view.hand[0]
    best_worth = -1.0
    for card, played, exchanged in thoughts.worths:
        if played > best_worth:
            best, best_worth = card, played
        if exchanged > best_worth and may_exchange:
            best, best_worth = EXCHANGE[card], exchanged
    return best


def _race(shown: list[Shares], cards: list[int], pace: float) -> Race:
    """How the others stand after the round."""
    outlooks = [count**-pace for count in cards]
    together = sum(outlooks)
    goes_on = lost = 0.0
    for lead, count, outlook in zip(leads(shown), cards, outlooks, strict=True):
        if count > 1:
            goes_on += lead
            lost += lead * (together - outlook + (count - 1) ** -pace)
    return Race(together, lost / goes_on if goes_on else together, goes_on)


def _without_each(
    hand: tuple[Card, ...], race: Race, worths: tuple[float, ...], drawn: float
) -> Iterator[tuple[Card, RoundChances]]:
    """Each card, the lowest first, and how the game stands without it; `drawn` is what a new card adds."""
    held = len(hand)
    whole = sum([worths[card.value] for card in hand])
    replaced = exp(drawn) * held**-OWN_PACE
    burdened = exp(2 * drawn) * (held + 1) ** -OWN_PACE
    for card in sorted(hand, key=_value):
        rest = exp(whole - worths[card.value])
        won = _share(rest * (held - 1) ** -OWN_PACE, race.won) if held > 1 else 1.0
        lost = race.goes_on * _share(rest * replaced, race.lost)
        punished = race.goes_on * _share(rest * burdened, race.lost)
        yield card, RoundChances(won, lost, punished)


def _share(outlook: float, others: float) -> float:
    return outlook / (outlook + others)


def _mean(values: Sequence[float], cards: list[int]) -> float:
    """The mean over these numbers of cards of each value."""
    return sum([value * count for value, count in zip(values, cards, strict=True)]) / sum(cards)


# --- the playoff -----------------------------------------------------------------------------------------


def playoff_pick(view: DavenportView) -> Pick:
    """D17, D19: the highest card, as there is no later without it; a poor hand hopes for the stock."""
    highest = max(view.hand, key=_value)
    if highest.value >= PLAYOFF_GOOD or not view.rules.exchange:
        return highest
    return EXCHANGE[min(view.hand, key=_value)]


def _value(card: Card) -> int:
    return card.value
