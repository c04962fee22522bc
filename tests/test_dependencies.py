"""Private interfaces of other packages are used with the versions that our code was checked with."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import metadata

import pytest

import facedown.server
import facedown.terminal
from tests.cli.installed import ROOT

UNDOCUMENTED = {"websockets": {"Connection.protocol.close_rcvd", "Connection.protocol.parser_exc"}}
"""What no underscore marks as private, but no documentation names."""


def private_names() -> dict[str, set[str]]:
    """The private names of foreign base classes that our classes use or override, by package."""
    found: dict[str, set[str]] = defaultdict(set, {name: set(uses) for name, uses in UNDOCUMENTED.items()})
    for ours in our_classes():
        foreign = [base for base in ours.__mro__ if is_foreign(base)]
        used = names_in(ours) if foreign else set()
        for base in foreign:
            for name in used & private_names_of(base):
                found[base.__module__.partition(".")[0]].add(f"{ours.__qualname__}.{name}")
    return found


def our_classes() -> Iterator[type]:
    for room in (facedown.server, facedown.terminal):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, type) and value.__module__ == module.name:
                    yield value


def is_foreign(base: type) -> bool:
    return base.__module__.partition(".")[0] not in {"facedown", *sys.stdlib_module_names}


@cache
def private_names_of(base: type) -> frozenset[str]:
    return frozenset(vars(base)) | frozenset(re.findall(r"self\.(_\w+)", source_of(base)))


def source_of(kind: type) -> str:
    try:
        return inspect.getsource(kind)
    except (OSError, TypeError):  # an extension module, or made by a program
        return ""


def names_in(ours: type) -> set[str]:
    tree = list(ast.walk(ast.parse(source_of(ours))))
    used = {node.attr for node in tree if isinstance(node, ast.Attribute)}
    defined = {node.name for node in tree if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    return {name for name in used | defined if name.startswith("_") and not name.startswith("__")}


@pytest.fixture(scope="module")
def touched() -> dict[str, set[str]]:
    return private_names()


def test_private_interfaces_are_held_to_the_versions_they_were_checked_with(
    touched: dict[str, set[str]],
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [each for extra in project["optional-dependencies"].values() for each in extra]

    assert {"uvicorn", "websockets"} <= set(touched)
    assert "textual" not in touched
    for package, names in touched.items():
        version = metadata.version(package)
        lines = {each for each in wanted if re.match(rf"{package}(?![\w-])", each)}
        bounds = (
            re.fullmatch(rf"{package}>=([\d.]+),<([\d.]+)", next(iter(lines))) if len(lines) == 1 else None
        )
        assert bounds is not None, (
            f"Facedown uses {sorted(names)} of {package}, which {package} may change at any time: "
            f"pyproject.toml must say {package}>=A,<B, the same in every extra, instead of {sorted(lines)}"
        )
        assert numbers(bounds[1]) <= numbers(version) < numbers(bounds[2]), (
            f"{package} {version} is installed, and Facedown was checked with {bounds[0]}: "
            f"see whether {sorted(names)} still mean the same, then change the bounds in pyproject.toml"
        )


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))
