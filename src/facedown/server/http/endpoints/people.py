"""The caller's account: finished games, statistics and ratings; export and erasure of all data."""

from __future__ import annotations

from typing import Final

from facedown.protocol.accounts import PersonalData, Profile
from facedown.protocol.errors import TooMany
from facedown.server.http.endpoint import Call, Endpoints, Reply, json_response, without_cookie
from facedown.server.http.listings import past_games, statistics
from facedown.server.store.base import StoreFailed

ENDPOINTS: Final = Endpoints("people", needs="session")
_ME: Final = "/api/v1/people/me"
_SHOWN: Final = 100


@ENDPOINTS.get(_ME)
async def profile(call: Call[None, None]) -> Profile:
    """The caller's finished games, latest first, with statistics and ratings."""
    person = call.require_session()
    played, ratings = call.services.played, call.services.ratings
    games = tuple(past_games(await played.latest(person.id, _SHOWN)))
    counted = statistics(await played.outcomes(person.id), await ratings.of(person.id))
    return Profile(person.id, person.name, games, counted)


@ENDPOINTS.get(f"{_ME}/data", refuses=(TooMany,))
async def personal_data(call: Call[None, None]) -> Reply[PersonalData]:
    """Everything that the server holds about the caller, as one file."""
    data = await call.services.forgetting.export(call.require_session())
    return json_response(data, 200, {"Content-Disposition": 'attachment; filename="facedown-data.json"'})


@ENDPOINTS.delete(_ME, refuses=(StoreFailed,))
async def erase_caller(call: Call[None, None]) -> Reply[None]:
    """Erase the caller: sessions, names, messages. Games that others played stay, without the name."""
    person = call.require_session().id
    await call.services.forgetting.erase(person, call.language)
    call.services.tables.relations.forget(person)
    return without_cookie()
