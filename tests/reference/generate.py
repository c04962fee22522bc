"""Random games of every kind, and many of the odd kinds, each with what a replay of it must print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from . import davenport, ecard, shapes
from .shapes import Chooser, Dealer, Json, Pick, Rules

Style = Callable[[Random, list[Pick]], Pick]


def games(game: str, count: int, seed: int | str, forfeits: float = 0.0) -> Iterator[tuple[Json, Json]]:
    """`count` games, the same ones for the same seed; `forfeits` is how often a pick is not opened."""
    rng = Random(f"{game}/{seed}")
    for _ in range(count):
        yield ecard_game(rng, forfeits) if game == "ecard" else davenport_game(rng, forfeits)


def forfeiting(rng: Random, chooser: Chooser, chance: float) -> Chooser:
    """The same chooser, but some picks are never opened."""
    if not chance:
        return chooser

    def choose(seat: int, legal: list[Pick]) -> Pick | None:
        pick = chooser(seat, legal)
        return "forfeit" if legal and pick != "resign" and rng.random() < chance else pick

    return choose


def resigning(rng: Random, chooser: Chooser, chance: float) -> Chooser:
    """The same chooser, with the nerves to resign now and then."""

    def choose(seat: int, legal: list[Pick]) -> Pick | None:
        if rng.random() < chance:
            return "resign"
        return chooser(seat, legal)

    return choose


def change_options(rng: Random, rules: Rules, values: dict[str, list[int | str]], chance: float) -> None:
    """Give every option that is listed another value (or the same again) with this chance."""
    for option, allowed in values.items():
        if rng.random() < chance:
            rules[option] = rng.choice(allowed)


# E-Card

ECARD_VALUES: dict[str, list[int | str]] = {
    "plays": [1, 2, 3, 4, 5],
    "placing": ["alternate", "together"],
    "slave_pays": [1, 2, 3, 4, 5, 6, 10],
    "victory": ["winnings", "rounds"],
    "tie": ["draw", "extra", "pair"],
    "first": ["1", "2", "drawn"],
    "stakes": ["fixed", "named"],
    "purse": [1, 2, 3, 5, 8, 12, 30, 50],
    "max_stake": [1, 2, 3, 5, 10, 25],
}


def ecard_rules(rng: Random) -> Rules:
    rules = shapes.complete(ecard.PRESETS, rng.choice(list(ecard.PRESETS)))
    change_options(rng, rules, ECARD_VALUES, rng.choice([0.0, 0.15, 0.5]))
    kind = rng.random()
    if kind < 0.35:
        rules["rounds"] = rng.randint(1, 8)
    elif kind < 0.5:
        rules["rounds"] = rng.randint(9, 20)
    elif kind < 0.52:
        rules["rounds"] = rng.randint(21, 60)
    if int(rules["rounds"]) < int(rules["group"]) or rng.random() < 0.2:
        rules["group"] = rng.randint(1, int(rules["rounds"]))
    return rules


def even_rules(rng: Random) -> Rules:
    """Rules under which games often end equal, with purses that an extra round can empty."""
    rules = ecard_rules(rng)
    rules["tie"] = rng.choice(["extra", "pair"])
    rules["plays"] = rng.choice([1, 2, 3])
    rules["rounds"] = rng.randint(1, 6)
    rules["group"] = rng.randint(1, int(rules["rounds"]))
    if rules["stakes"] == "named":
        rules["purse"] = rng.choice([1, 2, 3, 4, 6, 30])
    return rules


def any_card(rng: Random, legal: list[Pick]) -> Pick:
    return legal[int(rng.random() * len(legal))]


def citizens_mostly(rng: Random, legal: list[Pick]) -> Pick:
    return "C" if "C" in legal and rng.random() < 0.85 else legal[0]


def citizens_only(rng: Random, legal: list[Pick]) -> Pick:
    return "C" if "C" in legal and rng.random() < 0.98 else legal[0]


def special_first(rng: Random, legal: list[Pick]) -> Pick:
    return legal[0] if rng.random() < 0.9 else any_card(rng, legal)


def one_in_five(rng: Random, legal: list[Pick]) -> Pick:
    return legal[0] if rng.random() < 0.2 or "C" not in legal else "C"


ECARD_STYLES: list[Style] = [any_card, citizens_mostly, citizens_only, special_first, one_in_five]


def any_stake(rng: Random, legal: list[Pick]) -> Pick:
    return any_card(rng, legal)


def highest_stake(rng: Random, legal: list[Pick]) -> Pick:
    return legal[-1]


def lowest_stake(rng: Random, legal: list[Pick]) -> Pick:
    return legal[0]


STAKE_STYLES: list[Style] = [any_stake, any_stake, highest_stake, lowest_stake]


def ecard_chooser(rng: Random, allowed: list[Style], patience: int) -> Chooser:
    """A style for each seat; after `patience` picks all play at random, so that games end."""
    styles = [any_card, *rng.choices(allowed, k=2)]
    if rng.random() < 0.3:
        styles[2] = styles[1]
    stakes = [any_stake, *rng.choices(STAKE_STYLES, k=2)]
    asked = 0

    def choose(seat: int, legal: list[Pick]) -> Pick | None:
        nonlocal asked
        if not legal:
            return None
        asked += 1
        if isinstance(legal[0], int):
            return stakes[seat](rng, legal)
        if asked > patience:
            return any_card(rng, legal)
        return styles[seat](rng, legal)

    return choose


def ecard_game(rng: Random, forfeits: float = 0.0) -> tuple[Json, Json]:
    allowed: list[Style]
    nerves = 0.1
    if rng.random() < 0.2:
        rules = even_rules(rng)
        allowed = [citizens_only, citizens_mostly, one_in_five]
        nerves = 0.2
    else:
        rules = ecard_rules(rng)
        allowed = ECARD_STYLES
    chooser = ecard_chooser(rng, allowed, 10 * int(rules["rounds"]) + 60)
    if rng.random() < nerves:
        chooser = resigning(rng, chooser, rng.choice([0.005, 0.02, 0.2]))
    return ecard.play(rules, 2, forfeiting(rng, chooser, forfeits), rng.choice)


# Davenport

DAVENPORT_VALUES: dict[str, list[int | str]] = {
    "ace": ["off", "on"],
    "exchange": ["on", "off"],
    "placing": ["together", "in_turn"],
    "playoff": ["elimination", "wins"],
    "playoff_wins": [1, 2, 3, 4, 7],
    "playoff_cards": [1, 2, 3, 4, 5],
}


def value(pick: Pick) -> int:
    return davenport.VALUE[str(pick)[-2:]]


def plays_of(legal: list[Pick]) -> list[Pick]:
    """The legal picks that are no exchange: they are listed first."""
    return legal[: len(legal) // 2] if str(legal[-1])[0] == "x" else legal


def any_pick(rng: Random, legal: list[Pick]) -> Pick:
    return legal[int(rng.random() * len(legal))]


def any_play(rng: Random, legal: list[Pick]) -> Pick:
    return any_pick(rng, plays_of(legal))


def high_first(rng: Random, legal: list[Pick]) -> Pick:
    return max(plays_of(legal), key=value)


def high_mostly(rng: Random, legal: list[Pick]) -> Pick:
    return high_first(rng, legal) if rng.random() < 0.8 else any_play(rng, legal)


def low_first(rng: Random, legal: list[Pick]) -> Pick:
    return min(plays_of(legal), key=value)


def low_exchange(rng: Random, legal: list[Pick]) -> Pick:
    """Exchange the lowest card, keep the others."""
    return min(legal[len(legal) - len(plays_of(legal)) :], key=value)


def exchange_mostly(rng: Random, legal: list[Pick]) -> Pick:
    if rng.random() < 0.1:
        return any_pick(rng, legal)
    return legal[-1 - int(rng.random() * len(plays_of(legal)))]


def aces_first(rng: Random, legal: list[Pick]) -> Pick:
    lowest = low_first(rng, legal)
    return lowest if value(lowest) == 1 else any_play(rng, legal)


def hoard(rng: Random, legal: list[Pick]) -> Pick:
    """Make hands grow: show Aces under number cards, win only with many cards, keep the stock moving."""
    plays = plays_of(legal)
    lowest = low_first(rng, legal)
    if value(lowest) == 1:
        return lowest
    if len(legal) > len(plays) and rng.random() < 0.5:
        return max(legal[len(plays) :], key=value)
    numbers = [pick for pick in plays if value(pick) < davenport.JACK]
    if len(plays) < 6 or not numbers:
        return lowest
    return max(numbers, key=value)


DAVENPORT_STYLES: list[Style] = [
    any_pick,
    any_play,
    high_first,
    high_mostly,
    low_first,
    low_exchange,
    exchange_mostly,
    aces_first,
]


def davenport_chooser(rng: Random, styles: list[Style], noise: float, patience: int) -> Chooser:
    """A style for each seat, now and then a random pick; after `patience` picks all try to get out."""
    asked = 0

    def choose(seat: int, legal: list[Pick]) -> Pick | None:
        nonlocal asked
        asked += 1
        if asked > patience:
            return high_mostly(rng, legal)
        if noise and rng.random() < noise:
            return any_pick(rng, legal)
        return styles[seat - 1](rng, legal)

    return choose


def any_deal(rng: Random) -> Dealer:
    def deal(options: list[str]) -> str:
        return options[int(rng.random() * len(options))]

    return deal


def twin_deal(rng: Random, seats: int, ranks: str, faith: float) -> Dealer:
    """Deals the same rank to all seats, one rank a lap, mostly, and likes some ranks better: this is how
    several seats win the same rounds, show Aces together and go out together."""
    dealt = 0
    lap = seats
    rank = ""
    playoff = False

    def deal(options: list[str]) -> str:
        nonlocal dealt, lap, rank, playoff
        if len(options) == 52 and dealt and not playoff:  # a playoff starts: as many seats as it may have
            dealt, playoff = 0, True
            lap = rng.randint(2, min(4, seats))
        if dealt % lap == 0:
            left = Counter(card[0] for card in options)
            enough = [r for r in left if left[r] >= min(lap, 4)] or list(left)
            liked = [r for r in enough if r in ranks]
            rank = rng.choice(liked if liked and rng.random() < 0.8 else enough)
        dealt += 1
        if dealt < 300 and rng.random() < faith:
            for card in options:
                if card[0] == rank:
                    return card
        return options[int(rng.random() * len(options))]

    return deal


def ace_deal(rng: Random) -> Dealer:
    """Deals Aces first, whenever there is one, and faces last: losing Aces draw two."""

    def deal(options: list[str]) -> str:
        numbers = []
        for card in options:
            if card[0] == "A":
                return card
            if card[0] not in "JQK":
                numbers.append(card)
        return rng.choice(numbers or options)

    return deal


def davenport_game(rng: Random, forfeits: float = 0.0) -> tuple[Json, Json]:
    rules = shapes.complete(davenport.PRESETS, rng.choice(list(davenport.PRESETS)))
    change_options(rng, rules, DAVENPORT_VALUES, rng.choice([0.0, 0.15, 0.5]))
    seats = rng.choices([2, 3, 4, 5, 6, 7], [24, 22, 20, 14, 10, 10])[0]
    deal = any_deal(rng)
    noise = rng.choice([0.0, 0.05])
    patience = 60 * seats
    nerves = 0.15

    kind = rng.random()
    if kind < 0.40:
        styles = rng.choices(DAVENPORT_STYLES, k=seats)
    elif kind < 0.72:  # several go out together
        styles = [rng.choice([high_first, low_first])] * seats
        ranks = rng.choice(["TJQK", "23456789TJQK"])
        deal = twin_deal(rng, seats, ranks, rng.choice([1.0, 0.97, 0.9]))
        patience = 30 * seats
        nerves = 0.3
    elif kind < 0.80:  # Aces everywhere
        rules["ace"] = rng.choice(["on", "on", "on", "off"])
        styles = [aces_first] * seats
        deal = twin_deal(rng, seats, rng.choice(["A", "AJQK", "AK"]), rng.choice([1.0, 0.9]))
    elif kind < 0.82:  # hands that grow until no card is left
        rules["ace"] = "on"
        rules["exchange"] = rng.choice(["on", "on", "on", "off"])
        seats = rng.choice([5, 6, 7, 7])
        styles = [hoard] * seats
        deal = ace_deal(rng)
        noise = rng.choice([0.0, 0.02])
        patience = rng.choice([30, 40, 60]) * seats
    elif kind < 0.92:  # exchanges all the time
        rules["exchange"] = "on"
        styles = [exchange_mostly] * seats
    else:
        styles = [rng.choice(DAVENPORT_STYLES)] * seats
    chooser = davenport_chooser(rng, styles, noise, patience)
    if rng.random() < nerves:
        chooser = resigning(rng, chooser, rng.choice([0.005, 0.01, 0.02, 0.05, 0.2]))
    return davenport.play(rules, seats, forfeiting(rng, chooser, forfeits), deal)
