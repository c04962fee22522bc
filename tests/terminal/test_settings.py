"""Settings: kept in the config folder, shown in the menu, never in the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from facedown.terminal.paths import settings_file
from facedown.terminal.settings import (
    CHOICES,
    TerminalSettings,
    colours_of_terminal,
    read_settings,
    theme_of_terminal,
    write_settings,
)
from tests.terminal.pilot import app_of, at, press, screen_text


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_settings_are_saved_and_read_again() -> None:
    chosen = TerminalSettings("ja", "day", "short", "ascii")
    write_settings(chosen)

    assert read_settings() == chosen
    assert settings_file().is_file()


@pytest.mark.parametrize(
    "text", ["", "nonsense", "[]", '{"language": "xx", "theme": 7}', '{"motion": ["off"]}']
)
def test_unreadable_settings_fall_back_to_the_defaults(text: str) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text(text)

    assert read_settings() == TerminalSettings()


def test_the_menu_changes_them_at_once_and_keeps_them() -> None:
    async def play(pilot: Pilot[str]) -> None:
        await press(pilot, "up", "up", "enter")
        assert "Language" in screen_text(pilot)
        await press(pilot, *["right"] * CHOICES["language"].index("ja"))
        assert "言語" in screen_text(pilot)
        await press(pilot, "escape")
        assert "設定" in screen_text(pilot)

    at(app_of(), play)
    assert json.loads(settings_file().read_text())["language"] == "ja"


def test_a_config_folder_that_cannot_be_written_is_reported_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("not a folder")
    app = app_of()

    async def play(pilot: Pilot[str]) -> None:
        await press(pilot, "up", "up", "enter", "right")

    at(app, play)
    assert any("could not be saved" in line for line in app.said)


@pytest.mark.parametrize("name", CHOICES)
def test_every_choice_comes_round(name: str) -> None:
    settings = TerminalSettings()
    seen = set()
    for _ in CHOICES[name]:
        settings = settings.next(name)
        seen.add(getattr(settings, name))
    assert seen == set(CHOICES[name])
    assert settings == TerminalSettings()


@pytest.mark.parametrize(
    ("environment", "colours", "theme"),
    [
        ({"TERM": "xterm-256color"}, "many", "night"),
        ({"TERM": "xterm", "COLORTERM": "truecolor", "COLORFGBG": "0;15"}, "many", "day"),
        ({"TERM": "xterm"}, "16", "terminal"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "none", "mono"),
    ],
)
def test_the_colours_are_those_that_the_terminal_has(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], colours: str, theme: str
) -> None:
    for name in ("TERM", "COLORTERM", "COLORFGBG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert colours_of_terminal() == colours
    assert theme_of_terminal("auto") == theme
