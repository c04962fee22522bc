"""`facedown docs` refuses what it cannot do in one sentence, before it builds anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from facedown.cli.main import main


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--build", ""), "a folder is needed"),
        (("--build", "full"), "full is not empty, and holds no documentation"),
        (("--build", "full/file"), "full/file is not empty"),
        (("--build", "é" * 300), "file name too long"),
        (("--port", "nan"), "not a whole number"),
        (("--port", "99999"), "port 99999 cannot be used"),
    ],
)
def test_an_impossible_request_is_refused(
    arguments: tuple[str, ...],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").write_text("mine", encoding="utf-8")

    assert main(["docs", *arguments]) == 2

    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
    assert (tmp_path / "full/file").read_text(encoding="utf-8") == "mine"
