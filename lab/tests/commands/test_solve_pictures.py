"""`facedown solve --plot`: pictures of answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from facedown.cli import extras
from facedown_lab.games.ecard import plot
from tests.cli.command import failed_in_one_sentence
from tests.cli.conftest import Here

FEW_STATES = "purse(purse=4,rounds=3,group=1)"


@pytest.mark.parametrize("path", ["", ".", "/nowhere/at/all.png"])
def test_a_file_that_cannot_be_written_is_refused(here: Here, path: str) -> None:
    assert failed_in_one_sentence(here("solve", "ecard", "--plot", path), "unwritable_file")


def test_a_game_without_pictures_says_so(here: Here, tmp_path: Path) -> None:
    ran = here("solve", "davenport", "--plot", str(tmp_path / "no.png"))

    assert ran.status != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("suffix", "magic"),
    [(".PNG", b"\x89PNG"), (".pdf", b"%PDF")],  # those below are SVG
)
def test_a_picture_is_written(here: Here, tmp_path: Path, suffix: str, magic: bytes) -> None:
    path = tmp_path / f"picture{suffix}"

    ran = here("solve", "ecard", "--rules", "classic(rounds=3)", "--plot", str(path))

    assert (ran.status, ran.err) == (0, "")
    assert "is favoured" in ran.out
    assert path.read_bytes().startswith(magic)
    assert path.stat().st_size > 5000


def draw_plot(here: Here, path: Path, *arguments: str) -> bytes:
    assert here("solve", "ecard", *arguments, "--plot", str(path)).status == 0
    return path.read_bytes()


def test_the_requested_state_is_marked(here: Here, tmp_path: Path) -> None:
    rules = ["--rules", "classic(rounds=3)"]
    whole = draw_plot(here, tmp_path / "whole.svg", *rules)
    marked = draw_plot(here, tmp_path / "marked.svg", *rules, "--at", "round=2,score=1:0")

    assert marked != whole
    assert marked.count(b"<path") - whole.count(b"<path") == 3  # one ring in each panel


def test_E13_the_same_answer_gives_the_same_picture_with_a_panel_for_stakes(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (draw_plot(here, tmp_path / f"{name}.svg", "--rules", FEW_STATES) for name in "ab")
    monkeypatch.setattr(plot, "_MOST_NUMBERS", 5)  # so that these are many: to draw more takes long
    many = draw_plot(here, tmp_path / "many.svg", "--rules", FEW_STATES)

    assert one == two
    assert one.count(b'<g id="axes_') == 8, "a panel for the stakes, with the scales of the colours"
    texts = b'<g id="text_'
    assert one.count(texts) - many.count(texts) > 40


def test_a_picture_of_no_known_kind_is_refused_before_anything_is_solved(here: Here, tmp_path: Path) -> None:
    for name in ("picture", "picture.txt", "picture.png.exe"):
        assert failed_in_one_sentence(here("solve", "ecard", "--plot", str(tmp_path / name)), "usage")

    assert list(tmp_path.iterdir()) == []


def test_pictures_need_an_extra(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None)

    ran = here("solve", "ecard", "--rules", "decisive", "--plot", str(tmp_path / "picture.png"))

    assert failed_in_one_sentence(ran, "unsupported")
    assert "the extra `plot` of facedown-lab" in ran.err
    assert list(tmp_path.iterdir()) == []
