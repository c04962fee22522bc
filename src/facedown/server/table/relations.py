"""Mutes and blocks between people, and sanctions of moderators, in memory: every chat message and every join
needs them.

A mute hides the other person's messages; a block also keeps them from one's tables.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

from facedown.protocol.errors import AccountClosed, BadMessage, Restricted
from facedown.protocol.moderation import SanctionKind
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.store.base import Store
from facedown.server.store.cases import Sanction
from facedown.server.store.values import Relation

RelationKind: TypeAlias = Literal["mute", "block"]
MOST: Final = 500
"""How many people one person can mute and block."""
TOPIC: Final = "relations"
"""The topic of hints that mutes or blocks have changed."""
_NOBODY: Final[frozenset[str]] = frozenset()


class Relations:
    """The mutes and blocks of all people."""

    def __init__(self, store: Store, bus: Bus) -> None:
        self._store = store
        self._bus = bus
        self._by_person: dict[str, dict[str, Relation]] = {}
        self._muted: dict[str, frozenset[str]] = {}
        self._sanctions: dict[str, tuple[Sanction, ...]] = {}
        self._changing = asyncio.Lock()
        """What was read before a change must not be put in its place."""

    async def load(self) -> None:
        async with self._changing:
            relations, sanctions = await self._store.relations(), dict[str, tuple[Sanction, ...]]()
            for sanction in await self._store.cases.sanctions():
                sanctions[sanction.person] = (*sanctions.get(sanction.person, ()), sanction)
            self._sanctions = sanctions
            self._by_person.clear()
            for each in relations:
                self._by_person.setdefault(each.person, {})[each.other] = each
            self._muted = {person: frozenset(others) for person, others in self._by_person.items()}

    async def reload(self) -> None:
        """Read them again, on other servers too: a moderator has decided."""
        await self.load()
        self._bus.publish(TOPIC, now())

    def muted_by(self, person: str) -> frozenset[str]:
        """The people whose messages this person does not receive."""
        return self._muted.get(person, _NOBODY)

    def has_blocked(self, by: str, person: str) -> bool:
        relation = self._by_person.get(by, {}).get(person)
        return relation is not None and relation.kind == "block"

    def sanctions_of(self, person: str) -> tuple[Sanction, ...]:
        """The sanctions that are in force for a person, warnings included."""
        at = now()
        return tuple(each for each in self._sanctions.get(person, ()) if not each.until or each.until > at)

    def is_under(self, person: str, kind: SanctionKind) -> bool:
        """Whether a sanction of this kind is in force."""
        return any(each.kind == kind for each in self.sanctions_of(person))

    def check(self, person: str, kind: SanctionKind) -> None:
        """Raise `AccountClosed` or `Restricted` if a sanction keeps the person from this."""
        for each in self.sanctions_of(person):
            if each.kind == "closed":
                closed = f"a moderator has closed this account{_term(each)}"
                raise AccountClosed(f"{closed}: your page says why, and takes an answer")
        for each in self.sanctions_of(person):
            if each.kind == kind:
                restricted = f"a moderator has decided that you may not do this{_term(each)}"
                raise Restricted(f"{restricted}: your page says why, and takes an answer")

    def of(self, person: str) -> tuple[Relation, ...]:
        return tuple(self._by_person.get(person, {}).values())

    async def add(self, person: str, other: str, kind: RelationKind, name: str) -> Relation:
        """Mute or block another person; raises `BadMessage` if that is not possible."""
        if person == other:
            raise BadMessage("this is yourself")
        async with self._changing:
            mine = self._by_person.setdefault(person, {})
            if other not in mine and len(mine) >= MOST:
                raise BadMessage(f"at most {MOST} people can be muted and blocked")
            mine[other] = await self._store.relate(Relation(0, person, other, kind, name, now()))
            self._muted[person] = frozenset(mine)
        self._bus.publish(TOPIC, now())
        return mine[other]

    async def drop(self, person: str, number: int) -> None:
        async with self._changing:
            await self._store.drop_relation(person, number)
            mine = self._by_person.get(person, {})
            for other in [other for other, each in mine.items() if each.id == number]:
                del mine[other]
            self._muted[person] = frozenset(mine)
        self._bus.publish(TOPIC, now())

    async def forget(self, person: str) -> None:
        async with self._changing:
            self._sanctions.pop(person, None)
            self._by_person.pop(person, None)
            for mine in self._by_person.values():
                mine.pop(person, None)
            self._muted = {each: frozenset(others) for each, others in self._by_person.items()}
        self._bus.publish(TOPIC, now())


def _term(sanction: Sanction) -> str:
    """The end of a sanction, as a part of a sentence."""
    if not sanction.until:
        return ""
    return f" until {datetime.fromtimestamp(sanction.until / 1000, UTC):%Y-%m-%d %H:%M} UTC"
