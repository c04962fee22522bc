"""The picture of an arena: written in the format that the file's name asks for, or refused in words."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from facedown.core.errors import Unsupported
from facedown.sim.ratings import Rating
from facedown.sim.standing import plot_arena

BOTS = ("random", "sage")
SHARES = {("random", "sage"): 0.25, ("sage", "random"): 0.75}
RATINGS = {"random": Rating(20.0, 1.5), "sage": Rating(30.0, 1.0)}


def test_a_picture_shows_names_and_shares(tmp_path: Path) -> None:
    path = tmp_path / "arena.svg"

    plot_arena(path, "Some arena", BOTS, SHARES, RATINGS)

    written = path.read_text(encoding="utf-8")
    shown = ("Some arena", "random", "sage", "25.0", "75.0", "rating, ± 2 deviations")
    assert [text for text in shown if f"<!-- {text} -->" not in written] == []


def test_other_formats_are_those_of_the_name(tmp_path: Path) -> None:
    plot_arena(tmp_path / "arena.png", "Some arena", BOTS, SHARES, RATINGS)

    assert (tmp_path / "arena.png").read_bytes().startswith(b"\x89PNG")


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="cannot draw"):
        plot_arena(tmp_path / "arena.nonsense", "Some arena", BOTS, SHARES, RATINGS)


def test_pictures_need_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)

    with pytest.raises(Unsupported, match="the extra `plot`") as refused:
        plot_arena(tmp_path / "arena.svg", "Some arena", BOTS, SHARES, RATINGS)

    assert refused.value.missing == "plot", "the command says how it is installed"
    assert list(tmp_path.iterdir()) == []
