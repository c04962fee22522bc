"""Kept accounts: handles, recovery codes, devices.

A guest becomes an account and stays the same person. A recovery code is shown once and kept as a hash. Who
has it gets in, and all other devices learn of it at once.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from facedown.core.errors import NotNow
from facedown.protocol.accounts import CodeUseInfo
from facedown.protocol.errors import BadToken, HandleTaken, NotFound, SignUpClosed, WrongCode
from facedown.server import clock
from facedown.server.accounts.devices import Device
from facedown.server.accounts.people import Kind, People
from facedown.server.ids import hash_token, new_token, public_id
from facedown.server.names import fold_handle, shown_handle, skeleton
from facedown.server.store.accounts import CodeDraft, StoredAccount, StoredCodeUse, StoredSession
from facedown.server.store.base import Store
from facedown.server.store.values import Person

SHOWN_MS: Final = 7 * clock.DAY_MS
"""How long other devices show that a recovery code was used."""
DRAFT_MS: Final = clock.HOUR_MS
"""How long a new code may wait for its confirmation."""
LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Of recovery codes: none that can be taken for another one."""
GROUPS: Final = 8
_GROUP: Final = 4
_ASKED: Final = 2


@dataclass(frozen=True, slots=True)
class ShownCode:
    """A new recovery code, to be shown once, and the groups that are asked back, from 1."""

    code: str
    asked: tuple[int, ...]
    expires_at: int


