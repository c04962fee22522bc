"""The simulator of Davenport: `init`, `step`, `legal`, `observe` for many tables (D1 to D20)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from facedown.core.cards import DECK
from facedown.games.davenport.rules import DavenportRules
from facedown_lab.batch.form import (
    RESIGN_CODE,
    Array,
    Draws,
    Namespace,
    Picks,
    at_tables,
    changed_at,
    choose,
    columns,
    computed_once,
    is_numpy,
    on_gpu,
    repeat,
)
from facedown_lab.games.davenport.batch.rounds import out_together, play_round, resign, sum_of
from facedown_lab.games.davenport.batch.state import (
    RESIGNED_CODE,
    CardSets,
    DavenportTables,
    LastRound,
    Supplies,
    Switches,
    deck,
    empty,
    holds,
    never,
    no_cards,
    nth,
    of_value,
    with_card,
)

_CARDS_EACH: Final = 5
_MOST_DRAWN: Final = 2
_VALUES: Final = 13


class MixedRules(NamedTuple):
    """Rules that differ from table to table, for programs that learn all of them at once: arrays."""

    ace: Array
    exchange: Array
    by_wins: Array
    players: Array
    """How many seats are taken at each table, from the first on; the others are never in."""


class Dealing(NamedTuple):
    """Cards while they are dealt."""

    stock: CardSets
    in_stock: Array
    hands: tuple[CardSets, ...]
    order: tuple[Array, ...]


class DealtCards(NamedTuple):
    """Where all cards are after a deal."""

    stock: CardSets
    hands: tuple[CardSets, ...]
    order: tuple[Array, ...]


def _with_cards(state: DavenportTables, cards: DealtCards) -> DavenportTables:
    supplies = state.supplies._replace(stock=cards.stock)
    return state._replace(supplies=supplies, hands=cards.hands, order=cards.order)


class DavenportBatch:
    """Many tables of Davenport under one rule set."""

    def __init__(
        self,
        xp: Namespace,
        rules: DavenportRules,
        seats: int,
        mixed: MixedRules | None = None,
        *,
        ordered: bool = False,
    ) -> None:
        self.xp = xp
        self.ordered = ordered
        self.rules = rules
        self.seats = seats
        self.players = None if mixed is None else mixed.players
        by_wins = rules.playoff == "wins"
        self.switches = Switches(
            ace=rules.ace if mixed is None else mixed.ace,
            exchange=rules.exchange if mixed is None else mixed.exchange,
            by_wins=by_wins if mixed is None else mixed.by_wins,
            playoff_wins=rules.playoff_wins,
            playoff_cards=rules.playoff_cards,
        )
        self._most_dealt = max(_CARDS_EACH, rules.playoff_cards)
        self._before_deal = seats * (2 if never(self.switches.ace) else 3)
        self.slots = self._before_deal + seats * self._most_dealt
        self.picks = len(DECK) * (2 if rules.exchange else 1)

    # --- dealing -------------------------------------------------------------------------------------

    def init(self, tables: int, draws: Draws) -> DavenportTables:
        """D1, D2: one deck, five cards each, one at a time around the table from seat 1."""
        xp = self.xp
        nothing, none = xp.zeros(tables, dtype=xp.int32), xp.zeros(tables, dtype=bool)
        blank = DavenportTables(
            supplies=self._supplies(tables),
            hands=(empty(xp, tables),) * self.seats,
            held=(nothing,) * self.seats,
            seats_in=(~none,) * self.seats,
            wins=(nothing,) * self.seats,
            playoff=none,
            round=nothing,
            winner=nothing,
            ending=nothing,
            last=self._no_round(nothing, none),
            order=self._no_order(tables),
        )
        seats_in = self._seats_in(~none, (none,) * self.seats)
        return _with_cards(self._begin(blank, ~none, ~none, seats_in), self._deal(~none, seats_in, draws))

    def _supplies(self, tables: int) -> Supplies:
        xp = self.xp
        nothing, none = xp.zeros(tables, dtype=xp.uint32), empty(xp, tables)
        return Supplies(deck(xp, tables), nothing + len(DECK), none, nothing, none, (none,) * self.seats)

    def _no_order(self, tables: int) -> tuple[Array, ...]:
        return (no_cards(self.xp, tables),) * self.seats if self.ordered else ()

    def _no_round(self, nothing: Array, none: Array) -> LastRound:
        return LastRound(
            (nothing,) * self.seats, (none,) * self.seats, (nothing,) * self.seats, (none,) * self.seats
        )

    def _seats_in(self, fresh: Array, playing_off: tuple[Array, ...]) -> tuple[Array, ...]:
        """D2, D16: who is dealt cards: all seats of a new game, and those that went out together."""
        taken = [
            fresh if self.players is None else fresh & (self.players > seat) for seat in range(self.seats)
        ]
        return tuple([start | off for start, off in zip(taken, playing_off, strict=True)])

    def _deal(self, fresh: Array, seats_in: tuple[Array, ...], draws: Draws) -> DealtCards:
        """D2, D16: from a fresh deck, one card at a time around the table."""
        xp, rules = self.xp, self.switches
        tables = len(fresh)

        def one_each(number: Any, dealing: Dealing) -> Dealing:
            stock, in_stock, hands, order = dealing
            goes_on = xp.where(fresh, number < _CARDS_EACH, number < rules.playoff_cards)
            dealt, later = [], list(order)
            for seat, is_in in enumerate(seats_in):
                due = is_in & goes_on
                slot = self._before_deal + number * self.seats + seat
                place, card = nth(xp, stock, draws.below(slot, in_stock, due))
                card = card.where(xp, due)
                stock, in_stock = stock.minus(card), in_stock - due.astype(xp.uint32)
                dealt.append(hands[seat].plus(card))
                if order:
                    later[seat] = with_card(xp, order[seat], place, due)
            return Dealing(stock, in_stock, tuple(dealt), tuple(later))

        no_cards = (empty(xp, tables),) * self.seats
        whole = xp.full(tables, len(DECK), dtype=xp.uint32)
        begun = Dealing(deck(xp, tables), whole, no_cards, self._no_order(tables))
        stock, _, hands, order = repeat(xp, self._most_dealt, one_each, begun)
        return DealtCards(stock, hands, order)

    def _begin(
        self, state: DavenportTables, due: Array, fresh: Array, seats_in: tuple[Array, ...]
    ) -> DavenportTables:
        """The tables of a deal before the first round, of a game or a playoff; only the cards are missing."""
        xp = self.xp
        cards = xp.where(fresh, _CARDS_EACH, self.switches.playoff_cards).astype(xp.int32)
        left = (len(DECK) - cards * sum_of(xp, seats_in)).astype(xp.uint32)
        old = state.supplies
        nothing, none = xp.zeros_like(state.round), xp.zeros_like(fresh)

        def now(new: Any, before: Array) -> Array:
            return xp.where(due, new, before).astype(before.dtype)

        return state._replace(
            supplies=old._replace(
                in_stock=now(left, old.in_stock),
                discards=old.discards.where(xp, ~due),
                in_discards=now(0, old.in_discards),
                seen=old.seen.where(xp, ~due),
                own=tuple([each.where(xp, ~due) for each in old.own]),
            ),
            held=tuple(
                [
                    now(xp.where(is_in, cards, 0), held)
                    for is_in, held in zip(seats_in, state.held, strict=True)
                ]
            ),
            seats_in=tuple([now(new, before) for new, before in zip(seats_in, state.seats_in, strict=True)]),
            wins=tuple([now(0, won) for won in state.wins]),
            playoff=now(~fresh, state.playoff),
            round=now(1, state.round),
            winner=now(0, state.winner),
            ending=now(0, state.ending),
            last=choose(xp, fresh, self._no_round(nothing, none), state.last),
        )

    def _deal_where(
        self, state: DavenportTables, fresh: Array, starts: Array, out: tuple[Array, ...], draws: Draws
    ) -> DavenportTables:
        xp = self.xp
        due = fresh | starts
        if is_numpy(xp) and not due.any():
            return state
        seats_in = self._seats_in(fresh, tuple([each & starts for each in out]))
        begun = self._begin(state, due, fresh, seats_in)
        old = DealtCards(state.supplies.stock, state.hands, state.order)
        if on_gpu(xp) or self.players is not None:
            return _with_cards(begun, choose(xp, due, self._deal(fresh, seats_in, draws), old))

        def dealt(tables: Array) -> DealtCards:
            return self._deal(fresh[tables], at_tables(seats_in, tables), draws.at(tables))

        return _with_cards(begun, changed_at(xp, due, old, dealt))

    # --- playing -------------------------------------------------------------------------------------

    def step(self, state: DavenportTables, picks: Picks, draws: Draws) -> DavenportTables:
        """The reveal at every table: a round, or a resignation (D20); a playoff where one is due (D16)."""
        after = self._round(state, picks, draws)
        starts, out = out_together(self.xp, after)
        return self._deal_where(after, self.xp.zeros_like(starts), starts, out, draws)

    def go_on(
        self, state: DavenportTables, picks: Picks, draws: Draws
    ) -> tuple[DavenportTables, Array, Array]:
        """A step after which every finished table is dealt fresh: the state, the payoffs, what is over."""
        after = self._round(state, picks, draws)
        over = self.over(after)
        starts, out = out_together(self.xp, after)
        return self._deal_where(after, over, starts, out, draws), self.payoffs(after), over

    def _round(self, state: DavenportTables, picks: Picks, draws: Draws) -> DavenportTables:
        xp = self.xp
        chosen = columns(picks, self.seats)
        over = self.over(state)
        leaver = xp.full_like(state.round, -1)
        for seat in reversed(range(self.seats)):
            leaver = xp.where((chosen[seat] == RESIGN_CODE) & state.seats_in[seat], seat, leaver)
        leaver = computed_once(xp, lambda: leaver[0] < self.seats, leaver)
        leaves = leaver >= 0
        idle = leaves | over
        if is_numpy(xp) and not idle.any():
            return play_round(xp, self.switches, state, chosen, draws)
        quiet = state._replace(seats_in=tuple([is_in & ~idle for is_in in state.seats_in]))
        played = play_round(xp, self.switches, quiet, chosen, draws)
        if is_numpy(xp) and not leaves.any():
            return choose(xp, over, state, played)
        gone = resign(xp, state, leaver, RESIGNED_CODE)
        return choose(xp, over, state, choose(xp, leaves, gone, played))

    def pack(self, state: DavenportTables) -> DavenportTables:
        """The state itself: its cards are bits already."""
        return state

    def unpack(self, packed: DavenportTables) -> DavenportTables:
        return packed

    # --- what seats see ------------------------------------------------------------------------------

    def over(self, state: DavenportTables) -> Array:
        return state.winner > 0

    def winner(self, state: DavenportTables) -> Array:
        return state.winner

    def payoffs(self, state: DavenportTables) -> Array:
        """The winner gets one from every other seat."""
        xp = self.xp
        seats = xp.arange(1, self.seats + 1)
        won = state.winner[:, None] == seats
        paid = xp.where(won, self.seats - 1, -1)
        return xp.where(self.over(state)[:, None], paid, 0).astype(xp.int32)

    def scores(self, state: DavenportTables) -> Array:
        seats = self.xp.arange(1, self.seats + 1)
        return (state.winner[:, None] == seats).astype(self.xp.int32)

    def endings(self, state: DavenportTables) -> Array:
        return state.ending

    def deciding(self, state: DavenportTables, seat: int) -> Array:
        """D3: every seat that is in picks."""
        return state.seats_in[seat] & ~self.over(state)

    def legal(self, state: DavenportTables, seat: int) -> Array:
        """D3: play a card of the hand, or exchange one."""
        xp = self.xp
        due = self.deciding(state, seat)
        held = self._bits(state.hands[seat]) & due[:, None]
        return xp.concatenate([held, held], axis=1) if self.rules.exchange else held

    def _bits(self, cards: CardSets) -> Array:
        xp = self.xp
        return xp.stack([holds(cards, place) for place in range(len(DECK))], axis=1)

    def observe(self, state: DavenportTables, seat: int) -> Array:
        """What `encode` makes of the seat's view: the same numbers in the same order."""
        xp = self.xp
        return xp.stack([each.astype(xp.float32) for each in self.entries(state, seat)], axis=1)

    def entries(self, state: DavenportTables, seat: int) -> list[Any]:
        xp, rules = self.xp, self.rules
        f = xp.float32
        over = self.over(state)
        own = state.supplies.seen.plus(state.supplies.own[seat])
        paid = xp.where(state.winner == seat + 1, 1.0, -1.0 / (self.seats - 1))
        found = [
            self.deciding(state, seat),
            over,
            xp.where(over, paid, 0.0),
            state.playoff,
            state.supplies.in_stock.astype(f) / f(len(DECK)),
            state.supplies.in_discards.astype(f) / f(len(DECK)),
        ]
        found += [of_value(own, value).astype(f) / f(4) for value in range(1, _VALUES + 1)]
        found += [holds(state.hands[seat], place) for place in range(len(DECK))]
        for places in range(self.seats):
            each = (seat + places) % self.seats
            found += [
                state.seats_in[each],
                state.held[each].astype(f) / f(len(DECK)),
                xp.minimum(state.wins[each].astype(f) / f(rules.playoff_wins), f(1)),
                state.last.shown[each].astype(f) / f(_VALUES),
                state.last.exchanged[each],
                state.last.drew[each].astype(f) / f(_MOST_DRAWN),
                state.last.won[each],
            ]
        return found
