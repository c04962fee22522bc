"""What is parsed, each as a function of bytes that fails where a promise is broken.

Whatever comes in: it is accepted, or refused with an error of ours that has a stable code. What was accepted
is written and read again without a difference.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any

import msgspec

from facedown.client.decode import read_events, read_view
from facedown.core import registry
from facedown.core.errors import FacedownError
from facedown.core.parts.explorer import read_habit
from facedown.core.parts.solver import read_position
from facedown.core.record import Record
from facedown.proof import verify
from facedown.protocol.messages import (
    Snap,
    command_id_of,
    decode_client_message,
    decode_server_message,
    encode,
)
from facedown.server.names import clean_name, skeleton
from facedown.server.sockets.frames import FrameCursor, whole_text
from facedown.study.explore import explorer_of

SECONDS = 60.0
"""Of processor time, for one small input: more than the slowest takes on any machine by far."""


class Hang(Exception):
    """An input that is not done after `SECONDS` of processor time."""


@contextmanager
def bounded() -> Iterator[None]:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise Hang

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def is_refused(parse: Callable[[], object]) -> bool:
    """Whether the input is refused, which it may be with an error of ours only."""
    try:
        parse()
    except FacedownError as error:
        check_refusal(error)
        return True
    return False


def check_refusal(error: FacedownError) -> None:
    """A stable code, and a sentence that can be printed and sent."""
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", error.code), error.code
    for text in (str(error), str(error.message)):
        assert 1 <= len(text) < 5000, len(text)
        text.encode()


def text_of(data: bytes) -> str:
    """As the command line and JSON hand text over: anything, lone surrogates too."""
    return data.decode("utf-8", "surrogateescape")


# --- records and rules -----------------------------------------------------------------------------------


def record(data: bytes) -> None:
    if is_refused(lambda: Record.read(data)):
        return
    found = Record.read(data)
    again = Record.read(found.write())
    assert replace(again, signed=None) == replace(
        found, signed=None
    )  # a signature is of the text as it was read
    assert again.write() == found.write()
    is_refused(lambda: list(verify(found)))


def rules(data: bytes) -> None:
    text = text_of(data)
    for name in registry.names():
        kind = registry.get(name).rules
        if not is_refused(lambda kind=kind: kind.read(text)):  # type: ignore[misc]  # bound here
            found = kind.read(text)
            assert kind.read(str(found)) == found
            assert str(kind.read(str(found))) == str(found)


def position(data: bytes) -> None:
    text = text_of(data)
    for name in registry.names():
        explorer = explorer_of(name)
        if explorer is not None:
            is_refused(lambda explorer=explorer: read_position(explorer, text))  # type: ignore[misc]
            is_refused(lambda explorer=explorer: read_habit(explorer, text))  # type: ignore[misc]


def pick(data: bytes) -> None:
    text = text_of(data)
    for name in registry.names():
        game = registry.get(name)
        if not is_refused(lambda game=game: game.read_pick(text)):  # type: ignore[misc]
            found = game.read_pick(text)
            assert game.read_pick(found) == found


# --- the wire --------------------------------------------------------------------------------------------


def client_message(data: bytes) -> None:
    is_refused(lambda: command_id_of(data))
    if not is_refused(lambda: decode_client_message(data)):
        found = decode_client_message(data)
        assert decode_client_message(encode(found)) == found


def server_message(data: bytes) -> None:
    if is_refused(lambda: decode_server_message(data)):
        return
    found = decode_server_message(data)
    if found is None:
        return
    assert decode_server_message(encode(found)) == found
    if isinstance(found, Snap):
        is_refused(lambda: read_snap(found))


def read_snap(found: Any) -> None:
    read_view(registry.get(found.table.game), found.view)
    for events in (getattr(found, "events", None) or (),):
        read_events(events)


def frames(data: bytes) -> None:
    """Frames are followed in the same way however the bytes are cut into packets."""
    whole, single = FrameCursor(), FrameCursor()
    whole.advance(data)
    for place in range(len(data)):
        single.advance(data[place : place + 1])
    assert whole.is_between_frames == single.is_between_frames
    found = whole_text(data, 0, 4096)
    if found is not None:
        text, end = found
        assert len(text) <= 4096
        assert 6 <= end <= len(data)
        first = FrameCursor()
        first.advance(data[:end])
        assert first.is_between_frames


def name(data: bytes) -> None:
    text = text_of(data)
    skeleton(text).encode("utf-8", "surrogateescape")
    if not is_refused(lambda: clean_name(text)):
        found = clean_name(text)
        assert clean_name(found) == found
        assert 1 <= len(found) <= 32
        found.encode()
        assert skeleton(found)
        msgspec.json.encode(found)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "record": record,
    "rules": rules,
    "position": position,
    "pick": pick,
    "client_message": client_message,
    "server_message": server_message,
    "frames": frames,
    "name": name,
}
