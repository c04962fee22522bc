"""The spelling of ids and of bytes in hexadecimal, checked without regular expressions: those take ten times
as long, and every pick holds three such texts. What is refused is said in msgspec's own words.
"""

from __future__ import annotations

import re
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

ID: Final = "^[0-9A-Za-z_-]{1,32}$"
HEX32: Final = "^[0-9a-f]{64}$"
"""The patterns, as the schemas show them."""

QuickId: TypeAlias = Annotated[
    str,
    Meta(
        max_length=32,
        description="unique for this seat and its sender, such as a ULID",
        extra_json_schema={"pattern": ID},
    ),
]
"""An id whose spelling is checked by `check_id`, after it was decoded."""
QuickHex32: TypeAlias = Annotated[
    str, Meta(max_length=64, description="32 bytes in hexadecimal", extra_json_schema={"pattern": HEX32})
]
"""32 bytes in hexadecimal whose spelling is checked by `check_hex32`, after they were decoded."""

_is_id: Final = re.compile(ID.replace("$", r"\Z")).match


def check_id(field: str, text: str) -> None:
    """Raise `ValueError` unless a text is spelled like an id.

    >>> check_id("id", "a b")
    Traceback (most recent call last):
    ValueError: Expected `str` matching regex '^[0-9A-Za-z_-]{1,32}$' - at `$.id`
    """
    plain = text.isascii() and text.isalnum() and len(text) <= 32  # nearly all are
    if not plain and _is_id(text) is None:
        raise ValueError(_misspelled(field, ID))


def check_hex32(field: str, text: str) -> None:
    """Raise `ValueError` unless a text is 32 bytes in hexadecimal, in lower case and nothing besides."""
    try:
        if len(text) == 64 and bytes.fromhex(text).hex() == text:
            return
    except ValueError:
        pass
    raise ValueError(_misspelled(field, HEX32))


def _misspelled(field: str, pattern: str) -> str:
    return f"Expected `str` matching regex {pattern!r} - at `$.{field}`"
