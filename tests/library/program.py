"""A program of a user of the library, with types: every public name, with both games. Checked, not run."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from pathlib import Path
from typing import Any, assert_type

import facedown
from facedown import Bot, FacedownError, Game, Match, Memory, Outcome, Record, Rules


class Mine(Bot):
    """Takes the first of its legal picks."""

    def pick(self, view: Any, legal: tuple[str, ...], stream: facedown.Stream) -> str:
        return legal[stream.below(len(legal))]


class Noting(Bot[facedown.View]):
    name = "noting"
    says = "Remembers the score."
    game = "ecard"

    def __init__(self, memory: Memory | None = None) -> None:
        self.memory = memory

    def pick(self, view: facedown.View, legal: tuple[str, ...], stream: facedown.Stream) -> str:
        return legal[0] if view.viewer == 1 else legal[-1]

    def note(self, view: facedown.View) -> facedown.Plain:
        return None if view.outcome is None else list(view.outcome.score)


class Typed(Bot[facedown.ECardView]):
    def pick(self, view: facedown.ECardView, legal: tuple[str, ...], stream: facedown.Stream) -> str:
        return view.hand[0] if view.emperor == view.viewer else legal[0]


class Other(Bot[facedown.DavenportView]):
    def pick(self, view: facedown.DavenportView, legal: tuple[str, ...], stream: facedown.Stream) -> str:
        return str(max(view.hand, key=lambda card: card.value))


def what_there_is() -> None:
    for name in facedown.games():
        game = facedown.game(name)
        print(game.meta.title, [str(bot.says) for bot in facedown.bots(name).values()])
    assert_type(facedown.rules("ecard").plays, int)
    assert_type(facedown.rules("davenport", {"preset": "classic"}).preset, str)
    own: Rules = facedown.rules("other")
    print(own, facedown.game("ecard").rules.read("classic").tie)


def play_by_hand() -> Outcome | None:
    match = facedown.new("ecard", rules="decisive", seats=("Ann", "Bo"), seed="oak")
    while not match.outcome:
        for seat in match.may_seal:
            assert_type(match.view(seat).hand, tuple[str, ...])
            match.seal(seat, match.legal(seat)[0])
    many = facedown.new("davenport", seats=4, seed=7)
    assert_type(many.view(1).stock, int)
    assert_type(many.view(1).hand, tuple[facedown.Card, ...])
    anything: Match = facedown.new("other")
    print(anything.view(1).whatever)
    record: Record = match.record()
    facedown.save(record, Path("game.json"))
    return match.outcome


def play_with_bots() -> None:
    one = facedown.play("davenport", [Mine, Other, "uniform", Mine()], seed=1)
    assert_type(one.view(0).wins, tuple[int, ...])
    games: facedown.GameSeries = facedown.play_many("ecard", [Mine, "sage"], games=100, seed=1, jobs=2)
    assert_type(games.statistics, facedown.GameStatistics)
    assert_type(games.score(1), facedown.Estimate)
    facedown.play("ecard", [lambda view, legal, stream: legal[0], "sage"])
    assert_type(games.share(1), float)
    assert_type(games.interval(1), tuple[float, float])
    for record in games:
        assert_type(record, Record)
    games.write("games.jsonl")
    for record in facedown.records("games.jsonl"):
        assert_type(record, Record)
    result: facedown.ArenaResult = facedown.arena(
        "ecard", [Mine, lambda: Noting(), Typed, "module:Class"], games=10, memory=3
    )
    print(result, result.share("mine", "noting"), result.ratings["mine"].mean, result.faults)


def ask() -> None:
    solved: facedown.SolvedGame[facedown.ECardAnswer, facedown.ECardPosition]
    solved = facedown.solve("ecard", "classic")
    assert_type(solved.at(round=5, score=(6, 5)).emperor, tuple[Fraction | float, ...])
    print(solved.value, facedown.solve("other").as_json())
    record = facedown.load("game.json")
    assert_type(all(finding.holds for finding in facedown.verify(record)), bool)
    findings: tuple[facedown.Finding, ...] = facedown.verify(record)
    print([finding.say for finding in findings])
    review: facedown.SeatReview = facedown.review("game.json", seat=1, language="ja")
    print(review, review.as_json()["account"], facedown.replay(record).outcome)


def online() -> None:
    try:
        with facedown.connect("http://127.0.0.1:8765", name="Mine", game="ecard") as table:
            for turn in table.turns():
                table.seal(turn.legal[0])
            facedown.save(table.record(), "game.json")
    except FacedownError as error:
        print(error.code, error.message, error.rule)


def play_first(table: facedown.BlockingTable) -> None:
    table.seal(next(table.turns()).legal[0])


async def online_too() -> Outcome | None:
    async with facedown.connect("http://127.0.0.1:8765/i/K7Q2MX") as table:
        return await table.play(Mine)


class Coins(Game[Rules, tuple[Rules, facedown.Joint], facedown.View]):
    """A game with types."""

    name = "coins"
    version = 1
    meta = facedown.Meta("Coins", "Heads or tails?", 2, 2, False, False, True)
    rules = Rules

    def setup(
        self, rules: Rules, seats: int, chance: facedown.Chance
    ) -> facedown.Step[tuple[Rules, facedown.Joint]]:
        return facedown.Step((rules, ()))

    def pending(self, state: tuple[Rules, facedown.Joint]) -> facedown.Waves:
        return () if state[1] else ((1, 2),)

    def legal(self, state: tuple[Rules, facedown.Joint], seat: facedown.Seat) -> tuple[facedown.Pick, ...]:
        return () if state[1] else ("heads", "tails")

    def resolve(
        self, state: tuple[Rules, facedown.Joint], joint: facedown.Joint, chance: facedown.Chance
    ) -> facedown.Step[tuple[Rules, facedown.Joint]]:
        return facedown.Step((state[0], joint), (facedown.public("turned", (), shown=joint),))

    def view(self, state: tuple[Rules, facedown.Joint], viewer: facedown.Viewer) -> facedown.View:
        return facedown.View(viewer, state[0], self.pending(state), self.outcome(state))

    def outcome(self, state: tuple[Rules, facedown.Joint]) -> Outcome | None:
        if not state[1]:
            return None
        winner = 1 if state[1][0] == state[1][1] else 2
        return Outcome(winner, facedown.COMPLETED, (0, 0), facedown.payoffs_to_one(winner, 2))


def own_game() -> None:
    assert_type(facedown.new(Coins).view(1), facedown.View)
    assert_type(facedown.play(Coins(), [Mine, Mine]).outcome, Outcome | None)


if __name__ == "__main__":
    what_there_is()
    play_by_hand()
    play_with_bots()
    ask()
    online()
    own_game()
    asyncio.run(online_too())
