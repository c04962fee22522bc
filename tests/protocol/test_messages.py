"""WebSocket messages: what is read, what is refused and in which words, and the status of every error."""

from __future__ import annotations

import json

import pytest

from facedown.core.errors import IllegalPick
from facedown.protocol.errors import BadMessage, status_of
from facedown.protocol.messages import (
    Ack,
    ClientMessage,
    Cmd,
    Hello,
    Nak,
    Pong,
    Take,
    decode_client_message,
    decode_server_message,
    encode,
    nak,
)

TABLE = "0" * 26


@pytest.mark.parametrize(
    ("message", "written"),
    [
        (Hello(TABLE), {"t": "hello", "table": TABLE}),
        (
            Hello(TABLE, "secret", 7, False),
            {"t": "hello", "table": TABLE, "token": "secret", "v": 7, "play": False},
        ),
        (Cmd("a", "say", text="hello"), {"t": "cmd", "id": "a", "do": "say", "text": "hello"}),
        (Take(), {"t": "take"}),
        (Pong(), {"t": "pong"}),
    ],
)
def test_the_server_reads_what_a_client_writes(message: ClientMessage, written: object) -> None:
    frame = encode(message)

    assert json.loads(frame) == written
    assert decode_client_message(frame) == message


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"[]",
        b'{"t":"weather"}',
        b'{"t":"cmd","id":"a","do":"win"}',
        b'{"t":"cmd","id":"a b","do":"resign"}',
        b'{"t":"cmd","id":"a\\n","do":"resign"}',
        b'{"t":"cmd","id":"a","do":"pick","nonce":"5ec2e7"}',
        b'{"t":"hello","table":"5ec2e7"}',
        b'{"t":"cmd","id":"5ec2e7","do":"say","text":"\xff"}',
        b"[" * 10_000,
    ],
)
def test_a_text_that_is_no_message_is_refused_without_repeating_it(frame: bytes) -> None:
    with pytest.raises(BadMessage, match="not a message of this protocol") as refused:
        decode_client_message(frame)

    assert "5ec2e7" not in str(refused.value.message)


@pytest.mark.parametrize("answer", [Ack("a", 7), Nak("a", "not_now", "too late", "E3", 409)])
def test_a_client_reads_what_the_server_answers(answer: Ack | Nak) -> None:
    assert decode_server_message(encode(answer)) == answer
    assert decode_server_message(encode(answer).decode()) == answer


def test_a_refusal_has_the_code_the_words_and_the_rule_of_its_error() -> None:
    error = IllegalPick("no such card", rule="E5")

    assert nak("a", error, status_of(error)) == Nak("a", error.code, "no such card", "E5", 409)
