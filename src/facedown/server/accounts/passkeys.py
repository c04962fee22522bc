"""Passkeys: WebAuthn credentials that sign in to a kept account, on the host that they were made for.

A recovery code works on every host, a passkey on one only. So passkeys come on top: they are never the only
way back. Challenges are in the store and used up by their answer: any server can check it, once.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from facedown.core.errors import NotNow
from facedown.protocol.accounts import PasskeyInfo
from facedown.protocol.errors import NoPasskeysHere, NotFound, WrongPasskey
from facedown.server import clock
from facedown.server.accounts.devices import Device
from facedown.server.accounts.people import Kind, People
from facedown.server.ids import new_id
from facedown.server.ops.hosts import is_address
from facedown.server.ops.logs import Log
from facedown.server.store.accounts import StoredPasskey
from facedown.server.store.base import Store
from facedown.server.store.values import Person

if TYPE_CHECKING:
    from fido2.server import Fido2Server

CHALLENGE_MS: Final = 5 * clock.MINUTE_MS
"""How long a challenge can be answered."""
MOST: Final = 20
"""Passkeys of one account."""
_BYTES: Final = 32
"""Of a challenge, and of a user handle."""
_NAME: Final = "Facedown"


@dataclass(frozen=True, slots=True)
class Site:
    """A page of ours that asks for a passkey: its origin, and the host that passkeys are made for."""

    origin: str
    host: str


def site_of(origin: str) -> Site:
    """The site of a page of ours; raises `NoPasskeysHere` if browsers make no passkeys for it.

    >>> site_of("https://cards.example.org").host, site_of("http://localhost:8765").host
    ('cards.example.org', 'localhost')
    """
    parts = urlsplit(origin)
    host = parts.hostname or ""
    is_local = host == "localhost" or host.endswith(".localhost")
    if is_address(host) or not host or not (is_local or parts.scheme == "https"):
        raise NoPasskeysHere("passkeys need a host name and HTTPS: use the recovery code")
    return Site(origin, host)


def passkey_info(passkey: StoredPasskey) -> PasskeyInfo:
    """A passkey as its person sees it, in the account and in the export."""
    of = passkey
    return PasskeyInfo(of.id, of.host, of.app, of.system, of.at, of.used)


class Passkeys:
    """The passkeys of one store."""

    def __init__(self, store: Store, people: People) -> None:
        self._rows = store.passkeys
        self._store = store
        self._people = people

    async def of(self, person: str) -> list[StoredPasskey]:
        return await self._rows.of(person)

    # --- making one --------------------------------------------------------------------------------------

    async def creation_options(self, site: Site, person: str) -> dict[str, Any]:
        """What a browser needs to make a passkey, as WebAuthn's JSON; raises `NotNow` for a guest."""
        from fido2.webauthn import (
            PublicKeyCredentialDescriptor,
            PublicKeyCredentialType,
            PublicKeyCredentialUserEntity,
            ResidentKeyRequirement,
            UserVerificationRequirement,
        )

        account, there = await self._store.accounts.account(person), await self._rows.of(person)
        if account is None:
            raise NotNow("this account is not kept: choose a handle first")
        if len(there) >= MOST:
            raise NotNow(f"an account has {MOST} passkeys at most: remove one first")
        user = there[0].user_handle if there else secrets.token_bytes(_BYTES)
        options, _ = _server(site).register_begin(
            PublicKeyCredentialUserEntity(id=user, name=account.handle, display_name=account.handle),
            [
                PublicKeyCredentialDescriptor(type=PublicKeyCredentialType.PUBLIC_KEY, id=each.credential)
                for each in there
            ],
            resident_key_requirement=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
            challenge=await self._challenge(person, user),
        )
        return dict(options.public_key)

    async def register(self, site: Site, person: str, answer: dict[str, Any], device: Device) -> None:
        """Save the passkey that a browser has made; raises `WrongPasskey`."""
        challenge = await self._take_challenge(answer, person)
        with _refusing():
            made = _server(site).register_complete(_state(challenge), answer)
        user, data, at = challenge[_BYTES:], made.credential_data, clock.now()
        if data is None or len(user) != _BYTES:
            raise _wrong()
        new = StoredPasskey(
            id=new_id(),
            person=person,
            credential=data.credential_id,
            user_handle=user,
            key=bytes(data),
            counter=made.counter,
            host=site.host,
            app=device.app,
            system=device.system,
            at=at,
            used=at,
        )
        if not await self._rows.add(new):
            raise _wrong()

    async def remove(self, person: str, passkey: str) -> None:
        if not await self._rows.remove(person, passkey):
            raise NotFound("there is no such passkey")

    # --- signing in --------------------------------------------------------------------------------------

    async def request_options(self, site: Site) -> dict[str, Any]:
        """What a browser needs to find a passkey of its user and to sign in with it, as WebAuthn's JSON."""
        from fido2.webauthn import UserVerificationRequirement

        options, _ = _server(site).authenticate_begin(
            user_verification=UserVerificationRequirement.REQUIRED, challenge=await self._challenge("", b"")
        )
        return dict(options.public_key)

    async def check(self, site: Site, answer: dict[str, Any]) -> Person:
        """The person who has signed the challenge; the same `WrongPasskey` for everything that is wrong."""
        from fido2.webauthn import AttestedCredentialData, AuthenticationResponse

        challenge = await self._take_challenge(answer, "")
        with _refusing():
            response = AuthenticationResponse.from_dict(answer)
        passkey = await self._rows.by_credential(response.raw_id)
        if passkey is None or passkey.user_handle != response.response.user_handle:
            raise _wrong()
        with _refusing():
            known = AttestedCredentialData(passkey.key)
            _server(site).authenticate_complete(_state(challenge), [known], response)
        counter = response.response.authenticator_data.counter
        person = await self._store.person(passkey.person)
        if person is None or not await self._rows.use(passkey, counter, clock.now()):
            raise _wrong()
        return person

    async def sign_in(self, person: Person, kind: Kind, device: Device) -> str:
        """A session token for a person whose passkey was checked."""
        return await self._people.token(person, kind, device, "passkey")

    # --- challenges --------------------------------------------------------------------------------------

    async def _challenge(self, person: str, user: bytes) -> bytes:
        """A new challenge for a person, or for anyone; it ends in the user handle of a passkey to be made."""
        challenge, at = secrets.token_bytes(_BYTES) + user, clock.now()
        await self._rows.add_challenge(_hash(challenge), person, at, at - CHALLENGE_MS)
        return challenge

    async def _take_challenge(self, answer: dict[str, Any], person: str) -> bytes:
        """The challenge that is answered: it is used up, whatever the answer is worth."""
        from fido2.utils import websafe_decode
        from fido2.webauthn import CollectedClientData

        with _refusing():
            client = CollectedClientData(websafe_decode(answer["response"]["clientDataJSON"]))
        expired = clock.now() - CHALLENGE_MS
        if client.cross_origin or not await self._rows.take_challenge(
            _hash(client.challenge), person, expired
        ):
            raise WrongPasskey("this was answered before, or too late: try again")
        return client.challenge

    # --- another host ------------------------------------------------------------------------------------

    async def report_other_hosts(self, public_url: str, log: Log) -> None:
        """Log that passkeys were made for another host than that of the public URL."""
        host = urlsplit(public_url).hostname
        others = {each: count for each, count in await self._rows.hosts() if host and each != host}
        if others:
            log.warning(
                "passkeys of another host do not work here: their owners sign in with recovery codes",
                host=host,
                passkeys=others,
            )


def _server(site: Site) -> Fido2Server:
    from fido2.server import Fido2Server
    from fido2.webauthn import AttestationConveyancePreference, PublicKeyCredentialRpEntity

    return Fido2Server(
        PublicKeyCredentialRpEntity(id=site.host, name=_NAME),
        AttestationConveyancePreference.NONE,
        verify_origin=lambda origin: origin == site.origin,
    )


def _state(challenge: bytes) -> dict[str, str]:
    """What fido2 keeps between a question and its answer."""
    from fido2.utils import websafe_encode

    return {"challenge": websafe_encode(challenge), "user_verification": "required"}


def _wrong() -> WrongPasskey:
    return WrongPasskey("this passkey is not known here, or its answer is not valid")


def _hash(challenge: bytes) -> bytes:
    return hashlib.sha256(challenge).digest()


@contextmanager
def _refusing() -> Generator[None]:
    """Turn what fido2 raises into `WrongPasskey`: for malformed answers that can be any error."""
    try:
        yield
    except Exception as error:
        raise _wrong() from error
