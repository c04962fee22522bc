"""What is typed wrong: each command refuses it in one sentence with its code, and prints nothing else.

Nonsense for every option of every command is in `test_any_nonsense.py`, for records in `test_nonsense.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import failed_in_one_sentence
from tests.cli.conftest import Here
from tests.commands.recorded import finished_game

REFUSED: dict[str, dict[str, tuple[str, ...]]] = {
    "": {"usage": ("nonsense",)},
    "games": {"usage": ("--nonsense",)},
    "rules": {"unknown_game": ("nonsense", "\x1b[2J"), "unreadable_rules": ("ecard nonsense(more=1)",)},
    "play": {
        "unknown_game": ("nonsense", "\x1b[2J"),
        "unknown_bot": ("ecard --against nosuch", "ecard --against="),
        "usage": (
            "",
            "davenport --hotseat --seat 1",
            "davenport --seat 0",
            "davenport --seat 99",
            "davenport --names=",
            "davenport --seats 2 --names Ann,Bo,Cy,Di,Ed,Flo,Gus,Hal,Ida",
            "davenport --hotseat --seats 2 --names Ann,Ann",
            "davenport --hotseat --seats 2 --names Ann,\x1b[2J",
            f"davenport --hotseat --seats 2 --names Ann,{'x' * 1000}",
            "davenport --hotseat --seats 2 --names Ann",
            "ecard --seats -2",
            "ecard --seats two",
            "ecard --seats 99999999999999999999",
            "ecard --seed \udcff",
            "ecard --against random,random",
            "ecard --against random --hotseat",
            "ecard --memory x --hotseat",
            "ecard --language xx",
            "ecard --clock 5",
            "ecard --join http://x/i/a",
            "ecard --create http://x --record game.json",
            "--resume",
            "--resume --join http://x/i/a",
            "--resume --against uniform",
            "--create http://x",
            "--join http://127.0.0.1:9",
            "--join http://x/i/a --clock 5",
            "--watch http://x/i/a --rules classic",
        ),
        "unwritable_file": ("ecard --record=", "ecard --record /", "ecard --record /nowhere/at/all.json"),
        "unreadable_rules": (
            "ecard --rules nonsense",
            "ecard --rules ((((",
            f"ecard --rules {'x' * 100_000}",
        ),
        "illegal_seats": ("ecard --seats 99", "davenport --seats 0"),
        "bad_address": ("--join ftp://x/i/a",),
        "lost_server": (
            "--join http://127.0.0.1:9/i/a",
            "--watch http://127.0.0.1:9/i/a",
            "ecard --create http://127.0.0.1:9",
        ),
    },
    "arena": {
        "unknown_game": ("nonsense",),
        "unreadable_rules": ("davenport --rules nonsense",),
        "illegal_seats": ("davenport --seats 99",),
        "unwritable_file": ("ecard --bots uniform --games 1000000000 --records /",),
        "usage": (
            "ecard --bots uniform --games 0",
            "ecard --bots uniform --games 1000000000000",
            "ecard --bots uniform --games 1.5",
            "ecard --bots uniform --jobs 0",
            "ecard --bots uniform --jobs 100000",
            "ecard --bots habit,habit --memory 2",
            "ecard --bots random,uniform --games 2 --heroes random,sage",
        ),
    },
    "solve": {
        "unknown_game": ("nonsense", "\x1b[2J"),
        "unreadable_rules": ("ecard --rules nonsense",),
        "unreadable_position": (
            "ecard --at=",
            "ecard --at nonsense",
            "ecard --at round=2,score=²:1",
            f"ecard --at round=2,score={'9' * 5000}:0",
            "ecard --explore --habit side=slave",
        ),
        "impossible_state": ("ecard --at round=13,score=0:0", "ecard --explore --at round=2,score=9:9"),
        "unsupported": (
            "ecard --rules purse(purse=1000,max_stake=1000)",
            "davenport",
            "davenport --explore",
        ),
        "usage": ("ecard --round 3", "ecard --habit side=slave"),
    },
    "train": {
        "usage": (
            "ecard --daily --seed x",
            "ecard --count 0",
            "ecard --answer 3",
            "ecard --chips 3",
            "--today --seat 3",
        ),
        "unreadable_pick": ("--today --json --chips many",),
    },
    "replay": {
        "usage": (
            "--json --as 1 RECORD",
            "--json --step RECORD",
            "--step -",
            "--jobs 0 RECORD",
            "--as=0 RECORD",
            "--as=9 RECORD",
            "--as=-1 RECORD",
            "--as=Ann RECORD",
            "--as= RECORD",
            "--as=1.0 RECORD",
            "--as=² RECORD",
        )
    },
    "review": {
        "usage": (
            "",
            "RECORD --line",
            "RECORD --line 0",
            "RECORD --line 2",
            "RECORD --seat x",
            "RECORD --rollouts 1",
            "RECORD --rollouts 9999999",
            "RECORD --language xx",
        ),
        "illegal_seats": ("RECORD --seat 0", "RECORD --seat 3"),
        "unreadable_file": ("nowhere/at/all.json",),
    },
    "new": {
        "bad_name": (
            *("game Odds", "game 1st", "game a-b", "game ../up", "game os", "game pytest", "game ecard"),
            *("game class", f"game {'x' * 31}", "bot Odds --game ecard"),
        ),
        "unknown_game": ("bot wily --game chess",),
        "unwritable_file": ("game odds --folder .", "bot wily --game ecard --folder ."),
    },
    "readable": {"usage": ("RECORD --seat 1 --name Ann",)},
}
"""By command and code, what is typed after it; RECORD is a file with one record."""
CASES = [
    (f"{command} {words}", code)
    for command, refused in REFUSED.items()
    for code, typed in refused.items()
    for words in typed
]


@pytest.mark.parametrize(("typed", "code"), CASES, ids=[f"{typed[:60]!r}" for typed, _ in CASES])
def test_what_is_typed_wrong_is_refused_in_one_sentence(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, code: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "record.json"
    file.write_text(finished_game("ecard").write(), "utf-8")

    ran = here(*(str(file) if word == "RECORD" else word for word in typed.split(" ") if word))

    assert failed_in_one_sentence(ran, code), ran
    assert ran.out == ""
    assert "\x1b" not in ran.err
    assert len(ran.err) < 600
    assert [each.name for each in tmp_path.iterdir() if each.name != "facedown"] == [file.name]
