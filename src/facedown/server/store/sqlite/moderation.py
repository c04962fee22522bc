"""The moderation half of the SQLite store: mutes and blocks, reports, and finding people."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import Final

from facedown.server.store.relations import FoundPerson, Relation, Report
from facedown.server.store.sqlite.threads import SqliteThreads

_RELATION: Final = "select id, person, other, kind, name, at from relations"
_PEOPLE: Final = """select id, name, created_at,
    (select count(*) from seats where seats.person = people.id),
    (select count(*) from reports where reports.person = people.id)
    from people where id = ? or name like ? escape '!' order by created_at desc, id limit ?"""


class SqliteModeration(SqliteThreads):
    """Who has muted or blocked whom, and what was reported."""

    async def relations(self) -> list[Relation]:
        return [Relation(*found) for found in await self._select(f"{_RELATION} order by id")]

    async def relate(self, relation: Relation) -> Relation:
        def work(connection: sqlite3.Connection) -> Relation:
            pair = (relation.person, relation.other)
            connection.execute("delete from relations where person = ? and other = ?", pair)
            added = connection.execute(
                "insert into relations (person, other, kind, name, at) values (?, ?, ?, ?, ?)",
                (*pair, relation.kind, relation.name, relation.at),
            )
            return replace(relation, id=added.lastrowid or 0)

        saved: Relation = await self.write(work)
        return saved

    async def drop_relation(self, person: str, number: int) -> None:
        await self._execute("delete from relations where person = ? and id = ?", person, number)

    async def report(self, report: Report) -> None:
        await self._execute(
            """insert into reports (at, reporter, person, table_id, kind, name, text, why)
                values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing""",
            *(report.at, report.reporter, report.person, report.table),
            *(report.kind, report.name, report.text, report.why),
        )

    async def reports(self, limit: int = 200) -> list[Report]:
        query = """select id, at, reporter, person, table_id, kind, name, text, why from reports
            order by id desc limit ?"""
        return [Report(*found) for found in await self._select(query, limit)]

    async def settle_report(self, number: int) -> None:
        await self._execute("delete from reports where id = ?", number)

    async def find_people(self, text: str, limit: int = 100) -> list[FoundPerson]:
        part = text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
        return [FoundPerson(*found) for found in await self._select(_PEOPLE, text, f"%{part}%", limit)]
