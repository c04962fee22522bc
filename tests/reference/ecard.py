"""E-Card, played straight from the rules, E1 to E14 and R1 to R3, one sentence after the other.

Slow, mutable and without cleverness on purpose: it has to be obviously right.
"""

from __future__ import annotations

from . import shapes
from .shapes import Chooser, Dealer, Json, Pick, Rules, WrongPick

PRESETS: dict[str, Rules] = {
    "classic": {
        "plays": 3,
        "placing": "alternate",
        "slave_pays": 5,
        "victory": "winnings",
        "tie": "draw",
        "first": "1",
        "stakes": "fixed",
        "rounds": 12,
        "group": 3,
        "purse": 30,
        "max_stake": 10,
    },
}
PRESETS["short"] = {**PRESETS["classic"], "rounds": 6}
PRESETS["victories"] = {**PRESETS["classic"], "victory": "rounds"}
PRESETS["decisive"] = {
    **PRESETS["classic"],
    "plays": 5,
    "placing": "together",
    "slave_pays": 1,
    "victory": "rounds",
    "tie": "extra",
    "first": "drawn",
}
PRESETS["purse"] = {**PRESETS["classic"], "plays": 5, "tie": "pair", "first": "drawn", "stakes": "named"}

BEATS = {("E", "C"), ("C", "S"), ("S", "E")}  # E1


def play(rules: Rules, seats: int, chooser: Chooser, deal: Dealer) -> tuple[Json, Json]:
    """Play one whole game; the record of it, and what a replay of that record must print."""
    if seats != 2:
        raise ValueError("E-Card has two seats")
    table = _Table(rules, chooser, deal)
    table.play_game()
    outcome: Json = {
        "winner": table.winner,
        "termination": table.termination,
        "score": table.score(),
    }
    record: Json = {
        "format": shapes.FORMAT,
        "game": "ecard",
        "rules": shapes.text(PRESETS, rules),
        "seats": shapes.NAMES[:2],
        "chance": table.chance,
        "picks": table.picks,
        "result": outcome,
    }
    return record, {"outcome": outcome, "steps": table.steps}


