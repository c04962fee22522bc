"""The wheel as people install it, bare and with each extra: every command works, or names what it needs."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from facedown.core import registry
from scripts.package import problems
from tests.cli.command import Ran, failed_in_one_sentence
from tests.cli.installed import ROOT, Installed, extend, install, install_once
from tests.commands.recorded import finished_game

EXTRAS: Final = tuple(
    tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
)
INCLUDED: Final = {
    "play": {"solve", "arena", "server", "push", "terminal"},
}
NOWHERE: Final = "http://127.0.0.1:1"
GIVE_UP: Final = "hand\nwhy\nresign\nyes\nreview\n"
ONLINE: Final = "terminal|server|client"
RATINGS: Final = "arena|server"
"""Either of them brings the libraries."""

COMMANDS: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("--version", "", "", ""),
    ("--help", "", "", ""),
    ("games", "", "", ""),
    ("rules ecard", "", "", ""),
    ("bots", "", "", ""),
    ("play ecard --plain", "", "", GIVE_UP),
    ("play davenport --plain --seats 3 --against careful", "", "", GIVE_UP),
    ("play ecard --hotseat --plain --record own.json", "", "", f"\n{GIVE_UP}"),
    ("play --resume --plain", "", "usage", ""),
    ("replay davenport.json", "", "", ""),
    ("verify ecard.json", "", "", ""),
    ("review ecard.json", "", "", ""),
    ("review davenport.json --rollouts 2", "", "", ""),
    ("arena ecard --bots uniform --games 2 --jobs 1", "", "", ""),
    ("export davenport.json decisions.csv --encoding", "", "", ""),
    ("new game odds", "", "", ""),
    ("new bot wily --game ecard", "", "", ""),
    ("admin backup copy.sqlite", "", "store_failed", ""),
    ("admin check", "", "store_failed", ""),
    ("doctor --port 0", "", "", ""),
    ("admin move postgresql://127.0.0.1:1/none", "postgresql", "store_failed", ""),
    ("solve ecard --rules decisive", "", "", ""),
    ("solve davenport", "", "unsupported", ""),  # it has more than two seats, and is too large
    ("arena ecard --bots habit,uniform --games 2 --jobs 1", RATINGS, "", ""),
    (f"play --join {NOWHERE}/i/ABCDEF", ONLINE, "lost_server", ""),
    (f"play --watch {NOWHERE}/i/ABCDEF", ONLINE, "lost_server", ""),
    (f"play ecard --create {NOWHERE}", ONLINE, "lost_server", ""),
    ("admin tables", ONLINE, "not_running", ""),
    ("serve --port 99999", "server", "bad_setting", ""),
)
"""Every command: the extras that it needs, the code with which it ends where it has them, its input."""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """One for all workers of a run."""
    return install_once(tmp_path_factory)


def missing(needs: str, has: set[str]) -> set[str]:
    """The extras that are needed and not there."""
    return {each for each in needs.split() if not has & set(each.split("|"))}


@pytest.mark.parametrize("extra", ["", *EXTRAS])
def test_every_command_works_or_names_the_extra(extra: str, bare: Installed, tmp_path: Path) -> None:
    installed = extend(bare, tmp_path / "environment", extra)
    for game in registry.names():
        (installed.folder / f"{game}.json").write_text(finished_game(game).write(), "utf-8")
    has = {extra, *INCLUDED.get(extra, ())}

    commands = [each for each in COMMANDS if each[1] or not extra]  # the others need none

    ran = installed.run_all([(line.split(), text) for line, _, _, text in commands])

    for (line, needs, code, _), each in zip(commands, ran, strict=True):
        lacking = missing(needs, has)
        if lacking:
            assert names_extra(each, lacking, installed), (line, each)
        elif code:
            assert failed_in_one_sentence(each, code), (line, each)
            assert "the extra `" not in each.err, (line, each)
        else:
            status = 3 if line.startswith("verify") else 0  # a game of this device is not proven
            assert (each.status, each.err) == (status, ""), (line, each)


def test_the_wheel_is_fit_for_an_index(bare: Installed) -> None:
    assert problems(bare.wheel) == []


def names_extra(ran: Ran, lacking: set[str], installed: Installed) -> bool:
    """Whether it was refused in one sentence, with a command that installs an extra from this very wheel."""
    wheel = re.escape(str(installed.wheel))
    asked = re.search(rf'the extra `(\w+)`: .*pip install .*"{wheel}\[(\w+)\]"$', ran.err.strip())
    if not failed_in_one_sentence(ran, "unsupported") or asked is None:
        return False
    return asked[1] == asked[2] and any(asked[1] in each.split("|") for each in lacking)


def test_a_server_of_the_wheel_and_a_table_on_it(bare: Installed, tmp_path: Path) -> None:
    installed = install(bare.wheel, tmp_path / "environment", "server")
    with serving(installed) as address:
        create, tables, backup = installed.run_all(
            [
                (["play", "ecard", "--plain", "--create", address, "--against", "habit"], GIVE_UP),
                (["admin", "tables"], ""),
                (["admin", "backup", "copy.sqlite"], ""),
            ]
        )

    assert (create.status, create.err) == (0, "")
    assert "1 tables" in tables.out
    assert backup.status == 0, backup


@contextmanager
def serving(installed: Installed) -> Iterator[str]:
    """The installed `facedown serve`; the address that it says."""
    with subprocess.Popen(
        [installed.command, "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=installed.environ,
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip().rpartition(" ")[2]
        finally:
            server.terminate()
