"""Everything that a terminal shows has words in every language, and wide letters keep their columns."""

from __future__ import annotations

import pytest

import facedown.protocol.errors  # noqa: F401  # its codes are refusals, too
from facedown.bots.find import bots_of
from facedown.client.errors import ServerRefused
from facedown.core import registry
from facedown.core.errors import FacedownError
from facedown.core.parts.text import bot_called, everything, text_of
from facedown.core.text.translation import ENGLISH, Message, languages, translate
from facedown.terminal.drawing.spans import beside, cells, centre, cut, fit, pad, wrap
from facedown.terminal.lines.console import InputEnded
from facedown.terminal.lines.table import LineTable
from facedown.terminal.settings import Look
from facedown.terminal.words import Words
from tests.terminal.consoles import console, events_of, fixtures
from tests.terminal.pilot import open_table, spec_of

OF_GAMES = pytest.mark.parametrize("game", registry.names())
OTHERS = [language for language in languages() if language != ENGLISH]


@OF_GAMES
@pytest.mark.parametrize("language", languages())
def test_a_game_has_words_for_everything_that_a_menu_shows(game: str, language: str) -> None:
    played, own = registry.get(game), registry.messages(game)
    texts = [played.meta.title, played.meta.summary]
    texts += [each.meaning for each in played.rules.presets]
    texts += [text for option in played.rules.options for text in (option.label, option.help)]
    texts += [text for name, bot in bots_of(game).items() for text in (bot_called(game, name), bot.says)]
    assert all(isinstance(text, Message) for text in texts)
    assert {text.package for text in texts if isinstance(text, Message)} == {own.package, "facedown.core"}
    assert all(translate(text, language) for text in texts)


@pytest.mark.parametrize("language", OTHERS)
def test_every_event_and_every_table_has_words(language: str) -> None:
    for record in list(fixtures())[::9]:
        text = text_of(record.game, language)
        for event in events_of(record):
            sentence = text.tell(everything(event), record.seats)
            assert sentence is not None
            assert sentence.endswith((".", "。"))
            assert "None" not in sentence


def codes(kind: type[FacedownError]) -> set[str]:
    """The stable codes of everything that can be refused at a table, here or by a server."""
    known = {kind.code} if kind.__module__.split(".")[1] in ("core", "client") else set()
    if kind.__module__ == "facedown.protocol.errors":
        known = {kind.code}
    return known.union(*(codes(each) for each in kind.__subclasses__()))


def test_every_refusal_has_words_in_every_language() -> None:
    found = codes(FacedownError) - {"wrong_origin"}  # a browser's
    assert {"illegal_pick", "already_sealed", "wrong_decision", "lost_server", "seat_taken"} <= found
    for language in OTHERS:
        for code in found:
            refusal = Words(language).refusal(ServerRefused(code, "in English", rule="X1"))
            assert refusal.endswith(" (X1)")
            assert "English" not in refusal
            assert code == "error" or refusal != Words(language).refusal(FacedownError("", rule="X1")), code
    assert Words("en").refusal(ServerRefused("not_now", "the game is over")) == "the game is over"


@OF_GAMES
def test_a_refusal_is_translated_into_japanese_line_by_line(game: str) -> None:
    at, screen = console("nonsense\x1b[2J\n")
    table = open_table(spec_of(game), Look("ja"))

    with pytest.raises(InputEnded):
        LineTable(at, table, Words("ja")).play()

    refusal = next(line for line in screen.getvalue().splitlines() if "受け付けません" in line)
    assert "「nonsense?[2J」：札として読めません" in refusal
    assert "\x1b" not in screen.getvalue()


@pytest.mark.parametrize("language", languages())
def test_preset_remarks_are_known_by_their_words(language: str) -> None:
    words = Words(language)
    assert [words.preset(words.preset_of(f" {text}! ")) for text in words.presets] == list(words.presets)
    assert words.preset_of("something else") == ""


@pytest.mark.parametrize("text", ["Emperor", "皇帝の側", "ｱｲｳ", "e\u0301tude", ""])
@pytest.mark.parametrize("width", [1, 2, 5, 9])
def test_padding_and_cutting_keep_the_width(text: str, width: int) -> None:
    assert cells(pad(text, width)) == width
    assert cells(centre(text, width)) == width
    assert cells(cut(text, width)) <= width
    assert sum(cells(part) for part, _ in fit([(text, "bone")], width)) == width


def test_blocks_align_beside_each_other_whatever_they_hold() -> None:
    lines = beside([[[("皇帝", "")], [("E", "")]], [[("x", "")]]], 1)

    assert [sum(cells(text) for text, _ in line) for line in lines] == [6, 6]


@pytest.mark.parametrize("width", [10, 17, 40])
def test_long_texts_are_broken_to_the_width(width: int) -> None:
    for text in (
        "one two three four five six",
        "皇帝は市民に勝ち、市民は奴隷に勝つ。奴隷は皇帝に勝つ。",
        "x" * 100,
    ):
        lines = wrap(text, width)
        assert all(cells(line) <= width + 2 for line in lines)
        assert "".join("".join(lines).split()) == "".join(text.split())
