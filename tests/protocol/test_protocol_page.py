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


def page_blocks() -> list[list[str]]:
    """The blocks of the page, each with its lines."""
    text = PAGE.read_text(encoding="utf-8")
    return [[line.strip() for line in block.splitlines()] for block in BLOCK.findall(text)]


def matches(line: str, sent: str) -> bool:
    """Whether a line of the page, with what it leaves out, is this one."""
    return re.fullmatch(".*".join(map(re.escape, line.split(LEFT_OUT))), sent) is not None


def test_every_line_was_sent_in_this_order() -> None:
    sent = SHOWN.read_text(encoding="utf-8").splitlines()
    for block in page_blocks():
        at = next((number for number, line in enumerate(sent) if matches(block[0], line)), None)
        assert at is not None, block[0]
        for line in block:
            found = next((number for number in range(at, len(sent)) if matches(line, sent[number])), None)
            assert found is not None, f"this was not sent, or not in this order: {line}"
            at = found + 1

    assert sum(map(len, page_blocks())) > 25


def test_every_command_is_on_the_page() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("## Commands")[2].partition("\n## ")[0]

    commands = get_args(get_type_hints(Cmd)["do"])
    assert [each for each in commands if f"`{each}`" not in table] == []
