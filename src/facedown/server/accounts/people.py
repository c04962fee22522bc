"""People and their session tokens. The store keeps hashes of tokens only.

Knows nothing of tables and seats.
"""

from __future__ import annotations

import secrets
from typing import Final, Literal, TypeAlias

from facedown.core.text.translation import ENGLISH, translate
from facedown.protocol.errors import NameIsHandle
from facedown.server import clock, message
from facedown.server.accounts.devices import UNKNOWN, Device
from facedown.server.ids import hash_token, is_bot, new_id, new_token, public_id
from facedown.server.names import clean_name, fold_handle, shown_handle
from facedown.server.store.accounts import SessionOrigin
from facedown.server.store.base import Store
from facedown.server.store.values import Person

Kind: TypeAlias = Literal["browser", "program", "token"]
"""Of a credential: a cookie, the bearer token of a program's session, or a personal token (`tokens.py`)."""
Made: TypeAlias = Literal["guest", "handover", "code", "passkey"]
"""How a session was made."""

SESSION_MS: Final = 400 * clock.DAY_MS
"""The longest time that browsers keep a cookie."""
RENEW_MS: Final = clock.DAY_MS
"""How long after its last renewal the use of a session renews it."""
NOTE_MS: Final = 60_000
_REMEMBERED: Final = 20_000


def _expires(kind: Kind, at: int) -> int | None:
    return at + SESSION_MS if kind == "browser" else None


def _guest_name(language: str) -> str:
    return translate(message("guest", number=secrets.randbelow(9000) + 1000), language)


def _name_is_handle() -> NameIsHandle:
    return NameIsHandle("a kept account is called by its handle: only its capitals can change")


class People:
    """The accounts of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._renewed: dict[bytes, int] = {}
        """When the store was last asked about each session used lately: not every request needs to ask."""

    async def guest(
        self, name: str | None, kind: Kind, language: str = ENGLISH, device: Device = UNKNOWN
    ) -> tuple[Person, str]:
        """A new guest and their session token; without a name, the guest gets one with a number."""
        at = clock.now()
        person = Person(new_id(), clean_name(name) if name else _guest_name(language), at)
        await self._store.add_person(person.id, person.name, at)
        return person, await self.token(person, kind, device)

    async def token(
        self,
        person: Person,
        kind: Kind,
        device: Device = UNKNOWN,
        made: Made = "guest",
    ) -> str:
        """A token for a new session on this device."""
        token, at = new_token(), clock.now()
        origin = SessionOrigin(public_id(token), device.app, device.system, made)
        await self._store.add_key(hash_token(token), person.id, kind, at, _expires(kind, at), origin)
        return token

    async def token_of_handover(self, claim: bytes, kind: Kind, device: Device) -> tuple[str, str] | None:
        """The person of a handover that was allowed, and a token for the session that it makes."""
        token, at = new_token(), clock.now()
        origin = SessionOrigin(public_id(token), device.app, device.system, "handover")
        key = hash_token(token)
        person = await self._store.take_handover(claim, at, key, kind, _expires(kind, at), origin)
        return None if person is None else (person, token)

    async def by_token(self, token: str, kind: Kind) -> Person | None:
        """The person of a session token; None if it is not valid."""
        return await self._store.person_of(hash_token(token), kind, clock.now())

    async def renew(self, token: str, kind: Kind) -> bool:
        """Let a session that is used last longer, at most once a day; returns whether it was renewed.

        The last use of a personal token is noted to the minute."""
        key, at, every = hash_token(token), clock.now(), NOTE_MS if kind == "token" else RENEW_MS
        if at - self._renewed.get(key, at - every) < every:
            return False
        self._renewed[key] = at
        if len(self._renewed) > _REMEMBERED:
            del self._renewed[next(iter(self._renewed))]
        times = await self._store.key_times(key)
        if times is None or (at - times[0] < every and kind != "token"):
            return False
        await self._store.use_key(key, at, at + SESSION_MS if kind == "browser" else None)
        return True

    async def rename(self, person: Person, name: str) -> Person:
        """Rename a guest, or change the capitals of a handle; raises `NameIsHandle` for anything else."""
        name, folded = clean_name(name), fold_handle(name)
        account = await self._store.accounts.account(person.id)
        if account is not None and (is_bot(person.id) or folded != fold_handle(account.handle)):
            raise _name_is_handle()
        name = name if account is None else shown_handle(name)
        if not await self._store.accounts.rename(person.id, name, folded):  # it was kept just now
            raise _name_is_handle()
        return Person(person.id, name, person.created_at)

    async def forget(self, token: str) -> None:
        await self._store.drop_key(hash_token(token))
