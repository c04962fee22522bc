"""The rounds of Davenport at many tables at once (D3 to D20): the same rules as in `game`, over arrays.

Every function computes all tables; what happens at some of them alone is chosen by a condition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from facedown_lab.batch.form import Array, Draws, Namespace, computed_once, recomputes, repeat
from facedown_lab.games.davenport.batch.state import (
    OUT_CODE,
    PLAYOFF_CODE,
    CardSets,
    DavenportTables,
    LastRound,
    Supplies,
    Switches,
    never,
    nth,
    single,
    value_of,
    with_card,
    without,
    without_order,
)

# --- who wins --------------------------------------------------------------------------------------------


_ACE: Final = 1
_JACK: Final = 11
_NO_CARD: Final = 99
"""Higher than any value: shown by a seat that is not in, when finding the lowest card."""
_NEVER_SET: Final = 31
"""The bit of a verdict's word that is never set."""


class TableVerdict(NamedTuple):
    """What a round comes to, by seat."""

    winners: tuple[Array, ...]
    first: tuple[Array, ...]
    """Who draws a card."""
    additional: tuple[Array, ...]
    """Who draws one more (D12, D13)."""
    leaving: tuple[Array, ...]
    winner: Array
    """The winner of a playoff; 0 while it goes on."""


def judge(xp: Namespace, rules: Switches, state: DavenportTables, values: tuple[Array, ...]) -> TableVerdict:
    """What the values that were shown come to, in either phase."""
    main, playoff = _judge_main(xp, rules, state, values), _judge_playoff(xp, rules, state, values)
    return _once(xp, _of_phase(xp, state.playoff, playoff, main))


# --- the main game ---------------------------------------------------------------------------------------


def _judge_main(
    xp: Namespace, rules: Switches, state: DavenportTables, values: tuple[Array, ...]
) -> TableVerdict:
    """D6, D7, D11 to D14: who wins a round of the main game, who draws, and who one more."""
    top = _highest(xp, values)
    best = tuple([(value == top) & is_in for value, is_in in zip(values, state.seats_in, strict=True)])
    no_seat = xp.zeros_like(best[0])
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
        winners, additional = best, (no_seat,) * len(best)
    losers = tuple([is_in & ~won for is_in, won in zip(state.seats_in, winners, strict=True)])
    stays = (no_seat,) * len(best)
    return TableVerdict(winners, losers, additional, stays, xp.zeros_like(top))


# --- the playoff -----------------------------------------------------------------------------------------


def _judge_playoff(
    xp: Namespace, rules: Switches, state: DavenportTables, values: tuple[Array, ...]
) -> TableVerdict:
    """D17 to D19: who scored and who leaves; those who are still in draw, unless the game is decided."""
    top = _highest(xp, values)
    best = tuple([(value == top) & is_in for value, is_in in zip(values, state.seats_in, strict=True)])
    leaving = _by_elimination(xp, state, values)
    stays = tuple([is_in & ~gone for is_in, gone in zip(state.seats_in, leaving, strict=True)])
    winner = xp.where(sum_of(xp, stays) == 1, seat_of(xp, stays), 0)
    if not never(rules.by_wins):
        behind, first = _by_wins(xp, rules, state, best)
        leaving = tuple([xp.where(rules.by_wins, one, two) for one, two in zip(behind, leaving, strict=True)])
        winner = xp.where(rules.by_wins, first, winner)
        stays = tuple([is_in & ~gone for is_in, gone in zip(state.seats_in, leaving, strict=True)])
    goes_on = winner == 0
    drawing = tuple([stay & goes_on for stay in stays])
    no_seat = xp.zeros_like(goes_on)
    return TableVerdict(best, drawing, (no_seat,) * len(best), leaving, winner)


def _by_elimination(xp: Namespace, state: DavenportTables, values: tuple[Array, ...]) -> tuple[Array, ...]:
    """D17: the lowest card leaves; if several share it, none does."""
    shown = [xp.where(is_in, value, _NO_CARD) for value, is_in in zip(values, state.seats_in, strict=True)]
    low = shown[0]
    for value in shown[1:]:
        low = xp.minimum(low, value)
    lows = [value == low for value in shown]
    alone = sum_of(xp, tuple(lows)) == 1
    return tuple([each & alone for each in lows])


def _by_wins(
    xp: Namespace, rules: Switches, state: DavenportTables, best: tuple[Array, ...]
) -> tuple[tuple[Array, ...], Array]:
    """D19: the highest card scores; once several reached the number together, those behind are out.

    Who leaves, and who has won the playoff.
    """
    wins = tuple([won + high.astype(won.dtype) for won, high in zip(state.wins, best, strict=True)])
    most = _highest(xp, [xp.where(is_in, won, -1) for won, is_in in zip(wins, state.seats_in, strict=True)])
    front = tuple([is_in & (won == most) for won, is_in in zip(wins, state.seats_in, strict=True)])
    enough = most >= rules.playoff_wins
    reached_before = _highest(xp, state.wins) >= rules.playoff_wins
    thins = enough & ((sum_of(xp, front) > 1) | reached_before)
    behind = tuple([is_in & ~leads & thins for is_in, leads in zip(state.seats_in, front, strict=True)])
    return behind, xp.where(enough & (sum_of(xp, front) == 1), seat_of(xp, front), 0)


