"""Rows of personal tokens, which are keys of the kind `token`, and of bots; the statements about seat tokens.
Tokens come as hashes.

The statements are the same for SQLite and PostgreSQL.
"""

from __future__ import annotations

import secrets
from typing import Final, NamedTuple

from facedown.server.store.values import Person, Rows

DROP_SEAT_TOKENS: Final = "update seats set token = $2, previous = null where person = $1"
"""With random bytes as $2, which are the hash of no token: the seats stay the person's."""
DROP_SEAT_TOKENS_OF: Final = """update seats
    set token = case when session in ($3, '') then $2 else token end,
        previous = case when previous_session in ($3, '') then null else previous end
    where person = $1 and (session in ($3, '') or previous_session in ($3, ''))"""
"""The same for the seat tokens that one session or personal token, with the id $3, has fetched, and for those
that no known one has."""
LOCK_KEYS: Final = "update keys set used = used where person = $1"
"""Before credentials are deleted: waits for what is being saved for them, which later statements then see."""
ROTATE_SEAT_TOKEN: Final = """update seats set token = $1,
    session = coalesce((select id from keys where hash = $4), ''), previous = coalesce(previous, token),
    previous_session = case when previous is null then session else previous_session end
    where table_id = $2 and seat = $3"""
_ADD: Final = """insert into keys
    (hash, person, kind, at, expires, used, id, app, system, made, scopes)
    select $1, cast($2 as text), 'token', cast($6 as bigint), null, cast($6 as bigint), $3, $4, '', 'token',
        cast($5 as text)
    where (select count(*) from keys where person = $2 and kind = 'token') < $7 returning id"""
_OF: Final = """select id, app, scopes, at, used from keys where person = $1 and kind = 'token'
    order by at desc, id"""
_HOLDER: Final = """select people.id, people.name, people.created_at, scopes from keys
    join people on people.id = keys.person where keys.hash = $1 and kind = 'token'"""


_MAKE_BOT: Final = (
    "insert into people (id, name, created_at) values ($1, $2, $3)",
    "insert into handles (hash) values ($1)",
    """insert into accounts (person, handle, folded, skeleton, code, kept_at)
        values ($1, $2, $3, $4, null, $5)""",
    "insert into bots (person, owner, at) values ($1, $2, $3)",
)
_BOTS: Final = """select bots.person, handle, name, bots.at from bots
    join accounts on accounts.person = bots.person join people on people.id = bots.person
    where owner = $1 order by bots.at, bots.person"""


class StoredBot(NamedTuple):
    """A bot of a person."""

    person: str
    handle: str
    name: str
    at: int


class StoredToken(NamedTuple):
    """A personal token, without its secret."""

    id: str
    name: str
    scopes: str
    """Divided by spaces."""
    at: int
    used: int


class TokenRows(Rows):
    """The personal tokens and the bots of one store."""

    async def add(self, key: bytes, person: str, token: StoredToken, most: int) -> bool:
        """Save a token, unless the person has that many."""
        values = (key, person, token.id, token.name, token.scopes, token.at, most)
        return bool(await self._execute(_ADD, *values))

    async def of(self, person: str) -> list[StoredToken]:
        """The tokens of a person, latest first."""
        return [StoredToken(*each) for each in await self._select(_OF, person)]

    async def holder(self, key: bytes) -> tuple[Person, frozenset[str]] | None:
        """The person with this token, and its scopes."""
        for person, name, created_at, scopes in await self._select(_HOLDER, key):
            return Person(person, name, created_at), frozenset(scopes.split())
        return None

    async def replace_all(self, key: bytes, person: str, token: StoredToken) -> None:
        """Save a token in the place of all others of the person, whose seat tokens end with them."""
        values = (key, person, token.id, token.name, token.scopes, token.at, 1)
        await self._execute_all(
            (LOCK_KEYS, (person,)),
            (DROP_SEAT_TOKENS, (person, secrets.token_bytes(32))),
            ("delete from keys where person = $1 and kind = 'token'", (person,)),
            (_ADD, values),
        )

    async def add_bot(self, bot: StoredBot, owner: str, folded: str, skeleton: bytes) -> None:
        """Save a new bot with its account; fails if the handle was taken just now."""
        person, handle, name, at = bot
        account = (person, handle, folded, skeleton, at)
        values = ((person, name, at), (skeleton,), account, (person, owner, at))
        await self._execute_all(*zip(_MAKE_BOT, values, strict=True))

    async def bots(self, owner: str) -> list[StoredBot]:
        """The bots of a person, oldest first."""
        return [StoredBot(*each) for each in await self._select(_BOTS, owner)]

    async def owner(self, bot: str) -> str | None:
        """The handle of the person whose bot this is; None if it is no bot."""
        query = """select handle from bots join accounts on accounts.person = bots.owner
            where bots.person = $1"""
        found = await self._select(query, bot)
        return found[0][0] if found else None
