"""The real command in a real terminal (tmux): played by its keys, left in every way, killed and resumed.

Without tmux these are skipped with a reason; if CI requires everything, that is a failure.
"""

from __future__ import annotations

import os
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from facedown.core import registry
from facedown.protocol.rest import PersonSeat, TableOrder
from tests.client.players import pick_when_due, signed_in, take_seat
from tests.server.running import Server
from tests.terminal.tmux import PROMPT, Terminal

GAME = registry.names()[-1]
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    at = Terminal(tmp_path)
    yield at
    at.close()


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Terminal]:
    at = Terminal(tmp_path)
    yield at
    at.close()


def test_a_game_is_played_killed_and_resumed(terminal: Terminal, another: Terminal) -> None:
    terminal.run(GAME, "--seed", "oak")
    terminal.until(PROMPT)
    before = terminal.play()
    os.kill(terminal.pid(), signal.SIGKILL)
    terminal.until("status 137")

    another.run("--resume")

    assert another.until(PROMPT) == before
    another.press("Escape")
    another.until("Paused")
    another.press("Down", "Enter")
    another.until("cannot be taken back")
    another.press("Down", "Enter")
    over = another.until("Esc leave")
    assert "resigned" in over
    another.press("Escape")
    assert "status 0" in another.until("status 0")


@pytest.mark.parametrize("when", ["at rest", "during a reveal", "in a menu"])
def test_ctrl_c_at_any_moment_leaves_the_terminal_clean_and_the_game_saved(
    terminal: Terminal, when: str
) -> None:
    terminal.run(GAME, "--seed", "oak")
    terminal.until(PROMPT)
    if when == "during a reveal":
        terminal.reveal()
    else:
        terminal.play()
    if when == "in a menu":
        terminal.press("Escape")
        terminal.until("Paused")

    terminal.press("C-c")

    shown = terminal.until("echo\n")
    assert "status 130" in shown
    assert "facedown play --resume" in shown
    assert "Traceback" not in shown
    assert "│" not in shown


def test_ctrl_z_sets_it_aside_and_a_polite_kill_leaves_the_terminal_clean(terminal: Terminal) -> None:
    terminal.run(GAME, "--ascii")
    assert terminal.until(PROMPT).isascii()
    assert COLOUR.search(terminal.text(colours=True))
    process = terminal.pid()
    terminal.press("C-z")
    terminal.until_shown(
        lambda _: Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T", "stopped"
    )
    os.kill(process, signal.SIGCONT)
    terminal.until(PROMPT)
    os.kill(process, signal.SIGTERM)

    shown = terminal.until("echo\n")

    assert "status 143" in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize(("environment", "coloured"), [({"TERM": "xterm"}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_used_only_if_wanted(
    terminal: Terminal, environment: dict[str, str], coloured: bool
) -> None:
    terminal.run(GAME, "--ascii", "--seed", "oak", environment=environment)
    shown = terminal.until(PROMPT)

    assert shown.isascii()
    assert bool(COLOUR.search(terminal.text(colours=True))) is coloured


def test_plain_has_no_control_codes_but_bold(terminal: Terminal) -> None:
    terminal.run(GAME, "--plain", "--seed", "oak", environment={"NO_COLOR": "1"})
    terminal.until("\n>")
    terminal.press("hand", "Enter", "quit", "Enter")
    shown = terminal.until("status 0")

    assert "You have left the table." in shown
    assert "\x1b" not in terminal.text(colours=True).replace("\x1b[39m", "").replace("\x1b[49m", "")


def test_the_menu_starts_a_game_in_japanese(terminal: Terminal) -> None:
    terminal.run("--language", "ja")
    terminal.until("Facedown")
    terminal.press("Enter")
    terminal.until("Enter 封じる")
    terminal.press("C-c")
    terminal.until("status 130")


def test_a_game_on_a_server_with_both_killed_in_the_middle(
    terminal: Terminal, another: Terminal, tmp_path: Path
) -> None:
    server = Server(tmp_path / "data").start()
    try:
        bo = signed_in(server.base, "Bo")
        made = bo.make(TableOrder(GAME, (PersonSeat(), PersonSeat()), "classic(placing=together)"))
        link = f"{server.base}/i/{made.invite}"
        other = take_seat(bo, made.table, 1)
        terminal.run("--join", link, "--names", "Ann")
        assert pick_when_due(other)
        terminal.until(PROMPT)
        terminal.play()

        server.kill()
        terminal.until("Connection lost")
        server.start()
        assert pick_when_due(other)
        terminal.until("Bo: face down")
        os.kill(terminal.pid(), signal.SIGKILL)
        terminal.until("status 137")

        another.run("--join", link)
        another.until("Bo: face down")
        another.until(PROMPT)
        decision = other.mirror.decision
        another.play()
        other.wait_for(lambda: other.mirror.decision != decision)
        other.resign()
        over = another.until("Bo resigned")
        assert "Ann won the game" in " ".join(over.split())
        another.press("Escape")
        another.until("status 0")
        other.close()
    finally:
        server.close()


def test_an_invitation_can_be_copied_whole_at_any_width(
    terminal: Terminal, another: Terminal, tmp_path: Path
) -> None:
    server = Server(tmp_path / "data").start()
    port = server.base.rpartition(":")[2]
    address = f"http://[0000:0000:0000:0000:0000:ffff:7f00:0001]:{port}" if socket.has_ipv6 else server.base
    link = re.compile(re.escape(f"{address}/i/") + r"[\w-]{22}")
    try:
        terminal.run(GAME, "--create", address, size=(72, 24))
        another.run(GAME, "--create", address, "--plain", size=(72, 24))
        for at in (terminal, another):
            at.until("Seat 2 is free.")
            assert [line for line in at.lines() if link.fullmatch(line)]
        terminal.resize(80, 30)
        terminal.until_shown(
            lambda _: any(map(link.fullmatch, terminal.lines())), "the link on one line after resizing"
        )
    finally:
        server.close()
