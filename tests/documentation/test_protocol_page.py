"""The page on the protocol shows a conversation that was really held: line by line, in its order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args, get_type_hints

from facedown.protocol.messages import Cmd
from tests.server.conversation.record import SHOWN

PAGE = Path(__file__).parents[2] / "docs/protocol.md"
BLOCK = re.compile(r"^ *```text\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = "…"


def shown() -> list[list[str]]:
    """The blocks of the page, each with its lines."""
    text = PAGE.read_text(encoding="utf-8")
    return [[line.strip() for line in block.splitlines()] for block in BLOCK.findall(text)]


def matches(line: str, said: str) -> bool:
    """Whether a line of the page, with what it leaves out, is this one."""
    return re.fullmatch(".*".join(map(re.escape, line.split(LEFT_OUT))), said) is not None


def test_every_line_was_sent_in_this_order() -> None:
    said = SHOWN.read_text(encoding="utf-8").splitlines()
    for block in shown():
        at = next((number for number, line in enumerate(said) if matches(block[0], line)), None)
        assert at is not None, block[0]
        for line in block:
            found = next((number for number in range(at, len(said)) if matches(line, said[number])), None)
            assert found is not None, f"this was not said, or not in this order: {line}"
            at = found + 1

    assert sum(map(len, shown())) > 25


def test_every_command_stands_on_the_page() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("## Commands")[2].partition("\n## ")[0]

    commands = get_args(get_type_hints(Cmd)["do"])
    assert [each for each in commands if f"`{each}`" not in table] == []


def test_a_line_that_was_not_sent_is_noticed() -> None:
    assert matches('< {"t":"ack",…}', '< {"t":"ack","id":"a","v":7}')
    assert not matches('< {"t":"ack","v":8…}', '< {"t":"ack","v":7,"next":null}')
