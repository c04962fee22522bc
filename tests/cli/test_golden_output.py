"""What commands print, byte by byte: kept in `golden/`, so that moving parts about changes no output.

`python -m tests.cli.test_golden_output` writes them again, for a change that is meant to be seen.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import pytest

from tests.cli.command import Ran, run
from tests.cli.conftest import Here
from tests.steady import steady

GOLDEN = Path(__file__).with_name("golden")
RECORDS = Path(__file__).parents[1] / "records"
COMMANDS = (
    "arena ecard --bots uniform --games 20 --seed golden",
    "bots",
    "bots --json",
    "games",
    "games --json",
    "rules davenport",
    "rules davenport aces(exchange=off) --json",
    "rules ecard decisive(rounds=6)",
    "rules ecard --json",
    "solve davenport --json",
    "solve ecard --rules decisive",
    "solve ecard --rules decisive --json",
    "solve ecard --rules decisive --at round=2,score=1:0,play=2",
    "solve ecard --rules purse(purse=5)",
    "solve ecard --rules purse(purse=5) --json",
    "solve ecard --rules purse(purse=5) --at round=1,score=5:5 --json",
    "solve ecard --rules purse(purse=5) --at round=1,score=5:5,stake=2 --json",
    "solve ecard --explore --rules decisive --at round=2,score=1:0,play=2 --habit side=slave,chances=40",
    "solve ecard --explore --rules purse(purse=5) --json",
    "train ecard --seed golden --answer 20 --json",
    "review ecard.jsonl --line 1",
    "review ecard.jsonl --line 1 --seat 2 --json",
    "review davenport.jsonl --line 1 --rollouts 2",
    "review davenport.jsonl --line 1 --rollouts 2 --json",
    "readable ecard.jsonl",
    "readable ecard.jsonl --seat 2 --json",
    "replay ecard.jsonl",
    "replay davenport.jsonl",
    "verify ecard.jsonl",
    "verify davenport.jsonl --json",
)
"""`replay --json` is kept in `tests/records`."""
TYPED = {
    "play ecard --plain --seed golden": (
        "hand;table;?;why E7, x99;nonsense;resign;no;1;why;log" + ";2" * 9 + ";why;log;review;nonsense;"
    ),
    "play davenport --plain --hotseat --names ann,bo --seed golden --language ja": (
        ";hand;1;;x2;;;why;log;resign;yes;log;review;"
    ),
    "replay ecard.jsonl --step": ";why;table;log;nonsense;;quit",
    "replay davenport.jsonl --step": "table;quit",
    "replay davenport.jsonl --as 1 --step": "table;quit",
}
"""Commands that ask, and the lines that are typed."""
_SHOWN = 2  # records of a file that are shown


def words(command: str, folder: Path) -> list[str]:
    """The command's words, with files where they are: the first records of each are enough."""
    split = command.split()
    for at, word in enumerate(split):
        if word.endswith(".jsonl"):
            lines = (RECORDS / word).read_text(encoding="utf-8").splitlines(keepends=True)[:_SHOWN]
            (folder / word).write_text("".join(lines), encoding="utf-8")
            split[at] = str(folder / word)
    return split


def transcript(ran: Ran, folder: Path) -> str:
    """The output, the errors and the exit status of a command."""
    errors = "".join(f"! {line}\n" for line in ran.err.splitlines())
    return steady(f"{ran.out}{errors}status {ran.status}\n").replace(f"{folder}/", "")


def ran_with(here: Here, command: str, folder: Path) -> str:
    """The transcript of a command, with what is typed."""
    typed = "".join(f"{line}\n" for line in TYPED[command].split(";")) if command in TYPED else ""
    return transcript(here(*words(command, folder), stdin=typed.encode()), folder)


def golden(command: str) -> Path:
    """Where the output of a command is kept."""
    return GOLDEN / (re.sub("[^0-9a-z]+", "-", command).strip("-") + ".txt")


@pytest.mark.parametrize("command", [*COMMANDS, *TYPED])
def test_the_output_of_a_command_is_unchanged(
    here: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    kept = golden(command).read_text(encoding="utf-8")

    now = ran_with(here, command, tmp_path)

    changed = difflib.unified_diff(kept.splitlines(), now.splitlines(), "golden", "now", n=0, lineterm="")
    assert kept == now, "\n".join(line[:600] for line in list(changed)[:40])


def test_nothing_else_is_kept() -> None:
    assert sorted(GOLDEN.iterdir()) == sorted(golden(command) for command in (*COMMANDS, *TYPED))


def main() -> None:
    """Run every command, and keep what it prints."""
    import os
    import tempfile

    os.environ["COLUMNS"] = "80"
    GOLDEN.mkdir(exist_ok=True)
    for command in (*COMMANDS, *TYPED):
        with tempfile.TemporaryDirectory() as folder:
            golden(command).write_text(ran_with(run, command, Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
