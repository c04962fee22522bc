"""Imports from archives that compile every module once: Python itself compiles each of them twice.

Runs inside a page, where our archive has it as `sitecustomize`, a name that Python imports at every
start. What was compiled is added to a copy of the archive, and not compiled again at the next start.
"""

from __future__ import annotations

import os
import sys
from zipimport import zipimporter

TYPE_CHECKING = False  # `typing` is in an archive itself: imported so only after this
if TYPE_CHECKING:
    from types import CodeType

_UNCHECKED = (0b01).to_bytes(4, "little") + bytes(8)
"""Bytecode by the digest of its source, unchecked: both come in the same archive."""
_imported: dict[str, dict[str, CodeType]] = {}
"""By archive, and by the name of the source in it."""


class ArchiveImporter(zipimporter):
    """Imports from one archive, and keeps the code of what was imported."""

    def get_code(self, fullname: str) -> CodeType:
        """The code of a module: bytecode of the archive, or compiled."""
        code = super().get_code(fullname)
        _imported.setdefault(self.archive, {})[self._source(fullname)] = code
        return code

    def get_filename(self, fullname: str) -> str:
        """Where the source of a module is; Python's own importer compiles it to tell."""
        return os.path.join(self.archive, self._source(fullname))

    def _source(self, fullname: str) -> str:
        ending = "/__init__.py" if self.is_package(fullname) else ".py"
        return self.prefix.replace(os.sep, "/") + fullname.rpartition(".")[2] + ending


def install() -> None:
    """From here on, whatever is imported from archives is imported so."""
    sys.path_hooks.insert(0, ArchiveImporter)
    sys.path_importer_cache.clear()


def with_bytecode(archive: str) -> bytes | None:
    """A copy of an archive with the bytecode of everything imported from it; None if it has that already."""
    import marshal
    from importlib.util import MAGIC_NUMBER
    from io import BytesIO
    from zipfile import ZIP_DEFLATED, ZipFile

    with open(archive, "rb") as file:
        copy = BytesIO(file.read())
    with ZipFile(copy, "a", ZIP_DEFLATED, compresslevel=1) as opened:
        had = set(opened.namelist())
        found = {f"{source}c": code for source, code in _imported.get(archive, {}).items()}
        missing = found.keys() - had
        for name in sorted(missing):
            opened.writestr(name, MAGIC_NUMBER + _UNCHECKED + marshal.dumps(found[name]))
    return copy.getvalue() if missing else None


if __name__ == "sitecustomize":
    install()
