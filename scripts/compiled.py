"""The compiled modules: parts of the package as extension modules, by mypyc. Plain Python stays the default.

`[tool.facedown]` in pyproject.toml lists the modules. hatch_build.py puts them into a wheel where
FACEDOWN_COMPILED=1 is set; `tests/test_compiled.py` lists what such a module may not contain.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sysconfig
import tomllib
from pathlib import Path
from typing import Final

WANTED: Final = "FACEDOWN_COMPILED"
"""The environment variable that asks for a compiled wheel."""
NEEDS: Final = ("mypy>=2.4,<3", "setuptools>=77")
"""What compiles: needed while such a wheel is built, and never afterwards."""


class CannotCompile(Exception):
    """Something that compiling needs is not on this machine: one sentence."""


def wanted() -> bool:
    """Whether a compiled wheel was requested."""
    return os.environ.get(WANTED, "") not in ("", "0")


def modules(root: Path) -> list[str]:
    """The modules that are compiled, as paths below `src`."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["facedown"]
    return [f"facedown/{path}" for path in settings["compiled"]]


def compile_modules(root: Path, folder: Path) -> dict[str, str]:
    """Compile in a folder of its own: where each extension module lies, and its path in a wheel."""
    check_machine()
    shutil.copytree(root / "src" / "facedown", folder / "facedown", ignore=_all_but_python)
    (folder / "facedown" / "__init__.py").write_text("")  # leads type checkers through everything
    with contextlib.chdir(folder):
        _build(modules(root))
    made = f"*{sysconfig.get_config_var('EXT_SUFFIX')}"
    found = sorted((*folder.glob(made), *folder.glob(f"facedown/**/{made}")))
    return {str(path): path.relative_to(folder).as_posix() for path in found}


def _all_but_python(folder: str, names: list[str]) -> list[str]:
    """What mypyc has no use for, for `copytree`."""
    return [name for name in names if not name.endswith(".py") and not (Path(folder) / name).is_dir()]


def check_machine() -> None:
    """Raise unless there are a C compiler and the headers of this Python."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC")  # none on Windows: setuptools looks
    if command and shutil.which(command.split()[0]) is None:
        missing = f"a compiled wheel needs a C compiler, and {command.split()[0]} is not here"
        raise CannotCompile(f"{missing}: install one, or build without {WANTED}.")
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        missing = "a compiled wheel needs the headers of this Python (Python.h), and they are not here"
        raise CannotCompile(f"{missing}: install them (python3-dev), or build without {WANTED}.")


def _build(paths: list[str]) -> None:
    """Extension modules beside their sources, below the working directory."""
    try:
        from mypyc.build import mypycify
        from setuptools import Distribution
        from setuptools.command.build_ext import build_ext
    except ImportError as error:
        raise CannotCompile(f"a compiled wheel needs {' and '.join(NEEDS)}: {error}.") from None

    mypy = [
        "--config-file=",
        "--cache-dir=.mypy_cache",
        "--explicit-package-bases",
        "--follow-imports=silent",
        "--no-site-packages",  # whatever is installed: the same modules everywhere
    ]
    extensions = mypycify(
        [*mypy, "--ignore-missing-imports", *paths], group_name="facedown", debug_level="0", target_dir="c"
    )
    command = build_ext(Distribution({"name": "facedown", "ext_modules": extensions}))
    command.inplace = True
    command.build_lib = command.build_temp = "objects"
    command.ensure_finalized()
    command.run()
