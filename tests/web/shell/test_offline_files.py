"""What play without a network is made of: fetched packages, checked, our archive, and the site's folder."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from facedown.cli.main import main
from facedown.core import registry
from facedown.web.offline import plugin_games, pyodide
from facedown.web.offline.pyodide import FILES, NoPyodide, Package, find_pyodide, require_pyodide
from facedown.web.offline.routes import OfflineFiles
from facedown.web.offline.run_files import page_code

THIRD_GAME = Path(__file__).parents[2] / "third_game"


def packed(folder: Path, **files: bytes) -> Package:
    """A package of some files, at an address that needs no network."""
    body = io.BytesIO()
    with tarfile.open(fileobj=body, mode="w:gz") as archive:
        for name, content in files.items():
            about = tarfile.TarInfo(f"package/{name}")
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    path = folder / "package.tgz"
    path.write_bytes(body.getvalue())
    digest = hashlib.sha256(body.getvalue()).hexdigest()
    return Package(path.as_uri(), digest, {f"package/{name}": name for name in files})


def test_a_package_is_kept_whole_and_asked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = packed(tmp_path, python=b"wasm" * 100)
    monkeypatch.setattr(pyodide, "PACKAGES", (package,))
    found = require_pyodide(tmp_path / "cache")
    (tmp_path / "package.tgz").unlink()

    assert (found / "python").read_bytes() == b"wasm" * 100
    assert (found / "python.gz").stat().st_size < 400
    assert require_pyodide(tmp_path / "cache") == found == find_pyodide(tmp_path / "cache")


def test_a_package_that_is_not_the_pinned_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = packed(tmp_path, python=b"wasm")
    monkeypatch.setattr(pyodide, "PACKAGES", (Package(package.address, "0" * 64, package.files),))

    with pytest.raises(NoPyodide, match="SHA-256"):
        require_pyodide(tmp_path / "cache")
    assert find_pyodide(tmp_path / "cache") is None


def test_without_the_packages_a_server_offers_nothing(tmp_path: Path) -> None:
    client = TestClient(Starlette(routes=OfflineFiles(tmp_path, 0).routes))

    assert client.get("/run/files.json").status_code == 204


def test_the_list_names_what_is_served_and_only_the_worker_may_run_python(tmp_path: Path) -> None:
    folder = tmp_path / pyodide._name()
    folder.mkdir()
    for name in FILES:
        (folder / name).write_bytes(name.encode())
    with TestClient(Starlette(routes=OfflineFiles(tmp_path, 0).routes)) as client:
        listed = client.get("/run/files.json").json()
        answers = {path: client.get(f"/{path}") for path in listed["files"]}

    assert {answer.status_code for answer in answers.values()} == {200}
    assert {listed["worker"], listed["code"], *listed["answers"].values()} <= answers.keys()
    assert "'wasm-unsafe-eval'" in answers[listed["worker"]].headers["content-security-policy"]
    japanese = json.loads(answers[listed["answers"]["ja"]].content)
    assert {each["name"] for each in japanese["/games"]} == {"davenport", "ecard"}
    assert len(japanese) > 3


def test_our_archive_holds_the_server_and_no_page_no_command_and_no_terminal() -> None:
    names = zipfile.ZipFile(io.BytesIO(page_code())).namelist()

    assert {"facedown/server/in_page.py", "sitecustomize.py"} <= {*names}
    assert "facedown/games/ecard/locale/ja.po" in names
    assert any(each.startswith("licences/starlette/") for each in names)
    left = ("facedown/web/", "facedown/terminal/", "facedown/commands/")
    assert not [each for each in names if each.startswith(left) or each.endswith(".js")]


def write_package(folder: Path, package: str, games: Sequence[str], needs: str = "") -> None:
    """An installed package with games that are the third game under other names."""
    for name in games:
        inner = folder / package / name
        inner.mkdir(parents=True)
        lines = ("from goofspiel.game import GAME as G", f"class H(type(G)): name = {name!r}", "GAME = H()")
        (inner / "game.py").write_text("\n".join(lines))
        (inner / "__init__.py").touch()
    (folder / package / "__init__.py").touch()
    about = folder / f"{package}-2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 2\n{needs}")
    points = "".join(f"{name} = {package}.{name}\n" for name in games)
    (about / "entry_points.txt").write_text(f"[facedown.games]\n{points}")


@pytest.fixture
def other_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The third game, a package with two, and one that needs more than Facedown."""
    needs = 'Requires-Dist: facedown\nRequires-Dist: numpy>=2\nRequires-Dist: pytest; extra == "test"\n'
    write_package(tmp_path, "twins", ["one", "two"], "Requires-Dist: facedown>=1\n")
    write_package(tmp_path, "heavy_games", ["heavy"], needs)
    for folder in (THIRD_GAME, tmp_path):
        monkeypatch.syspath_prepend(str(folder))
    registry.forget()
    plugin_games.exclusions.cache_clear()
    yield
    monkeypatch.undo()
    registry.forget()
    plugin_games.exclusions.cache_clear()


@pytest.mark.usefixtures("other_games")
def test_games_of_other_packages_go_along_or_are_named_with_the_reason(tmp_path: Path) -> None:
    archive = tmp_path / "code.zip"
    archive.write_bytes(page_code())

    code = "from facedown.core import registry; print(*registry.names(), 'from', registry.origin('two'))"
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={"PYTHONPATH": str(archive)},
        capture_output=True,
        text=True,
    )

    assert plugin_games.exclusions() == {"heavy": "its package needs numpy"}
    assert set(plugin_games.page_games()) == {"davenport", "ecard", "goofspiel", "one", "two"}
    assert ran.stdout.strip() == "davenport ecard goofspiel one two from twins 2", ran.stderr
    assert not [each for each in zipfile.ZipFile(archive).namelist() if each.startswith("heavy")]


def test_a_site_is_written_into_a_new_or_empty_folder_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").write_text("here")

    assert main(["site", str(tmp_path)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert main(["site", str(tmp_path / "mine")]) == 2
    assert "is a file" in capsys.readouterr().err
    assert main(["site", str(tmp_path / "no" / "where")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["mine"]
