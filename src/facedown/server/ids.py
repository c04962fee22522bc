"""Random ids, tokens and invite codes; tokens are stored as hashes."""

from __future__ import annotations

import hashlib
import secrets
import string
import sys
from typing import Final

_CROCKFORD: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH: Final = 26
BOT_PREFIX: Final = "BOT"
"""The beginning of a bot's id; no other id has an O."""
TOKEN_PREFIX: Final = "fdn_"
_LETTERS: Final = string.ascii_letters + string.digits
_SECRET: Final = 32
_IN_PAGE: Final = "LOCAL"
"""Marks the tables of a server inside a browser's page, which asks it for them; no other id has an L."""


def new_table_id() -> str:
    """The id of a new table."""
    return (_IN_PAGE + new_id())[:_LENGTH] if sys.platform == "emscripten" else new_id()


def new_id() -> str:
    """A name of 130 random bits, in 26 letters and digits that are not easily mistaken for each other."""
    return "".join(secrets.choice(_CROCKFORD) for _ in range(_LENGTH))


def new_bot_id() -> str:
    """The id of a new bot: by it alone, forever, everyone knows that this is no person."""
    return (BOT_PREFIX + new_id())[:_LENGTH]


def is_bot(person: str) -> bool:
    """Whether this id is a bot's, and not a person's."""
    return person.startswith(BOT_PREFIX)


def new_token() -> str:
    """A secret of 256 random bits, for a cookie, a program or a seat."""
    return secrets.token_urlsafe(32)


def new_api_token() -> str:
    """A personal token of 190 random bits; its prefix lets scanners of published secrets find it."""
    return TOKEN_PREFIX + "".join(secrets.choice(_LETTERS) for _ in range(_SECRET))


def new_code() -> str:
    """A secret of 128 random bits that fits into a link."""
    return secrets.token_urlsafe(16)


def hash_token(token: str) -> bytes:
    """The SHA-256 hash of a token: the store holds only this, never the token."""
    return hashlib.sha256(token.encode()).digest()


def public_id(token: str) -> str:
    """A name for what a token stands for; the token does not follow from it."""
    return hash_token(f"id {token}").hex()[:_LENGTH].upper()
