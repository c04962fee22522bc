"""Games: their list, rule sets, rules pages and verdicts on perfect play."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import msgspec

from facedown.bots.find import bots_of, substitute_bot, usual_bot
from facedown.bots.house import house_of
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
from facedown.server.http.endpoint import LANGUAGE_HEADER, Call, Endpoints, Reply, json_response
from facedown.server.http.problems import NoGame
from facedown.study.explore import explorer_of
from facedown.study.train import trainer_of

ENDPOINTS: Final = Endpoints("games")


def installed_game(name: str) -> AnyGame:
    """The game of this name; raises `NoGame`."""
    try:
        return registry.get(name)
    except UnknownGame as error:
        raise NoGame(error.message) from None


# --- the games -------------------------------------------------------------------------------------------


@ENDPOINTS.get(
    "/api/v1/games",
    headers={"If-None-Match": "the ETag of an earlier answer", **LANGUAGE_HEADER},
    also={304: "unchanged"},
)
async def list_games(call: Call[None, None]) -> Reply[tuple[GameInfo, ...]]:
    """All games, with their options, presets and machines."""
    body, tag = _all_games(call.language)
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Language, Accept-Encoding"}
    if call.request.headers.get("if-none-match") == tag:
        return Reply(None, 304, headers)
    return _public_json(call, body, headers)


def _public_json(call: Call[Any, Any], body: bytes, headers: dict[str, str]) -> Reply[Any]:
    """JSON that is the same for all callers, compressed for those that read gzip. Personal data is never
    compressed: its length would give something away."""
    if "gzip" in call.request.headers.get("accept-encoding", ""):
        body, headers = _gzip(body), {**headers, "Content-Encoding": "gzip"}
    return Reply(body, 200, headers, "application/json")


@lru_cache(maxsize=64)
def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)


@lru_cache(maxsize=len(languages()))
def _all_games(language: str) -> tuple[bytes, str]:
    """All games as JSON with its ETag, encoded once: they do not change while the server runs."""
    body = msgspec.json.encode(list(_game_infos(language)))
    return body, f'"{hashlib.sha256(body).hexdigest()[:16]}"'


def _game_infos(language: str) -> Iterator[GameInfo]:
    """All games; a plug-in's game that cannot be described is left out."""
    for name in registry.names():
        try:
            yield _game_info(registry.get(name), language)
        except Exception as error:
            if registry.is_ours(name):
                raise
            registry.leave_out(f"the game {name!r}", registry.origin(name), error)


def _game_info(game: AnyGame, language: str) -> GameInfo:
    def text_of(text: Text) -> str:
        return translate(text, language)

    residents = {each.bot.name for each in house_of(game.name)}
    return GameInfo(
        name=game.name,
        title=text_of(game.meta.title),
        summary=text_of(game.meta.summary),
        least_seats=game.meta.least_seats,
        most_seats=game.meta.most_seats,
        version=game.version,
        options=tuple(_option(option, language) for option in game.rules.options),
        presets=tuple(_preset(game.rules, each.name, text_of(each.meaning)) for each in game.rules.presets),
        usual_preset=game.rules.usual_preset(),
        machines=tuple(
            MachineInfo(name, text_of(bot.says), bot.level, name in residents)
            for name, bot in bots_of(game.name).items()
        ),
        usual_machine=usual_bot(game.name),
        substitute_machine=substitute_bot(game.name),
        house=bool(residents),
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


@ENDPOINTS.get("/api/v1/games/{game}/rules", refuses=(NoGame,), headers=LANGUAGE_HEADER)
async def read_rules(call: Call[None, RulesQuery]) -> Reply[RulesInfo]:
    """Read a rule set: its canonical text or its problems, and the game's page for it."""
    game = installed_game(call.part("game"))
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
    return _public_json(call, msgspec.json.encode(info), {"Cache-Control": "no-store"})


@ENDPOINTS.get("/api/v1/games/{game}/verdict", refuses=(NoGame, UnreadableRules, TooMany, AnalysisFailed))
async def verdict(call: Call[None, RulesQuery]) -> Reply[SolverAnswer]:
    """The verdict on a rule set: the value of perfect play. It may take a while."""
    game = installed_game(call.part("game"))
    question = AnalysisQuestion("verdict", game.name, rules=str(game.rules.read(call.query.rules)))
    try:
        return json_response(await call.analyse(question))
    except Unsupported as error:  # not every game is solved: that is an answer, too
        return json_response(SolverAnswer(question.rules, None, None, None, (str(error.message),)))
