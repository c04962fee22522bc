"""The suite for batch forms: many tables as arrays beside a match each, decision by decision, draw by draw.

Both get the same picks and the same draws; what every seat may pick and sees, who draws from how many cards,
and how the game ends must be the same. Needs NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from facedown.core.game import RESIGN, AnyGame, Joint
from facedown.core.match import Match
from facedown.core.seats import all_seats
from facedown_lab.batch.form import RESIGN_CODE, Array, BatchGame, Draws, index_below

_CLOSE: Final = 1e-6
_MOST_STEPS: Final = 5000
_NAMES: Final = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")


class LoggedDraws:
    """Random draws that write down, for every table, what was drawn from how many."""

    def __init__(self, xp: Any, random: Any, log: list[list[tuple[int, int]]], tables: Array) -> None:
        self._xp = xp
        self._random = random
        self._log = log
        self._tables = tables

    def below(self, slot: int, count: Array, used: Array) -> Array:
        """A number below the count, written down where it is used."""
        words = self._random.integers(0, 1 << 32, size=len(count), dtype=self._xp.uint32)
        found = index_below(words, count)
        for place in self._xp.flatnonzero(used):
            self._log[self._tables[place]].append((int(found[place]), int(count[place])))
        return found

    def unit(self, slot: int, used: Array) -> Array:
        """Not asked for: a rule draws cards, and picks are given."""
        raise NotImplementedError

    def at(self, tables: Array) -> Draws:
        return LoggedDraws(self._xp, self._random, self._log, self._tables[tables])


class ReplayedChance:
    """Chance for a match that draws what a table of a batch drew."""

    def __init__(self, log: list[tuple[int, int]]) -> None:
        self.log = log
        self.drawn: list[str] = []

    def draw(self, options: Sequence[Any], /) -> Any:
        """The option that the batch drew; raises if it drew from a different number."""
        number, count = self.log[len(self.drawn)]
        assert count == len(options), f"the batch drew from {count}, the match from {len(options)}"
        self.drawn.append(str(options[number]))
        return options[number]


def compare(
    game: AnyGame,
    batch: type[BatchGame],
    rules: str,
    seats: int,
    *,
    tables: int,
    seed: int,
    resign: float = 0.0,
) -> int:
    """Play this many games of a kind in both forms to their end; the number of decisions that were compared.

    `resign` is how likely a seat is to resign in a decision. Raises `AssertionError` at the first difference.
    """
    import numpy as np

    read = game.rules.read(rules)
    alphabet = game.picks(read, seats)
    random = np.random.default_rng(seed)
    many = batch(np, read, seats)  # type: ignore[call-arg]
    log: list[list[tuple[int, int]]] = [[] for _ in range(tables)]
    state = many.init(tables, LoggedDraws(np, random, log, np.arange(tables)))
    names = _NAMES[:seats]
    matches = [Match(game, read, names, ReplayedChance(drawn)) for drawn in log]
    decisions = 0
    for _ in range(_MOST_STEPS):
        legal = [many.legal(state, seat) for seat in range(seats)]
        seen = [many.observe(state, seat) for seat in range(seats)]
        playing = [
            place for place in range(tables) if not matches[place].picks or matches[place].outcome is None
        ]
        _same_tables(matches, many, state, alphabet, legal, seen, range(tables))
        if many.over(state).all():
            break
        picks = np.stack([_random_picks(np, random, mask) for mask in legal], axis=1)
        if resign:
            _resign_some(np, random, picks, legal, resign)
        state = many.step(state, picks, LoggedDraws(np, random, log, np.arange(tables)))
        for place in playing:
            if matches[place].outcome is None:
                matches[place].decide(_joint(picks[place], [mask[place] for mask in legal], alphabet))
                decisions += 1
    for match, drawn in zip(matches, log, strict=True):
        assert len(match.chance.drawn) == len(drawn), "one of the two drew more"
    return decisions


def _same_tables(
    matches: list[Any],
    many: BatchGame,
    state: Any,
    alphabet: Sequence[str],
    legal: list[Array],
    seen: list[Array],
    places: Sequence[int],
) -> None:
    winners, payoffs, over = many.winner(state), many.payoffs(state), many.over(state)
    for place in places:
        match = matches[place]
        outcome = match.outcome
        assert (outcome is not None) == bool(over[place]), (
            f"table {place}: over {over[place]}, match: {outcome}"
        )
        for seat in all_seats(len(match.names)):
            allowed = {alphabet[each] for each in legal[seat - 1][place].nonzero()[0]}
            assert allowed == set(match.legal(seat)), f"table {place}, seat {seat}: {allowed}"
            entries = seen[seat - 1][place]
            encoded = match.game.encode(match.view(seat))
            for entry, (one, other) in enumerate(zip(encoded, entries, strict=True)):
                name = match.game.encoding(match.rules, len(match.names)).names[entry]
                say = f"table {place}, seat {seat}, {name}: {one} in the match, {other} in the batch"
                assert abs(one - other) < _CLOSE, say
        if outcome is not None:
            assert (outcome.winner or 0) == winners[place]
            assert tuple(outcome.payoffs) == tuple(payoffs[place])


def _random_picks(np: Any, random: Any, mask: Array) -> Array:
    """A legal pick for each table; 0 where there is none."""
    noise = (random.random(mask.shape, dtype=np.float32) + 1) * mask
    return noise.argmax(axis=1)


def _resign_some(np: Any, random: Any, picks: Array, legal: list[Array], chance: float) -> None:
    """Some seats that have to pick resign instead, at most one at a table."""
    tables, seats = picks.shape
    who = random.integers(0, seats, tables)
    due = np.stack([mask.any(axis=1) for mask in legal], axis=1)[np.arange(tables), who]
    gives_up = due & (random.random(tables) < chance)
    picks[gives_up, who[gives_up]] = RESIGN_CODE


def _joint(picks: Array, legal: list[Array], alphabet: Sequence[str]) -> Joint:
    if RESIGN_CODE in picks:
        return tuple(RESIGN if pick == RESIGN_CODE else None for pick in picks)
    return tuple(alphabet[pick] if mask.any() else None for pick, mask in zip(picks, legal, strict=True))