class _Table:
    """Everything about one game in progress. Lists by seat have an unused place 0."""

    def __init__(self, rules: Rules, chooser: Chooser, deal: Dealer) -> None:
        self.chooser = chooser
        self.deal = deal
        self.plays = int(rules["plays"])
        self.alternate = rules["placing"] == "alternate"
        self.slave_pays = int(rules["slave_pays"])
        self.victory = rules["victory"]
        self.tie = rules["tie"]
        self.first_emperor = str(rules["first"])
        self.named = rules["stakes"] == "named"
        self.rounds = int(rules["rounds"])
        self.group = int(rules["group"])
        self.max_stake = int(rules["max_stake"])

        self.winnings = [0, 0, 0]
        self.rounds_won = [0, 0, 0]
        self.purses = [0, int(rules["purse"]), int(rules["purse"])]
        self.forfeits = [0, 0, 0]

        self.round = 0
        self.play = 1
        self.emperor = 0
        self.first: int | None = None
        self.stake: int | None = None

        self.chance: list[str] = []
        self.picks: list[list[Pick | None]] = []
        self.steps: list[Json] = []
        self.winner: int | None = None
        self.termination = ""  # why the game ended, once it has

    def score(self) -> list[int]:
        """What decides the game: the purses (E13), the rounds won or the winnings (E11)."""
        if self.named:
            return self.purses[1:]
        if self.victory == "rounds":
            return self.rounds_won[1:]
        return self.winnings[1:]

    def end(self, winner: int | None, termination: str) -> None:
        self.winner = winner
        self.termination = termination

    def over(self) -> bool:
        return self.termination != ""

    # A game

    def play_game(self) -> None:
        if self.first_emperor == "drawn":  # E9, R1
            seat = self.deal(["1", "2"])
            self.chance.append(seat)
            emperor = int(seat)
        else:
            emperor = int(self.first_emperor)

        round_of_group = 0
        for _ in range(self.rounds):  # E8
            if round_of_group == self.group:
                round_of_group = 0
                emperor = 3 - emperor
            round_of_group += 1
            self.play_round(emperor, round_of_group, self.plays, self.named)
            if self.over():
                return

        one, two = self.score()
        if one > two:
            self.end(1, "completed")
        elif two > one:
            self.end(2, "completed")
        elif self.tie == "draw":  # E12
            self.end(None, "completed")
        elif self.tie == "extra":
            winner = self.play_round(emperor, 1, 5, False)
            if not self.over():
                self.end(winner, "extra")
        else:
            self.play_pairs(emperor)

    def play_pairs(self, emperor: int) -> None:
        """E12, `tie=pair`: sides as in the last group, then swapped, until one seat wins more of a pair."""
        while True:
            one = self.play_round(emperor, 1, 5, False)
            if self.over():
                return
            two = self.play_round(3 - emperor, 1, 5, False)
            if self.over():
                return
            if one == two:
                self.end(one, "extra")
                return

    # A round

    def play_round(self, emperor: int, round_of_group: int, plays: int, named: bool) -> int | None:
        """One round; its winner, or None if it has none or the game ended by a resignation."""
        slave = 3 - emperor
        self.round += 1
        self.play = 1
        self.emperor = emperor
        self.first = self.first_placer(round_of_group)
        self.stake = 1
        if named:  # E13
            self.stake = None
            self.name_stake(slave)
            if self.over():
                return None
            if self.picks[-1][slave - 1] == "forfeit":
                return emperor

        hands: list[list[str]] = [[], [], []]  # E2
        hands[emperor] = ["E", "C", "C", "C", "C"]
        hands[slave] = ["S", "C", "C", "C", "C"]

        while True:
            self.first = self.first_placer(round_of_group)
            cards = self.place_cards(hands)  # E4
            if cards is None:
                return None
            if "forfeit" in cards:
                lost = [seat for seat in (1, 2) if cards[seat] == "forfeit"]
                return self.lose_round(lost, [cards[1], cards[2]], self.stake)
            winner: int | None = None
            if (cards[1], cards[2]) in BEATS:  # E3
                winner = 1
            elif (cards[2], cards[1]) in BEATS:
                winner = 2
            hands[1].remove(cards[1])  # E5
            hands[2].remove(cards[2])
            over = winner is not None or self.play == plays  # E6
            if winner is not None:
                self.pay(winner)
            self.add_step("play", [cards[1], cards[2]], winner, over, winner)
            if over:
                self.check_ruin()
                return winner
            self.play += 1

    def first_placer(self, round_of_group: int) -> int | None:
        """E7: the Emperor side in the first play of the first round; alternating with plays and rounds."""
        if not self.alternate:
            return None
        if (round_of_group + self.play) % 2 == 0:
            return self.emperor
        return 3 - self.emperor

    def name_stake(self, slave: int) -> None:
        """E13: the Slave side names the stake, from 1 to `max_stake`, never more than its own purse."""
        highest = min(self.max_stake, self.purses[slave])
        self.ask(self.emperor, [])  # it has nothing to name, but it may resign (E14)
        if self.over():
            return
        stake = self.ask(slave, list(range(1, highest + 1)))
        if self.over():
            return
        row: list[Pick | None] = [None, None]
        row[slave - 1] = stake
        self.picks.append(row)
        if stake == "forfeit":  # as if it had named the highest stake, and lost it
            self.stake = highest
            self.lose_round([slave], [None, None], None)
            return
        assert isinstance(stake, int)
        self.stake = stake
        self.add_step("stake", [None, None], None, False, None)

    def place_cards(self, hands: list[list[str]]) -> list[str] | None:
        """Both seats' cards in this play, by seat; None if one resigned instead."""
        cards = ["", "", ""]
        for seat in (2, 1) if self.first == 2 else (1, 2):
            legal: list[Pick] = []
            for card in hands[seat]:
                if card not in legal:
                    legal.append(card)
            pick = self.ask(seat, legal)
            if self.over():
                return None
            cards[seat] = str(pick)
        self.picks.append([cards[1], cards[2]])
        return cards

    def ask(self, seat: int, legal: list[Pick]) -> Pick | None:
        pick = self.chooser(seat, legal)
        if pick == "resign":  # E14, R3
            row: list[Pick | None] = [None, None]
            row[seat - 1] = "resign"
            self.picks.append(row)
            self.add_step("resign", [None, None], None, False, None)
            self.end(3 - seat, "resignation")
        elif legal and pick not in legal and pick != "forfeit":
            raise WrongPick(f"seat {seat}: {pick!r} is none of {legal}")
        return pick

    def lose_round(self, lost: list[int], cards: list[str] | list[None], stake: int | None) -> int | None:
        """E14: a pick that was not opened loses the round, the second one of a seat the game."""
        winner = 3 - lost[0] if len(lost) == 1 else None
        if winner is not None:
            self.pay(winner)
        self.stake = stake
        self.add_step("forfeit", cards, winner, True, winner)
        for seat in lost:
            self.forfeits[seat] += 1
        twice = [seat for seat in lost if self.forfeits[seat] == 2]
        if twice:
            self.end(3 - twice[0] if len(twice) == 1 else None, "forfeit")
        else:
            self.check_ruin()
        return winner

    def pay(self, winner: int) -> None:
        assert self.stake is not None
        amount = self.stake  # E10
        if winner != self.emperor:
            amount = self.stake * self.slave_pays
        self.winnings[winner] += amount
        self.rounds_won[winner] += 1
        if self.named:  # E13: never more than the purse holds
            paid = min(amount, self.purses[3 - winner])
            self.purses[3 - winner] -= paid
            self.purses[winner] += paid

    def check_ruin(self) -> None:
        """E13: an empty purse at the end of a round, extra rounds included, loses there and then."""
        if not self.named:
            return
        for seat in (1, 2):
            if self.purses[seat] == 0:
                self.end(3 - seat, "ruin")

    def add_step(
        self,
        kind: str,
        cards: list[str | None] | list[str] | list[None],
        winner: int | None,
        round_over: bool,
        round_winner: int | None,
    ) -> None:
        self.steps.append(
            {
                "decision": len(self.picks),
                "kind": kind,
                "round": self.round,
                "play": self.play,
                "emperor": self.emperor,
                "first": self.first,
                "cards": cards,
                "winner": winner,
                "round_over": round_over,
                "round_winner": round_winner,
                "stake": self.stake,
                "score": self.score(),
            }
        )
