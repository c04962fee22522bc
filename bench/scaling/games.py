"""A store with very many finished games: short ones are played once, and appended again for other people."""

from __future__ import annotations

import asyncio
import dataclasses
import random
import tempfile
from functools import partial
from typing import Final, NamedTuple

from facedown.core.chance import entropy_commitment
from facedown.protocol.messages import Cmd
from facedown.server.bus import Bus
from facedown.server.clock import DAY_MS, now
from facedown.server.ids import hash_token, new_id, new_token
from facedown.server.store import open_store
from facedown.server.store.base import Store
from facedown.server.store.values import Append, EventRow, Person, SeatHolder, TableSummary
from facedown.server.table import commands
from facedown.server.table.actor import Actor
from facedown.server.table.tables import Tables
from tests.server.playing import entropy_of, order, pick_command

_AT_ONCE: Final = 500
_STEP_MS: Final = 60_000
BUSY_EVERY: Final = 50
"""One game in this number is the busy person's."""
DAVENPORT_EVERY: Final = 10


class PlayedGame(NamedTuple):
    """A finished game of two people, as the store holds it."""

    rows: list[EventRow]
    summary: TableSummary


class Filled(NamedTuple):
    """What a store was filled with."""

    busy: str
    """The person with the most games; `token` is a program's token of theirs."""
    usual: str
    """A person with an ordinary number of games, and a token of theirs."""
    token: str
    usual_token: str
    table: str
    """One of the tables."""
    events: int


async def play_one(game: str, decisions: int) -> PlayedGame:
    """A game that was given up after `decisions` decisions."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:{folder}/data")
        tables = Tables(store, Bus())
        await tables.start()
        table = await tables.create(order(game, 2, public=True), "person 1")
        actors = [Actor(seat, f"person {seat}", f"Name {seat}") for seat in (1, 2)]
        for actor in actors:
            commit = entropy_commitment(table.id, actor.seat, entropy_of(actor.seat)).hex()
            await table.join(actor.seat, Person(actor.person, actor.name, 0), commit)
        for actor in actors:
            opening = Cmd("open", "open", entropy=entropy_of(actor.seat).hex())
            await table.inbox.transact(partial(commands.execute, actor=actor, cmd=opening))
        for _ in range(decisions):
            match = table._state.match
            for seat in match.may_seal:
                cmd = pick_command(table._state, match.decision, seat, str(match.legal(seat)[0]))
                await table.inbox.transact(partial(commands.execute, actor=actors[seat - 1], cmd=cmd))
        gives_up = Cmd("over", "resign", decision=table._state.match.decision)
        await table.inbox.transact(partial(commands.execute, actor=actors[1], cmd=gives_up))
        listed = await store.listed(table.id)
        assert listed is not None
        assert listed.summary.state == "over"
        played = PlayedGame(await store.rows(table.id), listed.summary)
        await tables.stop()
        await store.close()
    return played


async def fill(store: Store, games: int, people: int) -> Filled:
    """Append finished games of these people, one after the other in time."""
    source = random.Random(games)
    usual, davenport = await play_one("ecard", 1), await play_one("davenport", 1)
    names = [new_id() for _ in range(people)]
    tokens = await _sign_in(store, names)
    start, events, table = now() - games * _STEP_MS - DAY_MS, 0, ""
    waiting = []
    for number in range(games):
        one, other = source.sample(names[1:], 2)
        one = names[0] if number % BUSY_EVERY == 0 else one
        played = davenport if number % DAVENPORT_EVERY == 0 else usual
        append = _again(played, start + number * _STEP_MS, (one, other), public=number % 2 == 0)
        events, table = events + len(append.rows), append.table
        waiting.append(store.append(append))
        if len(waiting) == _AT_ONCE:
            await asyncio.gather(*waiting)
            waiting = []
    await asyncio.gather(*waiting)
    return Filled(names[0], names[1], tokens[0], tokens[1], table, events)


async def _sign_in(store: Store, names: list[str]) -> list[str]:
    """Accounts with a program's token each."""
    tokens, at = [new_token() for _ in names], now()
    await asyncio.gather(
        *(store.add_person(person, f"Name {number}", at) for number, person in enumerate(names)),
        *(store.add_key(hash_token(t), p, "program", at, None) for p, t in zip(names, tokens, strict=True)),
    )
    return tokens


def _again(played: PlayedGame, at: int, people: tuple[str, str], *, public: bool) -> Append:
    """The same game at another table, by other people and at another time."""
    shift = at - played.rows[0].at
    holders = {f"person {seat}": person for seat, person in enumerate(people, 1)}
    rows = tuple(
        row._replace(
            at=row.at + shift,
            texts=tuple(dataclasses.replace(text, person=holders[text.person]) for text in row.texts),
        )
        for row in played.rows
    )
    summary = dataclasses.replace(played.summary, created_at=at, public=public)
    seats = tuple(SeatHolder(seat, person, hash_token(new_token())) for seat, person in enumerate(people, 1))
    return Append(new_id(), 0, rows, None, summary, seats=seats, log_entries=(hash_token(new_token()),))
