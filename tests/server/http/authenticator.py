"""A software authenticator: makes passkeys and signs with them as a browser and its device would."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

from tests.server.http.client import Caller

FLAGS = AuthenticatorData.FLAG
SIGN_IN = "/account/sign-in/passkey"


@dataclass
class Authenticator:
    """One passkey, on a device of its own; fields that are set differ from what a real one would say."""

    origin: str
    host: str = "localhost"
    counter: int = 0
    verified: bool = True
    user: bytes = b""
    credential: bytes = field(default_factory=lambda: secrets.token_bytes(24))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """The requested passkey."""
        self.user = websafe_decode(options["user"]["id"])
        public = ES256.from_cryptography_key(self.key.public_key())  # type: ignore[no-untyped-call]  # fido2
        attested = AttestedCredentialData.create(Aaguid.NONE, self.credential, public)
        data = AuthenticatorData.create(self._host_hash, self._flags | FLAGS.AT, self.counter, attested)
        client = self._client("webauthn.create", options)
        attestation = AttestationObject.create("none", data, {})
        return self._answer(client, attestationObject=websafe_encode(attestation))

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to a challenge."""
        self.counter += self.counter > 0
        data = AuthenticatorData.create(self._host_hash, self._flags, self.counter)
        client = self._client("webauthn.get", options)
        signature = self.key.sign(bytes(data) + client.hash, ec.ECDSA(SHA256()))
        return self._answer(
            client,
            authenticatorData=websafe_encode(data),
            signature=websafe_encode(signature),
            userHandle=websafe_encode(self.user),
        )

    @property
    def _flags(self) -> FLAGS:
        return FLAGS.UP | (FLAGS.UV if self.verified else FLAGS(0))

    @property
    def _host_hash(self) -> bytes:
        return hashlib.sha256(self.host.encode()).digest()

    def _client(self, what: str, options: dict[str, Any]) -> CollectedClientData:
        return CollectedClientData.create(what, options["challenge"], self.origin)

    def _answer(self, client: CollectedClientData, **more: str) -> dict[str, Any]:
        credential = websafe_encode(self.credential)
        response = {"clientDataJSON": client.b64, **more}
        return {"id": credential, "rawId": credential, "type": "public-key", "response": response}


def at_host(caller: Caller, name: str = "localhost") -> str:
    """The caller comes from a page at a host name, where passkeys are possible; its origin."""
    origin = caller.base.replace("127.0.0.1", name)
    caller.http.headers["Host"] = origin.removeprefix("http://")
    caller.http.headers["Origin"] = origin
    return origin


def add_passkey(caller: Caller, **differs: Any) -> Authenticator:
    """A passkey of the caller's account."""
    made = Authenticator(at_host(caller), **differs)
    options = caller.ok("POST", "/account/passkeys/options")["options"]
    caller.ok("POST", "/account/passkeys", made.make(options), 201)
    return made


def challenge(caller: Caller) -> dict[str, Any]:
    """What a browser needs to sign in with a passkey."""
    at_host(caller)
    found: dict[str, Any] = caller.ok("POST", f"{SIGN_IN}/options")["options"]
    return found


def enter(caller: Caller, passkey: Authenticator, **more: object) -> Any:
    """Sign in with a passkey."""
    return caller.ok("POST", SIGN_IN, {"passkey": passkey.sign(challenge(caller)), **more}, 201)
