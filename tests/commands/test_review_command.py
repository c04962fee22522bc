"""`facedown review`: one record, reviewed for one seat: in words, as JSON or as a page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.core import registry
from facedown.review.rollouts import Rollouts
from tests.cli.command import SOURCE, failed_in_one_sentence, run
from tests.cli.conftest import Here
from tests.cli.test_nonsense import NONSENSE
from tests.commands.recorded import finished_game, running_game

RECORDS = Path(__file__).parents[1] / "records"
THIRD = Path(__file__).parents[1] / "third_game"
GOOD = finished_game("ecard").write().encode()
OF_GAMES = pytest.mark.parametrize("game", registry.names())
FEW = ("--rollouts", "2")


# --- which record ----------------------------------------------------------------------------------------


@OF_GAMES
def test_a_record_is_read_from_a_file_or_from_standard_input(here: Here, tmp_path: Path, game: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(json.loads(finished_game(game).write()), indent=1), encoding="utf-8")

    from_file = here("review", str(file), *FEW)
    from_input = here("review", "-", *FEW, stdin=file.read_bytes())

    assert (from_file.status, from_file.err) == (0, "")
    assert from_file == from_input
    assert str(registry.get(game).meta.title) in from_file.out
    assert "Luck and skill" in from_file.out


def test_a_line_of_many_is_chosen(here: Here, tmp_path: Path) -> None:
    games = [finished_game("ecard", number).write() for number in (1, 2, 3)]
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(games), encoding="utf-8")

    chosen = here("review", str(file), "--line", "2", "--json")

    assert chosen.status == 0
    assert chosen.out == here("review", "-", "--json", stdin=games[1].encode()).out
    assert chosen.out != here("review", str(file), "--line", "3", "--json").out


def test_a_review_is_written_in_the_requested_language(here: Here) -> None:
    assert "運と腕" in here("review", "-", "--language", "ja", stdin=GOOD).out
    assert failed_in_one_sentence(here("review", "-", "--language", "xx", stdin=GOOD), "usage")


def test_of_several_records_one_has_to_be_named(here: Here) -> None:
    ran = here("review", "-", stdin=GOOD + b"\n" + GOOD)

    assert failed_in_one_sentence(ran, "usage")
    assert "--line N" in ran.err


def test_one_record_in_a_file_of_lines_needs_no_number(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(GOOD + b"\n\n")

    assert here("review", str(file)).status == 0
    assert here("review", str(file), "--line", "1").status == 0


@pytest.mark.parametrize("line", ["0", "2", "9"])
def test_a_line_that_is_not_there(here: Here, tmp_path: Path, line: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(GOOD + b"\n\n" + GOOD)

    assert failed_in_one_sentence(here("review", str(file), "--line", line), "usage")


# --- to whom ---------------------------------------------------------------------------------------------


def test_a_seat_can_be_chosen_and_the_first_is_the_default(here: Here) -> None:
    one, two, usual = (
        json.loads(here("review", "-", "--json", *words, stdin=GOOD).out)
        for words in (("--seat", "1"), ("--seat", "2"), ())
    )

    assert usual == one
    assert (one["seat"], two["seat"]) == (1, 2)
    assert one["chances"][0]["before"] + two["chances"][0]["before"] == pytest.approx(1)


@pytest.mark.parametrize("seat", ["0", "3", "99"])
def test_a_seat_that_is_not_there(here: Here, seat: str) -> None:
    ran = here("review", "-", "--seat", seat, stdin=GOOD)

    assert failed_in_one_sentence(ran, "illegal_seats")
    assert "seats 1 to 2" in ran.err


@pytest.mark.parametrize(
    "words",
    [("--seat", "x"), ("--seat", "-1"), ("--rollouts", "1"), ("--rollouts", "9999999"), ("--line",), ()],
)
def test_commands_that_are_written_wrong(here: Here, words: tuple[str, ...]) -> None:
    record = () if not words else ("-",)

    assert failed_in_one_sentence(here("review", *record, *words, stdin=GOOD), "usage")


# --- nonsense --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", NONSENSE)
def test_nonsense_is_one_sentence(here: Here, tmp_path: Path, what: str) -> None:
    text, code = NONSENSE[what]
    file = tmp_path / "record.json"
    file.write_bytes(text)

    ran = here("review", str(file))

    assert failed_in_one_sentence(ran, code), ran
    assert str(file) in ran.err
    assert ran.out == ""
    assert "\x1b" not in ran.err


def test_a_bad_line_is_named(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(GOOD + b"\nnonsense\n")

    ran = here("review", str(file), "--line", "2")

    assert failed_in_one_sentence(ran, "unreadable_record")
    assert f"{file}: line 2" in ran.err


def test_a_false_record_is_not_reviewed(here: Here) -> None:
    lie = json.loads(GOOD) | {"result": {"winner": 1, "termination": "ruin", "score": [9, 9]}}

    assert failed_in_one_sentence(here("review", "-", stdin=json.dumps(lie).encode()), "not_verified")


def test_rules_too_large_to_solve_are_refused(here: Here) -> None:
    record = {
        "format": "facedown/1",
        "game": "ecard",
        "rules": "purse(rounds=60,purse=1000,max_stake=1000,first=1)",
        "seats": ["Ann", "Bo"],
        "chance": [],
        "picks": [[None, 1]],
    }

    assert failed_in_one_sentence(here("review", "-", stdin=json.dumps(record).encode()), "unsupported")


def test_no_such_file(here: Here) -> None:
    assert failed_in_one_sentence(here("review", "nowhere/at/all.json"), "unreadable_file")


# --- what comes out --------------------------------------------------------------------------------------


@OF_GAMES
def test_the_json_holds_everything(here: Here, game: str) -> None:
    record = finished_game(game)
    found = json.loads(here("review", "-", "--json", *FEW, stdin=record.write().encode()).out)
    parts = found["luck_and_skill"]
    shares = ("start", "skill", "read", "gifts", "luck")
    way = [parts[name]["value"] for name in shares if parts[name] is not None]

    assert found["game"] == game
    assert found["outcome"] == record.result
    assert len(found["chances"]) == len(record.picks)
    assert len(found["picks"]) == sum(joint[0] is not None for joint in record.picks)
    assert set(found["picks"][0]) == {
        *("decision", "place", "pick", "advice", "cost", "missed", "error", "forced", "decided", "clear")
    }
    assert sum(way) == pytest.approx(parts["end"]["value"])
    assert set(found["readable"]) == {"number", "low", "high", "bits", "picks", "rounds", "tells"}
    assert ("bits over chance" in found["say"]["readable"]) == found["readable"]["tells"]
    assert sum(1000 * each["value"] for each in found["account"][:-1]) == pytest.approx(
        1000 * found["account"][-1]["value"]
    )


@OF_GAMES
def test_a_running_game_is_reviewed_so_far(here: Here, game: str) -> None:
    ran = here("review", "-", *FEW, stdin=running_game(game, 2).write().encode())

    assert (ran.status, ran.err) == (0, "")
    assert "game in progress" in ran.out
    assert "is now at" in ran.out


@OF_GAMES
def test_a_game_in_which_nothing_was_decided(here: Here, game: str) -> None:
    text = running_game(game, 0).write().encode()

    assert "Nothing has been decided yet." in here("review", "-", *FEW, stdin=text).out
    assert json.loads(here("review", "-", "--json", *FEW, stdin=text).out)["luck_and_skill"] is None


def test_the_number_of_rollouts_can_be_set(here: Here) -> None:
    text = (RECORDS / "davenport.jsonl").read_bytes().splitlines()[45]

    output = " ".join(here("review", "-", "--rollouts", "3", stdin=text).out.split())

    assert "Judged by 3 simulated games per position" in output


def test_an_interruption_is_quiet(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Rollouts, "play_out", interrupt)
    ran = here("review", "-", stdin=finished_game("davenport").write().encode())

    assert (ran.status, ran.out) == (130, "")
    assert ran.err == "\nfacedown: interrupted\n"


def test_the_real_command_reviews_too() -> None:
    ran = run("review", "-", stdin=GOOD)

    assert (ran.status, ran.err) == (0, "")
    assert len(ran.out) > 1_000


# --- games of others -------------------------------------------------------------------------------------


@pytest.fixture
def goofspiel(tmp_path: Path) -> Path:
    """A folder in which the third game is installed, to be added to."""
    shutil.copytree(THIRD / "goofspiel", tmp_path / "goofspiel")
    shutil.copytree(THIRD / "goofspiel-1.0.dist-info", tmp_path / "goofspiel-1.0.dist-info")
    return tmp_path


def elsewhere(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The real command where that folder is on the path, on a game of quick Goofspiel."""
    record = {
        "format": "facedown/1",
        "game": "goofspiel",
        "rules": "quick",
        "seats": ["Ann", "Bo"],
        "chance": [],
        "picks": [["3", "1"], ["1", "2"], ["2", "3"], ["5", "4"], ["4", "5"]],
    }
    path = os.pathsep.join([str(folder), str(SOURCE)])
    return subprocess.run(
        [sys.executable, "-m", "facedown", "review", "-", *words],
        input=json.dumps(record),
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
        check=False,
    )


