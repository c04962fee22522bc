"""Rows of passkeys and of the challenges that they answer.

The statements are the same for SQLite and PostgreSQL. Challenges come as hashes.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from facedown.server.store.values import Run, RunAll

_COLUMNS: Final = "id, person, credential, user_handle, key, counter, host, app, system, at, used"
_PASSKEY: Final = f"select {_COLUMNS} from passkeys where"


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


class PasskeyRows:
    """The passkeys of one store."""

    def __init__(self, select: Run, execute: Run, execute_all: RunAll) -> None:
        self._select = select
        self._execute = execute
        self._execute_all = execute_all

    async def add(self, passkey: StoredPasskey) -> bool:
        """Save a passkey; False if its credential is known already."""
        insert = f"""insert into passkeys ({_COLUMNS})
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
        """Delete a passkey unless it is the last one of an account without a code; whether it did."""
        delete = """delete from passkeys where person = $1 and id = $2 and (
            exists (select 1 from accounts where person = $1 and code is not null)
            or exists (select 1 from passkeys other where other.person = $1 and other.id <> $2))
            returning id"""
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
