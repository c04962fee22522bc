"""Games by the face: every way to say a game, its rules and its bots gives the same games."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import facedown
from facedown import FacedownError
from tests.patience import PATIENCE
from tests.third_game.goofspiel.game import GAME as GOOFSPIEL


class First(facedown.Bot):
    """Always takes the first of its legal picks."""

    def pick(self, view: Any, legal: tuple[str, ...], stream: facedown.Stream) -> str:
        return legal[0]


class Forgetful:
    """A bot that inherits nothing, and is made without a memory."""

    def pick(self, view: Any, legal: tuple[str, ...], stream: facedown.Stream) -> str:
        return legal[0]


FACE = "no bot"


class Broken(facedown.Bot):
    def pick(self, view: Any, legal: tuple[str, ...], stream: facedown.Stream) -> str:
        raise ZeroDivisionError("no idea")


class Cheat(facedown.Bot):
    def pick(self, view: Any, legal: tuple[str, ...], stream: facedown.Stream) -> str:
        return "joker"


def test_a_bot_has_a_default_name_and_sentence() -> None:
    class AlwaysLast(First):
        pass

    class Named(First):
        name = "ann"
        says = "Plays."

    class Heir(Named):
        """Something else."""

    assert (First.name, First.says) == ("first", "Always takes the first of its legal picks.")
    assert (AlwaysLast.name, AlwaysLast.says) == (
        "always-last",
        "AlwaysLast",
    )
    assert (Heir.name, Heir.says) == ("ann", "Plays.")


@pytest.mark.parametrize(
    "bot",
    [
        *(First, First(), lambda: First(), lambda view, legal, stream: legal[0], First().pick),
        *(Forgetful, Forgetful(), f"{__name__}:First"),
    ],
    ids=[
        *("class", "object", "function", "pick function", "pick method"),
        *("foreign class", "foreign object", "module:Class"),
    ],
)
def test_every_way_to_hand_over_a_bot_plays_the_same(bot: Any) -> None:
    usual = facedown.play("ecard", [First, "sage"], seed="oak")

    assert facedown.play("ecard", [bot, "sage"], seed="oak").picks == usual.picks


@pytest.mark.parametrize(
    "rules",
    [
        "classic(tie=pair,rounds=6)",
        {"tie": "pair", "rounds": 6},
        facedown.rules("ecard", "classic(tie=pair,rounds=6)"),
    ],
    ids=["text", "mapping", "object"],
)
def test_every_way_to_give_the_rules_is_the_same(rules: Any) -> None:
    assert str(facedown.new("ecard", rules).rules) == "classic(tie=pair,rounds=6)"


@pytest.mark.parametrize("game", [GOOFSPIEL, type(GOOFSPIEL)], ids=["object", "class"])
def test_games_of_other_folders_work_everywhere(game: Any, tmp_path: Path) -> None:
    match = facedown.play(game, ["uniform", First], seed=3)
    facedown.save(match, tmp_path / "game.json")

    assert match.outcome is not None
    assert facedown.replay(tmp_path / "game.json").picks == match.picks
    assert all(finding.holds is not False for finding in facedown.verify(tmp_path / "game.json"))
    assert "uniform" in facedown.bots(game)
    assert len(facedown.play_many(game, ["uniform", "uniform"], games=3, seed=1)) == 3
    assert facedown.solve(game, "quick(cards=3)").value == pytest.approx(0)
    assert facedown.rules(game, {"preset": "quick", "early": True}).early
    assert "goofspiel" in facedown.games()


def test_a_number_is_the_seed_of_its_digits() -> None:
    one, two = (facedown.play("davenport", ["uniform"] * 3, seed=seed) for seed in (7, "7"))

    assert one.record() == two.record()
    assert one.names == ("uniform", "uniform 2", "uniform 3")


def test_a_fresh_seed_is_another_game_each_time() -> None:
    assert len({facedown.new("davenport", seats=3).record().chance for _ in range(5)}) == 5


def test_the_seed_is_in_the_record_only_once_the_game_is_over() -> None:
    match = facedown.new("ecard", seed="oak")
    assert match.record().seed is None

    match.resign(1)

    assert match.record().seed is not None


def test_many_games_are_the_same_for_any_number_of_jobs(tmp_path: Path) -> None:
    alone = facedown.play_many("ecard", [First, "uniform"], games=150, seed=1)
    together = facedown.play_many("ecard", [First, "uniform"], games=150, seed=1, jobs=2)
    alone.write(tmp_path / "alone.jsonl")
    together.write(tmp_path / "together.jsonl")

    assert (tmp_path / "alone.jsonl").read_text() == (tmp_path / "together.jsonl").read_text()
    assert [record.id for record in alone] == [str(number) for number in range(1, 151)]
    assert alone.share(1) + alone.share(2) == pytest.approx(1)
    assert str(alone) == str(together)
    assert alone.score(1).low <= alone.score(1).value <= alone.score(1).high


def test_an_arena_takes_classes_and_reports_their_faults() -> None:
    result = facedown.arena("ecard", [First, Broken, Cheat, "uniform"], games=4, seed=1)

    assert result.bots == ("first", "broken", "cheat", "uniform")
    assert result.share("first", "broken") == 1
    assert any(fault.startswith("broken: ZeroDivisionError: no idea") for fault in result.faults)
    assert "cheat: illegal_pick" in result.faults
    assert len(list(result)) == len(result) == 24
    assert list(result.ratings)[-1] in ("broken", "cheat")
    assert result.as_json()["games"] == 24
    assert "broken" in str(result)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_fails_is_named_with_its_place(jobs: int) -> None:
    with pytest.raises(
        FacedownError, match=r"decision 1, seat 2: broken failed in game \d+: ZeroDivisionError: no idea"
    ) as caught:
        facedown.play_many("ecard", ["uniform", Broken], games=200, seed=1, jobs=jobs)

    assert caught.value.code == "bot_fault"
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        (f"{__name__}:Forgetful", "cannot be made with `memory`, as bots are: derive from facedown.Bot"),
        (f"{__name__}:FACE", "is not a bot, a class with a `pick`: derive from facedown.Bot"),
        (dict, "is not a bot, with a `pick`: derive from facedown.Bot"),
        (lambda view: view, "a function takes `view, legal, stream` and returns a pick, or takes nothing"),
    ],
    ids=["module:Class", "no class", "class", "function"],
)
def test_what_is_no_bot_is_refused_with_what_to_do(bot: Any, sentence: str) -> None:
    with pytest.raises(FacedownError, match=sentence):
        facedown.arena("ecard", [bot, "uniform"], games=1)


PROGRAM = """
    import facedown

    class Odd(facedown.Bot):
        def pick(self, view, legal, stream):
            return legal[-1]

    bots = [Odd, lambda view, legal, stream: legal[-1]]
    print(facedown.play_many("ecard", bots, games=120, seed=1, jobs=2).share(1))
