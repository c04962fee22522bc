"""Unfinished games: kept with every pick, resumed after anything, readable by nobody who just looks."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from textual.pilot import Pilot

from facedown.commands.hosting import LocalHost
from facedown.core import registry
from facedown.core.game import RESIGN
from facedown.terminal.tables.local import LocalSitting
from facedown.terminal.tables.savegame import Kept, UnreadableGame, read_kept, unfinished
from facedown.terminal.words.words import Words
from tests.terminal.screens import app_of, at, opened, order_of, place, shown

OF_GAMES = pytest.mark.parametrize("game", registry.names())


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def played(game: str, picks: int, people: tuple[int, ...] = (1,)) -> LocalSitting:
    """A kept game after so many picks of people."""
    sitting = opened(order_of(game, "", people=people), keep=True)
    sitting.begin()
    for _ in range(picks):
        if sitting.outcome is None:
            seat = next(seat for seat in sitting.may_seal if seat in people)
            sitting.seal(seat, sitting.legal(seat)[-1])
    return sitting


def resumed(kept: Kept) -> LocalSitting:
    return LocalHost(keep=True).open(kept.order, Words(), kept)


@OF_GAMES
@pytest.mark.parametrize("people", [(1,), (1, 2)])
def test_a_game_goes_on_where_it_was_left(game: str, people: tuple[int, ...]) -> None:
    left = played(game, 3, people)
    left.close()
    (kept,) = unfinished()

    back = resumed(kept)

    assert back.match.picks == left.match.picks
    assert back.sealed == tuple(seat for seat in left.sealed if seat in people)
    back.begin()
    assert back.sealed == left.sealed
    assert [back.view(seat) for seat in (0, 1, 2)] == [left.view(seat) for seat in (0, 1, 2)]
    assert back.legal(1) == left.legal(1)


@OF_GAMES
def test_the_rest_of_the_game_is_the_same_as_if_it_had_not_been_left(game: str) -> None:
    whole = played(game, 9999)
    assert whole.outcome is not None
    left = played(game, 2)
    left.close()
    (kept,) = unfinished()
    back = resumed(kept)
    back.begin()
    while back.outcome is None:
        back.seal(1, back.legal(1)[-1])

    assert back.record() == whole.record()


@OF_GAMES
def test_a_finished_game_leaves_nothing_behind(game: str) -> None:
    sitting = played(game, 1)
    assert len(list(unfinished())) == 0, "somebody is playing it"
    sitting.resign(1)
    assert sitting.outcome is not None

    assert sitting.kept is not None
    assert not sitting.kept.path.exists()


@OF_GAMES
def test_the_file_is_its_owners_alone_and_shows_no_pick_and_no_seed(game: str) -> None:
    sitting = played(game, 3, (1, 2))
    assert sitting.kept is not None
    path = sitting.kept.path
    text = path.read_text(encoding="utf-8")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert "oak" not in text.replace("uniform", "")
    for line in text.splitlines()[1:]:
        assert not any(f'"{pick}"' in line for joint in sitting.match.picks for pick in joint if pick)
    sitting.close()


@OF_GAMES
def test_a_line_that_was_cut_off_counts_for_nothing(game: str) -> None:
    sitting = played(game, 3)
    sitting.close()
    assert sitting.kept is not None
    path = sitting.kept.path
    whole = read_kept(path).sealed
    path.write_bytes(path.read_bytes()[:-5])

    kept = read_kept(path)

    assert kept.sealed == whole[:-1]
    back = resumed(kept)
    back.begin()
    back.seal(1, back.legal(1)[0])
    back.close()
    assert read_kept(path).sealed[: len(kept.sealed)] == kept.sealed


def test_nonsense_in_the_folder_is_not_offered_and_not_played(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "facedown" / "games"
    folder.mkdir(parents=True)
    for name, text in (("a", ""), ("b", "{}\n"), ("c", "nonsense\n"), ("d", '{"format": "x"}\nabc\n')):
        (folder / f"{name}.jsonl").write_text(text)

    assert list(unfinished()) == []
    with pytest.raises(UnreadableGame):
        read_kept(folder / "b.jsonl")


def test_a_game_that_does_not_follow_its_rules_is_said() -> None:
    game = registry.names()[0]
    kept = Kept(order_of(game))
    kept.add(1, "nonsense", durable=True)
    kept.close()

    with pytest.raises(UnreadableGame, match="does not follow the rules"):
        resumed(read_kept(kept.path))


def test_a_resignation_is_kept_too() -> None:
    game = next(name for name in registry.names() if registry.get(name).meta.most_seats > 2)
    order = order_of(game, "", 3, people=(1, 2, 3))
    sitting = opened(order, keep=True)
    sitting.seal(1, sitting.legal(1)[0])
    sitting.resign(2)
    sitting.close()

    (kept,) = unfinished()

    assert kept.sealed[-1] == (2, RESIGN)
    assert resumed(kept).match.picks == sitting.match.picks


def test_a_full_disk_is_said_the_game_goes_on_and_is_kept_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = registry.names()[-1]
    sitting = played(game, 1)
    real = os.fsync

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    async def play(pilot: Pilot[str]) -> None:
        monkeypatch.setattr(os, "fsync", full)
        await place(pilot, sitting.legal(1)[0])
        assert "no space left on device" in " ".join(shown(pilot).split())
        decisions = len(sitting.match.picks)
        monkeypatch.setattr(os, "fsync", real)
        await place(pilot, sitting.legal(1)[0])
        assert len(sitting.match.picks) > decisions
        assert "written down again" in shown(pilot)

    at(app_of(sitting), play)
    sitting.close()
    (kept,) = unfinished()
    assert resumed(kept).match.picks == sitting.match.picks


def test_only_the_latest_games_are_kept() -> None:
    game = registry.names()[-1]
    for _ in range(22):
        played(game, 1).close()

    assert len(list(unfinished())) == 20
