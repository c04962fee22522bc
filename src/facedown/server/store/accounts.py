"""Rows of accounts: sessions on devices, handovers to others, handles, recovery codes and their uses,
passkeys.

The statements are the same for SQLite and PostgreSQL. Codes, skeletons and challenges come as hashes.
"""

from __future__ import annotations

import secrets
from dataclasses import astuple, dataclass
from typing import Final, NamedTuple

from facedown.server.store.standings import RELIST
from facedown.server.store.steps import Steps
from facedown.server.store.tokens import DROP_SEAT_TOKENS, DROP_SEAT_TOKENS_OF, LOCK_KEYS, TokenRows
from facedown.server.store.values import Rows

_SESSION: Final = "select id, kind, app, system, made, at, used, expires from keys where"
_KEEP: Final = """insert into accounts (person, handle, folded, skeleton, code, kept_at)
    select person, handle, cast($4 as text), skeleton, code, cast($3 as bigint) from code_drafts
    where person = $1 and answer = $2 and handle <> ''
        and not exists (select 1 from handles where hash = code_drafts.skeleton)
    on conflict do nothing"""
_TAKE_HANDLE: Final = """insert into handles (hash) select skeleton from accounts where person = $1
    on conflict do nothing"""
_NAME_BY_HANDLE: Final = """update people set name = (select handle from accounts where person = $1)
    where id = $1 and exists (select 1 from accounts join code_drafts on code_drafts.person = accounts.person
        where accounts.person = $1 and answer = $2 and code_drafts.handle <> '')"""
_RENAME: Final = """update people set name = $2 where id = $1
    and not exists (select 1 from accounts where person = $1 and folded <> $3) returning id"""
_DRAFT: Final = "select code from code_drafts where person = $1 and answer = $2"
_SET_CODE: Final = f"update accounts set code = ({_DRAFT}) where person = $1 and exists ({_DRAFT})"
_INSERT_DRAFT: Final = """insert into code_drafts (person, code, answer, handle, skeleton, at)
    values ($1, $2, $3, $4, $5, $6) on conflict (person) do update set code = excluded.code,
    answer = excluded.answer, handle = excluded.handle, skeleton = excluded.skeleton, at = excluded.at"""

_JUST_KEPT: Final = "exists (select 1 from accounts where person = $1 and kept_at = $3)"
_ROTATE: Final = "update keys set hash = $2 where hash = $1"
_GIVEN_AWAY: Final = (
    "delete from handovers where person = $1",
    "delete from subscriptions where person = $1",
)
_HANDOVER: Final = "person, session, expires, state, digits, app, system"
"""The columns of a `StoredHandover`."""


@dataclass(frozen=True, slots=True)
class SessionOrigin:
    """Where a session comes from: its public id, the program and the system, and how it was made."""

    id: str = ""
    app: str = ""
    system: str = ""
    made: str = "guest"
    """`guest`, `handover`, `code` or `passkey`."""


UNKNOWN_ORIGIN: Final = SessionOrigin()
ADD_KEY: Final = """insert into keys
    (hash, person, kind, at, expires, used, id, app, system, made)
    values ($1, $2, $3, $4, $5, $4, $6, $7, $8, $9)"""
_TAKE_HANDOVER: Final = """delete from handovers where claim = $1 and state = 'allowed' and expires > $2
    returning person"""


QUEUE_NOTICE: Final = """insert into notices (person, table_id, decision, kind) values ($1, $2, 0, $3)
    on conflict do nothing"""


def key_row(
    key: bytes, person: str, kind: str, at: int, expires: int | None, origin: SessionOrigin
) -> tuple[object, ...]:
    """The values of `ADD_KEY`."""
    return (key, person, kind, at, expires, *astuple(origin))


def take_handover(
    claim: bytes, now: int, key: bytes, kind: str, expires: int | None, origin: SessionOrigin
) -> Steps[str | None]:
    """Make the session of a handover that was allowed: it is deleted, so that it makes one session."""
    for (person,) in (yield _TAKE_HANDOVER, (claim, now)):
        yield ADD_KEY, key_row(key, person, kind, now, expires, origin)
        return str(person)
    return None


