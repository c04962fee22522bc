"""E-Card for programs that learn: the alphabet of picks, and a view as numbers.

Made from rules and views alone; both sides are seen from the viewer's own seat (the spectator: from seat 1).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.core.views import Encoding, among, share
from facedown.games.ecard.notation import CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.rules import DECIDED, ECardRules
from facedown.games.ecard.view import ECardView

_PLAYS: Final = tuple(range(1, DECIDED + 1))
_SPECIAL: Final = {EMPEROR: "Emperor", SLAVE: "Slave"}

ENCODING: Final = Encoding(
    (
        "to pick",
        "over",
        "payoff",
        "stake due",
        "Emperor side",
        "places first",
        *(f"play {play}" for play in _PLAYS),
        "last play",
        "extra round",
        "rounds played",
        "stake",
        "own score",
        "other score",
        "lead",
        *(
            f"{whose} {card} at play {play}"
            for whose in ("own", "other")
            for card in _SPECIAL.values()
            for play in _PLAYS
        ),
    )
)
"""The same for all rules: 18 entries about this play, then how often each side's special cards fell when."""


@lru_cache(maxsize=256)
def alphabet(rules: ECardRules) -> tuple[Pick, ...]:
    """E1, E13: the three cards, then every stake that can ever be named (both purses in one hand).

    >>> alphabet(ECardRules.of("classic")), alphabet(ECardRules.of("purse"))[-2:]
    (('C', 'E', 'S'), ('9', '10'))
    """
    return (CITIZEN, EMPEROR, SLAVE, *(str(stake) for stake in range(1, most_stake(rules) + 1)))


def most_stake(rules: ECardRules) -> int:
    """The highest stake that can be named; 0 where none is."""
    return min(rules.max_stake, 2 * rules.purse) if rules.stakes == "named" else 0


def most_score(rules: ECardRules) -> int:
    """The most that the rounds of a game can bring."""
    if rules.stakes == "named":
        return 2 * rules.purse
    return rules.rounds * (1 if rules.victory == "rounds" else rules.slave_pays)


def encode(view: ECardView) -> list[float]:
    """The view as numbers, in the order of `ENCODING`."""
    own = view.viewer or 1
    over = view.outcome is not None
    return [
        float(any(view.viewer in wave for wave in view.waiting)),
        float(over),
        float(0 if view.outcome is None else view.outcome.payoffs[own - 1]),
        float(view.stake is None and not over),
        float(view.emperor == own),
        0.0 if view.first is None else 1.0 if view.first == own else -1.0,
        *among(view.play, _PLAYS),
        float(view.play == view.last_play),
        float(view.extra),
        share(len(view.rounds), view.rules.rounds),
        share(view.stake or 0, most_stake(view.rules) or 1),
        *_scores(view, own),
        *_fallen(view, own),
    ]


def _scores(view: ECardView, own: Seat) -> tuple[float, float, float]:
    """Own, other's, and the difference, as parts of the most that the rounds of a game can bring."""
    most = most_score(view.rules)
    mine, theirs = view.score[own - 1], view.score[2 - own]
    return share(mine, most), share(theirs, most), share(mine - theirs, most)


def _fallen(view: ECardView, own: Seat) -> list[float]:
    """How often each side's Emperor and Slave were turned at each play, as parts of the game's rounds."""
    counts = [0] * (4 * DECIDED)
    for finished in view.rounds:
        for seat, card in enumerate(finished.cards, 1):
            if card != CITIZEN:
                block = 2 * (seat != own) + (card == SLAVE)
                counts[DECIDED * block + finished.plays - 1] += 1
    return [share(count, view.rules.rounds) for count in counts]
