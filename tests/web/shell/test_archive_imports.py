"""Imports from archives: every module is compiled once, and from a copy with its bytecode not at all."""

from __future__ import annotations

import builtins
import importlib
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from facedown.web.offline import archive_imports
from facedown.web.offline.archive_imports import install, with_bytecode

SOURCES = {
    "archived/__init__.py": "from archived import deck",
    "archived/deck.py": "CARDS = 52\ndef fails():\n    raise LookupError",
    "archived/unused.py": "CARDS = 0",
}


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of all sources in an archive that are compiled, while archives are imported from so."""
    names: list[str] = []
    compile_it = builtins.compile

    def noting(source: object, filename: str, *rest: object, **more: object) -> object:
        if ".zip" in str(filename):
            names.append(Path(filename).name)
        return compile_it(source, filename, *rest, **more)  # type: ignore[call-overload]  # whatever it was

    monkeypatch.setattr(builtins, "compile", noting)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "path_hooks", [*sys.path_hooks])
    install()
    yield names
    sys.path_importer_cache.clear()


def imported(archive: Path) -> ModuleType:
    """The package of an archive, as a program that has just begun imports it."""
    for name in [each for each in sys.modules if each.partition(".")[0] == "archived"]:
        del sys.modules[name]
    archive_imports._imported.clear()
    sys.path[0] = str(archive)
    return importlib.import_module("archived")


def test_what_was_compiled_once_is_not_compiled_again(tmp_path: Path, compiled: list[str]) -> None:
    archive, later = tmp_path / "archive.zip", tmp_path / "later.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        for name, source in SOURCES.items():
            opened.writestr(name, source)

    imported(archive)
    assert compiled == ["__init__.py", "deck.py"]
    later.write_bytes(with_bytecode(str(archive)) or b"")
    compiled.clear()
    found = imported(later)

    assert compiled == []
    assert found.deck.CARDS == 52
    assert found.__path__ == [str(later / "archived")]
    assert with_bytecode(str(later)) is None
    importlib.import_module("archived.unused")  # a module that was never imported is there all the same
    assert compiled == ["unused.py"]
