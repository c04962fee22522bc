"""Coverage by marks: what ran counts, what did not does not, and nothing else about a module changes."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from tests.coverage_marks import MarkedLoader, MarkedModule, prepare, reached

SIGN = '''"""What a number begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nowhere import Nothing


class Sign:
    """A class."""

    def of(self, number: Nothing) -> str:
        """Its sign."""
        if number < 0:
            return "-"
        for _ in range(number):
            try:
                return "+"
            finally:
                pass
        return ""

    def never(self) -> None:
        raise NotImplementedError
'''


@pytest.mark.parametrize(
    ("numbers", "reached_now"),
    [
        ((), 5),  # the import, the `if`, the class and its two methods
        ((-1,), 5 + 2),  # the `if` and its `return`
        ((0,), 5 + 1 + 1 + 1 + 1 + 1),  # the `if`, past it, the `for`, past it, the last `return`
        ((2,), 5 + 1 + 1 + 1 + 3),  # the `if`, past it, the `for`, and all inside
        ((-1, 0, 2), 5 + 3 + 1 + 2 + 3),
    ],
)
def test_what_ran_is_reached(numbers: tuple[int, ...], reached_now: int) -> None:
    module = MarkedModule(SIGN.encode(), "sign.py")
    marks = bytearray(len(module.weights))
    names: dict[str, object] = {"__marks__": marks, "__name__": "sign"}
    exec(module.code, names)
    sign = names["Sign"]
    assert isinstance(sign, type)

    for number in numbers:
        sign().of(number)

    assert sum(weight for weight, mark in zip(module.weights, marks, strict=True) if mark) == reached_now


def test_all_who_load_a_module_mark_the_same_file_and_unloaded_modules_count_as_unreached(
    tmp_path: Path,
) -> None:
    source, marks = tmp_path / "signs", tmp_path / "marks"
    for folder in (source, marks):
        folder.mkdir()
    (source / "sign.py").write_text(SIGN, encoding="utf-8")
    (source / "other.py").write_text("print('not imported')\n", encoding="utf-8")

    prepare(marks, source)
    for number in (-1, 0):
        loader = MarkedLoader("signs.sign", str(source / "sign.py"), marks)
        spec = spec_from_loader("signs.sign", loader)
        assert spec is not None
        module = module_from_spec(spec)
        loader.exec_module(module)
        module.Sign().of(number)

    assert reached(marks, source) == {"other.py": (0, 1), "sign.py": (5 + 3 + 1 + 2, 15)}
