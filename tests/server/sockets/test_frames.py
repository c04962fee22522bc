"""Frames that are read and written directly: the same as by the library, whatever comes in which pieces."""

from __future__ import annotations

import asyncio
import dataclasses
from itertools import pairwise
from typing import Any, cast
from unittest.mock import Mock

from hypothesis import example, given, settings
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from facedown.server.accounts.credentials import Credential
from facedown.server.ops.rate_limits import Limits, Rate
from facedown.server.sockets.connection import WebSocketConnection
from facedown.server.sockets.connections import WebSocketConnections
from facedown.server.sockets.contract import Channel, CloseReason, SocketLimits
from facedown.server.sockets.frames import text_frame
from tests.server.sockets.raw import HANDSHAKE
from tests.server.sockets.room import USUAL

_LIKE_A_FRAME = b"\x81\x80\x00\x00"
"""A mask that looks like the beginning of a text."""


class _Wire:
    """A transport that records what is written."""

    def __init__(self) -> None:
        self.written = b""
        self.ended = ""

    def write(self, data: bytes) -> None:
        self.written += data

    def write_eof(self) -> None:
        self.ended = self.ended or "eof"

    def close(self) -> None:
        self.ended = self.ended or "closed"

    abort = close

    def is_closing(self) -> bool:
        return self.ended == "closed"

    def get_write_buffer_size(self) -> int:
        return 0

    def get_extra_info(self, name: str) -> Any:
        return ("127.0.0.1", 1) if name == "peername" else None

    def set_write_buffer_limits(self, high: int, low: int) -> None: ...


class _Peer:
    """Receives the messages of one connection, answers each, and closes it after `bye`."""

    def __init__(self, channel: Channel) -> None:
        self.received_texts: list[bytes] = []
        self._channel = channel

    def receive(self, text: bytes) -> None:
        self.received_texts.append(text)
        self._channel.send(b"heard")
        if text == b"bye":
            self._channel.close(1000, "bye")

    def ping(self) -> bytes:
        return b"ping"

    def goodbye(self, why: CloseReason) -> bytes:
        return why.encode()

    def connection_lost(self) -> None: ...


def _conversation(pieces: list[bytes], *, read_by: str = "") -> tuple[object, ...]:
    """What these bytes lead to: the texts received, the bytes written, how it ended.

    Read by "library", all of them go to the library's parser; by "us", none of them may.
    """
    return asyncio.run(_talk(pieces, read_by))


async def _talk(pieces: list[bytes], read_by: str) -> tuple[object, ...]:
    peers: list[_Peer] = []

    def peer(channel: Channel) -> _Peer:
        peers.append(_Peer(channel))
        return peers[-1]

    unpaced = dataclasses.replace(USUAL, frame_pace=Rate(1_000_000, 1))
    limits = Limits(unpaced, lambda: 0.0)
    hub = WebSocketConnections(peer, limits, SocketLimits(message=300), now=lambda: 0.0)
    wire, connection = _Wire(), WebSocketConnection(hub, set())
    connection.connection_made(cast(Any, wire))
    connection.data_received(HANDSHAKE)
    await asyncio.sleep(0)  # what is queued is written
    if read_by == "us":
        connection._protocol.receive_data = Mock(side_effect=AssertionError)  # type: ignore[method-assign]
    for piece in pieces:
        if read_by == "library":
            connection._between_frames = False
        connection.data_received(piece)
        await asyncio.sleep(0)
    credential: Credential | None = connection.credential
    received = [peer.received_texts for peer in peers]
    written = wire.written.partition(b"\r\n\r\n")[2]  # the handshake holds the time of day
    return received, written, wire.ended, hub.counts, connection.due, credential


def _frame(opcode: int, payload: bytes, *, mask: bytes = _LIKE_A_FRAME, wide: int = 0) -> bytes:
    """A frame as a client may send it: with any first byte, without a mask, with a longer length."""
    size = len(payload)
    wide = max(wide, 0 if size < 126 else 2 if size < 1 << 16 else 8)
    first = {0: size, 2: 126, 8: 127}[wide]
    rest = size.to_bytes(wide, "big") if wide else b""
    if not mask:
        return bytes((opcode, first, *rest)) + payload
    body = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
    return bytes((opcode, first | 0x80, *rest)) + mask + body


_sizes = st.sampled_from([0, 1, 2, 125, 126, 299, 300, 301])
_sayings = st.one_of(_sizes.map(lambda size: b"x" * size), st.text(max_size=8).map(str.encode))
_texts = st.builds(_frame, st.just(0x81), _sayings)
_last_words = st.builds(_frame, st.just(0x81), st.sampled_from([b"bye", b"\xff\xfe"]))
_any = st.builds(
    _frame,
    st.sampled_from([0x01, 0x00, 0x80, 0x81, 0x82, 0x88, 0x89, 0x8A, 0xC1, 0x83, 0x09]),
    st.one_of(_sayings, st.sampled_from([b"\x03\xe8", b"\x03\xe8why"])),
    mask=st.sampled_from([_LIKE_A_FRAME, b"\x01\x7f\x80\xfe", b""]),
    wide=st.sampled_from([0, 0, 2, 8]),
)
_streams = st.lists(st.one_of(_texts, _texts, _any, st.binary(max_size=5)), max_size=6).map(b"".join)
_ending = st.lists(st.one_of(_texts, _last_words), max_size=6).map(b"".join)
_cuts = st.lists(st.integers(0, 400), max_size=5)


def _cut(stream: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    return [stream[start:end] for start, end in pairwise(places)]


def _one_by_one(stream: bytes) -> list[bytes]:
    return [stream[place : place + 1] for place in range(len(stream))]


@settings(max_examples=50)
@given(stream=_streams, cuts=_cuts)
@example(stream=_frame(0x81, b"one") + _frame(0x81, b"two"), cuts=[2])  # the parser's buffer is empty there
@example(stream=_frame(0x81, b"one") * 300, cuts=[])  # too many
@example(stream=_frame(0x01, b"o") + _frame(0x81, b"two") + _frame(0x80, b"ne"), cuts=[8])
@example(stream=_frame(0x81, b"\xff") + _frame(0x01, b"") + _frame(0x81, b""), cuts=[])  # wrong twice
def test_any_bytes_in_any_pieces_come_to_what_the_library_makes_of_them(
    stream: bytes, cuts: list[int]
) -> None:
    pieces = _cut(stream, cuts)
    found = _conversation(pieces)
    if found != _conversation(pieces, read_by="library"):
        # the library parses everything that came before the first text is handled
        assert found == _conversation(_one_by_one(stream), read_by="library")


@given(stream=_ending, cuts=_cuts)
def test_nothing_counts_that_comes_after_the_last_words(stream: bytes, cuts: list[int]) -> None:
    # Byte by byte, as the library looks at whatever came with a message before the message is answered.
    found = _conversation(_cut(stream, cuts))
    assert found == _conversation(_one_by_one(stream), read_by="library")


def test_whole_texts_never_reach_the_library() -> None:
    texts = [b"one", b"x" * 200, b"three"]
    received, *_ = _conversation([b"".join(_frame(0x81, text) for text in texts)], read_by="us")
    assert received == [texts]


@given(size=st.sampled_from([0, 1, 125, 126, 127, 65_535, 65_536, 70_000]))
def test_a_text_is_framed_as_the_library_does(size: int) -> None:
    text = b"x" * size
    assert text_frame(text) == Frame(Opcode.TEXT, text).serialize(mask=False)
