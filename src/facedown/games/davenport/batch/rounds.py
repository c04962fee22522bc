"""The rounds of Davenport at many tables at once (D3 to D20): the same rules as in `game`, over arrays.

Every function computes all tables; what happens at some of them alone is chosen by a condition.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from facedown.core.parts.batch import Array, Draws, Namespace, repeat
from facedown.games.davenport.batch.cards import CardSets, nth, single, value_of
from facedown.games.davenport.batch.order import emptied, with_card, without
from facedown.games.davenport.batch.state import (
    OUT_CODE,
    PLAYOFF_CODE,
    DavenportTables,
    LastRound,
    Supplies,
    Switches,
    never,
)

_ACE: Final = 1
_JACK: Final = 11
_DECK_SIZE: Final = 52
_NO_CARD: Final = 99
"""Higher than any value: what a seat that is not in shows, where the lowest card is looked for."""


class TurnedTables(NamedTuple):
    """All picks carried out (D3, D5)."""

    supplies: Supplies
    hands: tuple[CardSets, ...]
    shown: tuple[CardSets, ...]
    values: tuple[Array, ...]
    """0 for a seat that is not in."""
    exchanged: tuple[Array, ...]
    order: tuple[Array, ...]


class TableVerdict(NamedTuple):
    """What a round comes to, by seat."""

    winners: tuple[Array, ...]
    first: tuple[Array, ...]
    """Who draws a card."""
    additional: tuple[Array, ...]
    """Who draws one more (D12, D13)."""
    leaving: tuple[Array, ...]
    wins: tuple[Array, ...]
    winner: Array
    """The winner of a playoff; 0 while it goes on."""


class Drawing(NamedTuple):
    """Cards while they are drawn after a round."""

    supplies: Supplies
    hands: tuple[CardSets, ...]
    drew: tuple[Array, ...]
    order: tuple[Array, ...]


def reshuffled(xp: Namespace, supplies: Supplies, needed: Array) -> Supplies:
    """D9: where a card is needed and the stock is empty, the discards become it.

    Nobody knows them any more: `known_discards` sees to that after the round.
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
    supplies = reshuffled(xp, supplies, needed)
    drawn = needed & (supplies.in_stock > 0)
    place, card = nth(xp, supplies.stock, draws.below(slot, supplies.in_stock, drawn))
    card = card.where(xp, drawn)
    left = supplies._replace(
        stock=supplies.stock.minus(card), in_stock=supplies.in_stock - drawn.astype(xp.uint32)
    )
    return DrawnCard(left, place, card, drawn)


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


# --- the main game ---------------------------------------------------------------------------------------


def judge_main(
    xp: Namespace, rules: Switches, state: DavenportTables, values: tuple[Array, ...]
) -> TableVerdict:
    """D6, D7, D11 to D14: who wins a round of the main game, who draws, and who one more."""
    top = _highest(xp, values)
    best = tuple([(value == top) & is_in for value, is_in in zip(values, state.seats_in, strict=True)])
    nobody = xp.zeros_like(best[0])
    if not never(rules.ace):
        aces = tuple([(value == _ACE) & rules.ace for value in values])
        shown = _any(aces)
        beaten = shown & (top >= _JACK)  # D11
        winners = tuple([xp.where(beaten, ace, high) for ace, high in zip(aces, best, strict=True)])
        punished = shown & (top < _JACK) & (top > _ACE)  # D13
        additional = tuple(
            [(beaten & high) | (punished & ace) for ace, high in zip(aces, best, strict=True)]  # D12, D13
        )
    else:
        winners, additional = best, (nobody,) * len(best)
    losers = tuple([is_in & ~won for is_in, won in zip(state.seats_in, winners, strict=True)])
    stays = (nobody,) * len(best)
    return TableVerdict(winners, losers, additional, stays, state.wins, xp.zeros_like(top))


# --- the playoff -----------------------------------------------------------------------------------------


def judge_playoff(
    xp: Namespace, rules: Switches, state: DavenportTables, values: tuple[Array, ...]
) -> TableVerdict:
    """D17 to D19: who scored and who leaves; those who are still in draw, unless the game is decided."""
    top = _highest(xp, values)
    best = tuple([(value == top) & is_in for value, is_in in zip(values, state.seats_in, strict=True)])
    leaving = _by_elimination(xp, state, values)
    wins = state.wins
    stays = tuple([is_in & ~gone for is_in, gone in zip(state.seats_in, leaving, strict=True)])
    winner = xp.where(_sum(xp, stays) == 1, _seat_of(xp, stays), 0)
    if not never(rules.by_wins):
        won, behind, first = _by_wins(xp, rules, state, best)
        wins = tuple([xp.where(rules.by_wins, new, old) for new, old in zip(won, wins, strict=True)])
        leaving = tuple([xp.where(rules.by_wins, one, two) for one, two in zip(behind, leaving, strict=True)])
        winner = xp.where(rules.by_wins, first, winner)
        stays = tuple([is_in & ~gone for is_in, gone in zip(state.seats_in, leaving, strict=True)])
    goes_on = winner == 0
    drawing = tuple([stay & goes_on for stay in stays])
    nobody = xp.zeros_like(goes_on)
    return TableVerdict(best, drawing, (nobody,) * len(best), leaving, wins, winner)


def _by_elimination(xp: Namespace, state: DavenportTables, values: tuple[Array, ...]) -> tuple[Array, ...]:
    """D17: the lowest card leaves; where several share it, nobody does."""
    shown = [xp.where(is_in, value, _NO_CARD) for value, is_in in zip(values, state.seats_in, strict=True)]
    low = shown[0]
    for value in shown[1:]:
        low = xp.minimum(low, value)
    lows = [value == low for value in shown]
    alone = _sum(xp, tuple(lows)) == 1
    return tuple([each & alone for each in lows])


