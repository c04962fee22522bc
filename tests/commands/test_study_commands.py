"""`facedown train` and `facedown solve --explore`: input, output, and what is saved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from facedown.core import registry
from facedown.study.train import mark, trainings
from tests.cli.command import failed_in_one_sentence, run_here
from tests.commands.recorded import finished_game
from tests.server.http.midnight import PassingDays


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def exact(seed: str) -> str:
    """The right answer to a question."""
    game = registry.get("ecard")
    return mark(trainings(game, game.rules.of()), seed, "0").best


def test_a_streak_is_counted_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = f"much\n{exact('oak 1')}\n\n".encode()
    ran = run_here(["train", "ecard", "--seed", "oak"], monkeypatch, capsys, typed)

    assert ran.status == 0
    assert "from 0 to 100" in ran.out, "an unreadable answer gets the question again"
    assert "Streak: 1." in ran.out
    assert "1 question" in ran.out
    typed = f"{exact('oak 1')}\n99\n".encode()
    ran = run_here(["train", "ecard", "--seed", "oak", "--count", "2"], monkeypatch, capsys, typed)
    assert "Streak: 2." in ran.out
    assert "The streak starts again." in ran.out
    assert "longest streak 2" in ran.out
    assert json.loads((tmp_path / "state/facedown/streaks.json").read_text()) == {"ecard": [0, 2]}


def test_a_pipe_full_of_nonsense_is_given_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run_here(["train", "ecard"], monkeypatch, capsys, b"much\n" * 10_000)

    assert failed_in_one_sentence(ran, "unreadable_pick")


def test_questions_come_from_recorded_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text(
        "".join(f"{finished_game('ecard', number).write()}\n" for number in (1, 2)), encoding="utf-8"
    )
    command = ["train", "ecard", "--records", str(games), "--seed", "x", "--count", "2", "--json"]

    asked = [json.loads(line) for line in run_here(command, monkeypatch, capsys).out.splitlines()]

    assert [each["kind"] for each in asked] == ["share", "share"]
    other = run_here(["train", "davenport", "--records", str(games)], monkeypatch, capsys)
    assert failed_in_one_sentence(other, "usage")


def test_the_mind_of_the_day_is_asked_and_settled_against_the_house(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = json.loads(run_here(["train", "--today", "--json", "--chips", "3"], monkeypatch, capsys).out)
    assert asked["rules"] == "short"
    assert asked["result"]["squares"] in range(6)
    typed = run_here(["train", "--today", "--seat", "2"], monkeypatch, capsys, b"3\n")
    assert typed.status == 0
    assert "Exact: " in typed.out


def test_the_mind_of_the_day_is_sealed_at_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    days = PassingDays(tmp_path)
    today = ["train", "--today", "--server", days.server.base]
    try:
        sealed = run_here(today, monkeypatch, capsys, b"3\n")
        assert "Sealed. 1 person so far." in sealed.out
        again = run_here([*today, "--chips", "4"], monkeypatch, capsys)
        assert "Your seal on 3 and 7 counts until you seal again." in again.out
        assert json.loads(run_here([*today, "--json"], monkeypatch, capsys).out)["chips"] == 4
        days.pass_one()
        over = run_here([*today, "--chips", "5"], monkeypatch, capsys)
        assert "1 person and 8 of the house met at midnight." in over.out
        assert "Against the crowd: " in over.out
        seated = run_here([*today, "--seat", "1"], monkeypatch, capsys)
        assert failed_in_one_sentence(seated, "usage")
    finally:
        days.server.close()
