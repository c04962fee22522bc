"""`facedown play` at a terminal without a full screen: a menu of the games, and the chosen one is played."""

from __future__ import annotations

import os
import pty
import select
import subprocess
from functools import partial

from facedown.core import registry
from tests.cli.command import command, environment

_PATIENCE = 10


def typed_at_a_terminal(answers: list[bytes]) -> tuple[int, str]:
    """The command in a terminal of its own; each answer is typed at the next question."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command("play"), env={**environment(), "TERM": "dumb"}, preexec_fn=partial(os.login_tty, theirs)
    )
    os.close(theirs)
    shown = b""
    for answer in answers:
        question = len(shown)
        while not shown[question:].endswith((b"? (a number, or Enter to leave) ", b"\n> ")):
            shown += os.read(ours, 10_000)
        os.write(ours, answer)
    try:
        while True:
            if not select.select([ours], [], [], _PATIENCE)[0]:
                os.write(ours, answers[-1])  # on a busy machine it can get lost between two steps: again
                continue
            shown += os.read(ours, 10_000)
    except OSError:  # the terminal is closed when the command has ended
        pass
    status = process.wait()
    os.close(ours)
    return status, shown.decode()


def test_a_number_chooses_a_game_and_starts_it() -> None:
    status, shown = typed_at_a_terminal([b"nonsense\n", b"99\n", b"1\n", b"quit\n"])

    assert status == 0
    assert all(str(registry.get(name).meta.title) in shown for name in registry.names())
    assert shown.count("There is no game ") == 2
    assert f"\r\n{registry.get(registry.names()[0]).meta.title}, " in shown
    assert "You have left the table." in shown


def test_enter_and_ctrl_d_leave() -> None:
    assert typed_at_a_terminal([b"\n"])[0] == 0
    assert typed_at_a_terminal([b"\x04"])[0] == 0


def test_ctrl_c_leaves_with_its_own_status() -> None:
    status, shown = typed_at_a_terminal([b"\x03"])

    assert "Traceback" not in shown
    assert status == 130
