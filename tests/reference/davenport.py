"""Davenport, played straight from the rules, D1 to D20 and R3, one sentence after the other.

Slow, mutable and without cleverness on purpose: it has to be obviously right.
"""

from __future__ import annotations

from . import shapes
from .shapes import Chooser, Dealer, Json, Pick, Rules, WrongPick

PRESETS: dict[str, Rules] = {
    "davenport": {
        "ace": "off",
        "exchange": "on",
        "placing": "together",
        "playoff": "elimination",
        "playoff_wins": 3,
        "playoff_cards": 3,
    },
}
PRESETS["aces"] = {**PRESETS["davenport"], "ace": "on"}
PRESETS["pointed"] = {**PRESETS["davenport"], "ace": "on", "playoff": "wins"}

RANKS = "A23456789TJQK"
DECK = [rank + suit for suit in "CDHS" for rank in RANKS]  # canonical order
PLACE = {card: place for place, card in enumerate(DECK)}
VALUE = {card: 1 + RANKS.index(card[0]) for card in DECK}  # D1
JACK = 11


def play(rules: Rules, seats: int, chooser: Chooser, deal: Dealer) -> tuple[Json, Json]:
    """Play one whole game; the record of it, and what a replay of that record must print."""
    if not 2 <= seats <= 7:
        raise ValueError("Davenport has two to seven seats")
    table = _Table(rules, seats, chooser, deal)
    table.play_game()
    outcome: Json = {
        "winner": table.winner or None,
        "termination": table.termination,
        "score": [1 if seat == table.winner else 0 for seat in range(1, seats + 1)],
    }
    record: Json = {
        "format": shapes.FORMAT,
        "game": "davenport",
        "rules": shapes.text(PRESETS, rules),
        "seats": shapes.NAMES[:seats],
        "chance": table.chance,
        "picks": table.picks,
        "result": outcome,
    }
    return record, {"outcome": outcome, "steps": table.steps}


def judge(ace: bool, shown: dict[int, str]) -> tuple[list[int], list[int]]:
    """Who wins a round with these cards, and who draws an additional card. Seats in seat order."""
    highest = max(VALUE[card] for card in shown.values())
    aces = [seat for seat in shown if VALUE[shown[seat]] == 1]
    best = [seat for seat in shown if VALUE[shown[seat]] == highest]
    if ace and aces and highest >= JACK:
        return aces, best  # D11, D12
    if ace and aces:
        return best, [seat for seat in aces if seat not in best]  # D13, D14
    return best, []  # D6


