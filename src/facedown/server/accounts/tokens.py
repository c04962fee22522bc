"""Personal tokens and bots. A token is a named credential with scopes for a program, shown once and kept as a
hash. A bot is an account that a person makes for a program: it has a token, and no other way in.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, get_args

from facedown.core.errors import NotNow
from facedown.core.text.sanitise import one_line
from facedown.protocol.accounts import BotInfo, MadeBot, MadeToken, Scope, TokenInfo
from facedown.protocol.errors import BadHandle, BadMessage, HandleTaken, NotFound
from facedown.server import clock
from facedown.server.accounts.accounts import skeleton_hash
from facedown.server.ids import hash_token, new_api_token, new_bot_id, public_id
from facedown.server.names import LONGEST_BOT, bot_name, fold_handle, shown_handle
from facedown.server.store.base import Store
from facedown.server.store.tokens import StoredBot, StoredToken
from facedown.server.store.values import Person

SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
MOST: Final = 30
MOST_BOTS: Final = 5
_LONGEST_NAME: Final = 40


class Tokens:
    """The personal tokens and the bots of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows = store.accounts.tokens

    async def make(self, person: str, name: str, scopes: Iterable[Scope]) -> MadeToken:
        """A new token of a kept account."""
        if await self._store.accounts.account(person) is None:
            raise NotNow("tokens belong to kept accounts: choose a handle first")
        if not (shown := one_line(name, _LONGEST_NAME)):
            raise BadMessage("a token needs a name, by which you know it again")
        token, row = _new_token(shown, scopes)
        if not await self._rows.add(hash_token(token), person, row, MOST):
            raise NotNow(f"an account has {MOST} tokens at most: revoke one that is not used")
        return MadeToken(token, token_info(row))

    async def of(self, person: str) -> tuple[TokenInfo, ...]:
        return tuple(map(token_info, await self._rows.of(person)))

    async def holder(self, token: str) -> tuple[Person, frozenset[str]] | None:
        """The person with this token, and its scopes; None if it is not valid."""
        return await self._rows.holder(hash_token(token))

    # --- bots --------------------------------------------------------------------------------------------

    async def make_bot(self, owner: str, wanted: str) -> MadeBot:
        """A new bot of a kept account; it never was a person, and never becomes one."""
        account = await self._store.accounts.account(owner)
        if account is None:
            raise NotNow("bots belong to kept accounts: choose a handle first")
        if len(await self._rows.bots(owner)) >= MOST_BOTS:
            raise NotNow(f"an account has {MOST_BOTS} bots at most")
        handle = shown_handle(wanted)
        if len(handle) > LONGEST_BOT:
            raise BadHandle(f"the handle of a bot has {LONGEST_BOT} characters at most")
        if await self._store.accounts.is_taken(skeleton_hash(handle)):
            raise HandleTaken("this handle is taken, or looks like one that is")
        bot = StoredBot(new_bot_id(), handle, bot_name(handle, account.handle), clock.now())
        await self._rows.add_bot(bot, owner, fold_handle(handle), skeleton_hash(handle))
        return await self._with_token(bot)

    async def bots(self, owner: str) -> tuple[BotInfo, ...]:
        return tuple(map(bot_info, await self._rows.bots(owner)))

    async def bot(self, owner: str, handle: str) -> StoredBot:
        """A bot of this person; raises `NotFound`."""
        for each in await self._rows.bots(owner):
            if fold_handle(each.handle) == fold_handle(handle):
                return each
        raise NotFound("you have no bot of this name")

    async def renew_bot(self, owner: str, handle: str) -> MadeBot:
        """A new token for a bot; the old one is void."""
        return await self._with_token(await self.bot(owner, handle))

    async def _with_token(self, bot: StoredBot) -> MadeBot:
        token, row = _new_token(bot.handle, SCOPES)
        await self._rows.replace_all(hash_token(token), bot.person, row)
        return MadeBot(bot_info(bot), token)


def _new_token(name: str, scopes: Iterable[Scope]) -> tuple[str, StoredToken]:
    """A new token, and the row that keeps it."""
    token, at = new_api_token(), clock.now()
    granted = " ".join(each for each in SCOPES if each in set(scopes))
    return token, StoredToken(public_id(token), name, granted, at, at)


def bot_info(bot: StoredBot) -> BotInfo:
    """A bot as its owner sees it, in the account and in the export."""
    return BotInfo(bot.handle, bot.name, bot.at)


def token_info(token: StoredToken) -> TokenInfo:
    """A token as its owner sees it."""
    used = None if token.used == token.at else token.used
    return TokenInfo(token.id, token.name, tuple(token.scopes.split()), token.at, used)
