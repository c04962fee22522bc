"""The caller's account: finished games, statistics and ratings; export and erasure of all data."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from facedown.protocol.accounts import PersonalData, Profile
from facedown.protocol.errors import TooMany
from facedown.server.http.endpoint import AnyEndpoint, Call, Endpoint, json_response, without_cookie
from facedown.server.http.listings import past_games, statistics
from facedown.server.store.base import StoreFailed

_SHOWN: Final = 100


async def _me(call: Call[None, None]) -> Profile:
    person = call.require_session()
    played, ratings = call.services.played, call.services.ratings
    games = tuple(past_games(await played.latest(person.id, _SHOWN)))
    counted = statistics(await played.outcomes(person.id), await ratings.of(person.id))
    return Profile(person.id, person.name, games, counted)


async def _export(call: Call[None, None]) -> Response:
    data = await call.services.forgetting.export(call.require_session())
    return json_response(data, 200, {"Content-Disposition": 'attachment; filename="facedown-data.json"'})


async def _erase(call: Call[None, None]) -> Response:
    person = call.require_session().id
    await call.services.forgetting.erase(person, call.language)
    call.services.tables.relations.forget(person)
    return without_cookie(json_response(None))


ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint(
        "GET",
        "/api/v1/people/me",
        "The caller's finished games, latest first, with statistics and ratings.",
        _me,
        Profile,
        needs="session",
        tag="people",
    ),
    Endpoint(
        "GET",
        "/api/v1/people/me/data",
        "Everything that the server holds about the caller, as one file.",
        _export,
        PersonalData,
        needs="session",
        refuses=(TooMany,),
        tag="people",
    ),
    Endpoint(
        "DELETE",
        "/api/v1/people/me",
        "Erase the caller: sessions, names, messages. Games that others played stay, without the name.",
        _erase,
        None,
        204,
        needs="session",
        refuses=(StoreFailed,),
        tag="people",
    ),
)
