"""The moderation half of the PostgreSQL store: mutes and blocks, reports, and finding people."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from facedown.server.store.postgresql.connections import PostgresConnections
from facedown.server.store.relations import FoundPerson, Relation, Report

_RELATE: Final = """insert into relations (person, other, kind, name, at) values ($1, $2, $3, $4, $5)
    on conflict (person, other) do update set kind = excluded.kind, name = excluded.name, at = excluded.at
    returning id"""
_PEOPLE: Final = """select id, name, created_at,
    (select count(*) from seats where seats.person = people.id),
    (select count(*) from reports where reports.person = people.id)
    from people where id = $1 or name ilike $2 escape '!' order by created_at desc, id limit $3"""


class PostgresModeration(PostgresConnections):
    """Who has muted or blocked whom, and what was reported."""

    async def relations(self) -> list[Relation]:
        query = "select id, person, other, kind, name, at from relations order by id"
        return [Relation(*found) for found in await self._select(query)]

    async def relate(self, relation: Relation) -> Relation:
        fields = (relation.person, relation.other, relation.kind, relation.name, relation.at)
        found = await self._execute(_RELATE, *fields)
        return replace(relation, id=found[0][0])

    async def drop_relation(self, person: str, number: int) -> None:
        await self._execute("delete from relations where person = $1 and id = $2", person, number)

    async def report(self, report: Report) -> None:
        await self._execute(
            """insert into reports (at, reporter, person, table_id, kind, name, text, why)
                values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing""",
            *(report.at, report.reporter, report.person, report.table),
            *(report.kind, report.name, report.text, report.why),
        )

    async def reports(self, limit: int = 200) -> list[Report]:
        query = """select id, at, reporter, person, table_id, kind, name, text, why from reports
            order by id desc limit $1"""
        return [Report(*found) for found in await self._select(query, limit)]

    async def settle_report(self, number: int) -> None:
        await self._execute("delete from reports where id = $1", number)

    async def find_people(self, text: str, limit: int = 100) -> list[FoundPerson]:
        part = text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
        return [FoundPerson(*found) for found in await self._select(_PEOPLE, text, f"%{part}%", limit)]
