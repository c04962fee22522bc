"""For operators: health checks and metrics, tables and people, and the home network."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import astuple
from typing import Any, Final

import msgspec
from starlette.responses import Response

from facedown.core.errors import NotNow, Unsupported, missing_extra
from facedown.core.text.sanitise import one_line
from facedown.proof.signatures import can_sign
from facedown.protocol.errors import (
    BadToken,
    BrokenTable,
    Draining,
    NoNetwork,
    NotFound,
    NotYours,
    OperatorsOnly,
    UnknownTable,
)
from facedown.protocol.moderation import (
    EasyWinnerInfo,
    FoundPeople,
    FoundPersonInfo,
    LimitHit,
    LimitHits,
    PairInfo,
    PairList,
    PeopleQuery,
)
from facedown.protocol.rest import AdminTables, CloseTable, Health, ListQuery, Reach, ServerKeys, SetDoor
from facedown.server import clock
from facedown.server.accounts.pairs import (
    FEW_GAMES,
    LEAST_GAMES,
    LEAST_WINS,
    easy_winners,
    unusual_pairs,
)
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.names import fold_handle
from facedown.server.ops.metrics import MEDIA
from facedown.server.store.failures import StoreFailed
from facedown.server.table.summary import listed_table

ENDPOINTS: Final = Endpoints("operators", needs="operator", refuses=(BadToken, OperatorsOnly))
OPEN_ENDPOINTS: Final = Endpoints("operators")
"""Those that do not need the operator's token."""
_ADMIN: Final = "/api/v1/admin"
_REACH: Final = "/api/v1/reach"
_LISTED: Final = 200


# --- people ----------------------------------------------------------------------------------


@ENDPOINTS.get(f"{_ADMIN}/people")
async def find_people(call: Call[None, PeopleQuery]) -> FoundPeople:
    """Find people, or moderators, by a part of their name or handle, or by their id."""
    find, only = call.query.find, call.query.moderators
    found = await call.services.store.cases.find_people(find, fold_handle(find), moderators=only)
    return FoundPeople(tuple(FoundPersonInfo(*astuple(each)) for each in found))


@ENDPOINTS.delete(f"{_ADMIN}/people/{{person}}", refuses=(NotFound, NotNow, StoreFailed))
async def erase_person(call: Call[None, None]) -> None:
    """Erase a person: sessions, names, messages. Games that others played stay, without the name."""
    person = (await call.person_of_path()).id
    await call.services.check_erasable(person)
    await call.services.forgetting.erase(person)
    await call.services.tables.relations.forget(person)


@ENDPOINTS.get(f"{_ADMIN}/pairs")
async def list_pairs(call: Call[None, None]) -> PairList:
    """Pairs of people whose games with each other do not look like those with others: they may trade wins.
    And people whose wins are over newcomers only."""
    await call.services.played.fold_latest()
    ladders, since = call.services.store.ladders, clock.now() - 30 * clock.DAY_MS
    met = await ladders.met_pairs(since, LEAST_GAMES)
    winners = await ladders.wins_over_newcomers(since, LEAST_WINS, FEW_GAMES)
    return PairList(
        tuple(PairInfo(*pair[:6], share=share, chance=chance) for pair, share, chance in unusual_pairs(met)),
        tuple(EasyWinnerInfo(*each) for each in easy_winners(winners)),
    )


@ENDPOINTS.get(f"{_ADMIN}/limits")
async def limit_hits(call: Call[None, None]) -> LimitHits:
    """The limits that were hit since the server started."""
    hits = call.services.limits.hits()
    people = {who: await call.services.store.person(who) for who in {each[1] for each in hits}}
    names = {who: person.name for who, person in people.items() if person is not None}
    return LimitHits(tuple(LimitHit(*each, name=names.get(each[1], "")) for each in hits))


# --- tables ----------------------------------------------------------------------------------------------


@ENDPOINTS.get(f"{_ADMIN}/tables")
async def all_tables(call: Call[None, ListQuery]) -> AdminTables:
    """All tables, the newest first."""
    services, query = call.services, call.query
    found = await services.store.tables(state=query.state or "", game=query.game, limit=_LISTED)
    return AdminTables(tuple(listed_table(each) for each in found), services.tables.loaded)


@ENDPOINTS.post(
    f"{_ADMIN}/tables/{{table}}/close", optional_body=True, refuses=(UnknownTable, NotNow, StoreFailed)
)
async def close_table(call: Call[CloseTable, None]) -> None:
    """Close a table; the reason is shown to everyone at it."""
    with suppress(BrokenTable):  # it was closed when it was loaded
        table = await call.table()
        await table.close(one_line(call.body.say))


# --- the key ---------------------------------------------------------------------------------------------


@OPEN_ENDPOINTS.get("/.well-known/facedown.json")
async def keys(call: Call[None, None]) -> ServerKeys:
    """The public key with which this server signs tables and records, and how it was changed."""
    signing = call.services.tables.signing
    with suppress(StoreFailed):
        await signing.follow()
    return msgspec.structs.replace(signing.published(), witnesses=call.services.witnesses.keys)


@ENDPOINTS.post(f"{_ADMIN}/key", refuses=(StoreFailed, Unsupported))
async def change_key(call: Call[None, None]) -> ServerKeys:
    """Change the key with which new tables are signed. The old and the new key sign a statement about it."""
    if not can_sign():
        raise missing_extra("signing needs", "server")
    return await call.services.tables.signing.change_key(clock.now())


# --- the server ------------------------------------------------------------------------------------------


@OPEN_ENDPOINTS.get("/healthz")
async def liveness(call: Call[None, None]) -> Health:
    """Whether the server is alive."""
    return Health()


@OPEN_ENDPOINTS.get("/readyz", needs="monitor", refuses=(Draining, StoreFailed, OperatorsOnly))
async def readiness(call: Call[None, None]) -> Health:
    """Whether the server is ready: its store can write, and it is not shutting down."""
    if call.services.draining:
        raise Draining("the server is shutting down")
    await call.services.readiness.check()
    call.services.node.check()
    return Health(broken_tables=len(call.services.tables.broken) or msgspec.UNSET)


@OPEN_ENDPOINTS.get("/metrics", needs="monitor", media="text/plain", refuses=(OperatorsOnly,))
async def metrics(call: Call[None, None]) -> Response:
    """Counters for Prometheus."""
    return Response(call.services.metrics.page(), 200, {"Cache-Control": "no-store"}, MEDIA)


@OPEN_ENDPOINTS.get(_REACH)
async def reach(call: Call[None, None]) -> Reach:
    """Who can open the links of this server. Only a browser on the server's own computer gets the details."""
    return _reach(call)


@OPEN_ENDPOINTS.put(_REACH, needs="session", refuses=(NotYours, NoNetwork))
async def set_reach(call: Call[SetDoor, None]) -> Reach:
    """Open the server to the home network, or close it. For a browser on the server's own computer."""
    home = call.services.home
    if not (home.offered and call.from_this_computer):
        raise NotYours("only a browser on the computer that runs ./facedown may do this")
    if call.body.door == "closed":
        await home.close()
    elif not await home.open():
        raise NoNetwork("this computer is in no network, or its address there cannot be listened on")
    return _reach(call)


def _reach(call: Call[Any, None]) -> Reach:
    home = call.services.home
    if not call.from_this_computer:
        return Reach("none")
    if home.address:
        return Reach("open", home.address)
    return Reach("closed" if home.offered else "none")