class Accounts:
    """The kept accounts of one store."""

    def __init__(self, store: Store, people: People, *, sign_up: bool = True) -> None:
        self._rows = store.accounts
        self._store = store
        self._people = people
        self.sign_up = sign_up
        """Whether the settings let guests keep their accounts."""

    def _check_sign_up(self) -> None:
        if not self.sign_up:
            raise SignUpClosed("this server takes no new accounts: you play on as a guest")

    # --- keeping an account ------------------------------------------------------------------------------

    async def begin(self, person: str, wanted: str) -> ShownCode:
        """A recovery code for a guest who wants this handle; nothing is kept before `confirm`."""
        self._check_sign_up()
        if await self._rows.account(person) is not None:
            raise NotNow("this account is kept already")
        handle = shown_handle(wanted)
        if await self._rows.is_taken(skeleton_hash(handle)):
            raise HandleTaken("this handle is taken, or looks like one that is")
        return await self._show_code(person, handle)

    async def new_code(self, person: str) -> ShownCode:
        """Another code for an account. The old one is valid until `confirm`."""
        if await self._rows.account(person) is None:
            raise NotNow("this account is not kept: choose a handle first")
        return await self._show_code(person, "")

    async def confirm(self, person: str, groups: Sequence[str], token: str = "") -> tuple[StoredAccount, str]:
        """Keep the account, or replace its code, if these are the groups that were asked back; and the new
        token of the session with this one. A guest's other sessions end."""
        draft, at = await self._rows.draft(person), clock.now()
        if draft is None or draft.at + DRAFT_MS <= at:
            raise NotNow("there is no new code to confirm: ask for one")
        if not hmac.compare_digest(draft.answer, _answer(groups)):
            raise WrongCode("these are not the groups of the code that was shown")
        if draft.handle:
            self._check_sign_up()
        new, folded = new_token(), fold_handle(draft.handle)
        keys = hash_token(token), hash_token(new)
        account = await self._rows.confirm_draft(person, draft.answer, folded, at, *keys)
        if account is None:
            raise HandleTaken("this handle was taken in the meantime")
        return account, new

    async def _show_code(self, person: str, handle: str) -> ShownCode:
        code, at = _new_code(), clock.now()
        groups = code.split("-")
        asked = sorted(secrets.SystemRandom().sample(range(GROUPS), _ASKED))
        answer = _answer([groups[each] for each in asked])
        looks = skeleton_hash(handle) if handle else b""
        await self._rows.set_draft(person, CodeDraft(code_hash(code), answer, handle, looks, at))
        return ShownCode(code, tuple(each + 1 for each in asked), at + DRAFT_MS)

    # --- signing in --------------------------------------------------------------------------------------

    async def check_code(self, handle: str, code: str) -> Person:
        """The person of an account; the same `WrongCode`, after the same work, for every wrong guess."""
        account = await self._rows.by_handle(fold_handle(handle))
        expected = account.code if account is not None and account.code is not None else bytes(32)
        is_right = hmac.compare_digest(expected, code_hash(code))
        person = await self._store.person(account.person if account is not None else "")
        if not is_right or person is None:
            raise WrongCode("this handle and this code do not belong together")
        return person

    async def sign_in(self, person: Person, kind: Kind, device: Device) -> str:
        """A session token for a person whose code was checked; their other devices are notified first."""
        token = await self._people.token(person, kind, device, "code")
        use = StoredCodeUse(public_id(token), clock.now(), device.app, device.system)
        await self._rows.add_code_use(person.id, use)
        return token

    async def rotate(self, token: str) -> str:
        """A new token for the same session; the old one is void."""
        new = new_token()
        await self._rows.rotate(hash_token(token), hash_token(new))
        return new

    # --- devices -----------------------------------------------------------------------------------------

    async def session(self, token: str) -> StoredSession:
        """The caller's own session."""
        found = await self._rows.session(hash_token(token))
        if found is None:  # it has just ended
            raise BadToken("this session has ended")
        return found

    async def sessions(self, person: str) -> list[StoredSession]:
        """A person's sessions that have not expired, the one used last first."""
        at = clock.now()
        found = await self._rows.sessions(person)
        return [
            each
            for each in found
            if each.kind in ("browser", "program") and (each.expires is None or each.expires > at)
        ]

    async def end_key(self, person: str, key: str) -> None:
        """Sign out a device, or revoke a personal token; raises `NotFound`."""
        known = {each.id for each in await self._rows.sessions(person)}
        known |= {each.id for each in await self._rows.tokens.of(person)}
        if not key or key not in known:
            raise NotFound("there is no such device or token")
        await self._rows.end_session(person, key)

    async def end_other_sessions(self, person: str, token: str) -> str:
        """End all sessions but the one with this token; its new token."""
        new = new_token()
        await self._rows.end_other_sessions(person, hash_token(token), hash_token(new))
        return new

    # --- uses of a code ----------------------------------------------------------------------------------

    async def code_uses(self, person: str, token: str) -> list[StoredCodeUse]:
        """The last uses of the code, without the one that has made the session with this token."""
        uses = await self._rows.code_uses(person, clock.now() - SHOWN_MS)
        own = await self.session(token) if uses else None
        return [each for each in uses if own is None or each.id != own.id]


def code_use_info(use: StoredCodeUse) -> CodeUseInfo:
    """The use of a code as its person sees it, in the account and in the export."""
    return CodeUseInfo(*use)


# --- codes and handles -----------------------------------------------------------------------------------


def _new_code() -> str:
    """A recovery code of 158 random bits: eight groups of four letters and digits."""
    groups = ("".join(secrets.choice(LETTERS) for _ in range(_GROUP)) for _ in range(GROUPS))
    return "-".join(groups)


def code_hash(code: str) -> bytes:
    """The hash of a code as it may be typed: in any case, with any separators.

    >>> code_hash("ABCD-2345") == code_hash(" abcd 2345")
    True
    """
    return hash_token(f"recovery {_plain(code)}")


def _answer(groups: Sequence[str]) -> bytes:
    return hash_token(f"groups {'-'.join(map(_plain, groups))}")


def _plain(code: str) -> str:
    return re.sub(r"[\W_]", "", code).upper()


def skeleton_hash(handle: str) -> bytes:
    """The key that a handle takes forever, together with every handle that looks like it."""
    return hashlib.sha256(f"handle {skeleton(handle)}".encode()).digest()