class StoredSession(NamedTuple):
    """A session of a person, without its token."""

    id: str
    kind: str
    app: str
    system: str
    made: str
    at: int
    used: int
    expires: int | None


class StoredAccount(NamedTuple):
    """A person who keeps the account: the handle, and the hash of the recovery code; bots have none."""

    person: str
    handle: str
    code: bytes | None
    kept_at: int


class CodeDraft(NamedTuple):
    """A new recovery code that was shown, and is not confirmed yet; without a handle it replaces one."""

    code: bytes
    answer: bytes
    """The hash of the groups that are asked back."""
    handle: str
    skeleton: bytes
    at: int


class StoredCodeUse(NamedTuple):
    """A sign-in by recovery code, and the device that did it; `id` is that of the session that it made."""

    id: str
    at: int
    app: str
    system: str


class StoredHandover(NamedTuple):
    """A handover to another device; once that has claimed it, its program and system and two digits."""

    person: str
    session: str
    """The session that hands over."""
    expires: int
    state: str = "made"
    """`made`, `claimed`, `allowed` or `refused`."""
    digits: str = ""
    app: str = ""
    system: str = ""


class AccountRows(Rows):
    """The accounts of one store."""

    @property
    def tokens(self) -> TokenRows:
        return TokenRows(self._select, self._execute, self._execute_all)

    # --- sessions --------------------------------------------------------------------------------------

    async def session(self, key: bytes) -> StoredSession | None:
        found = await self._select(f"{_SESSION} hash = $1", key)
        return StoredSession(*found[0]) if found else None

    async def sessions(self, person: str) -> list[StoredSession]:
        """A person's sessions, the one used last first."""
        found = await self._select(f"{_SESSION} keys.person = $1 order by used desc, keys.at desc", person)
        return [StoredSession(*each) for each in found]

    async def rotate(self, key: bytes, new: bytes) -> None:
        """Replace a session's token: everything else stays."""
        await self._execute(_ROTATE, key, new)

    async def end_session(self, person: str, session: str) -> None:
        """End a session, or revoke a personal token; other devices keep their seat tokens."""
        await self._execute_all(
            *_end_statements(person, "id = $2", session),
            (DROP_SEAT_TOKENS_OF, (person, secrets.token_bytes(32), session)),
        )

    async def drop(self, key: bytes) -> None:
        """Delete a credential, and everything of its device."""
        for person, session in await self._select("select person, id from keys where hash = $1", key):
            of_session = (DROP_SEAT_TOKENS_OF, (person, secrets.token_bytes(32), session))
            await self._execute_all(
                *_end_statements(person, "hash = $2", key), *([of_session] if session else [])
            )

    async def end_other_sessions(self, person: str, key: bytes, new: bytes) -> None:
        """End all sessions of a person but the one with this key, which gets a new one, and what any of them
        has given away.

        Others may have known the token of that one, too: its handovers and push subscriptions end
        as well."""
        await self._execute_all(*_end_others(person, "hash <> $2", key), (_ROTATE, (key, new)))

    # --- handovers --------------------------------------------------------------------------------------

    async def add_handover(self, code: bytes, handover: StoredHandover, at: int) -> None:
        """Save a handover; those of the same person that have expired are deleted."""
        insert = f"""insert into handovers (hash, at, {_HANDOVER})
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"""
        await self._execute_all(
            ("delete from handovers where person = $1 and expires <= $2", (handover.person, at)),
            (insert, (code, at, *handover)),
        )

    async def handover(self, person: str, session: str, now: int) -> StoredHandover | None:
        """The last handover that this session has made, or one that waits for its answer."""
        which = """person = $1 and session = $2 and expires > $3
            order by case when state = 'claimed' then 0 else 1 end, at desc limit 1"""
        return await self._handover(which, person, session, now)

    async def claimed_handover(self, claim: bytes) -> StoredHandover | None:
        return await self._handover("claim = $1", claim)

    async def _handover(self, which: str, *values: object) -> StoredHandover | None:
        found = await self._select(f"select {_HANDOVER} from handovers where {which}", *values)
        return StoredHandover(*found[0]) if found else None

    async def claim_handover(
        self, code: bytes, claim: bytes, now: int, expires: int, digits: str, app: str, system: str
    ) -> bool:
        """Let another device claim a handover, once; whether it could."""
        update = """update handovers set state = 'claimed', claim = $2, expires = $4, digits = $5, app = $6,
            system = $7 where hash = $1 and state = 'made' and expires > $3 returning digits"""
        return bool(await self._execute(update, code, claim, now, expires, digits, app, system))

    async def answer_handover(self, person: str, session: str, digits: str, state: str, now: int) -> bool:
        """Allow or refuse the device that shows these digits; whether there was one."""
        update = """update handovers set state = $4 where person = $1 and session = $2 and digits = $3
            and state = 'claimed' and expires > $5 returning digits"""
        return bool(await self._execute(update, person, session, digits, state, now))

    # --- accounts ---------------------------------------------------------------------------------------

    async def account(self, person: str) -> StoredAccount | None:
        return await self._account("person", person)

    async def by_handle(self, folded: str) -> StoredAccount | None:
        return await self._account("folded", folded)

    async def _account(self, column: str, value: str) -> StoredAccount | None:
        found = await self._select(
            f"select person, handle, code, kept_at from accounts where {column} = $1", value
        )
        return StoredAccount(*found[0]) if found else None

    async def rename(self, person: str, name: str, folded: str = "") -> bool:
        """Rename a person; whether that was possible: with an account, only to another form of its handle,
        whose folded form is this."""
        if not await self._execute(_RENAME, person, name, folded):
            return False
        recase = "update accounts set handle = $2 where person = $1 and folded = $3"
        await self._execute(recase, person, name, folded)
        return True

    async def is_taken(self, skeleton: bytes) -> bool:
        return bool(await self._select("select 1 from handles where hash = $1", skeleton))

    # --- recovery codes ---------------------------------------------------------------------------------

    async def set_draft(self, person: str, draft: CodeDraft) -> None:
        await self._execute(_INSERT_DRAFT, person, *draft)

    async def draft(self, person: str) -> CodeDraft | None:
        found = await self._select(
            "select code, answer, handle, skeleton, at from code_drafts where person = $1", person
        )
        return CodeDraft(*found[0]) if found else None

    async def confirm_draft(
        self, person: str, answer: bytes, folded: str, at: int, key: bytes = b"", new: bytes = b""
    ) -> StoredAccount | None:
        """Keep the account with the draft's handle, which becomes the person's name, or replace its code;
        None if the handle is taken.

        With the account that a guest becomes, all other sessions of the guest end; the one with this key
        gets a new one."""
        is_guest = await self.account(person) is None
        ended = _end_others(person, f"hash <> $2 and {_JUST_KEPT}", key, at) if is_guest else []
        await self._execute_all(
            (_KEEP, (person, answer, at, folded)),
            (_NAME_BY_HANDLE, (person, answer)),
            (_TAKE_HANDLE, (person,)),
            (_SET_CODE, (person, answer)),
            ("delete from code_drafts where person = $1 and answer = $2", (person, answer)),
            (RELIST, (person,)),
            *ended,
            (f"{_ROTATE} and exists (select 1 from accounts where person = $3)", (key, new, person)),
        )
        return await self.account(person)

    async def add_code_use(self, person: str, use: StoredCodeUse) -> None:
        """Note a use of a person's code, and notify the devices that take notifications."""
        insert = "insert into code_uses (id, person, at, app, system) values ($2, $1, $3, $4, $5)"
        await self._execute_all((insert, (person, *use)), (QUEUE_NOTICE, (person, "", "code_used")))

    async def code_uses(self, person: str, since: int = 0) -> list[StoredCodeUse]:
        """The uses of a person's code after a time, the last first."""
        query = """select id, at, app, system from code_uses where person = $1 and at > $2
            order by at desc, id"""
        return [StoredCodeUse(*each) for each in await self._select(query, person, since)]


