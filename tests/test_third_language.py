"""A language is added by files alone: a copy of the package gets the catalogues of one more.

A whole game, its review, the rules and the menus are then in that language, without a line of code. Its words
are made up. `tests/web/shell/test_served_copy.py` has the browser.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.catalogues import SOURCE, begin
from tests.patience import PATIENCE

LANGUAGE = "sl"
RECORDS = Path(__file__).parent / "records"
SLOT = re.compile(r"(\{[^{}]*(?:\{\w+\}[^{}]*)?\})")
WORD = re.compile(r"[A-Za-z]+")
NOTATION = re.compile(
    r"`[^`]*`|\b[A-Z]\d+\b|\b\w+(?:\([\w=,.]*\))?=[\w=,.]*|https?://\S+|/\S+|\x1b\[[0-9;]*m", re.ASCII
)
"""Commands, ids of rules, rule sets, paths: the same in every language."""


def pseudo(english: str) -> str:
    """English in other letters: what is still in A to Z on a screen did not come from a catalogue."""
    parts = SLOT.split(english)
    return "".join(part if part.startswith("{") else WORD.sub(disguised, part) for part in parts)


def disguised(word: re.Match[str]) -> str:
    return word[0].translate(str.maketrans("aeiouyAEIOUYcnsCNS", "áéíóúýÁÉÍÓÚÝčñšČÑŠ")).replace("t", "ť")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_with_language(tmp_path_factory.mktemp("third"))


def copy_with_language(root: Path) -> Path:
    """Copy the package into a folder, with one more language."""
    shutil.copytree(SOURCE, root / "facedown", ignore=shutil.ignore_patterns("__pycache__", "bundle.zip"))
    made = begin(LANGUAGE, root / "facedown", pseudo)
    assert len(made) == 7
    for page in sorted((root / "facedown" / "games").glob("*/page.md")):
        page.with_name(f"page.{LANGUAGE}.md").write_text(f"# {LANGUAGE}\n", encoding="utf-8")
    return root


def run(tree: Path, *arguments: str, typed: str = "", **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "facedown", *arguments],
        env=os.environ | {"PYTHONPATH": str(tree)} | environment,
        cwd=tree,
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def plain_words(text: str, *allowed: str) -> set[str]:
    """Words in plain letters that a catalogue would have disguised."""
    found = set(re.findall(r"[A-Za-z]*[aeiouyncs][A-Za-z]*", NOTATION.sub("", text)))
    return {word for word in found if len(word) > 2} - set(allowed)


@pytest.mark.parametrize("game", ["ecard", "davenport"])
def test_a_whole_game_its_replay_and_its_review_are_in_the_new_language(tree: Path, game: str) -> None:
    record = tree / f"{game}.json"
    table = (
        game,
        "--plain",
        "--language",
        LANGUAGE,
        "--names",
        "Ö,Ü",
        "--seed",
        "x",
        "--record",
        str(record),
    )
    shown = run(tree, "play", *table, typed="?\ntable\nhand\nlog\nwhy\nresign\nyes\n\n")
    commands = (
        "why",
        "review",
        "again",
        "table",
        "hand",
        "log",
        "rules",
        "resign",
        "quit",
        "yes",
        "json",
        game,
        "record",
    )
    assert pseudo("places it face down").split()[0] in shown
    assert plain_words(re.sub(r"seed .*|--seed.*", "", shown), *commands, LANGUAGE) <= {
        "short",
        "classic",
        "davenport",
    }

    shown = run(tree, "replay", str(record), "--language", LANGUAGE)
    assert plain_words(shown, "short", "classic", "davenport", "resign") == set()

    review = ("review", str(record), "--seat", "1", "--rollouts", "2", "--language", LANGUAGE)
    text = run(tree, *review)
    assert plain_words(text, "short", "classic", "davenport") == set()


@pytest.mark.parametrize("game", ["ecard", "davenport"])
def test_recorded_games_are_shown_to_their_end_in_the_new_language(tree: Path, game: str) -> None:
    lines = (RECORDS / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()[::40]
    names = {word for line in lines for name in json.loads(line)["seats"] for word in WORD.findall(name)}
    records = tree / "records.jsonl"
    records.write_text("\n".join(lines), encoding="utf-8")
    shown = run(tree, "replay", str(records), "--language", LANGUAGE)
    assert pseudo("won the game").split()[0] in shown
    heads = {word for line in lines for word in WORD.findall(json.loads(line)["rules"])}
    picks = {"resign", "line"}
    assert plain_words(shown, *names, *heads, *picks) == set()


def test_a_message_that_the_new_language_lacks_is_shown_in_english(tree: Path) -> None:
    program = (
        "from facedown.core.text.translation import Domain, translate\n"
        "print(translate(Domain('facedown.core')('notice.turn'), 'sl'))\n"
    )
    catalogue = tree / "facedown" / "core" / "locale" / f"{LANGUAGE}.po"
    lacking = catalogue.read_text(encoding="utf-8").replace('msgid "notice.turn"', 'msgid "notice.other"')
    catalogue.write_text(lacking, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(tree)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.strip() == "It is your turn."