def test_a_game_without_a_judge_is_refused(goofspiel: Path) -> None:
    ran = elsewhere(goofspiel)

    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("facedown: unsupported: standard input: ")
    assert "no judge knows Goofspiel yet" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_a_game_with_a_reviewer_is_played_out(goofspiel: Path) -> None:
    (goofspiel / "goofspiel" / "bots.py").write_text(
        "from facedown.bots.uniform import Uniform\nBOTS = (Uniform,)\nREVIEWER = Uniform\n", encoding="utf-8"
    )

    ran = elsewhere(goofspiel, "--rollouts", "20", "--json")

    assert ran.returncode == 0, ran.stderr
    assert len(json.loads(ran.stdout)["picks"]) == 5


def test_a_game_with_a_judge_of_its_own_is_judged_by_it(goofspiel: Path) -> None:
    (goofspiel / "goofspiel" / "review.py").write_text(
        "from facedown.core.parts.judge import Appraisal, Chances, Judged, ReaderReport\n"
        "def judge(turns, seat):\n"
        "    chances = tuple(Chances(n, f'bid {n}', 0.5, 0.5, 0.0, 0.0) for n, _ in enumerate(turns, 1))\n"
        "    bids = enumerate((turn.joint[seat - 1] for turn in turns), 1)\n"
        "    picks = tuple(Appraisal(n, f'bid {n}', bid, {}, 0.0, None) for n, bid in bids)\n"
        "    read = ReaderReport('a reader', 'chance', ())\n"
        "    return Judged('its own judge', 'oracle', chances, picks, read)\n",
        encoding="utf-8",
    )

    ran = elsewhere(goofspiel)

    assert ran.returncode == 0, ran.stderr
    assert "Judged by its own judge." in ran.stdout
    assert "bid 5" in ran.stdout
    assert "There was no card where being readable mattered." in ran.stdout
