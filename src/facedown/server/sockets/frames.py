"""WebSocket frames of the common kind, read and written directly: whole masked texts in, texts out.

Anything else is left to the `websockets` library's parser, with which this must agree for any bytes.
"""

from __future__ import annotations

from collections.abc import Generator
from struct import Struct
from types import GeneratorType
from typing import Any, Final

from websockets.streams import StreamReader

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library was installed without its C extension
    from websockets.utils import apply_mask

_TEXT: Final = 0x81  # a text in one frame, without extensions
_MASKED: Final = 0x80
_TWO_BYTES: Final = 126  # the length stands in the next two bytes
_EIGHT_BYTES: Final = 127
_SHORTEST: Final = 6  # two bytes of header, four of the mask
_long_header: Final = Struct("!BBH").pack
_longest_header: Final = Struct("!BBQ").pack
_BETWEEN_FRAMES: Final = StreamReader.at_eof.__code__


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

    None where it is anything but a whole masked text of at most `longest` bytes: the library looks at it.

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


def is_between_frames(parser: Generator[Any, Any, Any]) -> bool:
    """Whether the library's parser waits for the first byte of a frame.

    Its buffer does not say so: it is empty as well once the header of an incomplete frame was read.
    """
    innermost: object = parser
    while isinstance(innermost, GeneratorType):
        waits_in, innermost = innermost.gi_code, innermost.gi_yieldfrom
    return waits_in is _BETWEEN_FRAMES
