"""The simulator of E-Card: the state of many tables, `init`, `step`, `legal`, `observe` (E1 to E14).

A state holds no pick that has not been revealed.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from facedown.games.ecard.encoding import most_score, most_stake
from facedown.games.ecard.rules import DECIDED, ECardRules
from facedown_lab.batch.form import RESIGN_CODE, Array, Draws, Namespace, Picks, choose, columns


class ECardTables(NamedTuple):
    """Many tables before a decision; once a game is over, its last play."""

    opening: Array
    """The seat, from 0, that was the Emperor side first (E9)."""
    round: Array
    play: Array
    stake: Array
    """0 while the Slave side has to name it (E13)."""
    winnings: tuple[Array, Array]
    wins: tuple[Array, Array]
    purses: tuple[Array, Array]
    round_winner: Array
    """The seat, from 1, that won the round before; 0 if neither did."""
    winner: Array
    ending: Array
    fallen: tuple[tuple[Array, Array], tuple[Array, Array]]
    """By seat, how often its Emperor and its Slave were turned at each play: six bits a play."""


# --- packed into words -----------------------------------------------------------------------------------


_PLACES: Final = {
    "opening": (0, 1),
    "play": (1, 3),
    "round_winner": (4, 2),
    "winner": (6, 2),
    "ending": (8, 3),
}
"""Where each small number begins in the first word, and how many bits it has."""
_HALF: Final = 16
_LOW: Final = (1 << _HALF) - 1


class PackedTables(NamedTuple):
    """Many tables in few words."""

    small: Array
    """The small numbers, and the round in the upper half."""
    wins: Array
    winnings: tuple[Array, ...]
    """One word for both seats; one each where stakes are named, which can be high (E13)."""
    fallen: tuple[tuple[Array, Array], tuple[Array, Array]]
    stake: tuple[Array, ...]
    """Stake and purses where stakes are named; else both never change."""


def _in_one(xp: Namespace, one: Array, two: Array) -> Array:
    """Two numbers below 65,536 in one word."""
    return (one | (two << _HALF)).astype(xp.uint32)


def _halves(xp: Namespace, word: Array) -> tuple[Array, Array]:
    return (word & _LOW).astype(xp.int32), (word >> _HALF).astype(xp.int32)


# --- playing ---------------------------------------------------------------------------------------------


COMPLETED_CODE: Final = 1
EXTRA_CODE: Final = 2
RUIN_CODE: Final = 3
RESIGNATION_CODE: Final = 4
"""Why a table's game ended, in the order of the game's terminations; 0 while it is in progress."""

CITIZEN_PLACE: Final = 0
EMPEROR_PLACE: Final = 1
SLAVE_PLACE: Final = 2
STAKE_PLACE: Final = 3
"""The places of the cards in the alphabet, and that of the stake 1."""

CHOICES: Final = DECIDED - 1
"""The most plays of a round at which there is a choice (E6)."""

_FIELD: Final = 6
_MOST_COUNTED: Final = (1 << _FIELD) - 1


class ECardBatch:
    """Many tables of E-Card under one rule set."""

    seats = 2

    def __init__(self, xp: Namespace, rules: ECardRules, seats: int = 2, *, ordered: bool = False) -> None:
        """Nothing here has an order: `ordered` makes no difference."""
        self.xp = xp
        self.rules = rules
        self.slots = 1
        self.named = rules.stakes == "named"
        self.most_stake = most_stake(rules)
        self.picks = STAKE_PLACE + self.most_stake

    def init(self, tables: int, draws: Draws) -> ECardTables:
        """E9: who is the Emperor side first."""
        xp = self.xp
        nothing = xp.zeros(tables, dtype=xp.int32)
        count = xp.zeros(tables, dtype=xp.uint32)
        every = xp.ones(tables, dtype=bool)
        purse = nothing + self.rules.purse
        return ECardTables(
            opening=self._opening(every, draws),
            round=nothing + 1,
            play=nothing + 1,
            stake=nothing if self.named else nothing + 1,
            winnings=(nothing, nothing),
            wins=(nothing, nothing),
            purses=(purse, purse),
            round_winner=nothing,
            winner=nothing,
            ending=nothing,
            fallen=((count, count), (count, count)),
        )

    def _opening(self, used: Array, draws: Draws) -> Array:
        xp = self.xp
        nothing = xp.zeros(len(used), dtype=xp.int32)
        if self.rules.first != "drawn":
            return nothing + (int(self.rules.first) - 1)
        return draws.below(0, xp.full(len(used), 2, dtype=xp.uint32), used).astype(xp.int32)

    # --- playing -------------------------------------------------------------------------------------

    def emperor(self, state: ECardTables) -> Array:
        """The Emperor side of the round, from 0 (E8, E12)."""
        xp, rules = self.xp, self.rules
        swaps = (xp.minimum(state.round, rules.rounds) - 1) // rules.group
        if rules.tie == "pair":
            swaps = swaps + xp.where(state.round > rules.rounds, (state.round - rules.rounds - 1) & 1, 0)
        return (state.opening + swaps) & 1

    def step(self, state: ECardTables, picks: Picks, draws: Draws) -> ECardTables:
        """The reveal at every table: a play, a stake named (E13), or a resignation (E14)."""
        xp = self.xp
        one, two = columns(picks, 2)
        emperor = self.emperor(state)
        after = self._play(state, emperor, (one > CITIZEN_PLACE, two > CITIZEN_PLACE))
        if self.named:
            slave_names = xp.where(emperor == 0, two, one) - (STAKE_PLACE - 1)
            named = state._replace(stake=slave_names.astype(xp.int32))
            after = choose(xp, state.stake == 0, named, after)
        gone = (one == RESIGN_CODE) | (two == RESIGN_CODE)
        winner = xp.where(one == RESIGN_CODE, 2, 1).astype(xp.int32)
        left = state._replace(winner=winner, ending=xp.full_like(state.ending, RESIGNATION_CODE))
        return choose(xp, state.ending > 0, state, choose(xp, gone, left, after))

    def go_on(self, state: ECardTables, picks: Picks, draws: Draws) -> tuple[ECardTables, Array, Array]:
        """A step after which every finished table is dealt again: the state, the payoffs, what is over."""
        after = self.step(state, picks, draws)
        over = self.over(after)
        return choose(self.xp, over, self.init(len(over), draws), after), self.payoffs(after), over

    def _play(self, state: ECardTables, emperor: Array, special: tuple[Array, Array]) -> ECardTables:
        """E1, E3, E5, E6: the round is won, or ends without a winner, or continues without two Citizens."""
        xp, rules = self.xp, self.rules
        one, two = special
        both, neither = one & two, ~(one | two)
        extra = state.round > rules.rounds
        last_play = xp.where(extra, DECIDED, rules.plays)
        finished = ~neither | (state.play >= last_play)
        seat = (
            emperor ^ both
        ) & 1  # E1: the Slave beats the Emperor; any other special card lets the other side win
        winner = xp.where(neither, 0, seat + 1)
        due = xp.where(both, rules.slave_pays * state.stake, state.stake)
        if self.named:  # E13: not more than there is
            due = xp.minimum(due, xp.where(winner == 1, state.purses[1], state.purses[0]))
        won = (finished & (winner == 1), finished & (winner == 2))
        paid = (xp.where(won[0], due, 0), xp.where(won[1], due, 0))
        wins = tuple([count + flag.astype(xp.int32) for count, flag in zip(state.wins, won, strict=True)])
        winnings = tuple([count + more for count, more in zip(state.winnings, paid, strict=True)])
        purses = state.purses
        if self.named:
            purses = (purses[0] + paid[0] - paid[1], purses[1] + paid[1] - paid[0])
        counted = state._replace(
            wins=wins,
            winnings=winnings,
            purses=purses,
            round_winner=xp.where(finished, winner, state.round_winner).astype(xp.int32),
            fallen=self._fallen(state, emperor, special, finished),
        )
        who, why = self._end(state, counted, winner)
        ends = finished & (why > 0)
        next_round = finished & ~ends
        number = state.round + next_round.astype(xp.int32)
        play = xp.where(finished, xp.where(ends, state.play, 1), state.play + 1)
        stake = state.stake
        if self.named:
            stake = xp.where(next_round, (number > rules.rounds).astype(xp.int32), stake)
        return counted._replace(
            round=number,
            play=play.astype(xp.int32),
            stake=stake,
            winner=xp.where(ends, who, 0).astype(xp.int32),
            ending=xp.where(ends, why, 0).astype(xp.int32),
        )

    def _fallen(
        self, state: ECardTables, emperor: Array, special: tuple[Array, Array], finished: Array
    ) -> Any:
        xp = self.xp
        shift = ((state.play - 1) * _FIELD).astype(xp.uint32)
        fallen = []
        for seat, shown in enumerate(special):
            counts = []
            for card in (0, 1):
                word = state.fallen[seat][card]
                is_card = (emperor == seat) if card == 0 else (emperor != seat)
                more = shown & finished & is_card & (((word >> shift) & _MOST_COUNTED) < _MOST_COUNTED)
                counts.append(word + (more.astype(xp.uint32) << shift))
            fallen.append(tuple(counts))
        return tuple(fallen)

    def score(self, state: ECardTables) -> tuple[Array, Array]:
        """What decides the game under these rules, by seat (E11, E13)."""
        if self.named:
            return state.purses
        return state.wins if self.rules.victory == "rounds" else state.winnings

    def _end(self, before: ECardTables, after: ECardTables, winner: Array) -> tuple[Array, Array]:
        """Who wins and why, if the round is over: ruin, the last round, extra ones; 0: it goes on."""
        xp, rules = self.xp, self.rules
        one, two = self.score(after)
        who = xp.where(one > two, 1, xp.where(two > one, 2, 0))
        last = before.round == rules.rounds
        decides = last if rules.tie == "draw" else last & (one != two)
        why = xp.where(decides, COMPLETED_CODE, 0)
        if rules.tie != "draw":
            ends = before.round > rules.rounds
            if rules.tie == "pair":  # E12: the second of a pair, won by the winner of the first
                second = ((before.round - rules.rounds) & 1) == 0
                ends = ends & second & (before.round_winner == winner)
            who = xp.where(ends, winner, who)
            why = xp.where(ends, EXTRA_CODE, why)
        if self.named:  # E13: an empty purse at the end of a round
            empty_one, empty_two = after.purses[0] == 0, after.purses[1] == 0
            who = xp.where(empty_one, 2, xp.where(empty_two, 1, who))
            why = xp.where(empty_one | empty_two, RUIN_CODE, why)
        return who, why

    def pack(self, state: ECardTables) -> PackedTables:
        small = state.round << _HALF
        for name, (place, _) in _PLACES.items():
            small = small | (getattr(state, name) << place)
        return PackedTables(
            small=small.astype(self.xp.uint32),
            wins=_in_one(self.xp, *state.wins),
            winnings=state.winnings if self.named else (_in_one(self.xp, *state.winnings),),
            fallen=state.fallen,
            stake=(state.stake, _in_one(self.xp, *state.purses)) if self.named else (),
        )

    def unpack(self, packed: PackedTables) -> ECardTables:
        xp = self.xp
        found = {
            name: ((packed.small >> place) & ((1 << bits) - 1)).astype(xp.int32)
            for name, (place, bits) in _PLACES.items()
        }
        purse = xp.full_like(found["play"], self.rules.purse)
        winnings = packed.winnings if self.named else _halves(xp, packed.winnings[0])
        return ECardTables(
            **found,
            round=(packed.small >> _HALF).astype(xp.int32),
            stake=packed.stake[0] if self.named else xp.ones_like(purse),
            winnings=(winnings[0], winnings[1]),
            wins=_halves(xp, packed.wins),
            purses=_halves(xp, packed.stake[1]) if self.named else (purse, purse),
            fallen=packed.fallen,
        )

    # --- what seats see ------------------------------------------------------------------------------

    def over(self, state: ECardTables) -> Array:
        return state.ending > 0

    def winner(self, state: ECardTables) -> Array:
        return state.winner

    def payoffs(self, state: ECardTables) -> Array:
        """One unit from the loser to the winner."""
        xp = self.xp
        one = xp.where(state.winner == 1, 1, xp.where(state.winner == 2, -1, 0)).astype(xp.int32)
        return xp.stack([one, -one], axis=1)

    def scores(self, state: ECardTables) -> Array:
        return self.xp.stack(self.score(state), axis=1)

    def endings(self, state: ECardTables) -> Array:
        return state.ending

    def deciding(self, state: ECardTables, seat: int) -> Array:
        """E4, E13: both place a card, or the Slave side names the stake."""
        playing = ~self.over(state)
        if not self.named:
            return playing
        return playing & ((state.stake > 0) | (self.emperor(state) != seat))

    def most(self, state: ECardTables, seat: int) -> Array:
        """E13: the highest stake that the seat may name."""
        return self.xp.minimum(self.rules.max_stake, state.purses[seat])

    def legal(self, state: ECardTables, seat: int) -> Array:
        """E2, E5, E17: the cards left in hand; E13: the stakes that may be named."""
        xp = self.xp
        due = self.deciding(state, seat)
        plays = due & (state.stake > 0)
        is_emperor = self.emperor(state) == seat
        found = [plays & (state.play < DECIDED), plays & is_emperor, plays & ~is_emperor]
        if self.named:
            names, most = due & (state.stake == 0), self.most(state, seat)
            found += [names & (most >= stake) for stake in range(1, self.most_stake + 1)]
        return xp.stack(found, axis=1)

    def observe(self, state: ECardTables, seat: int) -> Array:
        """What `encode` makes of the seat's view: the same numbers in the same order."""
        xp = self.xp
        return xp.stack([each.astype(xp.float32) for each in self.entries(state, seat)], axis=1)

    def entries(self, state: ECardTables, seat: int) -> list[Any]:
        xp, rules = self.xp, self.rules
        f = xp.float32
        over, emperor = self.over(state), self.emperor(state)
        is_emperor = emperor == seat
        extra = state.round > rules.rounds
        finished = state.round - 1 + (over & (state.ending != RESIGNATION_CODE)).astype(xp.int32)
        winner = state.winner
        paid = xp.where(winner == 0, 0, xp.where(winner == seat + 1, 1, -1))
        found = [
            self.deciding(state, seat),
            over,
            paid,
            ~over & (state.stake == 0),
            is_emperor,
            self._first(state, is_emperor, extra),
        ]
        found += [state.play == play for play in range(1, DECIDED + 1)]
        found += [
            state.play == xp.where(extra, DECIDED, rules.plays),
            extra,
            _share(xp, finished, rules.rounds),
            _share(xp, state.stake, self.most_stake or 1),
        ]
        scores = self.score(state)
        own, other = scores[seat], scores[1 - seat]
        whole = most_score(rules)
        found += [_share(xp, own, whole), _share(xp, other, whole), _share(xp, own - other, whole)]
        for who in (seat, 1 - seat):
            for card in (0, 1):
                for play in range(DECIDED):
                    count = (state.fallen[who][card] >> (play * _FIELD)) & _MOST_COUNTED
                    found.append(_share(xp, count, rules.rounds))
        return [each if hasattr(each, "astype") else xp.full(len(over), each, dtype=f) for each in found]

    def _first(self, state: ECardTables, is_emperor: Array, extra: Array) -> Array:
        """E7: who places first in this play: 1 for the seat itself, -1 for the other, 0 where both may."""
        xp, rules = self.xp, self.rules
        if rules.placing == "together":
            return xp.zeros_like(state.round)
        in_group = xp.where(extra, 0, (state.round - 1) % rules.group)
        emperor_first = ((in_group + state.play) & 1) == 1
        return xp.where(emperor_first == is_emperor, 1, -1)


def _share(xp: Namespace, part: Array, whole: int) -> Array:
    return xp.clip(part.astype(xp.float32) / xp.float32(whole), -1.0, 1.0)
