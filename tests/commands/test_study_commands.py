"""`facedown train` and `facedown explore`: input, output, and what is saved."""

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


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["train", "ecard", "--daily", "--seed", "x"], "usage"),
        (["train", "ecard", "--count", "0"], "usage"),
        (["train", "ecard", "--answer", "3"], "usage"),
        (["explore", "davenport"], "unsupported"),
        (["explore", "ecard", "--at", "round=2,score=9:9"], "impossible_state"),
        (["explore", "ecard", "--habit", "side=slave"], "unreadable_position"),
    ],
)
def test_an_impossible_request_is_refused_in_one_sentence(
    arguments: list[str], code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failed_in_one_sentence(run_here(arguments, monkeypatch, capsys), code)


def test_the_mind_of_the_day_is_asked_and_settled_against_the_house(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = json.loads(run_here(["today", "--json", "--chips", "3"], monkeypatch, capsys).out)
    assert asked["rules"] == "short"
    assert asked["result"]["squares"] in range(6)
    typed = run_here(["today", "--seat", "2"], monkeypatch, capsys, b"3\n")
    assert typed.status == 0
    assert "Exact: " in typed.out
    assert failed_in_one_sentence(run_here(["today", "--seat", "3"], monkeypatch, capsys), "usage")
    ran = run_here(["today", "--chips", "many"], monkeypatch, capsys)
    assert failed_in_one_sentence(ran, "unreadable_pick")


def test_the_mind_of_the_day_is_sealed_at_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    days = PassingDays(tmp_path)
    today = ["today", "--server", days.server.base]
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


def test_what_people_picked_is_shown_beside_perfect_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "people.json"
    sides = [{"people": 41, "picks": {"E": 3, "C": 1}}, {"people": 0, "picks": {}}]
    file.write_text(
        json.dumps({"game": "ecard", "rules": "short", "positions": {"round=1,score=0:0": sides}})
    )
    explore = ["explore", "ecard", "--rules", "short", "--people", str(file)]

    ran = run_here(explore, monkeypatch, capsys)

    assert "Counted from 41 people and 4 picks." in ran.out
    assert "75.0 %" in ran.out
    assert "The best answer to them earns the Slave side" in ran.out
    elsewhere = run_here([*explore, "--at", "round=2,score=1:0"], monkeypatch, capsys)
    assert "people" not in elsewhere.out, "no column without picks"
    (crowd,) = json.loads(run_here([*explore, "--json"], monkeypatch, capsys).out)["people"]
    assert (crowd["side"], crowd["best"], crowd["people"]) == (0, ["S"], 41)


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "[]",
        "{}",
        '{"positions": 3}',
        '{"positions": {"here": []}}',
        '{"positions": {"round=1,score=0:0": {}}}',
        '{"positions": {"round=1,score=0:0": [3]}}',
        '{"positions": {"round=1,score=0:0": [{"picks": {"E": -1}}]}}',
        '{"positions": {"round=1,score=0:0": [{"picks": {"E": true}}]}}',
        '{"game": "davenport", "positions": {}}',
        '{"rules": "purse", "positions": {}}',
        "[" * 100_000,
    ],
)
def test_counts_of_people_that_cannot_be_read_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "people.json").write_text(text)
    asked = ["explore", "ecard", "--people", str(tmp_path / "people.json")]

    assert failed_in_one_sentence(run_here(asked, monkeypatch, capsys), "unreadable_people")


# --- exploit ---------------------------------------------------------------------------------------------


def test_an_exact_attack_is_told_in_words_and_as_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = run_here(
        ["exploit", "ecard", "habit", "--rules", "short", "--language", "en"], monkeypatch, capsys
    )
    found = json.loads(
        run_here(["exploit", "ecard", "habit", "--rules", "short", "--json"], monkeypatch, capsys).out
    )

    assert (told.status, told.err) == (0, "")
    assert "wins 80.9 % of games" in told.out
    assert "exact" in told.out
    assert (found["method"], found["machine"], found["rules"]) == ("exact", "habit", "short")
    assert found["gain"] == pytest.approx(0.3092, abs=1e-4)


def test_a_search_says_how_many_games_it_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["exploit", "davenport", "lowest", "--games", "80", "--seed", "oak", "--language", "en"]
    ran = run_here(arguments, monkeypatch, capsys)

    assert (ran.status, ran.err) == (0, "")
    assert "fresh games" in ran.out


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (["nobody"], "unknown_bot"),
        (["habit", "--games", "9", "--seconds", "9"], "usage"),
        (["habit", "--seconds", "0"], "usage"),
        (["habit", "--games", "0"], "usage"),
        (["habit", "--seats", "3"], "illegal_seats"),
    ],
)
def test_an_attack_that_cannot_be_is_refused_in_one_sentence(
    wrong: list[str], code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failed_in_one_sentence(run_here(["exploit", "ecard", *wrong], monkeypatch, capsys), code)
