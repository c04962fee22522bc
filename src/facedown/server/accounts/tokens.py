"""Personal tokens: named credentials with scopes, for programs. A token is shown once and kept as a hash."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, get_args

from facedown.core.errors import NotNow
from facedown.core.text.sanitise import one_line
from facedown.protocol.accounts import MadeToken, Scope, TokenInfo
from facedown.protocol.errors import BadMessage, NotFound
from facedown.server import clock
from facedown.server.ids import hash_token, new_api_token, public_id
from facedown.server.store.base import Store
from facedown.server.store.tokens import StoredToken
from facedown.server.store.values import Person

SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
MOST: Final = 30
_LONGEST_NAME: Final = 40


class Tokens:
    """The personal tokens of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows = store.accounts.tokens

    async def make(self, person: str, name: str, scopes: Iterable[Scope]) -> MadeToken:
        """A new token of a kept account."""
        if await self._store.accounts.account(person) is None:
            raise NotNow("tokens belong to kept accounts: choose a handle first")
        if not (shown := one_line(name, _LONGEST_NAME)):
            raise BadMessage("a token needs a name, by which you know it again")
        token, at = new_api_token(), clock.now()
        granted = " ".join(each for each in SCOPES if each in set(scopes))
        row = StoredToken(public_id(token), shown, granted, at, at)
        if not await self._rows.add(hash_token(token), person, row, MOST):
            raise NotNow(f"an account has {MOST} tokens at most: revoke one that is not used")
        return MadeToken(token, token_info(row))

    async def of(self, person: str) -> tuple[TokenInfo, ...]:
        return tuple(map(token_info, await self._rows.of(person)))

    async def holder(self, token: str) -> tuple[Person, frozenset[str]] | None:
        """The person with this token, and its scopes; None if it is not valid."""
        return await self._rows.holder(hash_token(token))

    async def revoke(self, person: str, token: str) -> None:
        if not await self._rows.drop(person, token):
            raise NotFound("there is no such token, or it was revoked")


def token_info(token: StoredToken) -> TokenInfo:
    """A token as its owner sees it."""
    used = None if token.used == token.at else token.used
    return TokenInfo(token.id, token.name, tuple(token.scopes.split()), token.at, used)
