"""The browser's types of the protocol are those of the structs: generated, committed and up to date."""

from __future__ import annotations

import pytest

from facedown.protocol import messages
from scripts import browser_types


@pytest.mark.parametrize("name", browser_types.FILES)
def test_the_committed_declarations_are_those_of_the_structs(name: str) -> None:
    written = (browser_types.FOLDER / name).read_text(encoding="utf-8")

    assert written == browser_types.declarations(name), "run scripts/browser_types.py"


def test_every_message_of_both_directions_is_declared() -> None:
    text = browser_types.declarations("protocol.d.ts")
    for message in (messages.Hello, messages.Cmd, messages.Snap, messages.Ev, messages.Bye):
        assert f"export interface {message.__name__} {{\n  t: " in text
