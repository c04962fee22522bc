"""Coverage by marks: the modules of `facedown` are compiled with a mark at the head of every block.

A mark is a byte in a file which all processes of a run share: nothing has to be gathered, and what a killed
server ran is known. A tracer makes Python before 3.12 two to five times slower; marks cost about a tenth.
"""

from __future__ import annotations

import ast
import marshal
import mmap
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

SWITCH: Final = "COVERAGE_MARKS"
"""The environment variable that names the folder of a run's marks; without it nothing is marked."""
_UNMARKED: Final = "facedown.testing"  # the shipped suites are tests themselves
_TWO_WAYS: Final = (ast.If, ast.For, ast.AsyncFor, ast.While)
_COMPOUND: Final = (*_TWO_WAYS, ast.Try, ast.With, ast.AsyncWith, ast.Match)


class MarkedModule:
    """A module's code with marks in it; `weights` tells how many statements stand behind each mark."""

    def __init__(self, source: bytes, path: str) -> None:
        self.weights: list[int] = []
        tree = ast.parse(source, path)
        tree.body = self._marked(tree.body)
        self.code: CodeType = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    def _marked(self, block: Sequence[ast.stmt]) -> list[ast.stmt]:
        """These statements with a mark before the first, and after each that can be left in its middle."""
        found: list[ast.stmt] = []
        mark = -1
        for statement in block:
            if _says_nothing(statement):
                found.append(statement)
                continue
            if mark < 0:
                mark = self._new_mark()
                found.append(_set(mark, statement))
            self.weights[mark] += _statements(statement)
            self._look_inside(statement)
            found.append(statement)
            if isinstance(statement, _COMPOUND):
                mark = -1
        return found

    def _new_mark(self) -> int:
        self.weights.append(0)
        return len(self.weights) - 1

    def _look_inside(self, statement: ast.stmt) -> None:
        """Mark the blocks of a statement; what a class is made of runs with it, but its methods do not."""
        if isinstance(statement, ast.ClassDef):
            for each in statement.body:
                self._look_inside(each)
        elif not (isinstance(statement, ast.If) and _is_for_types(statement.test)):
            for part in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
                for name in ("body", "orelse", "finalbody"):
                    if hasattr(part, name):
                        setattr(part, name, self._marked(getattr(part, name)))
            if isinstance(statement, _TWO_WAYS) and not statement.orelse:
                statement.orelse = [_set(self._new_mark(), statement)]
                self.weights[-1] = 1  # the way past it


def _says_nothing(statement: ast.stmt) -> bool:
    """A docstring, an ellipsis, or what has to be a module's first line."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _statements(statement: ast.stmt) -> int:
    """How many statements run with this one: those of a class all do."""
    inside = statement.body if isinstance(statement, ast.ClassDef) else ()
    return 1 + sum(_statements(each) for each in inside if not _says_nothing(each))


def _is_for_types(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _set(mark: int, at: ast.stmt) -> ast.stmt:
    """The statement `__marks__[mark] = 1`."""
    place = ast.Subscript(ast.Name("__marks__", ast.Load()), ast.Constant(mark), ast.Store())
    return ast.copy_location(ast.Assign([place], ast.Constant(1)), at)


# --- modules of a run ------------------------------------------------------------------------------------


def prepare(folder: Path, source: Path) -> None:
    """Compile all modules of a package with marks, once for all processes of a run."""
    for path in source.rglob("*.py"):
        made = MarkedModule(path.read_bytes(), str(path))
        kept = marshal.dumps((made.code, made.weights))
        (folder / f"{_module(path, source)}.code").write_bytes(kept)


def _module(path: Path, source: Path) -> str:
    """The name of a module in a package that lies in `source`."""
    parts = path.relative_to(source.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


class MarkedLoader(SourceFileLoader):
    """Loads a module with its marks."""

    def __init__(self, name: str, path: str, folder: Path) -> None:
        super().__init__(name, path)
        self._folder = folder

    def exec_module(self, module: ModuleType) -> None:
        code, weights = marshal.loads((self._folder / f"{self.name}.code").read_bytes())
        module.__dict__["__marks__"] = _shared(self._folder / f"{self.name}.marks", len(weights))
        exec(code, module.__dict__)


def _shared(path: Path, size: int) -> mmap.mmap:
    """The marks of a module, in all processes the same."""
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        os.truncate(file, max(size, 1))
        return mmap.mmap(file, max(size, 1))
    finally:
        os.close(file)


class MarkedModules(MetaPathFinder):
    """Finds the modules of `facedown` where Python finds them, and has them loaded with marks."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None for all other modules."""
        if fullname.partition(".")[0] != "facedown" or fullname.startswith(_UNMARKED):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = MarkedLoader(fullname, spec.origin, self._folder)
        return spec


def begin() -> None:
    """From now on this process marks what it imports, if the environment names a folder for that."""
    if SWITCH in os.environ:
        sys.meta_path.insert(0, MarkedModules(Path(os.environ[SWITCH])))


def reached(folder: Path, source: Path) -> dict[str, tuple[int, int]]:
    """By the file's path inside `source`: how many statements were reached, and how many there are."""
    found = {}
    for path in sorted(source.rglob("*.py")):
        name = _module(path, source)
        marks = folder / f"{name}.marks"
        weights = marshal.loads((folder / f"{name}.code").read_bytes())[1]
        seen = marks.read_bytes() if marks.exists() else bytes(len(weights))
        ran = sum(weight for weight, mark in zip(weights, seen, strict=False) if mark)
        found[str(path.relative_to(source))] = (ran, sum(weights))
    return found
