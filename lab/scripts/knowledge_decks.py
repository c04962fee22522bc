"""Exact answers about small decks of Davenport, and how far its machines are from them.

    python -m lab.scripts.knowledge_decks --decks 0,1,2,3,4
    python -m lab.scripts.knowledge_decks --gpu

Prints a JSON object for each deck; `docs/measured.json` keeps them. `--gpu` needs CuPy.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from itertools import repeat
from multiprocessing import get_context
from typing import Any, Final, TypeAlias

from facedown.bots.find import bots_of
from facedown.core.chance import Stream, seed_of
from facedown.core.game import Pick
from facedown.core.parts.bot import AnyBot
from facedown.games.davenport.bots.expert import NetworkBot, chances
from facedown.games.davenport.notation import card_of, is_exchange
from facedown.games.davenport.view import DavenportView
from lab.scripts.deck_plans import Plans, learn
from lab.scripts.decks import Deck, LaidOutDeck, lay_out_deck, view_of
from lab.scripts.knowledge_measured import DECK_MACHINES

ALL: Final = "A23456789TJQK"
DECKS: Final = (
    Deck("49K", 2, 1, exchange=True),
    Deck(ALL, 4, 1, exchange=True),
    Deck(ALL, 4, 1, exchange=True, ace=True),
    Deck("49K", 2, 2, exchange=False),
    Deck("49K", 4, 2, exchange=True),
    Deck(ALL, 4, 2, exchange=False),
    Deck("247TK", 4, 2, exchange=True),
    Deck("2468TK", 4, 2, exchange=True),
    Deck("36TK", 4, 3, exchange=False),
    Deck("247TK", 4, 3, exchange=False),
    Deck("2468TK", 4, 3, exchange=False),
)
"""The first five take a minute together; the others need gigabytes, and take seconds on a GPU."""
ENOUGH: Final = 1e-6
"""Where learning ends: what best responses still gain, in games won less games lost."""


Player: TypeAlias = "str | type[AnyBot]"
"""A network by its name, or a machine that draws no lots."""


class OnProcessor:
    """NumPy and SciPy."""

    def __init__(self) -> None:
        import numpy
        import scipy.sparse

        self.xp: Any = numpy
        self.sparse: Any = scipy.sparse

    def fetch(self, table: Any) -> Any:
        return table


class OnGraphics:
    """CuPy."""

    def __init__(self) -> None:
        self.xp: Any = import_module("cupy")
        self.sparse: Any = import_module("cupyx.scipy.sparse")

    def fetch(self, table: Any) -> Any:
        return self.xp.asnumpy(table)


def answer(deck: Deck, place: Any, given: argparse.Namespace) -> dict[str, Any]:
    """One deck: its size, how exact the solution is, and the machines."""
    began = time.monotonic()
    laid = lay_out_deck(deck, place.xp, given.most)
    laid_out = time.monotonic() - began
    plans = Plans(laid, place.xp, place.sparse)
    curve = learn(plans, given.seconds, ENOUGH)
    found: dict[str, Any] = {
        **deck._asdict(),
        "cards": deck.cards,
        "rules": str(deck.rules),
        "situations": laid.situations,
        "sequences": laid.sequences,
        "meetings": len(laid.gains[0]),
        "seconds_laid_out": round(laid_out, 2),
        "seconds_learnt": round(curve[-1][1], 2),
        "rounds": curve[-1][0],
        "exploitability": curve[-1][2],
        "curve": [curve[at] for at in _spread(len(curve))],
        "machines": {},
    }
    equilibrium = plans.average()
    fetched = _fetched(laid, place)
    if deck.each == 1 and deck.exchange:  # by rank: to play it, to exchange it
        found["exchanged"] = [round(float(share), 6) for share in equilibrium[2::2]]
    for name in DECK_MACHINES:
        players = players_of(name, deck)
        asked = [_Asked(player, fetched, given.ask) for player in players]
        mixes = [each.everywhere() for each in asked]
        if any(mix is None for mix in mixes):
            continue
        plan = sum(plans.plan(place.xp.asarray(mix)) / len(players) for mix in mixes)
        found["machines"][name] = {
            "asked": sum(each.count for each in asked),
            "gain": plans.best_response(plan),
            "loses": plans.meet(equilibrium, plan),
        }
    return found


def players_of(name: str, deck: Deck) -> tuple[Player, ...]:
    """What a machine draws from for each game: the networks that it may play by, or itself alone."""
    bot = bots_of("davenport")[name]
    return bot.networks(2, ace=deck.ace) if issubclass(bot, NetworkBot) else (bot,)


def _spread(count: int) -> list[int]:
    """Places on a curve: about as many at its beginning as at its end."""
    places = {count - 1} | {min(count - 1, round(1.5**power) - 1) for power in range(40)}
    return sorted(places)


def _fetched(laid: LaidOutDeck, place: Any) -> LaidOutDeck:
    levels = []
    for level in laid.levels:
        tables = {name: place.fetch(table) for name, table in level._asdict().items() if name != "first"}
        levels.append(level._replace(**tables))
    return replace(laid, levels=levels)


# --- what a machine does ---------------------------------------------------------------------------------

_FEW: Final = 500
"""Fewer situations are not worth a process."""
_laid: LaidOutDeck
"""The deck that is asked about, in the processes that ask."""


class _Asked:
    """A player's mix in every situation that its own picks lead to."""

    def __init__(self, player: Player, laid: LaidOutDeck, most: int) -> None:
        self.player, self.laid, self.most = player, laid, most
        self.count = 0

    def everywhere(self) -> Any:
        """Its mix of every sequence; None where there are too many situations."""
        global _laid
        import numpy as np

        _laid = self.laid
        mix, plan = np.ones(self.laid.sequences), np.ones(self.laid.sequences)
        for depth, level in enumerate(self.laid.levels):
            picks = np.bincount(level.owner, minlength=len(level.parent))
            reached = np.nonzero((plan[level.parent] > 0) & (picks > 1))[0]
            self.count += len(reached)
            if self.count > self.most:
                return None
            begin = level.first + np.concatenate([[0], np.cumsum(picks)])
            here = slice(level.first, level.first + len(level.slots))
            mix[here] = 1 / picks[level.owner]
            for number, shares in zip(reached, self._shares(depth, reached.tolist()), strict=True):
                mix[begin[number] : begin[number + 1]] = shares
            plan[here] = mix[here] * plan[level.parent[level.owner]]
        return mix

    def _shares(self, depth: int, reached: list[int]) -> list[list[float]]:
        """What it does in these situations; many are asked about by several processes."""
        orders = zip(repeat(self.player), repeat(depth), reached)
        if len(reached) < _FEW:
            return list(map(_ask, orders))
        with get_context("fork").Pool(os.cpu_count()) as pool:
            return pool.map(_ask, orders, chunksize=64)