class _Table:
    """Everything about one game in progress. Lists by seat have an unused place 0."""

    def __init__(self, rules: Rules, seats: int, chooser: Chooser, deal: Dealer) -> None:
        self.chooser = chooser
        self.deal = deal
        self.seats = seats
        self.ace = rules["ace"] == "on"
        self.exchange = rules["exchange"] == "on"
        self.playoff = rules["playoff"]
        self.playoff_wins = int(rules["playoff_wins"])
        self.playoff_cards = int(rules["playoff_cards"])

        self.hands: list[list[str]] = [[] for _ in range(seats + 1)]
        self.playing = list(range(1, seats + 1))
        self.stock = DECK[:]
        self.discards: list[str] = []
        self.phase = "main"
        self.round = 0

        self.chance: list[str] = []
        self.picks: list[list[Pick | None]] = []
        self.steps: list[Json] = []
        self.lost: list[int] = []
        """The seats that did not open their picks in this round."""
        self.winner: int | None = None
        """0 for no seat, once the game is over."""
        self.termination = ""

    def end(self, winner: int, termination: str) -> None:
        self.winner = winner
        self.termination = termination

    def play_game(self) -> None:
        self.deal_hands(5)  # D2
        while True:
            out = self.play_main_round()
            if self.winner is not None:
                return
            if len(out) == 1:  # D10
                self.end(out[0], "out")
                return
            if len(out) >= 2:
                self.play_playoff(out)
                return

    # Cards

    def deal_hands(self, cards: int) -> None:
        """One at a time, in seat order."""
        for _ in range(cards):
            for seat in self.playing:
                self.draw_into_hand(seat)

    def draw(self) -> str | None:
        """One card from the stock; None if there is none (D9)."""
        if not self.stock:
            self.stock = sorted(self.discards, key=PLACE.__getitem__)
            self.discards = []
        if not self.stock:
            return None
        card = self.deal(self.stock)
        self.stock.remove(card)
        self.chance.append(card)
        return card

    def draw_into_hand(self, seat: int) -> int:
        """Draw a card; how many were really drawn."""
        card = self.draw()
        if card is None:
            return 0
        self.hands[seat].append(card)
        return 1

    def discard_hand(self, seat: int) -> None:
        self.discards += self.hands[seat]
        self.hands[seat] = []

    # A decision

    def ask(self) -> dict[int, str]:
        """The picks of all who play (D3); empty if resignations ended the game. A resignation is a
        decision of its own (R3): the others are asked again after it."""
        while True:
            picks: dict[int, str] = {}
            for seat in self.playing:
                legal: list[Pick] = [*self.hands[seat]]
                if self.exchange:
                    legal += ["x" + card for card in self.hands[seat]]
                pick = self.chooser(seat, legal)
                if pick == "resign":
                    break
                if pick not in legal and pick != "forfeit":
                    raise WrongPick(f"seat {seat}: {pick!r} is none of {legal}")
                picks[seat] = str(pick)
            else:
                self.picks.append([picks.get(seat) for seat in range(1, self.seats + 1)])
                return self.without_forfeits(picks)
            self.resign(seat)
            if self.winner is not None:
                return {}

    def without_forfeits(self, picks: dict[int, str]) -> dict[int, str]:
        """D20: the others play the round; a single one of them has won. Empty if the game is over."""
        self.lost = [seat for seat in picks if picks[seat] == "forfeit"]
        self.playing = [seat for seat in self.playing if seat not in self.lost]
        if len(self.playing) < 2:
            self.add_step("play", {}, {}, [], {}, [])
            self.end(self.playing[0] if self.playing else 0, "forfeit")
            return {}
        return {seat: picks[seat] for seat in self.playing}

    def resign(self, seat: int) -> None:
        """D20: its cards go to the discards and the others play on; the last seat left wins."""
        row: list[Pick | None] = [None] * self.seats
        row[seat - 1] = "resign"
        self.picks.append(row)
        self.discard_hand(seat)
        self.playing.remove(seat)
        self.add_step("resign", {}, {}, [], {}, [])
        if len(self.playing) == 1:
            self.end(self.playing[0], "resignation")

    def reveal(self, picks: dict[int, str]) -> tuple[dict[int, str], dict[int, bool]]:
        """D5: what each seat shows, and which exchanged; exchanges in seat order, discard, then draw."""
        shown: dict[int, str] = {}
        exchanged: dict[int, bool] = {}
        for seat in self.playing:
            pick = picks[seat]
            if not pick.startswith("x"):
                self.hands[seat].remove(pick)
                shown[seat] = pick
                continue
            card = pick[1:]
            self.hands[seat].remove(card)
            self.discards.append(card)
            drawn = self.draw()
            assert drawn is not None  # the card just discarded is there, if no other
            shown[seat] = drawn
            exchanged[seat] = True
        return shown, exchanged

    # The main game

    def play_main_round(self) -> list[int]:
        """One round; the seats that are out at its end."""
        self.round += 1
        picks = self.ask()
        if not picks:
            return []
        shown, exchanged = self.reveal(picks)
        winners, additional = judge(self.ace, shown)
        self.discards += shown.values()  # D8
        drew: dict[int, int] = {}
        for seat in self.playing:  # D7
            if seat not in winners:
                drew[seat] = self.draw_into_hand(seat)
        for seat in additional:  # D12, D13
            drew[seat] += self.draw_into_hand(seat)
        self.add_step("play", shown, exchanged, winners, drew, [])
        return [seat for seat in self.playing if not self.hands[seat]]  # D10

    # The playoff

    def play_playoff(self, seats: list[int]) -> None:
        """D16: a fresh deck, `playoff_cards` cards each, Ace rules off."""
        for hand in self.hands:
            hand.clear()
        self.playing = seats
        self.stock = DECK[:]
        self.discards = []
        self.phase = "playoff"
        self.round = 0
        self.deal_hands(self.playoff_cards)
        wins = [0] * (self.seats + 1)
        while self.winner is None:
            self.round += 1
            picks = self.ask()
            if not picks:
                return
            shown, exchanged = self.reveal(picks)
            winners, _ = judge(False, shown)
            self.discards += shown.values()  # D8
            if self.playoff == "elimination":
                self.eliminate(shown, exchanged, winners)
            else:
                self.count_wins(shown, exchanged, winners, wins)

    def eliminate(self, shown: dict[int, str], exchanged: dict[int, bool], winners: list[int]) -> None:
        lowest = min(VALUE[card] for card in shown.values())  # D17
        eliminated = [seat for seat in shown if VALUE[shown[seat]] == lowest]
        if len(eliminated) > 1:
            eliminated = []
        still_in = [seat for seat in self.playing if seat not in eliminated]
        drew: dict[int, int] = {}
        if len(still_in) >= 2:  # D18
            for seat in still_in:
                drew[seat] = self.draw_into_hand(seat)
        self.leave(eliminated)
        self.add_step("play", shown, exchanged, winners, drew, eliminated)
        if len(self.playing) == 1:
            self.end(self.playing[0], "playoff")

    def count_wins(
        self, shown: dict[int, str], exchanged: dict[int, bool], winners: list[int], wins: list[int]
    ) -> None:
        for seat in winners:  # D19
            wins[seat] += 1
        drew: dict[int, int] = {}
        most = max(wins[seat] for seat in self.playing)
        leaders = [seat for seat in self.playing if wins[seat] == most]
        fewer = [seat for seat in self.playing if wins[seat] < most]
        decided = most >= self.playoff_wins and len(leaders) == 1
        if not decided:
            # After a round that does not decide the game each seat still in draws one card.
            for seat in self.playing:
                if most < self.playoff_wins or seat in leaders:
                    drew[seat] = self.draw_into_hand(seat)
        if most < self.playoff_wins:
            self.add_step("play", shown, exchanged, winners, drew, [])
        elif most == self.playoff_wins and len(leaders) == 1:
            # The first to reach the number has won: the game is over and no seat leaves the table.
            self.add_step("play", shown, exchanged, winners, drew, [])
            self.end(leaders[0], "playoff")
        else:
            self.leave(fewer)
            self.add_step("play", shown, exchanged, winners, drew, fewer)
            if len(leaders) == 1:
                self.end(leaders[0], "playoff")

    def leave(self, seats: list[int]) -> None:
        """D18: the cards of those who are out of the playoff go to the discards."""
        for seat in seats:
            self.discard_hand(seat)
            self.playing.remove(seat)

    def add_step(
        self,
        kind: str,
        shown: dict[int, str],
        exchanged: dict[int, bool],
        winners: list[int],
        drew: dict[int, int],
        eliminated: list[int],
    ) -> None:
        if self.lost:
            kind = "forfeit"
            for seat in self.lost:
                self.discard_hand(seat)
            self.lost = []
        seats = range(1, self.seats + 1)
        self.steps.append(
            {
                "decision": len(self.picks),
                "kind": kind,
                "phase": self.phase,
                "round": self.round,
                "shown": [shown.get(seat) for seat in seats],
                "exchanged": [exchanged.get(seat, False) for seat in seats],
                "winners": winners,
                "drew": [drew.get(seat, 0) for seat in seats],
                "eliminated": eliminated,
                "hands": [len(hand) for hand in self.hands[1:]],
                "stock": len(self.stock),
                "discards": len(self.discards),
            }
        )
