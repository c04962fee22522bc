"""Atomic file writing: whole or not at all, with the requested mode."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from facedown.files import UnwritableFile, check_writable, partial_file, publish_file, replace_file, writing


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_file_is_replaced_whole_and_nothing_stays_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "settings.json"
    target.write_text("before")
    replace_file(target, b"after")
    assert target.read_text() == "after"
    assert names(tmp_path) == ["settings.json"]


def test_a_secret_file_is_its_owners_alone_even_after_a_killed_writer(tmp_path: Path) -> None:
    target = tmp_path / "key.json"
    left = tmp_path / f".key.json.{os.getpid()}.part"
    left.write_text("left by a process with the same number")
    left.chmod(0o644)
    replace_file(target, b"{}", mode=0o600)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert names(tmp_path) == ["key.json"]


def test_a_failed_write_changes_nothing(tmp_path: Path) -> None:
    target = tmp_path / "game.json"
    target.write_text("before")

    def fail() -> None:
        with writing(str(target)) as file:
            file.write("half of it")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert target.read_text() == "before"
    assert names(tmp_path) == ["game.json"]


def test_a_named_file_follows_a_link_to_its_target(tmp_path: Path) -> None:
    target = tmp_path / "game.json"
    target.write_text("before")
    (tmp_path / "link.json").symlink_to(target)
    with writing(str(tmp_path / "link.json")) as file:
        file.write("after")
    assert target.read_text() == "after"
    assert (tmp_path / "link.json").is_symlink()


def test_a_device_is_written_and_stays_a_device() -> None:
    with writing(os.devnull) as file:
        file.write("gone")
    assert not Path(os.devnull).is_file()


def test_what_cannot_be_written_is_refused_before(tmp_path: Path) -> None:
    for path in ("", str(tmp_path), str(tmp_path / "no" / "such.json")):
        with pytest.raises(UnwritableFile):
            check_writable(path)


def test_a_published_file_never_overwrites(tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    with partial_file(target) as part:
        part.write_text("first")
        publish_file(part, target)
    assert names(tmp_path) == ["backup.db"]
    with partial_file(target) as part:
        part.write_text("second")
        with pytest.raises(FileExistsError):
            publish_file(part, target)
    assert target.read_text() == "first"
    assert names(tmp_path) == ["backup.db"]