def _ask(order: tuple[Player, int, int]) -> list[float]:
    """How likely a player makes each pick of a situation, in the order of its sequences."""
    player, depth, number = order
    view, picks = view_of(_laid, depth, number)
    return chances_of(player, view, [picks[slot] for slot in sorted(picks)])


def chances_of(player: Player, view: DavenportView, picks: Sequence[Pick]) -> list[float]:
    """How likely a player makes each of these picks; those that differ by suits alone are counted as one."""
    if isinstance(player, str):
        likely = chances(player, view)
        return [likely[13 * is_exchange(pick) + card_of(pick).value - 1] for pick in picks]
    chosen = player(None).pick(view, tuple(picks), Stream(seed_of("asked"), "bot/1"))
    shown = (is_exchange(chosen), card_of(chosen).value)
    return [float((is_exchange(pick), card_of(pick).value) == shown) for pick in picks]


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer about the decks, and print it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--decks", help="their numbers, from 0, with commas (default: all)")
    parser.add_argument("--seconds", type=float, default=30, help="for learning, each deck (default: 30)")
    parser.add_argument(
        "--ask", type=int, default=400_000, help="ask a machine in this many situations at most"
    )
    parser.add_argument("--most", type=int, default=10_000_000, help="meetings of one round at most")
    parser.add_argument("--gpu", action="store_true", help="calculate with CuPy")
    given = parser.parse_args(arguments)
    place = OnGraphics() if given.gpu else OnProcessor()
    chosen = range(len(DECKS)) if given.decks is None else map(int, given.decks.split(","))
    for number in chosen:
        try:
            print(json.dumps(answer(DECKS[number], place, given)), flush=True)
        except OverflowError as error:
            print(f"deck {number}: {error}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
