"""Moderation in the store: mutes and blocks, reports, and people as the operator finds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Relation:
    """Somebody whom a person has muted or blocked; `name` is what they were called then."""

    id: int
    person: str
    other: str
    kind: str
    name: str
    at: int


@dataclass(frozen=True, slots=True)
class Report:
    """A message or a name that was reported to the operator, with its evidence and the reason."""

    id: int
    at: int
    reporter: str
    person: str
    table: str
    kind: str
    name: str
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class FoundPerson:
    """A person as the operator finds them: how many seats they hold, and how often they were reported."""

    id: str
    name: str
    created_at: int
    seats: int
    reports: int


class ModerationStore(Protocol):
    """The part of the store interface for moderation."""

    async def relations(self) -> list[Relation]:
        """Whom people have muted or blocked: all of it."""

    async def relate(self, relation: Relation) -> Relation:
        """Save that a person mutes or blocks another; its id is given. An earlier one is replaced."""

    async def drop_relation(self, person: str, number: int) -> None:
        """Delete a relation of this person."""

    async def report(self, report: Report) -> None:
        """Save a report; its id is given. The same report of the same person is saved once."""

    async def reports(self, limit: int = 200) -> list[Report]:
        """The reports that the operator has not settled, newest first."""

    async def settle_report(self, number: int) -> None:
        """Delete a report: the operator has dealt with it."""

    async def find_people(self, text: str, limit: int = 100) -> list[FoundPerson]:
        """People by their id, or by a part of their name; the newest first."""
