"""The browser's words: JavaScript modules made from the catalogues, one per part of the client and language.

The catalogue beside this module holds the messages that only the browser shows; the keys of a part that is
fetched later begin with its folder's name and a slash. A game's table has those of its folder's `web/locale`,
and those of the game's own catalogue that begin with one of `SHARED`. A module has every message: what its
language lacks is in English.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib import resources
from typing import Final

from facedown.core import registry
from facedown.core.text.catalogue import Texts
from facedown.core.text.translation import ENGLISH, languages, texts_in

SHARED: Final = (
    "title",
    "summary",
    "account.",
    "card.",
    "deal",
    "pick.",
    "showed.",
    "side.",
    "skipped",
    "story.",
)
"""What begins the keys of messages that a game's table shows as every other client does."""
_VERDICTS: Final = ("verify.consistent", "verify.false", "verify.proven")
"""Messages of the verifier that the browser's review ends in too."""
_FOLDER: Final = "locale"
_WEB: Final = resources.files("facedown.web")
_LATER: Final = ("account", "contacts", "people", "share", "study", "today", "tournaments")
_SHELL: Final = ("", *(f"{part}/" for part in _LATER))
"""The parts of the shell; some screens fetch their messages when they are opened."""
_REVIEW: Final = "review/"
_OF_REVIEW: Final = ("review.", "verify.")
"""What begins the keys of the shell's messages that only a review shows: it fetches them."""
_GENERIC: Final = "table/"
"""What begins the keys of the table of games that draw nothing of their own."""


def shell_words() -> dict[str, bytes]:
    """The modules of the shell by address, without the leading slash.

    Home shows all our games, so the first module of a language brings their words along.
    """
    return {
        f"words/{part}{language}.js": _module(
            shell_texts(part, ENGLISH) | shell_texts(part, language), () if part else _our_games(), language
        )
        for part in (*_SHELL, _REVIEW)
        for language in languages()
    }


def _our_games() -> Iterator[str]:
    return (name for name in registry.names() if registry.is_ours(name))


def shell_texts(part: str, language: str) -> Texts:
    """The messages of a part of the shell."""
    if part not in ("", _REVIEW):
        return part_texts(part, language)
    library = texts_in(resources.files("facedown.core") / _FOLDER, language)
    verdicts = {key: text for key, text in library.items() if key in _VERDICTS}
    ours = texts_in(_WEB / _FOLDER, language)
    whole = {key: text for key, text in ours.items() if "/" not in key} | verdicts
    return {key: text for key, text in whole.items() if key.startswith(_OF_REVIEW) == (part == _REVIEW)}


def part_texts(part: str, language: str) -> Texts:
    """The messages whose keys begin with a part's name and a slash, without it."""
    ours = texts_in(_WEB / _FOLDER, language)
    return {key.removeprefix(part): text for key, text in ours.items() if key.startswith(part)}


def game_words(game: str) -> dict[str, bytes]:
    """The modules of a game by address, without the leading slash."""
    return {
        f"words/games/{game}/{language}.js": _module(_whole_game(game, language)) for language in languages()
    }


def _whole_game(game: str, language: str) -> Texts:
    return game_texts(game, ENGLISH) | game_texts(game, language)


def game_texts(game: str, language: str) -> Texts:
    """What a game's table shows: its own words, or the generic table's and all of the game's messages."""
    home = resources.files(registry.packages()[game])
    everywhere = texts_in(home / _FOLDER, language)
    if not (home / "web/table.js").is_file():
        return part_texts(_GENERIC, language) | everywhere
    shared = {key: text for key, text in everywhere.items() if key.startswith(SHARED)}
    return shared | texts_in(home / "web" / _FOLDER, language)


def is_another_language(address: str) -> bool:
    """Whether a file holds words that readers of English do not need."""
    return address.startswith("words/") and not address.endswith(f"/{ENGLISH}.js")


def is_fetched_alone(address: str) -> bool:
    """Whether no module imports these words by their address: the reader's language decides."""
    return is_another_language(address) or address == f"words/{ENGLISH}.js"


def _module(texts: Texts, games: Iterable[str] = (), language: str = ENGLISH) -> bytes:
    words = f"export default {_json(texts)};\n"
    if of_games := {game: _whole_game(game, language) for game in games}:
        words += (
            f"export const games = {{{','.join(f'{each}:{_json(of_games[each])}' for each in of_games)}}};\n"
        )
    return words.encode()


def _json(texts: Texts) -> str:
    return json.dumps(dict(sorted(texts.items())), ensure_ascii=False, separators=(",", ":"))