def _in_front(
    xp: Namespace, rules: Switches, state: DavenportTables, wins: tuple[Array, ...]
) -> tuple[tuple[Array, ...], Array]:
    """D19: the seats with the most wins, and whether these are enough."""
    best = _highest(xp, [xp.where(is_in, won, -1) for won, is_in in zip(wins, state.seats_in, strict=True)])
    front = tuple([is_in & (won == best) for won, is_in in zip(wins, state.seats_in, strict=True)])
    return front, best >= rules.playoff_wins


def _by_wins(
    xp: Namespace, rules: Switches, state: DavenportTables, best: tuple[Array, ...]
) -> tuple[tuple[Array, ...], tuple[Array, ...], Array]:
    """D19: the highest card scores; once several reached the number together, those behind are out.

    Who has how many wins, who leaves, and who has won the playoff.
    """
    wins = tuple([won + high.astype(won.dtype) for won, high in zip(state.wins, best, strict=True)])
    front, enough = _in_front(xp, rules, state, wins)
    reached_before = _highest(xp, state.wins) >= rules.playoff_wins
    thins = enough & ((_sum(xp, front) > 1) | reached_before)
    behind = tuple([is_in & ~leads & thins for is_in, leads in zip(state.seats_in, front, strict=True)])
    return wins, behind, xp.where(enough & (_sum(xp, front) == 1), _seat_of(xp, front), 0)


# --- a whole round ---------------------------------------------------------------------------------------


def play_round(
    xp: Namespace, rules: Switches, state: DavenportTables, picks: tuple[Array, ...], draws: Draws
) -> DavenportTables:
    """One round of either phase at every table; where several went out together, no playoff is dealt yet."""
    seats = len(picks)
    turned = turn_all(xp, rules, state, picks, draws)
    main = judge_main(xp, rules, state, turned.values)
    verdict = _of_phase(xp, state.playoff, judge_playoff(xp, rules, state, turned.values), main)
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
            order[seat] = emptied(xp, order[seat], leaves)
    seats_in = tuple([is_in & ~leaves for is_in, leaves in zip(state.seats_in, verdict.leaving, strict=True)])
    out = tuple([is_in & (count == 0) & ~state.playoff for is_in, count in zip(seats_in, held, strict=True)])
    alone = _sum(xp, out) == 1  # D10
    winner = xp.where(alone, _seat_of(xp, out), verdict.winner)
    ending = xp.where(alone, OUT_CODE, xp.where(verdict.winner > 0, PLAYOFF_CODE, 0))
    return DavenportTables(
        supplies=supplies,
        hands=tuple(hands),
        held=tuple(held),
        seats_in=seats_in,
        wins=verdict.wins,
        playoff=state.playoff,
        round=state.round + 1,
        winner=winner.astype(xp.int32),
        ending=ending.astype(xp.int32),
        last=LastRound(turned.values, turned.exchanged, drew, verdict.winners),
        order=tuple(order),
    )


def out_together(xp: Namespace, state: DavenportTables) -> tuple[Array, tuple[Array, ...]]:
    """D10: where several seats went out together, and which."""
    out = tuple(
        [
            is_in & (count == 0) & ~state.playoff
            for is_in, count in zip(state.seats_in, state.held, strict=True)
        ]
    )
    return (_sum(xp, out) > 1) & (state.winner == 0), out


def resigned(xp: Namespace, state: DavenportTables, seat: Array, code: int) -> DavenportTables:
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
    order = tuple([emptied(xp, hand, seat == each) for each, hand in enumerate(state.order)])
    alone = _sum(xp, left) == 1
    return state._replace(
        supplies=supplies,
        hands=tuple(hands),
        held=tuple(held),
        seats_in=left,
        order=order,
        winner=xp.where(alone, _seat_of(xp, left), 0).astype(xp.int32),
        ending=xp.where(alone, code, 0).astype(xp.int32),
    )


def _of_phase(xp: Namespace, playoff: Array, in_playoff: TableVerdict, in_main: TableVerdict) -> TableVerdict:
    def pick(one: tuple[Array, ...], other: tuple[Array, ...]) -> tuple[Array, ...]:
        return tuple([xp.where(playoff, yes, no) for yes, no in zip(one, other, strict=True)])

    return TableVerdict(
        pick(in_playoff.winners, in_main.winners),
        pick(in_playoff.first, in_main.first),
        tuple([more & ~playoff for more in in_main.additional]),
        tuple([leaves & playoff for leaves in in_playoff.leaving]),
        pick(in_playoff.wins, in_main.wins),
        xp.where(playoff, in_playoff.winner, 0),
    )


def _highest(xp: Namespace, values: tuple[Array, ...] | list[Array]) -> Array:
    top = values[0]
    for value in values[1:]:
        top = xp.maximum(top, value)
    return top


def _any(flags: tuple[Array, ...]) -> Array:
    found = flags[0]
    for flag in flags[1:]:
        found = found | flag
    return found


def _sum(xp: Namespace, flags: tuple[Array, ...]) -> Array:
    total = flags[0].astype(xp.int32)
    for flag in flags[1:]:
        total = total + flag.astype(xp.int32)
    return total


def _seat_of(xp: Namespace, flags: tuple[Array, ...]) -> Array:
    """The seat, from 1, of the one flag that is set."""
    found = xp.zeros_like(flags[0], dtype=xp.int32)
    for seat, flag in enumerate(flags, 1):
        found = xp.where(flag, seat, found)
    return found
