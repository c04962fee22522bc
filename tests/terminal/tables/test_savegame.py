"""Unfinished games: saved with every pick, resumed after anything, and not readable at a glance."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from textual.pilot import Pilot

from facedown.core import registry
from facedown.core.errors import NotNow
from facedown.core.game import RESIGN
from facedown.terminal.moments.effects import ChosenGame
from facedown.terminal.moments.menu import start_menu
from facedown.terminal.tables.host import LocalHost
from facedown.terminal.tables.local import LocalTable
from facedown.terminal.tables.savegame import SaveGame, UnreadableGame, read_savegame, unfinished_games
from facedown.terminal.words import Words
from tests.terminal.pilot import app_of, at, open_table, place, screen_text, spec_of

OF_GAMES = pytest.mark.parametrize("game", registry.names())


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def play_picks(game: str, picks: int, people: tuple[int, ...] = (1,)) -> LocalTable:
    """A saved game after this number of picks by people."""
    table = open_table(spec_of(game, "", people=people), keep=True)
    table.begin()
    for _ in range(picks):
        if table.outcome is None:
            seat = next(seat for seat in table.may_seal if seat in people)
            table.seal(seat, table.legal(seat)[-1])
    return table


def resume(savegame: SaveGame) -> LocalTable:
    return LocalHost(keep=True).open(savegame.spec, Words(), savegame)


@OF_GAMES
@pytest.mark.parametrize("people", [(1,), (1, 2)])
def test_a_saved_game_continues(game: str, people: tuple[int, ...]) -> None:
    left = play_picks(game, 3, people)
    left.close()
    (savegame,) = unfinished_games()

    back = resume(savegame)

    assert back.match.picks == left.match.picks
    assert back.sealed == tuple(seat for seat in left.sealed if seat in people)
    back.begin()
    assert back.sealed == left.sealed
    assert [back.view(seat) for seat in (0, 1, 2)] == [left.view(seat) for seat in (0, 1, 2)]
    assert back.legal(1) == left.legal(1)


def test_the_menu_of_both_forms_offers_it_before_new_games() -> None:
    game = registry.names()[0]
    play_picks(game, 1).close()

    menu = start_menu(Words())
    first, second, *_ = menu.answers

    assert first.label.startswith(f"Continue: {registry.get(game).meta.title}, ")
    assert isinstance(first.effect, ChosenGame)
    assert first.effect.savegame is not None
    assert second.effect == ChosenGame(game)
    assert menu.answer(game) == second, "by its name as well"


@OF_GAMES
def test_the_rest_of_the_game_is_the_same_as_if_it_had_not_been_left(game: str) -> None:
    whole = play_picks(game, 9999)
    assert whole.outcome is not None
    left = play_picks(game, 2)
    left.close()
    (savegame,) = unfinished_games()
    back = resume(savegame)
    back.begin()
    while back.outcome is None:
        back.seal(1, back.legal(1)[-1])

    assert back.record() == whole.record()


@OF_GAMES
def test_a_finished_game_leaves_nothing_behind(game: str) -> None:
    table = play_picks(game, 1)
    assert len(list(unfinished_games())) == 0, "it is being played"
    table.resign(1)
    assert table.outcome is not None

    assert table.savegame is not None
    assert not table.savegame.path.exists()


@OF_GAMES
def test_the_file_is_its_owners_alone_and_shows_no_pick_and_no_seed(game: str) -> None:
    table = play_picks(game, 3, (1, 2))
    assert table.savegame is not None
    path = table.savegame.path
    text = path.read_text(encoding="utf-8")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert "oak" not in text.replace("uniform", "")
    for line in text.splitlines()[1:]:
        assert not any(f'"{pick}"' in line for joint in table.match.picks for pick in joint if pick)
    table.close()


@OF_GAMES
def test_a_line_that_was_cut_off_counts_for_nothing(game: str) -> None:
    table = play_picks(game, 3)
    table.close()
    assert table.savegame is not None
    path = table.savegame.path
    whole = read_savegame(path).sealed
    path.write_bytes(path.read_bytes()[:-5])

    savegame = read_savegame(path)

    assert savegame.sealed == whole[:-1]
    back = resume(savegame)
    back.begin()
    back.seal(1, back.legal(1)[0])
    back.close()
    assert read_savegame(path).sealed[: len(savegame.sealed)] == savegame.sealed


def test_nonsense_in_the_folder_is_not_offered_and_not_played(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "facedown" / "games"
    folder.mkdir(parents=True)
    for name, text in (("a", ""), ("b", "{}\n"), ("c", "nonsense\n"), ("d", '{"format": "x"}\nabc\n')):
        (folder / f"{name}.jsonl").write_text(text)

    assert list(unfinished_games()) == []
    with pytest.raises(UnreadableGame):
        read_savegame(folder / "b.jsonl")


def test_a_saved_game_that_breaks_its_rules_is_reported() -> None:
    game = registry.names()[0]
    savegame = SaveGame(spec_of(game))
    savegame.add(1, "nonsense", durable=True)
    savegame.close()

    with pytest.raises(UnreadableGame, match="does not follow the rules"):
        resume(read_savegame(savegame.path))


def test_a_resignation_is_saved_too() -> None:
    game = next(name for name in registry.names() if registry.get(name).meta.most_seats > 2)
    spec = spec_of(game, "", 3, people=(1, 2, 3))
    table = open_table(spec, keep=True)
    table.seal(1, table.legal(1)[0])
    table.resign(2)
    table.close()

    (savegame,) = unfinished_games()

    assert savegame.sealed[-1] == (2, RESIGN)
    assert resume(savegame).match.picks == table.match.picks


def test_a_full_disk_is_reported_the_game_goes_on_and_is_saved_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = registry.names()[-1]
    table = play_picks(game, 1)
    real = os.fsync

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    async def play(pilot: Pilot[str]) -> None:
        monkeypatch.setattr(os, "fsync", full)
        await place(pilot, table.legal(1)[0])
        assert "no space left on device" in " ".join(screen_text(pilot).split())
        decisions = len(table.match.picks)
        monkeypatch.setattr(os, "fsync", real)
        await place(pilot, table.legal(1)[0])
        assert len(table.match.picks) > decisions
        assert "saved again" in screen_text(pilot)

    at(app_of(table), play)
    table.close()
    (savegame,) = unfinished_games()
    assert resume(savegame).match.picks == table.match.picks


def test_only_the_latest_games_are_kept() -> None:
    game = registry.names()[-1]
    for _ in range(22):
        play_picks(game, 1).close()

    assert len(list(unfinished_games())) == 20


@pytest.mark.parametrize("game", registry.names())
def test_a_pick_for_a_decision_that_is_over_is_refused_and_changes_nothing(game: str) -> None:
    table = open_table(spec_of(game))
    table.begin()
    seat = table.may_seal[0]
    table.seal(seat, table.legal(seat)[0], table.decision)
    decision = table.decision
    before = (decision, table.sealed, len(table.history(seat)))

    with pytest.raises(NotNow):
        table.seal(seat, table.legal(seat)[0], decision - 1)

    assert (table.decision, table.sealed, len(table.history(seat))) == before
