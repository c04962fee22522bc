"""WebSocket frames of the common kind, read and written directly: whole masked texts in, texts out.

Anything else is left to the parser of the `websockets` library, with which this must agree for any bytes.
Reading whole texts here gives 1.03 to 1.08 times as many picks per CPU-second (`bench/server.py --here --only
Facedown --speed --tree … --rounds 3 --seconds 4`, 17 November 2026, both games, flat out and paced).
"""

from __future__ import annotations

from struct import Struct
from typing import Final, final

try:
    from websockets.speedups import apply_mask
except ImportError:  # the library was installed without its C extension
    from websockets.utils import apply_mask

_TEXT: Final = 0x81  # a text in one frame, without extensions
_MASKED: Final = 0x80
_TWO_BYTES: Final = 126  # the length is in the next two bytes
_EIGHT_BYTES: Final = 127
_SHORTEST: Final = 6  # two bytes of header, four of the mask
_long_header: Final = Struct("!BBH").pack
_longest_header: Final = Struct("!BBQ").pack


def text_frame(text: bytes) -> bytes:
    """A text as a server sends it: one frame, without a mask.

    >>> text_frame(b"hi")
    b'\\x81\\x02hi'
    """
    size = len(text)
    if size < _TWO_BYTES:
        return bytes((_TEXT, size)) + text
    if size < 1 << 16:
        return _long_header(_TEXT, _TWO_BYTES, size) + text
    return _longest_header(_TEXT, _EIGHT_BYTES, size) + text


def whole_text(data: bytes, start: int, longest: int) -> tuple[bytes, int] | None:
    """The text of the frame that begins here, and where the next frame begins.

    None if it is anything but a whole masked text of at most `longest` bytes: the library parses it.

    >>> whole_text(b"\\x81\\x82\\x00\\x00\\x00\\x00hi...", 0, 4096)
    (b'hi', 8)
    """
    if len(data) - start < _SHORTEST or data[start] != _TEXT:
        return None
    size, at = data[start + 1] - _MASKED, start + 2
    if size == _TWO_BYTES:
        size, at = data[at] << 8 | data[at + 1], at + 2
    elif not 0 <= size < _TWO_BYTES:
        return None
    body = at + 4
    end = body + size
    if end > len(data) or size > longest:
        return None
    return apply_mask(data[body:end], data[at:body]), end


@final
class FrameCursor:
    """Follows the frames in the bytes that the library parses, to know when one is complete."""

    __slots__ = ("_header", "_left")

    def __init__(self) -> None:
        self._header = b""  # of the current frame, without its mask; empty once it is complete
        self._left = 0  # bytes of mask and payload that are still to come

    @property
    def is_between_frames(self) -> bool:
        """Whether the next byte begins a frame."""
        return not self._left and not self._header

    def advance(self, data: bytes) -> None:
        at = 0
        while at < len(data):
            if self._left:
                step = min(self._left, len(data) - at)
                self._left -= step
                at += step
                continue
            self._header += data[at : at + 1]
            at += 1
            rest = _after_header(self._header)
            if rest is not None:
                self._header, self._left = b"", rest


def _after_header(header: bytes) -> int | None:
    """The size of mask and payload; None while the header is incomplete."""
    if len(header) < 2:
        return None
    mask = 4 if header[1] & _MASKED else 0
    size = header[1] & ~_MASKED
    if size < _TWO_BYTES:
        return mask + size
    end = 4 if size == _TWO_BYTES else 10
    return mask + int.from_bytes(header[2:end], "big") if len(header) == end else None
