"""Guest accounts: names, session tokens and handover codes. The store keeps hashes of tokens only.

Knows nothing of tables and seats.
"""

from __future__ import annotations

import secrets
import unicodedata
from typing import Final, Literal, TypeAlias

from facedown.core.text.sanitise import LONGEST_ACCOUNT_NAME, one_line
from facedown.core.text.translation import ENGLISH, translate
from facedown.protocol.errors import BadMessage, BadToken
from facedown.server import clock, message
from facedown.server.ids import hash_token, new_id, new_token
from facedown.server.store.base import Store
from facedown.server.store.values import Person

Kind: TypeAlias = Literal["browser", "program"]

SESSION_MS: Final = 400 * clock.DAY_MS
"""The longest time that browsers keep a cookie."""
RENEW_MS: Final = clock.DAY_MS
"""How long after its last renewal the use of a session renews it."""
HANDOVER_MS: Final = 10 * clock.MINUTE_MS
_HANDOVER: Final = "handover"
_REMEMBERED: Final = 20_000
_CODE_LETTERS: Final = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
_SEEN: Final = frozenset("LNPS")
"""First letters of the Unicode categories of visible characters: letters, numbers, punctuation, symbols."""
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters, marks and symbols that print as nothing: fillers, joiners, and Braille's empty pattern."""
_MOST_MARKS: Final = 3
"""Marks on one letter: as many as real writing needs."""


def clean_name(text: str) -> str:
    """A name that may be shown to others; raises `BadMessage` if nothing of it is visible.

    >>> clean_name(" A\\u202en\\u3164\\n na "), len(clean_name("x" + 30 * "\\u0301"))
    ('An na', 4)
    """
    name = one_line(_without_invisible(text))[:LONGEST_ACCOUNT_NAME].strip()
    if not any(unicodedata.category(letter)[0] in _SEEN for letter in name):
        raise BadMessage("a name needs at least one letter that can be seen")
    return name


def _without_invisible(text: str) -> str:
    """The text in its composed form, without letters that show nothing and without towers of marks."""
    kept, marks = [], 0
    for letter in unicodedata.normalize("NFC", text):
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if letter not in _INVISIBLE and marks <= _MOST_MARKS:
            kept.append(letter)
    return "".join(kept)


def _guest_name(language: str) -> str:
    return translate(message("guest", number=secrets.randbelow(900) + 100), language)


class People:
    """The accounts of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._renewed: dict[bytes, int] = {}
        """When the store was last asked about each session used lately: not every request needs to ask."""

    async def guest(self, name: str | None, kind: Kind, language: str = ENGLISH) -> tuple[Person, str]:
        """A new guest and their session token; without a name, the guest gets one with a number."""
        at = clock.now()
        person = Person(new_id(), clean_name(name) if name else _guest_name(language), at)
        await self._store.add_person(person.id, person.name, at)
        return person, await self.token(person, kind)

    async def token(self, person: Person, kind: Kind) -> str:
        token, at = new_token(), clock.now()
        expires = at + SESSION_MS if kind == "browser" else None
        await self._store.add_key(hash_token(token), person.id, kind, at, expires)
        return token

    async def by_token(self, token: str, kind: Kind) -> Person | None:
        """The person of a session token; None if it is not valid."""
        return await self._store.person_of(hash_token(token), kind, clock.now())

    async def renew(self, token: str, kind: Kind) -> bool:
        """Let a session that is used last longer, at most once a day; returns whether it was renewed."""
        key, at = hash_token(token), clock.now()
        if at - self._renewed.get(key, at - RENEW_MS) < RENEW_MS:
            return False
        self._renewed[key] = at
        if len(self._renewed) > _REMEMBERED:
            del self._renewed[next(iter(self._renewed))]
        times = await self._store.key_times(key)
        if times is None or at - times[0] < RENEW_MS:
            return False
        await self._store.use_key(key, at, at + SESSION_MS if kind == "browser" else None)
        return True

    async def rename(self, person: Person, name: str) -> Person:
        name = clean_name(name)
        await self._store.rename(person.id, name)
        return Person(person.id, name, person.created_at)

    async def forget(self, token: str) -> None:
        await self._store.drop_key(hash_token(token))

    async def handover(self, person: Person) -> tuple[str, int]:
        """A code with which a person continues on another device, once, and when it expires."""
        code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(12))
        at = clock.now()
        await self._store.add_key(hash_token(code), person.id, _HANDOVER, at, at + HANDOVER_MS)
        return code, at + HANDOVER_MS

    async def redeem(self, code: str, kind: Kind) -> tuple[Person, str]:
        """The person of a handover code, and a new session token; raises `BadToken` for an invalid code."""
        person = await self._store.take_key(hash_token(code.strip().upper()), _HANDOVER, clock.now())
        if person is None:
            raise BadToken("this code was used before, or is older than ten minutes")
        return person, await self.token(person, kind)