def _of_phase(xp: Namespace, playoff: Array, in_playoff: TableVerdict, in_main: TableVerdict) -> TableVerdict:
    def pick(one: tuple[Array, ...], other: tuple[Array, ...]) -> tuple[Array, ...]:
        return tuple([xp.where(playoff, yes, no) for yes, no in zip(one, other, strict=True)])

    return TableVerdict(
        pick(in_playoff.winners, in_main.winners),
        pick(in_playoff.first, in_main.first),
        tuple([more & ~playoff for more in in_main.additional]),
        tuple([leaves & playoff for leaves in in_playoff.leaving]),
        xp.where(playoff, in_playoff.winner, 0),
    )


# --- in one word -----------------------------------------------------------------------------------------


def _once(xp: Namespace, verdict: TableVerdict) -> TableVerdict:
    """The same verdict, kept in one word for each table where everything would be computed again."""
    if not recomputes(xp):
        return verdict
    word = verdict.winner.astype(xp.uint32)
    parts = (verdict.winners, verdict.first, verdict.additional, verdict.leaving)
    for flag in [flag for part in parts for flag in part]:  # at most 28 of them, and a seat of three bits
        word = (word << 1) | flag.astype(xp.uint32)
    word = computed_once(xp, lambda: (word[0] >> _NEVER_SET) == 0, word)
    seats = len(verdict.winners)
    bits = [(word >> place) & 1 == 1 for place in reversed(range(seats * len(parts)))]
    winners, first, additional, leaving = (
        tuple(bits[place : place + seats]) for place in range(0, len(bits), seats)
    )
    return TableVerdict(winners, first, additional, leaving, (word >> len(bits)).astype(xp.int32))


# --- flags of the seats ----------------------------------------------------------------------------------


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


def sum_of(xp: Namespace, flags: tuple[Array, ...]) -> Array:
    """How many of the flags are set."""
    total = flags[0].astype(xp.int32)
    for flag in flags[1:]:
        total = total + flag.astype(xp.int32)
    return total


def seat_of(xp: Namespace, flags: tuple[Array, ...]) -> Array:
    """The seat, from 1, of the one flag that is set."""
    found = xp.zeros_like(flags[0], dtype=xp.int32)
    for seat, flag in enumerate(flags, 1):
        found = xp.where(flag, seat, found)
    return found


# --- a round ---------------------------------------------------------------------------------------------


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
        supplies = _discard_hand(xp, supplies, hands, held, order, seat, leaves)
    seats_in = tuple([is_in & ~leaves for is_in, leaves in zip(state.seats_in, verdict.leaving, strict=True)])
    out = _out(state.playoff, seats_in, held)
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


def _out(playoff: Array, seats_in: Sequence[Array], held: Sequence[Array]) -> tuple[Array, ...]:
    """D10: in the main game, a seat without cards is out."""
    return tuple([is_in & (count == 0) & ~playoff for is_in, count in zip(seats_in, held, strict=True)])


def _discard_hand(
    xp: Namespace,
    supplies: Supplies,
    hands: list[CardSets],
    held: list[Array],
    order: list[Array],
    seat: int,
    gone: Array,
) -> Supplies:
    """Where a seat is gone, its cards go to the discards; changes the lists."""
    supplies = supplies._replace(
        discards=supplies.discards.plus(hands[seat].where(xp, gone)),
        in_discards=supplies.in_discards + xp.where(gone, held[seat], 0).astype(xp.uint32),
    )
    hands[seat] = hands[seat].where(xp, ~gone)
    held[seat] = xp.where(gone, 0, held[seat])
    if order:
        order[seat] = without_order(xp, order[seat], gone)
    return supplies


def out_together(xp: Namespace, state: DavenportTables) -> tuple[Array, tuple[Array, ...]]:
    """D10: where several seats went out together, and which."""
    out = _out(state.playoff, state.seats_in, state.held)
    return (sum_of(xp, out) > 1) & (state.winner == 0), out


def resign(xp: Namespace, state: DavenportTables, seat: Array, code: int) -> DavenportTables:
    """D20: the cards of one seat at each table, from 0, go to the discards, the others play on."""
    hands, held, order, supplies = list(state.hands), list(state.held), list(state.order), state.supplies
    for each in range(len(hands)):
        supplies = _discard_hand(xp, supplies, hands, held, order, each, seat == each)
    left = tuple([is_in & (seat != each) for each, is_in in enumerate(state.seats_in)])
    alone = sum_of(xp, left) == 1
    return state._replace(
        supplies=supplies,
        hands=tuple(hands),
        held=tuple(held),
        seats_in=left,
        order=tuple(order),
        winner=xp.where(alone, seat_of(xp, left), 0).astype(xp.int32),
        ending=xp.where(alone, code, 0).astype(xp.int32),
    )