def _end_statements(person: str, which: str, *values: object) -> list[tuple[str, tuple[object, ...]]]:
    """End sessions, with their push subscriptions and handovers."""
    of_person = f"keys where person = $1 and {which}"
    given = (person, *values)
    return [
        (LOCK_KEYS, (person,)),
        (f"delete from subscriptions where person = $1 and session in (select id from {of_person})", given),
        (f"delete from handovers where person = $1 and session in (select id from {of_person})", given),
        (f"delete from {of_person}", given),
    ]


def _end_others(person: str, which: str, *values: object) -> list[tuple[str, tuple[object, ...]]]:
    """End sessions, and everything that any session of the person has given away."""
    return [
        *_end_statements(person, which, *values),
        (DROP_SEAT_TOKENS, (person, secrets.token_bytes(32))),
        *((each, (person,)) for each in _GIVEN_AWAY),
    ]


# --- passkeys --------------------------------------------------------------------------------------------

_PASSKEY_COLUMNS: Final = "id, person, credential, user_handle, key, counter, host, app, system, at, used"
_PASSKEY: Final = f"select {_PASSKEY_COLUMNS} from passkeys where"


class StoredPasskey(NamedTuple):
    """A passkey of an account: its public key, and the host that it was made for."""

    id: str
    person: str
    credential: bytes
    """The id by which its device knows it."""
    user_handle: bytes
    """Random bytes by which the device knows the account: the same for all passkeys of a person."""
    key: bytes
    """The public key with its id, as its device has written them."""
    counter: int
    host: str
    app: str
    system: str
    at: int
    used: int


