"""For people who study: explorations of solved positions, questions of the trainer, and their marks."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from starlette.responses import Response

from facedown.core import registry
from facedown.core.errors import NotNow, UnknownGame, UnreadableRules, Unsupported
from facedown.core.game import AnyGame
from facedown.protocol.errors import BadToken, TooMany, UnknownTable
from facedown.protocol.study import (
    DailyTraining,
    ExerciseQuery,
    ExploreQuery,
    MarkQuery,
    RecordedExerciseQuery,
    RecordedMarkQuery,
    StudyProgress,
)
from facedown.server.analysis import AnalysisFailed, AnalysisQuestion, StudyRefused
from facedown.server.clock import now
from facedown.server.http.endpoint import LANGUAGE_HEADER, AnyEndpoint, Call, Endpoint, json_response
from facedown.server.http.endpoints.tables import SEAT_HEADER
from facedown.server.http.problems import NoGame
from facedown.study.train import DAILY, daily_seed

_TAG: Final = "games"
_WORKING: Final = 202


def _game(name: str) -> AnyGame:
    try:
        return registry.get(name)
    except UnknownGame as error:
        raise NoGame(error.say) from None


async def _answered(call: Call[Any, Any], question: AnalysisQuestion) -> Response:
    """The answer; or, while it is worked out, how far it is."""
    found = await call.services.study(question, call.address)
    return json_response(found, _WORKING if isinstance(found, StudyProgress) else 200)


async def _explore(call: Call[None, ExploreQuery]) -> Response:
    game, query = _game(call.part("game")), call.query
    rules = str(game.rules.read(query.rules))
    return await _answered(
        call,
        AnalysisQuestion(
            "explore", game.name, rules=rules, at=query.at, habit=query.habit, language=call.language
        ),
    )


async def _exercise(call: Call[None, ExerciseQuery]) -> Response:
    game, query = _game(call.part("game")), call.query
    rules = str(game.rules.read(query.rules))
    question = AnalysisQuestion(
        "exercise", game.name, rules=rules, seed=query.seed, seats=query.seats, language=call.language
    )
    return await _answered(call, question)


async def _mark(call: Call[None, MarkQuery]) -> Response:
    game, query = _game(call.part("game")), call.query
    question = AnalysisQuestion(
        "mark",
        game.name,
        rules=str(game.rules.read(query.rules)),
        seed=query.seed,
        answer=query.answer,
        seats=query.seats,
        language=call.language,
    )
    return await _answered(call, question)


async def _daily(call: Call[None, None]) -> DailyTraining:
    _game(call.part("game"))
    day = datetime.fromtimestamp(now() / 1000, UTC).date().isoformat()
    return DailyTraining(day, tuple(daily_seed(day, number) for number in range(1, DAILY + 1)))


async def _recorded(call: Call[Any, Any]) -> tuple[str, str]:
    """The game of a finished table and its record, for whoever may watch it."""
    table = await call.table()
    seated = await call.watching(table)
    if table.phase != "over":
        raise NotNow("a game can be trained with once it is over")
    return table.setup.game, table.record(seated.viewer)


async def _recorded_exercise(call: Call[None, RecordedExerciseQuery]) -> Response:
    game, record = await _recorded(call)
    question = AnalysisQuestion("exercise", game, seed=call.query.seed, record=record, language=call.language)
    return await _answered(call, question)


async def _recorded_mark(call: Call[None, RecordedMarkQuery]) -> Response:
    game, record = await _recorded(call)
    question = AnalysisQuestion(
        "mark",
        game,
        seed=call.query.seed,
        answer=call.query.answer,
        record=record,
        language=call.language,
    )
    return await _answered(call, question)


_REFUSES: Final = (NoGame, UnreadableRules, Unsupported, StudyRefused, TooMany, AnalysisFailed)
_REFUSES_TABLE: Final = (UnknownTable, BadToken, NotNow, Unsupported, StudyRefused, TooMany, AnalysisFailed)
_ALSO: Final = {_WORKING: "still being worked out: how far it is; ask again"}

ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint(
        "GET",
        "/api/v1/games/{game}/explore",
        "One position of a solved rule set: its value, its mixes, what picks cost, and where it leads.",
        _explore,
        dict[str, Any],
        query=ExploreQuery,
        refuses=_REFUSES,
        headers=LANGUAGE_HEADER,
        also=_ALSO,
        tag=_TAG,
    ),
    Endpoint(
        "GET",
        "/api/v1/games/{game}/daily",
        "The seeds of today's questions of the trainer.",
        _daily,
        DailyTraining,
        refuses=(NoGame,),
        tag=_TAG,
    ),
    Endpoint(
        "GET",
        "/api/v1/games/{game}/exercise",
        "A question of the trainer about a position of a game that machines play.",
        _exercise,
        dict[str, Any],
        query=ExerciseQuery,
        refuses=_REFUSES,
        headers=LANGUAGE_HEADER,
        also=_ALSO,
        tag=_TAG,
    ),
    Endpoint(
        "GET",
        "/api/v1/games/{game}/mark",
        "The mark of an answer to such a question.",
        _mark,
        dict[str, Any],
        query=MarkQuery,
        refuses=_REFUSES,
        headers=LANGUAGE_HEADER,
        also=_ALSO,
        tag=_TAG,
    ),
    Endpoint(
        "GET",
        "/api/v1/tables/{table}/exercise",
        "A question of the trainer about a position of a game that is over.",
        _recorded_exercise,
        dict[str, Any],
        query=RecordedExerciseQuery,
        refuses=_REFUSES_TABLE,
        headers={**SEAT_HEADER, **LANGUAGE_HEADER},
        also=_ALSO,
        tag=_TAG,
    ),
    Endpoint(
        "GET",
        "/api/v1/tables/{table}/mark",
        "The mark of an answer to such a question.",
        _recorded_mark,
        dict[str, Any],
        query=RecordedMarkQuery,
        refuses=_REFUSES_TABLE,
        headers={**SEAT_HEADER, **LANGUAGE_HEADER},
        also=_ALSO,
        tag=_TAG,
    ),
)
