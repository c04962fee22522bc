"""Studies: explorations of solved positions, questions of the trainer, and marks of their answers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from msgspec.structs import astuple, replace

from facedown.bots.find import UnknownBot
from facedown.bots.house import house_of, offered_tells, resident
from facedown.core import registry
from facedown.core.errors import NotNow, UnreadableRules, Unsupported
from facedown.core.text.translation import translate
from facedown.protocol.errors import BadToken, TooMany, UnknownTable
from facedown.protocol.study import (
    DailyTraining,
    ExerciseQuery,
    ExploreQuery,
    GuessAnswer,
    GuessQuery,
    KnownHouse,
    KnownResident,
    ResidentInfo,
    StudyProgress,
    TellInfo,
)
from facedown.server.analysis import AnalysisFailed, AnalysisQuestion, StudyRefused
from facedown.server.clock import now
from facedown.server.http.endpoint import LANGUAGE_HEADER, Call, Endpoints, Reply, json_response
from facedown.server.http.endpoints.games import installed_game
from facedown.server.http.endpoints.tables import SEAT_HEADER
from facedown.server.http.problems import NoGame
from facedown.server.ops.rate_limits import address_key
from facedown.server.store.acquaintances import StoredAcquaintance
from facedown.study.train import DAILY, daily_seed

ENDPOINTS: Final = Endpoints("games")
_GAME: Final = "/api/v1/games/{game}"
_WORKING: Final = 202
_ALSO: Final = {_WORKING: "still being worked out: how far it is; ask again"}
_REFUSES: Final = (NoGame, UnreadableRules, Unsupported, StudyRefused, TooMany, AnalysisFailed)


async def _study(call: Call[Any, Any], question: AnalysisQuestion) -> Reply[dict[str, Any]]:
    """The answer in the caller's language, or the progress while it is worked out."""
    services, question = call.services, replace(question, language=call.language)
    services.limits.study(call.address, cheap=services.studies.is_cheap(question))
    found = await services.studies.ask(question, address_key(call.address))
    return json_response(found, _WORKING if isinstance(found, StudyProgress) else 200)


def _game_and_rules(call: Call[None, Any]) -> tuple[str, str]:
    game = installed_game(call.part("game"))
    return game.name, str(game.rules.read(call.query.rules))


@ENDPOINTS.get(f"{_GAME}/explore", refuses=_REFUSES, headers=LANGUAGE_HEADER, also=_ALSO)
async def explore(call: Call[None, ExploreQuery]) -> Reply[dict[str, Any]]:
    """One position of a solved rule set: its value, its mixes, what picks cost, and where it leads."""
    query = call.query
    return await _study(
        call, AnalysisQuestion("explore", *_game_and_rules(call), at=query.at, habit=query.habit)
    )


@ENDPOINTS.get(f"{_GAME}/daily", refuses=(NoGame,))
async def daily(call: Call[None, None]) -> DailyTraining:
    """The seeds of today's questions of the trainer."""
    installed_game(call.part("game"))
    day = datetime.fromtimestamp(now() / 1000, UTC).date().isoformat()
    return DailyTraining(day, tuple(daily_seed(day, number) for number in range(1, DAILY + 1)))


@ENDPOINTS.get(
    f"{_GAME}/exercise",
    refuses=(*_REFUSES, UnknownTable, BadToken, NotNow),
    headers={**SEAT_HEADER, **LANGUAGE_HEADER},
    also=_ALSO,
)
async def exercise(call: Call[None, ExerciseQuery]) -> Reply[dict[str, Any]]:
    """A question of the trainer about a position of a game that machines play, or with `table` of one that is
    over; with `answer`, its mark."""
    (game, rules), asked = _game_and_rules(call), call.query
    question = AnalysisQuestion(
        "mark" if asked.answer else "exercise",
        game,
        rules="" if asked.table else rules,
        record=await _finished_game(call, asked.table, game) if asked.table else "",
        seed=asked.seed,
        answer=asked.answer,
        seats=asked.seats,
        habit=asked.habit,
    )
    return await _study(call, question)


async def _finished_game(call: Call[Any, Any], table_id: str, game: str) -> str:
    """The record of a finished table, for a caller who may watch it."""
    table, seated = await call.visible_table(table_id)
    if table.setup.game != game:
        raise UnknownTable("this table is of another game")
    if table.phase != "over":
        raise NotNow("a game can be trained with once it is over")
    return table.record(seated.viewer, seated.person or None)


# --- the house -------------------------------------------------------------------------------------------


@ENDPOINTS.get(f"{_GAME}/house", refuses=(NoGame,), headers=LANGUAGE_HEADER)
async def house(call: Call[None, None]) -> tuple[ResidentInfo, ...]:
    """The characters of a game, from the easiest to beat to the hardest; none if it has no house."""
    game = installed_game(call.part("game")).name
    return tuple(
        ResidentInfo(
            name=each.bot.name,
            says=translate(each.bot.says, call.language),
            price=each.price,
            error=each.error,
            talk={when: translate(text, call.language) for when, text in each.talk.items()},
            guesses=tuple(
                TellInfo(tell.id, translate(tell.say, call.language))
                for tell in offered_tells(game, each.bot.name)
            ),
        )
        for each in house_of(game)
    )


@ENDPOINTS.put("/api/v1/house", needs="session", refuses=(TooMany,))
async def note_house(call: Call[KnownHouse, None]) -> KnownHouse:
    """Keep what a device knows of the characters, and return what all devices of the caller know together.

    Numbers only grow, a tell is kept if it is the character's, and other machines are left out.
    """
    person, rows = call.require_session().id, call.services.store.acquaintances
    call.services.limits.note_house(person)
    for each in call.body.known:
        for character in house_of(each.game) if each.game in registry.names() else ():
            if character.bot.name == each.machine:
                is_right = character.tell is not None and character.tell.id == each.found
                known = StoredAcquaintance(*astuple(each))
                await rows.note(person, known if is_right else known._replace(found=""))
    return KnownHouse(tuple(KnownResident(*each) for each in await rows.of(person)))


@ENDPOINTS.get(f"{_GAME}/house/{{resident}}/guess", refuses=(NoGame, UnknownBot))
async def guess_tell(call: Call[None, GuessQuery]) -> GuessAnswer:
    """Judge a guess at a character's tell."""
    tell = resident(installed_game(call.part("game")).name, call.part("resident")).tell
    return GuessAnswer(tell is not None and tell.id == call.query.guess)
