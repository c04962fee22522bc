"""Every option and argument of every command is given nonsense: it works, or says in one sentence with a code
what is wrong; never a traceback, an `internal`, or a control character of others."""

from __future__ import annotations

import argparse
from functools import cache as once
from pathlib import Path

import pytest

from facedown.cli.parser import make_parser
from facedown.web.offline import pyodide, run_files
from tests.cli.conftest import Here

GAME = "ecard"
VALUES = (
    "",
    " ",
    "-1",
    "9" * 30,
    "nan",
    "\x1b[2J",
    "é" * 300,
    "a,b,,c",
    "nowhere/at/all",
    "x=y",
    "[1]",
    "\udcff",
)
SMALL: dict[str, tuple[str, ...]] = {
    "arena": (GAME, "--games", "1", "--bots", "random,uniform", "--jobs", "1"),
    "solve": (GAME,),
    "rules": (GAME,),
    "play": (GAME, "--plain"),
}
"""What makes a command short where the nonsense is accepted."""


def commands(only: str = "") -> dict[str, argparse.ArgumentParser]:
    actions = make_parser(only)._actions
    (found,) = (each for each in actions if isinstance(each, argparse._SubParsersAction))
    return dict(found.choices)


def cases(name: str) -> list[tuple[str, ...]]:
    """Each option with each value after a good command, and each value as the first argument."""
    options = [
        action.option_strings[-1]
        for action in commands()[name]._actions
        if action.nargs != 0 and action.option_strings
    ]
    good = SMALL.get(name, ())
    found = [
        *((*good, option, value) for option in options for value in VALUES),
        *((value, *good[1:]) for value in VALUES),
        *((*good, value) for value in VALUES),
        (*good, "--nonsense"),
    ]
    return list(dict.fromkeys(found))  # where nothing makes a command short, some are the same


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that has what `facedown site` would fetch, as files that are there and no more: where a folder
    is accepted, the site is written from them, and nothing comes from a network."""
    folder = tmp_path_factory.mktemp("cache")
    (folder / pyodide._name()).mkdir()
    for file in pyodide.FILES:
        (folder / pyodide._name() / file).touch()
    return folder


def test_a_command_is_read_as_among_all_others() -> None:
    for name, among_others in commands().items():
        assert {each: alone.format_help() for each, alone in commands(name).items()} == {
            name: among_others.format_help()
        }
    assert commands("nonsense") == commands()


@pytest.mark.parametrize("name", sorted(set(commands()) - {"docs", "serve"}))
def test_no_nonsense_comes_through(
    name: str, here: Here, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("FACEDOWN_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("FACEDOWN_CACHE", str(cache))
    monkeypatch.setattr(run_files, "run_files", once(run_files.run_files))  # the same in every folder
    bad = []
    for arguments in cases(name):
        ran = here(name, *arguments)
        words = ran.err.splitlines()
        one_sentence = ran.status == 2 and len(words) == 1 and words[0].startswith("facedown: ")
        if (
            not (ran.status in (0, 1) or one_sentence)
            or "internal" in ran.err
            or "\x1b[2J" in ran.out + ran.err
        ):
            bad.append((arguments, ran.status, ran.err[-300:]))
    assert not bad, "\n".join(map(str, bad))
