"""The compiled engine: what may be on its list, and that it is never built unless requested.

`./test --compiled` builds it, and runs the tests of the engine on it.
"""

from __future__ import annotations

import ast
import copy
import os
import pickle
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import facedown
import hatch_build
from facedown import version
from facedown.core.events import private, public
from scripts import compiled

ROOT = Path(__file__).parent.parent
MODULES = compiled.modules(ROOT)


@cache
def parsed(path: str) -> ast.Module:
    return ast.parse((ROOT / "src" / path).read_text(encoding="utf-8"))


def classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    return (node for node in tree.body if isinstance(node, ast.ClassDef))


def is_named_tuple(node: ast.ClassDef) -> bool:
    return [ast.unparse(base) for base in node.bases] == ["NamedTuple"]


def names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def bases(node: ast.ClassDef) -> set[str]:
    return {name for base in node.bases for name in names(base)}


def test_the_engine_is_compiled_where_it_was_asked_for_and_nowhere_else() -> None:
    assert version.compiled() == compiled.wanted()
    assert version.full_version() == version.__version__ + (" (compiled engine)" if compiled.wanted() else "")
    for path in MODULES:
        module = sys.modules.get(path.removesuffix(".py").replace("/", "."))
        suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))
        assert module is None or str(module.__file__).endswith(suffix if compiled.wanted() else ".py")


def test_what_others_subclass_or_read_bytes_with_is_never_compiled() -> None:
    assert {"facedown/core/match.py", "facedown/games/ecard/rounds.py"} <= set(MODULES)
    for path in MODULES:
        assert Path(path).name not in ("game.py", "rules.py", "chance.py", "__init__.py")
        made_by = {
            name
            for node in classes(parsed(path))
            for name in names(ast.Tuple(node.bases + node.decorator_list))
        }
        assert not made_by & {"Struct", "msgspec", "dataclass"}, path


@pytest.mark.parametrize("path", MODULES)
def test_compiled_classes_are_final_and_have_no_keywords(path: str) -> None:
    """A compiled class cannot be subclassed by Python's, and loses the keywords of its definition."""
    for node in classes(parsed(path)):
        final = "final" in [ast.unparse(each) for each in node.decorator_list]
        assert final or is_named_tuple(node) or "Protocol" in bases(node), node.name
        assert not node.keywords, node.name


@pytest.mark.parametrize("path", MODULES)
def test_no_named_tuple_names_a_class_that_is_compiled_after_it(path: str) -> None:
    """The import of such a module ends the process."""
    found = list(classes(parsed(path)))
    for place, node in enumerate(found):
        if is_named_tuple(node):
            later = {each.name for each in found[place:] if not is_named_tuple(each)}
            used = {name for field in node.body if isinstance(field, ast.AnnAssign) for name in names(field)}
            assert not later & used, node.name


@pytest.mark.parametrize("path", MODULES)
def test_nothing_is_left_to_a_branch_that_type_checkers_do_not_take(path: str) -> None:
    for node in ast.walk(parsed(path)):
        assert not (isinstance(node, ast.If) and "TYPE_CHECKING" in names(node.test) and node.orelse)


@pytest.mark.parametrize("name", ["ecard", "davenport"])
def test_no_part_of_a_view_is_compiled(name: str) -> None:
    """Programs at a table read views by their annotations, which are lost in compiled modules."""
    asked = [get_type_hints(type(facedown.game(name)).view)["return"]]
    parts = set()
    while asked:
        part = asked.pop()
        if isinstance(part, type) and hasattr(part, "_fields") and part not in parts:
            parts.add(part)
            asked += get_type_hints(part).values()
        asked += get_args(part)

    assert len(parts) >= 3
    assert not {part.__module__.replace(".", "/") + ".py" for part in parts} & set(MODULES)


def test_a_fact_may_have_any_name() -> None:
    """Compiled, a parameter takes a keyword of its name even where it is positional only."""
    facts = {"seat": 1, "kind": 2, "rules": 3, "facts": 4}

    assert public("seen", (), **facts).facts == facts
    assert private(2, "seen", (), **facts).facts == facts


@pytest.mark.parametrize("name", ["ecard", "davenport"])
def test_a_state_survives_being_written_and_copied(name: str) -> None:
    """Compiled classes have no fields that `pickle` finds."""
    match = facedown.new(name, seats=("Ann", "Bo"), seed="oak")
    for _ in range(3):
        for seat in match.may_seal:
            match.seal(seat, match.legal(seat)[0])

    assert pickle.loads(pickle.dumps(match.state)) == copy.deepcopy(match.state) == match.state


def test_a_wheel_is_pure_unless_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    hook = hatch_build.PackageHook.__new__(hatch_build.PackageHook)
    for text, needs in (("", []), ("0", []), ("1", [*compiled.NEEDS])):
        monkeypatch.setenv(compiled.WANTED, text)
        assert hook.dependencies() == needs


def test_a_machine_that_cannot_compile_is_told_so_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    with pytest.raises(
        compiled.CannotCompile, match=r"needs a C compiler, and no-such-compiler is not here: .*\.$"
    ):
        compiled.compile_modules(ROOT, tmp_path)

    monkeypatch.setenv("CC", sys.executable)
    monkeypatch.setattr(sysconfig, "get_path", lambda name: os.devnull)
    with pytest.raises(compiled.CannotCompile, match=r"needs the headers of this Python \(Python.h\)"):
        compiled.check_machine()
