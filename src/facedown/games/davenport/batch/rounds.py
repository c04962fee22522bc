"""The rounds of Davenport at many tables at once (D3 to D20): the same rules as in `game`, over arrays.

Every function computes all tables; what happens at some of them alone is chosen by a condition.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from facedown.core.parts.batch import Array, Draws, Namespace, computed_once, recomputes, repeat
from facedown.games.davenport.batch.cards import CardSets, nth, single, value_of
from facedown.games.davenport.batch.order import with_card, without, without_order
from facedown.games.davenport.batch.state import (
    OUT_CODE,
    PLAYOFF_CODE,
    DavenportTables,
    LastRound,
    Supplies,
    Switches,
    never,
)
from facedown.games.davenport.batch.verdict import judge, seat_of, sum_of

_DECK_SIZE: Final = 52


class TurnedTables(NamedTuple):
    """All picks carried out (D3, D5)."""

    supplies: Supplies
    hands: tuple[CardSets, ...]
    shown: tuple[CardSets, ...]
    values: tuple[Array, ...]
    """0 for a seat that is not in."""
    exchanged: tuple[Array, ...]
    order: tuple[Array, ...]


class Drawing(NamedTuple):
    """Cards while they are drawn after a round."""

    supplies: Supplies
    hands: tuple[CardSets, ...]
    drew: tuple[Array, ...]
    order: tuple[Array, ...]


def reshuffle(xp: Namespace, supplies: Supplies, needed: Array) -> Supplies:
    """D9: where a card is needed and the stock is empty, the discards become it.

    They are unknown again: `known_discards` forgets them after the round.
    """
    stock, in_stock, discards, in_discards = supplies[:4]
    due = needed & (in_stock == 0)
    return supplies._replace(
        stock=CardSets(xp.where(due, discards.low, stock.low), xp.where(due, discards.high, stock.high)),
        in_stock=xp.where(due, in_discards, in_stock),
        discards=discards.where(xp, ~due),
        in_discards=xp.where(due, 0, in_discards),
    )


def known_discards(supplies: Supplies) -> Supplies:
    """What is known of the discards, without what went back into the stock.

    A card comes back to the discards only in a later round, or openly: it is enough to look once a round.
    """
    there = supplies.discards
    return supplies._replace(
        seen=supplies.seen.common(there), own=tuple([each.common(there) for each in supplies.own])
    )


class DrawnCard(NamedTuple):
    """A card from each stock."""

    supplies: Supplies
    place: Array
    card: CardSets
    """No card where none was drawn."""
    drawn: Array


def draw_one(xp: Namespace, supplies: Supplies, needed: Array, draws: Draws, slot: Any) -> DrawnCard:
    """D7, D9: one card from the stock where it is needed; where there is none at all, the draw is skipped."""
    supplies = reshuffle(xp, supplies, needed)
    drawn = needed & (supplies.in_stock > 0)
    place, card = nth(xp, supplies.stock, draws.below(slot, supplies.in_stock, drawn))
    left = supplies._replace(in_stock=supplies.in_stock - drawn.astype(xp.uint32))
    left, drawn = _counts_once(xp, left, drawn)
    card = card.where(xp, drawn)
    return DrawnCard(left._replace(stock=left.stock.minus(card)), place, card, drawn)


def _counts_once(xp: Namespace, supplies: Supplies, drawn: Array) -> tuple[Supplies, Array]:
    """The same, its counts kept in one word where the next draw would compute all draws before it again."""
    if not recomputes(xp):
        return supplies, drawn
    word = supplies.in_stock | (supplies.in_discards << 8) | (drawn.astype(xp.uint32) << 16)
    word = computed_once(xp, lambda: word[0] >> 17 == 0, word)
    return supplies._replace(in_stock=word & 0xFF, in_discards=(word >> 8) & 0xFF), (word >> 16) == 1


def turn_all(
    xp: Namespace, rules: Switches, state: DavenportTables, picks: tuple[Array, ...], draws: Draws
) -> TurnedTables:
    """D3, D5: in seat order, a played card is shown; for an exchanged one, the next card of the stock is."""
    supplies = state.supplies
    hands, shown, values, exchanged, order = [], [], [], [], list(state.order)
    for seat, pick in enumerate(picks):
        is_in = state.seats_in[seat]
        changes = None if never(rules.exchange) else is_in & (pick >= _DECK_SIZE)
        place = pick if changes is None else xp.where(changes, pick - _DECK_SIZE, pick)
        place = xp.where(is_in, place, 0)
        card = single(xp, place).where(xp, is_in)
        hands.append(state.hands[seat].minus(card))
        if order:
            order[seat] = without(xp, order[seat], place, is_in)
        if changes is not None:
            away = card.where(xp, changes)
            own = list(supplies.own)
            own[seat] = own[seat].plus(away)
            supplies = supplies._replace(
                discards=supplies.discards.plus(away),
                in_discards=supplies.in_discards + changes.astype(xp.uint32),
                own=tuple(own),
            )
            drawn = draw_one(xp, supplies, changes, draws, seat)
            supplies = drawn.supplies
            card = CardSets(
                xp.where(changes, drawn.card.low, card.low), xp.where(changes, drawn.card.high, card.high)
            )
            place = xp.where(changes, drawn.place.astype(place.dtype), place)
        shown.append(card)
        values.append(xp.where(is_in, value_of(xp, place), 0).astype(xp.int32))
        exchanged.append(xp.zeros_like(is_in) if changes is None else changes)
    return TurnedTables(supplies, tuple(hands), tuple(shown), tuple(values), tuple(exchanged), tuple(order))


def with_shown(xp: Namespace, state: DavenportTables, turned: TurnedTables) -> Supplies:
    """D8: the cards played go to the discards before anybody draws."""
    supplies = turned.supplies
    discards, seen, count = supplies.discards, supplies.seen, supplies.in_discards
    for card, is_in in zip(turned.shown, state.seats_in, strict=True):
        discards, seen = discards.plus(card), seen.plus(card)
        count = count + is_in.astype(xp.uint32)
    return supplies._replace(discards=discards, seen=seen, in_discards=count)


# --- a whole round ---------------------------------------------------------------------------------------


def play_round(
    xp: Namespace, rules: Switches, state: DavenportTables, picks: tuple[Array, ...], draws: Draws
) -> DavenportTables:
    """One round of either phase at every table; where several went out together, no playoff is dealt yet."""
    seats = len(picks)
    turned = turn_all(xp, rules, state, picks, draws)
    verdict = judge(xp, rules, state, turned.values)
    supplies = with_shown(xp, state, turned)
    hands = list(turned.hands)
    held = [
        count - is_in.astype(count.dtype) for count, is_in in zip(state.held, state.seats_in, strict=True)
    ]
    nothing = tuple([xp.zeros_like(count) for count in held])
    passes = 1 if never(rules.ace) else 2

    def one_pass(number: Any, now: Drawing) -> Drawing:
        supplies, hands, drew, order = now[0], list(now[1]), list(now[2]), list(now[3])
        for seat in range(seats):
            due = verdict.first[seat]
            if passes > 1:
                due = xp.where(number == 0, due, verdict.additional[seat])
            drawn = draw_one(xp, supplies, due, draws, (number + 1) * seats + seat)
            supplies = drawn.supplies
            hands[seat] = hands[seat].plus(drawn.card)
            drew[seat] = drew[seat] + drawn.drawn.astype(drew[seat].dtype)
            if order:
                order[seat] = with_card(xp, order[seat], drawn.place, drawn.drawn)
        return Drawing(supplies, tuple(hands), tuple(drew), tuple(order))

    begun = Drawing(supplies, tuple(hands), nothing, turned.order)
    supplies, drawn_hands, drew, drawn_order = repeat(xp, passes, one_pass, begun)
    supplies = known_discards(supplies)
    hands, order = list(drawn_hands), list(drawn_order)
    held = [count + more for count, more in zip(held, drew, strict=True)]
    for seat, leaves in enumerate(verdict.leaving):  # D18: after the others drew
        supplies = supplies._replace(
            discards=supplies.discards.plus(hands[seat].where(xp, leaves)),
            in_discards=supplies.in_discards + xp.where(leaves, held[seat], 0).astype(xp.uint32),
        )
        hands[seat] = hands[seat].where(xp, ~leaves)
        held[seat] = xp.where(leaves, 0, held[seat])
        if order:
            order[seat] = without_order(xp, order[seat], leaves)
    seats_in = tuple([is_in & ~leaves for is_in, leaves in zip(state.seats_in, verdict.leaving, strict=True)])
    out = tuple([is_in & (count == 0) & ~state.playoff for is_in, count in zip(seats_in, held, strict=True)])
    alone = sum_of(xp, out) == 1  # D10
    winner = xp.where(alone, seat_of(xp, out), verdict.winner)
    ending = xp.where(alone, OUT_CODE, xp.where(verdict.winner > 0, PLAYOFF_CODE, 0))
    return DavenportTables(
        supplies=supplies,
        hands=tuple(hands),
        held=tuple(held),
        seats_in=seats_in,
        wins=_wins(rules, state, verdict.winners),
        playoff=state.playoff,
        round=state.round + 1,
        winner=winner.astype(xp.int32),
        ending=ending.astype(xp.int32),
        last=LastRound(turned.values, turned.exchanged, drew, verdict.winners),
        order=tuple(order),
    )


def _wins(rules: Switches, state: DavenportTables, winners: tuple[Array, ...]) -> tuple[Array, ...]:
    """D19: in a playoff by wins, the highest card scores."""
    if never(rules.by_wins):
        return state.wins
    counts = state.playoff & rules.by_wins
    return tuple(
        [won + (high & counts).astype(won.dtype) for won, high in zip(state.wins, winners, strict=True)]
    )


def out_together(xp: Namespace, state: DavenportTables) -> tuple[Array, tuple[Array, ...]]:
    """D10: where several seats went out together, and which."""
    out = tuple(
        [
            is_in & (count == 0) & ~state.playoff
            for is_in, count in zip(state.seats_in, state.held, strict=True)
        ]
    )
    return (sum_of(xp, out) > 1) & (state.winner == 0), out


def resign(xp: Namespace, state: DavenportTables, seat: Array, code: int) -> DavenportTables:
    """D20: the cards of one seat at each table, from 0, go to the discards, the others play on."""
    hands, held, seats_in, supplies = (
        list(state.hands),
        list(state.held),
        list(state.seats_in),
        state.supplies,
    )
    for each in range(len(hands)):
        gone = seat == each
        supplies = supplies._replace(
            discards=supplies.discards.plus(hands[each].where(xp, gone)),
            in_discards=supplies.in_discards + xp.where(gone, held[each], 0).astype(xp.uint32),
        )
        hands[each] = hands[each].where(xp, ~gone)
        held[each] = xp.where(gone, 0, held[each])
        seats_in[each] = seats_in[each] & ~gone
    left = tuple(seats_in)
    order = tuple([without_order(xp, hand, seat == each) for each, hand in enumerate(state.order)])
    alone = sum_of(xp, left) == 1
    return state._replace(
        supplies=supplies,
        hands=tuple(hands),
        held=tuple(held),
        seats_in=left,
        order=order,
        winner=xp.where(alone, seat_of(xp, left), 0).astype(xp.int32),
        ending=xp.where(alone, code, 0).astype(xp.int32),
    )
