"""Descriptions for clients in other languages: they are valid, and real conversations match them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from facedown.protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, json_schema, tag_of

GOLDEN = Path(__file__).parents[1] / "server/conversation/golden"
SERVER_TAGS = {tag_of(each) for each in SERVER_MESSAGES}
CLIENT_TAGS = {tag_of(each) for each in CLIENT_MESSAGES}


def validator(name: str) -> jsonschema_rs.Validator:
    schema = json_schema()
    return jsonschema_rs.validator_for({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})


def frames(mark: str) -> list[dict[str, Any]]:
    """The messages of the recorded conversations in one direction, if they are JSON with a tag."""
    lines = [line for path in sorted(GOLDEN.iterdir()) for line in path.read_text("utf-8").splitlines()]
    return [json.loads(line[2:]) for line in lines if line.startswith(f'{mark} {{"t":')]


def test_every_message_that_a_server_sent_is_valid() -> None:
    valid = validator("ServerMessage")
    sent = [frame for frame in frames("<") if frame["t"] in SERVER_TAGS]

    assert {frame["t"] for frame in sent} == SERVER_TAGS - {"ping"}  # no part of a recorded conversation
    assert [frame for frame in sent if not valid.is_valid(frame)] == []


def test_messages_of_clients_are_valid_unless_the_server_refused_them() -> None:
    valid = validator("ClientMessage")
    refused = {frame["id"] for frame in frames("<") if frame.get("code") == "bad_message" and "id" in frame}
    sent = frames(">")

    unreadable = [frame for frame in sent if not valid.is_valid(frame)]

    assert len(sent) > 50
    assert {frame["t"] for frame in sent} == CLIENT_TAGS - {"pong"}
    assert all(frame.get("id") in refused or frame["t"] == "hello" for frame in unreadable)
    assert len(unreadable) < 5


@pytest.mark.parametrize("message", [*CLIENT_MESSAGES, *SERVER_MESSAGES], ids=tag_of)
def test_a_message_without_its_fields_is_not_valid(message: Any) -> None:
    schema = json_schema()["$defs"][message.__name__]

    assert schema["description"]
    assert "t" in schema["required"]
    assert not validator(message.__name__).is_valid({})
