"""The estimates of `careful` at many tables at once: what each value wins, costs and is worth for one seat.

The same arithmetic as in `bots.careful`, over arrays: `expert` looks at these numbers at many tables at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from facedown.games.davenport.bots.careful import OWN_PACE, PLAYOFF_GOOD, others_pace, worths_of
from facedown.games.davenport.bots.reading import FAINT, FIRM, GOOD, KING
from facedown_lab.batch.form import Array, Namespace
from facedown_lab.games.davenport.batch.state import DavenportTables, LastRound, of_each_value

# --- what seats show next --------------------------------------------------------------------------------


_EXCHANGES: Final = 0.5
_DEALT: Final = 5
_TINY: Final = 1e-12
"""Replaces 0 in a logarithm."""


class HabitTables(NamedTuple):
    """The habits of every seat at every table."""

    weights: Array
    """How likely each of the four habits is: blind, highest, lowest, picky."""
    high: Array
    """How many hidden cards can be at most of each value, from 1 to 13, if the highest is always played."""
    low: Array
    """The same if the lowest is, with high and low changed about."""
    shown: Array
    """How many cards of each value it has played, from 1, then how many it has shown from the stock."""


def first_habits(xp: Namespace, tables: int, seats: int) -> HabitTables:
    """Before the first round: everything is possible."""
    ceilings = xp.zeros((tables, seats, KING), dtype=xp.float32)
    ceilings = ceilings + (xp.arange(KING) == KING - 1) * xp.float32(_DEALT)
    nothing = xp.zeros((tables, seats, 2 * KING), dtype=xp.float32)
    return HabitTables(xp.full((tables, seats, 4), 0.25, dtype=xp.float32), ceilings, ceilings, nothing)


def follow(
    xp: Namespace, habits: HabitTables, before: DavenportTables, after: DavenportTables, exchange: Any
) -> HabitTables:
    """The habits after a step: a round was played, or the table was dealt again."""
    played = (after.round != before.round) | (after.playoff != before.playoff)
    new = (after.round == 1) & ~after.playoff
    seen = _after_round(xp, habits, after.last, exchange)
    start = first_habits(xp, 1, habits.weights.shape[1])
    now = []
    for fresh, later, old in zip(start, seen, habits, strict=True):
        kept = xp.where(played[:, None, None], later, old)
        now.append(xp.where(new[:, None, None], fresh, kept))
    return HabitTables(*now)


def _after_round(xp: Namespace, habits: HabitTables, last: LastRound, exchange: Any) -> HabitTables:
    f = xp.float32
    value = xp.stack(last.shown, axis=1)
    exchanged = xp.stack(last.exchanged, axis=1)
    drew = xp.stack(last.drew, axis=1).astype(f)
    exchanges = xp.where(xp.asarray(exchange).reshape(-1, 1), f(_EXCHANGES), f(0))
    blind = (1 - exchanges) / KING
    highest = _highest_is(xp, habits.high, value)
    lowest = _highest_is(xp, habits.low, KING + 1 - value)
    picky = xp.where(value >= GOOD, f(FIRM) * highest, 0) + f(1 - FIRM) * blind
    poor = _none_above(xp, habits.high, xp.full_like(value, GOOD - 1))
    if_played = (xp.zeros_like(highest) + blind, highest, lowest, picky)
    if_exchanged = (
        xp.zeros_like(highest) + exchanges,
        xp.zeros_like(highest),
        xp.zeros_like(highest),
        f(FIRM) * poor + f(1 - FIRM) * exchanges,
    )
    likely = xp.stack(
        [xp.where(exchanged, yes, no) for yes, no in zip(if_exchanged, if_played, strict=True)], axis=2
    )
    weights = habits.weights * likely
    weights = weights / weights.sum(axis=2, keepdims=True)
    there = (value > 0)[:, :, None]
    high = _ceilings_after(xp, habits.high, value, exchanged, drew)
    low = _ceilings_after(xp, habits.low, KING + 1 - value, exchanged, drew)
    return HabitTables(
        xp.where(there, weights, habits.weights),
        xp.where(there, high, habits.high),
        xp.where(there, low, habits.low),
        habits.shown + (there & (xp.arange(1, 2 * KING + 1) == (value + KING * exchanged)[:, :, None])),
    )


def _ceilings_after(xp: Namespace, ceilings: Array, value: Array, exchanged: Array, drew: Array) -> Array:
    """A card was shown, or exchanged unseen; then some were drawn."""
    values = xp.arange(1, KING + 1)
    upto = xp.cumsum(ceilings, axis=2)
    whole = upto[:, :, -1:]
    held = ceilings > 0
    highest = held & (upto >= whole) & (upto - ceilings < whole)
    lowest = held & (upto - ceilings <= 0)
    shown = ceilings - highest
    capped = xp.where(values > value[:, :, None], 0, shown)
    more = xp.where(values > value[:, :, None], shown, 0).sum(axis=2, keepdims=True)
    capped = capped + xp.where(values == value[:, :, None], more, 0)
    left = xp.where(exchanged[:, :, None], ceilings - lowest, capped)
    return (left + (values == KING) * drew[:, :, None]).astype(xp.float32)


def _none_above(xp: Namespace, ceilings: Array, value: Array) -> Array:
    """The chance that no hidden card is higher, all values being alike."""
    values = xp.arange(1, KING + 1)
    logs = xp.log(values.astype(xp.float32))
    own = xp.log(xp.maximum(value.astype(xp.float32), _TINY))
    higher = values > value[:, :, None]
    return xp.exp(xp.where(higher, ceilings * (own[:, :, None] - logs), 0).sum(axis=2))


def _highest_is(xp: Namespace, ceilings: Array, value: Array) -> Array:
    return _none_above(xp, ceilings, value) - _none_above(xp, ceilings, value - 1)


def next_shown(xp: Namespace, habits: HabitTables, unseen: Array) -> Array:
    """How likely each seat's next card is of each value, from 0, or below it: tables by seats by values.

    `unseen` are the shares of the cards that a viewer has not seen: tables by values, from 0.
    """
    f = xp.float32
    strong = xp.where(habits.weights > FAINT, habits.weights, 0)
    high, low, picky = strong[:, :, 1:2], strong[:, :, 2:3], strong[:, :, 3:4]
    blind = 1 - high - low - picky
    highest = _highest_hidden(xp, habits.high, unseen)
    lowest = 1 - _highest_hidden(xp, habits.low, 1 - unseen[:, ::-1])[:, :, ::-1]
    poor = highest[:, :, GOOD - 1 : GOOD]
    flat = unseen[:, None, :]
    good = xp.where(xp.arange(KING + 1) >= GOOD, highest - poor, 0)
    shown = blind * flat + high * highest + picky * (good + poor * flat) + low * lowest
    return shown.astype(f)


def _highest_hidden(xp: Namespace, ceilings: Array, unseen: Array) -> Array:
    """How high the highest hidden card is, given which cards are unseen."""
    logs = xp.log(xp.maximum(unseen, _TINY))
    known = xp.where(unseen[:, None, 1:] > 0, ceilings, 0)
    above = (xp.arange(1, KING + 1)[:, None] > xp.arange(KING + 1)).astype(xp.float32)
    cards = xp.matmul(known, above)
    weighed = xp.matmul(known * logs[:, None, 1:], above)
    return xp.exp(cards * logs[:, None, :] - weighed)


# --- what picks are worth --------------------------------------------------------------------------------


_ACE: Final = 1
_TEN: Final = 10
_JACK: Final = 11


class SeatCounts(NamedTuple):
    """What one seat, or several, can count: a row for each table and seat."""

    held: Array
    """How many cards of each value, from 1, the seat holds: rows by values."""
    gone: Array
    """How many of each value it knows to lie in the discards."""
    others: Array
    """Which seats are others that are in: rows by seats."""
    cards: Array
    """How many cards each seat holds."""
    own: Array
    """How many the seat itself holds."""
    ace: Any
    exchange: Any
    playoff: Array


class Estimates(NamedTuple):
    """What a seat can tell; rows by values."""

    unseen: Array
    """How many of each value, from 1, it has not seen."""
    shares: Array
    """How much of that lies at each value, from 0, or below."""
    shown: Array
    """What each other seat may show: rows by seats by values, from 0; ones for those who are no others."""
    wins: Array
    """How likely a card of each value, from 0, wins the round."""
    costs: Array
    """How likely it loses with an additional card."""
    worth: Array
    """The chance to win the game after each pick: to play each value, from 1, then to exchange it."""


def counts_of(game: Any, state: DavenportTables, seats: Sequence[int]) -> SeatCounts:
    """What these seats, from 0, can count: all tables of the first one, then of the next."""
    xp, rules = game.xp, game.switches
    f = xp.float32
    taken = xp.stack(state.seats_in, axis=1)
    cards = xp.stack(state.held, axis=1).astype(f)
    numbers = xp.arange(game.seats)
    supplies = state.supplies

    def rows(arrays: list[Array]) -> Array:
        return arrays[0] if len(arrays) == 1 else xp.concatenate(arrays, axis=0)

    def each(array: Any) -> Array:
        whole = xp.broadcast_to(xp.asarray(array), state.playoff.shape)
        return rows([whole] * len(seats))

    return SeatCounts(
        held=rows([of_each_value(xp, state.hands[seat]) for seat in seats]).astype(f),
        gone=rows([of_each_value(xp, supplies.seen.plus(supplies.own[seat])) for seat in seats]).astype(f),
        others=rows([taken & (numbers != seat) for seat in seats]),
        cards=rows([cards] * len(seats)),
        own=rows([cards[:, seat] for seat in seats]),
        ace=rules.ace if isinstance(rules.ace, bool) else each(rules.ace),
        exchange=rules.exchange if isinstance(rules.exchange, bool) else each(rules.exchange),
        playoff=each(state.playoff),
    )


def estimates(xp: Namespace, facts: SeatCounts, habits: HabitTables) -> Estimates:
    """What `careful` would think; `habits` has a row for each of the facts."""
    unseen = 4 - facts.gone - facts.held
    whole = xp.maximum(unseen.sum(axis=1, keepdims=True), 1)
    shares = xp.concatenate([xp.zeros_like(whole), xp.cumsum(unseen, axis=1) / whole], axis=1)
    others = facts.others
    shown = xp.where(others[:, :, None], next_shown(xp, habits, shares), 1)
    wins, costs = _chances(xp, shown, others, facts.cards, facts.own, facts.ace)
    worths = _worths(xp, facts.ace, facts.exchange)
    own = (facts.held, unseen / whole, facts.own)
    worth = _pick_worths(xp, own, (shown, others, facts.cards), (wins, costs), worths)
    return Estimates(unseen, shares, shown, wins, costs, worth)


def advice(xp: Namespace, facts: SeatCounts, worth: Array) -> Array:
    """The pick of `careful`: the value, from 0, that it plays, or 13 more for one that it exchanges."""
    there = facts.held > 0
    may_exchange = xp.asarray(facts.exchange).reshape(-1, 1)
    played = xp.where(there, worth[:, :KING], -1)
    exchanged = xp.where(there & may_exchange, worth[:, KING:], -2)
    both = xp.stack([played, exchanged], axis=2).reshape(len(worth), 2 * KING)
    best = xp.argmax(both, axis=1)
    in_main = best // 2 + xp.where(best % 2 == 1, KING, 0)
    highest = KING - 1 - xp.argmax(there[:, ::-1], axis=1)
    poor = (highest + 1 < PLAYOFF_GOOD) & may_exchange[:, 0]
    in_playoff = xp.where(poor, xp.argmax(there, axis=1) + KING, highest)
    return xp.where(facts.playoff, in_playoff, in_main).astype(xp.int32)


def _worths(xp: Namespace, ace: Any, exchange: Any) -> Array:
    """What a card of each value, from 1, adds: one row for all tables, or one for each."""
    with_ace, allowed = xp.asarray(ace).reshape(-1, 1), xp.asarray(exchange).reshape(-1, 1)

    def row(ace_rules: bool, exchanges: bool) -> Array:
        return xp.asarray(worths_of(ace_rules, exchanges)[1:], dtype=xp.float32)[None]

    on = xp.where(allowed, row(True, True), row(True, False))
    off = xp.where(allowed, row(False, True), row(False, False))
    return xp.where(with_ace, on, off)


def _chances(
    xp: Namespace, shown: Array, others: Array, cards: Array, own: Array, ace: Any
) -> tuple[Array, Array]:
    """How likely a card of each value wins the round, and how likely it loses with an additional card."""
    nothing = xp.zeros_like(shown[:, :, :1])
    lower = xp.concatenate([nothing, shown[:, :, :-1]], axis=2)
    last = (others & (cards <= 1))[:, :, None]
    with_last = xp.where((own > 1)[:, None, None], lower, (shown + lower) / 2)
    kept = xp.where(last, with_last, shown)
    wins = kept.prod(axis=1)
    costs = xp.zeros_like(wins)
    if ace is False:
        return wins, costs
    aces = xp.where(others, shown[:, :, _ACE], 0)
    faced = xp.maximum(kept - aces[:, :, None], 0).prod(axis=1)
    no_face = shown[:, :, _TEN].prod(axis=1)
    all_aces = xp.where(others, aces, 1).prod(axis=1)
    values = xp.arange(KING + 1)
    face, is_ace = values >= _JACK, values == _ACE
    ace_wins = xp.where(face, faced, xp.where(is_ace, (1 - no_face + all_aces)[:, None], wins))
    ace_costs = xp.where(face, wins - faced, xp.where(is_ace, (no_face - all_aces)[:, None], 0))
    switch = xp.asarray(ace).reshape(-1, 1)
    return xp.where(switch, ace_wins, wins), xp.where(switch, ace_costs, costs)


def _leads(xp: Namespace, shown: Array, others: Array) -> Array:
    """How likely each other seat shows the highest card among them."""
    below = shown.prod(axis=1, keepdims=True)
    nothing = xp.zeros_like(shown[:, :, :1])
    step = xp.maximum(shown - xp.concatenate([nothing, shown[:, :, :-1]], axis=2), 0)
    chance = (step * below / xp.maximum(shown, 1e-12)).sum(axis=2)
    chance = xp.where(others, chance, 0)
    return chance / xp.maximum(chance.sum(axis=1, keepdims=True), 1e-12)


def _pick_worths(
    xp: Namespace,
    own: tuple[Array, Array, Array],
    field: tuple[Array, Array, Array],
    round_chances: tuple[Array, Array],
    worths: Array,
) -> Array:
    """The chance to win the game after playing, and after exchanging, a card of each value."""
    held, drawable, count = own
    shown, others, cards = field
    wins, costs = round_chances[0][:, 1:], round_chances[1][:, 1:]
    pace = -others_pace(others.sum(axis=1, keepdims=True).astype(xp.float32) + 1)
    outlooks = xp.where(others, xp.maximum(cards, 1) ** pace, 0)
    together = outlooks.sum(axis=1)
    several = others & (cards > 1)
    lead = xp.where(several, _leads(xp, shown, others), 0)
    goes_on = lead.sum(axis=1)
    closer = together[:, None] - outlooks + xp.maximum(cards - 1, 1) ** pace
    lost_sum = (lead * xp.where(several, closer, 0)).sum(axis=1)
    lost_race = xp.where(goes_on > 0, lost_sum / xp.where(goes_on > 0, goes_on, 1), together)
    drawn = (worths * drawable).sum(axis=1)
    whole = (worths * held).sum(axis=1, keepdims=True)
    rest = xp.exp(whole - worths)
    count = xp.maximum(count, 1)
    replaced = (xp.exp(drawn) * count**-OWN_PACE)[:, None]
    burdened = (xp.exp(2 * drawn) * (count + 1) ** -OWN_PACE)[:, None]
    fewer = rest * (xp.maximum(count - 1, 1) ** -OWN_PACE)[:, None]
    won = xp.where((count > 1)[:, None], fewer / (fewer + together[:, None]), 1)
    lost = goes_on[:, None] * _share_of(rest * replaced, lost_race[:, None])
    punished = goes_on[:, None] * _share_of(rest * burdened, lost_race[:, None])
    stock_wins = (wins * drawable).sum(axis=1, keepdims=True)
    stock_costs = (costs * drawable).sum(axis=1, keepdims=True)
    played = wins * won + costs * punished + (1 - wins - costs) * lost
    exchanged = stock_wins * won + stock_costs * punished + (1 - stock_wins - stock_costs) * lost
    return xp.concatenate([played, exchanged], axis=1)


def _share_of(outlook: Array, others: Array) -> Array:
    return outlook / (outlook + others)
