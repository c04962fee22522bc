"""Games: their list, rule sets, rules pages and verdicts on perfect play."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import msgspec
from starlette.responses import Response

from facedown.bots.find import bots_of, substitute_bot, usual_bot
from facedown.core import registry
from facedown.core.errors import UnknownGame, UnreadableRules, Unsupported
from facedown.core.game import AnyGame
from facedown.core.rules import Choice, Number, Option, Rules
from facedown.core.text.rule_page import fill_in, sentences
from facedown.core.text.translation import Text, languages, translate
from facedown.protocol.errors import TooMany
from facedown.protocol.rest import (
    GameInfo,
    MachineInfo,
    OptionInfo,
    PresetInfo,
    RulesInfo,
    RulesQuery,
    SolverAnswer,
)
from facedown.server.analysis import AnalysisFailed, AnalysisQuestion
from facedown.server.http.endpoint import LANGUAGE_HEADER, AnyEndpoint, Call, Endpoint, json_response
from facedown.server.http.problems import NoGame
from facedown.study.explore import explorer_of
from facedown.study.train import trainer_of

_TAG: Final = "games"


def _game(name: str) -> AnyGame:
    try:
        return registry.get(name)
    except UnknownGame as error:
        raise NoGame(error.say) from None


# --- the games -------------------------------------------------------------------------------------------


async def _games(call: Call[None, None]) -> Response:
    body, tag = _all_games(call.language)
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Language, Accept-Encoding"}
    if call.request.headers.get("if-none-match") == tag:
        return Response(None, 304, headers)
    return _compressed(call, body, headers)


def _compressed(call: Call[Any, Any], body: bytes, headers: dict[str, str]) -> Response:
    """JSON that is the same for everybody, smaller where the caller reads gzip. What holds anything of a
    person is never compressed: its length would tell of it."""
    if "gzip" in call.request.headers.get("accept-encoding", ""):
        body, headers = _gzip(body), {**headers, "Content-Encoding": "gzip"}
    return Response(body, 200, headers, "application/json")


@lru_cache(maxsize=64)
def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)


@lru_cache(maxsize=len(languages()))
def _all_games(language: str) -> tuple[bytes, str]:
    """All games as JSON with its ETag, encoded once: they do not change while the server runs."""
    body = msgspec.json.encode(list(_game_infos(language)))
    return body, f'"{hashlib.sha256(body).hexdigest()[:16]}"'


def _game_infos(language: str) -> Iterator[GameInfo]:
    """Every game that can be told about; one that cannot is left out, whoever wrote it."""
    for name in registry.names():
        try:
            yield _game_info(registry.get(name), language)
        except Exception as error:
            if registry.is_ours(name):
                raise
            registry.leave_out(f"the game {name!r}", registry.origin(name), error)


def _game_info(game: AnyGame, language: str) -> GameInfo:
    def say(text: Text) -> str:
        return translate(text, language)

    return GameInfo(
        name=game.name,
        title=say(game.meta.title),
        summary=say(game.meta.summary),
        least_seats=game.meta.least_seats,
        most_seats=game.meta.most_seats,
        version=game.version,
        options=tuple(_option(option, language) for option in game.rules.options),
        presets=tuple(_preset(game.rules, each.name, say(each.meaning)) for each in game.rules.presets),
        machines=tuple(MachineInfo(name, say(bot.says)) for name, bot in bots_of(game.name).items()),
        usual_machine=usual_bot(game.name),
        substitute_machine=substitute_bot(game.name),
        explorer=explorer_of(game.name) is not None,
        trainer=trainer_of(game.name, game.meta.least_seats) is not None,
    )


def _option(option: Option, language: str) -> OptionInfo:
    label, help_text = translate(option.label, language), translate(option.help, language)
    words = (option.name, label, help_text, option.rule)
    if isinstance(option, Number):
        return OptionInfo(*words, "number", low=option.low, high=option.high)
    if isinstance(option, Choice):
        return OptionInfo(*words, "choice", values=option.values)
    return OptionInfo(*words, "switch", values=("on", "off"))


def _preset(kind: type[Rules], name: str, meaning: str) -> PresetInfo:
    rules = kind.of(name)
    values = {option.name: option.as_json(rules.value(option)) for option in kind.options}
    return PresetInfo(name, meaning, values, str(rules))


# --- one rule set ----------------------------------------------------------------------------------------


async def _rules(call: Call[None, RulesQuery]) -> Response:
    game = _game(call.part("game"))
    problems: tuple[Text, ...] = ()
    try:
        rules = game.rules.read(call.query.rules)
    except UnreadableRules as error:
        rules, problems = game.rules.of(), error.problems
    language = call.language
    page = fill_in(registry.page(game.name, language), rules)
    info = RulesInfo(
        rules="" if problems else str(rules),
        problems=tuple(translate(each, language) for each in problems),
        notes=() if problems else tuple(translate(each, language) for each in rules.notes()),
        sentences=sentences(page),
        page=page,
    )
    return _compressed(call, msgspec.json.encode(info), {"Cache-Control": "no-store"})


async def _verdict(call: Call[None, RulesQuery]) -> Response:
    game = _game(call.part("game"))
    question = AnalysisQuestion("verdict", game.name, rules=str(game.rules.read(call.query.rules)))
    try:
        return json_response(await call.unless_gone(call.services.analyse(question, call.address)))
    except Unsupported as error:  # not every game is solved: that is an answer, too
        return json_response(SolverAnswer(question.rules, None, None, None, (error.say,)))


ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint(
        "GET",
        "/api/v1/games",
        "All games, with their options, presets and machines.",
        _games,
        tuple[GameInfo, ...],
        headers={"If-None-Match": "the ETag of an earlier answer", **LANGUAGE_HEADER},
        also={304: "unchanged"},
        tag=_TAG,
    ),
    Endpoint(
        "GET",
        "/api/v1/games/{game}/rules",
        "Read a rule set: its canonical text or its problems, and the game's page for it.",
        _rules,
        RulesInfo,
        query=RulesQuery,
        refuses=(NoGame,),
        headers=LANGUAGE_HEADER,
        tag=_TAG,
    ),
    Endpoint(
        "GET",
        "/api/v1/games/{game}/verdict",
        "The verdict on a rule set: the value of perfect play. It may take a while.",
        _verdict,
        SolverAnswer,
        query=RulesQuery,
        refuses=(NoGame, UnreadableRules, TooMany, AnalysisFailed),
        tag=_TAG,
    ),
)
