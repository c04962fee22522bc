"""Handover to another device: one device makes a code, another claims it, and the first one lets it in.

Both show the same two digits in the meantime. Everything is in the store: any server can answer.
"""

from __future__ import annotations

import secrets
from typing import Final

from facedown.core.errors import NotNow
from facedown.protocol.errors import BadToken
from facedown.server import clock
from facedown.server.accounts.accounts import LETTERS, Accounts
from facedown.server.accounts.devices import Device
from facedown.server.accounts.people import Kind, People
from facedown.server.ids import hash_token, new_token
from facedown.server.store.accounts import StoredHandover
from facedown.server.store.base import Store
from facedown.server.store.values import Person

HANDOVER_MS: Final = 2 * clock.MINUTE_MS
"""How long a code can be claimed, and how long a claim can be answered."""
_LENGTH: Final = 12


class Handovers:
    """The handovers of one store."""

    def __init__(self, store: Store, people: People, accounts: Accounts) -> None:
        self._store = store
        self._people = people
        self._accounts = accounts

    # --- the first device ------------------------------------------------------------------------------

    async def make(self, person: str, token: str) -> tuple[str, int]:
        """A code for another device, and when it expires."""
        session, at = await self._accounts.session(token), clock.now()
        code = "".join(secrets.choice(LETTERS) for _ in range(_LENGTH))
        handover = StoredHandover(person, session.id, at + HANDOVER_MS)
        await self._store.accounts.add_handover(hash_token(code), handover, at)
        return code, handover.expires

    async def of_session(self, person: str, token: str) -> StoredHandover | None:
        """The last handover that this session has made, or one that waits for its answer."""
        session = await self._accounts.session(token)
        return await self._store.accounts.handover(person, session.id, clock.now())

    async def answer(self, person: str, token: str, digits: str, *, allow: bool) -> None:
        """Let the device with these digits in, or not."""
        session, state = await self._accounts.session(token), "allowed" if allow else "refused"
        rows = self._store.accounts
        if not await rows.answer_handover(person, session.id, digits, state, clock.now()):
            raise NotNow("no device that shows these digits is asking")

    # --- the other device ------------------------------------------------------------------------------

    async def claim(self, code: str, device: Device) -> tuple[str, StoredHandover]:
        """A claim to the session of a code's person, and the handover with the digits to be shown."""
        claim, digits, at = new_token(), f"{secrets.randbelow(100):02d}", clock.now()
        hashes, expires = (hash_token(code.strip().upper()), hash_token(claim)), at + HANDOVER_MS
        if not await self._store.accounts.claim_handover(*hashes, at, expires, digits, *device):
            raise BadToken("this code was used before, or is older than two minutes")
        return claim, await self.claimed(claim)

    async def claimed(self, claim: str) -> StoredHandover:
        """The handover of a claim; raises `BadToken` if that is over."""
        found = await self._store.accounts.claimed_handover(hash_token(claim))
        if found is None or found.expires <= clock.now():
            raise BadToken("the other device did not answer in time: make a new code there")
        return found

    async def take(self, claim: str, kind: Kind, device: Device) -> tuple[Person, str]:
        """The person, and the token of a new session; raises `BadToken` unless the claim was allowed."""
        taken = await self._people.token_of_handover(hash_token(claim), kind, device)
        person = None if taken is None else await self._store.person(taken[0])
        if taken is None or person is None:
            raise BadToken("this code was used before")
        return person, taken[1]