class PasskeyRows(Rows):
    """The passkeys of one store."""

    async def add(self, passkey: StoredPasskey) -> bool:
        """Save a passkey; False if its credential is known already."""
        insert = f"""insert into passkeys ({_PASSKEY_COLUMNS})
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning id"""
        return bool(await self._execute(insert, *passkey))

    async def of(self, person: str) -> list[StoredPasskey]:
        """A person's passkeys, the oldest first."""
        found = await self._select(f"{_PASSKEY} person = $1 order by at, id", person)
        return [StoredPasskey(*each) for each in found]

    async def by_credential(self, credential: bytes) -> StoredPasskey | None:
        found = await self._select(f"{_PASSKEY} credential = $1", credential)
        return StoredPasskey(*found[0]) if found else None

    async def use(self, passkey: StoredPasskey, counter: int, at: int) -> bool:
        """Note a use; False if another one was noted in the meantime, or its counter does not go up."""
        update = """update passkeys set counter = $3, used = $4 where id = $1 and counter = $2
            and ($3 > counter or $3 = 0 and counter = 0) returning id"""
        return bool(await self._execute(update, passkey.id, passkey.counter, counter, at))

    async def remove(self, person: str, passkey: str) -> bool:
        """Delete a passkey; whether there was one."""
        delete = "delete from passkeys where person = $1 and id = $2 returning id"
        return bool(await self._execute(delete, person, passkey))

    async def hosts(self) -> list[tuple[str, int]]:
        """The hosts that passkeys were made for, and how many each has."""
        found = await self._select("select host, count(*) from passkeys group by host order by host")
        return [(host, count) for host, count in found]  # rows of a record type

    # --- challenges ------------------------------------------------------------------------------------

    async def add_challenge(self, challenge: bytes, person: str, at: int, expired: int) -> None:
        """Save a challenge for a person, or for anyone; those that have expired are deleted."""
        await self._execute_all(
            ("delete from passkey_challenges where at <= $1", (expired,)),
            (
                "insert into passkey_challenges (hash, person, at) values ($1, $2, $3)",
                (challenge, person, at),
            ),
        )

    async def take_challenge(self, challenge: bytes, person: str, expired: int) -> bool:
        """Use a challenge up: whether it was one of this person, and not answered before."""
        delete = "delete from passkey_challenges where hash = $1 and person = $2 and at > $3 returning hash"
        return bool(await self._execute(delete, challenge, person, expired))