"""


def test_bots_of_a_program_play_in_other_processes(tmp_path: Path) -> None:
    """A class of `__main__`, without a guard, and even a lambda."""
    (tmp_path / "program.py").write_text(dedent(PROGRAM), encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert done.stderr == ""
    assert 0 <= float(done.stdout) <= 1


def test_without_fork_an_error_names_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facedown.sim.workers._MACOS", True)

    with pytest.raises(FacedownError, match="put it into a module, or ask for one job"):
        facedown.play_many("ecard", [lambda: First(), "uniform"], games=120, seed=1, jobs=2)


class Coins(facedown.Game):
    """A game of a program: in no package, in no folder."""

    name = "coins"
    version = 1
    meta = facedown.Meta("Coins", "Heads or tails: equal or not?", 2, 2, False, False, True)

    class rules(facedown.Rules):
        presets = (facedown.Preset("coins", "One round."),)

    def setup(self, rules: Any, seats: int, chance: facedown.Chance) -> facedown.Step[Any]:
        return facedown.Step((rules, ()))

    def pending(self, state: Any) -> facedown.Waves:
        return () if state[1] else ((1, 2),)

    def legal(self, state: Any, seat: int) -> tuple[str, ...]:
        return () if state[1] else ("heads", "tails")

    def resolve(self, state: Any, joint: facedown.Joint, chance: facedown.Chance) -> facedown.Step[Any]:
        return facedown.Step((state[0], joint))

    def view(self, state: Any, viewer: int) -> facedown.View:
        return facedown.View(viewer, state[0], self.pending(state), self.outcome(state))

    def outcome(self, state: Any) -> facedown.Outcome | None:
        if not state[1]:
            return None
        winner = 1 if state[1][0] == state[1][1] else 2
        return facedown.Outcome(winner, "completed", (0, 0), facedown.payoffs_to_one(winner, 2))


def test_a_class_of_a_program_is_a_game_at_once() -> None:
    match = facedown.play(Coins, [First, First])

    assert match.outcome == facedown.Outcome(1, "completed", (0, 0), (1, -1))
    assert facedown.solve(Coins).value == pytest.approx(0)
    assert 0.3 < facedown.play_many(Coins, ["uniform", First], games=300, seed=1, jobs=2).share(1) < 0.7
    assert len(facedown.arena(Coins, [First, "uniform"], games=4)) == 4
    assert all(finding.holds is not False for finding in facedown.verify(match))
    assert list(facedown.bots(Coins)) == ["uniform"]
    with pytest.raises(FacedownError, match="coins"):
        facedown.rules(Coins, "((")


def test_a_game_is_not_put_in_the_place_of_an_installed_one() -> None:
    class Other(Coins):
        name = "ecard"

    with pytest.raises(FacedownError, match="there is another game 'ecard' already") as caught:
        facedown.new(Other)
    assert caught.value.code == "unknown_game"
