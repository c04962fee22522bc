"""The browser's types of the protocol are those of the structs: generated, committed and up to date."""

from __future__ import annotations

import msgspec
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


@pytest.mark.parametrize(
    ("kind", "declared"),
    [
        (int, "number"),
        (str | None, "string | null"),
        (tuple[tuple[int, ...], ...], "number[][]"),
        (tuple[int | None, ...], "(number | null)[]"),
        (dict[str, int], "Record<string, number>"),
        (msgspec.Raw, "any"),
        (messages.Clock, "Clock"),
    ],
)
def test_types_are_written_as_typescript_has_them(kind: object, declared: str) -> None:
    ((schema,), _) = msgspec.json.schema_components([kind], ref_template="{name}")

    assert browser_types.typed(schema) == declared


def test_fields_that_may_be_left_out_are_optional() -> None:
    lines = browser_types.declarations("protocol.d.ts").split("\n")
    start = lines.index("export interface Ack {")

    assert lines[start + 1 : start + 5] == [
        '  t: "ack";',
        "  id: string;",
        "  v: number;",
        "  next?: string | null;",
    ]
